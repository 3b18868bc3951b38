import { afterAll, beforeAll, expect, it } from 'vitest'
import { claim } from '../../../src/features/recovery/messages/claim.ts'
import type { Worker } from '../../../src/features/recovery/messages/worker.ts'
import { wake } from '../../../src/features/recovery/wake/wake.ts'
import { eventually, invoiceInput, mondayMorning, useHouse } from '../../harness/house.ts'
import { loneWorker } from '../../harness/lone-worker.ts'

const house = useHouse()
const sunday = Date.parse('2026-11-15T10:00:00+01:00')
let worker: Worker & { stop(): Promise<void> }
beforeAll(() => {
  worker = loneWorker(house.database, { connections: 4, redriveMs: 3_600_000 })
})
afterAll(() => worker?.stop())

interface Message {
  id: string
  invoiceIds: string[]
  addressee: string
}

/** A message that was claimed by somebody who then died, before a byte of it had left. */
async function messageOfTheDead(invoices: number): Promise<Message> {
  await house.setNow(sunday)
  const { debtor } = invoiceInput()
  const made = []
  for (let i = 0; i < invoices; i++)
    made.push(
      await house.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
        body: invoiceInput({ debtor, invoiceNumber: `${debtor.email} ${i}` }),
      }),
    )
  const invoiceIds = made.map(answer => answer.body.data.id)
  const debtorId = made[0]!.body.data.debtor.id
  await house.sql(`update recoveries set due_at = '2026-11-16T08:00:00+01:00' where debtor_id = $1`, [
    debtorId,
  ])
  await house.setNow(mondayMorning)
  const tenantId = house.company.tenants.production
  const [agenda] = await house.sql<{ wake_gen: string }>(
    'select wake_gen from agendas where debtor_id = $1',
    [debtorId],
  )
  const woken = await wake(worker, { tenantId, debtorId, gen: Number(agenda!.wake_gen) })
  if (woken?.kind !== 'send') throw new Error('nothing was reserved')
  const claimed = await claim(worker, tenantId, debtorId, woken.communicationId)
  expect(claimed).toHaveProperty('token')
  return { id: woken.communicationId, invoiceIds, addressee: debtor.email }
}

/** The lease is over, and the armer hands the message to somebody else. */
async function passOn({ id }: Message): Promise<string> {
  const past = new Date(Date.now() - 1_000).toISOString()
  await house.sql('update communications set lease_until = $2 where id = $1', [id, past])
  await house.sql('update pending_sends set redrive_at = $2 where communication_id = $1', [id, past])
  const [row] = await eventually(
    () => house.sql<{ state: string }>('select state from communications where id = $1', [id]),
    ([found]) => found!.state !== 'sending',
  )
  await eventually(
    () =>
      house.sql<{ n: number }>(
        `select (select count(*) from pending_sends)::int
              + (select count(*) from agendas where wake_at <= clock_timestamp())::int as n`,
      ),
    ([found]) => found!.n === 0,
  )
  return row!.state
}

const trigger = (invoiceId: string, action: string) =>
  house.call('POST', `/api/v1/workflow/invoice/${invoiceId}/trigger`, { body: { action } })
const payInFull = (invoiceId: string) =>
  house.call('POST', '/api/v1/payments', { body: { invoiceId, amountCents: 120_000, method: 'card' } })
const mailsTo = (address: string) => house.installation.mailbox.messages().filter(mail => mail.to === address)

it('a message whose sender was lost is sent by somebody else: nothing of it had left', async () => {
  const message = await messageOfTheDead(1)
  expect(await passOn(message)).toBe('sent')
  expect(mailsTo(message.addressee)).toHaveLength(1)
})

it.each([
  ['paid', payInFull, 201],
  ['paused', (id: string) => trigger(id, 'pause'), 200],
  ['cancelled', (id: string) => trigger(id, 'cancel'), 200],
] as const)(
  'a message whose sender was lost is not sent any more once its invoice is %s',
  async (_, stop, status) => {
    const message = await messageOfTheDead(1)
    expect((await stop(message.invoiceIds[0]!)).status).toBe(status)
    expect(await passOn(message)).toBe('lapsed')
    expect(mailsTo(message.addressee)).toHaveLength(0)
  },
)

it('of two invoices on a message whose sender was lost, the one that was paid meanwhile is written about no more', async () => {
  const message = await messageOfTheDead(2)
  expect((await payInFull(message.invoiceIds[0]!)).status).toBe(201)
  await passOn(message)
  const [mail, ...more] = mailsTo(message.addressee)
  expect(more).toEqual([])
  expect(mail!.text).toContain(`${message.addressee} 1`)
  expect(mail!.text).not.toContain(`${message.addressee} 0`)
})
