import { expect, it } from 'vitest'
import { historyLines, lyonDebtor, newSandbox } from '../../harness/sandbox.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()

it('the full cascade in Lyon, date by date, with the letter signed on 18 December', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Durand SARL') })
  await sandbox.advanceToDay('2026-12-18')
  expect(await sandbox.status(id)).toBe('lrar_sent')
  await sandbox.simulate('lrar-signed', { invoiceId: id })
  await sandbox.advanceToDay('2027-01-08')
  expect(historyLines(await sandbox.history(id))).toEqual([
    '2026-11-16 email_prise_en_charge sent',
    '2026-11-21 relance_email_1 sent',
    '2026-11-25 sms_reminder sent',
    '2026-11-30 relance_email_2 sent',
    '2026-12-04 ai_call sent',
    '2026-12-09 relance_email_3 sent',
    '2026-12-14 lrar_mise_en_demeure delivered',
    '2026-12-28 ai_call_2 sent',
    '2026-12-31 email_dernier_avis sent',
    '2027-01-07 revue_judiciaire done',
  ])
  expect(await sandbox.nextAction(id)).toMatchObject({ nextAction: null, reasonCode: 'awaiting_decision' })
  expect(await sandbox.workflow(id)).toMatchObject({ status: 'in_recovery', actionsCompleted: 9 })
  const events = await sandbox.events(id)
  const count = (type: string) => events.filter(event => event.type === type).length
  expect(count('debtor.contacted')).toBe(9)
  expect(count('workflow.action_triggered')).toBe(9)
  expect(count('lrar.sent')).toBe(1)
  expect(count('lrar.delivered')).toBe(1)
  expect((await sandbox.messages()).map(message => message.channel).reverse()).toEqual([
    'email',
    'email',
    'sms',
    'email',
    'voice',
    'email',
    'lrar',
    'voice',
    'email',
  ])
})

it('after the last step nothing is sent until a person decides', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Après SARL') })
  await sandbox.advanceToDay('2026-12-18')
  await sandbox.simulate('lrar-signed', { invoiceId: id })
  await sandbox.advanceToDay('2027-01-08')
  const sent = (await sandbox.messages()).length
  expect(sent).toBe(9)
  await sandbox.advance('P180D')
  expect(await sandbox.messages()).toHaveLength(sent)
  expect(await sandbox.nextAction(id)).toMatchObject({ nextAction: null, reasonCode: 'awaiting_decision' })
})

it('a letter due on 25 December leaves on the 26th in Lyon and on the 28th in Colmar', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.advance({ to: '2026-11-27T09:00:00+01:00' })
  const inLyon = await sandbox.invoice({ debtor: lyonDebtor('Mercier SARL') })
  const colmar = { ...lyonDebtor('Muller SARL'), postalCode: '68000', city: 'Colmar' }
  const inColmar = await sandbox.invoice({ debtor: colmar })
  await sandbox.advanceToDay('2026-12-30')
  const letterOf = async (id: string) =>
    historyLines(await sandbox.history(id)).find(line => line.includes('lrar_mise_en_demeure'))
  expect(await letterOf(inLyon.id)).toBe('2026-12-26 lrar_mise_en_demeure sent')
  expect(await letterOf(inColmar.id)).toBe('2026-12-28 lrar_mise_en_demeure sent')
})

it('in Saint-Denis de La Réunion the hours and the holidays are the island’s', async () => {
  const sandbox = await newSandbox(installation)
  // The letter falls on 20 December, the abolition of slavery, a holiday on the island alone.
  await sandbox.advance({ to: '2026-11-22T12:00:00+01:00' })
  const debtor = {
    ...lyonDebtor('Payet SARL'),
    phone: '+262692123456',
    postalCode: '97400',
    city: 'Saint-Denis',
  }
  const { id } = await sandbox.invoice({ debtor })
  await sandbox.advanceToDay('2027-01-25')
  const history = await sandbox.history(id)
  expect(historyLines(history, 'Indian/Reunion')).toEqual([
    '2026-11-23 email_prise_en_charge sent',
    '2026-11-27 relance_email_1 sent',
    '2026-12-01 sms_reminder sent',
    '2026-12-07 relance_email_2 sent',
    '2026-12-10 ai_call sent',
    '2026-12-15 relance_email_3 sent',
    '2026-12-21 lrar_mise_en_demeure sent',
    '2027-01-13 ai_call_2 sent',
    '2027-01-16 email_dernier_avis sent',
    '2027-01-19 revue_judiciaire done',
  ])
  for (const { executedAt, channel } of history) {
    if (channel === null) continue
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Indian/Reunion', timeStyle: 'short' })
    const time = clock.format(Date.parse(executedAt))
    expect(time >= '08:00' && time < '20:00', `${channel} at ${time}`).toBe(true)
  }
})
