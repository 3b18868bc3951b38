import { z } from 'zod'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import type { Shift } from '../../../domain/contact/next-legal-slot.ts'
import { messageNames } from '../../../domain/recovery/cascade.ts'
import type { FutureAction } from '../../../domain/recovery/forecast.ts'
import { recoveryStatuses } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { reasonCodes, reasonText } from '../case/reason-texts.ts'

export const PlanShift = z
  .object({
    because: z.enum(reasonCodes),
    detail: z.string(),
    from: dateTime,
    until: dateTime,
  })
  .meta({ id: 'PlanShift', description: 'One obstacle, from when to when it moved the moment' })

export const PlannedAction = z
  .object({
    action: z.enum(messageNames),
    channel: z.enum(channels).nullable().meta({ description: 'Null for a step that a person decides' }),
    scheduledAt: dateTime.nullable().meta({ description: 'Null where the plan cannot go on' }),
    communicationId: outputUuid
      .nullable()
      .meta({ description: 'Of a message beside the cascade, to take it back' }),
    day: z
      .int()
      .nullable()
      .meta({ description: 'Day of the cascade; null for a message that was asked for beside it' }),
    skipped: z.boolean().meta({ description: 'The step will be left out, for the reason given' }),
    reason: z.string(),
    reasonCode: z.enum(reasonCodes),
    isNext: z.boolean().meta({ description: 'The one that comes next' }),
    ownAt: dateTime.nullable().meta({
      description: 'Its own day and hour, before anything moved it',
    }),
    shifts: z.array(PlanShift).meta({ description: 'Everything that moved it from its own day and hour' }),
  })
  .meta({ id: 'PlannedAction' })

export const planFields = {
  cascade: z.string(),
  cascadeVersion: z.int(),
  actions: z.array(PlannedAction),
  reason: z.string().meta({ description: 'Why the plan is what it is, or why it is empty' }),
  reasonCode: z.enum(reasonCodes),
}

export const toShift = ({
  because,
  detail,
  from,
  until,
}: Omit<Shift, 'because'> & { because: string }): z.input<typeof PlanShift> => ({
  because,
  detail,
  from: iso(from),
  until: iso(until),
})

/** The actions in the order of time, with the next one marked. */
export function toPlannedActions(actions: readonly FutureAction[]): z.input<typeof PlannedAction>[] {
  const next = actions.find(({ kind, at }) => kind !== 'skip' && at !== null)
  return actions.map(action => toPlannedAction(action, action === next))
}

function toPlannedAction(action: FutureAction, isNext: boolean): z.input<typeof PlannedAction> {
  const ownAt = action.shifts[0]?.from ?? action.at
  const reasonCode = action.because ?? 'cascade'
  return {
    action: action.step,
    channel: action.channel,
    scheduledAt: action.at === null ? null : iso(action.at),
    communicationId: action.communicationId,
    day: action.day,
    skipped: action.kind === 'skip',
    reason: reasonText(reasonCode, action.kind === 'skip'),
    reasonCode,
    isNext,
    ownAt: ownAt === null ? null : iso(ownAt),
    shifts: action.shifts.map(toShift),
  }
}

export const Plan = z
  .object({ invoiceId: outputUuid, status: z.enum(recoveryStatuses), ...planFields })
  .meta({ id: 'WorkflowPlan' })

export const PlanChange = z
  .object({
    before: z.array(Plan),
    after: z.array(Plan),
  })
  .meta({
    id: 'PlanChange',
    description:
      'What is planned now, and what would be: of the invoices acted on, then of others of the debtor that would change; 20 at most',
  })

/** The fields of a reply that only a dry run has. The mark is set where every dry run is answered. */
export const dryRunMark = z
  .literal(true)
  .optional()
  .meta({ description: 'Only in the answer of a dry run: nothing was changed, and a new `id` is null' })
export const ofDryRun = {
  dryRun: dryRunMark,
  plan: PlanChange.optional().meta({
    description: 'With `dryRun` only, for who has the scope workflow:read',
  }),
}

/** A message that is still to come, with every invoice it is about. */
export interface PlannedMessage {
  readonly at: number
  readonly channel: Channel
  readonly step: string
  readonly invoiceIds: readonly string[]
  readonly shifts: readonly Shift[]
}

export const PlannedMessage = z
  .object({
    at: dateTime,
    channel: z.enum(channels),
    action: z.enum(messageNames),
    invoiceIds: z.array(outputUuid).meta({ description: 'Every invoice it is about, its own first' }),
    shifts: z.array(PlanShift).meta({ description: 'Everything that moved it from its own day and hour' }),
  })
  .meta({ id: 'PlannedMessage' })

export const toPlannedMessage = (message: PlannedMessage): z.input<typeof PlannedMessage> => ({
  at: iso(message.at),
  channel: message.channel,
  action: message.step,
  invoiceIds: [...message.invoiceIds],
  shifts: message.shifts.map(toShift),
})
