import { z } from 'zod'
import { cascadeOf } from '../../domain/cascade.ts'
import { channels } from '../../domain/channel.ts'
import { iso } from '../../kit/clock.ts'
import type { Tables } from '../../kit/db/schema.generated.ts'
import { sql } from '../../kit/db/statement.ts'
import type { Tx } from '../../kit/db/transaction.ts'
import { dateTime, outputUuid } from '../../kit/fields.ts'

export const workflowStatuses = [
  'pending',
  'in_recovery',
  'paused',
  'completed',
  'cancelled',
  'judicial',
] as const

export const Workflow = z
  .object({
    invoiceId: outputUuid,
    status: z.enum(workflowStatuses),
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
  status: (typeof workflowStatuses)[number]
  is_sending: boolean
  /** When the debtor will be looked at, in the tenant's time; later than `due_at` when somebody else's turn comes first. */
  look_at: number | null
  look_because: string | null
  parked_because: string | null
}

const get = sql<Recovery>(
  `select r.invoice_id, r.status, r.cascade, r.cascade_version, r.step, r.started_at, r.due_at, r.due_because, r.actions_completed,
          r.communication_id is not null as is_sending,
          a.wake_at + (t.clock_offset_ms + n.clock_offset_ms) * interval '1 millisecond' as look_at,
          a.wake_because as look_because, a.parked_because
     from recoveries r
     join tenants t on t.id = r.tenant_id
     cross join installation n
     left join agendas a on a.tenant_id = r.tenant_id and a.debtor_id = r.debtor_id
    where r.invoice_id = $1`,
)

export const findRecovery = async (tx: Tx, invoiceId: string): Promise<Recovery | null> =>
  (await tx.rows(get, [invoiceId]))[0] ?? null

/** What happens next and why then: the step's own moment, or a later one because the person was or will be contacted before. */
function plan(recovery: Recovery) {
  const step =
    recovery.started_at === null
      ? null
      : (cascadeOf(recovery.cascade, recovery.cascade_version).steps[recovery.step] ?? null)
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

const reasons: Record<string, string> = {
  outside_hours: 'Nobody is contacted before 08:00 or from 20:00 on, in the debtor’s local time.',
  sunday: 'Nobody is contacted on a Sunday.',
  public_holiday: 'Nobody is contacted on a public holiday.',
  one_contact_a_day: 'This person is already contacted that day; one contact a day is the limit.',
  channel_cooldown: 'Three days pass between two messages on one channel.',
  calendar_missing: 'No calendar of public holidays covers the debtor’s country, so nothing may be sent.',
  calendar_horizon: 'The calendar of public holidays ends before that day, so nothing may be sent.',
  awaiting_decision: 'The reminders are over; a person decides what follows.',
  step_not_available: 'This step cannot be sent by this version of the service.',
  cascade: 'The next step of the cascade.',
  pending: 'The recovery has not been started.',
  paused: 'The recovery is paused.',
  completed: 'The recovery is completed.',
  cancelled: 'The recovery was cancelled.',
  judicial: 'The case is before the court.',
}

export function toNextAction(recovery: Recovery): z.input<typeof NextAction> {
  const { step, at, because } = plan(recovery)
  const reasonCode = recovery.status === 'in_recovery' ? (because ?? 'cascade') : recovery.status
  return {
    invoiceId: recovery.invoice_id,
    nextAction: at === null ? null : (step?.name ?? null),
    scheduledAt: at === null ? null : iso(at),
    channel: at === null ? null : (step?.channel ?? null),
    reason: reasons[reasonCode] ?? 'Held by our side; we have been told.',
    reasonCode,
  }
}
