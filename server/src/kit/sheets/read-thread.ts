import { parentPort, workerData } from 'node:worker_threads'
import type { Row } from './cell.ts'
import type { TableFacts } from './read-table.ts'
import { readTable } from './read-table.ts'
import { SheetError, type SheetErrorCode, type SheetErrorDetail, type TableLimits } from './sheet-error.ts'

/** What the thread is started with. */
export interface ThreadInput {
  bytes: Uint8Array
  limits: TableLimits
  batchRows: number
}

/** What the thread answers to each request for more. */
export type ThreadAnswer =
  | { facts: TableFacts }
  | { rows: Row[] }
  | { end: true }
  | { fault: { code: SheetErrorCode; detail: SheetErrorDetail } }

async function* answers({ bytes, limits, batchRows }: ThreadInput): AsyncGenerator<ThreadAnswer> {
  try {
    const { rows, ...facts } = await readTable(bytes, limits)
    yield { facts }
    let batch: Row[] = []
    for await (const row of rows) {
      batch.push(row)
      if (batch.length < batchRows) continue
      yield { rows: batch }
      batch = []
    }
    if (batch.length > 0) yield { rows: batch }
    yield { end: true }
  } catch (error) {
    if (!(error instanceof SheetError)) throw error
    yield { fault: { code: error.code, detail: error.detail } }
  }
}

const port = parentPort!
const answer = answers(workerData as ThreadInput)
// Nothing is read before it is asked for, so that a slow receiver is never sent more than it can take.
port.on('message', async () => {
  const { value, done } = await answer.next()
  if (done) port.close()
  else port.postMessage(value)
})
