import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { workbookOf } from '../../../test/harness/zip-of.ts'
import type { Cell, Row } from './cell.ts'
import { readTableInThread } from './read-in-thread.ts'
import { defaultTableLimits } from './sheet-error.ts'
import { writeTable } from './write-table.ts'

const csv = (rows: number) =>
  Buffer.from(`number;amount\n${Array.from({ length: rows }, (_, at) => `F-${at};${at},50`).join('\n')}\n`)

/** Fifty thousand rows of twenty columns, none of them repeated. */
function* manyRows(count: number): Generator<Cell[]> {
  for (let at = 0; at < count; at++)
    yield Array.from(
      { length: 20 },
      (_, column): Cell =>
        column % 2 === 0 ? { kind: 'number', text: String(at * 20 + column) } : `cell ${at} ${column}`,
    )
}
const header = Array.from({ length: 20 }, (_, at) => `Column ${at}`)

async function all(batches: AsyncIterable<Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const batch of batches) rows.push(...batch)
  return rows
}

it('the rows arrive in batches, with what is known of the file', async () => {
  const { facts, batches } = await readTableInThread(csv(1200))
  expect(facts).toMatchObject({ kind: 'csv', separator: ';', encoding: 'utf-8' })
  const sizes: number[] = []
  for await (const batch of batches) sizes.push(batch.length)
  expect(sizes).toEqual([500, 500, 201])
})

it('a file that is refused has the code and the sentence of the reader', async () => {
  await expect(readTableInThread(Buffer.from('%PDF-1'))).rejects.toMatchObject({ code: 'not_a_table' })
  const { batches } = await readTableInThread(Buffer.from(`a;b\n${'1;2\n'.repeat(10)}"open\n`), {
    batchRows: 5,
  })
  await expect(all(batches)).rejects.toMatchObject({ code: 'quote_not_closed', detail: { line: 12 } })
})

it('a long text that every cell repeats makes batches shorter, never larger', async () => {
  const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`
  const sharedStrings = `<si><t>${'x'.repeat(20_000)}</t></si>`
  const { batches } = await readTableInThread(
    await workbookOf({ sheets: { A: row.repeat(12) }, sharedStrings }),
  )
  const sizes: number[] = []
  for await (const batch of batches) sizes.push(batch.length)
  expect(sizes).toEqual(Array.from({ length: 12 }, () => 1))
})

it('a fault of the reader itself is a typed error', async () => {
  await expect(readTableInThread({ length: 1 } as never)).rejects.toMatchObject({ code: 'reader_failed' })
})

it('a heap that is too small ends the thread with a typed error, and the process goes on', async () => {
  const sharedStrings = Array.from(
    { length: 400_000 },
    (_, at) => `<si><t>a text that is kept ${at}</t></si>`,
  ).join('')
  const bytes = await workbookOf({ sheets: { A: '<row><c><v>1</v></c></row>' }, sharedStrings })
  await expect(readTableInThread(bytes, { heapMb: 8 })).rejects.toMatchObject({ code: 'memory_limit' })
  expect(await all((await readTableInThread(csv(3))).batches)).toHaveLength(4)
})

it('a thread that takes too long is ended', async () => {
  await expect(readTableInThread(csv(10), { batchMs: 0 })).rejects.toMatchObject({ code: 'time_limit' })
})

it('an abort ends a waiting reader', async () => {
  const controller = new AbortController()
  const { batches } = await readTableInThread(csv(5000), { signal: controller.signal })
  await batches.next()
  controller.abort(new Error('the task was cancelled'))
  await expect(batches.next()).rejects.toThrow('the task was cancelled')
  await expect(readTableInThread(csv(1), { signal: controller.signal })).rejects.toThrow(
    'the task was cancelled',
  )
})

it('leaving the loop, the last row and a refusal end the thread', async () => {
  const ports = () => process.getActiveResourcesInfo().filter(name => name === 'MessagePort').length
  const before = ports()
  const left = await readTableInThread(csv(5000))
  expect(ports()).toBe(before + 1)
  for await (const _ of left.batches) break
  expect((await left.batches.next()).done).toBe(true)
  await all((await readTableInThread(csv(10))).batches)
  await readTableInThread(Buffer.from('%PDF-1')).catch(() => null)
  await (await readTableInThread(csv(10))).stop()
  await expect.poll(ports).toBe(before)
})

it('fifty thousand rows of twenty columns need a heap of 24 MB, and a slow receiver no more', async () => {
  const bytes = await buffer(writeTable('xlsx', { header, rows: manyRows(50_000) }) as never)
  const { batches } = await readTableInThread(bytes, { heapMb: 24, limits: defaultTableLimits })
  let [count, last] = [0, 0]
  for await (const batch of batches) {
    count += batch.length
    last = batch.at(-1)!.line
    if (count === 5000) await new Promise(resolve => setTimeout(resolve, 200))
  }
  expect([count, last]).toEqual([50_001, 50_001])
  // A minute on a machine that does something else.
}, 180_000)
