import { type Statement, sql } from '../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import { keepScores, lockScores } from './keep-scores.ts'
import type { Scorer } from './scorer.ts'

const tenantsMost = 50
const debtorsMost = 200

// From tenant to tenant, however many marks each has.
const findTenants = sql(
  'scoring.list-marked-tenants',
  `with recursive walk as (
     (select tenant_id from score_marks order by tenant_id limit 1)
     union all
     select (select m.tenant_id from score_marks m where m.tenant_id > walk.tenant_id order by m.tenant_id limit 1)
       from walk where walk.tenant_id is not null)
   select tenant_id from walk where tenant_id is not null limit ${tenantsMost}`,
).as<{ tenant_id: string }>()
// From debtor to debtor, and all the marks of each at once, however often it was marked.
const takeMarks = sql(
  'scoring.take-marks',
  `with recursive walk as (
     (select debtor_id, 1 as n from score_marks where tenant_id = $1 order by debtor_id limit 1)
     union all
     select (select m.debtor_id from score_marks m where m.tenant_id = $1 and m.debtor_id > walk.debtor_id order by m.debtor_id limit 1),
            walk.n + 1
       from walk where walk.debtor_id is not null and walk.n < ${debtorsMost}),
   taken as (
     delete from score_marks where tenant_id = $1 and debtor_id = any (array(select debtor_id from walk where debtor_id is not null))
     returning debtor_id)
   select distinct debtor_id from taken`,
)

/**
 * Works out again what was marked, a batch of each tenant that has marks; true when one was full. While a debtor is busy the
 * marks of some moments are one piece of work. A mark goes in the transaction that writes what came of it: nobody ever sees a
 * debtor that is neither marked nor up to date.
 */
export async function drainMarks(scorer: Scorer): Promise<boolean> {
  const { pool, log } = scorer
  const { name, text } = findTenants as Statement<unknown>
  const tenants = (await pool.query<{ tenant_id: string }>({ name, text })).rows
  let isMore = tenants.length === tenantsMost
  for (const { tenant_id } of tenants)
    try {
      if ((await drainTenant(scorer, tenant_id)) === debtorsMost) isMore = true
    } catch (error) {
      // One tenant's trouble, a sandbox whose clock is being moved for one, is not the others'.
      log.warn({ err: error, tenantId: tenant_id }, 'scores postponed')
    }
  return isMore
}

async function drainTenant({ pool, clock, metrics }: Scorer, tenantId: string): Promise<number> {
  const { marked, scored } = await transact(
    pool,
    asWorker(tenantId),
    [[lockScores, []]],
    async ({ tx, offsetMs }) => {
      const marked = (await tx.rows(takeMarks, [tenantId])).map(row => row.debtor_id)
      return { marked: marked.length, scored: await keepScores(tx, marked, clock.wall() + offsetMs) }
    },
  )
  metrics.scores.inc({ because: 'mark' }, scored)
  return marked
}
