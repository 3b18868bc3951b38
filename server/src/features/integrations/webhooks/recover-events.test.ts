import { beforeEach, expect, it } from 'vitest'
import { newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import { uuidv7 } from '../../../kit/uuid.ts'

// No worker: the requested recovery stays as it is.
const installation = useInstallation({ hasWorker: false })
const path = '/api/v1/webhooks'
const hour = 3_600_000
const day = 24 * hour

let sandbox: Sandbox
let id: string
beforeEach(async () => {
  sandbox = await newSandbox(installation)
  const body = { url: 'http://127.0.0.1:1/', events: ['cascade.action'] }
  id = (await sandbox.done<{ id: string }>('POST', path, body)).id
})

const recover = (since: number | string, webhook = id) =>
  sandbox.call<{ since: string; until: string; status: string }>('POST', `${path}/${webhook}/recover`, {
    since: typeof since === 'number' ? new Date(since).toISOString() : since,
  })

it('a recovery runs from the moment asked for until now, and is seen at the webhook', async () => {
  const since = Date.now() - 3 * day
  const asked = Date.now()
  const answer = await recover(since)
  expect(answer.status).toBe(202)
  const { data } = answer.body
  expect(data).toEqual({
    since: new Date(since).toISOString(),
    until: expect.any(String),
    status: 'running',
  })
  expect(Date.parse(data.until)).toBeGreaterThanOrEqual(asked)
  expect(Date.parse(data.until)).toBeLessThanOrEqual(Date.now() + 1)
  expect(await sandbox.done('GET', `${path}/${id}`)).toMatchObject({
    recovering: { since: data.since, until: data.until },
  })
})

it('asked for again while it runs, it covers both', async () => {
  const first = (await recover(Date.now() - 2 * day)).body.data
  const narrower = (await recover(Date.now() - hour)).body.data
  expect(narrower.since).toBe(first.since)
  expect(narrower.until > first.until).toBe(true)
  const since = Date.now() - 5 * day
  expect((await recover(since)).body.data.since).toBe(new Date(since).toISOString())
})

it('it reaches 30 days back and not into the future', async () => {
  for (const [since, words] of [
    [Date.now() - 30 * day - hour, 'more than 30 days ago'],
    [Date.now() + hour, 'in the future'],
    ['yesterday', 'ISO 8601'],
  ] as const) {
    const { status, body } = await recover(since)
    expect([status, body.error.code]).toEqual([400, 'VAL_001'])
    expect(body.error.details).toMatchObject([{ field: 'since', message: expect.stringContaining(words) }])
  }
  expect((await recover(Date.now() - 30 * day + hour)).status).toBe(202)
})

it('a disabled webhook is sent nothing, so it recovers nothing; switched off, it stops recovering', async () => {
  await recover(Date.now() - day)
  await sandbox.done('PUT', `${path}/${id}`, { enabled: false })
  expect(await sandbox.done('GET', `${path}/${id}`)).toMatchObject({ enabled: false, recovering: null })
  expect(
    await installation.sql('select recover_from, recover_to from webhook_endpoints where webhook_id = $1', [
      id,
    ]),
  ).toEqual([{ recover_from: null, recover_to: null }])
  const refused = await recover(Date.now() - day)
  expect([refused.status, refused.body.error.code]).toEqual([409, 'RES_003'])
  expect(refused.body.error.message).toContain('enable it first')
  expect((await recover(Date.now() - day, uuidv7(Date.now()))).status).toBe(404)
})
