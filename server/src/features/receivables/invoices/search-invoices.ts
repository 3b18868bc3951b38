import { adHoc } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type Conditions, cappedTotal, countedMax, countUpTo, type Total } from '../../../kit/list.ts'
import { containsPattern, searchKey, trigrams } from '../../../kit/search-text.ts'

/** The result of a text search: the ids of all matches if there are few, null if there are more than we count. */
export interface InvoiceSearch {
  ids: readonly string[] | null
  n: number
  pieces: readonly number[]
  like: string
}

/**
 * How to find the matches; the first strategy that finds enough is used.
 * `ids`: the ids are known. `test`: few rows pass the other filters, so each is tested. `walk`: many rows match, so scanning
 * in any order soon finds the first. `pieces`: by the index of text pieces, when a scan did not find enough.
 */
export type SearchStrategy = 'ids' | 'test' | 'walk' | 'pieces'

const scannedMax = 50_000
// A text too short for pieces can only be found by scanning.
const scannedWithoutPiecesMax = 200_000
const gatheredMax = 100_000

const searchStatement = adHoc<{ ids: string[] | null; n: number }>(
  'select ids::text[], n from search_invoices($1, $2, $3)',
)

export async function searchInvoices(tx: Tx, tenantId: string, text: string): Promise<InvoiceSearch> {
  const key = searchKey(text)
  const [pieces, like] = [trigrams(tenantId, key), containsPattern(key)]
  const [row] = await tx.rows(searchStatement, [pieces, like, countedMax + 1])
  return { ...row!, pieces, like }
}

/** `others` are the other filters, or null where there are none. */
export async function strategiesFor(
  tx: Tx,
  { ids, pieces }: InvoiceSearch,
  others: Conditions | null,
): Promise<SearchStrategy[]> {
  if (ids) return ['ids']
  if (others) {
    const rowsPastLimit = await tx.rows(
      adHoc(`select from invoices i ${others.where()} limit 1 offset ${scannedMax}`),
      others.values,
    )
    if (rowsPastLimit.length === 0) return ['test']
  }
  return pieces.length > 0 ? ['walk', 'pieces'] : ['walk']
}

export const containsText = (filter: Conditions, like: string): string => {
  const text = `${filter.bind(like)}::text`
  // A subquery and not a join: the scan must keep its order, and a matching number needs no debtor.
  return `(i.number_search like ${text} or (select split_part(d.search_text, E'\\n', 1) like ${text}
    from debtors d where d.tenant_id = i.tenant_id and d.id = i.debtor_id))`
}

/** The search as a condition: on the ids that were found, or on each row if many match. */
export function addSearch(filter: Conditions, { ids, like }: InvoiceSearch): void {
  filter.add(ids ? `i.id = any (${filter.bind(ids)}::uuid[])` : containsText(filter, like))
}

/** The SQL source of one strategy: invoices that pass the filter and contain the text. `offset` extends a scan. */
export function strategySource(
  strategy: SearchStrategy,
  { ids, pieces, like }: InvoiceSearch,
  filter: Conditions,
  ordering: string | null,
  offset = 0,
): string {
  if (strategy === 'walk') {
    const max = (pieces.length > 0 ? scannedMax : scannedWithoutPiecesMax) + 20 * offset
    return `(select * from (select * from invoices i ${filter.where()} ${ordering ? `order by ${ordering}` : ''}
      limit ${filter.bind(max)}) i where ${containsText(filter, like)})`
  }
  if (strategy === 'ids') filter.add(`i.id = any (${filter.bind(ids)}::uuid[])`)
  if (strategy === 'test') filter.add(containsText(filter, like))
  if (strategy === 'pieces') filter.add(`i.id = any (array(${idsByPieces(pieces, like, filter)}))`)
  return materialized(filter)
}

const idsByPieces = (pieces: InvoiceSearch['pieces'], like: string, { bind }: Conditions) =>
  `select search_invoices_by_grams(${bind(pieces)}, ${bind(like)}, ${bind(gatheredMax)})`

/** How many pass the filter and contain the text. */
export async function countMatches(
  tx: Tx,
  strategy: SearchStrategy,
  search: InvoiceSearch,
  filter: Conditions,
): Promise<Total> {
  if (strategy !== 'pieces')
    return countUpTo(tx, `${strategySource(strategy, search, filter, null)} i`, filter.values)
  const pieces = idsByPieces(search.pieces, search.like, filter)
  filter.add('i.id = any (array(select id from found))')
  const [row] = await tx.rows(
    adHoc<{ n: number; gathered: number }>(
      `with found (id) as materialized (${pieces})
       select (select count(*) from (select 1 from invoices i ${filter.where()} limit ${countedMax + 1}) counted) as n,
              (select count(*) from found) as gathered`,
    ),
    filter.values,
  )
  const { n, gathered } = row!
  // If the search was cut off, this counts only some of the matches.
  return gathered < gatheredMax ? cappedTotal(n) : { total: Math.min(n, countedMax), isExact: false }
}

/** Selects the rows before they are sorted; otherwise the planner may scan in sort order and read far too much. */
export const materialized = (filter: Conditions): string =>
  `(with few as materialized (select * from invoices i ${filter.where()}) select * from few)`
