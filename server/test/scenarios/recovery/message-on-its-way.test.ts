import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WorkerContext } from '../../../src/features/recovery/messages/worker-context.ts'
import { wakeDebtor } from '../../../src/features/recovery/wake/wake-debtor.ts'
import { reserveOnly } from '../../harness/reserve-only.ts'
import { eventually, invoiceInput, mondayMorning, useInstallation } from '../../harness/use-installation.ts'
import { workerWithoutLoop } from '../../harness/worker-without-loop.ts'

const installation = useInstallation({ own: 'moves the clock' })
const sunday = Date.parse('2026-11-15T10:00:00+01:00')
const day = 86_400_000
let worker: WorkerContext & { stop(): Promise<void> }
beforeAll(() => {
  worker = workerWithoutLoop(installation.database, { connections: 4, reclaimAfterMs: 3_600_000 })
})
afterAll(() => worker?.stop())

const mailsTo = (address: string) => installation.server.mailbox.messages().filter(({ to }) => to === address)

async function create(name: string, email: string) {
  const { status, body } = await installation.call<{ id: string; debtor: { id: string } }>(
    'POST',
    '/api/v1/invoices',
    { body: invoiceInput({ debtor: { name, email, postalCode: '69002', city: 'Lyon' } }) },
  )
  expect(status).toBe(201)
  return { id: body.data.id, debtorId: body.data.debtor.id }
}

const trigger = (invoiceId: string, action: string) =>
  installation.call('POST', `/api/v1/workflow/invoice/${invoiceId}/trigger`, { body: { action } })
const nextAction = async (invoiceId: string) =>
  (
    await installation.call<{ reasonCode: string; scheduledAt: string | null }>(
      'GET',
      `/api/v1/workflow/invoice/${invoiceId}/next-action`,
    )
  ).body.data
const stateOf = async (communicationId: string) =>
  (
    await installation.sql<{ state: string }>('select state from communications where id = $1', [
      communicationId,
    ])
  )[0]!.state

async function claim({ tenantId, debtorId }: { tenantId: string; debtorId: string }) {
  const [agenda] = await installation.sql<{ wake_generation: string }>(
    'select wake_generation from agendas where debtor_id = $1',
    [debtorId],
  )
  const woken = await wakeDebtor(worker, { tenantId, debtorId, generation: Number(agenda!.wake_generation) })
  if (woken?.kind !== 'send') return null
  expect(woken.claim).toHaveProperty('token')
  return woken.communicationId
}

/** A reserved message whose worker died: before it claimed it, or before the mail server got the body. */
async function abandonedMessage(email: string, diedAfterClaim: boolean) {
  const tenantId = installation.company.tenants.production
  await installation.setNow(sunday)
  const invoice = await create('Trois SARL', email)
  const monday = '2026-11-16T08:00:00+01:00'
  await installation.sql('update recoveries set due_at = $2, wish_at = $2 where invoice_id = $1', [
    invoice.id,
    monday,
  ])
  await installation.setNow(mondayMorning)
  const { debtorId } = invoice
  const communicationId = diedAfterClaim
    ? await claim({ tenantId, debtorId })
    : await reserveOnly(installation.sql, worker, { tenantId, debtorId })
  if (communicationId === null) throw new Error('nothing was reserved')
  return { invoice, communicationId }
}

/** Its lease is over: another worker takes it. */
async function endLease(communicationId: string) {
  const past = new Date(Date.now() - 1_000).toISOString()
  await installation.sql(
    'update communications set lease_until = $2 where id = $1 and lease_until is not null',
    [communicationId, past],
  )
  await installation.sql('update pending_sends set reclaim_at = $2 where communication_id = $1', [
    communicationId,
    past,
  ])
}

describe.each([
  { dies: 'before the claim', diedAfterClaim: false, email: 'compta@before.example' },
  { dies: 'between the claim and the fence', diedAfterClaim: true, email: 'compta@after.example' },
])('a message whose worker dies $dies', ({ diedAfterClaim, email }) => {
  it('makes other invoices of the person wait for its outcome; when it is stopped, one of them is sent', async () => {
    const { invoice, communicationId } = await abandonedMessage(email, diedAfterClaim)
    const sameDebtor = await create('Trois SARL', email)
    const samePerson = await create('Trois Services', email)
    expect(sameDebtor.debtorId).toBe(invoice.debtorId)
    expect(samePerson.debtorId).not.toBe(invoice.debtorId)
    await eventually(
      () => nextAction(samePerson.id),
      ({ reasonCode }) => reasonCode === 'message_on_its_way',
    )
    expect(mailsTo(email)).toHaveLength(0)
    expect((await trigger(invoice.id, 'pause')).status).toBe(200)
    await endLease(communicationId)
    await eventually(
      () => stateOf(communicationId),
      state => state === 'cancelled',
    )
    await eventually(
      () => Promise.resolve(mailsTo(email)),
      mails => mails.length === 1,
    )
    const waiting = await eventually(
      () => Promise.all([nextAction(sameDebtor.id), nextAction(samePerson.id)]),
      both => both.every(({ reasonCode }) => reasonCode !== 'message_on_its_way'),
    )
    // One was written to; the other waits for three days after a contact that really happened.
    const days = waiting.map(({ scheduledAt }) =>
      Math.round((Date.parse(scheduledAt!) - mondayMorning) / day),
    )
    expect(days.some(each => each >= 3)).toBe(true)
    expect(mailsTo(email)).toHaveLength(1)
  })
})
