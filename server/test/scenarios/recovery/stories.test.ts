import { expect, it } from 'vitest'
import { historyLines, lyonDebtor, newSandbox } from '../../harness/sandbox.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()

it('three invoices of one debtor: one message a day, and a first contact only by an email of its own kind', async () => {
  const sandbox = await newSandbox(installation)
  const debtor = lyonDebtor('Petit SARL')
  const { id: first } = await sandbox.invoice({ debtor })
  await sandbox.advanceToDay('2026-11-17')
  // Due on the 24th: their first email and the text message of the first fall on the same day.
  const { id: second } = await sandbox.invoice({ debtor, dueDate: '2026-11-24' })
  const { id: third } = await sandbox.invoice({ debtor, dueDate: '2026-11-24', amountCents: 34_500 })
  await sandbox.advanceToDay('2026-11-26')
  const [text] = await sandbox.messages()
  expect(text).toMatchObject({ channel: 'sms', invoiceIds: [first] })
  expect(await sandbox.history(second)).toEqual([])
  await sandbox.advanceToDay('2026-11-29')
  const [email] = await sandbox.messages()
  expect(email).toMatchObject({ channel: 'email' })
  expect(new Set(email!.invoiceIds)).toEqual(new Set([second, third]))
  expect((await sandbox.history(third))[0]!.details).toMatch(/Grouped with F-/)
  const emailText = email!.body.replaceAll(/[\u00a0\u202f]/g, ' ')
  for (const amount of ['1 200,00 €', '345,00 €', '1 545,00 €']) expect(emailText).toContain(amount)
})

it('a payment in the middle ends the recovery: nothing more is sent, and everybody is told once', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Roche SARL') })
  await sandbox.advanceToDay('2026-12-01')
  await sandbox.simulate('payment', { invoiceId: id })
  expect(await sandbox.workflow(id)).toMatchObject({ status: 'completed', nextActionAt: null })
  expect(await sandbox.status(id)).toBe('paid')
  const before = (await sandbox.messages()).length
  expect(await sandbox.advance('P40D')).toEqual([])
  expect(await sandbox.messages()).toHaveLength(before)
  const types = (await sandbox.events(id)).map(event => event.type)
  for (const type of ['payment.received', 'debt.paid', 'workflow.completed'])
    expect(types.filter(other => other === type)).toHaveLength(1)
})

it('a part payment is a response of the debtor: three quiet days, then the reminders go on for the rest', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Garnier SARL') })
  await sandbox.advanceToDay('2026-11-20')
  await sandbox.simulate('payment', { invoiceId: id, amountCents: 50_000 })
  expect(await sandbox.status(id)).toBe('partial')
  expect(await sandbox.nextAction(id)).toMatchObject({
    nextAction: 'relance_email_1',
    reasonCode: 'sign_of_life',
  })
  await sandbox.advanceToDay('2026-11-24')
  expect(historyLines(await sandbox.history(id)).at(-1)).toBe('2026-11-23 relance_email_1 sent')
  const [message] = await sandbox.messages()
  expect(message!.body.replaceAll(/[\u00a0\u202f]/g, ' ')).toContain('700,00')
})

it('a dispute stops everything at once; rejected, the reminders go on from that day, without a burst', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Lambert SARL') })
  await sandbox.advanceToDay('2026-11-18')
  await sandbox.simulate('dispute', { invoiceId: id, reason: 'Two of the ten chairs are broken' })
  expect(await sandbox.status(id)).toBe('disputed')
  expect(await sandbox.workflow(id)).toMatchObject({ status: 'paused', nextActionAt: null })
  expect((await sandbox.trigger(id, { action: 'resume' })).body.error).toMatchObject({ code: 'BIZ_004' })
  expect(await sandbox.advance('P20D')).toEqual([])
  await sandbox.done('POST', `/api/v1/invoices/${id}/dispute/resolve`, { outcome: 'rejected' })
  expect(await sandbox.status(id)).toBe('in_recovery')
  await sandbox.advanceToDay('2026-12-31')
  const sent = historyLines(await sandbox.history(id)).filter(line => line.endsWith('sent'))
  // Twenty days of pause: the second email, due on the 21st, now falls on 11 December, and so on.
  expect(sent.slice(0, 5)).toEqual([
    '2026-11-16 email_prise_en_charge sent',
    '2026-12-08 dispute_resolved sent',
    '2026-12-11 relance_email_1 sent',
    '2026-12-15 sms_reminder sent',
    '2026-12-21 relance_email_2 sent',
  ])
})

it('a dispute that is upheld stays paused, until a person resumes it', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Faure SARL') })
  await sandbox.advanceToDay('2026-11-18')
  await sandbox.simulate('dispute', { invoiceId: id })
  await sandbox.done('POST', `/api/v1/invoices/${id}/dispute/resolve`, { outcome: 'upheld' })
  expect(await sandbox.workflow(id)).toMatchObject({ status: 'paused' })
  expect(await sandbox.advance('P30D')).toEqual([])
  expect((await sandbox.trigger(id, { action: 'resume' })).status).toBe(200)
  expect((await sandbox.advance('P5D')).map(line => line.action)).toEqual(['relance_email_1'])
})

it('a promise that is kept ends in payment; one that is broken ends the pause after two working days', async () => {
  const sandbox = await newSandbox(installation)
  const { id: kept } = await sandbox.invoice({ debtor: lyonDebtor('Blanc SARL') })
  const { id: broken } = await sandbox.invoice({ debtor: lyonDebtor('Noir SARL') })
  await sandbox.advanceToDay('2026-11-18')
  // A Friday: two working days later is Tuesday 1 December.
  for (const invoiceId of [kept, broken]) await sandbox.simulate('promise', { invoiceId, date: '2026-11-27' })
  expect(await sandbox.workflow(broken)).toMatchObject({ status: 'paused' })
  expect(await sandbox.advance({ to: '2026-11-30T12:00:00+01:00' })).toEqual([])
  await sandbox.simulate('payment', { invoiceId: kept })
  await sandbox.advanceToDay('2026-12-07')
  expect(historyLines(await sandbox.history(broken)).slice(-2)).toEqual([
    '2026-12-01 promise_broken done',
    '2026-12-04 relance_email_1 sent',
  ])
  expect(await sandbox.workflow(kept)).toMatchObject({ status: 'completed' })
  const promises = await installation.sql<{ invoice_id: string; status: string }>(
    'select invoice_id, status from promises where tenant_id = $1',
    [sandbox.tenantId],
  )
  expect(Object.fromEntries(promises.map(row => [row.invoice_id, row.status]))).toEqual({
    [kept]: 'kept',
    [broken]: 'broken',
  })
})

it('a pause of thirty days moves the days by thirty: no burst when it ends', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Morel SARL') })
  await sandbox.advanceToDay('2026-11-17')
  const paused = await sandbox.trigger(id, { action: 'pause', reason: 'Summer closing' })
  expect(paused.body.data).toMatchObject({ status: 'paused', previousStatus: 'in_recovery', inFlight: [] })
  expect(await sandbox.advance('P30D')).toEqual([])
  expect((await sandbox.trigger(id, { action: 'resume' })).body.data).toMatchObject({ status: 'in_recovery' })
  await sandbox.advance('P10D')
  const sent = historyLines(await sandbox.history(id)).filter(line => line.endsWith('sent'))
  expect(sent).toEqual([
    '2026-11-16 email_prise_en_charge sent',
    '2026-12-21 relance_email_1 sent',
    '2026-12-26 sms_reminder sent',
  ])
})

it('escalate jumps to the next more intrusive channel, at a legal hour, and at last ends the amicable stage', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Henry SARL') })
  await sandbox.advanceToDay('2026-11-17')
  for (const expected of ['sms_reminder', 'ai_call', 'lrar_mise_en_demeure']) {
    expect((await sandbox.trigger(id, { action: 'escalate' })).body.data).toMatchObject({
      status: 'in_recovery',
      currentStep: expected,
    })
    await sandbox.advance('P8D')
    expect(historyLines(await sandbox.history(id)).at(-1)).toContain(`${expected} sent`)
  }
  const refused = await sandbox.trigger(id, { action: 'escalate' })
  expect(refused.body.error).toMatchObject({ code: 'BIZ_004' })
  expect(JSON.stringify(refused.body.error.details)).toContain('deadline_running')
  await sandbox.advance('P21D')
  const unproven = await sandbox.trigger(id, { action: 'escalate' })
  expect(unproven.body.error.details).toMatchObject([{ code: 'formal_notice_unproven' }])
  await sandbox.simulate('lrar-presented', { invoiceId: id })
  await sandbox.advance('P9D')
  expect((await sandbox.trigger(id, { action: 'escalate' })).body.data).toMatchObject({ status: 'judicial' })
  expect(await sandbox.status(id)).toBe('judicial')
  const started = (await sandbox.events(id)).find(event => event.type === 'judicial.started')
  expect(started?.data).toMatchObject({ route: 'small_claims' })
  expect(await sandbox.advance('P60D')).toEqual([])
})

it('cancel with notice stops everything and sends one closing message at the next allowed moment', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Simon SARL') })
  await sandbox.advanceToDay('2026-11-22')
  const cancelled = await sandbox.done<{ summary: Record<string, unknown>; newStatus: string }>(
    'POST',
    `/api/v1/invoices/${id}/cancel`,
    { reason: 'Sent to the wrong customer', notifyDebtor: true },
  )
  expect(cancelled).toMatchObject({
    newStatus: 'cancelled',
    summary: { actionsCancelled: 7, voiceCallsCancelled: 2, debtorNotified: true },
  })
  await sandbox.advance('P200D')
  const [message, ...others] = await sandbox.messages()
  expect(others).toHaveLength(2)
  expect(message!.channel).toBe('email')
  // The second email left on Saturday the 21st: three days of cool-down hold for a closing notice too.
  expect(message!.createdAt.slice(0, 10)).toBe('2026-11-24')
})

it('a refund after payment reopens the recovery, paused: a person decides', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Gauthier SARL') })
  await sandbox.advanceToDay('2026-11-18')
  const payment = await sandbox.done<{ id: string }>('POST', '/api/v1/payments', {
    invoiceId: id,
    amountCents: 120_000,
    method: 'bank_transfer',
  })
  await sandbox.done('POST', `/api/v1/payments/${payment.id}/refund`, { reason: 'Paid twice' })
  expect(await sandbox.workflow(id)).toMatchObject({ status: 'paused' })
  expect(await sandbox.nextAction(id)).toMatchObject({ blockedBy: ['reopened'] })
  expect(await sandbox.advance('P20D')).toEqual([])
})
