import type { Endpoint } from './endpoint.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** One operation as something a model can call. */
export interface Tool {
  readonly name: string
  readonly operation: Endpoint
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly isRead: boolean
}

export interface ToolOptions {
  /** For a call that must not be executed twice. */
  readonly idempotencyKey?: string
  /** Only a dry run. */
  readonly dryRun?: boolean
  /** The outer request was already counted against the limits for it. */
  readonly isPaid?: boolean
  /** The conversation in which it was decided. */
  readonly conversationId?: string
}

export interface ToolResult {
  readonly status: number
  readonly body: unknown
}
