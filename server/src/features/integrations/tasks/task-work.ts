import type { Tx } from '../../../kit/db/transaction.ts'
import type { TaskRow } from './task.ts'
import type { ChunkRef, TaskContext } from './task-context.ts'

/** What a cursor may be: it is stored as JSON. */
export type Cursor = string | number | { readonly [key: string]: string | number | boolean | null }

/** Items of a chunk with the same outcome. `code` null: they succeeded. */
export interface CountedItems {
  code: string | null
  message: string | null
  count: number
}

export interface ChunkDone {
  /** Where the next chunk begins; null at the end of the task. */
  cursor: Cursor | null
  /** Called in the transaction that ends the chunk, which is once: writes what is not written yet, and counts the items. */
  settle?(tx: Tx, now: number): Promise<readonly CountedItems[]>
}

/** How the chunks of one kind of task are done. */
export interface TaskWork {
  /** Refused items are counted by their code where each has a sentence of its own; else by the sentence. */
  readonly refusalsBy: 'code' | 'message'
  /**
   * Does one chunk: about 500 items, or a few seconds. Safe to run twice, also at the same time. It runs outside of a transaction, and
   * what is thrown here is tried again; `TaskFailure` ends the task.
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
  /** The bytes that are sent, made of the parts that are stored, while they are read: nothing else is kept in memory. */
  bytesOf(parts: AsyncIterable<Buffer>): AsyncIterable<Uint8Array>
}

/** The task cannot go on, and trying again would not help. The sentence says why, and what to do. */
export class TaskFailure extends Error {}

/** How many items one chunk has. */
export const chunkSize = 500
