import { z } from 'zod'
import { standings } from '../../../domain/recovery/standing.ts'
import { riskLevelOf, riskLevels, scoreMax } from '../../../domain/score/score.ts'
import { localTime } from '../../../domain/time.ts'
import type { Actor, Scope } from '../../../kit/actor.ts'
import { adHoc } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { ApiError } from '../../../kit/errors.ts'
import { centsText, line, momentText, oneOrMore, sortNames } from '../../../kit/fields.ts'
import {
  type Conditions,
  cappedTotal,
  conditions,
  countedMax,
  countUpTo,
  idShape,
  idsUpTo,
  listQuery,
  pageOf,
  positionOf,
  probedMax,
  probedTotal,
  type Total,
  writeCursor,
} from '../../../kit/list.ts'
import { operation } from '../../../kit/operation.ts'
import { containsPattern, searchKey, trigrams } from '../../../kit/search-text.ts'
import { findCompany } from '../../access/companies/company.ts'
import { totalOf, totalOfPlanned } from '../../platform/counts/totals.ts'
import { type Slots, slotCondition, slotsBetween } from '../../recovery/agenda/contact-slots.ts'
import { DebtorAccount } from './account-schema.ts'
import { readAccounts } from './debtor-account.ts'
import { countBalances, freshBalances, isFolded } from './fresh-balances.ts'
import {
  type FreshContacts,
  freshAgendas,
  freshIds,
  isSending,
  isStored,
  readFreshContacts,
  storedContact,
} from './fresh-contacts.ts'
import { Debtor, debtorColumns, type ShownDebtor, toDebtor } from './schema.ts'

const ListedDebtor = Debtor.extend({
  account: DebtorAccount.optional().meta({ description: 'With `include=account`' }),
}).meta({ id: 'ListedDebtor' })

const sorts = ['created_at', 'name', 'balance', 'next_contact', 'score'] as const
type Sort = (typeof sorts)[number]

const ListQuery = z
  .strictObject({
    ...listQuery(20),
    search: line(100).optional().meta({ description: 'Part of the name, email or SIRET' }),
    sortBy: sortNames(sorts, 'created_at').meta({ description: 'Also in camel case' }),
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
    nextFrom: momentText
      .optional()
      .meta({ description: 'The next contact is in this quarter hour or later' }),
    nextTo: momentText.optional().meta({ description: 'The same, in this quarter hour or earlier' }),
    parked: z
      .enum(['true'])
      .optional()
      .meta({ description: 'Debtors whose wake-up failed again and again, until somebody looks' }),
    include: z
      .enum(['account'])
      .optional()
      .meta({ description: '`account`: what is open and what comes next' }),
  })
  .meta({ id: 'DebtorListQuery' })
type Query = z.output<typeof ListQuery>

/** Where each order is read: the table whose index has it, its columns with the debtor last. */
const orders: Record<
  Sort,
  {
    table: string
    columns: readonly [...string[], string]
    types: readonly string[]
    shapes: readonly Pick<RegExp, 'test'>[]
    natural: 'asc' | 'desc'
  }
> = {
  created_at: { table: 'debtors', columns: ['id'], types: ['uuid'], shapes: [idShape], natural: 'desc' },
  name: {
    table: 'debtors',
    columns: ['name_key', 'id'],
    types: ['text', 'uuid'],
    shapes: [/^[^\0]{0,200}$/s, idShape],
    natural: 'asc',
  },
  balance: {
    table: 'count_debtor_open',
    columns: ['open_cents', 'debtor_id'],
    types: ['bigint', 'uuid'],
    shapes: [/^\d{1,19}$/, idShape],
    natural: 'desc',
  },
  next_contact: {
    table: 'agendas',
    columns: ['contact_slot', 'debtor_id'],
    types: ['integer', 'uuid'],
    shapes: [/^\d{1,9}$/, idShape],
    natural: 'asc',
  },
  score: {
    table: 'debtor_scores',
    columns: ['score', 'debtor_id'],
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
  /** Null: nothing is filtered by the next contact. */
  fresh: FreshContacts | null
}

const searchDebtors = adHoc<{ id: string }>('select search_debtors($1, $2, $3) as id')

export const listDebtors = operation({
  id: 'debtors.list',
  method: 'GET',
  path: '/api/v1/debtors',
  summary: 'List debtors, the newest first, or by what they owe and what comes next',
  description:
    "A search finds at most 10,000 debtors. By balance, only debtors with something open in the company's currency are listed; by next_contact only those with a planned message, and by score only those that have one. Where a filter is passed by more than 1,000 debtors, the first 5,000 of the order are looked at, and the total counts those of the first 500. What shows or filters sums of invoices needs the scope invoices:read too; accounts, standings, `nextFrom`, `nextTo`, `parked` and the order by next_contact need workflow:read.",
  scopes: ['debtors:read'],
  query: ListQuery,
  status: 200,
  reply: ListedDebtor,
  list: true,
  errors: [],
  assistant: 'read',
  usesNow: 'after-reading',
  async run(call) {
    const { tx, actor, query } = call
    const usesSums =
      query.sortBy === 'balance' ||
      [query.standing, query.minBalance, query.include].some(value => value !== undefined)
    const usesRecoveries =
      query.sortBy === 'next_contact' ||
      [query.standing, query.nextFrom, query.nextTo, query.parked, query.include].some(
        value => value !== undefined,
      )
    if (usesSums) requireScope(actor, 'invoices:read')
    if (usesRecoveries) requireScope(actor, 'workflow:read')
    const needsCurrency =
      query.sortBy === 'balance' || query.minBalance !== undefined || query.include !== undefined
    const [company, found, fresh] = await Promise.all([
      needsCurrency ? findCompany(tx, actor.companyId) : null,
      query.search === undefined ? null : searchFor(tx, actor, query.search),
      isPlanned(query) ? readFreshContacts(tx, actor.tenantId, slotsOf(query), () => call.now) : null,
    ])
    const currency = company?.currency ?? ''
    const page = await readPage({ tx, actor, query, currency, found, fresh })
    if (query.include === undefined || company === null) return page
    const accounts = await readAccounts(
      tx,
      {
        tenantId: actor.tenantId,
        currency,
        timeZone: company.time_zone,
        now: call.now,
        today: localTime(company.time_zone, call.now).date,
      },
      page.items.map(debtor => debtor.id),
    )
    return { ...page, items: page.items.map(debtor => ({ ...debtor, account: accounts.get(debtor.id)! })) }
  },
})

export function requireScope({ scopes }: Actor, scope: Scope): void {
  if (!scopes.includes(scope))
    throw new ApiError('AUTH_004', `This credential lacks the scope ${scope}.`, {
      requiredScopes: ['debtors:read', scope],
    })
}

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
const scannedMax = 5_000

/** The debtors that pass one of the filters, if they are few. */
interface Few {
  ids: readonly string[]
  /** There is no other filter to look up. */
  passAll: boolean
}

async function readPage(context: ListContext) {
  const { tx, query } = context
  const { columns, types, shapes, natural } = orders[query.sortBy]
  const direction = query.sortOrder ?? natural
  const order = `${query.sortBy} ${direction}`
  const position = positionOf(query, order, shapes)
  const few = await findFew(context)
  const page = orderConditions(context)
  if (position.after) {
    const after = position.after.map((value, i) => `${page.bind(value)}::${types[i]}`)
    const named = columns.map(column => `k.${column}`).join(', ')
    page.add(`(${named}) ${direction === 'asc' ? '>' : '<'} (${after.join(', ')})`)
  }
  const ordering = columns.map((_, i) => `k.key${i} ${direction}`).join(', ')
  const looksUp = hasProbes(query) && !few?.passAll
  const source = keysOf(
    context,
    few,
    page,
    direction,
    looksUp ? scannedMax + 20 * position.offset : position.offset + position.limit + 1,
  )
  const probes = conditions(page.values)
  if (looksUp) addProbes(probes, context)
  const sums = withSums(context, page)
  // The first page of a few debtors looks up all of them, so it can also count them.
  const isCounting = few !== null && position.after === null && position.offset === 0
  const reading = tx.rows(
    adHoc<ShownDebtor & { n?: number } & Record<`key${number}`, string | number>>(
      `${sums} select ${debtorColumns}, k.*
         from (select *${isCounting ? ', count(*) over () as n' : ''} from (${source}) k ${probes.where()} order by ${ordering}
                limit ${page.bind(position.limit + 1)} offset ${page.bind(position.offset)}) k
         join debtors d on d.id = k.debtor
        order by ${ordering}`,
    ),
    page.values,
  )
  const [rows, total] = await Promise.all([
    reading,
    isCounting ? reading.then(([first]) => cappedTotal(first?.n ?? 0)) : countPage(context, few),
  ])
  return pageOf(position, rows, total, toDebtor, (row, nextPage) =>
    writeCursor(
      position.order,
      nextPage,
      columns.map((_, i) => row[`key${i}`]!),
    ),
  )
}

/**
 * SQL: the keys of the order. A few debtors are looked up one by one. Of many, the first `most` are read in order: without a
 * limit next to the order, the planner reads and sorts everything. By balance, debtors whose stored sum is old come from
 * `fresh_balances`; between two moments, those whose stored contact is old from `freshAgendas`.
 */
function keysOf(
  { actor, query, fresh: contacts }: ListContext,
  few: Few | null,
  page: Conditions,
  direction: 'asc' | 'desc',
  most: number,
): string {
  const { table, columns } = orders[query.sortBy]
  const id = `k.${columns.at(-1)}`
  const keys = `${id} as debtor, ${columns.map((column, i) => `k.${column} as key${i}`).join(', ')}`
  const beside =
    query.sortBy === 'balance'
      ? { isStored: isFolded(id), source: 'fresh_balances' }
      : query.sortBy === 'next_contact' && contacts
        ? {
            isStored: isStored(page, contacts.debtorIds, id),
            source: freshAgendas(page, contacts, actor.tenantId),
          }
        : null
  const stored = beside ? `${page.all()} and ${beside.isStored}` : page.all()
  const fresh = beside && `select ${keys} from ${beside.source} k where ${page.all()}`
  if (few) {
    const ids = `${page.bind(few.ids)}::uuid[]`
    const found = `select k.* from unnest(${ids}) as f(id)
      cross join lateral (select ${keys} from ${table} k where ${id} = f.id and ${stored} offset 0) k`
    return fresh ? `${found} union all ${fresh} and ${id} = any (${ids})` : found
  }
  const ordering = columns.map(column => `k.${column} ${direction}`).join(', ')
  const first = `select ${keys} from ${table} k where ${stored} order by ${ordering} limit ${page.bind(most)}`
  return fresh ? `(${first}) union all ${fresh}` : first
}

/** SQL: what a statement begins with that orders or filters by balance. */
const withSums = ({ query, currency }: ListContext, filter: Conditions): string =>
  query.sortBy === 'balance' || query.minBalance !== undefined ? freshBalances(filter, currency) : ''

/** The conditions for every row of the order. Agendas have no row-level policy, so the tenant is a condition. */
function orderConditions({ actor, query, currency, found, fresh }: ListContext): Conditions {
  const filter = conditions()
  if (query.sortBy === 'balance') {
    filter.add(`k.currency = ${filter.bind(currency)} and k.open_cents > 0`)
    if (query.minBalance !== undefined) filter.add(`k.open_cents >= ${filter.bind(query.minBalance)}`)
  }
  if (query.sortBy === 'next_contact') filter.add(slotCondition(filter, slotsOf(query), actor.tenantId, 'k'))
  if (query.sortBy === 'next_contact' && fresh) filter.add(isSending(filter, actor.tenantId))
  if (found) filter.add(`k.${orders[query.sortBy].columns.at(-1)} = any (${filter.bind(found)}::uuid[])`)
  return filter
}

const slotsOf = ({ nextFrom, nextTo }: Query): Slots => slotsBetween(nextFrom, nextTo)
const isPlanned = ({ nextFrom, nextTo }: Query): boolean => nextFrom !== undefined || nextTo !== undefined

const hasProbes = (query: Query): boolean =>
  [query.standing, query.risk, query.parked].some(value => value !== undefined) ||
  (query.minBalance !== undefined && query.sortBy !== 'balance') ||
  (isPlanned(query) && query.sortBy !== 'next_contact')

/** The filters that are checked for each debtor. By a subquery, not a join: the scan must keep its order, and may end early. */
function addProbes(probes: Conditions, { actor, query, currency, fresh }: ListContext): void {
  const { standing, minBalance, risk, parked, sortBy } = query
  if (standing)
    probes.add(
      `(select true from recoveries r where r.debtor_id = k.debtor and r.standing = any (${probes.bind(standing)}::text[]) limit 1)`,
    )
  if (minBalance !== undefined && sortBy !== 'balance') {
    const least = probes.bind(minBalance)
    probes.add(
      `(k.debtor in (select debtor_id from fresh_balances where open_cents > 0 and open_cents >= ${least})
         or ${isFolded('k.debtor')} and (select f.open_cents > 0 and f.open_cents >= ${least} from count_debtor_open f
             where f.debtor_id = k.debtor and f.currency = ${probes.bind(currency)}))`,
    )
  }
  if (fresh && sortBy !== 'next_contact')
    probes.add(
      `((select true from agendas a where a.debtor_id = k.debtor and ${storedContact(probes, fresh, slotsOf(query), actor.tenantId)})
         or k.debtor = any (${freshIds(probes, fresh)}))`,
    )
  if (parked)
    probes.add(
      `(select a.parked_because is not null from agendas a
         where a.tenant_id = ${probes.bind(actor.tenantId)}::uuid and a.debtor_id = k.debtor)`,
    )
  if (risk) {
    const [least, most] = scoresOf(risk)
    probes.add(
      `(select f.score between ${probes.bind(least)} and ${probes.bind(most)} from debtor_scores f where f.debtor_id = k.debtor)`,
    )
  }
}

function scoresOf(risk: (typeof riskLevels)[number]): [number, number] {
  const scores = Array.from({ length: scoreMax + 1 }, (_, score) => score).filter(
    score => riskLevelOf(score) === risk,
  )
  return [scores[0]!, scores.at(-1)!]
}

/** Null: they are many, or there is no filter. */
async function findFew(context: ListContext): Promise<Few | null> {
  const { tx, actor, query, currency, found, fresh } = context
  const { standing, minBalance, risk, parked } = query
  if (found && found.length <= fewMax) return { ids: found, passAll: false }
  const filter = conditions()
  const sources: string[] = []
  // The limit counts recoveries; a debtor may have several. The `order by` only makes the planner use the index.
  if (standing)
    sources.push(
      `select i.debtor_id from unnest(${filter.bind(standing)}::text[]) as s(name)
        cross join lateral (select debtor_id from recoveries where standing = s.name order by invoice_id limit ${fewMax + 1}) i limit ${fewMax + 1}`,
    )
  if (minBalance !== undefined) {
    const least = filter.bind(minBalance)
    sources.push(
      `(select debtor_id from count_debtor_open
         where currency = ${filter.bind(currency)} and open_cents > 0 and open_cents >= ${least} and ${isFolded('debtor_id')}
         order by open_cents limit ${fewMax + 1})
       union all select debtor_id from fresh_balances where open_cents > 0 and open_cents >= ${least} limit ${fewMax + 1}`,
    )
  }
  if (fresh)
    sources.push(
      `(select a.debtor_id from agendas a where ${storedContact(filter, fresh, slotsOf(query), actor.tenantId)}
         order by a.contact_slot, a.debtor_id limit ${fewMax + 1})
       union all select unnest(${freshIds(filter, fresh)}) limit ${fewMax + 1}`,
    )
  if (parked)
    sources.push(
      `select debtor_id from agendas
        where is_sandbox = ${filter.bind(actor.environment === 'sandbox')} and tenant_id = ${filter.bind(actor.tenantId)}::uuid
          and parked_because is not null order by debtor_id limit ${fewMax + 1}`,
    )
  if (risk) {
    const [least, most] = scoresOf(risk)
    sources.push(
      `select debtor_id from debtor_scores where score between ${filter.bind(least)} and ${filter.bind(most)}
        order by score limit ${fewMax + 1}`,
    )
  }
  if (sources.length === 0) return null
  const ids = sources.map(source => idsUpTo(source, 'distinct debtor_id', fewMax))
  const [row] = await tx.rows(
    adHoc<{ ids: string[] | null }>(
      `${minBalance === undefined ? '' : freshBalances(filter, currency)} select coalesce(${ids.join(', ')}) as ids`,
    ),
    filter.values,
  )
  return row!.ids && { ids: row!.ids, passAll: sources.length === 1 }
}

async function countPage(context: ListContext, few: Few | null): Promise<Total> {
  const { tx, query, found } = context
  const isEverybody = query.sortBy === 'created_at' || query.sortBy === 'name'
  if (isEverybody && !hasProbes(query)) return found ? cappedTotal(found.length) : totalOf(tx, 'debtor')
  const filter = orderConditions(context)
  const looksUp = hasProbes(query) && !few?.passAll
  if (query.sortBy === 'balance' && !few && !looksUp) return countBalances(tx, filter, context.currency)
  if (query.sortBy === 'next_contact' && !found && !few && !looksUp && !isPlanned(query))
    return totalOfPlanned(tx)
  const keys = keysOf(context, few, filter, 'asc', (looksUp ? probedMax : countedMax) + 1)
  const sums = withSums(context, filter)
  if (!looksUp) return countUpTo(tx, `(${sums} ${keys}) k`, filter.values)
  const probes = conditions(filter.values)
  addProbes(probes, context)
  const [row] = await tx.rows(
    adHoc<{ n: number; looked: number }>(
      `${sums} select count(*) filter (where ${probes.all()}) as n, count(*) as looked from (${keys}) k`,
    ),
    filter.values,
  )
  return few ? cappedTotal(row!.n) : probedTotal(row!)
}
