import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WorkerContext } from '../../../src/features/recovery/messages/worker-context.ts'
import { wakeDebtor } from '../../../src/features/recovery/wake/wake-debtor.ts'
import { eventually, invoiceInput, mondayMorning, useInstallation } from '../../harness/use-installation.ts'
import { workerWithoutLoop } from '../../harness/worker-without-loop.ts'

const installation = useInstallation({ own: 'moves the clock' })
const sunday = Date.parse('2026-11-15T10:00:00+01:00')
let worker: WorkerContext & { stop(): Promise<void> }
beforeAll(() => {
  worker = workerWithoutLoop(installation.database, { connections: 4, reclaimAfterMs: 3_600_000 })
})
afterAll(() => worker?.stop())

interface Message {
  id: string
  invoiceIds: string[]
  addressee: string
}

/** A message that was claimed by a worker that then died before sending anything. */
async function claimedMessage(invoices: number): Promise<Message> {
  await installation.setNow(sunday)
  const { debtor } = invoiceInput()
  const made = []
  for (let i = 0; i < invoices; i++)
    made.push(
      await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
        body: invoiceInput({ debtor, invoiceNumber: `${debtor.email} ${i}` }),
      }),
    )
  const invoiceIds = made.map(answer => answer.body.data.id)
  const debtorId = made[0]!.body.data.debtor.id
  await installation.sql(
    `update recoveries set wish_at = '2026-11-16T08:00:00+01:00', due_at = '2026-11-16T08:00:00+01:00' where debtor_id = $1`,
    [debtorId],
  )
  await installation.setNow(mondayMorning)
  const tenantId = installation.company.tenants.production
  const [agenda] = await installation.sql<{ wake_generation: string }>(
    'select wake_generation from agendas where debtor_id = $1',
    [debtorId],
  )
  const woken = await wakeDebtor(worker, { tenantId, debtorId, generation: Number(agenda!.wake_generation) })
  if (woken?.kind !== 'send') throw new Error('nothing was reserved')
  expect(woken.claim).toHaveProperty('token')
  return { id: woken.communicationId, invoiceIds, addressee: debtor.email }
}

/** Ends the lease, so that another worker takes the message. */
async function reclaim({ id }: Message): Promise<string> {
  const past = new Date(Date.now() - 1_000).toISOString()
  await installation.sql('update communications set lease_until = $2 where id = $1', [id, past])
  await installation.sql('update pending_sends set reclaim_at = $2 where communication_id = $1', [id, past])
  const [row] = await eventually(
    () => installation.sql<{ state: string }>('select state from communications where id = $1', [id]),
    ([found]) => found!.state !== 'sending',
  )
  await eventually(
    () =>
      installation.sql<{ n: number }>(
        `select (select count(*) from pending_sends)::int
              + (select count(*) from agendas where wake_at <= clock_timestamp())::int as n`,
      ),
    ([found]) => found!.n === 0,
  )
  return row!.state
}

const trigger = (invoiceId: string, action: string) =>
  installation.call('POST', `/api/v1/workflow/invoice/${invoiceId}/trigger`, { body: { action } })
const payInFull = (invoiceId: string) =>
  installation.call('POST', '/api/v1/payments', { body: { invoiceId, amountCents: 120_000, method: 'card' } })
const mailsTo = (address: string) =>
  installation.server.mailbox.messages().filter(mail => mail.to === address)

it('a message whose sender was lost is sent by somebody else: nothing of it had left', async () => {
  const message = await claimedMessage(1)
  expect(await reclaim(message)).toBe('sent')
  expect(mailsTo(message.addressee)).toHaveLength(1)
})

it.each([
  ['paid', payInFull, 201],
  ['paused', (id: string) => trigger(id, 'pause'), 200],
  ['cancelled', (id: string) => trigger(id, 'cancel'), 200],
] as const)(
  'a message whose sender was lost is not sent any more once its invoice is %s',
  async (_, stop, status) => {
    const message = await claimedMessage(1)
    expect((await stop(message.invoiceIds[0]!)).status).toBe(status)
    expect(await reclaim(message)).toBe('cancelled')
    expect(mailsTo(message.addressee)).toHaveLength(0)
  },
)

it('of two invoices on a message whose sender was lost, the one that was paid meanwhile is written about no more', async () => {
  const message = await claimedMessage(2)
  expect((await payInFull(message.invoiceIds[0]!)).status).toBe(201)
  await reclaim(message)
  const [mail, ...more] = mailsTo(message.addressee)
  expect(more).toEqual([])
  expect(mail!.text).toContain(`${message.addressee} 1`)
  expect(mail!.text).not.toContain(`${message.addressee} 0`)
})
