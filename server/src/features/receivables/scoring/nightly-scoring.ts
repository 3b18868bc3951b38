import { sql } from '../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import { advanceNight } from '../../platform/nights/nights.ts'
import { isOpenSql } from '../../recovery/case/invoice-facts.ts'
import { saveScores } from './save-scores.ts'
import type { ScoringContext } from './scoring-context.ts'
import { lockScores } from './store.ts'

const debtorsMax = 500

// Loose index scan over open invoices: jumps from debtor to debtor, however many invoices each has.
const findDebtors = sql(
  'scoring.list-next-debtors',
  `with recursive walk as (
     (select debtor_id, 1 as n from invoices i where ${isOpenSql('i')} and debtor_id > $1 order by debtor_id limit 1)
     union all
     select (select i.debtor_id from invoices i where ${isOpenSql('i')} and i.debtor_id > walk.debtor_id order by i.debtor_id limit 1), walk.n + 1
       from walk where walk.debtor_id is not null and walk.n < ${debtorsMax})
   select debtor_id from walk where debtor_id is not null`,
).as<{ debtor_id: string }>()

/**
 * Scores the next debtors of a tenant with open invoices, after the given one. The progress is written with the scores: after a
 * crash the next worker continues there. Returns whether there is more, or that another worker has continued.
 */
export async function scoreNightBatch(
  { pool, clock, metrics }: Pick<ScoringContext, 'pool' | 'clock' | 'metrics'>,
  tenantId: string,
  after: string,
): Promise<'more' | 'done' | 'lost'> {
  return transact(pool, asWorker(tenantId), [[lockScores, []]], async ({ tx, offsetMs }) => {
    const wall = clock.wall()
    const debtors = (await tx.rows(findDebtors, [after])).map(row => row.debtor_id)
    const last = debtors.length < debtorsMax ? null : debtors.at(-1)!
    const isOurs = await advanceNight(tx, tenantId, { after, last, scored: debtors.length, wall })
    if (!isOurs) return 'lost'
    metrics.scores.inc({ because: 'night' }, await saveScores(tx, debtors, wall + offsetMs))
    return last === null ? 'done' : 'more'
  })
}
