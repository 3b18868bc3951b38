import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { saidReplies, situations } from '../../../domain/recovery/told.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'

/** What waits for a person, the most urgent first, and the group each kind is in. */
export const groupOfKind = {
  situation: 'decisions',
  claim: 'decisions',
  data_request: 'decisions',
  reply: 'replies',
  dispute: 'disputes',
  decision: 'decisions',
  promise_broken: 'promises',
  address_refused: 'addresses',
  wrong_person: 'addresses',
  unknown_message: 'messages',
  follow_up: 'follow_ups',
} as const
export const workKinds = Object.keys(groupOfKind) as (keyof typeof groupOfKind)[]

export const workGroups = [
  'decisions',
  'replies',
  'disputes',
  'promises',
  'addresses',
  'messages',
  'follow_ups',
] as const
export type WorkGroup = (typeof workGroups)[number]

/** Why a person decides how the recovery goes on, with the standing of the invoices. */
export const standingOfCause = {
  finished: 'decide',
  upheld: 'held:upheld',
  reopened: 'held:reopened',
} as const
export const decisionCauses = ['finished', 'upheld', 'reopened'] as const

/** The most tasks shown of one debtor. */
export const tasksMax = 20
/** The most invoices counted for one task. */
export const invoicesMax = 1_000

const date = z.string().meta({ format: 'date' })

export const WorkTask = z
  .object({
    kind: z.enum(workKinds),
    group: z.enum(workGroups).meta({ description: 'The group it is counted in' }),
    since: dateTime.meta({ description: 'When it arose, UTC; of several invoices, the oldest' }),
    id: outputUuid.nullable().meta({
      description: 'Of the reply, situation, dispute, promise, request, message or note; null for the others',
    }),
    invoiceId: outputUuid
      .nullable()
      .meta({ description: 'Its invoice; of several the oldest, null if it is about the debtor' }),
    invoiceNumber: z.string().nullable().meta({ description: 'The number of that invoice' }),
    invoices: z.int().meta({
      description: `How many invoices it stands for, counted up to ${invoicesMax.toLocaleString('en')}; 0 if it is about the debtor`,
    }),
    amountCents: z.int().nullable().meta({ description: 'What is disputed or was promised' }),
    channel: z
      .enum(channels)
      .nullable()
      .meta({ description: 'Of the reply or message; of an address, the channel that it closes' }),
    said: z
      .enum([...saidReplies, ...situations])
      .nullable()
      .meta({ description: 'What was chosen or understood; null for what was written' }),
    because: z.enum(decisionCauses).nullable().meta({
      description:
        'Of a decision: the reminders are finished, a dispute was accepted, or a payment was taken back',
    }),
    dueOn: date.nullable().meta({
      description: 'The last day of an answer or declaration; the day that was promised, or to come back on',
    }),
  })
  .meta({ id: 'WorkTask', description: 'Something that waits for a person' })

export const WorkLine = z
  .object({
    debtorId: outputUuid,
    name: z.string().meta({ description: 'Of the debtor' }),
    openCents: z.int().meta({ description: "Principal still to be paid, in the company's currency" }),
    currency: z.string(),
    oldestDaysOverdue: z.int().nullable().meta({
      description: 'Of the oldest open invoice; negative before its due date; null if none is open',
    }),
    inChargeId: outputUuid.nullable().meta({ description: 'The person in charge; null if nobody is' }),
    comeBackOn: date
      .nullable()
      .meta({ description: 'The day that was noted to come back; null if none was, or it is done' }),
    tasks: z
      .array(WorkTask)
      .meta({ description: `The most urgent first, those of the group before; ${tasksMax} at most` }),
    taskCount: z.int().meta({ description: 'How many there are' }),
  })
  .meta({ id: 'WorkLine', description: 'A debtor with something that waits for a person' })

const debtors = z.int().meta({ description: 'How many debtors' })

export const WorkSummary = z
  .object({
    groups: z
      .array(z.object({ group: z.enum(workGroups).meta({ description: 'What waits' }), debtors }))
      .meta({ description: 'Every group, also the empty ones; a debtor may be in several' }),
    all: z
      .object({
        debtors,
        openCents: z
          .int()
          .meta({ description: "Their principal still to be paid, in the company's currency" }),
        currency: z.string(),
      })
      .meta({ description: 'The debtors of all groups, each once' }),
    mine: z
      .object({ debtors })
      .meta({ description: 'Those the caller is in charge of, whatever `inCharge`' }),
    later: z.object({ debtors }).meta({ description: 'Those put off to a later day; not in the others' }),
  })
  .meta({ id: 'WorkSummary' })

/** A filter by the person in charge, in both operations. */
export const inChargeFilter = z
  .string()
  .regex(/^(me|none|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/, 'must be me, none or a UUID')
  .transform(value => value.toLowerCase())
  .optional()
  .meta({
    description: '`me`, `none`, or the id of a person. With a key, which is no person, `me` finds nothing',
  })
