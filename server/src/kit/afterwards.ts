import type { Keyring } from './crypto.ts'
import type { Tx } from './db/transaction.ts'
import type { Model } from './model.ts'
import type { Actor, Outside } from './operation.ts'
import type { Tool, ToolAnswer, ToolOptions } from './tool.ts'

/** What is left of the world after the commit: one may look, wait, ask outside and write down what came of it. */
export interface Afterwards {
  /** For reading. */
  readonly tx: Tx
  readonly actor: Actor
  readonly keyring: Keyring
  readonly outside: Outside
  /** The wall when the request came, and as it is now. */
  readonly startedAt: number
  wall(): number
  /** A transaction of its own. */
  change<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  pause(ms: number): Promise<void>
  newId(): string
  /** The tenant's time is the wall and this. */
  readonly offsetMs: number
  /** What else the caller may ask for, and a way to ask for it in their name. */
  readonly tools: readonly Tool[]
  use(tool: Tool, args: unknown, options?: ToolOptions): Promise<ToolAnswer>
  /** None where the operator configured none. */
  readonly model: Model | null
  /** To a caller who listens while we work; lost on all others. */
  tell(event: string, data: unknown): void
  /** Aborted when a caller who listened has gone. */
  readonly gone: AbortSignal
  /** Where people find us. */
  readonly publicUrl: string
}
