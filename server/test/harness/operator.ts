import {
  closeCompany,
  type OperatorContext,
  openCompany,
  resumeInstallation,
  stopInstallation,
} from '../../src/features/access/companies/operate.ts'
import { createPool } from '../../src/kit/db/pool.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'
import type { TestInstallation } from './use-installation.ts'

/** What the operator's commands do, with the operator's database role. */
export function operatorCalls(installation: TestInstallation) {
  async function withContext<T>(work: (context: OperatorContext) => Promise<T>): Promise<T> {
    const pool = createPool({
      url: installation.database.env.OPERATOR_DATABASE_URL,
      role: 'relance-operator',
      max: 1,
      statementTimeoutMs: 10_000,
    })
    const wall = Date.now()
    return work({ pool, wall, newId: () => uuidv7(wall), by: 'operator' }).finally(() => pool.end())
  }
  return {
    withContext,
    close: (companyId: string, reason = 'complaints of debtors') =>
      withContext(context => closeCompany(context, { companyId, reason })),
    open: (companyId: string) => withContext(context => openCompany(context, companyId)),
    stopAll: (reason = 'a fault in our texts') => withContext(context => stopInstallation(context, reason)),
    resumeAll: () => withContext(resumeInstallation),
  }
}

/** Closes or opens a company by its stops alone, where a test has nothing but SQL. */
export const switchCompany = (
  { sql }: Pick<TestInstallation, 'sql'>,
  companyId: string,
  isOpen: boolean,
): Promise<unknown> =>
  isOpen
    ? sql(`update stops set ended_at = since, ended_by = 'test' where target = $1 and ended_at is null`, [
        companyId,
      ])
    : sql(
        `insert into stops (id, scope, target, reason, since, stopped_by)
         values (gen_random_uuid(), 'company', $1, 'test', clock_timestamp(), 'test') on conflict do nothing`,
        [companyId],
      )
