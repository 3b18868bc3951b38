import type { z } from 'zod'

/** An event is declared once; its schema is the promise made to every receiver. */
export interface EventType<Data extends z.ZodType = z.ZodType> {
  readonly type: string
  readonly schemaVersion: number
  readonly summary: string
  readonly data: Data
}

export const defineEvent = <Data extends z.ZodType>(event: EventType<Data>): EventType<Data> => event

/** Who did it, as stored with every event. */
export interface ActorRef {
  kind: 'api_key' | 'worker' | 'operator'
  id: string
}

export interface NewEvent {
  readonly type: string
  readonly schemaVersion: number
  readonly subjectId: string
  readonly data: unknown
}

export function newEvent<Data extends z.ZodType>(
  event: EventType<Data>,
  subjectId: string,
  data: z.input<Data>,
): NewEvent {
  return { type: event.type, schemaVersion: event.schemaVersion, subjectId, data: event.data.parse(data) }
}
