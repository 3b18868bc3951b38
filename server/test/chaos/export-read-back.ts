import { isDeepStrictEqual } from 'node:util'
import { planImport } from '../../src/features/receivables/file-rows/plan-file.ts'
import type { Row } from '../../src/kit/sheets/cell.ts'
import { readTable } from '../../src/kit/sheets/read-table.ts'
import { rowReaderOf } from '../harness/read-rows.ts'
import type { FilledInvoice } from './export-fill.ts'

/** An import takes no more rows from one file. */
const rowsPerFile = 100_000

/** Divides a CSV file, as it arrives, into files that the import takes, each with the header. Line breaks in quotes belong to their row. */
export async function* divideCsv(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ bytes: Buffer; rows: number }> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let [header, rest, row, rows]: [string | null, string, string, number] = [null, '', '', 0]
  let lines: string[] = []
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = parts.pop()!
    for (const part of parts) {
      row += `${part}\n`
      if (row.split('"').length % 2 === 0) continue
      if (header === null) header = row
      else if (lines.push(row) === rowsPerFile) {
        yield { bytes: Buffer.from(header + lines.join('')), rows: lines.length }
        rows += lines.length
        lines = []
      }
      row = ''
    }
  }
  if (lines.length > 0 || rows === 0)
    yield { bytes: Buffer.from(header + lines.join('')), rows: lines.length }
}

/** Reads a file as the import does; returns the lines that differ from what was inserted, and how many rows there were. */
export async function readBack(
  bytes: Uint8Array,
  expected: (n: number) => FilledInvoice,
  from: number,
): Promise<{ rows: number; differing: unknown[] }> {
  const open = async function* () {
    let batch: Row[] = []
    for await (const row of (await readTable(bytes)).rows)
      if (batch.push(row) === 500) {
        yield batch
        batch = []
      }
    yield batch
  }
  const planned = await planImport(open())
  if (!('plan' in planned)) return { rows: 0, differing: [planned.faults] }
  const readRow = rowReaderOf(planned.plan)
  const differing: unknown[] = []
  let rows = 0
  for await (const batch of open())
    for (const row of batch) {
      if (row.line <= planned.header.line) continue
      const result = readRow(row)
      const input = 'input' in result ? result.input : null
      const seen = input && {
        number: input.invoiceNumber,
        amountCents: input.amountCents,
        issueDate: input.issueDate,
        dueDate: input.dueDate,
        description: input.description,
        debtor: { name: input.debtor.name, email: input.debtor.email },
      }
      if (!isDeepStrictEqual(seen, expected(from + rows)) && differing.length < 5) differing.push(result)
      rows++
    }
  return { rows, differing }
}
