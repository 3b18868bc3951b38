import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { ReadableStream } from 'node:stream/web'
import { beforeEach, describe, expect, it } from 'vitest'
import { changeStorageQuota, showCompany } from '../../../src/features/access/companies/operate.ts'
import { createFileOfCaller, storePartOfCaller } from '../../../src/features/integrations/tasks/files.ts'
import { storeRows } from '../../../src/features/integrations/tasks/import/rows-store.ts'
import { asWorker, transact } from '../../../src/kit/db/transaction.ts'
import { examine } from '../../../src/start/doctor.ts'
import { keptCounts } from '../../harness/kept-counts.ts'
import { useManualTasks } from '../../harness/manual-tasks.ts'
import { operatorCalls } from '../../harness/operator.ts'
import { newSandbox, type Sandbox } from '../../harness/sandbox.ts'
import { eventually, useInstallation } from '../../harness/use-installation.ts'
import { workbookOf } from '../../harness/zip-of.ts'

const installation = useInstallation({ hasWorker: false })
const tasks = useManualTasks(installation)
const operator = operatorCalls(installation)
const MB = 1024 * 1024

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await newSandbox(installation)
})

interface ImportTask {
  id: string
  status: string
  failure: string | null
}
const upload = (raw: string | Buffer, headers: Record<string, string> = {}) =>
  installation.call<ImportTask>('POST', '/api/v1/tasks/import', {
    key: sandbox.key,
    raw,
    headers: { 'content-type': 'application/octet-stream', ...headers },
  })
const read = (id: string) => sandbox.done<ImportTask>('GET', `/api/v1/tasks/${id}`)

/** What the tenant stores: bytes of files, and characters of cells. */
async function stored() {
  const [row] = await installation.sql<{ files: number; cells: number }>(
    `select (select coalesce(sum(length(bytes)), 0) from task_file_parts where tenant_id = $1)::integer as files,
            (select coalesce(sum(length(cells::text)), 0) from import_rows where tenant_id = $1)::integer as cells`,
    [sandbox.tenantId],
  )
  return row!
}
const nothing = { files: 0, cells: 0 }

const header = 'N° facture;Client;E-mail;Code postal;Date facture;Échéance;Montant TTC'
const csv = (count: number) =>
  [
    header,
    ...Array.from(
      { length: count },
      (_, n) => `F-${n};Petit & Fils;compta@petit.example;69003;01/09/2026;01/02/2027;1 234,56`,
    ),
  ].join('\n')

/** A workbook that names one long text in every cell. */
const repeatedText = async (rows: number, columns: number) => {
  const cells = '<c t="s"><v>0</v></c>'.repeat(columns)
  const text = randomBytes(16_000).toString('hex')
  return workbookOf({
    sheets: { A: Array.from({ length: rows }, () => `<row>${cells}</row>`).join('') },
    sharedStrings: `<si><t>${text}</t></si>`,
  })
}

it('a workbook of 25 kB that repeats one text until it has 96 MB is refused, and nothing of it is stored', async () => {
  const file = await repeatedText(60, 50)
  expect(file.length).toBeLessThan(30_000)
  const { id } = (await upload(file)).body.data
  await tasks.runAll(sandbox.tenantId)
  expect(await read(id)).toMatchObject({
    status: 'failed',
    failure: expect.stringMatching(/more than 52428800 characters.*divide it into several files/),
  })
  expect(await stored()).toEqual(nothing)
})

/** Announces a body, sends a part of it, and hangs up. */
async function cutUpload(announced: number, sent: number): Promise<void> {
  const { hostname, port } = new URL(installation.server.baseUrl)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await new Promise(resolve => socket.once('connect', resolve))
  socket.write(
    `POST /api/v1/tasks/import HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${sandbox.key}\r\nContent-Type: text/csv\r\nContent-Length: ${announced}\r\n\r\n`,
  )
  await new Promise<void>(resolve => socket.write(Buffer.alloc(sent, 'a'), () => resolve()))
  await eventually(
    async () => (await stored()).files,
    bytes => bytes >= sent - MB,
  )
  socket.destroy()
}

it('uploads that are cut in the middle leave nothing', async () => {
  await Promise.all(Array.from({ length: 5 }, () => cutUpload(50 * MB, 4 * MB)))
  expect(await eventually(stored, ({ files }) => files === 0)).toEqual(nothing)
  const files = await installation.sql('select id from task_files where tenant_id = $1', [sandbox.tenantId])
  expect(files).toEqual([])
})

it.each([
  [
    'an erasure',
    async () => {
      const { id } = await sandbox.done<{ id: string }>('POST', '/api/v1/debtors', {
        name: 'Petit & Fils',
        email: 'compta@petit.example',
      })
      await sandbox.done('POST', '/api/v1/tasks/erase', { debtorId: id })
      await tasks.runAll(sandbox.tenantId)
    },
  ],
  ['a reset of the sandbox', () => sandbox.done('POST', '/api/v1/sandbox/reset')],
])('a file that %s deletes while it arrives is asked for again', async (_, deleteFiles) => {
  const raw = new ReadableStream({
    async start(controller) {
      controller.enqueue(Buffer.alloc(2 * MB, 'a'))
      await eventually(stored, ({ files }) => files > 0)
      await deleteFiles()
      controller.enqueue(Buffer.alloc(2 * MB, 'a'))
      controller.close()
    },
  })
  const response = await fetch(`${installation.server.baseUrl}/api/v1/tasks/import`, {
    method: 'POST',
    headers: { 'x-api-key': sandbox.key, 'content-type': 'text/csv' },
    body: raw,
    duplex: 'half',
  } as RequestInit)
  expect([response.status, await response.json()]).toMatchObject([
    409,
    { error: { code: 'RES_003', message: expect.stringMatching(/Send the file again/) } },
  ])
  expect(await stored()).toEqual(nothing)
})

it('a file that is deleted before it is read ends its import', async () => {
  const { id } = (await upload(csv(1))).body.data
  await installation.sql('delete from task_files where tenant_id = $1', [sandbox.tenantId])
  await tasks.runAll(sandbox.tenantId)
  expect(await read(id)).toMatchObject({
    status: 'failed',
    failure: expect.stringMatching(/Send the file again/),
  })
})

it('requests with one Idempotency-Key store one file, one after another and at once', async () => {
  const file = Buffer.from(csv(20_000))
  const headers = { 'idempotency-key': 'once' }
  const first = await upload(file, headers)
  const again = await Promise.all([upload(file, headers), upload(file, headers)])
  expect(again.map(({ body }) => body.data.id)).toEqual(Array(2).fill(first.body.data.id))
  expect((await stored()).files).toBe(file.length)
  const other = { 'idempotency-key': 'at once' }
  const atOnce = await Promise.all(Array.from({ length: 3 }, () => upload(file, other)))
  expect(new Set(atOnce.map(({ body }) => body.data.id)).size).toBe(1)
  expect((await stored()).files).toBe(2 * file.length)
})

it.each([
  ['an empty body', '', 400],
  ['an unknown query', 'a;b', 400],
])('a refused upload (%s) leaves nothing', async (what, raw, status) => {
  const path = what === 'an empty body' ? '/api/v1/tasks/import' : '/api/v1/tasks/import?color=red'
  const answer = await installation.call('POST', path, {
    key: sandbox.key,
    raw,
    headers: { 'content-type': 'text/csv' },
  })
  expect(answer.status, answer.text).toBe(status)
  expect(
    await installation.sql('select id from task_files where tenant_id = $1', [sandbox.tenantId]),
  ).toEqual([])
})

it('an upload beyond the number of waiting tasks leaves nothing', async () => {
  await installation.sql(
    `insert into pending_tasks (tenant_id, task_id, lane, rank, since)
     select $1, gen_random_uuid(), 'read', 1, now() from generate_series(1, 100)`,
    [sandbox.tenantId],
  )
  expect((await upload(csv(10))).status).toBe(409)
  expect((await upload(csv(10), { 'idempotency-key': 'full' })).status).toBe(409)
  expect(await stored()).toEqual(nothing)
})

it('the cells of a cancelled import are deleted at once; its lines and codes stay', async () => {
  const { id } = (await upload(`${csv(3)}\nF-9;Petit & Fils;nobody;69003;01/09/2026;01/02/2027;beaucoup`))
    .body.data
  await tasks.runAll(sandbox.tenantId)
  expect((await read(id)).status).toBe('review')
  expect((await stored()).cells).toBeGreaterThan(100)
  await sandbox.done('POST', `/api/v1/tasks/${id}/cancel`)
  expect(await stored()).toEqual(nothing)
  const items = await sandbox.done<{ line: number; code: string | null }[]>(
    'GET',
    `/api/v1/tasks/${id}/items`,
  )
  expect(items.map(({ line, code }) => [line, code !== null])).toEqual([
    [2, false],
    [3, false],
    [4, false],
    [5, true],
  ])
})

it('a file whose import is cancelled before it is read is deleted at once', async () => {
  const { id } = (await upload(csv(1_000))).body.data
  expect((await stored()).files).toBeGreaterThan(50_000)
  await sandbox.done('POST', `/api/v1/tasks/${id}/cancel`)
  expect(await stored()).toEqual(nothing)
})

interface Storage {
  usedBytes: number
  quotaBytes: number
}
const storage = async () => (await sandbox.done<{ storage: Storage }>('GET', '/api/v1/company')).storage
const setQuota = (megabytes?: number) =>
  operator.withContext(context => changeStorageQuota(context, { companyId: sandbox.companyId, megabytes }))
/** No difference between what is counted and what is there. */
const miscounted = () => installation.sql(keptCounts['the bytes that a tenant stores are what is there']!)
const exportNow = (key = sandbox.key) =>
  installation.call<{ id: string }>('POST', '/api/v1/tasks/export', {
    key,
    body: { what: 'invoices', format: 'csv' },
  })

it('an attempt that is over stores no rows', async () => {
  const { id } = (await upload(csv(3))).body.data
  const { attempt } = (await tasks.take(sandbox.tenantId, 'read'))!
  const store = (of: number, line: number) =>
    transact(tasks.context().pool, asWorker(sandbox.tenantId), [], ({ tx }) =>
      storeRows(tx, id, of, [{ line, cells: ['a'] }]),
    )
  await store(attempt - 1, 1)
  expect((await stored()).cells).toBe(0)
  await store(attempt, 1)
  expect((await stored()).cells).toBeGreaterThan(0)
  await sandbox.done('POST', `/api/v1/tasks/${id}/cancel`)
  await store(attempt, 2)
  expect(await stored()).toEqual(nothing)
})

describe('the quota', () => {
  it('is that of the tier, or what the operator set; what is stored counts, and is given back when it is deleted', async () => {
    expect(await storage()).toEqual({ usedBytes: 0, quotaBytes: 20_000 * MB })
    await setQuota(3)
    const file = Buffer.from(csv(1_000))
    const { id } = (await upload(file)).body.data
    expect(await storage()).toEqual({ usedBytes: file.length, quotaBytes: 3 * MB })
    await tasks.runAll(sandbox.tenantId)
    const read = (await storage()).usedBytes
    expect(read).toBeGreaterThan(1_000 * 200 + file.length)
    expect(await miscounted()).toEqual([])
    await sandbox.done('POST', `/api/v1/tasks/${id}/start`)
    await tasks.runAll(sandbox.tenantId)
    expect((await storage()).usedBytes).toBeLessThan(read)
    expect(await miscounted()).toEqual([])
    await installation.sql('select fold_counts(100000)')
    expect(await miscounted()).toEqual([])
    await installation.sql(`update tasks set ended_at = ended_at - interval '31 days' where id = $1`, [id])
    await installation.sql('select purge_tasks($1, now())', [sandbox.tenantId])
    expect((await storage()).usedBytes).toBe(0)
    expect(await miscounted()).toEqual([])
    await setQuota()
    expect((await storage()).quotaBytes).toBe(20_000 * MB)
  })

  it('refuses an upload before it arrives, and one of unknown length where it no longer fits', async () => {
    await setQuota(2)
    const announced = await upload(Buffer.alloc(3 * MB, 'a'))
    expect([announced.status, announced.body.error.code], announced.text).toEqual([413, 'VAL_005'])
    expect(announced.body.error.message).toMatch(/may take 2 MB.*ask the operator for more/)
    const chunked = await fetch(`${installation.server.baseUrl}/api/v1/tasks/import`, {
      method: 'POST',
      headers: { 'x-api-key': sandbox.key, 'content-type': 'text/csv' },
      body: ReadableStream.from(Array.from({ length: 3 }, () => Buffer.alloc(MB, 'a'))),
      duplex: 'half',
    } as RequestInit)
    expect(chunked.status, await chunked.text()).toBe(413)
    expect(await stored()).toEqual(nothing)
    expect(await storage()).toMatchObject({ usedBytes: 0 })
  })

  it('is kept to the byte by uploads that arrive together', async () => {
    await setQuota(4)
    const file = Buffer.alloc(1.5 * MB, 'a')
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(file)))
    const taken = answers.filter(({ status }) => status === 201).length
    expect(answers.filter(({ status }) => status === 413)).toHaveLength(6 - taken)
    expect(await storage()).toMatchObject({ usedBytes: taken * file.length })
    expect(taken * file.length).toBeLessThanOrEqual(4 * MB)
    expect(await miscounted()).toEqual([])
    // Files arrive in parts: six may fill the space together, and all be refused. What they took is there again.
    const next = await upload(file)
    expect(next.status, next.text).toBe((taken + 1) * file.length <= 4 * MB ? 201 : 413)
  })

  it('fails an import whose rows do not fit, in the language that was asked for, and nothing of it stays', async () => {
    await setQuota(1)
    const file = csv(3_000)
    const { id } = (
      await installation.call<ImportTask>('POST', '/api/v1/tasks/import?language=fr', {
        key: sandbox.key,
        raw: file,
        headers: { 'content-type': 'text/csv' },
      })
    ).body.data
    await tasks.runAll(sandbox.tenantId)
    expect(await read(id)).toMatchObject({ status: 'failed', failure: expect.stringContaining('opérateur') })
    expect(await stored()).toEqual(nothing)
    expect(await miscounted()).toEqual([])
  })

  it('makes one export at a time once it is used up; the next file takes the place of the last', async () => {
    await sandbox.invoice({})
    await setQuota(0)
    const first = await exportNow()
    expect(first.status, first.text).toBe(201)
    const second = await exportNow()
    expect([second.status, second.body.error?.code], second.text).toEqual([413, 'VAL_005'])
    await tasks.runAll(sandbox.tenantId)
    expect(await read(first.body.data.id)).toMatchObject({ status: 'finished', file: { rows: 1 } })
    const third = await exportNow()
    expect(third.status, third.text).toBe(201)
    await tasks.runAll(sandbox.tenantId)
    expect(await read(third.body.data.id)).toMatchObject({ status: 'finished', file: { rows: 1 } })
    expect(await read(first.body.data.id)).toMatchObject({ status: 'finished', file: null })
    expect(await miscounted()).toEqual([])
  })

  it('answers a repeated upload from what is stored, also when it is used up', async () => {
    const headers = { 'idempotency-key': 'before' }
    const first = await upload(csv(10), headers)
    await setQuota(0)
    const again = await upload(csv(10), headers)
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await upload(csv(11), headers)).status).toBe(409)
    expect((await upload(csv(10), { 'idempotency-key': 'after' })).status).toBe(413)
  })

  it('fails an export that waited while another was finished; made again, it takes its place', async () => {
    await sandbox.invoice({})
    const [first, second] = [await exportNow(), await exportNow()]
    const run = async () => tasks.run((await tasks.take(sandbox.tenantId, 'read'))!)
    await run()
    await setQuota(0)
    await run()
    expect(await read(first.body.data.id)).toMatchObject({ status: 'finished', file: { rows: 1 } })
    expect(await read(second.body.data.id)).toMatchObject({
      status: 'failed',
      failure: expect.stringContaining('then make this task again'),
    })
    const third = await exportNow()
    await run()
    expect(await read(third.body.data.id)).toMatchObject({ status: 'finished', file: { rows: 1 } })
    expect(await read(first.body.data.id)).toMatchObject({ status: 'finished', file: null })
    expect(await miscounted()).toEqual([])
  })

  it('gets back at night what a process that died has left', async () => {
    const fileId = '01a1d3c4-5e00-7b21-9f64-0c8d7a3e1b52'
    await transact(tasks.context().pool, asWorker(sandbox.tenantId), [], async ({ tx }) => {
      await createFileOfCaller(tx, fileId, Date.now(), MB)
    })
    await transact(tasks.context().pool, asWorker(sandbox.tenantId), [], ({ tx }) =>
      storePartOfCaller(tx, fileId, 0, Buffer.alloc(MB)),
    )
    expect(await storage()).toMatchObject({ usedBytes: MB })
    await installation.sql('select purge_task_files($1, $2)', [
      sandbox.tenantId,
      new Date(Date.now() + 1_000),
    ])
    expect(await storage()).toMatchObject({ usedBytes: 0 })
  })

  it('is shown to the operator, with the tenants that have little room left', async () => {
    await setQuota(1)
    await upload(Buffer.alloc(MB - 10, 'a'))
    await installation.sql('select fold_counts(100000)')
    const shown = await operator.withContext(context => showCompany(context, sandbox.companyId))
    expect(shown).toMatchObject({
      storage_bytes: MB,
      stored_bytes: { production: 0, sandbox: MB - 10 },
    })
    const findings = await examine(installation.server.config, Date.now())
    expect(findings.find(({ text }) => text.startsWith('files and imports'))).toMatchObject({
      isFine: true,
      isNote: true,
      text: expect.stringContaining(`${sandbox.tenantId} (1 MB of 1 MB)`),
    })
  })

  it('counts on when a sandbox is emptied', async () => {
    await upload(csv(1_000))
    await sandbox.done('POST', '/api/v1/sandbox/reset')
    expect(await storage()).toMatchObject({ usedBytes: 0 })
    expect(await miscounted()).toEqual([])
  })
})
