import { parentPort, workerData } from 'node:worker_threads'
import type { Cell, Row } from '../../../kit/sheets/cell.ts'
import type { Header } from './match-header.ts'
import { type HeaderFault, planImport } from './plan-file.ts'
import { cellsReaderOf, type ReadCells } from './read-cells.ts'
import type { Language } from './row-codes.ts'
import type { ColumnMapping } from './row-fields.ts'
import { planOfJson, planToJson } from './survey-file.ts'

/** A stored row. Its cells are JSON that only the thread parses. */
export interface StoredRow {
  line: number
  is_hidden: boolean
  cells: string | null
}

/** What the thread does: it makes the plan of a file, or reads rows by one. */
export type RowsInput = { language: Language; plan: string | null }

/** A page of rows, empty at the end; or the mapping that was asked for. */
export type RowsQuestion = { rows: StoredRow[] } | { mapping: ColumnMapping | undefined }

/** The plan is JSON too: it is stored as it is. */
export type Planned =
  | { header: Header; plan: string; currencyColumns: readonly number[] }
  | { header: Header | null; faults: HeaderFault[] }

export type RowsAnswer =
  | { wants: 'rows' }
  | { wants: 'mapping'; signature: string }
  | { planned: Planned }
  | { read: ReadCells[] }

const port = parentPort!
const { language, plan } = workerData as RowsInput

const rowOf = ({ line, is_hidden, cells }: StoredRow): Row => ({
  line,
  cells: cells === null ? [] : (JSON.parse(cells) as Cell[]),
  ...(is_hidden && { hidden: true }),
})

async function makePlan(): Promise<void> {
  const questions: RowsQuestion[] = []
  let wake = () => {}
  port.on('message', (question: RowsQuestion) => {
    questions.push(question)
    wake()
  })
  const next = async () => {
    if (questions.length === 0) await new Promise<void>(resolve => (wake = resolve))
    return questions.shift()!
  }
  async function* pages(): AsyncGenerator<Row[]> {
    for (let page = await next(); 'rows' in page && page.rows.length > 0; page = await next()) {
      yield page.rows.map(rowOf)
      port.postMessage({ wants: 'rows' } satisfies RowsAnswer)
    }
  }
  const planned = await planImport(pages(), {
    language,
    async recall(signature) {
      port.postMessage({ wants: 'mapping', signature } satisfies RowsAnswer)
      const answer = await next()
      return 'mapping' in answer ? answer.mapping : undefined
    },
  })
  const answer: Planned =
    'plan' in planned
      ? {
          header: planned.header,
          plan: JSON.stringify(planToJson(planned.plan)),
          currencyColumns: planned.plan.currencyColumns,
        }
      : { header: planned.header, faults: planned.faults }
  port.postMessage({ planned: answer } satisfies RowsAnswer)
}

if (plan === null) await makePlan()
else {
  const read = cellsReaderOf(planOfJson(JSON.parse(plan)), language)
  port.on('message', (question: RowsQuestion) => {
    const rows = 'rows' in question ? question.rows : []
    port.postMessage({ read: rows.map(row => read(rowOf(row))) } satisfies RowsAnswer)
  })
}
