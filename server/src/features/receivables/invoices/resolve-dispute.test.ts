import { expect, it } from 'vitest'
import { historyLines, lyonDebtor, newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

interface Dispute {
  id: string
  openedAt: string
  status: string
  resolvedAt: string | null
  note: string | null
  invoiceStatus: string
  workflowStatus: string
}

const openDispute = (sandbox: Sandbox, id: string) =>
  sandbox.done<Dispute>('POST', `/api/v1/invoices/${id}/dispute`, { reason: 'Never delivered' })
const resolveDispute = (sandbox: Sandbox, id: string, body: Record<string, unknown>) =>
  sandbox.done<Dispute>('POST', `/api/v1/invoices/${id}/dispute/resolve`, body)

const creditOf = (outcome: string) => (outcome === 'partly' ? { amountCents: 24_000 } : {})

it.each(['rejected', 'partly'])(
  '%s: the reminders go on from that day, moved by the length of the dispute, without a burst',
  async outcome => {
    const sandbox = await newSandbox(installation)
    const { id } = await sandbox.invoice({ debtor: lyonDebtor('Lambert SARL') })
    await sandbox.advanceToDay('2026-11-18')
    const opened = await openDispute(sandbox, id)
    expect(await sandbox.advance('P20D')).toEqual([])
    const note = 'The slip was signed without reserve'
    const resolved = await resolveDispute(sandbox, id, { outcome, note, ...creditOf(outcome) })
    expect(resolved).toEqual({
      ...opened,
      status: outcome,
      resolvedAt: expect.any(String),
      note,
      creditedCents: outcome === 'partly' ? 24_000 : null,
      invoiceStatus: 'in_recovery',
      workflowStatus: 'in_recovery',
    })
    expect(resolved.resolvedAt! > opened.openedAt).toBe(true)
    await sandbox.advanceToDay('2026-12-17')
    const sent = historyLines(await sandbox.history(id)).filter(line => line.endsWith('sent'))
    // Twenty days of waiting: what was due on 21 and 25 November falls on 11 and 15 December.
    expect(sent).toEqual([
      '2026-11-16 email_prise_en_charge sent',
      '2026-12-08 dispute_resolved sent',
      '2026-12-11 relance_email_1 sent',
      '2026-12-15 sms_reminder sent',
    ])
    const lines = (await sandbox.history(id)).filter(line => line.status === 'done').map(line => line.action)
    expect(lines.slice(0, 2)).toEqual(['dispute', 'dispute_resolved'])
  },
)

it('upheld: the invoice is not disputed any more, and its recovery stays paused until a person resumes it', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Faure SARL') })
  await sandbox.advanceToDay('2026-11-18')
  await openDispute(sandbox, id)
  expect(await resolveDispute(sandbox, id, { outcome: 'upheld' })).toMatchObject({
    status: 'upheld',
    note: null,
    invoiceStatus: 'in_recovery',
    workflowStatus: 'paused',
  })
  expect(await sandbox.nextAction(id)).toMatchObject({ blockedBy: ['upheld'] })
  expect(await sandbox.advance('P30D')).toEqual([])
  expect((await sandbox.trigger(id, { action: 'resume' })).status).toBe(200)
  // The debtor had been told that the reminders have stopped: they hear first that these go on.
  await sandbox.advance('P4D')
  const sent = (await sandbox.history(id)).filter(line => line.status === 'sent').map(line => line.action)
  expect(sent.slice(-3)).toEqual(['dispute_resolved', 'dispute_resolved', 'relance_email_1'])
  const told = (await sandbox.messages()).map(({ body }) => plain(body))
  expect(told.join()).toContain('Cette facture vous est de nouveau réclamée : il reste à payer 1 200,00 €.')
})

it('another reason to wait outlives the dispute: a promise ends the pause on its own day', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Noel SARL') })
  await sandbox.advanceToDay('2026-11-18')
  await sandbox.done('POST', `/api/v1/invoices/${id}/promise`, { date: '2026-12-04' })
  await openDispute(sandbox, id)
  expect(await resolveDispute(sandbox, id, { outcome: 'rejected' })).toMatchObject({
    workflowStatus: 'paused',
  })
  expect(await sandbox.nextAction(id)).toMatchObject({ blockedBy: ['promise'] })
  await sandbox.advanceToDay('2026-12-12')
  // A Friday, and two working days: Tuesday.
  expect(historyLines(await sandbox.history(id)).slice(-2)).toEqual([
    '2026-12-08 promise_broken done',
    expect.stringMatching(/^2026-12-(09|1\d) relance_email_1 sent$/),
  ])
})

it('there is nothing to resolve without an open dispute, nor twice', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Roux SARL') })
  const path = `/api/v1/invoices/${id}/dispute/resolve`
  const none = await sandbox.call('POST', path, { outcome: 'rejected' })
  expect([none.status, none.body.error.code]).toEqual([400, 'BIZ_004'])
  await openDispute(sandbox, id)
  await resolveDispute(sandbox, id, { outcome: 'rejected' })
  expect((await sandbox.call('POST', path, { outcome: 'upheld' })).body.error.code).toBe('BIZ_004')
})

it('a dispute can be opened again after it was resolved, and both are kept', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Vidal SARL') })
  for (const outcome of ['rejected', 'upheld']) {
    await openDispute(sandbox, id)
    await resolveDispute(sandbox, id, { outcome })
  }
  const rows = await installation.sql<{ status: string }>(
    'select status from disputes where invoice_id = $1 order by id',
    [id],
  )
  expect(rows.map(row => row.status)).toEqual(['rejected', 'upheld'])
})

it('a dispute of an invoice that was paid meanwhile is closed, and the invoice stays paid', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Gaillard SARL') })
  await openDispute(sandbox, id)
  await sandbox.done('POST', '/api/v1/payments', {
    invoiceId: id,
    amountCents: 120_000,
    method: 'bank_transfer',
  })
  expect(await resolveDispute(sandbox, id, { outcome: 'rejected' })).toMatchObject({
    invoiceStatus: 'paid',
    workflowStatus: 'completed',
  })
})

const disputedInvoice = async (name: string, changes: Record<string, unknown> = {}) => {
  const sandbox = await newSandbox(installation)
  const invoice = await sandbox.invoice({ debtor: { ...lyonDebtor(name), ...changes } })
  const { id } = invoice
  await sandbox.advanceToDay('2026-11-18')
  await openDispute(sandbox, id)
  const path = `/api/v1/invoices/${id}/dispute/resolve`
  const balance = async () =>
    (await sandbox.done<{ balanceCents: number }>('GET', `/api/v1/invoices/${id}`)).balanceCents
  /** What the debtor was written last. */
  const answer = async () => {
    await sandbox.advance('P2D')
    const mails = (await sandbox.messages()).filter(({ subject }) => subject?.startsWith('Atelier Martin'))
    const about = mails.filter(({ subject }) => subject?.includes('réponse à votre contestation'))
    return plain(about[0]!.body)
  }
  return { sandbox, id, path, balance, answer, debtorId: invoice.debtor.id }
}

it('accepted in part, but for which sum: VAL_003, and nothing changes', async () => {
  const { sandbox, id, path } = await disputedInvoice('Partial SARL')
  const refused = await sandbox.call('POST', path, { outcome: 'partly' })
  expect([refused.status, refused.body.error.code]).toEqual([400, 'VAL_003'])
  expect(refused.body.error.details).toMatchObject([{ field: 'amountCents', code: 'missing' }])
  expect(await sandbox.status(id)).toBe('disputed')
  for (const body of [
    { outcome: 'rejected', amountCents: 100 },
    { outcome: 'upheld', answer: 'No' },
    { outcome: 'rejected', answer: 'Pay to DE89370400440532013000' },
    { outcome: 'rejected', answer: 'x'.repeat(501) },
    { outcome: 'partly', amountCents: 120_001 },
  ])
    expect((await sandbox.call('POST', path, body)).body.error.code).toBe('VAL_001')
  expect(await sandbox.status(id)).toBe('disputed')
})

it('accepted in part: the sum is a credit note, and the debtor reads what is left', async () => {
  const { sandbox, id, path, balance, answer } = await disputedInvoice('Lenoir SARL')
  await sandbox.done('POST', path, {
    outcome: 'partly',
    amountCents: 24_000,
    creditNumber: 'AV-2026-0012',
    answer: 'huit chaises sur dix étaient intactes.',
  })
  expect(await balance()).toBe(96_000)
  const credits = await installation.sql<{ number: string; amount_cents: string }>(
    'select number, amount_cents from credits where invoice_id = $1',
    [id],
  )
  expect(credits.map(({ number, amount_cents }) => [number, Number(amount_cents)])).toEqual([
    ['AV-2026-0012', 24_000],
  ])
  const text = await answer()
  expect(text).toContain('Votre contestation est acceptée pour 240,00 €. Il reste à payer 960,00 €.')
  expect(text).toContain('Motif : huit chaises sur dix étaient intactes.')
  expect(text).not.toContain('1 200,00')
  const resolved = (await sandbox.history(id)).find(({ action }) => action === 'dispute_resolved')
  expect(resolved!.details).toContain('Dispute accepted for')
})

it('accepted in part: a credit note that was recorded since the dispute was opened is enough', async () => {
  const { sandbox, id, path, answer } = await disputedInvoice('Leblanc SARL')
  const credit = { number: 'AV-77', amountCents: 20_000, issuedOn: '2026-11-18' }
  await sandbox.done('POST', `/api/v1/invoices/${id}/credits`, credit)
  expect(await sandbox.done('POST', path, { outcome: 'partly' })).toMatchObject({ creditedCents: 20_000 })
  expect(await answer()).toContain('acceptée pour 200,00 €. Il reste à payer 1 000,00 €.')
})

it('accepted for all of it: the invoice is paid off, and nothing is left to pay', async () => {
  const { sandbox, path, answer } = await disputedInvoice('Legris SARL')
  expect(await sandbox.done('POST', path, { outcome: 'partly', amountCents: 120_000 })).toMatchObject({
    invoiceStatus: 'paid',
    workflowStatus: 'completed',
  })
  expect(await answer()).toContain(
    'Votre contestation est acceptée pour 1 200,00 €. Plus rien n’est à payer.',
  )
})

it('upheld: the answer asks for no sum at all', async () => {
  const { sandbox, path, answer } = await disputedInvoice('Leroux SARL')
  await sandbox.done('POST', path, { outcome: 'upheld' })
  const text = await answer()
  expect(text).toContain('Votre contestation est acceptée. Les rappels de cette facture sont arrêtés.')
  expect(text).not.toMatch(/€|Reste à payer/)
})

it('rejected: the reason is told, the note is not', async () => {
  const { sandbox, path, answer } = await disputedInvoice('Lebrun SARL')
  await sandbox.done('POST', path, { outcome: 'rejected', answer: 'le bon est signé.', note: 'A bad payer' })
  const text = await answer()
  expect(text).toContain('Nous maintenons la facture.')
  expect(text).toContain('Motif : le bon est signé.')
  expect(text).not.toContain('A bad payer')
})

it('a consumer is told of a mediator, or the dispute is not rejected', async () => {
  const { sandbox, id, path, balance } = await disputedInvoice('Petit', { type: 'consumer' })
  for (const body of [{ outcome: 'rejected' }, { outcome: 'partly', amountCents: 1_000 }]) {
    const refused = await sandbox.call('POST', path, body)
    expect([refused.status, refused.body.error.code]).toEqual([400, 'BIZ_004'])
    expect(refused.body.error.message).toContain('an owner saves `mediator`')
  }
  expect([await sandbox.status(id), await balance()]).toEqual(['disputed', 120_000])
  const mediator = {
    name: 'Médiation Exemple',
    address: '1 rue du Lac, 75001 Paris',
    website: 'www.mediation.example',
  }
  await sandbox.done('PUT', '/api/v1/company', { mediator })
  expect(await sandbox.done('POST', path, { outcome: 'rejected' })).toMatchObject({ status: 'rejected' })
})

it('interest is counted anew without what was never owed', async () => {
  const { sandbox, id, path } = await disputedInvoice('Lejeune SARL')
  await installation.sql('update invoices set claimed_cents = 9000 where id = $1', [id])
  const claimed = async () =>
    (
      await installation.sql<{ n: string }>('select claimed_cents as n from invoices where id = $1', [id])
    ).map(({ n }) => Number(n))
  await sandbox.done('POST', path, { outcome: 'partly', amountCents: 24_000 })
  const [{ due }] = (await installation.sql<{ due: string }>(
    `select due_date::text as due from invoices where id = $1`,
    [id],
  )) as [{ due: string }]
  const [{ bps }] = (await installation.sql<{ bps: number }>(
    `select rate_bps as bps from late_payment_rates where kind = 'ecb' and starts_on = '2026-07-01' and replaced_at is null
     union all select 0 limit 1`,
  )) as [{ bps: number }]
  const days = Math.max(0, (Date.parse('2026-11-18') - Date.parse(due)) / 86_400_000)
  const interest = bps === 0 ? 0 : Math.round((96_000 * days * (bps + 1_000)) / 3_650_000)
  expect(await claimed()).toEqual([Math.min(9_000, 4_000 + interest)])
  await openDispute(sandbox, id)
  await sandbox.done('POST', path, { outcome: 'upheld' })
  expect(await claimed()).toEqual([0])
})
