import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation()
const path = (event: string) => `/api/v1/sandbox/simulate/${event}`

it('messages arrive, come back, or are not answered, and the history says so', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Durand SARL') })
  await sandbox.advanceToDay('2026-11-22')
  expect(await sandbox.simulate('delivered', { invoiceId: id })).toMatchObject({
    action: 'relance_email_1',
    channel: 'email',
    outcome: 'delivered',
    invoiceIds: [id],
  })
  await sandbox.advanceToDay('2026-12-05')
  const { communicationId } = await sandbox.simulate('no-answer', { invoiceId: id })
  await sandbox.simulate('bounced', { invoiceId: id, communicationId })
  const lines = (await sandbox.history(id)).map(({ action, status }) => `${action} ${status}`)
  expect(lines).toEqual([
    'email_prise_en_charge sent',
    'relance_email_1 delivered',
    'sms_reminder sent',
    'relance_email_2 sent',
    'ai_call bounced',
  ])
})

it.each([
  ['lrar-presented', 'sent', 'Presented'],
  ['lrar-signed', 'delivered', 'Signed for'],
  ['lrar-refused', 'refused', 'Refused'],
  ['lrar-unclaimed', 'unclaimed', 'Not collected'],
])(
  '%s is recorded for the formal notice, and the next step waits for eight days from it',
  async (event, status, words) => {
    const sandbox = await newSandbox(installation)
    const { id } = await sandbox.invoice({ debtor: lyonDebtor('Durand SARL') })
    await sandbox.advanceToDay('2026-12-18')
    await sandbox.simulate(event, { invoiceId: id })
    const letter = (await sandbox.history(id)).at(-1)!
    expect([letter.action, letter.status]).toEqual(['lrar_mise_en_demeure', status])
    expect(letter.details).toContain(`${words}`)
    expect((await sandbox.nextAction(id)).scheduledAt).toMatch(/^2026-12-28/)
  },
)

it('the debtor pays a part and then the rest, promises and disputes, as by the real operations', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Durand SARL') })
  await sandbox.advance('P1D')
  expect(await sandbox.simulate('payment', { invoiceId: id, amountCents: 20_000 })).toMatchObject({
    amountCents: 20_000,
    method: 'bank_transfer',
    status: 'completed',
  })
  expect(await sandbox.simulate('promise', { invoiceId: id })).toMatchObject({
    date: '2026-11-24',
    amountCents: 100_000,
    workflowStatus: 'paused',
  })
  expect(await sandbox.simulate('dispute', { invoiceId: id, reason: 'Too few' })).toMatchObject({
    reason: 'Too few',
    invoiceStatus: 'disputed',
  })
  expect(await sandbox.simulate('payment', { invoiceId: id, method: 'card' })).toMatchObject({
    amountCents: 100_000,
    method: 'card',
  })
  expect(await sandbox.status(id)).toBe('paid')
  const again = await sandbox.call('POST', path('payment'), { invoiceId: id })
  expect([again.status, again.body.error.code]).toEqual([400, 'BIZ_001'])
})

it('the debtor closes a channel, or turns out to be somebody else', async () => {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Durand SARL') })
  await sandbox.advance('P6D')
  await sandbox.simulate('opt-out', { debtorId: debtor.id, channel: 'sms' })
  await sandbox.advanceToDay('2026-11-27')
  expect((await sandbox.history(id)).at(-1)).toMatchObject({ action: 'sms_reminder', status: 'skipped' })
  await sandbox.simulate('wrong-person', { debtorId: debtor.id, point: 'email' })
  expect(await sandbox.workflow(id)).toMatchObject({ status: 'paused' })
})

it('a message that was never sent cannot arrive, a known receipt is refused, and a letter is not an email', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Durand SARL') })
  await sandbox.advance('P1D')
  const refusal = async (event: string, body: Record<string, unknown>) => {
    const answer = await sandbox.call('POST', path(event), body)
    return [answer.status, answer.body.error?.code, answer.body.error?.message]
  }
  expect(await refusal('lrar-signed', { invoiceId: id })).toEqual([
    400,
    'BIZ_004',
    expect.stringContaining('Nothing was sent for this invoice by lrar yet'),
  ])
  const { communicationId } = await sandbox.simulate('bounced', { invoiceId: id })
  expect(await refusal('bounced', { communicationId })).toEqual([
    400,
    'BIZ_004',
    'This was heard of the message already.',
  ])
  expect((await refusal('delivered', { communicationId }))[2]).toContain('outweighs')
  expect((await refusal('lrar-signed', { communicationId }))[2]).toContain('cannot happen')
  expect(await refusal('delivered', {})).toEqual([400, 'VAL_003', expect.any(String)])
  const other = await sandbox.invoice({ debtor: lyonDebtor('Autre SARL') })
  expect((await refusal('delivered', { communicationId, invoiceId: other.id }))[0]).toBe(404)
  expect((await refusal('earthquake', { invoiceId: id }))[0]).toBe(404)
})
