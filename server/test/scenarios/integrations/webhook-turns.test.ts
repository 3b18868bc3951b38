import { beforeEach, expect, it } from 'vitest'
import { makeHappen, queueFor, useHandCourier } from '../../harness/hand-courier.ts'
import { useHouse } from '../../harness/house.ts'
import { newSandbox } from '../../harness/sandbox.ts'
import { useReceiver } from '../../harness/use-receiver.ts'

const house = useHouse({ hasWorker: false })
const hand = useHandCourier(house)
const receiver = useReceiver()

beforeEach(async () => {
  await house.sql('delete from webhook_pumps')
  receiver.received.length = 0
})

/** An endpoint with so much to come. */
async function openWith(count: number): Promise<void> {
  const sandbox = await newSandbox(house)
  const body = { url: receiver.url, events: ['invoice.created'] }
  const { id: webhookId } = await sandbox.done<{ id: string }>('POST', '/api/v1/webhooks', body)
  const { tenantId } = sandbox
  await queueFor(house, { tenantId, webhookId }, await makeHappen(house, tenantId, { count }))
}

it('who refuses everything is asked again in its turn, eight at a time, and not as fast as it can refuse', async () => {
  receiver.status = 500
  await openWith(20)
  for (const asked of [8, 16, 20]) {
    expect(await hand.pass()).toHaveLength(1)
    expect(receiver.received).toHaveLength(asked)
  }
  expect(await hand.pass()).toEqual([])
})

it('who takes one of eight goes on', async () => {
  receiver.status = () => (receiver.received.length % 8 === 0 ? 200 : 500)
  await openWith(20)
  await hand.pass()
  expect(receiver.received).toHaveLength(20)
})
