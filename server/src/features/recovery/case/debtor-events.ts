import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { dataRequestKinds } from '../../../domain/data-request.ts'
import { debtorTypes } from '../../../domain/debtor-type.ts'
import { insolvencyKinds } from '../../../domain/recovery/insolvency.ts'
import { holds } from '../../../domain/recovery/recovery-state.ts'
import { replyOutcomes, saidReplies, situationDecisions, situations } from '../../../domain/recovery/told.ts'
import { defineEvent } from '../../../kit/events.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { givenUp, paidInTheEnd, takenToCourt } from './example-invoices.ts'
import { invoiceEventFields } from './invoice-events.ts'

/** Where the debtor said it: on their page, on the telephone, or to the company, which recorded it. */
export const saidOn = ['page', 'call', 'api'] as const
export type SaidOn = (typeof saidOn)[number]

/** What a dispute is about. The debtor chooses among most of them on its page. */
export const disputeCategories = [
  'not_received',
  'not_as_agreed',
  'wrong_quantity',
  'wrong_amount',
  'already_paid',
  'not_owed',
  'other',
] as const
export type DisputeCategory = (typeof disputeCategories)[number]

export const disputeOutcomes = ['upheld', 'rejected', 'partly'] as const

const promiseFields = {
  ...invoiceEventFields,
  promiseId: outputUuid,
  date: z.string().meta({ format: 'date' }),
  amountCents: z.int(),
}
const examplePromise = {
  ...paidInTheEnd,
  promiseId: '01a1b9f2-4180-7c02-8d3e-95b0c7614a2f',
  date: '2026-11-13',
  amountCents: 486_000,
}
const exampleDispute = { ...givenUp, disputeId: '01a1c4e9-2c00-7d15-a7f1-3b8e60d2954c' }
const invoiceIds = z.array(outputUuid).meta({ description: 'The invoices the message was about' })

export const promiseRecorded = defineEvent({
  type: 'promise.recorded',
  schemaVersion: 1,
  summary: 'The debtor promised to pay on a day, or moved a promise',
  data: z.object({ ...promiseFields, channel: z.enum(saidOn) }),
  example: { ...examplePromise, channel: 'page' },
})

export const promiseBroken = defineEvent({
  type: 'promise.broken',
  schemaVersion: 1,
  summary: 'A promised payment did not arrive in time',
  data: z.object({ ...promiseFields, brokenOn: z.string().meta({ format: 'date' }) }),
  example: { ...examplePromise, brokenOn: '2026-11-17' },
})

export const disputeOpened = defineEvent({
  type: 'dispute.opened',
  schemaVersion: 1,
  summary: 'The debtor disputes the invoice; its recovery waits',
  data: z.object({
    ...invoiceEventFields,
    disputeId: outputUuid,
    category: z
      .enum(disputeCategories)
      .nullable()
      .meta({ description: 'What it is about; null: nobody said' }),
    amountCents: z
      .int()
      .nullable()
      .meta({ description: 'What of the invoice is disputed; null for all of it' }),
    disputedCents: z.int().meta({ description: 'The same, and the whole sum where all of it is disputed' }),
    channel: z.enum(saidOn),
  }),
  example: {
    ...exampleDispute,
    category: 'not_as_agreed',
    amountCents: 24_000,
    disputedCents: 24_000,
    channel: 'page',
  },
})

export const disputeResolved = defineEvent({
  type: 'dispute.resolved',
  schemaVersion: 1,
  summary: 'A dispute ended: upheld, rejected or upheld in part',
  data: z.object({
    ...invoiceEventFields,
    disputeId: outputUuid,
    outcome: z.enum(disputeOutcomes),
    creditedCents: z.int().nullable().meta({ description: 'Of `partly`: what was credited' }),
  }),
  example: { ...exampleDispute, outcome: 'rejected', creditedCents: null },
})

export const bounceReasons = {
  email: 'hard_bounce',
  sms: 'invalid_number',
  voice: 'invalid_number',
  lrar: 'returned_letter',
} as const

export const messageBounced = defineEvent({
  type: 'message.bounced',
  schemaVersion: 1,
  summary:
    'A message came back, or its address was refused: the address, the number or the postal address does not work',
  data: z.object({
    ...invoiceEventFields,
    communicationId: outputUuid,
    channel: z.enum(channels),
    reasonCode: z.enum(['hard_bounce', 'invalid_number', 'returned_letter']),
    invoiceIds,
  }),
  example: {
    ...takenToCourt,
    communicationId: '01a1a0a3-0280-7644-9c2e-58d07ba1f346',
    channel: 'email',
    reasonCode: 'hard_bounce',
    invoiceIds: [takenToCourt.invoiceId],
  },
})

export const debtorOptedOut = defineEvent({
  type: 'debtor.opted_out',
  schemaVersion: 1,
  summary: 'The debtor does not want to be contacted on a channel any more; reported for the latest invoice',
  data: z.object({ ...invoiceEventFields, channel: z.enum(channels) }),
  example: { ...takenToCourt, channel: 'sms' },
})

export const debtorReportedWrong = defineEvent({
  type: 'debtor.wrong_person',
  schemaVersion: 1,
  summary: 'An address or number belongs to somebody else; reported for the latest invoice',
  data: z.object({ ...invoiceEventFields, contactPoint: z.enum(['email', 'phone']) }),
  example: { ...takenToCourt, contactPoint: 'email' },
})

export const replyReceived = defineEvent({
  type: 'reply.received',
  schemaVersion: 1,
  summary: 'A person answered a message, on the page or in a call; never carries what they wrote',
  data: z.object({
    ...invoiceEventFields,
    replyId: outputUuid,
    channel: z.enum(channels),
    receivedAt: dateTime,
    said: z
      .enum(saidReplies)
      .nullable()
      .optional()
      .meta({ description: 'What was chosen on the page or said in a call; null for what was written' }),
    invoiceIds,
  }),
  example: {
    ...paidInTheEnd,
    replyId: '01a1b6c8-77e0-7e21-b5a4-0d9f3c718e65',
    channel: 'email',
    receivedAt: '2026-11-07T14:20:00.000Z',
    said: null,
    invoiceIds: [paidInTheEnd.invoiceId],
  },
})

export const replyClosed = defineEvent({
  type: 'reply.closed',
  schemaVersion: 1,
  summary:
    'A person read a reply and recorded what it means; reported for the latest invoice. What follows from it has events of its own',
  data: z.object({
    ...invoiceEventFields,
    replyId: outputUuid,
    channel: z.enum(channels),
    outcome: z.enum(replyOutcomes),
  }),
  example: {
    ...paidInTheEnd,
    replyId: '01a1b6c8-77e0-7e21-b5a4-0d9f3c718e65',
    channel: 'email',
    outcome: 'promise',
  },
})

export const debtorRequestDue = defineEvent({
  type: 'debtor.request_due',
  schemaVersion: 1,
  summary: 'A request about personal data must be answered within a week; reported for the latest invoice',
  data: z.object({
    ...invoiceEventFields,
    dataRequestId: outputUuid,
    kind: z.enum(dataRequestKinds),
    receivedOn: z.string().meta({ format: 'date' }),
    dueOn: z.string().meta({ format: 'date' }),
  }),
  example: {
    ...paidInTheEnd,
    dataRequestId: '01a1b6c8-77e0-7e21-b5a4-0d9f3c718e77',
    kind: 'restriction',
    receivedOn: '2026-10-16',
    dueOn: '2026-11-16',
  },
})

const situationFields = {
  situationId: outputUuid,
  situation: z.enum(situations).meta({ description: 'What was reported; nobody has checked it' }),
}

export const situationReported = defineEvent({
  type: 'situation.reported',
  schemaVersion: 1,
  summary:
    'A debtor, or a person who was told, reported a situation in which nobody may be reminded; every recovery waits for a decision',
  data: z.object({
    ...invoiceEventFields,
    ...situationFields,
    channel: z.enum(channels),
    receivedAt: dateTime,
    invoiceIds,
  }),
  example: {
    ...takenToCourt,
    situationId: '01a1b6c8-77e0-7e21-b5a4-0d9f3c718e66',
    situation: 'deceased',
    channel: 'email',
    receivedAt: '2026-11-07T14:20:00.000Z',
    invoiceIds: [takenToCourt.invoiceId],
  },
})

export const situationDecided = defineEvent({
  type: 'situation.decided',
  schemaVersion: 1,
  summary: 'A person decided what a reported situation means; reported for the latest invoice',
  data: z.object({
    ...invoiceEventFields,
    ...situationFields,
    decision: z.enum(situationDecisions).meta({ description: 'What a person decided' }),
  }),
  example: {
    ...takenToCourt,
    situationId: '01a1b6c8-77e0-7e21-b5a4-0d9f3c718e66',
    situation: 'deceased',
    decision: 'not_confirmed',
  },
})

export const declarationDue = defineEvent({
  type: 'insolvency.declaration_due',
  schemaVersion: 1,
  summary: 'The time to declare a claim in proceedings ends soon; reported for the latest invoice',
  data: z.object({
    ...invoiceEventFields,
    kind: z.enum(insolvencyKinds),
    declareBy: z.string().meta({ format: 'date' }),
    daysLeft: z.int(),
  }),
  example: { ...takenToCourt, kind: 'liquidation', declareBy: '2027-01-18', daysLeft: 14 },
})

export const workflowPaused = defineEvent({
  type: 'workflow.paused',
  schemaVersion: 1,
  summary: 'A recovery was paused: by a person, a promise, a dispute, a reply or what is known of the debtor',
  data: z.object({
    ...invoiceEventFields,
    cause: z.enum(holds),
    until: dateTime.nullable().meta({ description: 'When it ends by itself; null if it does not' }),
  }),
  example: { ...paidInTheEnd, cause: 'promise', until: '2026-11-17T07:00:00.000Z' },
})

export const decisionDue = defineEvent({
  type: 'decision.due',
  schemaVersion: 1,
  summary: 'A person has to decide how a recovery goes on',
  data: z.object({
    ...invoiceEventFields,
    cause: z.enum(['review', 'upheld_dispute', 'unknown_send']).meta({
      description:
        'review: the reminders are over; upheld_dispute: the debtor was right; unknown_send: nobody knows whether the last message arrived',
    }),
    dueAt: dateTime,
  }),
  example: { ...givenUp, cause: 'review', dueAt: '2026-11-20T08:00:00.000Z' },
})

export const limitationApproaching = defineEvent({
  type: 'limitation.approaching',
  schemaVersion: 1,
  summary: 'The time to claim an invoice in court ends in 12, 6, 3 or 1 months, by estimate',
  data: z.object({
    ...invoiceEventFields,
    debtorType: z.enum(debtorTypes),
    limitationEndsOn: z.string().meta({ format: 'date' }),
    monthsLeft: z
      .int()
      .meta({ description: 'Of 12, 6, 3 and 1 the nearest that has begun; each comes once' }),
  }),
  example: { ...givenUp, debtorType: 'business', limitationEndsOn: '2027-05-17', monthsLeft: 6 },
})
