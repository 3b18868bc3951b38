import { request as httpRequest } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { useManualTasks } from '../../../../../test/harness/manual-tasks.ts'
import { switchCompany } from '../../../../../test/harness/operator.ts'
import { rowReaderOf } from '../../../../../test/harness/read-rows.ts'
import { newSandbox, type Sandbox } from '../../../../../test/harness/sandbox.ts'
import { eventually, useInstallation } from '../../../../../test/harness/use-installation.ts'
import { randomAddress } from '../../../../../test/harness/visitor.ts'
import { headersOf, post } from '../../../../../test/scenarios/integrations/mcp/connect.ts'
import type { Row } from '../../../../kit/sheets/cell.ts'
import { readTable } from '../../../../kit/sheets/read-table.ts'
import { planImport } from '../../../receivables/file-rows/plan-file.ts'

const installation = useInstallation({ hasWorker: false, env: { TRUSTED_PROXIES: '127.0.0.1' } })
const tasks = useManualTasks(installation)

interface TaskReply {
  id: string
  kind: string
  status: string
  succeeded: number
  failure: string | null
  progress: { done: number; total: number | null }
  file: { url: string; expiresAt: string; rows: number } | null
}

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await newSandbox(installation)
})

const make = (body: Record<string, unknown>) =>
  sandbox.done<TaskReply>('POST', '/api/v1/tasks/export', { format: 'csv', ...body })
const read = (id: string) => sandbox.done<TaskReply>('GET', `/api/v1/tasks/${id}`)
const runAll = () => tasks.runAll(sandbox.tenantId)
/** The link has the public address of the installation, which is not always the one that tests reach. */
const open = (url: string, init: RequestInit = {}) =>
  fetch(installation.server.baseUrl + new URL(url, installation.server.baseUrl).pathname, {
    ...init,
    // What is opened without a key is counted by its address.
    headers: { 'x-forwarded-for': randomAddress() },
  })

async function exported(body: Record<string, unknown>) {
  const { id } = await make(body)
  await runAll()
  const task = await read(id)
  expect(task).toMatchObject({ status: 'finished', kind: 'export' })
  const answer = await open(task.file!.url)
  expect(answer.status).toBe(200)
  return { task, answer, bytes: new Uint8Array(await answer.arrayBuffer()) }
}

/** The rows of an NDJSON file. */
async function rowsOf(body: Record<string, unknown>): Promise<Record<string, string | number | null>[]> {
  const { bytes } = await exported({ ...body, format: 'ndjson' })
  return Buffer.from(bytes)
    .toString()
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}

const importOf = async (bytes: Uint8Array) => {
  const rows: Row[] = []
  for await (const row of (await readTable(bytes)).rows) rows.push(row)
  async function* batches() {
    yield rows
  }
  const planned = await planImport(batches())
  if (!('plan' in planned)) throw new Error(JSON.stringify(planned.faults))
  const readRow = rowReaderOf(planned.plan)
  return rows.filter(({ line }) => line > planned.header.line).map(readRow)
}

/** Ten thousand and more, faster than by the API. */
const insertInvoices = async (count: number) => {
  await sandbox.invoice({ dueDate: '2027-02-01' })
  await installation.sql(
    `insert into invoices (tenant_id, id, debtor_id, number, amount_cents, currency, issue_date, due_date, metadata, status,
       number_search, number_grams, created_at, updated_at)
     select i.tenant_id, overlay(i.id::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, debtor_id, 'M-' || n, n, currency, issue_date, due_date,
            metadata, status, '', '{}', created_at, updated_at
       from invoices i cross join generate_series(1, $2::integer) n where i.tenant_id = $1`,
    [sandbox.tenantId, count],
  )
}

const awkward = [
  {
    invoiceNumber: '=1+1',
    description: '=HYPERLINK("x";"y")',
    debtor: { name: '+Durand; "fils" & Cie', email: 'a+b@durand.example', phone: '+33612345678' },
  },
  {
    invoiceNumber: '000123',
    description: 'Deux lignes :\n« table ; chaise »,\n\tà 12 \u202f€',
    debtor: {
      name: "'Apostrophe",
      email: 'b@durand.example',
      siret: '73282932000074',
      address: '12 rue Mercière\nBâtiment ; B',
      postalCode: '01000',
      city: '-Bourg',
      country: 'FR',
      type: 'business',
      language: 'en',
    },
  },
  {
    invoiceNumber: 'F;"1"',
    amountCents: 1_000_000_000_000,
    description: "'=déjà protégé",
    debtor: {
      name: '@Société',
      email: 'c@durand.example',
      postalCode: '1000',
      country: 'BE',
      type: 'business',
    },
  },
  {
    invoiceNumber: '3,56E+13',
    suppliedOn: '2026-09-01',
    amountCents: 1,
    currency: 'USD',
    debtor: { name: 'Mairie de Lyon', email: 'd@durand.example', type: 'public_body' },
  },
]

describe('what was exported is read again by the import', () => {
  it.each(['csv', 'xlsx', 'ndjson'])('as %s, without loss', async format => {
    for (const changes of awkward) await sandbox.invoice({ dueDate: '2027-02-01', ...changes })
    const { task, bytes } = await exported({ what: 'invoices', format })
    expect(task).toMatchObject({ succeeded: 4, progress: { done: 4, total: 4 }, file: { rows: 4 } })
    const results = await importOf(bytes)
    expect(results).toHaveLength(4)
    for (const [i, changes] of awkward.entries()) {
      const { input, healed } = results[i] as Extract<(typeof results)[0], { healed: unknown }>
      expect(results[i]).not.toHaveProperty('refused')
      expect(healed).toEqual([])
      expect(input).toMatchObject({
        amountCents: 120_000,
        currency: 'EUR',
        issueDate: '2026-09-15',
        dueDate: '2027-02-01',
        ...changes,
      })
    }
  })

  it('in NDJSON, with the names and units of the API, also by another company', async () => {
    const { id } = await sandbox.invoice({ invoiceNumber: 'A-1', dueDate: '2027-02-01', currency: 'USD' })
    await sandbox.invoice({ invoiceNumber: 'A-2', dueDate: '2027-02-01', amountCents: 2_711_460 })
    await sandbox.done('POST', '/api/v1/payments', {
      invoiceId: id,
      amountCents: 20_001,
      method: 'bank_transfer',
    })
    const { bytes } = await exported({ what: 'invoices', format: 'ndjson' })
    const lines = Buffer.from(bytes).toString().trim().split('\n')
    expect(lines.map(line => JSON.parse(line))).toMatchObject([
      {
        invoiceNumber: 'A-1',
        amountCents: 120_000,
        balanceCents: 99_999,
        paidCents: 20_001,
        currency: 'USD',
        debtor: { name: expect.any(String), email: expect.any(String) },
        invoiceId: id,
      },
      { invoiceNumber: 'A-2', amountCents: 2_711_460 },
    ])
    const other = await newSandbox(installation)
    const made = await installation.call<{ id: string }>('POST', '/api/v1/tasks/import', {
      key: other.key,
      raw: Buffer.from(bytes),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    await tasks.runAll(other.tenantId)
    await other.done('POST', `/api/v1/tasks/${made.body.data.id}/start`)
    await tasks.runAll(other.tenantId)
    const read = await other.done<{ invoiceNumber: string; amountCents: number; currency: string }[]>(
      'GET',
      '/api/v1/invoices',
    )
    expect(read.toSorted((a, b) => (a.invoiceNumber < b.invoiceNumber ? -1 : 1))).toMatchObject([
      { invoiceNumber: 'A-1', amountCents: 99_999, currency: 'USD' },
      { invoiceNumber: 'A-2', amountCents: 2_711_460, currency: 'EUR' },
    ])
  })

  it('but for what is paid, cancelled or written off: the import leaves it out', async () => {
    const [paid, cancelled, given] = await Promise.all([1, 2, 3, 4].map(() => sandbox.invoice({})))
    await sandbox.done('POST', '/api/v1/payments', {
      invoiceId: paid!.id,
      amountCents: 120_000,
      method: 'bank_transfer',
    })
    await sandbox.done('POST', `/api/v1/invoices/${cancelled!.id}/cancel`, { reason: 'Erreur' })
    await sandbox.done('POST', `/api/v1/invoices/${given!.id}/write-off`, { basis: 'untraceable' })
    const results = await importOf((await exported({ what: 'invoices' })).bytes)
    expect(results.filter(result => 'skipped' in result)).toHaveLength(3)
    expect(results.filter(result => 'input' in result)).toHaveLength(1)
  })
})

describe('the file', () => {
  it('is a CSV with semicolons and a byte order mark, saved and not shown, never cached', async () => {
    await sandbox.invoice({ invoiceNumber: '=cmd' })
    const { answer, bytes } = await exported({ what: 'invoices' })
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const text = Buffer.from(bytes).toString()
    expect(text).toContain('Numéro de facture;Date de facture;')
    expect(text).toContain(`"'=cmd";2026-09-15;2026-10-15;;1200,00;1200,00;EUR`)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="relance-invoices-[\d-]+\.csv"$/),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
  })

  it('has a header where there is nothing to export', async () => {
    const { task, bytes } = await exported({ what: 'payments' })
    expect(task.file).toMatchObject({ rows: 0 })
    expect(Buffer.from(bytes).toString()).toMatch(/^\ufeffUUID;Jour;Montant;.*\r\n$/)
  })

  it('has everything there was when the task was made and nothing later, once, whatever is run twice', async () => {
    await insertInvoices(11_999)
    const { id } = await make({ what: 'invoices', format: 'ndjson' })
    await sandbox.invoice({})
    let chunk = await tasks.take(sandbox.tenantId, 'read')
    let chunks = 0
    while (chunk) {
      chunks++
      await Promise.all([tasks.run(chunk), tasks.run(chunk)])
      await tasks.run(chunk)
      const task = await read(id)
      chunk = task.status === 'running' ? { ...chunk, chunk: chunk.chunk + 1 } : null
    }
    expect(chunks).toBeGreaterThanOrEqual(3)
    const task = await read(id)
    expect(task).toMatchObject({ succeeded: 12_000, progress: { done: 12_000, total: 12_000 } })
    const lines = (await (await open(task.file!.url)).text()).trim().split('\n')
    expect(new Set(lines.map(line => JSON.parse(line).invoiceNumber)).size).toBe(12_000)
    expect(lines).toHaveLength(12_000)
    const items = await sandbox.call('GET', `/api/v1/tasks/${id}/items`)
    expect(items.body).toMatchObject({ data: [], pagination: { total: 0 } })
  })

  it('holds no connection of the database while clients read slowly', async () => {
    await insertInvoices(12_000)
    const { task } = await exported({ what: 'invoices', format: 'ndjson' })
    const url = installation.server.baseUrl + new URL(task.file!.url).pathname
    // More than the API has connections; none of them reads.
    const stalled = await Promise.all(
      Array.from(
        { length: 8 },
        () =>
          new Promise<ReturnType<typeof httpRequest>>((resolve, reject) => {
            const asked = httpRequest(url, { agent: false }, answer => {
              answer.pause()
              resolve(asked)
            })
            asked.on('error', reject)
            asked.end()
          }),
      ),
    )
    // Once what the sockets take is sent; a connection that waits for a reader would be held on.
    await eventually(
      () =>
        installation.sql(
          `select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
        ),
      held => held.length === 0,
    )
    expect((await read(task.id)).status).toBe('finished')
    for (const asked of stalled) asked.on('error', () => {}).destroy()
  })
})

describe('the link', () => {
  it('needs no key, is the same each time, and works for a day of real time', async () => {
    const { task } = await exported({ what: 'debtors' })
    const { file } = await read(task.id)
    expect(file).toEqual(task.file)
    const left = Date.parse(file!.expiresAt) - Date.now()
    expect(left).toBeGreaterThan(86_400_000 - 60_000)
    expect(left).toBeLessThanOrEqual(86_400_000)
    const [listed] = await sandbox.done<TaskReply[]>('GET', '/api/v1/tasks')
    expect(listed!.file).toEqual(file)
    await installation.sql(
      `update task_files set created_at = created_at - interval '24 hours' where id = $1`,
      [task.id],
    )
    expect((await read(task.id)).file).toBeNull()
    const answer = await open(file!.url)
    expect(answer.status).toBe(404)
    const { error } = (await answer.json()) as { error: { code: string; message: string } }
    expect(error).toMatchObject({ code: 'RES_001', message: expect.stringContaining('make a new task') })
  })

  it('belongs to one task of one tenant: changed in any place it opens nothing', async () => {
    const { task } = await exported({ what: 'debtors' })
    const path = new URL(task.file!.url).pathname
    const token = path.slice('/files/'.length)
    for (const [i, character] of [...token].entries()) {
      const other = token.slice(0, i) + (character === 'A' ? 'B' : 'A') + token.slice(i + 1)
      expect((await open(`/files/${other}`)).status, other).toBe(404)
    }
    for (const other of ['x', 'a.b.c', `${token}.x`, token.replace('.', '')])
      expect((await open(`/files/${other}`)).status, other).toBe(404)
    expect((await open(path, { method: 'HEAD' })).status).toBeGreaterThan(400)
  })

  it('is there once the task is finished, not before and not when it was cancelled', async () => {
    const waiting = await make({ what: 'debtors' })
    expect(waiting).toMatchObject({ status: 'waiting', file: null })
    const cancelled = await sandbox.done<TaskReply>('POST', `/api/v1/tasks/${waiting.id}/cancel`)
    expect(cancelled.file).toBeNull()
    await runAll()
    expect((await read(waiting.id)).file).toBeNull()
  })

  it('is not shown to a model, whose provider would read it', async () => {
    const { task } = await exported({ what: 'debtors' })
    const asked = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'tasks_get', arguments: { id: task.id } },
    }
    const { json } = await post(installation, asked, headersOf({ key: sandbox.key }))
    expect(json.result).toMatchObject({ isError: false })
    expect(JSON.stringify(json)).toContain('"expiresAt"')
    expect(JSON.stringify(json)).not.toContain('/files/')
  })

  it('ends when the company is closed', async () => {
    const { task } = await exported({ what: 'debtors' })
    await switchCompany(installation, sandbox.companyId, false)
    expect((await open(task.file!.url)).status).toBe(404)
  })
})

describe('the other kinds', () => {
  it('debtors, payments, contacts and the audit log, each with its own scopes and between days', async () => {
    const invoice = await sandbox.invoice({ debtor: { name: 'Zoé', email: 'z@durand.example' } })
    await sandbox.done('POST', '/api/v1/payments', {
      invoiceId: invoice.id,
      amountCents: 100,
      method: 'bank_transfer',
      externalReference: 'VIR-1',
    })
    await installation.sql(
      `insert into contact_ledger (tenant_id, debtor_id, position, entry, hash)
       values ($1, $2, 1, $3, '\\xab'), ($1, $2, 2, $4, '\\xcd')`,
      [
        sandbox.tenantId,
        invoice.debtor.id,
        JSON.stringify({
          at: '2026-11-15T23:30:00.000Z',
          kind: 'contact',
          channel: 'email',
          step: 's',
          fate: 'sent',
        }),
        JSON.stringify({ at: '2126-11-15T23:30:00.000Z' }),
      ],
    )
    expect(await rowsOf({ what: 'debtors' })).toMatchObject([{ id: invoice.debtor.id, name: 'Zoé' }])
    const payments = await rowsOf({ what: 'payments' })
    expect(payments).toMatchObject([{ amountCents: 100, externalReference: 'VIR-1', debtorName: 'Zoé' }])
    const day = String(payments[0]!.day)
    expect(await rowsOf({ what: 'payments', fromDate: day, toDate: day })).toHaveLength(1)
    expect(await rowsOf({ what: 'payments', toDate: '2020-01-01' })).toEqual([])
    // 23:30 UTC is the next day in Paris; what happens after the task is none of its rows.
    const contacts = { what: 'contacts', fromDate: '2026-11-16', toDate: '2026-11-16' }
    expect(await rowsOf(contacts)).toMatchObject([{ position: 1, channel: 'email', hash: 'ab' }])
    const audit = await rowsOf({ what: 'audit' })
    expect(audit.map(({ type }) => type)).toContain('task.created')
  })

  it('accounting entries balance: payments, refunds, credits and what was given up', async () => {
    const [first, second] = [await sandbox.invoice({}), await sandbox.invoice({})]
    const paid = await sandbox.done<{ id: string }>('POST', '/api/v1/payments', {
      invoiceId: first.id,
      amountCents: 50_001,
      method: 'bank_transfer',
      externalReference: 'VIR-7',
    })
    await sandbox.done('POST', `/api/v1/payments/${paid.id}/refund`, { reason: 'Erreur' })
    await sandbox.done('POST', `/api/v1/invoices/${second.id}/credits`, {
      number: 'AV-1',
      amountCents: 20_000,
      issuedOn: '2026-11-02',
    })
    await sandbox.done('POST', `/api/v1/invoices/${second.id}/write-off`, { basis: 'untraceable' })
    const dollars = await sandbox.invoice({ currency: 'USD' })
    await sandbox.done('POST', '/api/v1/payments', {
      invoiceId: dollars.id,
      amountCents: 300,
      method: 'bank_transfer',
    })
    const lines = await rowsOf({ what: 'accounting_entries' })
    expect(Object.keys(lines[0]!).join(' ')).toBe(
      'JournalCode JournalLib EcritureNum EcritureDate CompteNum CompteLib CompAuxNum CompAuxLib PieceRef PieceDate EcritureLib Debit Credit EcritureLet DateLet ValidDate Montantdevise Idevise',
    )
    const shown = lines.map(line => [line.CompteNum, line.Debit, line.Credit, line.Montantdevise])
    expect(shown).toEqual([
      ['512000', 500.01, 0, null],
      ['411000', 0, 500.01, null],
      ['512000', 0, 500.01, null],
      ['411000', 500.01, 0, null],
      ['471000', 200, 0, null],
      ['411000', 0, 200, null],
      ['512000', 0, 0, 3],
      ['411000', 0, 0, -3],
      ['654000', 1_000, 0, null],
      ['411000', 0, 1_000, null],
    ])
    for (const [, entry] of Map.groupBy(lines, line => line.EcritureNum)) {
      const sum = (key: string) => entry.reduce((total, line) => total + Number(line[key]), 0)
      expect(entry).toHaveLength(2)
      expect(sum('Debit') - sum('Credit')).toBe(0)
      expect(sum('Montantdevise')).toBe(0)
    }
    expect(lines[0]).toMatchObject({ JournalCode: 'BQ', PieceRef: 'VIR-7', CompAuxNum: null })
    expect(lines[5]).toMatchObject({ JournalCode: 'OD', PieceRef: 'AV-1', PieceDate: '20261102' })
    expect(lines[1]!.CompAuxNum).toBe(first.debtor.id)
    const dayOf = (text: unknown) => String(text).replace(/^(....)(..)(..)$/, '$1-$2-$3')
    const today = dayOf(lines[0]!.EcritureDate)
    expect(await rowsOf({ what: 'accounting_entries', fromDate: today })).toHaveLength(10)
    expect(await rowsOf({ what: 'accounting_entries', toDate: '2020-01-01' })).toEqual([])
  })

  it.each([
    ['invoices', ['debtors:read', 'payments:read', 'workflow:read', 'webhooks:manage']],
    ['debtors', ['invoices:read', 'payments:read', 'workflow:read', 'webhooks:manage']],
    ['payments', ['invoices:read', 'debtors:read', 'workflow:read', 'webhooks:manage']],
    ['contacts', ['invoices:read', 'debtors:read', 'payments:read', 'webhooks:manage']],
    ['audit', ['invoices:read', 'debtors:read', 'payments:read', 'workflow:read']],
    ['accounting_entries', ['payments:read', 'debtors:read']],
    ['accounting_entries', ['invoices:read', 'debtors:read']],
  ])('an export of %s is neither made nor seen with %j', async (what, scopes) => {
    const { id } = await make({ what })
    const { apiKey: key } = await sandbox.done<{ apiKey: string }>('POST', '/api/v1/api-keys', {
      name: 'Some',
      scopes,
    })
    const body = { what, format: 'csv' }
    const refused = await installation.call('POST', '/api/v1/tasks/export', { key, body })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'AUTH_004'])
    expect((await installation.call('GET', `/api/v1/tasks/${id}`, { key })).status).toBe(404)
  })
})

it('invoices are chosen by the filters of their list', async () => {
  await sandbox.invoice({ invoiceNumber: 'A-1', amountCents: 100 })
  await sandbox.invoice({ invoiceNumber: 'A-2', amountCents: 900 })
  await sandbox.invoice({ invoiceNumber: 'B-1', amountCents: 900 })
  const rows = await rowsOf({ what: 'invoices', filter: { minAmount: 500, search: 'a-' } })
  expect(rows.map(({ invoiceNumber }) => invoiceNumber)).toEqual(['A-2'])
})

it('more rows than a sheet of Excel has: the task fails and says what to ask for', async () => {
  await sandbox.invoice({})
  const { id } = await make({ what: 'invoices', format: 'xlsx' })
  await installation.sql('update tasks set succeeded = 1048575 where id = $1', [id])
  await runAll()
  const task = await read(id)
  expect(task).toMatchObject({ status: 'failed', failure: expect.stringContaining('Ask for csv') })
})

it.each([
  [{ what: 'everything' }, 'what'],
  [{ what: 'invoices', format: 'pdf' }, 'format'],
  [{ what: 'debtors', filter: { status: 'paid' } }, 'filter'],
  [{ what: 'invoices', fromDate: '2026-01-01' }, 'fromDate'],
  [{ what: 'audit', fromDate: '2026-02-01', toDate: '2026-01-01' }, 'toDate'],
])('%j is refused and names the field', async (body, field) => {
  const answer = await sandbox.call('POST', '/api/v1/tasks/export', { format: 'csv', ...body })
  expect(answer.status, answer.text).toBe(400)
  expect(answer.body.error.details!.map(detail => detail.field)).toContain(field)
})
