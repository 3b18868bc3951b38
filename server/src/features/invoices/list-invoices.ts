import { z } from 'zod'
import { invoiceStatuses } from '../../domain/invoice-state.ts'
import { adHoc } from '../../kit/db/statement.ts'
import type { Tx } from '../../kit/db/transaction.ts'
import { day, line, uuid } from '../../kit/fields.ts'
import {
  cappedTotal,
  conditions,
  countedMost,
  idShape,
  listQuery,
  type Position,
  pageOf,
  positionOf,
  type Total,
  writeCursor,
} from '../../kit/list.ts'
import { operation } from '../../kit/operation.ts'
import { contains, grams, searchKey } from '../../kit/search-text.ts'
import { totalOf, totalOfDays, totalOfDebtor } from '../counting/totals.ts'
import { Invoice, type InvoiceRow, toInvoice } from './invoice.ts'
import { invoiceColumns, invoiceJoins } from './store.ts'

const centsText = z
  .string()
  .regex(/^\d{1,13}$/, 'must be a whole number of cents')
  .transform(Number)
  .optional()
  .meta({ type: 'integer' })

const sorts = ['created_at', 'due_date', 'amount_cents', 'status'] as const

const ListQuery = z
  .strictObject({
    ...listQuery(20),
    status: z.enum(invoiceStatuses).optional(),
    debtorId: uuid.optional(),
    fromDate: day.optional().meta({ description: 'Issue date from, inclusive' }),
    toDate: day.optional().meta({ description: 'Issue date to, inclusive' }),
    minAmount: centsText,
    maxAmount: centsText,
    search: line(100).optional().meta({ description: "Part of the number or of the debtor's name" }),
    sortBy: z
      .enum(sorts)
      .optional()
      .transform(value => value ?? 'created_at')
      .meta({ default: 'created_at' }),
    sortOrder: z
      .enum(['asc', 'desc'])
      .optional()
      .transform(value => value ?? 'desc')
      .meta({ default: 'desc' }),
  })
  .meta({ id: 'InvoiceListQuery' })

type Filters = z.output<typeof ListQuery>

const fewMost = 1_000

/** A date of the right shape that never was would be refused by the database, and in its words. */
const dayShape = { test: (value: string) => day.safeParse(value).success }
/** How each sort walks its index. Ids are of the moment of creation, so they are the order of creation. */
const walks = {
  created_at: { columns: ['id'], types: ['uuid'], shapes: [idShape] },
  due_date: {
    columns: ['due_date', 'id'],
    types: ['date', 'uuid'],
    shapes: [dayShape, idShape],
  },
  amount_cents: {
    columns: ['amount_cents', 'id'],
    types: ['bigint', 'uuid'],
    shapes: [/^\d{1,13}$/, idShape],
  },
  status: { columns: ['status', 'id'], types: ['text', 'uuid'], shapes: [/^[a-z_]{1,20}$/, idShape] },
} as const

export const listInvoices = operation({
  id: 'invoices.list',
  method: 'GET',
  path: '/api/v1/invoices',
  summary: 'List invoices, filtered, searched and sorted',
  description:
    'Pages by `page` and `limit`, or, at any depth and always fast, by following the `cursor` of the `Link` header. `total` is exact without filters and for status, debtorId and issue dates; otherwise it is counted up to 10,000 and then marked with `totalIsExact: false`. A search finds at most 10,000 invoices.',
  scopes: ['invoices:read'],
  query: ListQuery,
  status: 200,
  reply: Invoice,
  list: true,
  errors: [],
  assistant: 'read',
  async run({ tx, actor, query }) {
    const order = `${query.sortBy} ${query.sortOrder}`
    const walk = walks[query.sortBy]
    const position = positionOf(query, order, walk.shapes)
    const searched =
      query.search === undefined
        ? null
        : await searchIds(tx, actor.tenantId, query.search, order, isSearchAlone(query) ? position : null)
    const found = searched?.ids ?? null
    const total = searched?.total ?? (await totalFor(tx, query, filtersOf(query, found)))
    const page = filtersOf(query, found)
    if (position.after) {
      const marks = position.after.map((value, i) => `${page.bind(value)}::${walk.types[i]}`)
      page.add(
        `(${walk.columns.map(column => `i.${column}`).join(', ')}) ${query.sortOrder === 'asc' ? '>' : '<'} (${marks.join(', ')})`,
      )
    }
    const ordering = walk.columns.map(column => `i.${column} ${query.sortOrder}`).join(', ')
    // Few are gathered by what filters them and then sorted; of many, the first are met on a walk in order. The planner only
    // guesses which is which; the total knows.
    const source =
      searched?.total || (total.isExact && total.total <= fewMost)
        ? `(with few as materialized (select * from invoices i ${page.where()}) select * from few)`
        : `(select * from invoices i ${page.where()})`
    const rows = await tx.rows(
      adHoc<InvoiceRow>(
        `select ${invoiceColumns}
           from (select * from ${source} i order by ${ordering}
                  limit ${page.bind(position.limit + 1)} offset ${page.bind(searched?.total ? 0 : position.offset)}) i
           ${invoiceJoins}
          order by ${ordering}`,
      ),
      page.values,
    )
    return pageOf(position, rows, total, toInvoice, (row, nextPage) =>
      writeCursor(
        order,
        nextPage,
        walk.columns.map(column => (column === 'id' ? row.id : (row[column] as string | number))),
      ),
    )
  },
})

function filtersOf(query: Filters, found: readonly string[] | null) {
  const filter = conditions()
  if (found) filter.add(`i.id = any (${filter.bind(found)}::uuid[])`)
  if (query.status) filter.add(`i.status = ${filter.bind(query.status)}`)
  if (query.debtorId) filter.add(`i.debtor_id = ${filter.bind(query.debtorId)}`)
  if (query.fromDate) filter.add(`i.issue_date >= ${filter.bind(query.fromDate)}`)
  // Nothing is due before it is issued: a walk by due date may start there.
  if (query.fromDate && query.sortBy === 'due_date')
    filter.add(`i.due_date >= ${filter.bind(query.fromDate)}`)
  if (query.toDate) filter.add(`i.issue_date <= ${filter.bind(query.toDate)}`)
  if (query.minAmount !== undefined) filter.add(`i.amount_cents >= ${filter.bind(query.minAmount)}`)
  if (query.maxAmount !== undefined) filter.add(`i.amount_cents <= ${filter.bind(query.maxAmount)}`)
  return filter
}

// The ids stay in the database but for the ones wanted: ten thousand of them would cost more to carry than to find.
const search = adHoc<{ ids: string[] | null; n: number }>(
  `select array_agg(id::text) filter (where place > $5 and place <= $6) as ids, count(*) as n
     from (select id, row_number() over () as place from search_invoices($1, $2, $3, $4) as id) found`,
)

const isSearchAlone = ({ status, debtorId, fromDate, toDate, minAmount, maxAmount, cursor }: Filters) =>
  [status, debtorId, fromDate, toDate, minAmount, maxAmount, cursor].every(value => value === undefined)

/** All that a search finds, to be filtered further; or, when nothing else filters, just the page that is asked for. */
async function searchIds(
  tx: Tx,
  tenantId: string,
  text: string,
  order: string,
  page: Position | null,
): Promise<{ ids: string[]; total: Total | null }> {
  const key = searchKey(text)
  const [from, to] = page ? [page.offset, page.offset + page.limit + 1] : [0, countedMost + 1]
  const [row] = await tx.rows(search, [grams(tenantId, key), contains(key), order, countedMost + 1, from, to])
  return { ids: row!.ids ?? [], total: page ? cappedTotal(row!.n) : null }
}

/** Kept where it is kept; counted, up to a point, where it is not. */
async function totalFor(tx: Tx, query: Filters, filter: ReturnType<typeof conditions>): Promise<Total> {
  const { status = null, debtorId, fromDate = null, toDate = null, minAmount, maxAmount } = query
  const isCounted = query.search === undefined && minAmount === undefined && maxAmount === undefined
  if (isCounted && !debtorId) {
    if (fromDate === null && toDate === null) return totalOf(tx, 'invoice', status)
    return totalOfDays(tx, 'invoice', status, fromDate, toDate)
  }
  if (isCounted && debtorId && !status && fromDate === null && toDate === null)
    return totalOfDebtor(tx, debtorId)
  const [row] = await tx.rows(
    adHoc<{ n: number }>(
      `select count(*) as n from (select 1 from invoices i ${filter.where()} limit ${countedMost + 1}) counted`,
    ),
    filter.values,
  )
  return cappedTotal(row!.n)
}
