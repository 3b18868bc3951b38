import { beforeEach, describe, expect, it } from 'vitest'
import { brokenFile } from '../../../../../dev/broken-file.ts'
import { useManualTasks } from '../../../../../test/harness/manual-tasks.ts'
import { readInvoiceFile } from '../../../../../test/harness/read-rows.ts'
import { newSandbox, type Sandbox } from '../../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../../test/harness/use-installation.ts'
import { workbookOf } from '../../../../../test/harness/zip-of.ts'
import { choicesFrom } from '../../../../../test/spreadsheets/choices.ts'
import { drawFile } from '../../../../../test/spreadsheets/draw-file.ts'
import { writeFile } from '../../../../../test/spreadsheets/write-file.ts'

const installation = useInstallation({ hasWorker: false })
const tasks = useManualTasks(installation)

interface ImportTask {
  id: string
  status: string
  isDryRun: boolean
  progress: { done: number; total: number | null }
  succeeded: number
  refused: number
  refusals: { code: string; message: string; count: number }[]
  import: {
    file: { kind: string; sheet: string | null; sheets: { name: string; hidden: boolean }[] }
    columns: { column: number; title: string; field: string | null }[]
    faults: { code: string; field: string; message: string }[]
    debtors: { matched: number; new: number } | null
    healed: { code: string; message: string; count: number }[]
    firstMessages: { date: string; channel: string; count: number }[]
    undoTaskId: string | null
  } | null
  failure: string | null
}
interface Item {
  invoiceId: string | null
  line: number
  succeeded: boolean
  code: string | null
  message: string | null
  healed: { field: string; title: string; from: string; to: string; code: string }[]
}

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await newSandbox(installation)
})

const upload = (raw: string | Buffer, query = '', headers: Record<string, string> = {}) =>
  installation.call<ImportTask>('POST', `/api/v1/tasks/import${query}`, {
    key: sandbox.key,
    raw,
    headers: { 'content-type': 'text/csv', ...headers },
  })
const read = (id: string) => sandbox.done<ImportTask>('GET', `/api/v1/tasks/${id}`)
const start = (id: string) => sandbox.done<ImportTask>('POST', `/api/v1/tasks/${id}/start`)
const runAll = () => tasks.runAll(sandbox.tenantId)
async function itemsOf(id: string): Promise<Item[]> {
  const items: Item[] = []
  for (let page = 1; ; page++) {
    const found = await sandbox.done<Item[]>('GET', `/api/v1/tasks/${id}/items?limit=100&page=${page}`)
    items.push(...found)
    if (found.length < 100) return items
  }
}
const numbers = async () =>
  (
    await installation.sql<{ number: string }>(
      'select number from invoices where tenant_id = $1 order by number',
      [sandbox.tenantId],
    )
  ).map(({ number }) => number)

const header = 'N° facture;Client;E-mail;Code postal;Date facture;Échéance;Montant TTC'
const rowOf = (number: string, changes: { name?: string; amount?: string } = {}) =>
  `${number};${changes.name ?? 'Petit & Fils'};compta@petit.example;69003;01/09/2026;01/02/2027;${changes.amount ?? '1 234,56'}`
const csv = (...rows: string[]) => [header, ...rows].join('\n')

it('a file is read and judged, nothing is created before start, then every good row once', async () => {
  const made = await upload(
    csv(
      rowOf('F-1'),
      rowOf('F-2', { name: 'Durand SARL' }),
      rowOf('F-3', { amount: 'beaucoup' }),
      ';;;;;TOTAL;2 469,12',
    ),
    '?fileName=clients.csv&language=fr',
  )
  expect(made.status, made.text).toBe(201)
  expect(made.body.data).toMatchObject({ kind: 'import', status: 'waiting', isDryRun: true })
  const { id } = made.body.data
  await runAll()
  const reviewed = await read(id)
  expect(reviewed).toMatchObject({
    status: 'review',
    succeeded: 2,
    refused: 2,
    progress: { done: 4, total: 4 },
    import: {
      file: { kind: 'csv' },
      faults: [],
      debtors: { matched: 0, new: 2 },
      firstMessages: [{ date: '2027-02-02', channel: 'email', count: 2 }],
    },
  })
  expect(reviewed.refusals.map(({ code }) => code).sort()).toEqual(['amount_not_a_number', 'total_row'])
  expect(await numbers()).toEqual([])
  expect((await itemsOf(id)).map(({ line, code }) => [line, code])).toEqual([
    [2, null],
    [3, null],
    [4, 'amount_not_a_number'],
    [5, 'total_row'],
  ])
  await start(id)
  await runAll()
  expect(await read(id)).toMatchObject({ status: 'finished', succeeded: 2, refused: 2 })
  expect(await numbers()).toEqual(['F-1', 'F-2'])
  const [first] = await itemsOf(id)
  expect(await sandbox.done('GET', `/api/v1/invoices/${first!.invoiceId}`)).toMatchObject({
    invoiceNumber: 'F-1',
    amountCents: 123_456,
    issueDate: '2026-09-01',
    dueDate: '2027-02-01',
  })
  const [left] = await installation.sql<{ cells: number; parts: number }>(
    `select (select count(cells) from import_rows where tenant_id = $1 and state = 'done' and code is null)::integer as cells,
            (select count(*) from task_file_parts where tenant_id = $1)::integer as parts`,
    [sandbox.tenantId],
  )
  expect(left).toEqual({ cells: 0, parts: 0 })
})

it.each(['csv', 'xlsx'] as const)(
  'every line of a broken %s file becomes what it should',
  async kind => {
    const { bytes, lines } = await brokenFile({ seed: 7, invoices: 700, kind })
    const { id } = (await upload(bytes, '', { 'content-type': 'application/octet-stream' })).body.data
    await runAll()
    await start(id)
    await runAll()
    const task = await read(id)
    const good = lines.filter(line => 'input' in line)
    expect(task).toMatchObject({
      status: 'finished',
      succeeded: good.length,
      refused: lines.length - good.length,
    })
    const items = await itemsOf(id)
    expect(items.map(({ line, code }) => [line, code])).toEqual(
      lines.map(line => [
        line.line,
        'refused' in line ? line.refused[0] : 'skipped' in line ? line.skipped : null,
      ]),
    )
    expect(await numbers()).toEqual(good.map(({ input }) => input.invoiceNumber).sort())
  },
  60_000,
)

describe('under faults', () => {
  it('chunks that are run twice at once create each invoice once', async () => {
    const rows = Array.from({ length: 620 }, (_, n) => rowOf(`F-${n}`, { name: `Client ${n % 40}` }))
    const { id } = (await upload(csv(...rows))).body.data
    await runAll()
    await start(id)
    for (let chunk = await tasks.take(sandbox.tenantId); chunk; ) {
      const ends = await Promise.all([tasks.run(chunk), tasks.run(chunk)])
      const more = ends.find(end => end.kind === 'more')
      chunk = more?.kind === 'more' ? more.next : null
    }
    expect(await read(id)).toMatchObject({ status: 'finished', succeeded: 620, refused: 0 })
    expect(await numbers()).toHaveLength(620)
    const [debtors] = await installation.sql<{ n: number }>(
      'select count(*)::integer as n from debtors where tenant_id = $1',
      [sandbox.tenantId],
    )
    expect(debtors!.n).toBe(40)
  })

  it('a file that was read in part is read to its end by the next attempt', async () => {
    const { id } = (await upload(csv(rowOf('F-1'), rowOf('F-2'), rowOf('F-3')))).body.data
    await installation.sql(
      `insert into import_rows (tenant_id, task_id, line, is_hidden, cells) values ($1, $2, 1, false, $3)`,
      [sandbox.tenantId, id, JSON.stringify(header.split(';'))],
    )
    await runAll()
    expect(await read(id)).toMatchObject({ status: 'review', succeeded: 3 })
  })
})

describe('columns', () => {
  const unknown = [
    'Ref;Qui;Contact;Du;Au;Combien',
    'F-1;Petit;compta@petit.example;01/09/2026;01/02/2027;10,00',
  ]
  const ambiguous = [
    'N° facture;Client;E-mail;Date facture;Échéance;Montant TTC;Total TTC',
    'F-1;Petit;compta@petit.example;01/09/2026;01/02/2027;10,00;12,00',
  ]

  it('a file without titles is in review with the cause, and cannot be started', async () => {
    const { id } = (await upload(unknown.join('\n'))).body.data
    await runAll()
    expect(await read(id)).toMatchObject({
      status: 'review',
      import: { faults: [{ code: 'header_not_found' }] },
    })
    const refused = await sandbox.call('POST', `/api/v1/tasks/${id}/start`)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'RES_003'])
    const mapped = await sandbox.call('PUT', `/api/v1/tasks/${id}/mapping`, {
      columns: [{ column: 0, field: 'invoiceNumber' }],
    })
    expect(mapped.status).toBe(409)
  })

  it('what a person says about columns is used, and remembered for the next file', async () => {
    const { id } = (await upload(ambiguous.join('\n'))).body.data
    await runAll()
    const { import: report } = await read(id)
    expect(report!.faults).toMatchObject([{ code: 'column_ambiguous', field: 'amount' }])
    const columns = [
      { column: 0, field: 'invoiceNumber' },
      { column: 1, field: 'debtor.name' },
      { column: 2, field: 'debtor.email' },
      { column: 3, field: 'issueDate' },
      { column: 4, field: 'dueDate' },
      { column: 6, field: 'amount' },
    ]
    const wrong = await sandbox.call('PUT', `/api/v1/tasks/${id}/mapping`, {
      columns: [...columns, { column: 9, field: 'currency' }],
    })
    expect([wrong.status, wrong.body.error.details?.[0]?.field]).toEqual([400, 'columns[6].column'])
    await sandbox.done('PUT', `/api/v1/tasks/${id}/mapping`, { columns })
    await runAll()
    expect(await read(id)).toMatchObject({ status: 'review', succeeded: 1, import: { faults: [] } })
    await start(id)
    await runAll()
    const [item] = await itemsOf(id)
    expect(await sandbox.done('GET', `/api/v1/invoices/${item!.invoiceId}`)).toMatchObject({
      amountCents: 1200,
    })
    const next = (await upload(ambiguous.join('\n').replace('F-1', 'F-2'))).body.data
    await runAll()
    expect(await read(next.id)).toMatchObject({ status: 'review', succeeded: 1, import: { faults: [] } })
  })
})

/** What was imported, by number. */
const imported = (tenantId: string) =>
  installation.sql<{ number: string; cents: number; currency: string; due: string; name: string }>(
    `select i.number, i.amount_cents::float8 as cents, i.currency, i.due_date::text as due, d.name
       from invoices i join debtors d on d.tenant_id = i.tenant_id and d.id = i.debtor_id
      where i.tenant_id = $1 order by i.number`,
    [tenantId],
  )

it('NDJSON has the names and units of the API, nested or flat', async () => {
  const invoice = { issueDate: '2026-03-04', dueDate: '2027-02-01', currency: 'USD' }
  const lines = [
    { invoiceNumber: 'N-1', amountCents: 1250, ...invoice, debtor: { name: 'A', email: 'a@nd.example' } },
    { invoiceNumber: 'N-2', amountCents: 99, ...invoice, 'debtor.name': 'B', 'debtor.email': 'b@nd.example' },
    { invoiceNumber: 'N-3', amountCents: 12.5, ...invoice, debtor: { name: 'C', email: 'c@nd.example' } },
  ]
  const { id } = (await upload(lines.map(line => JSON.stringify(line)).join('\n'))).body.data
  await runAll()
  expect(await read(id)).toMatchObject({ status: 'review', succeeded: 2, import: { faults: [] } })
  expect((await itemsOf(id)).map(({ line, code }) => [line, code])).toEqual([
    [1, null],
    [2, null],
    [3, 'amount_not_a_number'],
  ])
  await start(id)
  await runAll()
  expect(await imported(sandbox.tenantId)).toMatchObject([
    { number: 'N-1', cents: 1250, currency: 'USD', name: 'A' },
    { number: 'N-2', cents: 99, currency: 'USD', name: 'B' },
  ])
})

it('a currency is read or refused; without one it is that of the company', async () => {
  const rows = ['$', '£', 'US$', '', '€'].map((sign, n) => `${rowOf(`F-${n}`)};${sign}`)
  const { id } = (await upload([`${header};Devise`, ...rows].join('\n'), '?language=fr')).body.data
  await runAll()
  await start(id)
  await runAll()
  expect((await itemsOf(id)).map(({ code }) => code)).toEqual(['currency_ambiguous', null, null, null, null])
  expect((await imported(sandbox.tenantId)).map(({ currency }) => currency)).toEqual([
    'GBP',
    'USD',
    'EUR',
    'EUR',
  ])
})

it('what was changed is said with the title of the column and the text of the cell', async () => {
  const { id } = (await upload([`${header};Déjà réglé`, `${rowOf('F-1')};234,56`].join('\n'), '?language=fr'))
    .body.data
  await runAll()
  expect((await read(id)).import!.healed).toMatchObject([
    { code: 'date_day_first', message: expect.stringMatching(/Date facture.*01\/09\/2026/), count: 2 },
    { code: 'balance_taken', message: expect.stringMatching(/Montant TTC.*1 234,56/) },
  ])
  expect((await itemsOf(id))[0]!.healed[0]).toMatchObject({ field: 'amountCents', title: 'Montant TTC' })
})

describe('a workbook with several sheets', () => {
  const cellsOf = (row: readonly string[]) =>
    `<row>${row.map(text => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`
  const sheetOf = (...numbers: string[]) =>
    [header.split(';'), ...numbers.map(number => rowOf(number).split(';'))]
      .map(row => cellsOf(row.map(text => text.replace('&', '&amp;'))))
      .join('')
  const notes = cellsOf(['Mode d’emploi']) + cellsOf(['Ne pas modifier', 'Contact'])

  it('the first with titles is read, the others are named, and a person can choose another', async () => {
    const bytes = await workbookOf({
      sheets: { Notes: notes, Data: sheetOf('F-1'), Data2: sheetOf('F-2', 'F-3') },
    })
    const { id } = (await upload(bytes, '', { 'content-type': 'application/octet-stream' })).body.data
    await runAll()
    expect(await read(id)).toMatchObject({
      status: 'review',
      succeeded: 1,
      import: { file: { sheet: 'Data', sheets: [{ name: 'Notes' }, { name: 'Data' }, { name: 'Data2' }] } },
    })
    const map = (body: object) => sandbox.call('PUT', `/api/v1/tasks/${id}/mapping`, body)
    const wrong = await map({ sheet: 'Data3' })
    expect([wrong.status, wrong.body.error.details?.[0]?.field]).toEqual([400, 'sheet'])
    expect((await map({})).status).toBe(400)
    expect((await map({ sheet: 'Data2' })).status).toBe(200)
    await runAll()
    expect(await read(id)).toMatchObject({
      status: 'review',
      succeeded: 2,
      import: { file: { sheet: 'Data2' } },
    })
    await start(id)
    await runAll()
    expect(await numbers()).toEqual(['F-2', 'F-3'])
    const parts = await installation.sql('select 1 from task_file_parts where tenant_id = $1', [
      sandbox.tenantId,
    ])
    expect(parts).toEqual([])
  })

  it('without titles in any of them it waits for a person', async () => {
    const bytes = await workbookOf({ sheets: { Notes: notes, Empty: '' } })
    const { id } = (await upload(bytes, '', { 'content-type': 'application/octet-stream' })).body.data
    await runAll()
    expect(await read(id)).toMatchObject({
      status: 'review',
      import: { faults: [{ code: 'header_not_found' }] },
    })
  })
})

it('the functions that the proof of spreadsheets runs are those of the import', async () => {
  for (let n = 0; n < 12; n++) {
    sandbox = await newSandbox(installation)
    const { bytes } = await writeFile(drawFile(choicesFrom(100 + n), n))
    const expected = await readInvoiceFile(bytes)
    const { id } = (await upload(bytes, '?language=fr', { 'content-type': 'application/octet-stream' })).body
      .data
    await runAll()
    const { import: report } = await read(id)
    expect(report!.faults).toEqual(expected.faults)
    if (expected.faults.length > 0) continue
    await start(id)
    await runAll()
    const items = await itemsOf(id)
    expect(items.map(({ line, code, healed }) => ({ line, code, healed }))).toEqual(
      expected.results.map(result => ({
        line: result.line,
        code: 'input' in result ? null : 'refused' in result ? result.refused[0]!.code : result.skipped,
        healed: 'input' in result ? result.healed : [],
      })),
    )
    const inputs = expected.results.flatMap(result => ('input' in result ? [result.input] : []))
    const shown = inputs.map(({ invoiceNumber, amountCents, currency = 'EUR', dueDate }) => ({
      number: invoiceNumber,
      cents: amountCents,
      currency,
      due: dueDate,
    }))
    const made = (await imported(sandbox.tenantId)).map(({ name: _, ...invoice }) => invoice)
    const byNumber = (one: { number: string }, other: { number: string }) =>
      one.number < other.number ? -1 : 1
    expect(made.toSorted(byNumber)).toEqual(shown.toSorted(byNumber))
  }
}, 60_000)

it('a number that exists already is refused as a duplicate', async () => {
  const first = (await upload(csv(rowOf('F-1')))).body.data
  await runAll()
  await start(first.id)
  await runAll()
  const again = (await upload(csv(rowOf('F-1'), rowOf('F-2')))).body.data
  await runAll()
  expect(await read(again.id)).toMatchObject({
    status: 'review',
    succeeded: 1,
    refusals: [{ code: 'RES_002', count: 1 }],
    import: { debtors: { matched: 1, new: 0 } },
  })
})

describe('undo', () => {
  async function importRows(...rows: string[]): Promise<string> {
    const { id } = (await upload(csv(...rows))).body.data
    await runAll()
    await start(id)
    await runAll()
    return id
  }

  it('deletes what was imported, and the same file can come again', async () => {
    const id = await importRows(rowOf('F-1'), rowOf('F-2'))
    const undo = await sandbox.done<ImportTask>('POST', `/api/v1/tasks/${id}/undo`)
    expect(undo).toMatchObject({ kind: 'undo', progress: { done: 0, total: 2 } })
    await runAll()
    expect(await read(undo.id)).toMatchObject({ status: 'finished', succeeded: 2, refused: 0 })
    expect(await numbers()).toEqual([])
    expect((await read(id)).import!.undoTaskId).toBe(undo.id)
    expect((await sandbox.call('POST', `/api/v1/tasks/${id}/undo`)).status).toBe(409)
    const told = await installation.sql<{ type: string }>(
      `select type from events where tenant_id = $1 and type = 'workflow.completed'`,
      [sandbox.tenantId],
    )
    expect(told).toHaveLength(2)
    expect(await importRows(rowOf('F-1'))).not.toBe(id)
    expect(await numbers()).toEqual(['F-1'])
  })

  it('an invoice with a payment stays, and is named', async () => {
    const id = await importRows(rowOf('F-1'), rowOf('F-2'))
    const [first] = await itemsOf(id)
    await sandbox.done('POST', '/api/v1/payments', {
      invoiceId: first!.invoiceId,
      amountCents: 100,
      method: 'bank_transfer',
    })
    const undo = await sandbox.done<ImportTask>('POST', `/api/v1/tasks/${id}/undo`)
    await runAll()
    expect(await read(undo.id)).toMatchObject({ status: 'finished', succeeded: 1, refused: 1 })
    expect(await numbers()).toEqual(['F-1'])
  })
})

describe('what is sent', () => {
  it('a file that is no table fails with a sentence in the language that was asked for', async () => {
    const { id } = (await upload('<html><table></table></html>', '?language=fr')).body.data
    await runAll()
    expect(await read(id)).toMatchObject({ status: 'failed', failure: expect.stringContaining('page web') })
  })

  it('the same key and file give the same task; another file is refused', async () => {
    const file = csv(rowOf('F-1'))
    const headers = { 'idempotency-key': 'import-1' }
    const first = await upload(file, '', headers)
    const again = await upload(file, '', headers)
    expect(again.body.data.id).toBe(first.body.data.id)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await upload(csv(rowOf('F-2')), '', headers)).status).toBe(409)
  })

  it.each([
    ['application/json', '{}', 400, 'VAL_004'],
    ['text/csv', '', 400, 'VAL_004'],
  ])('%s with %j is refused', async (type, raw, status, code) => {
    const answer = await upload(raw, '', { 'content-type': type })
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
  })

  it('a file of more than 50 MB is refused, and the answer is read', async () => {
    const answer = await upload(Buffer.alloc(50 * 1024 * 1024 + 1, 'a'))
    expect([answer.status, answer.body.error.code], answer.text).toEqual([413, 'VAL_005'])
  })

  it('a file of many parts arrives as it was sent', async () => {
    const file = csv(
      ...Array.from({ length: 30_000 }, (_, n) => rowOf(`F-${n}`, { name: `Client ${'x'.repeat(30)}` })),
    )
    const { id } = (await upload(file)).body.data
    const [stored] = await installation.sql<{ parts: number; bytes: number }>(
      `select count(*)::integer as parts, sum(length(p.bytes))::integer as bytes
         from tasks t join task_file_parts p on p.tenant_id = t.tenant_id and p.file_id = t.file_id where t.id = $1`,
      [id],
    )
    expect(stored).toEqual({
      parts: Math.ceil(Buffer.byteLength(file) / 1_048_576),
      bytes: Buffer.byteLength(file),
    })
    await sandbox.done('POST', `/api/v1/tasks/${id}/cancel`)
  })
})
