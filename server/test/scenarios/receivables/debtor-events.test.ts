import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox } from '../../harness/sandbox.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()

/** An invoice of a debtor, and what is told of it. */
async function owing(name: string) {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor(name) })
  const told = async (...types: string[]) =>
    (await sandbox.events(id)).filter(({ type }) => types.includes(type)).map(({ data }) => data)
  const [{ number }] = (await installation.sql<{ number: string }>(
    'select number from invoices where id = $1',
    [id],
  )) as [{ number: string }]
  return {
    sandbox,
    id,
    debtorId: debtor.id,
    told,
    ids: { invoiceId: id, invoiceNumber: number, debtorId: debtor.id },
  }
}

it('a promise is told when it is made, and again when its day and two working days have gone by', async () => {
  const { sandbox, id, told, ids } = await owing('Promis')
  const { id: promiseId } = await sandbox.done<{ id: string }>('POST', `/api/v1/invoices/${id}/promise`, {
    date: '2026-11-20',
    amountCents: 50_000,
  })
  const promise = { ...ids, promiseId, date: '2026-11-20', amountCents: 50_000 }
  expect(await told('promise.recorded')).toEqual([{ ...promise, channel: 'api' }])
  expect(await told('workflow.paused')).toEqual([
    { ...ids, cause: 'promise', until: '2026-11-24T07:00:00.000Z' },
  ])
  await sandbox.advance('P10D')
  expect(await told('promise.broken')).toEqual([{ ...promise, brokenOn: '2026-11-24' }])
})

it('a promise moved on its day is broken on that day; moved before, it is only replaced', async () => {
  const { sandbox, id, told, ids } = await owing('Déplacé')
  const promise = (date: string) =>
    sandbox.done<{ id: string }>('POST', `/api/v1/invoices/${id}/promise`, { date })
  await promise('2026-11-20')
  const second = await promise('2026-11-18')
  expect(await told('promise.broken')).toEqual([])
  await sandbox.advanceToDay('2026-11-18')
  await promise('2026-11-27')
  expect(await told('promise.broken')).toEqual([
    { ...ids, promiseId: second.id, date: '2026-11-18', amountCents: 120_000, brokenOn: '2026-11-18' },
  ])
  expect(await told('promise.recorded')).toHaveLength(3)
  // One pause: it lasts longer, and is not told again.
  expect(await told('workflow.paused')).toHaveLength(1)
})

it('a dispute is told when it is opened and when it ends; upheld, a person has to decide', async () => {
  const { sandbox, id, told, ids } = await owing('Litige')
  const opened = await sandbox.done<{ id: string }>('POST', `/api/v1/invoices/${id}/dispute`, {
    reason: 'Two of the ten chairs arrived broken',
    category: 'wrong_quantity',
    amountCents: 24_000,
  })
  const about = { ...ids, disputeId: opened.id }
  expect(await told('dispute.opened')).toEqual([
    { ...about, category: 'wrong_quantity', amountCents: 24_000, disputedCents: 24_000, channel: 'api' },
  ])
  await sandbox.done('POST', `/api/v1/invoices/${id}/dispute/resolve`, { outcome: 'upheld' })
  expect(await told('dispute.resolved')).toEqual([{ ...about, outcome: 'upheld', creditedCents: null }])
  expect(await told('decision.due')).toEqual([{ ...ids, cause: 'upheld_dispute', dueAt: expect.any(String) }])
})

it('a message that comes back is told with the way it took and the invoices it was about', async () => {
  const { sandbox, id, told, ids } = await owing('Perdu')
  await sandbox.advance('P1D')
  const { communicationId } = (await sandbox.simulate('bounced', { invoiceId: id })) as {
    communicationId: string
  }
  expect(await told('message.bounced')).toEqual([
    { ...ids, communicationId, channel: 'email', reasonCode: 'hard_bounce', invoiceIds: [id] },
  ])
})

it('an opt-out and a wrong person are told of the latest invoice of the debtor, and pause what they stop', async () => {
  const { sandbox, id, debtorId, told, ids } = await owing('Autre')
  await sandbox.simulate('opt-out', { debtorId, channel: 'sms' })
  await sandbox.simulate('wrong-person', { debtorId, point: 'email' })
  expect(await told('debtor.opted_out')).toEqual([{ ...ids, channel: 'sms' }])
  expect(await told('debtor.wrong_person')).toEqual([{ ...ids, contactPoint: 'email' }])
  expect(await told('workflow.paused')).toEqual([{ ...ids, cause: 'wrong_person', until: null }])
  // What is held already is not paused again.
  await sandbox.done('POST', `/api/v1/invoices/${id}/dispute`, { reason: 'Never ordered' })
  expect(await told('workflow.paused')).toHaveLength(1)
})

it('a pause asked for is told with its end, and the end of the reminders as a decision', async () => {
  const { sandbox, id, told, ids } = await owing('Patience')
  await sandbox.trigger(id, { action: 'pause', until: '2026-11-20T08:00:00Z' })
  expect(await told('workflow.paused')).toEqual([
    { ...ids, cause: 'asked', until: '2026-11-20T08:00:00.000Z' },
  ])
  await sandbox.advance('P80D')
  expect(await told('decision.due')).toEqual([{ ...ids, cause: 'review', dueAt: expect.any(String) }])
})

it('what is refused is not told: an event stands or falls with its change', async () => {
  const { sandbox, id, told } = await owing('Refus')
  const far = await sandbox.call('POST', `/api/v1/invoices/${id}/promise`, { date: '2027-06-01' })
  expect(far.status).toBe(400)
  await sandbox.done('POST', `/api/v1/invoices/${id}/dispute`, { reason: 'Never ordered' })
  const again = await sandbox.call('POST', `/api/v1/invoices/${id}/dispute`, { reason: 'Never ordered' })
  expect(again.status).toBeGreaterThanOrEqual(400)
  expect(await told('promise.recorded')).toEqual([])
  expect(await told('dispute.opened')).toHaveLength(1)
})
