import { z } from 'zod'
import { standings } from '../../../domain/recovery/standing.ts'
import { riskLevelOf, riskLevels, scoreMax } from '../../../domain/score/score.ts'
import { adHoc } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { ApiError } from '../../../kit/errors.ts'
import { centsText, line, oneOrMore } from '../../../kit/fields.ts'
import {
  type Conditions,
  cappedTotal,
  conditions,
  countedMax,
  countUpTo,
  idShape,
  listQuery,
  pageOf,
  positionOf,
  type Total,
  writeCursor,
} from '../../../kit/list.ts'
import { type Actor, operation } from '../../../kit/operation.ts'
import { containsPattern, searchKey, trigrams } from '../../../kit/search-text.ts'
import { findCompany } from '../../access/companies/company.ts'
import { totalOf } from '../../platform/counts/totals.ts'
import { Debtor, debtorColumns, type ShownDebtor, toDebtor } from './debtor.ts'
import { DebtorAccount, readAccounts } from './debtor-account.ts'

const ListedDebtor = Debtor.extend({
  account: DebtorAccount.optional().meta({ description: 'With `include=account`' }),
}).meta({ id: 'ListedDebtor' })

const sorts = ['created_at', 'name', 'balance', 'next_contact', 'score'] as const
type Sort = (typeof sorts)[number]

const ListQuery = z
  .strictObject({
    ...listQuery(20),
    search: line(100).optional().meta({ description: 'Part of the name, email or SIRET' }),
    sortBy: z
      .enum(sorts)
      .optional()
      .transform(value => value ?? 'created_at')
      .meta({ default: 'created_at' }),
    sortOrder: z
      .enum(['asc', 'desc'])
      .optional()
      .meta({ description: 'Without it: asc for name and next_contact, else desc' }),
    standing: oneOrMore(standings).meta({
      type: 'string',
      description: `With an invoice that stands so; one or more of ${standings.join(', ')}, with commas`,
    }),
    minBalance: centsText.meta({ description: "Cents open in the company's currency, at least" }),
    risk: z.enum(riskLevels).optional(),
    include: z
      .enum(['account'])
      .optional()
      .meta({ description: '`account`: what is open and what comes next' }),
  })
  .meta({ id: 'DebtorListQuery' })
type Query = z.output<typeof ListQuery>

/** Where each order is read: the index that has it, its columns, and what every row of it fulfils. */
const orders: Record<
  Sort,
  {
    from: string
    columns: readonly string[]
    types: readonly string[]
    shapes: readonly Pick<RegExp, 'test'>[]
    natural: 'asc' | 'desc'
  }
> = {
  created_at: { from: 'debtors d', columns: ['d.id'], types: ['uuid'], shapes: [idShape], natural: 'desc' },
  name: {
    from: 'debtors d',
    columns: ['d.name_key', 'd.id'],
    types: ['text', 'uuid'],
    shapes: [/^[^\0]{0,200}$/s, idShape],
    natural: 'asc',
  },
  balance: {
    from: 'count_debtor_open o join debtors d on d.tenant_id = o.tenant_id and d.id = o.debtor_id',
    columns: ['o.open_cents', 'o.debtor_id'],
    types: ['bigint', 'uuid'],
    shapes: [/^\d{1,19}$/, idShape],
    natural: 'desc',
  },
  next_contact: {
    from: 'agendas a join debtors d on d.tenant_id = a.tenant_id and d.id = a.debtor_id',
    columns: ['a.wake_slot', 'a.debtor_id'],
    types: ['integer', 'uuid'],
    shapes: [/^\d{1,9}$/, idShape],
    natural: 'asc',
  },
  score: {
    from: 'debtor_scores s join debtors d on d.tenant_id = s.tenant_id and d.id = s.debtor_id',
    columns: ['s.score', 's.debtor_id'],
    types: ['integer', 'uuid'],
    shapes: [/^\d{1,3}$/, idShape],
    natural: 'desc',
  },
}

interface ListContext {
  tx: Tx
  actor: Actor
  query: Query
  currency: string
  found: readonly string[] | null
}

const searchDebtors = adHoc<{ id: string }>('select search_debtors($1, $2, $3) as id')

export const listDebtors = operation({
  id: 'debtors.list',
  method: 'GET',
  path: '/api/v1/debtors',
  summary: 'List debtors, the newest first, or by what they owe and what comes next',
  description:
    "A search finds at most 10,000 debtors. By balance, only debtors with something open in the company's currency are listed, in an order that is at most some seconds old; by next_contact only those with a planned message, and by score only those that have one. Where a filter is passed by more than 1,000 debtors, the first 10,000 of the order are looked at. What shows or filters sums of invoices needs the scope invoices:read too.",
  scopes: ['debtors:read'],
  query: ListQuery,
  status: 200,
  reply: ListedDebtor,
  list: true,
  errors: [],
  assistant: 'read',
  usesNow: true,
  async run({ tx, actor, query, now, wall }) {
    const usesSums =
      query.sortBy === 'balance' ||
      [query.standing, query.minBalance, query.include].some(value => value !== undefined)
    if (usesSums && !actor.scopes.includes('invoices:read'))
      throw new ApiError('AUTH_004', 'This credential lacks the scope invoices:read.', {
        requiredScopes: ['debtors:read', 'invoices:read'],
      })
    const currency = usesSums ? (await findCompany(tx, actor.companyId)).currency : ''
    const found = query.search === undefined ? null : await searchFor(tx, actor, query.search)
    const page = await readPage({ tx, actor, query, currency, found })
    if (query.include === undefined) return page
    const accounts = await readAccounts(
      tx,
      { tenantId: actor.tenantId, currency, offsetMs: now - wall },
      page.items.map(debtor => debtor.id),
    )
    return { ...page, items: page.items.map(debtor => ({ ...debtor, account: accounts.get(debtor.id)! })) }
  },
})

async function searchFor(tx: Tx, actor: Actor, search: string): Promise<string[]> {
  const key = searchKey(search)
  const rows = await tx.rows(searchDebtors, [
    trigrams(actor.tenantId, key),
    containsPattern(key),
    countedMax + 1,
  ])
  return rows.map(row => row.id)
}

const fewMax = 1_000
const scannedMax = 10_000

async function readPage(context: ListContext) {
  const { tx, query } = context
  const { from, columns, types, shapes, natural } = orders[query.sortBy]
  const direction = query.sortOrder ?? natural
  const order = `${query.sortBy} ${direction}`
  const position = positionOf(query, order, shapes)
  const few = await findFew(context)
  const total = await countPage(context, few)
  const page = orderConditions(context)
  if (position.after) {
    const after = position.after.map((value, i) => `${page.bind(value)}::${types[i]}`)
    page.add(`(${columns.join(', ')}) ${direction === 'asc' ? '>' : '<'} (${after.join(', ')})`)
  }
  if (few) page.add(`d.id = any (${page.bind(few)}::uuid[])`)
  const ordering = columns.map((_, i) => `key${i} ${direction}`).join(', ')
  const keys = columns.map((column, i) => `${column} as key${i}`).join(', ')
  const inOrder = `select ${debtorColumns}, ${keys} from ${from} ${page.where()}`
  const probes = conditions(page.values)
  // Few debtors are gathered and then sorted; of many the first are found by reading in order.
  const source = few
    ? `(with few as materialized (${inOrder}) select * from few) d`
    : hasProbes(query)
      ? `(${inOrder} order by ${ordering} limit ${page.bind(scannedMax + 20 * position.offset)}) d`
      : `(${inOrder}) d`
  addProbes(probes, context)
  const rows = await tx.rows(
    adHoc<ShownDebtor & Record<`key${number}`, string | number>>(
      `select * from ${source} ${probes.where()} order by ${ordering}
        limit ${page.bind(position.limit + 1)} offset ${page.bind(position.offset)}`,
    ),
    page.values,
  )
  return pageOf(position, rows, total, toDebtor, (row, nextPage) =>
    writeCursor(
      order,
      nextPage,
      columns.map((_, i) => row[`key${i}`]!),
    ),
  )
}

/** What every row of the order fulfils. Agendas have no row-level policy: the tenant is said here. */
function orderConditions({ actor, query, currency, found }: ListContext): Conditions {
  const filter = conditions()
  if (query.sortBy === 'balance') {
    filter.add(`o.currency = ${filter.bind(currency)} and o.open_cents > 0`)
    if (query.minBalance !== undefined) filter.add(`o.open_cents >= ${filter.bind(query.minBalance)}`)
  }
  if (query.sortBy === 'next_contact')
    filter.add(`a.tenant_id = ${filter.bind(actor.tenantId)}::uuid and a.wake_channel is not null`)
  if (found) filter.add(`d.id = any (${filter.bind(found)}::uuid[])`)
  return filter
}

const hasProbes = ({ standing, minBalance, risk, sortBy }: Query): boolean =>
  standing !== undefined || risk !== undefined || (minBalance !== undefined && sortBy !== 'balance')

/** What is looked up for each debtor. */
function addProbes(probes: Conditions, { query, currency }: ListContext): void {
  const { standing, minBalance, risk, sortBy } = query
  if (standing)
    probes.add(
      `exists (select from invoices i where i.debtor_id = d.id and i.standing = any (${probes.bind(standing)}::text[]))`,
    )
  if (minBalance !== undefined && sortBy !== 'balance')
    probes.add(
      `exists (select from count_debtor_open f where f.debtor_id = d.id and f.currency = ${probes.bind(currency)}
                  and f.open_cents >= ${probes.bind(minBalance)})`,
    )
  if (risk) {
    const [least, most] = scoresOf(risk)
    probes.add(
      `exists (select from debtor_scores f where f.debtor_id = d.id and f.score between ${probes.bind(least)} and ${probes.bind(most)})`,
    )
  }
}

function scoresOf(risk: (typeof riskLevels)[number]): [number, number] {
  const scores = Array.from({ length: scoreMax + 1 }, (_, score) => score).filter(
    score => riskLevelOf(score) === risk,
  )
  return [scores[0]!, scores.at(-1)!]
}

/** The debtors that pass one of the filters, if there are few; null if there are many, or no filter. */
async function findFew({ tx, query, currency, found }: ListContext): Promise<string[] | null> {
  const { standing, minBalance, risk } = query
  if (found && found.length <= fewMax) return [...found]
  const [least, most] = risk ? scoresOf(risk) : [0, 0]
  const sources: [string, (string | number | readonly string[])[]][] = []
  // So many invoices are read for it; a debtor may have several.
  if (standing)
    sources.push([
      `select debtor_id from invoices where standing = any ($1::text[]) limit ${fewMax + 1}`,
      [standing],
    ])
  if (minBalance !== undefined)
    sources.push([
      `select debtor_id from count_debtor_open where currency = $1 and open_cents > 0 and open_cents >= $2 limit ${fewMax + 1}`,
      [currency, minBalance],
    ])
  if (risk)
    sources.push([
      `select debtor_id from debtor_scores where score between $1 and $2 limit ${fewMax + 1}`,
      [least, most],
    ])
  for (const [text, values] of sources) {
    const rows = await tx.rows(adHoc<{ debtor_id: string }>(text), values)
    if (rows.length <= fewMax) return [...new Set(rows.map(row => row.debtor_id))]
  }
  return null
}

const probedMax = 10_000

async function countPage(context: ListContext, few: readonly string[] | null): Promise<Total> {
  const { tx, query, found } = context
  const { from } = orders[query.sortBy]
  const isEverybody = query.sortBy === 'created_at' || query.sortBy === 'name'
  if (isEverybody && !hasProbes(query)) return found ? cappedTotal(found.length) : totalOf(tx, 'debtor')
  const filter = orderConditions(context)
  if (few) filter.add(`d.id = any (${filter.bind(few)}::uuid[])`)
  // Without ids to look for, the rows of the order are counted without their debtors.
  if (!hasProbes(query))
    return countUpTo(tx, `${few || found ? from : from.split(' join ')[0]} ${filter.where()}`, filter.values)
  const probes = conditions(filter.values)
  const looked = `select d.id from ${from} ${filter.where()} limit ${probedMax + 1}`
  addProbes(probes, context)
  const [row] = await tx.rows(
    adHoc<{ n: number; looked: number }>(
      `select count(*) filter (where ${probes.all()}) as n, count(*) as looked from (${looked}) d`,
    ),
    filter.values,
  )
  return row!.looked <= probedMax
    ? cappedTotal(row!.n)
    : { total: Math.min(row!.n, countedMax), isExact: false }
}
