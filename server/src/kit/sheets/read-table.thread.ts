import { parentPort, workerData } from 'node:worker_threads'
import { type Row, textOfCell } from './cell.ts'
import { readTable, type TableFacts } from './read-table.ts'
import { SheetError, type SheetErrorCode, type SheetErrorDetail, type TableLimits } from './sheet-error.ts'

/** The input of the thread. */
export interface ThreadInput {
  bytes: Uint8Array
  limits: TableLimits
  batchRows: number
  sheet?: string
}

/** The answer of the thread to each request for more. */
export type ThreadAnswer =
  | { facts: TableFacts }
  | { rows: Row[] }
  | { end: true }
  | { fault: { code: SheetErrorCode; detail: SheetErrorDetail } }

/**
 * A batch also ends after this many characters or cells, because the receiver copies it without a pause. A workbook stores a
 * long text once and may refer to it in every cell; each reference is sent as a copy.
 */
const batchCharacters = 1_000_000
const batchCells = 10_000

async function* answers({ bytes, limits, batchRows, sheet }: ThreadInput): AsyncGenerator<ThreadAnswer> {
  try {
    const { rows, ...facts } = await readTable(bytes, limits, sheet)
    yield { facts }
    let [batch, characters, cells]: [Row[], number, number] = [[], 0, 0]
    for await (const row of rows) {
      batch.push(row)
      for (const cell of row.cells) characters += textOfCell(cell).length
      cells += row.cells.length
      if (batch.length < batchRows && characters < batchCharacters && cells < batchCells) continue
      yield { rows: batch }
      ;[batch, characters, cells] = [[], 0, 0]
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
