import { expect, it } from 'vitest'
import { type BrokenFileSettings, brokenFile } from '../../../../dev/broken-file.ts'
import { rowReaderOf } from '../../../../test/harness/read-rows.ts'
import { readTableInThread } from '../../../kit/sheets/read-in-thread.ts'
import type { RowResult } from './check-fields.ts'
import { planImport } from './plan-file.ts'
import { planOfJson, planToJson } from './survey-file.ts'

async function importFile(bytes: Uint8Array): Promise<RowResult[]> {
  const planned = await planImport((await readTableInThread(bytes)).batches)
  if (!('plan' in planned)) throw new Error(planned.faults.map(({ message }) => message).join(' '))
  // Between the two passes the plan is stored.
  const stored = JSON.stringify(planToJson(planned.plan))
  const read = rowReaderOf(planOfJson(JSON.parse(stored)))
  const results: RowResult[] = []
  for await (const rows of (await readTableInThread(bytes)).batches)
    for (const row of rows) if (row.line > planned.header.line) results.push(read(row))
  return results
}

function inShort(result: RowResult) {
  if ('skipped' in result) return { line: result.line, skipped: result.skipped }
  if ('refused' in result) return { line: result.line, refused: result.refused.map(({ code }) => code) }
  return { ...result, healed: result.healed.map(({ code }) => code).sort() }
}

const settings: BrokenFileSettings[] = [
  { seed: 1, invoices: 800, kind: 'csv' },
  { seed: 2, invoices: 800, kind: 'xlsx' },
  { seed: 3, invoices: 800, kind: 'csv', isMonthFirst: true },
  { seed: 4, invoices: 800, kind: 'xlsx', isMonthFirst: true },
]

it.each(settings)('every line of a broken file becomes what it should: %j', async given => {
  const { bytes, lines } = await brokenFile(given)
  expect((await importFile(bytes)).map(inShort)).toEqual(lines)
  const codes = new Set(
    lines.flatMap(line =>
      'refused' in line ? line.refused : 'skipped' in line ? line.skipped : line.healed,
    ),
  )
  expect(codes.size).toBeGreaterThan(15)
})

it('the same seed gives the same file', async () => {
  expect((await brokenFile(settings[1]!)).bytes).toEqual((await brokenFile(settings[1]!)).bytes)
})
