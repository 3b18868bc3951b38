import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { dataRequestDecisions, dataRequestKinds } from '../../../domain/data-request.ts'
import { replyOutcomes, situationDecisions, situations } from '../../../domain/recovery/told.ts'
import { type AuditEventType, defineAuditEvent } from '../../../kit/events.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'

const about = { debtorId: outputUuid }

/** Fields that name or reach a person. */
export const personalFields = ['name', 'email', 'phone', 'siret', 'address', 'city', 'postal_code'] as const
const otherFields = [
  'country',
  'type',
  'language',
  'insolvency_kind',
  'insolvency_opened_on',
  'insolvency_published_on',
  'insolvency_court',
  'insolvency_practitioner',
  'insolvency_declared_on',
  'insolvency_proof',
  'notes',
] as const
export const auditedFields = [...personalFields, ...otherFields] as const

const digests = z.partialRecord(z.enum(personalFields), z.string().nullable())

export const debtorCreated = defineAuditEvent({
  type: 'debtor.created',
  schemaVersion: 1,
  summary: 'A debtor was created by itself, without an invoice',
  data: z.object(about),
})

/** Personal data are digests with the debtor's salt: a known value can be proved until the salt is erased. */
export const debtorChanged = defineAuditEvent({
  type: 'debtor.changed',
  schemaVersion: 1,
  summary: 'Data of a debtor changed; old and new values are digests',
  data: z.object({ ...about, changed: z.array(z.enum(auditedFields)), before: digests, after: digests }),
})

export const debtorInChargeChanged = defineAuditEvent({
  type: 'debtor.in_charge_changed',
  schemaVersion: 1,
  summary: 'Somebody else of the company, or nobody, is in charge of a debtor',
  data: z.object({ ...about, before: outputUuid.nullable(), after: outputUuid.nullable() }),
})

export const debtorNoteWritten = defineAuditEvent({
  type: 'debtor.note_written',
  schemaVersion: 1,
  summary: 'Somebody wrote a note about a debtor',
  data: z.object({ ...about, noteId: outputUuid, invoiceId: outputUuid.nullable() }),
})

export const debtorComeBackEnded = defineAuditEvent({
  type: 'debtor.come_back_ended',
  schemaVersion: 1,
  summary: 'Somebody came back to a debtor as a note asked for',
  data: z.object({ ...about, noteId: outputUuid }),
})

export const personFields = ['name', 'role', 'ground', 'email', 'phone', 'language', 'mainFor'] as const

/** The address of a main person is one of the debtor: `debtor.changed` has its digests. */
export const debtorPersonChanged = defineAuditEvent({
  type: 'debtor.person_changed',
  schemaVersion: 1,
  summary: 'Somebody at a debtor was added, changed or removed, or became the main person',
  data: z.object({
    ...about,
    personId: outputUuid,
    act: z.enum(['added', 'changed', 'removed']),
    changed: z.array(z.enum(personFields)),
  }),
})

export const debtorChannelClosed = defineAuditEvent({
  type: 'debtor.channel_closed',
  schemaVersion: 1,
  summary: 'A channel was closed for a debtor',
  data: z.object({ ...about, channel: z.enum(channels) }),
})

export const debtorAddressRetried = defineAuditEvent({
  type: 'debtor.address_retried',
  schemaVersion: 1,
  summary: 'An address that refused a message may be tried again',
  data: z.object({ ...about, channel: z.enum(channels) }),
})

export const debtorWrongPerson = defineAuditEvent({
  type: 'debtor.wrong_person',
  schemaVersion: 1,
  summary: 'An address was said to belong to somebody else, and is never used again',
  data: z.object({ ...about, point: z.enum(['email', 'phone']), debtors: z.int() }),
})

export const debtorPaused = defineAuditEvent({
  type: 'debtor.paused',
  schemaVersion: 1,
  summary: 'Every recovery of a debtor was paused, also those that come later',
  data: z.object({ ...about, until: dateTime.nullable() }),
})

export const debtorResumed = defineAuditEvent({
  type: 'debtor.resumed',
  schemaVersion: 1,
  summary: 'The pause of a debtor was ended',
  data: z.object(about),
})

const request = { ...about, requestId: outputUuid, kind: z.enum(dataRequestKinds) }
const date = z.string().meta({ format: 'date' })

export const debtorRequestRecorded = defineAuditEvent({
  type: 'debtor.request_recorded',
  schemaVersion: 1,
  summary: 'A person objected to the use of their data, or asked to restrict it; reminders wait',
  data: z.object({ ...request, receivedOn: date, dueOn: date }),
})

export const debtorRequestDecided = defineAuditEvent({
  type: 'debtor.request_decided',
  schemaVersion: 1,
  summary: 'A request about personal data was granted, refused or lifted',
  data: z.object({ ...request, decision: z.enum(dataRequestDecisions) }),
})

export const debtorSituationReported = defineAuditEvent({
  type: 'debtor.situation_reported',
  schemaVersion: 1,
  summary: 'A person recorded a situation of a debtor that they were told of',
  data: z.object({ ...about, situationId: outputUuid, situation: z.enum(situations) }),
})

export const debtorSituationDecided = defineAuditEvent({
  type: 'debtor.situation_decided',
  schemaVersion: 1,
  summary: 'Somebody decided what a reported situation of a debtor means',
  data: z.object({
    ...about,
    situationId: outputUuid,
    situation: z.enum(situations),
    decision: z.enum(situationDecisions),
  }),
})

export const debtorReplyClosed = defineAuditEvent({
  type: 'debtor.reply_closed',
  schemaVersion: 1,
  summary: 'Somebody recorded what a reply of a debtor means, and may have answered it',
  data: z.object({
    ...about,
    replyId: outputUuid,
    outcome: z.enum(replyOutcomes),
    isAnswered: z.boolean(),
  }),
})

export const debtorAuditEvents: readonly AuditEventType[] = [
  debtorCreated,
  debtorChanged,
  debtorInChargeChanged,
  debtorNoteWritten,
  debtorComeBackEnded,
  debtorPersonChanged,
  debtorChannelClosed,
  debtorAddressRetried,
  debtorWrongPerson,
  debtorPaused,
  debtorResumed,
  debtorRequestRecorded,
  debtorRequestDecided,
  debtorSituationReported,
  debtorSituationDecided,
  debtorReplyClosed,
]
