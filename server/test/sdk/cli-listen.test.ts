import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyWebhook } from '../../../sdk/src/index.ts'
import { freePort } from '../../dev/ports.ts'
import { createStartContext, type RunningService, startApi } from '../../src/start/api.ts'
import { useCli } from '../harness/cli.ts'
import { eventually, invoiceInput, useInstallation } from '../harness/use-installation.ts'
import { useReceiver } from '../harness/use-receiver.ts'
import { breakableProxy } from '../scenarios/access/oauth/breakable-proxy.ts'

const installation = useInstallation({ hasWorker: false })
const receiver = useReceiver()
const secret = `whsec_${randomBytes(32).toString('base64')}`

/** An api of its own, so that it can be stopped while the installation's goes on making events, behind a line that can be cut. */
let port: number
let api: RunningService
let line: Awaited<ReturnType<typeof breakableProxy>>
const start = () => startApi(createStartContext({ ...installation.server.config, PORT: port }))
beforeAll(async () => {
  port = await freePort()
  api = await start()
  line = await breakableProxy(`http://127.0.0.1:${port}`)
})
afterAll(async () => {
  await line?.stop()
  await api?.stop()
})

const cli = useCli(() => ({
  BASE_URL: line.url.replace(/\/$/, ''),
  API_KEY: installation.company.sandboxKey,
  WEBHOOK_SECRET: secret,
}))

async function makeInvoices(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const { status } = await installation.call('POST', '/api/v1/invoices', {
      body: invoiceInput(),
      key: installation.company.sandboxKey,
    })
    expect(status).toBe(201)
  }
}

const allEvents = () =>
  installation.sql<{ id: string }>(
    'select id from events where tenant_id = $1 and type in ($2, $3) order by id',
    [installation.company.tenants.sandbox, 'invoice.created', 'workflow.started'],
  )
const receivedIds = () => receiver.events().map(({ id }) => id)

it('listen loses nothing across a cut of the network, a restart of the server and one of the receiver', async () => {
  const listening = cli.start([
    'listen',
    '--forward-to',
    receiver.url,
    '--events',
    'invoice.created,workflow.started',
  ])
  await eventually(
    async () => listening.err(),
    said => said.includes('Ready'),
  )
  await makeInvoices(3)
  await eventually(
    async () => receivedIds(),
    ids => ids.length === 6,
  )
  line.disconnect()
  await makeInvoices(3)
  await eventually(
    async () => listening.err(),
    said => said.includes('nothing is lost'),
  )
  line.reconnect()
  await eventually(
    async () => receivedIds(),
    ids => ids.length === 12,
  )
  await api.stop()
  await makeInvoices(3)
  api = await start()
  // The receiver closes the connection once; it is asked again.
  let cuts = 1
  receiver.status = () => (cuts-- > 0 ? 'cut' : 204)
  await makeInvoices(1)
  await eventually(
    async () => new Set(receivedIds()).size,
    size => size === 20,
  )
  listening.interrupt()
  expect(await listening.ended).toBe(130)
  const made = (await allEvents()).map(({ id }) => id)
  expect(made).toHaveLength(20)
  expect(new Set(receivedIds())).toEqual(new Set(made))
  // Only the one whose connection was cut came twice.
  expect(receivedIds()).toHaveLength(21)
  for (const { headers, body } of receiver.received)
    await expect(verifyWebhook(secret, headers, body)).resolves.toHaveProperty('environment', 'sandbox')
  expect(listening.out().trim().split('\n')).toHaveLength(20)
  expect(listening.out()).toMatch(/ invoice\.created +F-\S+ +→ 204 in \d+ ms/)

  const [, cursor] = /--since (\S+)/.exec(listening.err())!
  await makeInvoices(2)
  const again = cli.start(['listen', '--since', cursor!, '--json'])
  await eventually(
    async () => again.out().trim().split('\n').filter(Boolean),
    lines => lines.length >= 4,
  )
  again.interrupt()
  await again.ended
  const seen = again
    .out()
    .trim()
    .split('\n')
    .map(text => JSON.parse(text).id as string)
  for (const { id } of (await allEvents()).slice(20)) expect(seen).toContain(id)
})

it('a credential that is refused ends it, with the code for that', async () => {
  const { code, err } = await cli.run(['listen'], { API_KEY: 'fk_test_nobody' })
  expect([code, err]).toEqual([3, expect.stringMatching(/AUTH_002, request [0-9a-f-]{36}\)\n→ /)])
})
