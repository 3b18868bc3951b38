import type { Tx } from '../../../kit/db/transaction.ts'
import type { Cursor, TaskRow } from './schema.ts'
import type { ChunkRef, TaskContext } from './task-context.ts'

/** Items of a chunk with the same outcome. `code` null: they succeeded. */
export interface CountedItems {
  code: string | null
  message: string | null
  count: number
}

export interface ChunkDone {
  /** Where the next chunk begins; null at the end of the task. */
  cursor: Cursor | null
  /** Called once, in the transaction that ends the chunk: writes the remaining outcomes, and counts the items. */
  settle?(tx: Tx, now: number): Promise<readonly CountedItems[]>
}

/** How one kind of task runs its chunks. */
export interface TaskWork {
  /** Refused items are counted by their code if each has its own message; else by the message. */
  readonly refusalsBy: 'code' | 'message'
  /**
   * Runs one chunk: about 500 items, or a few seconds. Safe to run twice, also at the same time. It runs outside a transaction.
   * An error is retried; `TaskFailure` ends the task.
   */
  run(context: TaskContext, task: TaskRow, ref: ChunkRef): Promise<ChunkDone>
  /** For a kind that makes a file: how it is downloaded once the task is finished. Such a task lists no items. */
  fileOf?(task: TaskRow): TaskFile
}

/** A file as it is downloaded. */
export interface TaskFile {
  name: string
  /** Its content type. */
  type: string
  /** Null: it is no table. */
  rows: number | null
  /** Turns the stored parts into the bytes to send, as a stream: nothing else is kept in memory. */
  bytesOf(parts: AsyncIterable<Buffer>): AsyncIterable<Uint8Array>
}

/** The task cannot continue, and a retry would not help. The message says why, and what to do. */
export class TaskFailure extends Error {}

/** How many items one chunk has. */
export const chunkSize = 500
