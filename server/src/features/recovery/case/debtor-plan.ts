import { type DebtorPlan, type NextThing, planDebtor } from '../../../domain/recovery/debtor-plan.ts'
import { isRunning } from '../../../domain/recovery/recovery-state.ts'
import type { WaitingExtra } from '../../../domain/recovery/waiting.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { takingTurns } from '../../../kit/taking-turns.ts'
import { type AgendaLock, storePlanned } from './agenda-store.ts'
import { contactFile, lookContextOf } from './debtor-file.ts'
import { type DebtorFile, selectDebtorFile, selectDebtorFiles } from './debtor-file-store.ts'
import {
  type ExtraMessage,
  type RecoveryRow,
  selectExtrasOfDebtors,
  selectWaitingExtras,
  selectWaitingOfDebtors,
  selectWaitingRecoveries,
  waitingExtraOf,
  waitingRecoveryOf,
} from './recovery-store.ts'

/*
 * What is planned for a debtor, as it is stored with its agenda and as every answer shows it.
 */

/** The plan in the agenda. The message itself is in columns; a recovery that is not here has its own moment. */
export interface StoredPlan {
  /** The step of the next message; null if there is none. */
  readonly step: string | null
  /** The invoices of the next message, the lead first. */
  readonly invoices: readonly string[]
  /** By invoice, and the messages outside the cascade by their id. */
  readonly next: Readonly<Record<string, NextThing | { readonly kind: 'extra'; readonly at: number }>>
}

/** The most debtors whose plan is made while a list or a report is read. Beyond, the stored moments count, some moments old. */
export const unplannedMax = 500

/** Which agendas have no valid plan; an index finds them. */
export const isUnplannedSql = 'a.plan_generation <> a.wake_generation'

/** The same for an answer: also those that a changed rule of the company touches, and that are not marked yet. */
export const mustBePlannedSql = `coalesce(${isUnplannedSql} or a.debtor_id > (select o.stale_plans_cursor from tenants o where o.id = a.tenant_id), false)`

/** Everything that is planned for a debtor follows from this. */
export interface DebtorToPlan {
  readonly file: DebtorFile
  readonly agenda: { readonly quiet_until: number | null } | null
  readonly waiting: readonly RecoveryRow[]
  readonly extras: readonly ExtraMessage[]
}

/** Providers that are away are not part of a plan: they concern everybody, and end at an unknown moment. */
export function planOf(
  { file, agenda, waiting, extras }: DebtorToPlan,
  now: number,
  requested: readonly WaitingExtra[] = [],
): DebtorPlan {
  const context = lookContextOf({ ...file, failures: [], stopped: [] }, contactFile(file, agenda), now)
  return planDebtor(
    waiting.map(recovery => waitingRecoveryOf(recovery, file)),
    [...extras.map(extra => waitingExtraOf(extra, file)), ...requested],
    context,
  )
}

/** What is planned with the change of an open recovery that the commit will write, or with a message requested for it. */
export async function planAfter(
  tx: Tx,
  { agenda, row: { debtor_id: debtorId } }: { agenda: AgendaLock | null; row: { debtor_id: string } },
  changed: RecoveryRow,
  now: number,
  requested?: WaitingExtra,
): Promise<DebtorPlan> {
  // The file is read again: a message that was cancelled has freed its day.
  const [[file], waiting, extras] = await Promise.all([
    tx.rows(selectDebtorFile, [debtorId]),
    tx.rows(selectWaitingRecoveries, [debtorId]),
    tx.rows(selectWaitingExtras, [debtorId]),
  ])
  const others = waiting.filter(({ invoice_id }) => invoice_id !== changed.invoice_id)
  const own = isRunning(changed.status) && changed.due_at !== null ? [changed] : []
  const debtor = { file: file!, agenda, waiting: [...own, ...others], extras }
  return planOf(debtor, now, requested ? [requested] : [])
}

const selectQuiet = sql(
  'case.list-quiet-periods',
  `select a.debtor_id, a.quiet_until from unnest($2::uuid[]) as d(id)
    cross join lateral (select debtor_id, quiet_until from agendas where tenant_id = $1 and debtor_id = d.id offset 0) a`,
)

/** How many debtors are read at once: each may have 500 invoices that wait. More are while they turn out to have few. */
const firstSlice = 5
const sliceGrowth = 4
const quickMs = 50

/**
 * The plans of debtors, computed from the current facts. The plan of a debtor with hundreds of invoices takes tens of
 * milliseconds, so other work of the process runs in between. After `mostMs` the others are left out.
 */
export async function computePlans(
  tx: Tx,
  tenantId: string,
  debtorIds: readonly string[],
  now: number,
  mostMs = Number.POSITIVE_INFINITY,
): Promise<Map<string, DebtorPlan>> {
  const plans = new Map<string, DebtorPlan>()
  const endsAt = performance.now() + mostMs
  for (let [from, size] = [0, firstSlice]; from < debtorIds.length; ) {
    const begunAt = performance.now()
    if (from > 0 && begunAt >= endsAt) break
    const slice = debtorIds.slice(from, from + size)
    for (const [id, plan] of await planSlice(tx, tenantId, slice, now, endsAt - begunAt)) plans.set(id, plan)
    from += size
    if (performance.now() - begunAt < quickMs) size *= sliceGrowth
  }
  return plans
}

async function planSlice(
  tx: Tx,
  tenantId: string,
  debtorIds: readonly string[],
  now: number,
  mostMs: number,
): Promise<(readonly [string, DebtorPlan])[]> {
  const [files, quiet, waiting, extras] = await Promise.all([
    tx.rows(selectDebtorFiles, [debtorIds]),
    tx.rows(selectQuiet, [tenantId, debtorIds]),
    tx.rows(selectWaitingOfDebtors, [debtorIds]),
    tx.rows(selectExtrasOfDebtors, [debtorIds]),
  ])
  const debtorOf = ({ debtor_id }: { debtor_id: string }) => debtor_id
  const [agendas, recoveries, messages] = [
    Map.groupBy(quiet, debtorOf),
    Map.groupBy(waiting, debtorOf),
    Map.groupBy(extras, debtorOf),
  ]
  const planFile = (file: DebtorFile) => {
    const { id } = file
    const [agenda = null] = agendas.get(id) ?? []
    const debtor = { file, agenda, waiting: recoveries.get(id) ?? [], extras: messages.get(id) ?? [] }
    return [id, planOf(debtor, now)] as const
  }
  return takingTurns(files, planFile, mostMs)
}

/** Makes and stores the plan of a debtor under its lock. */
export async function storePlanOf(
  tx: Tx,
  tenantId: string,
  { agenda, file }: { agenda: AgendaLock; file: DebtorFile },
  now: number,
): Promise<void> {
  const { id: debtorId } = file
  const [waiting, extras] = await Promise.all([
    tx.rows(selectWaitingRecoveries, [debtorId]),
    tx.rows(selectWaitingExtras, [debtorId]),
  ])
  const plan = planOf({ file, agenda, waiting, extras }, now)
  await storePlans(tx, tenantId, [{ debtorId, generation: agenda.wake_generation, plan }])
}

/** Stores plans with the agendas they were made for. */
export async function storePlans(
  tx: Tx,
  tenantId: string,
  plans: readonly { debtorId: string; generation: number; plan: DebtorPlan }[],
): Promise<void> {
  const toStored = ({ message, next, extras }: DebtorPlan): StoredPlan => ({
    step: message?.step ?? null,
    invoices: message?.invoiceIds ?? [],
    next: Object.fromEntries([
      ...next,
      ...[...extras].map(([id, { at }]) => [id, { kind: 'extra' as const, at: at! }] as const),
    ]),
  })
  const rows = plans.map(({ debtorId, generation, plan }) => ({
    debtor_id: debtorId,
    generation,
    at: plan.message && iso(plan.message.at),
    channel: plan.message?.channel ?? null,
    because: plan.message?.because ?? null,
    invoice_id: plan.message?.invoiceIds[0] ?? null,
    plan: toStored(plan),
  }))
  if (rows.length > 0) await tx.rows(storePlanned, [tenantId, JSON.stringify(rows)])
}
