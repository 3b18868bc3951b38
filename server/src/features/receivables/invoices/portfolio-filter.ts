import { builtInCascades } from '../../../domain/recovery/cascade.ts'
import type { RecoveryStatus } from '../../../domain/recovery/recovery-state.ts'
import { heldStandings, type Standing, standings } from '../../../domain/recovery/standing.ts'
import { addDays, localTime } from '../../../domain/time.ts'
import type { Actor } from '../../../kit/actor.ts'
import { adHoc, sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import {
  type Conditions,
  cappedTotal,
  conditions,
  countedMax,
  countUpTo,
  probedMax,
  probedTotal,
  type Total,
} from '../../../kit/list.ts'
import { findCompany } from '../../access/companies/company.ts'
import { type Slots, slotCondition, slotsBetween } from '../../recovery/agenda/contact-slots.ts'
import { openSums } from '../reports/open-sums.ts'
import { type PortfolioGiven, portfolioNames, type unendedStatuses } from './filter-schema.ts'

/** The debtors of some quarter hours, if they are few. */
interface Planned {
  slots: Slots
  tenantId: string
}

/** The filters that an index supports, and those that are checked for each row. */
export interface PortfolioFilter {
  standings: readonly Standing[] | null
  dueFrom: string | null
  dueTo: string | null
  slots: Slots | null
  /**
   * The debtors with their next contact in these quarter hours, if they are few. Their ids stay in the database: finding them
   * again costs less than reading a thousand ids and sending them back.
   */
  planned: Planned | null
  probes: Pick<PortfolioGiven, 'step' | 'reasonCode' | 'debtorType'> & {
    slots?: Slots
    status?: RecoveryStatus
  }
}

const open: readonly Standing[] = ['running', 'decide', ...heldStandings]

/** The standings of each status. */
const standingsOf: Record<(typeof unendedStatuses)[number], readonly Standing[]> = {
  pending: ['pending'],
  in_recovery: ['running', 'decide'],
  paused: heldStandings,
  judicial: ['judicial'],
}

const later = (one: string | undefined, other: string | undefined) =>
  one && other ? (one > other ? one : other) : (one ?? other ?? null)
const earlier = (one: string | undefined, other: string | undefined) =>
  one && other ? (one < other ? one : other) : (one ?? other ?? null)

/** A dispute outside a running recovery stands where those of paused ones do; only then the status itself is looked at. */
const findDisputedNotRunning = sql(
  'invoices.find-disputed-not-running',
  `select invoice_id from recoveries where standing = 'held:dispute' and status in ('pending', 'judicial') limit 1`,
)

/** Null: none of these filters was given. */
export async function portfolioFilterOf(
  tx: Tx,
  owner: Pick<Actor, 'tenantId' | 'companyId'>,
  query: PortfolioGiven,
  /** Called after the first read. */
  tenantTime: () => number,
): Promise<PortfolioFilter | null> {
  const { standing, overdueMin, overdueMax, workflowStatus, step, reasonCode, debtorType, nextFrom, nextTo } =
    query
  if (portfolioNames.every(name => query[name] === undefined)) return null
  const isByAge = overdueMin !== undefined || overdueMax !== undefined
  const company = isByAge ? await findCompany(tx, owner.companyId) : null
  const today = company ? localTime(company.time_zone, tenantTime()).date : ''
  const isPlanned = nextFrom !== undefined || nextTo !== undefined
  const isMixed =
    (workflowStatus === 'pending' || workflowStatus === 'paused' || workflowStatus === 'judicial') &&
    (await tx.rows(findDisputedNotRunning, [])).length > 0
  const sets = [
    standing,
    workflowStatus && [...standingsOf[workflowStatus], ...(isMixed ? (['held:dispute'] as const) : [])],
    step === undefined && reasonCode === undefined ? undefined : open,
    isPlanned ? (['running'] as const) : undefined,
  ].filter(set => set !== undefined)
  const slots = isPlanned ? slotsBetween(nextFrom, nextTo) : null
  const planned = slots && (await findPlanned(tx, { slots, tenantId: owner.tenantId }))
  return {
    standings:
      sets.length === 0
        ? null
        : standings.filter(one => sets.every(set => (set as Standing[]).includes(one))),
    dueFrom: later(query.dueFrom, overdueMax === undefined ? undefined : addDays(today, -overdueMax)),
    dueTo: earlier(query.dueTo, overdueMin === undefined ? undefined : addDays(today, -overdueMin)),
    slots,
    planned,
    probes: {
      ...(slots && !planned && { slots }),
      ...(isMixed && { status: workflowStatus }),
      ...(step !== undefined && { step }),
      ...(reasonCode !== undefined && { reasonCode }),
      ...(debtorType !== undefined && { debtorType }),
    },
  }
}

const plannedMax = 2_000

/** SQL: the agendas of the debtors whose next contact is planned in these quarter hours. */
function plannedSql(filter: Conditions, { slots, tenantId }: Planned, columns = 'a.debtor_id'): string {
  const within = conditions(filter.values)
  within.add(slotCondition(within, slots, tenantId))
  return `select ${columns} from agendas a ${within.where()} order by a.contact_slot, a.debtor_id limit ${plannedMax + 1}`
}

/** Null if they are many. */
async function findPlanned(tx: Tx, planned: Planned): Promise<Planned | null> {
  const filter = conditions()
  const found = plannedSql(filter, planned)
  const [row] = await tx.rows(
    adHoc<{ n: number }>(`select count(*)::integer as n from (${found}) f`),
    filter.values,
  )
  return row!.n <= plannedMax ? planned : null
}

export const hasProbes = ({ probes }: PortfolioFilter): boolean => Object.keys(probes).length > 0

/** One index has the standing and the due date in the requested order, so the first rows are read from it, few or many. */
export const isInOneIndex = (portfolio: PortfolioFilter, sortBy: string): boolean =>
  isFromRecoveries(portfolio) &&
  (sortBy === 'due_date' ||
    (sortBy === 'created_at' && portfolio.dueFrom === null && portfolio.dueTo === null))

/** An index has the standings by debtor: the rows of a few debtors are gathered from it. */
export const isOfFewDebtors = (portfolio: PortfolioFilter): boolean =>
  portfolio.planned !== null &&
  portfolio.dueFrom === null &&
  portfolio.dueTo === null &&
  !hasProbes(portfolio)

/** A filter by standing reads recoveries; a row then has `probedColumns`. */
const isFromRecoveries = ({ standings: wanted, planned }: PortfolioFilter): boolean =>
  wanted !== null && planned === null

/** The only filters are the standing and the due date, which are columns of the recovery. */
export const isByStanding = (portfolio: PortfolioFilter): boolean =>
  isFromRecoveries(portfolio) && !hasProbes(portfolio)

/** All rows of `isByStanding`, if they are few. As an array, because for a join the planner would read all invoices. */
export function addIdsByStanding(
  filter: Conditions,
  { standings: wanted, dueFrom, dueTo }: PortfolioFilter,
): void {
  const found = conditions(filter.values)
  found.add(`standing = any (${filter.bind(wanted!)}::text[])`)
  if (dueFrom !== null) found.add(`due_date >= ${filter.bind(dueFrom)}`)
  if (dueTo !== null) found.add(`due_date <= ${filter.bind(dueTo)}`)
  filter.add(`i.id = any (array(select invoice_id from recoveries ${found.where()}))`)
}

export interface Order {
  /** Columns of invoices, the id last. */
  columns: readonly string[]
  direction: 'asc' | 'desc'
  /** The position after which the page begins, as SQL; null at the start. */
  after: readonly string[] | null
}

export const orderingOf = ({ columns, direction }: Order, alias: string): string =>
  columns.map(column => `${alias}.${column} ${direction}`).join(', ')

/** SQL: whether a row comes after the position where the page begins. */
export const isAfter = ({ columns, direction, after }: Order, alias: string): string =>
  after === null
    ? 'true'
    : `(${columns.map(column => `${alias}.${column}`).join(', ')}) ${direction === 'asc' ? '>' : '<'} (${after.join(', ')})`

/**
 * SQL: the first recoveries of an order with the wanted standings, and the id of the invoice. One subquery per standing: for
 * several at once the planner would read and sort all of them. The order is that of an index, by id or by due date.
 */
function firstRecoveries(
  { bind }: Conditions,
  { standings: wanted, dueFrom, dueTo }: PortfolioFilter,
  order: Order,
  most: number,
  columns: readonly string[],
): string {
  const within = [
    ...(dueFrom === null ? [] : [`s.due_date >= ${bind(dueFrom)}`]),
    ...(dueTo === null ? [] : [`s.due_date <= ${bind(dueTo)}`]),
  ]
  const first = (name: Standing) =>
    `(select * from (select ${['invoice_id as id', 'due_date', 'standing', ...columns].join(', ')} from recoveries) s
       where ${[`s.standing = ${bind(name)}`, ...within, isAfter(order, 's')].join(' and ')}
       order by ${orderingOf(order, 's')} limit ${most})`
  return `select * from (${wanted!.map(first).join(' union all ')}) s order by ${orderingOf(order, 's')} limit ${most}`
}

const none = 'select i.* from invoices i where false'

/** SQL: the first invoices of an order with the wanted standings. */
export function firstOfStandings(
  filter: Conditions,
  portfolio: PortfolioFilter,
  order: Order,
  most: number,
): string {
  if (portfolio.standings!.length === 0) return none
  return `select i.* from (${firstRecoveries(filter, portfolio, order, most, [])}) s join invoices i on i.id = s.id`
}

/** SQL: the same, with the other filters checked for the first `scanned` rows. Only the invoices of the page are read. */
export function firstLookedUp(
  filter: Conditions,
  portfolio: PortfolioFilter,
  order: Order,
  { most, scanned, tenantId }: { most: number; scanned: number; tenantId: string },
): string {
  if (portfolio.standings!.length === 0) return none
  const columns = ['tenant_id', 'debtor_id', ...probedColumns]
  const walked = firstRecoveries(filter, portfolio, order, scanned, columns)
  const probes = conditions(filter.values)
  addProbes(probes, portfolio, tenantId, true)
  const first = `select i.id from (${walked}) i ${probes.where()} order by ${orderingOf(order, 'i')} limit ${most}`
  return `select i.* from (${first}) s join invoices i on i.id = s.id`
}

/**
 * The first invoices of a few debtors with the wanted standings, by id, and their count; they are gathered once for both. An
 * index has all columns, so no invoice is read. Beyond `countedMax` the first ones are not known.
 */
export async function gatherOfDebtors(
  tx: Tx,
  { standings: wanted, planned }: PortfolioFilter,
  orderOf: (filter: Conditions) => Order,
  most: number,
): Promise<{ total: Total; ids: string[] }> {
  const filter = conditions()
  const order = orderOf(filter)
  const [row] = await tx.rows(
    adHoc<{ n: number; ids: string[] }>(
      `with a as materialized (${plannedSql(filter, planned!, 'a.debtor_id, a.plan, a.contact_invoice_id')}),
       few as materialized (
         select r.invoice_id as id from recoveries r join a on a.debtor_id = r.debtor_id
          where r.debtor_id = any (array(select debtor_id from a)) and r.standing = any (${filter.bind(wanted!)}::text[])
            and ${inMessageSql('r.invoice_id')}
          limit ${countedMax + 1})
       select (select count(*) from few) as n,
              array(select id from few s where ${isAfter(order, 's')} order by ${orderingOf(order, 's')} limit ${most}) as ids`,
    ),
    filter.values,
  )
  return { total: cappedTotal(row!.n), ids: row!.ids }
}

/** Adds the filters that an index supports. */
export function addFound(filter: Conditions, portfolio: PortfolioFilter): void {
  const { standings: wanted, dueFrom, dueTo, planned } = portfolio
  if (wanted) filter.add(standingCondition(filter, wanted, planned !== null))
  if (dueFrom !== null) filter.add(`i.due_date >= ${filter.bind(dueFrom)}`)
  if (dueTo !== null) filter.add(`i.due_date <= ${filter.bind(dueTo)}`)
  if (planned) {
    filter.add(`i.debtor_id = any (array(${plannedSql(filter, planned)}))`)
    filter.add(
      `(select ${inMessageSql('i.id')} from agendas a where a.tenant_id = ${filter.bind(planned.tenantId)}::uuid and a.debtor_id = i.debtor_id)`,
    )
  }
}

/**
 * The standing is a column of the recovery. With `exists` the planner may begin with its index. For a few debtors a subquery
 * prevents that, because most of their invoices may run.
 */
function standingCondition(filter: Conditions, wanted: readonly Standing[], isLookedUp: boolean): string {
  const isWanted =
    wanted.length === 1
      ? `r.standing = ${filter.bind(wanted[0]!)}`
      : `r.standing = any (${filter.bind(wanted)}::text[])`
  const ofRecovery = 'from recoveries r where r.tenant_id = i.tenant_id and r.invoice_id = i.id'
  return isLookedUp ? `(select ${isWanted} ${ofRecovery})` : `exists (select ${ofRecovery} and ${isWanted})`
}

/** SQL: whether the next message of agenda `a` executes a step of this invoice. */
export const inMessageSql = (invoiceId: string): string =>
  `coalesce(a.plan -> 'invoices' ? ${invoiceId}::text, a.contact_invoice_id = ${invoiceId})`

/** The columns of a recovery that a probe reads. */
const probedColumns = ['due_because', 'cascade', 'cascade_version', 'step', 'status'] as const

/**
 * Adds the filters that are checked for each row `i`. By a subquery, not a join: the scan must keep its order, and may end
 * early. A row that was read from recoveries has `probedColumns` itself.
 */
export function addProbes(
  filter: Conditions,
  { probes }: PortfolioFilter,
  tenantId: string,
  hasRecovery = false,
): void {
  const { step, reasonCode, debtorType, slots, status } = probes
  const recovery = hasRecovery ? 'i' : 'r'
  const ofRecovery: string[] = []
  if (reasonCode !== undefined) ofRecovery.push(`${recovery}.due_because = ${filter.bind(reasonCode)}`)
  if (status !== undefined) ofRecovery.push(`${recovery}.status = ${filter.bind(status)}`)
  if (step !== undefined) ofRecovery.push(stepCondition(filter, step, recovery))
  if (ofRecovery.length > 0)
    filter.add(
      hasRecovery
        ? ofRecovery.join(' and ')
        : `(select ${ofRecovery.join(' and ')} from recoveries r where r.tenant_id = i.tenant_id and r.invoice_id = i.id)`,
    )
  if (debtorType !== undefined)
    filter.add(
      `(select d.type = ${filter.bind(debtorType)} from debtors d where d.tenant_id = i.tenant_id and d.id = i.debtor_id)`,
    )
  if (slots)
    filter.add(
      `(select true from agendas a where a.debtor_id = i.debtor_id and ${inMessageSql('i.id')} and ${slotCondition(filter, slots, tenantId)})`,
    )
}

/** Built-in cascades are not in the database. A company's own cascades are; they are searched once, not for each row. */
function stepCondition(filter: Conditions, name: string, recovery: string): string {
  const places = builtInCascades.flatMap(cascade =>
    cascade.steps.flatMap((step, i) =>
      step.name === name ? [`${cascade.name} ${cascade.version} ${i}`] : [],
    ),
  )
  return `${recovery}.cascade || ' ' || ${recovery}.cascade_version || ' ' || ${recovery}.step = any (${filter.bind(places)}::text[] || array(
    select c.name || ' ' || c.version || ' ' || s.place - 1
      from cascades c cross join lateral jsonb_array_elements(c.steps) with ordinality s (step, place)
     where s.step ->> 'name' = ${filter.bind(name)}))`
}

/** Running and held invoices are open, and open invoices are counted by due day and standing. */
const sumOpen = sql(
  'invoices.sum-open-by-standing',
  `select coalesce(sum(n), 0)::bigint as n from (${openSums}) c
    where standing = any ($1::text[]) and due_date >= $2::date and due_date <= $3::date`,
).as<{ n: number }>()

/** The stored total for `isByStanding` without other filters; null if it has to be counted. */
async function keptTotal(tx: Tx, portfolio: PortfolioFilter): Promise<Total | null> {
  const { standings: wanted, dueFrom, dueTo } = portfolio
  if (!isByStanding(portfolio) || !wanted!.every(one => open.includes(one))) return null
  const [row] = await tx.rows(sumOpen, [wanted!, dueFrom ?? '0001-01-01', dueTo ?? '9999-12-31'])
  return { total: row!.n, isExact: true }
}

/** How many rows pass. If too many would have to be checked, how many of the first ones pass. */
export async function countPortfolio(
  tx: Tx,
  filter: Conditions,
  portfolio: PortfolioFilter,
  tenantId: string,
): Promise<Total> {
  if (!hasProbes(portfolio)) {
    const kept = filter.where() === '' ? await keptTotal(tx, portfolio) : null
    if (kept) return kept
    const counted = foundSource(filter, portfolio, '1', countedMax + 1)
    return countUpTo(tx, `(${counted}) i`, filter.values)
  }
  const found = foundSource(filter, portfolio, 'i.tenant_id, i.id, i.debtor_id', probedMax + 1, probedColumns)
  const probes = conditions(filter.values)
  addProbes(probes, portfolio, tenantId, isFromRecoveries(portfolio))
  const [row] = await tx.rows(
    adHoc<{ n: number; looked: number }>(
      `select count(*) filter (where ${probes.all()}) as n, count(*) as looked from (${found}) i`,
    ),
    filter.values,
  )
  return probedTotal(row!)
}

/**
 * SQL: the first rows that an index finds, in any order. One subquery per standing; each `order by` makes the planner use the
 * index. With standings, a row also has columns of its recovery.
 */
function foundSource(
  filter: Conditions,
  portfolio: PortfolioFilter,
  columns: string,
  most: number,
  ofRecovery: readonly string[] = [],
): string {
  const { standings: wanted, dueFrom, dueTo, planned } = portfolio
  if (!wanted || planned) {
    addFound(filter, portfolio)
    const order = planned ? '' : dueFrom !== null || dueTo !== null ? 'order by i.due_date' : 'order by i.id'
    return `select ${columns} from invoices i ${filter.where()} ${order} limit ${most}`
  }
  const columnsWith = (alias: string) =>
    [columns, ...ofRecovery.map(column => `${alias}.${column}`)].join(', ')
  if (wanted.length === 0) return `select ${columnsWith('r')} from invoices i, recoveries r where false`
  // Without other filters the invoices are not read: recoveries have the counted columns too.
  const [source, kept] =
    filter.where() === ''
      ? ['(select *, invoice_id as id from recoveries) i', 'i']
      : ['recoveries r join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id', 'r']
  if (dueFrom !== null) filter.add(`${kept}.due_date >= ${filter.bind(dueFrom)}`)
  if (dueTo !== null) filter.add(`${kept}.due_date <= ${filter.bind(dueTo)}`)
  const order = dueFrom === null && dueTo === null ? 'i.id' : `${kept}.due_date`
  const each = wanted.map(
    name =>
      `(select ${columnsWith(kept)} from ${source} where ${kept}.standing = ${filter.bind(name)} and ${filter.all()} order by ${order} limit ${most})`,
  )
  return `select * from (${each.join(' union all ')}) found limit ${most}`
}
