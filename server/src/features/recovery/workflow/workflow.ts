import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { cascadeOf, type Step, wayOf } from '../../../domain/recovery/cascade.ts'
import { type Hold, type RecoveryStatus, recoveryStatuses } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import type { Tables } from '../../../kit/db/schema.generated.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import {
  balanceOfStep,
  closedToPoints,
  type DebtorFile,
  missingChannels,
  pointsOfDebtor,
  reachOf,
} from '../case/debtor-file.ts'
import { inWords, pausedInWords } from '../case/words.ts'

export const Workflow = z
  .object({
    invoiceId: outputUuid,
    status: z.enum(recoveryStatuses),
    currentStep: z
      .string()
      .nullable()
      .meta({ description: 'The step awaiting execution; the last executed one when none remains' }),
    startedAt: dateTime.nullable(),
    actionsCompleted: z.int().meta({ description: 'Communications accepted by a provider' }),
    nextActionAt: dateTime
      .nullable()
      .meta({ description: 'Planned time of the next action, within legal hours' }),
  })
  .meta({ id: 'Workflow' })

export const NextAction = z
  .object({
    invoiceId: outputUuid,
    nextAction: z.string().nullable(),
    scheduledAt: dateTime.nullable(),
    channel: z.enum(channels).nullable(),
    reason: z.string(),
    reasonCode: z.string(),
    blockedBy: z.array(z.string()).meta({
      description:
        'What stands in the way: the holds of a paused recovery, or the rule that moved the moment',
    }),
  })
  .meta({ id: 'NextAction' })

type Recovery = Pick<
  Tables['recoveries'],
  | 'invoice_id'
  | 'cascade'
  | 'cascade_version'
  | 'step'
  | 'started_at'
  | 'due_at'
  | 'due_because'
  | 'actions_completed'
> & {
  status: RecoveryStatus
  holds: readonly Hold[]
  cascade_steps: Step[] | null
  is_sending: boolean
  /** When the debtor will be looked at, in the tenant's time; later than `due_at` when somebody else's turn comes first. */
  look_at: number | null
  look_because: string | null
  parked_because: string | null
}

const columns = `r.invoice_id, r.status, r.holds, r.cascade, r.cascade_version, r.step, r.started_at, r.due_at, r.due_because, r.actions_completed,
          (select c.steps from cascades c where c.name = r.cascade and c.version = r.cascade_version) as cascade_steps,
          r.communication_id is not null as is_sending,
          a.wake_at + (t.clock_offset_ms + n.clock_offset_ms) * interval '1 millisecond' as look_at,
          a.wake_because as look_because, a.parked_because`
const source = `recoveries r
     join tenants t on t.id = r.tenant_id
     cross join installation n
     left join agendas a on a.tenant_id = r.tenant_id and a.debtor_id = r.debtor_id`

const get = sql('workflow.get', `select ${columns} from ${source} where r.invoice_id = $1`).as<Recovery>()

/** A recovery with what decides how its next step goes out: how the debtor is reached, and what is still owed. */
type Reached = Recovery &
  Pick<DebtorFile, 'phone' | 'address' | 'postal_code' | 'city' | 'closed' | 'missing'> &
  Pick<Tables['invoices'], 'amount_cents' | 'credited_cents' | 'paid_cents'>

const getReached = sql(
  'workflow.get-reachable',
  `select ${columns}, d.phone, d.address, d.postal_code, d.city, i.amount_cents, i.credited_cents, i.paid_cents, x.closed,
          ${missingChannels} as missing
     from ${source}
     join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
     join debtors d on d.tenant_id = r.tenant_id and d.id = r.debtor_id
     ${pointsOfDebtor}
     ${closedToPoints}
    where r.invoice_id = $1`,
).as<Reached>()

export const findRecovery = async (tx: Tx, invoiceId: string): Promise<Recovery | null> =>
  (await tx.rows(get, [invoiceId]))[0] ?? null

/** What happens next and why then: the step's own moment, or a later one because the person was or will be contacted before. */
function plan(recovery: Recovery) {
  const step =
    recovery.started_at === null
      ? null
      : (cascadeOf(recovery.cascade, recovery.cascade_version, recovery.cascade_steps).steps[recovery.step] ??
        null)
  if (recovery.status !== 'in_recovery' || recovery.due_at === null)
    return { step, at: null, because: recovery.due_because }
  if (recovery.parked_because !== null) return { step, at: null, because: recovery.parked_because }
  const waitsForAgenda =
    !recovery.is_sending && recovery.look_at !== null && recovery.look_at > recovery.due_at
  return waitsForAgenda
    ? { step, at: recovery.look_at, because: recovery.look_because }
    : { step, at: recovery.due_at, because: recovery.due_because }
}

export function toWorkflow(recovery: Recovery): z.input<typeof Workflow> {
  const { step, at } = plan(recovery)
  return {
    invoiceId: recovery.invoice_id,
    status: recovery.status,
    currentStep: step?.name ?? null,
    startedAt: recovery.started_at === null ? null : iso(recovery.started_at),
    actionsCompleted: recovery.actions_completed,
    nextActionAt: at === null ? null : iso(at),
  }
}

export const findReached = async (tx: Tx, invoiceId: string): Promise<Reached | null> =>
  (await tx.rows(getReached, [invoiceId]))[0] ?? null

/** Reasons that stand in nobody's way. */
const free = new Set(['cascade', 'escalated', 'on_its_way', 'awaiting_decision'])

export function toNextAction(recovery: Reached): z.input<typeof NextAction> {
  const { step, at, because } = plan(recovery)
  const { invoice_id: invoiceId, status, holds } = recovery
  const nothing = { invoiceId, nextAction: null, scheduledAt: null, channel: null }
  if (status === 'paused')
    return { ...nothing, reason: pausedInWords(holds), reasonCode: status, blockedBy: [...holds] }
  if (status !== 'in_recovery')
    return { ...nothing, reason: inWords(status), reasonCode: status, blockedBy: [] }
  const blockedBy = (code: string) => (free.has(code) ? [] : [code])
  if (at === null || step === null) {
    // A cascade of one's own may end with a message: what follows it is as open as after a review.
    const reasonCode = because ?? 'awaiting_decision'
    return { ...nothing, reason: inWords(reasonCode), reasonCode, blockedBy: blockedBy(reasonCode) }
  }
  const way = wayOf(step, reachOf(recovery, balanceOfStep(recovery)))
  const willBeSkipped = way.kind === 'skip' && !recovery.is_sending
  const reasonCode = recovery.is_sending ? 'on_its_way' : willBeSkipped ? way.because : (because ?? 'cascade')
  return {
    invoiceId,
    nextAction: step.name,
    scheduledAt: iso(at),
    channel: way.kind === 'send' ? way.channel : step.channel,
    reason: inWords(reasonCode, willBeSkipped),
    reasonCode,
    blockedBy: blockedBy(reasonCode),
  }
}
