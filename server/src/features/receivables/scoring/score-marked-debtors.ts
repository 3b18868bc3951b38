import { type Statement, sql } from '../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import { forEachTenant } from '../../../kit/each-tenant.ts'
import { saveScores } from './save-scores.ts'
import type { ScoringContext } from './scoring-context.ts'
import { lockScores } from './store.ts'

const tenantsMax = 50
const debtorsMax = 200

// Loose index scan: jumps from tenant to tenant, however many marks each has.
const findTenants = sql(
  'scoring.list-marked-tenants',
  `with recursive walk as (
     (select tenant_id from score_marks order by tenant_id limit 1)
     union all
     select (select m.tenant_id from score_marks m where m.tenant_id > walk.tenant_id order by m.tenant_id limit 1)
       from walk where walk.tenant_id is not null)
   select tenant_id from walk where tenant_id is not null limit ${tenantsMax}`,
).as<{ tenant_id: string }>()
// Loose index scan: jumps from debtor to debtor, and deletes all marks of each at once.
const deleteMarks = sql(
  'scoring.take-marks',
  `with recursive walk as (
     (select debtor_id, 1 as n from score_marks where tenant_id = $1 order by debtor_id limit 1)
     union all
     select (select m.debtor_id from score_marks m where m.tenant_id = $1 and m.debtor_id > walk.debtor_id order by m.debtor_id limit 1),
            walk.n + 1
       from walk where walk.debtor_id is not null and walk.n < ${debtorsMax}),
   taken as (
     delete from score_marks where tenant_id = $1 and debtor_id = any (array(select debtor_id from walk where debtor_id is not null))
     returning debtor_id)
   select distinct debtor_id from taken`,
)

/**
 * Computes the scores of marked debtors, one batch per tenant; true if a batch was full. Several marks of one debtor are
 * handled at once. A mark is deleted in the transaction that writes the new score, so a debtor is always either marked or
 * up to date.
 */
export async function scoreMarkedDebtors(context: ScoringContext): Promise<boolean> {
  const { pool, log } = context
  const { name, text } = findTenants as Statement<unknown>
  const tenants = (await pool.query<{ tenant_id: string }>({ name, text })).rows
  let hasMore = tenants.length === tenantsMax
  const loop = {
    idsOf: (tenant: { tenant_id: string }) => ({ tenantId: tenant.tenant_id }),
    failure: 'scoring of a tenant postponed',
  }
  await forEachTenant(log, tenants, loop, async ({ tenant_id }) => {
    if ((await scoreMarkedOfTenant(context, tenant_id)) === debtorsMax) hasMore = true
  })
  return hasMore
}

async function scoreMarkedOfTenant(
  { pool, clock, metrics }: ScoringContext,
  tenantId: string,
): Promise<number> {
  const { marked, scored } = await transact(
    pool,
    asWorker(tenantId),
    [[lockScores, []]],
    async ({ tx, offsetMs }) => {
      const marked = (await tx.rows(deleteMarks, [tenantId])).map(row => row.debtor_id)
      return { marked: marked.length, scored: await saveScores(tx, marked, clock.wall() + offsetMs) }
    },
  )
  metrics.scores.inc({ because: 'mark' }, scored)
  return marked
}
