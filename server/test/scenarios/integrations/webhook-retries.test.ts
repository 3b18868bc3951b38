import { afterAll, afterEach, expect, it } from 'vitest'
import { fastClock, startDeliveries } from '../../harness/deliveries.ts'
import { type Receiver, startReceiver } from '../../harness/receiver.ts'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ hasWorker: false })
const speed = 800
const second = 1_000
const minute = 60 * second
/** However busy the machine is, in real time. */
const machineDelayMaxMs = 8_000
const planned = [30 * second, 5 * minute, 30 * minute, 120 * minute]

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})
afterAll(() => expect(stops).toEqual([]))

async function subscribe(receiver: Receiver, key = installation.company.productionKey) {
  const answer = await installation.call<{ id: string; secret: string }>('POST', '/api/v1/webhooks', {
    key,
    body: { url: receiver.url, events: ['invoice.created'] },
  })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

const importOne = async (key = installation.company.productionKey) => {
  const answer = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
    key,
    body: invoiceInput(),
  })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}

interface Listed {
  id: string
  eventType: string
  status: string
  attempts: number
  responseStatus: number | null
  lastAttemptAt: string
  nextRetryAt?: string
  createdAt: string
}
const deliveries = async (webhookId: string, key = installation.company.productionKey) =>
  (await installation.call<Listed[]>('GET', `/api/v1/webhooks/${webhookId}/deliveries`, { key })).body.data

it('a receiver that fails four times gets the event five times, each after the planned wait, and then once and for all', async () => {
  const clock = fastClock(speed)
  const seenAt: number[] = []
  const receiver = await startReceiver(() => {
    seenAt.push(clock.wall())
    return seenAt.length < 5 ? 500 : 204
  })
  stops.push(() => receiver.stop())
  const { id } = await subscribe(receiver)
  await importOne()
  const deliveryLoop = startDeliveries(installation, clock)
  stops.push(() => deliveryLoop.stop())

  const plans: number[] = []
  const seen = new Set<string>()
  const last = await eventually(
    async () => {
      const [delivery] = await deliveries(id)
      if (delivery?.nextRetryAt && !seen.has(delivery.nextRetryAt)) {
        seen.add(delivery.nextRetryAt)
        plans.push(Date.parse(delivery.nextRetryAt) - Date.parse(delivery.lastAttemptAt))
      }
      return delivery
    },
    delivery => delivery?.status === 'delivered',
  )
  expect(last).toMatchObject({ eventType: 'invoice.created', attempts: 5, responseStatus: 204 })
  expect(last).not.toHaveProperty('nextRetryAt')
  // What was promised, to the millisecond, whenever somebody looked; the first may have passed between two looks.
  expect(plans.length).toBeGreaterThanOrEqual(3)
  expect(planned.slice(-plans.length)).toEqual(plans)
  // And what happened, on the fast clock: never early, and late only by what the machine took.
  const waits = seenAt.slice(1).map((at, i) => at - seenAt[i]!)
  waits.forEach((wait, i) => {
    expect(wait).toBeGreaterThanOrEqual(planned[i]!)
    expect(wait).toBeLessThan(planned[i]! + machineDelayMaxMs * speed)
  })
  const bodies = new Set(receiver.received.map(({ body }) => body))
  expect(bodies.size).toBe(1)
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([last!.id]))
})

it('after five failures the webhook is off, its owner was warned and told by mail, and what it missed can be recovered', async () => {
  const clock = fastClock(speed)
  let isMended = false
  const receiver = await startReceiver(() => (isMended ? 200 : 503))
  stops.push(() => receiver.stop())
  const { id } = await subscribe(receiver)
  const first = await importOne()
  const deliveryLoop = startDeliveries(installation, clock)
  stops.push(() => deliveryLoop.stop())
  const webhook = async () =>
    (
      await installation.call<{ enabled: boolean; disabled_because: string | null }>(
        'GET',
        `/api/v1/webhooks/${id}`,
      )
    ).body.data
  const mailsAbout = () => installation.server.mailbox.messages().filter(mail => mail.text.includes(id))
  await eventually(mailsAbout, mails => mails.length === 1)
  expect(mailsAbout()[0]!.subject).toMatch(/ne répond plus/)
  expect(await webhook()).toMatchObject({ enabled: true })
  await eventually(webhook, seen => !seen.enabled)
  expect(await webhook()).toMatchObject({ disabled_because: 'failing' })
  expect(receiver.received).toHaveLength(5)
  await eventually(mailsAbout, mails => mails.length === 2)
  expect(mailsAbout()[1]!.subject).toMatch(/désactivé/)
  expect(mailsAbout()[1]!.to).toContain('comptabilite@atelier-martin.example')
  const [failed] = await deliveries(id)
  expect(failed).toMatchObject({ status: 'failed', attempts: 5, responseStatus: 503 })
  expect(failed).not.toHaveProperty('nextRetryAt')

  // Meanwhile life goes on, and nobody calls a webhook that is off.
  const second = await importOne()
  isMended = true
  const since = /"since": "([^"]+)"/.exec(mailsAbout()[1]!.text)![1]
  await installation.call('PUT', `/api/v1/webhooks/${id}`, { body: { enabled: true } })
  const recovered = await installation.call('POST', `/api/v1/webhooks/${id}/recover`, { body: { since } })
  expect(recovered.status, recovered.text).toBe(202)
  await eventually(
    () => receiver.events().slice(5),
    events => events.length === 2,
  )
  expect(
    receiver
      .events()
      .slice(5)
      .map(({ data }) => data.invoiceId)
      .sort(),
  ).toEqual([first, second].sort())
})
