import { AskedThread } from '../../../kit/asked-thread.ts'
import { threadFailure } from '../../../kit/sheets/read-in-thread.ts'
import type { ReadCells } from './read-cells.ts'
import type { Language } from './row-codes.ts'
import type { ColumnMapping } from './row-fields.ts'
import type { Planned, RowsAnswer, RowsInput, RowsQuestion, StoredRow } from './rows.thread.ts'

const startThread = (data: RowsInput) =>
  new AskedThread<RowsQuestion, RowsAnswer>({
    file: new URL('./rows.thread.ts', import.meta.url),
    data,
    heapMb: 512,
    answerMs: 60_000,
    failureOf: threadFailure,
  })

/**
 * Makes the plan of a file in a thread. `nextRows` gives the next page of rows, an empty one at the end; `recall` the mapping that
 * was chosen before for files with the same titles.
 */
export async function planInThread(
  language: Language,
  nextRows: () => Promise<StoredRow[]>,
  recall: (signature: string) => Promise<ColumnMapping | undefined>,
): Promise<Planned> {
  const thread = startThread({ language, plan: null })
  try {
    for (let question: RowsQuestion = { rows: await nextRows() }; ; ) {
      const answer = await thread.ask(question)
      if ('planned' in answer) return answer.planned
      if (!('wants' in answer)) throw threadFailure('fault')
      question =
        answer.wants === 'rows' ? { rows: await nextRows() } : { mapping: await recall(answer.signature) }
    }
  } finally {
    await thread.stop()
  }
}

export interface CellsReader {
  read(rows: StoredRow[]): Promise<ReadCells[]>
  stop(): Promise<void>
}

/** Reads the cells of rows in a thread, by the plan of their file. */
export function cellsReaderInThread(plan: string, language: Language): CellsReader {
  const thread = startThread({ language, plan })
  return {
    async read(rows) {
      const answer = await thread.ask({ rows })
      if (!('read' in answer)) throw threadFailure('fault')
      return answer.read
    },
    stop: () => thread.stop(),
  }
}
