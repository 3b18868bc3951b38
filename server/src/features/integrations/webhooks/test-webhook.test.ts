import { beforeEach, expect, it } from 'vitest'
import { newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import { useReceiver } from '../../../../test/harness/use-receiver.ts'
import { paymentReceived } from '../../receivables/payments/events.ts'

const installation = useInstallation()
const receiver = useReceiver()
const path = '/api/v1/webhooks'

let sandbox: Sandbox
let id: string
beforeEach(async () => {
  sandbox = await newSandbox(installation)
  receiver.status = 200
  receiver.received.length = 0
  id = (await subscribe(['payment.received', 'debt.paid'])).id
})

const subscribe = (events: string[], url = receiver.url) =>
  sandbox.done<{ id: string }>('POST', path, { url, events })
const test = (body?: object, webhook = id) => sandbox.call('POST', `${path}/${webhook}/test`, body)
const deliveries = (webhook = id) => sandbox.done<object[]>('GET', `${path}/${webhook}/deliveries`)

it('a test is one real request with an example in it, and the answer tells what came of it', async () => {
  const answer = await test()
  expect(answer.status).toBe(200)
  const { data } = answer.body
  expect(data).toEqual({
    id: expect.any(String),
    eventType: 'payment.received',
    status: 'delivered',
    attempts: 1,
    responseStatus: 200,
    lastAttemptAt: expect.any(String),
    createdAt: expect.any(String),
    error: null,
    durationMs: expect.any(Number),
    test: true,
  })
  expect(receiver.received).toHaveLength(1)
  const { headers, body } = receiver.received[0]!
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(headers['webhook-id']).toBe(data.id)
  expect(JSON.parse(body)).toEqual({
    id: data.id,
    event: 'payment.received',
    createdAt: data.createdAt,
    environment: 'sandbox',
    sequence: 1,
    data: paymentReceived.example,
  })
  expect(await deliveries()).toEqual([data])
})

it('by default it is invoice.created if the webhook has it, else its first; asked for, any event', async () => {
  const { id: other } = await subscribe(['debt.paid', 'invoice.created'])
  expect((await test(undefined, other)).body.data).toMatchObject({ eventType: 'invoice.created' })
  expect((await test({})).body.data).toMatchObject({ eventType: 'payment.received' })
  expect((await test({ event: 'anr.created' })).body.data).toMatchObject({ eventType: 'anr.created' })
  const unknown = await test({ event: 'invoice.paid' })
  expect([unknown.status, unknown.body.error.code]).toEqual([400, 'VAL_001'])
  expect(unknown.body.error.message).toContain('one of invoice.created')
})

it('it goes out while the webhook is disabled, and leaves its state alone', async () => {
  await sandbox.done('PUT', `${path}/${id}`, { enabled: false })
  const before = await sandbox.done('GET', `${path}/${id}`)
  expect((await test()).status).toBe(200)
  receiver.status = 500
  expect((await test()).status).toBe(502)
  expect(await sandbox.done('GET', `${path}/${id}`)).toEqual(before)
  expect(before).toMatchObject({ enabled: false, failing: 0, last_triggered_at: null })
  expect(await installation.sql('select 1 from webhook_queue where webhook_id = $1', [id])).toEqual([])
})

it.each([400, 404, 500, 503])(
  'an endpoint that answers %i is WH_001, with status and duration',
  async status => {
    receiver.status = status
    const answer = await test()
    expect([answer.status, answer.body.error.code]).toEqual([502, 'WH_001'])
    expect(answer.body.error.message).toContain(`answered ${status} after`)
    expect(answer.body.error.details).toEqual([
      { field: 'responseStatus', code: String(status), message: `answered ${status}` },
      {
        field: 'durationMs',
        code: expect.stringMatching(/^\d+$/),
        message: expect.stringMatching(/^took \d+ ms$/),
      },
    ])
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject({
      status: 'failed',
      attempts: 1,
      responseStatus: status,
      error: null,
      test: true,
    })
    expect(delivery).not.toHaveProperty('nextRetryAt')
  },
)

it('an endpoint that is not there is WH_001 too, and says why', async () => {
  const { id: nobody } = await subscribe(['debt.paid'], 'http://127.0.0.1:1/')
  const answer = await test(undefined, nobody)
  expect([answer.status, answer.body.error.code]).toEqual([502, 'WH_001'])
  expect(answer.body.error.message).toContain('gave no answer (ECONNREFUSED)')
  expect(await deliveries(nobody)).toMatchObject([
    { status: 'failed', responseStatus: null, error: 'ECONNREFUSED', test: true },
  ])
})

it('a redirect is delivered by the letter, not followed, flagged and warned about', async () => {
  receiver.status = 302
  const answer = await test()
  expect(answer.status).toBe(200)
  expect(answer.body.data).toMatchObject({ status: 'delivered', responseStatus: 302, error: 'redirect' })
  expect(answer.body.warnings?.map(({ code }) => code)).toEqual(['webhook_redirects'])
  expect(receiver.received).toHaveLength(1)
})

it('repeated with its Idempotency-Key it is sent once; after a failure it may be sent again', async () => {
  const once = () =>
    installation.call('POST', `${path}/${id}/test`, { key: sandbox.key, headers: { 'idempotency-key': 'k' } })
  receiver.status = 500
  expect((await once()).status).toBe(502)
  receiver.status = 200
  const first = await once()
  const again = await once()
  expect([first.status, again.text]).toEqual([200, first.text])
  expect(receiver.received).toHaveLength(2)
})

it('while the endpoint takes its time, the delivery is listed as interrupted and no connection is held', async () => {
  let answerNow = () => {}
  receiver.status = () => new Promise(resolve => (answerNow = () => resolve(204)))
  const running = test()
  const [listed] = await eventuallySome(deliveries)
  expect(listed).toMatchObject({ status: 'failed', error: 'interrupted', responseStatus: null, test: true })
  const held = await installation.sql(
    `select 1 from pg_stat_activity where datname = current_database() and application_name = 'relance-api'
        and state like 'idle in transaction%'`,
  )
  expect(held).toEqual([])
  answerNow()
  expect((await running).body.data).toMatchObject({ status: 'delivered', responseStatus: 204 })
})

async function eventuallySome<T>(look: () => Promise<T[]>): Promise<T[]> {
  for (;;) {
    const seen = await look()
    if (seen.length > 0 && receiver.received.length > 0) return seen
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
