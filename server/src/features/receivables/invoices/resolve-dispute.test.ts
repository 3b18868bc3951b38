import { expect, it } from 'vitest'
import { historyLines, lyonDebtor, newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

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

it.each(['rejected', 'partly'])(
  '%s: the reminders go on from that day, moved by the length of the dispute, without a burst',
  async outcome => {
    const sandbox = await newSandbox(installation)
    const { id } = await sandbox.invoice({ debtor: lyonDebtor('Lambert SARL') })
    await sandbox.advanceToDay('2026-11-18')
    const opened = await openDispute(sandbox, id)
    expect(await sandbox.advance('P20D')).toEqual([])
    const note = 'The slip was signed without reserve'
    const resolved = await resolveDispute(sandbox, id, { outcome, note })
    expect(resolved).toEqual({
      ...opened,
      status: outcome,
      resolvedAt: expect.any(String),
      note,
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
    const lines = (await sandbox.history(id)).map(line => line.action)
    expect(lines.slice(1, 3)).toEqual(['dispute', 'dispute_resolved'])
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
  expect((await sandbox.advance('P4D')).map(line => line.action)).toEqual(['relance_email_1'])
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
  await resolveDispute(sandbox, id, { outcome: 'partly' })
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
