import { adHoc } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type Conditions, conditions } from '../../../kit/list.ts'
import { containsPattern, searchKey } from '../../../kit/search-text.ts'
import type { InvoiceFilter } from './filter-schema.ts'
import { addFound, addProbes, portfolioFilterOf } from './portfolio-filter.ts'
import { containsText } from './search-invoices.ts'

/** The conditions on the invoice itself, except its search. */
export function addConditions(filter: Conditions, given: InvoiceFilter): Conditions {
  addKeys(filter, given)
  if (given.fromDate) filter.add(`i.issue_date >= ${filter.bind(given.fromDate)}`)
  if (given.toDate) filter.add(`i.issue_date <= ${filter.bind(given.toDate)}`)
  if (given.minAmount !== undefined) filter.add(`i.amount_cents >= ${filter.bind(given.minAmount)}`)
  if (given.maxAmount !== undefined) filter.add(`i.amount_cents <= ${filter.bind(given.maxAmount)}`)
  return filter
}

/** The conditions that have an index in the order of ids. */
function addKeys(filter: Conditions, { status, debtorId }: InvoiceFilter): void {
  if (status) filter.add(`i.status = ${filter.bind(status)}`)
  if (debtorId) filter.add(`i.debtor_id = ${filter.bind(debtorId)}`)
}

export interface WalkedInvoice {
  id: string
  debtor_id: string
}

/** The most invoices that one step of a walk reads, however few of them match. */
const scannedMax = 20_000

/**
 * One step of a walk over all invoices that match a filter, in the order of their ids, from `after` on and no further than
 * `upTo`: up to `count` of them, and where the next step begins, null at the end. Its cost does not grow with the table.
 */
export async function walkInvoices(
  tx: Tx,
  /** `at` is the moment that the days past the due date are counted from. */
  owner: { tenantId: string; companyId: string; at: number },
  given: InvoiceFilter,
  { after, upTo, count }: { after: string | null; upTo: string; count: number },
): Promise<{ invoices: WalkedInvoice[]; next: string | null }> {
  const keys = conditions()
  addKeys(keys, given)
  keys.add(`i.id <= ${keys.bind(upTo)}::uuid`)
  if (after !== null) keys.add(`i.id > ${keys.bind(after)}::uuid`)
  const { status: _status, debtorId: _debtorId, ...others } = given
  // Without other filters every row matches, so only `count` rows are read.
  const most = Object.values(others).some(value => value !== undefined) ? scannedMax : count
  const scanned = `select i.* from invoices i ${keys.where()} order by i.id limit ${most}`
  const matching = conditions(keys.values)
  addConditions(matching, others)
  const portfolio = await portfolioFilterOf(tx, owner, given, () => owner.at)
  if (portfolio) {
    addFound(matching, portfolio)
    addProbes(matching, portfolio, owner.tenantId)
  }
  if (given.search !== undefined)
    matching.add(containsText(matching, containsPattern(searchKey(given.search))))
  const rows = await tx.rows(
    adHoc<{ invoices: WalkedInvoice[]; scanned: number; last: string | null }>(
      `with scanned as materialized (${scanned}),
       found as (select i.id, i.debtor_id from scanned i ${matching.where()} order by i.id limit ${matching.bind(count)})
       select coalesce((select jsonb_agg(jsonb_build_object('id', id, 'debtor_id', debtor_id) order by id) from found), '[]') as invoices,
              (select count(*)::integer from scanned) as scanned,
              (select id from scanned order by id desc limit 1) as last`,
    ),
    keys.values,
  )
  const { invoices, scanned: looked, last } = rows[0]!
  if (invoices.length === count) return { invoices, next: invoices.at(-1)!.id }
  return { invoices, next: looked === most ? last : null }
}
