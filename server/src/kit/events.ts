import type { z } from 'zod'

/** An event is declared once; its schema is the contract with every receiver. */
export interface EventType<Data extends z.ZodType = z.ZodType> {
  readonly type: string
  readonly schemaVersion: number
  readonly summary: string
  readonly data: Data
  /** As a receiver may get it: shown in the documentation, and sent by the test of a webhook. */
  readonly example: z.input<Data>
}

export const defineEvent = <Data extends z.ZodType>(event: EventType<Data>): EventType<Data> => event

/** An audit event: a change of money, words, rights or a debtor's data. It is kept in the audit log and never delivered to webhooks. */
export interface AuditEventType<Data extends z.ZodType = z.ZodType> {
  readonly type: string
  readonly schemaVersion: number
  readonly summary: string
  readonly data: Data
}

export const defineAuditEvent = <Data extends z.ZodType>(
  auditEvent: AuditEventType<Data>,
): AuditEventType<Data> => auditEvent

export const actorKinds = [
  'api_key',
  'oauth_client',
  'person',
  'worker',
  'operator',
  'debtor',
  'provider',
] as const

/** Who did it, as stored with every event. */
export interface ActorRef {
  kind: (typeof actorKinds)[number]
  id: string
  /** The person an application acts for. */
  onBehalfOf?: string
}

/** Where an act came from; the audit log keeps it. Workers and operators have none. */
export interface Origin {
  readonly ip: string
  readonly userAgent: string | null
}

const userAgentLengthMax = 200

export const originOf = (request: {
  readonly ip: string
  readonly headers: { readonly 'user-agent'?: string | undefined }
}): Origin => ({
  ip: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, userAgentLengthMax) ?? null,
})

export interface NewEvent {
  readonly type: string
  readonly schemaVersion: number
  readonly subjectId: string
  readonly data: unknown
}

export function newEvent<Data extends z.ZodType>(
  event: Pick<EventType<Data>, 'type' | 'schemaVersion' | 'data'>,
  subjectId: string,
  data: z.input<Data>,
): NewEvent {
  return { type: event.type, schemaVersion: event.schemaVersion, subjectId, data: event.data.parse(data) }
}
