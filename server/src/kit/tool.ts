import type { Operation } from './operation.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** One operation as something a model can call. */
export interface Tool {
  readonly name: string
  readonly operation: Operation
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly isRead: boolean
}

export interface ToolOptions {
  /** For what must not happen twice. */
  readonly idempotencyKey?: string
  /** Only rehearse it. */
  readonly dryRun?: boolean
  /** The asker's own request was counted as this one: it is not counted again. */
  readonly isPaid?: boolean
  /** The conversation in which it was decided. */
  readonly conversationId?: string
}

export interface ToolAnswer {
  readonly status: number
  readonly body: unknown
}
