import type { Config } from './config.ts'
import { createPool } from './kit/db/pool.ts'

type Setting = 'DATABASE_URL' | 'API_DATABASE_URL' | 'WORKER_DATABASE_URL' | 'OPERATOR_DATABASE_URL'

/** The databases a role cannot begin without. */
const neededBy: ReadonlyMap<string, readonly Setting[]> = new Map([
  ['api', ['API_DATABASE_URL']],
  ['worker', ['WORKER_DATABASE_URL']],
  ['all', ['API_DATABASE_URL', 'WORKER_DATABASE_URL']],
  ['bootstrap', ['DATABASE_URL']],
  ['migrate', ['DATABASE_URL']],
  ['doctor', ['OPERATOR_DATABASE_URL']],
  ['maintenance', ['OPERATOR_DATABASE_URL']],
  ['company', ['OPERATOR_DATABASE_URL']],
  ['keys', ['API_DATABASE_URL']],
])

/** Why a role cannot begin, in a sentence with the setting to look at; null when every database lets us in. */
export async function unreachable(role: string, config: Config): Promise<string | null> {
  // While developing an api may come up before its database, and says so at /health/ready.
  if (role === 'api' && config.RELANCE_ENV === 'development') return null
  for (const setting of neededBy.get(role) ?? []) {
    const url = config[setting]
    // The role itself says what it lacks.
    if (url === undefined) continue
    const pool = createPool({ url, role: `relance-${role}`, max: 1, statementTimeoutMs: 5_000 })
    try {
      await pool.query('select 1')
    } catch (error) {
      // A name with several addresses, all of them refusing, has a code and no message.
      const { message, code } = error as Error & { code?: string }
      return `${setting} leads to no database that answers: ${message || code}`
    } finally {
      await pool.end()
    }
  }
  return null
}
