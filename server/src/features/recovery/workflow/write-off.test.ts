import { createHash, randomUUIDv7 } from 'node:crypto'
import { expect, it } from 'vitest'
import { readPdf } from '../../../../test/harness/pdf-text.ts'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'
import { writeOffCalls } from '../../../../test/harness/write-off-calls.ts'

const installation = useInstallation()
const { created, read, newInvoice, writeOff, pay, untilContacted, download } = writeOffCalls(installation)

const sleepingInvoice = async () =>
  (
    await created<{ results: { id: string }[] }>('/api/v1/invoices/bulk', {
      invoices: [invoiceInput()],
      autoStartWorkflow: false,
    })
  ).results[0]!.id

const eventsOf = (id: string) =>
  installation.sql<{ type: string; data: Record<string, unknown> }>(
    'select type, data from events where subject_id = $1 order by sequence',
    [id],
  )

const recoveryOf = async (id: string) =>
  (
    await installation.sql('select status, outcome, due_at, holds from recoveries where invoice_id = $1', [
      id,
    ])
  )[0]

it('an invoice that was reminded of is given up: status, recovery, history, events and document in one answer', async () => {
  const id = await newInvoice({ invoiceNumber: 'Réf. n° 7/a "2026"' })
  await untilContacted(id)
  await pay(id, 20_000)
  await created(`/api/v1/invoices/${id}/credits`, {
    number: 'A-77',
    amountCents: 5_000,
    issuedOn: '2026-11-01',
  })
  const eventsBefore = (await eventsOf(id)).length

  const answer = await writeOff(id, { basis: 'untraceable', note: 'Parti sans laisser d’adresse.' })
  expect(answer.status, answer.text).toBe(201)
  const { anrId, createdAt, sha256 } = answer.body.data
  expect(answer.body.data).toEqual({
    anrId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    invoiceId: id,
    basis: 'untraceable',
    note: 'Parti sans laisser d’adresse.',
    writtenOffCents: 95_000,
    createdAt: expect.stringMatching(/^2026-11-16T08:/),
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    previousStatus: 'partial',
    newStatus: 'written_off',
    inFlight: [],
  })
  expect(await read(`/api/v1/invoices/${id}`)).toMatchObject({ status: 'written_off', balanceCents: 95_000 })
  expect(await read(`/api/v1/workflow/invoice/${id}`)).toMatchObject({
    status: 'completed',
    nextActionAt: null,
  })
  expect(await recoveryOf(id)).toEqual({
    status: 'completed',
    outcome: 'written_off',
    due_at: null,
    holds: [],
  })
  const history = await read<Record<string, unknown>[]>(`/api/v1/workflow/invoice/${id}/history`)
  expect(history.at(-1)).toEqual({
    action: 'write_off',
    channel: null,
    executedAt: createdAt,
    status: 'done',
    details: 'Written off as irrecoverable: the debtor cannot be traced.',
    code: 'written_off',
    params: { basis: 'untraceable' },
    communicationId: null,
    actor: { kind: 'api_key', name: expect.any(String), onBehalfOf: null },
  })
  expect((await eventsOf(id)).slice(eventsBefore)).toMatchObject([
    {
      type: 'invoice.status_changed',
      data: { previousStatus: 'partial', newStatus: 'written_off', cause: 'write_off' },
    },
    {
      type: 'workflow.completed',
      data: { outcome: 'written_off', completedAt: createdAt, actionsCompleted: 1 },
    },
    { type: 'anr.created', data: { invoiceId: id, anrId, basis: 'untraceable', createdAt } },
  ])

  const { response, pdf } = await download(id)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="ANR-Ref.-n-7-a-2026-.pdf"',
    'content-length': String(pdf.length),
    'x-request-id': expect.any(String),
    'x-ratelimit-limit': '1000000',
  })
  expect(createHash('sha256').update(pdf).digest('hex')).toBe(sha256)
  const { text } = readPdf(pdf)
  expect(text).toContain(`Document n° ${anrId}`)
  expect(text).toContain('Facture n° Réf. n° 7/a "2026"')
  expect(text).toContain(
    'Montant de la facture 1 200,00 € Sommes payées 200,00 € Avoirs 50,00 € Somme non recouvrée 950,00 €',
  )
  expect(text).toContain('Parti sans laisser d’adresse.')
  expect(text).not.toContain('document sans valeur')
  // What was given up is not given up twice, and its document stays as it is.
  const again = await writeOff(id)
  expect([again.status, again.body.error.code]).toEqual([400, 'BIZ_004'])
  expect((await download(id)).pdf.equals(pdf)).toBe(true)
})

it('a recovery that was never started stays pending', async () => {
  const id = await sleepingInvoice()
  const answer = await writeOff(id, { basis: 'time_barred', note: '' })
  expect(answer.body.data).toMatchObject({ previousStatus: 'imported', newStatus: 'written_off', note: null })
  expect(await recoveryOf(id)).toMatchObject({ status: 'pending', outcome: null })
  expect((await eventsOf(id)).map(event => event.type)).toEqual([
    'invoice.created',
    'invoice.status_changed',
    'anr.created',
  ])
  expect((await download(id)).response.status).toBe(200)
})

it('a claim whose amicable stage has ended can be given up too, and its recovery is completed', async () => {
  const id = await newInvoice()
  await untilContacted(id)
  await installation.sql(
    `update recoveries set status = 'judicial', wish_at = null, due_at = null where invoice_id = $1`,
    [id],
  )
  await installation.sql(`update invoices set judicial_at = updated_at, status = 'judicial' where id = $1`, [
    id,
  ])
  const answer = await writeOff(id, { basis: 'enforcement_failed' })
  expect(answer.body.data).toMatchObject({ previousStatus: 'judicial', newStatus: 'written_off' })
  expect(await recoveryOf(id)).toMatchObject({ status: 'completed', outcome: 'written_off' })
})

it('the attestation states a basis that the records show, and gives any other as the creditor’s declaration', async () => {
  const causeOf = async (id: string, basis: string) => {
    const { status, body } = await writeOff(id, { basis })
    expect(status).toBe(201)
    const { text } = readPdf((await download(id)).pdf)
    return {
      warned: body.warnings?.map(({ code }) => code) ?? [],
      isDeclared: text.includes('Selon la déclaration du créancier, '),
      text,
    }
  }
  const shown = { warned: [], isDeclared: false }
  const declared = { warned: ['basis_declared'], isDeclared: true }
  const contacted = async (changes: Record<string, unknown> = {}) => {
    const id = await newInvoice(changes)
    await untilContacted(id)
    return id
  }
  // Nothing was ever sent, nor recorded, for these.
  for (const basis of ['amicable_failed', 'liquidation', 'untraceable', 'enforcement_failed', 'time_barred'])
    expect(await causeOf(await sleepingInvoice(), basis), basis).toMatchObject(declared)
  expect(await causeOf(await contacted(), 'amicable_failed')).toMatchObject(shown)
  expect(await causeOf(await contacted(), 'time_barred')).toMatchObject(declared)
  const old = { issueDate: '2020-01-01', dueDate: '2020-02-01' }
  expect(await causeOf(await contacted(old), 'time_barred')).toMatchObject(shown)
  const insolvent = await contacted()
  const { debtor } = await read<{ debtor: { id: string } }>(`/api/v1/invoices/${insolvent}`)
  await installation.call('PUT', `/api/v1/debtors/${debtor.id}`, {
    body: { insolvency: { kind: 'liquidation', openedOn: '2026-11-10' } },
  })
  const liquidated = await causeOf(insolvent, 'liquidation')
  expect(liquidated).toMatchObject(shown)
  expect(liquidated.text).toContain(
    'Liquidation judiciaire du débiteur, selon l’enregistrement du créancier. Procédure ouverte le 10 novembre 2026.',
  )
  expect(liquidated.text).not.toContain('passée en perte')
})

it('a planned message is stopped, and one already handed over is named', async () => {
  const id = await newInvoice()
  await untilContacted(id)
  const [message] = await installation.sql<{ id: string }>(
    `update communications set state = 'sending' where id in (select communication_id from communication_invoices where invoice_id = $1)
     returning id`,
    [id],
  )
  const answer = await writeOff(id)
  expect(answer.body.data.inFlight).toEqual([
    { communicationId: message!.id, channel: 'email', action: 'email_prise_en_charge' },
  ])
  const [agenda] = await installation.sql(
    'select wake_at from agendas a join invoices i on i.tenant_id = a.tenant_id and i.debtor_id = a.debtor_id where i.id = $1',
    [id],
  )
  expect(agenda).toEqual({ wake_at: null })
})

it('what is paid is not written off, nor what is cancelled', async () => {
  const paid = await newInvoice()
  await pay(paid, 120_000)
  const cancelled = await newInvoice()
  await installation.sql(
    `update invoices set cancelled_at = created_at, status = 'cancelled' where id = $1`,
    [cancelled],
  )
  for (const [id, code, message] of [
    [paid, 'BIZ_001', 'The invoice is already paid; there is nothing left to write off.'],
    [cancelled, 'BIZ_004', 'The invoice is cancelled, which is final.'],
  ] as const) {
    const answer = await writeOff(id)
    expect([answer.status, answer.body.error.code, answer.body.error.message]).toEqual([400, code, message])
    const { response, pdf } = await download(id)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(JSON.parse(pdf.toString())).toMatchObject({ success: false, error: { code: 'RES_001' } })
  }
})

it('the basis is one of five, and the note has two thousand characters at most', async () => {
  const id = await newInvoice()
  for (const [body, code, field] of [
    [{}, 'VAL_003', 'basis'],
    [{ basis: 'tired' }, 'VAL_001', 'basis'],
    [{ basis: 'liquidation', note: 'x'.repeat(2_001) }, 'VAL_001', 'note'],
    [{ basis: 'liquidation', note: 'evil \u202e' }, 'VAL_004', 'note'],
  ] as const) {
    const answer = await writeOff(id, body)
    expect([answer.body.error.code, answer.body.error.details?.[0]?.field]).toEqual([code, field])
  }
  expect(await read(`/api/v1/invoices/${id}`)).not.toMatchObject({ status: 'written_off' })
})

it('the same request again gives the same answer and no second document', async () => {
  const id = await newInvoice()
  const once = { headers: { 'idempotency-key': randomUUIDv7() } }
  const [first, second] = [
    await writeOff(id, { basis: 'liquidation' }, once),
    await writeOff(id, { basis: 'liquidation' }, once),
  ]
  expect(first.status).toBe(201)
  expect([second.status, second.text]).toEqual([first.status, first.text])
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(await installation.sql('select id from anr_documents where invoice_id = $1', [id])).toEqual([
    { id: first.body.data.anrId },
  ])
})

it('of ten at once one gives the invoice up, and nine are told that it is', async () => {
  const id = await newInvoice()
  const answers = await Promise.all(Array.from({ length: 10 }, () => writeOff(id)))
  const codes = answers.map(answer => answer.body.error?.code ?? answer.status)
  expect(codes.sort()).toEqual([201, ...Array(9).fill('BIZ_004')])
})

it('nobody gives up, or reads about, what belongs to somebody else', async () => {
  const id = await newInvoice()
  await writeOff(id)
  const stranger = await installation.server.createCompany({
    name: 'Une autre maison',
    ownerEmail: 'autre@maison.example',
    tier: 'pro',
  })
  for (const other of [stranger.productionKey, installation.company.sandboxKey]) {
    const asked = await installation.call('GET', `/api/v1/invoices/${id}/anr`, { key: other })
    const missing = await installation.call('GET', `/api/v1/invoices/${randomUUIDv7()}/anr`, { key: other })
    expect([asked.status, asked.body.error]).toEqual([404, missing.body.error])
    const done = await installation.call('POST', `/api/v1/invoices/${id}/write-off`, {
      key: other,
      body: { basis: 'liquidation' },
    })
    expect([done.status, done.body.error.code]).toEqual([404, 'RES_001'])
  }
})

it('what is written off stays owed in the sums: nothing counts as collected, and nothing leaves the principal', async () => {
  const id = await newInvoice()
  await untilContacted(id)
  type Summary = Record<string, unknown> & { byStatus: Record<string, number> }
  const sums = async () => {
    const { byStatus, ...invoices } = await read<Summary>('/api/v1/invoices/stats/summary')
    return { byStatus, rest: [invoices, await read('/api/v1/payments/stats/summary')] }
  }
  const before = await sums()
  await writeOff(id)
  const after = await sums()
  expect(after.rest).toEqual(before.rest)
  expect(after.byStatus.written_off).toBe((before.byStatus.written_off ?? 0) + 1)
  expect(after.byStatus.in_recovery).toBe(before.byStatus.in_recovery! - 1)
})
