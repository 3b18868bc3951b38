import { Worker } from 'node:worker_threads'
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
}

export interface ThreadTable {
  facts: TableFacts
  batches: AsyncGenerator<Row[]>
  /** Ends the thread, even if no batch was requested. */
  stop(): Promise<void>
}

const outOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

/** Asks the thread for one answer at a time. If the thread ends for any reason, the request fails with a typed error. */
class Reader {
  private readonly worker: Worker
  private readonly batchMs: number
  private failure: Error | null = null
  private waiting: PromiseWithResolvers<ThreadAnswer> | null = null

  constructor(input: ThreadInput, heapMb: number, batchMs: number) {
    this.batchMs = batchMs
    this.worker = new Worker(new URL('./read-table.thread.ts', import.meta.url), {
      workerData: input,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
      // It reads a file and nothing else: no settings, no secrets, no arguments of the process.
      env: {},
      argv: [],
      execArgv: [],
    })
    this.worker.on('message', (answer: ThreadAnswer) => this.waiting?.resolve(answer))
    this.worker.on('error', error =>
      this.fail(new SheetError(outOfMemory(error) ? 'memory_limit' : 'reader_failed', {}, { cause: error })),
    )
    this.worker.on('exit', () => this.fail(new SheetError('reader_failed')))
  }

  fail(error: Error): void {
    this.failure ??= error
    this.waiting?.reject(this.failure)
  }

  async ask(): Promise<ThreadAnswer> {
    if (this.failure) throw this.failure
    this.waiting = Promise.withResolvers()
    const timer = setTimeout(() => this.fail(new SheetError('time_limit')), this.batchMs)
    this.worker.postMessage('next')
    try {
      const answer = await this.waiting.promise
      if ('fault' in answer) throw new SheetError(answer.fault.code, answer.fault.detail)
      return answer
    } finally {
      clearTimeout(timer)
      this.waiting = null
    }
  }

  async stop(): Promise<void> {
    await this.worker.terminate()
  }
}

/** Reads a table in a separate thread: requests are not blocked, and a file that exhausts the memory ends only the thread. */
export async function readTableInThread(
  bytes: Uint8Array,
  settings: ThreadSettings = {},
): Promise<ThreadTable> {
  const { limits = defaultTableLimits, batchRows = 500, heapMb = 256, batchMs = 60_000, signal } = settings
  signal?.throwIfAborted()
  if (bytes.length > limits.fileBytes) throw new SheetError('file_too_large', { limit: limits.fileBytes })
  const reader = new Reader({ bytes, limits, batchRows }, heapMb, batchMs)
  const abort = () => reader.fail(signal!.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const stop = async () => {
    signal?.removeEventListener('abort', abort)
    await reader.stop()
  }
  async function* batches(): AsyncGenerator<Row[]> {
    try {
      for (let answer = await reader.ask(); 'rows' in answer; answer = await reader.ask()) yield answer.rows
    } finally {
      await stop()
    }
  }
  try {
    const first = await reader.ask()
    if (!('facts' in first)) throw new SheetError('reader_failed')
    return { facts: first.facts, batches: batches(), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
