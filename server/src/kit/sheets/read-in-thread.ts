import { AskedThread } from '../asked-thread.ts'
import type { Row } from './cell.ts'
import type { ThreadAnswer, ThreadInput } from './read-table.thread.ts'
import type { TableFacts } from './read-table.ts'
import { defaultTableLimits, SheetError, type TableLimits } from './sheet-error.ts'

export interface ThreadSettings {
  limits?: TableLimits
  batchRows?: number
  /** The heap limit of the thread. The file itself does not count. */
  heapMb?: number
  /** The longest wait for one batch. */
  batchMs?: number
  signal?: AbortSignal
  /** The sheet of a workbook; without it, the first that is visible and has a value. */
  sheet?: string
}

export interface ThreadTable {
  facts: TableFacts
  batches: AsyncGenerator<Row[]>
  /** Ends the thread, even if no batch was requested. */
  stop(): Promise<void>
}

const codes = { memory: 'memory_limit', time: 'time_limit', fault: 'reader_failed' } as const

/** The error for a thread that did not answer. */
export const threadFailure = (end: keyof typeof codes, cause?: unknown): SheetError =>
  new SheetError(codes[end], {}, { cause })

/** Reads a table in a separate thread: requests are not blocked, and a file that exhausts the memory ends only the thread. */
export async function readTableInThread(
  bytes: Uint8Array,
  settings: ThreadSettings = {},
): Promise<ThreadTable> {
  const {
    limits = defaultTableLimits,
    batchRows = 500,
    heapMb = 256,
    batchMs = 60_000,
    signal,
    sheet,
  } = settings
  signal?.throwIfAborted()
  if (bytes.length > limits.fileBytes) throw new SheetError('file_too_large', { limit: limits.fileBytes })
  const thread = new AskedThread<'next', ThreadAnswer>({
    file: new URL('./read-table.thread.ts', import.meta.url),
    data: { bytes, limits, batchRows, ...(sheet !== undefined && { sheet }) } satisfies ThreadInput,
    heapMb,
    answerMs: batchMs,
    failureOf: threadFailure,
  })
  const abort = () => thread.fail(signal!.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const stop = async () => {
    signal?.removeEventListener('abort', abort)
    await thread.stop()
  }
  const next = async () => {
    const answer = await thread.ask('next')
    if ('fault' in answer) throw new SheetError(answer.fault.code, answer.fault.detail)
    return answer
  }
  async function* batches(): AsyncGenerator<Row[]> {
    try {
      for (let answer = await next(); 'rows' in answer; answer = await next()) yield answer.rows
    } finally {
      await stop()
    }
  }
  try {
    const first = await next()
    if (!('facts' in first)) throw new SheetError('reader_failed')
    return { facts: first.facts, batches: batches(), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
