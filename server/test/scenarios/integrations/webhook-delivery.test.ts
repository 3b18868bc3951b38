import { createHmac } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../../harness/receiver.ts'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()
const path = '/api/v1/webhooks'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

interface Subscribed {
  receiver: Receiver
  id: string
  secret: string
}
/** A receiver of its own and a webhook that names it. */
async function subscribe(
  events: string[],
  key = installation.company.productionKey,
  url?: string,
): Promise<Subscribed> {
  const receiver = await startReceiver(204)
  const answer = await installation.call<{ id: string; secret: string }>('POST', path, {
    key,
    body: { url: url ?? receiver.url, events },
  })
  expect(answer.status, answer.text).toBe(201)
  const { id, secret } = answer.body.data
  stops.push(
    () => receiver.stop(),
    () => installation.call('DELETE', `${path}/${id}`, { key }),
  )
  return { receiver, id, secret }
}
const importOne = async (key = installation.company.productionKey) => {
  const answer = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
    key,
    body: invoiceInput(),
  })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}
const untilReceived = (receiver: Receiver, count: number) =>
  eventually(
    () => receiver.received.length,
    seen => seen >= count,
  )
interface Listed {
  id: string
  status: string
  attempts: number
  responseStatus: number | null
  error: string | null
  durationMs: number
  nextRetryAt?: string
}
const deliveries = async (id: string) =>
  (await installation.call<Listed[]>('GET', `${path}/${id}/deliveries`)).body.data
const untilListed = (id: string) =>
  eventually(
    () => deliveries(id),
    listed => listed.length > 0,
  )

it('an event reaches exactly the webhooks of its environment that list it, signed, with everything that is promised in its body', async () => {
  const { sandboxKey } = installation.company
  const created = await subscribe(['invoice.created'])
  const both = await subscribe(['invoice.updated', 'invoice.created'])
  const updated = await subscribe(['invoice.updated'])
  const paid = await subscribe(['payment.received', 'debt.paid'])
  const sandbox = await subscribe(['invoice.created', 'invoice.updated'], sandboxKey)
  const invoiceId = await importOne()
  await installation.call('PUT', `/api/v1/invoices/${invoiceId}`, { body: { notes: 'called back' } })
  await untilReceived(both.receiver, 2)
  await untilReceived(created.receiver, 1)
  await untilReceived(updated.receiver, 1)
  const inSandbox = await importOne(sandboxKey)
  await untilReceived(sandbox.receiver, 1)

  const eventsOf = ({ receiver }: Subscribed) => receiver.events().map(({ event }) => event)
  expect([
    eventsOf(created),
    eventsOf(both).sort(),
    eventsOf(updated),
    eventsOf(paid),
    eventsOf(sandbox),
  ]).toEqual([
    ['invoice.created'],
    ['invoice.created', 'invoice.updated'],
    ['invoice.updated'],
    [],
    ['invoice.created'],
  ])
  const [event] = created.receiver.events()
  expect(event).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    event: 'invoice.created',
    // Tenant time, which in this installation is a Monday in November.
    createdAt: expect.stringMatching(/^2026-11-16T0\d:\d\d:\d\d\.\d{3}Z$/),
    environment: 'production',
    sequence: 1,
    data: expect.objectContaining({ invoiceId, amountCents: 120_000, status: 'imported' }),
  })
  expect(updated.receiver.events()[0]!.sequence).toBeGreaterThan(1)
  expect(sandbox.receiver.events()).toMatchObject([
    { environment: 'sandbox', data: { invoiceId: inSandbox } },
  ])
  // The same event is the same bytes for everybody, each signed with the receiver's own secret.
  const { headers, body } = created.receiver.received[0]!
  expect(both.receiver.received.map(seen => seen.body)).toContain(body)
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'user-agent': expect.stringMatching(/^Relance-Webhooks\/\d+\.\d+\.\d+$/),
    'webhook-id': event!.id,
    'x-service-signature': createHmac('sha256', created.secret).update(body).digest('hex'),
  })
  const seconds = Number(headers['webhook-timestamp'])
  expect(Math.abs(seconds - Date.now() / 1000)).toBeLessThan(60)
  const standard = createHmac('sha256', Buffer.from(created.secret.slice(6), 'base64'))
    .update(`${event!.id}.${seconds}.${body}`)
    .digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${standard}`)
  expect(await deliveries(created.id)).toMatchObject([
    {
      id: event!.id,
      eventType: 'invoice.created',
      status: 'delivered',
      attempts: 1,
      responseStatus: 204,
      error: null,
    },
  ])
})

it('a webhook gets what happens after it was made, and nothing from before', async () => {
  const earlier = await subscribe(['invoice.created'])
  await importOne()
  await untilReceived(earlier.receiver, 1)
  const later = await subscribe(['invoice.created'])
  const invoiceId = await importOne()
  await untilReceived(later.receiver, 1)
  await untilReceived(earlier.receiver, 2)
  expect(later.receiver.events().map(({ data }) => data.invoiceId)).toEqual([invoiceId])
})

/** A server with a given behaviour. */
async function startServer(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => answer(response))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  stops.push(
    () =>
      new Promise(resolve => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

it.each([301, 302, 307, 308])(
  'a redirect with %i is not followed, counts as delivered and is flagged',
  async status => {
    const elsewhere = await startReceiver(200)
    stops.push(() => elsewhere.stop())
    const url = await startServer(response => response.writeHead(status, { location: elsewhere.url }).end())
    const { id } = await subscribe(['invoice.created'], undefined, url)
    await importOne()
    expect(await untilListed(id)).toMatchObject([
      { status: 'delivered', attempts: 1, responseStatus: status, error: 'redirect' },
    ])
    expect((await deliveries(id))[0]).not.toHaveProperty('nextRetryAt')
    expect(elsewhere.received).toEqual([])
  },
)

it('of an answer that does not end 16 KB are read, and what it says counts', async () => {
  let written = 0
  const chunk = Buffer.alloc(4_096, 'x')
  const { promise: isHungUp, resolve } = Promise.withResolvers<void>()
  const url = await startServer(response => {
    response.writeHead(200)
    response.on('close', resolve)
    const more = () => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  })
  const { id } = await subscribe(['invoice.created'], undefined, url)
  await importOne()
  const [delivery] = await untilListed(id)
  expect(delivery).toMatchObject({ status: 'delivered', attempts: 1, responseStatus: 200, error: null })
  expect(delivery!.durationMs).toBeLessThan(10_000)
  await isHungUp
  // Beyond what was read it is what the sockets of both sides hold.
  expect(written).toBeLessThan(16 * 1024 * 1024)
})

it('a delivery fails on silence of ten seconds and on 400 and above, and on nothing below', async () => {
  const silent = await startServer(() => {})
  const slow = await startServer(response => {
    response.writeHead(200)
    const drops = setInterval(() => response.write('.'), 500)
    response.on('close', () => clearInterval(drops))
  })
  const late = [
    (await subscribe(['invoice.created'], undefined, silent)).id,
    (await subscribe(['invoice.created'], undefined, slow)).id,
  ]
  const answering: [string, number][] = []
  for (const status of [200, 202, 299, 399, 400, 404, 410, 429, 500, 503]) {
    const { id, receiver } = await subscribe(['invoice.created'])
    receiver.status = status
    answering.push([id, status])
  }
  await importOne()
  for (const [id, status] of answering) {
    const [delivery] = await untilListed(id)
    expect(delivery, `${status}`).toMatchObject({
      status: status < 400 ? 'delivered' : 'failed',
      responseStatus: status,
      attempts: 1,
    })
    expect('nextRetryAt' in delivery!).toBe(status >= 400)
  }
  for (const id of late) {
    const [delivery] = await untilListed(id)
    expect(delivery).toMatchObject({
      status: 'failed',
      attempts: 1,
      responseStatus: null,
      error: 'timeout',
      nextRetryAt: expect.any(String),
    })
    expect(delivery!.durationMs).toBeGreaterThanOrEqual(9_990)
    expect(delivery!.durationMs).toBeLessThan(15_000)
  }
})
