import { z } from 'zod'
import { isClosed } from '../../../domain/money/invoice-state.ts'
import type { Actor } from '../../../kit/actor.ts'
import { adHoc } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { day, sortNames } from '../../../kit/fields.ts'
import {
  type Conditions,
  cappedTotal,
  conditions,
  countUpTo,
  idShape,
  listQuery,
  pageOf,
  positionOf,
  type Total,
  writeCursor,
} from '../../../kit/list.ts'
import { operation } from '../../../kit/operation.ts'
import { totalOf, totalOfDays, totalOfDebtor } from '../../platform/counts/totals.ts'
import { recoveryScopeMissing } from './errors.ts'
import { type InvoiceFilter, invoiceFilterQuery } from './filter-schema.ts'
import { includeRecovery, recoveryFilterOf, refuseWithoutScope, withRecoveries } from './include-recovery.ts'
import { addConditions } from './invoice-filter.ts'
import { listByNextAction } from './list-by-next-action.ts'
import {
  addFound,
  addIdsByStanding,
  addProbes,
  countPortfolio,
  firstLookedUp,
  firstOfStandings,
  gatherOfDebtors,
  hasProbes,
  isAfter,
  isByStanding,
  isInOneIndex,
  isOfFewDebtors,
  type Order,
  orderingOf,
  type PortfolioFilter,
  portfolioFilterOf,
} from './portfolio-filter.ts'
import { Invoice, type InvoiceRow, toInvoice } from './schema.ts'
import {
  addSearch,
  countMatches,
  type InvoiceSearch,
  materialized,
  type SearchStrategy,
  searchInvoices,
  strategiesFor,
  strategySource,
} from './search-invoices.ts'
import { invoiceColumns, invoiceJoins } from './store.ts'

const sorts = ['created_at', 'due_date', 'amount_cents', 'status', 'balance', 'next_action_at'] as const

const ListQuery = z
  .strictObject({
    ...listQuery(20),
    ...invoiceFilterQuery,
    include: includeRecovery,
    sortBy: sortNames(sorts, 'created_at').meta({
      description:
        'Also in camel case. next_action_at needs the scope workflow:read too, as do standing, workflowStatus, step, nextFrom, nextTo and reasonCode',
    }),
    sortOrder: z
      .enum(['asc', 'desc'])
      .optional()
      .transform(value => value ?? 'desc')
      .meta({ default: 'desc' }),
  })
  .meta({ id: 'InvoiceListQuery' })

type Filters = z.output<typeof ListQuery>

const fewMax = 1_000

/** A cursor with an impossible date (31 February) is refused here, not by the database. */
const dayShape = { test: (value: string) => day.safeParse(value).success }
/** The index columns of each sort order. Ids begin with the time of creation, so they sort by creation. */
const sortIndexes = {
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
  balance: { columns: ['open_cents', 'id'], types: ['bigint', 'uuid'], shapes: [/^\d{1,13}$/, idShape] },
} as const

/** A parameter that reveals recovery data: a filter or an order reveals as much as a field. */
const recoveryParameterOf = (query: Filters): string | null => {
  if (query.include !== undefined) return 'include'
  return recoveryFilterOf(query) ?? (query.sortBy === 'next_action_at' ? 'sortBy=next_action_at' : null)
}

export const listInvoices = operation({
  id: 'invoices.list',
  method: 'GET',
  path: '/api/v1/invoices',
  summary: 'List invoices, filtered, searched and sorted',
  description:
    'Pages by `page` and `limit`, or, at any depth and always fast, by following the `cursor` of the `Link` header. `total` is exact without filters, for status, debtorId and issue dates, and for the standings of open invoices with due dates; otherwise it is counted up to 10,000 and then marked with `totalIsExact: false`. A search looks through the first 50,000 invoices of the order, and then gathers up to 100,000 that match; one or two letters are looked for among 200,000. `step`, `reasonCode` and `debtorType` are looked up for each of the first 5,000 invoices that pass the other filters, in the order of the list, and where more than 500 pass, the total counts those of the first 500. `sortBy=next_action_at` shows the invoices that run, in the order of the quarter hour of the next contact planned with their debtor; a filter that many invoices pass is looked up for those of the first 2,000 debtors.',
  scopes: ['invoices:read'],
  query: ListQuery,
  status: 200,
  reply: Invoice,
  list: true,
  errors: [recoveryScopeMissing],
  assistant: 'read',
  usesNow: 'after-reading',
  async run(call) {
    const { tx, actor, query } = call
    refuseWithoutScope(actor, recoveryParameterOf(query))
    const { sortBy } = query
    const portfolio = await portfolioFilterOf(tx, actor, query, () => call.now)
    const allFilters = () => allFiltersOf(query, portfolio, actor.tenantId)
    const fewFilters = () => {
      if (!portfolio || !hasOnlySearch(query) || query.search !== undefined || !isByStanding(portfolio))
        return allFilters()
      const few = conditions()
      addIdsByStanding(few, portfolio)
      return few
    }
    const search = query.search === undefined ? null : await searchInvoices(tx, actor.tenantId, query.search)
    const strategies =
      search && (await strategiesFor(tx, search, hasOnlySearch(query) && !portfolio ? null : allFilters()))
    const count = () => totalFor(tx, query, search, strategies, portfolio, actor.tenantId)
    if (sortBy === 'next_action_at') {
      const total = await count()
      const filter = isFew(total) ? fewFilters() : allFilters()
      if (search) addSearch(filter, search)
      const slots = portfolio?.slots ?? { from: null, to: null }
      const page = await listByNextAction(tx, query, {
        tenantId: actor.tenantId,
        slots,
        filter,
        total,
        isFew: isFew(total),
      })
      return { ...page, items: await withRecoveries(call, query.include, page.items) }
    }
    const { columns, types, shapes } = sortIndexes[sortBy]
    const position = positionOf(query, `${sortBy} ${query.sortOrder}`, shapes)
    const most = position.offset + position.limit + 1
    const scanned = scannedMax + 20 * position.offset
    // One index has the filters and the order, so the first rows can be read without the total.
    const isInOrder =
      !search &&
      hasOnlySearch(query) &&
      (portfolio === null || (isByStanding(portfolio) && isInOneIndex(portfolio, sortBy)))
    const orderOf = ({ bind }: Conditions): Order => ({
      columns,
      direction: query.sortOrder,
      after: position.after?.map((value, i) => `${bind(value)}::${types[i]}`) ?? null,
    })
    const isOfDebtors = portfolio !== null && isOfFewDebtors(portfolio) && hasOnlySearch(query) && !search
    const gathered =
      isOfDebtors && sortBy === 'created_at' ? await gatherOfDebtors(tx, portfolio, orderOf, most) : null
    const readPage = (total: Total | null, strategy: SearchStrategy | null) => {
      const ids = gathered?.total.isExact ? gathered.ids : null
      const isGathered = total !== null && !strategy && (isFew(total) || (isOfDebtors && total.isExact))
      const looksUp = portfolio !== null && hasProbes(portfolio) && !strategy && !isGathered
      const isInRecoveries = looksUp && hasOnlySearch(query) && isInOneIndex(portfolio, sortBy)
      const page =
        ids || isInOrder || isInRecoveries
          ? conditions()
          : looksUp
            ? foundFiltersOf(query, portfolio)
            : isGathered
              ? fewFilters()
              : allFilters()
      const order = orderOf(ids ? conditions() : page)
      const ordering = orderingOf(order, 'i')
      // Gathered rows are few. The start of the page is applied after that, so that the planner does not choose another index.
      const begin = portfolio && isGathered ? conditions(page.values) : page
      if (!(isInOrder && portfolio)) begin.add(isAfter(order, 'i'))
      // A few rows are selected by their filter and then sorted; of many, the first are found by scanning in order. The
      // planner can only guess which is cheaper; we know the total.
      const source =
        isInOrder && portfolio
          ? `(${firstOfStandings(page, portfolio, order, most)})`
          : search && strategy
            ? strategySource(strategy, search, page, ordering, position.offset)
            : ids
              ? `(select * from invoices i where i.id = any (${page.bind(ids)}::uuid[]))`
              : isGathered
                ? begin === page
                  ? materialized(page)
                  : `(select * from ${materialized(page)} i ${begin.where()})`
                : isInRecoveries
                  ? `(${firstLookedUp(page, portfolio, order, { most, scanned, tenantId: actor.tenantId })})`
                  : looksUp
                    ? lookedUp(page, portfolio, actor.tenantId, ordering, scanned)
                    : `(select * from invoices i ${page.where()})`
      return tx.rows(
        adHoc<InvoiceRow>(
          `select ${invoiceColumns}
             from (select * from ${source} i order by ${ordering}
                    limit ${page.bind(position.limit + 1)} offset ${page.bind(position.offset)}) i
             ${invoiceJoins}
            order by ${ordering}`,
        ),
        page.values,
      )
    }
    const readAfter = async (total: Total) => {
      // If counting needed every strategy, the page needs the last one too.
      const remaining = strategies && total.isExact ? strategies.slice(-1) : strategies
      const read = (strategy: SearchStrategy | null) => readPage(total, strategy)
      return firstSufficient(remaining ?? [null], read, found => found.length > position.limit)
    }
    const counted = gathered ? Promise.resolve(gathered.total) : count()
    const [total, rows] = await Promise.all([
      counted,
      isInOrder ? readPage(null, null) : counted.then(readAfter),
    ])
    const page = pageOf(position, rows, total, toInvoice, (row, nextPage) =>
      writeCursor(
        position.order,
        nextPage,
        columns.map(column => (column === 'id' ? row.id : (row[column] as string | number))),
      ),
    )
    return { ...page, items: await withRecoveries(call, query.include, page.items) }
  },
})

const isFew = ({ total, isExact }: Total) => isExact && total <= fewMax

const scannedMax = 5_000

/** The first rows of the order that pass the indexed filters; the other filters are checked for each of them. */
function lookedUp(
  page: Conditions,
  portfolio: PortfolioFilter,
  tenantId: string,
  ordering: string,
  scanned: number,
): string {
  const probes = conditions(page.values)
  const walked = `select * from invoices i ${page.where()} order by ${ordering} limit ${page.bind(scanned)}`
  addProbes(probes, portfolio, tenantId)
  return `(select * from (${walked}) i ${probes.where()})`
}

/** The filters that an index supports. */
function foundFiltersOf(
  query: InvoiceFilter & Partial<Pick<Filters, 'sortBy'>>,
  portfolio: PortfolioFilter,
): Conditions {
  const filter = filtersOf(query)
  addFound(filter, portfolio)
  return filter
}

/** All filters except the search. */
function allFiltersOf(
  query: InvoiceFilter & Partial<Pick<Filters, 'sortBy'>>,
  portfolio: PortfolioFilter | null,
  tenantId: string,
): Conditions {
  if (!portfolio) return filtersOf(query)
  const filter = foundFiltersOf(query, portfolio)
  addProbes(filter, portfolio, tenantId)
  return filter
}

function filtersOf(query: InvoiceFilter & Partial<Pick<Filters, 'sortBy'>>) {
  const filter = addConditions(conditions(), query)
  // A closed invoice has no open balance: a scan by balance may start there.
  if (query.status && isClosed(query.status) && query.sortBy === 'balance') filter.add('i.open_cents = 0')
  // No invoice is due before it is issued: a scan by due date may start there.
  if (query.fromDate && query.sortBy === 'due_date')
    filter.add(`i.due_date >= ${filter.bind(query.fromDate)}`)
  return filter
}

const hasOnlySearch = ({ status, debtorId, fromDate, toDate, minAmount, maxAmount }: InvoiceFilter) =>
  [status, debtorId, fromDate, toDate, minAmount, maxAmount].every(value => value === undefined)

/** How many invoices match a filter. `tenantTime` is called after the first read. */
export async function countInvoices(
  tx: Tx,
  owner: Pick<Actor, 'tenantId' | 'companyId'>,
  filter: InvoiceFilter,
  tenantTime: () => number,
): Promise<Total> {
  const { tenantId } = owner
  const portfolio = await portfolioFilterOf(tx, owner, filter, tenantTime)
  const search = filter.search === undefined ? null : await searchInvoices(tx, tenantId, filter.search)
  const others = hasOnlySearch(filter) && !portfolio ? null : allFiltersOf(filter, portfolio, tenantId)
  const strategies = search && (await strategiesFor(tx, search, others))
  return totalFor(tx, filter, search, strategies, portfolio, tenantId)
}

/** Tries one strategy after the other until a result is sufficient; the last one always is. */
async function firstSufficient<W, T>(
  strategies: readonly W[],
  runStrategy: (strategy: W) => Promise<T>,
  isSufficient: (result: T) => boolean,
): Promise<T> {
  const [strategy, ...others] = strategies
  const result = await runStrategy(strategy!)
  return others.length === 0 || isSufficient(result)
    ? result
    : firstSufficient(others, runStrategy, isSufficient)
}

/** The stored total where there is one; otherwise it is counted, up to a limit. */
async function totalFor(
  tx: Tx,
  query: InvoiceFilter,
  search: InvoiceSearch | null,
  strategies: readonly SearchStrategy[] | null,
  portfolio: PortfolioFilter | null,
  tenantId: string,
): Promise<Total> {
  const { status = null, debtorId, fromDate = null, toDate = null, minAmount, maxAmount } = query
  const isDated = fromDate !== null || toDate !== null
  if (search && strategies) {
    if (hasOnlySearch(query) && !portfolio) return cappedTotal(search.n)
    return firstSufficient(
      strategies,
      strategy => countMatches(tx, strategy, search, allFiltersOf(query, portfolio, tenantId)),
      total => !total.isExact,
    )
  }
  if (portfolio) return countPortfolio(tx, filtersOf(query), portfolio, tenantId)
  if (minAmount === undefined && maxAmount === undefined) {
    if (!debtorId)
      return isDated ? totalOfDays(tx, 'invoice', status, fromDate, toDate) : totalOf(tx, 'invoice', status)
    if (!status && !isDated) return totalOfDebtor(tx, debtorId)
  }
  const filter = filtersOf(query)
  // The order only guides the planner: where nearly all rows pass, it would scan the table from its start, which may hold
  // another tenant's rows. With a status or dates and an amount, it must choose the more selective index itself.
  const order = debtorId ? 'order by i.id' : status || isDated ? '' : 'order by i.amount_cents'
  return countUpTo(tx, `invoices i ${filter.where()} ${order}`, filter.values)
}
