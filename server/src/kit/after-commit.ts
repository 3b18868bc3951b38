import type { Actor } from './actor.ts'
import type { Keyring } from './crypto.ts'
import type { Tx } from './db/transaction.ts'
import type { TenantClient } from './egress/egress.ts'
import type { Model } from './model.ts'
import type { Tool, ToolOptions, ToolResult } from './tool.ts'

/** The context of a follow-up after the commit: it can read, wait, call external services, and save the result. */
export interface AfterCommit {
  /** For reading. */
  readonly tx: Tx
  readonly actor: Actor
  readonly keyring: Keyring
  /** The HTTP client for URLs that customers gave us. */
  readonly external: Omit<TenantClient, 'close'>
  /** Real time when the request came; `wall()` is real time now. */
  readonly startedAt: number
  wall(): number
  /** Runs `work` in a new transaction. */
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  pause(ms: number): Promise<void>
  newId(): string
  /** Tenant time is real time plus this offset. */
  readonly offsetMs: number
  /** The operations this caller may use as tools; `useTool` calls one in the caller's name. */
  readonly tools: readonly Tool[]
  useTool(tool: Tool, args: unknown, options?: ToolOptions): Promise<ToolResult>
  /** Null when the operator configured no model. */
  readonly model: Model | null
  /** Sends an event to a caller that accepts an event stream; does nothing for other callers. */
  emit(event: string, data: unknown): void
  /** Aborted when a caller with an event stream disconnects. */
  readonly disconnected: AbortSignal
  /** The public base URL of this installation. */
  readonly publicUrl: string
}
