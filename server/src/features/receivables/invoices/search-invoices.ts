import { adHoc } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type Conditions, cappedTotal, countedMost, countUpTo, type Total } from '../../../kit/list.ts'
import { contains, grams, searchKey } from '../../../kit/search-text.ts'

/** What a text means: the ids of all that contain it where they are few, and null where they are more than anybody counts. */
export interface Search {
  ids: readonly string[] | null
  n: number
  pieces: readonly number[]
  like: string
}

/**
 * The ways to what a search finds, the first that yields enough:
 * `ids`: they are known. `test`: few pass the other filters, so each of them is looked at. `walk`: many match, so the first of
 * them are met soon in any order. `pieces`: those that were not, because all of them lie far down.
 */
export type Way = 'ids' | 'test' | 'walk' | 'pieces'

const walkedMost = 50_000
// Without pieces there is nothing to fall back on.
const walkedMostWithout = 200_000
const gatheredMost = 100_000

const search = adHoc<{ ids: string[] | null; n: number }>(
  'select ids::text[], n from search_invoices($1, $2, $3)',
)

export async function searchInvoices(tx: Tx, tenantId: string, text: string): Promise<Search> {
  const key = searchKey(text)
  const [pieces, like] = [grams(tenantId, key), contains(key)]
  const [row] = await tx.rows(search, [pieces, like, countedMost + 1])
  return { ...row!, pieces, like }
}

/** `others` are the other filters, or null where there are none. */
export async function waysOf(tx: Tx, { ids, pieces }: Search, others: Conditions | null): Promise<Way[]> {
  if (ids) return ['ids']
  if (others) {
    const beyond = await tx.rows(
      adHoc(`select from invoices i ${others.where()} limit 1 offset ${walkedMost}`),
      others.values,
    )
    if (beyond.length === 0) return ['test']
  }
  return pieces.length > 0 ? ['walk', 'pieces'] : ['walk']
}

/** The source of one way: the invoices that pass the filter and contain the text. A walk goes in `ordering`, past `offset`. */
export function sourceOf(
  way: Way,
  { ids, pieces, like }: Search,
  filter: Conditions,
  ordering: string | null,
  offset = 0,
): string {
  const contained = () => {
    const text = `${filter.bind(like)}::text`
    // A subquery and not a join: a walk must stay a walk, and a number that matches needs no debtor.
    return `(i.number_search like ${text} or (select split_part(d.search_text, E'\\n', 1) like ${text}
      from debtors d where d.tenant_id = i.tenant_id and d.id = i.debtor_id))`
  }
  if (way === 'walk') {
    const most = (pieces.length > 0 ? walkedMost : walkedMostWithout) + 20 * offset
    return `(select * from (select * from invoices i ${filter.where()} ${ordering ? `order by ${ordering}` : ''}
      limit ${filter.bind(most)}) i where ${contained()})`
  }
  if (way === 'ids') filter.add(`i.id = any (${filter.bind(ids)}::uuid[])`)
  if (way === 'test') filter.add(contained())
  if (way === 'pieces') filter.add(`i.id = any (array(${byPieces(pieces, like, filter)}))`)
  return gathered(filter)
}

const byPieces = (pieces: Search['pieces'], like: string, { bind }: Conditions) =>
  `select search_invoices_by_pieces(${bind(pieces)}, ${bind(like)}, ${bind(gatheredMost)})`

/** How many pass the filter and contain the text. */
export async function countFound(tx: Tx, way: Way, search: Search, filter: Conditions): Promise<Total> {
  if (way !== 'pieces') return countUpTo(tx, `${sourceOf(way, search, filter, null)} i`, filter.values)
  const pieces = byPieces(search.pieces, search.like, filter)
  filter.add('i.id = any (array(select id from found))')
  const [row] = await tx.rows(
    adHoc<{ n: number; gathered: number }>(
      `with found (id) as materialized (${pieces})
       select (select count(*) from (select 1 from invoices i ${filter.where()} limit ${countedMost + 1}) counted) as n,
              (select count(*) from found) as gathered`,
    ),
    filter.values,
  )
  const { n, gathered } = row!
  // Cut off, it is a count of some of them.
  return gathered < gatheredMost ? cappedTotal(n) : { total: Math.min(n, countedMost), isExact: false }
}

/** What passes, put together before it is sorted, where the planner would rather walk the order and hope. */
export const gathered = (filter: Conditions): string =>
  `(with few as materialized (select * from invoices i ${filter.where()}) select * from few)`
