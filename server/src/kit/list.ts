import { createHash } from 'node:crypto'
import { z } from 'zod'
import { adHoc } from './db/statement.ts'
import type { Tx, Value } from './db/transaction.ts'
import { ApiError } from './errors.ts'
import { integerText } from './fields.ts'
import type { Warning } from './operation.ts'
import type { Page } from './page.ts'

/** `page` and `limit`, or `cursor` and `limit`. */
export const listQuery = (defaultLimit: number) => ({
  page: integerText(1, 50_000_000, 1),
  limit: integerText(1, 100, defaultLimit),
  cursor: z
    .string()
    .max(300)
    .optional()
    .meta({ description: '`pagination.nextCursor` of the page before; also in its Link header' }),
})

/** The format of an id inside a cursor. */
export const idShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The format of a moment inside a cursor, in epoch milliseconds. */
export const momentShape = /^\d{1,15}$/

/** The start of a list by moment and id with the newest first: after everything that can be stored. */
export const newestMoment: readonly [at: number, id: string] = [
  Date.parse('9999-12-31T00:00:00Z'),
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
]

const offsetMax = 1_000_000

export interface ListPosition {
  page: number
  limit: number
  offset: number
  /** The order and the filters, as the cursors of this list name them. */
  order: string
  /** The sort values of the last row seen, when a cursor was given. */
  after: readonly (string | number)[] | null
}

/** Parameters that choose no other rows and no other order, or that the order names already. */
const apartFromFilters = new Set([
  'page',
  'limit',
  'cursor',
  'include',
  'lang',
  'language',
  'sortBy',
  'sortOrder',
])

/** The order of a list with a mark of its filters: a cursor goes on with the list it came from, and with no other. */
export function cursorOrder(query: object, order: string): string {
  const filters = Object.entries(query)
    .filter(([name, value]) => value !== undefined && !apartFromFilters.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  if (filters.length === 0) return order
  return `${order} ${createHash('sha256').update(JSON.stringify(filters)).digest('base64url').slice(0, 12)}`
}

/** The name of the upper end of a range, by that of the lower one. */
const upperEnds: [RegExp, string][] = [
  [/^from([A-Z].*)$/, 'to$1'],
  [/^(.+)From$/, '$1To'],
  [/^min([A-Z].*)$/, 'max$1'],
  [/^(.+)Min$/, '$1Max'],
]

/** A moment may be written in any zone. */
const comparable = (value: unknown) =>
  typeof value === 'string' && value.includes('T') ? Date.parse(value) : (value as string | number)

/** Nothing can match a range whose ends are the wrong way round: most often a mistake, and the empty answer does not show it. */
export function rangeWarnings(filters: object): Warning[] {
  const given = new Map(Object.entries(filters).filter(([, value]) => value !== undefined))
  return [...given].flatMap(([name, from]) => {
    const [pattern, upper] = upperEnds.find(([lower]) => lower.test(name)) ?? []
    const upperName = pattern && name.replace(pattern, upper!)
    if (upperName === undefined || !given.has(upperName)) return []
    if (comparable(from) <= comparable(given.get(upperName))) return []
    return [{ code: 'empty_range', message: `${name} is above ${upperName}, so nothing can match.` }]
  })
}

/** A cursor holds the sort order, the number of the next page and the sort values of the last row. It is opaque, not secret. */
export const writeCursor = (order: string, page: number, after: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify([order, page, ...after])).toString('base64url')

const invalidParameter = (field: string, message: string) =>
  new ApiError('VAL_002', `${field} ${message}.`, { details: [{ field, code: 'invalid', message }] })

/** `shapes` are the formats of the values in a cursor, one per sort column and last the id. */
export function positionOf(
  query: { page: number; limit: number; cursor?: string | undefined },
  unfiltered: string,
  shapes: readonly Pick<RegExp, 'test'>[],
): ListPosition {
  const { page, limit, cursor } = query
  const order = cursorOrder(query, unfiltered)
  if (cursor === undefined) {
    const offset = (page - 1) * limit
    if (offset >= offsetMax)
      throw invalidParameter(
        'page',
        'starts beyond row 1,000,000; follow cursor instead, from pagination.nextCursor or the Link header',
      )
    return { page, limit, offset, order, after: null }
  }
  if (page !== 1) throw invalidParameter('cursor', 'and page cannot be combined')
  const [forOrder, number, ...after] = readCursor(cursor)
  const isWhole =
    after.length === shapes.length &&
    shapes.every((shape, i) => isPlain(after[i]) && shape.test(String(after[i])))
  if (forOrder !== order || !Number.isSafeInteger(number) || (number as number) < 1 || !isWhole)
    throw invalidParameter(
      'cursor',
      'does not belong to this list, its filters and its order; send the same ones, or start again without it',
    )
  return { page: number as number, limit, offset: 0, order, after: after as (string | number)[] }
}

/** A list or an object may have any text form, or none. */
const isPlain = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

function readCursor(cursor: string): unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(read) ? read : []
  } catch {
    return []
  }
}

export interface Total {
  total: number
  isExact: boolean
}

/** The page from one row more than it shows: the extra row proves that there is a next page, so no total is needed. */
export function pageOf<Row, Item>(
  position: ListPosition,
  rows: readonly Row[],
  { total, isExact }: Total,
  toItem: (row: Row) => Item,
  cursorOf: (row: Row, nextPage: number) => string,
): Page<Item> {
  const shown = rows.slice(0, position.limit)
  const hasNext = rows.length > position.limit
  return {
    items: shown.map(toItem),
    nextCursor: hasNext ? cursorOf(shown.at(-1)!, position.page + 1) : null,
    pagination: {
      page: position.page,
      limit: position.limit,
      total,
      totalPages: Math.ceil(total / position.limit),
      hasNext,
      hasPrev: position.page > 1,
      ...(!isExact && { totalIsExact: false as const }),
    },
  }
}

/** A builder for a WHERE clause: conditions and their numbered values. Parts of one statement share their values. */
export function conditions(sharedValues?: Value[]) {
  const texts: string[] = []
  const values: Value[] = sharedValues ?? []
  const bind = (value: Value) => `$${values.push(value)}`
  return {
    values,
    bind,
    add(text: string) {
      texts.push(text)
    },
    where: () => (texts.length > 0 ? `where ${texts.join(' and ')}` : ''),
    all: () => (texts.length > 0 ? texts.join(' and ') : 'true'),
  }
}

export const countedMax = 10_000

/** Conditions without an index are checked row by row; a count checks at most this many rows. */
export const probedMax = 500

/** The total of such a count: exact if all rows were checked, otherwise a lower bound. */
export const probedTotal = ({ n, looked }: { n: number; looked: number }): Total =>
  looked <= probedMax ? cappedTotal(n) : { total: n, isExact: false }

/** A total that is exact up to `countedMax`. */
export const cappedTotal = (counted: number): Total =>
  counted > countedMax ? { total: countedMax, isExact: false } : { total: counted, isExact: true }

/** Counts the rows of a source, up to `countedMax`. */
export async function countUpTo(tx: Tx, source: string, values: readonly Value[]): Promise<Total> {
  const [row] = await tx.rows(
    adHoc<{ n: number }>(
      `select count(*) as n from (select 1 from ${source} limit ${countedMax + 1}) counted`,
    ),
    values,
  )
  return cappedTotal(row!.n)
}

/** SQL: the ids that a statement finds, as one array; null if there are more than `most`. It needs a limit of `most` + 1. */
export const idsUpTo = (found: string, id: string, most: number): string =>
  `(select case when count(*) <= ${most} then coalesce(array_agg(${id}), '{}') end from (${found}) f)`

export type Conditions = ReturnType<typeof conditions>

const newestOrder = 'created_at desc'

/**
 * A list with the newest first. Ids start with the time of creation, so the primary key is the index that is used. `source` is
 * a table and its alias.
 */
export async function newestFirst<Row extends { id: string }, Item>(
  tx: Tx,
  query: { page: number; limit: number; cursor?: string | undefined },
  list: {
    columns: string
    source: string
    filter: () => Conditions
    total: () => Total | Promise<Total>
    toItem: (row: Row) => Item
  },
): Promise<Page<Item>> {
  const position = positionOf(query, newestOrder, [idShape])
  const filter = list.filter()
  const id = `${list.source.split(' ').at(-1)}.id`
  if (position.after) filter.add(`${id} < ${filter.bind(position.after[0]!)}::uuid`)
  const [rows, total] = await Promise.all([
    tx.rows(
      adHoc<Row>(
        `select ${list.columns} from ${list.source} ${filter.where()} order by ${id} desc
          limit ${filter.bind(position.limit + 1)} offset ${filter.bind(position.offset)}`,
      ),
      filter.values,
    ),
    list.total(),
  ])
  return pageOf(position, rows, total, list.toItem, (row, nextPage) =>
    writeCursor(position.order, nextPage, [row.id]),
  )
}
