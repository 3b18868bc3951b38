import { sql } from '../../../../kit/db/statement.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'
import { closedStatuses } from './erase-obstacles.ts'

const countBlocked = sql(
  'erase.count-blocked',
  'select n, first_end, last_end from count_blocked($1, array[$2]::uuid[])',
).as<{ n: number; first_end: string | null; last_end: string | null }>()
const countToBlock = sql(
  'erase.count-to-block',
  `select count(*)::integer as n, min(kept.until) as first_end, max(kept.until) as last_end
     from invoices i
     join tenants t on t.id = i.tenant_id and t.environment = 'production'
    cross join lateral (select accounting_end(i.tenant_id, i.id) as until offset 0) kept
    where i.debtor_id = $1 and i.status in ${closedStatuses} and kept.until >= $2`,
).as<{ n: number; first_end: string | null; last_end: string | null }>()
const countOptOuts = sql(
  'erase.count-opt-outs',
  `select count(*)::integer as n from closed_points
    where point = (contact_points(current_setting('relance.tenant')::uuid, $1, '', null))[1] and because <> 'erased'`,
)
const findOtherRecords = sql(
  'erase.find-other-records',
  `select o.id from debtors d join debtors o on o.email_key = d.email_key and o.id <> d.id where d.id = $1 order by o.id limit 20`,
)

interface Kept {
  what: 'invoices' | 'opt_outs'
  count: number
  firstEnd: string | null
  lastEnd: string | null
  because: string
}

const accountingLaw =
  'Accounting records are kept for ten years (art. L123-22 C. com.; art. 17(3)(b) GDPR). They are blocked: no operation reads them, and each is deleted after its end.'
const optOutStays =
  'A digest of the address stays, so that nothing is sent there again (art. 21(3) GDPR). It names nobody.'

/** What is kept of a person, why and until when; in a dry run, what would be kept. */
export async function keptOf(
  tx: Tx,
  tenantId: string,
  debtorId: string,
  wouldAt: string | null,
): Promise<{ kept: Kept[] }> {
  const [[blocked], [optOuts]] = await Promise.all([
    wouldAt === null
      ? tx.rows(countBlocked, [tenantId, debtorId])
      : tx.rows(countToBlock, [debtorId, wouldAt]),
    tx.rows(countOptOuts, [debtorId]),
  ])
  const { n, first_end: firstEnd, last_end: lastEnd } = blocked!
  return {
    kept: [
      ...(n === 0
        ? []
        : [{ what: 'invoices' as const, count: n, firstEnd, lastEnd, because: accountingLaw }]),
      ...(optOuts!.n === 0
        ? []
        : [
            {
              what: 'opt_outs' as const,
              count: optOuts!.n!,
              firstEnd: null,
              lastEnd: null,
              because: optOutStays,
            },
          ]),
    ],
  }
}

/** Other records with the same email: they are not erased with this one. */
export const otherRecordsOf = async (tx: Tx, debtorId: string): Promise<string[]> =>
  (await tx.rows(findOtherRecords, [debtorId])).map(({ id }) => id)
