import { createHmac, timingSafeEqual } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '../../../../dev/ports.ts'
import type { Received } from '../../../../test/harness/receiver.ts'
import { eventually, useInstallation } from '../../../../test/harness/use-installation.ts'
import { useReceiver } from '../../../../test/harness/use-receiver.ts'
import { startChild } from '../../../kit/child-process.ts'
import { newSecret, signatureHeaders } from './signature.ts'

const installation = useInstallation()
const receiver = useReceiver()

let secret: string
let delivered: Received
beforeAll(async () => {
  const created = await installation.call<{ id: string; secret: string }>('POST', '/api/v1/webhooks', {
    body: { url: receiver.url, events: ['payment.received'] },
  })
  secret = created.body.data.secret
  const tested = await installation.call('POST', `/api/v1/webhooks/${created.body.data.id}/test`)
  expect(tested.status, tested.text).toBe(200)
  delivered = receiver.received[0]!
})
afterEach(() => void vi.useRealTimers())

// docs/webhooks.md shows these three as they stand here; see the test at the end.

function isOurs(body: string, headers: Record<string, unknown>, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest()
  const given = Buffer.from(String(headers['x-service-signature']), 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function isOursByStandard(body: string, headers: Record<string, unknown>, secret: string): boolean {
  try {
    new StandardWebhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

function isOursBySvix(body: string, headers: Record<string, unknown>, secret: string): boolean {
  try {
    new SvixWebhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

const verifiers = [
  ['nothing but the specification', isOurs],
  ['standardwebhooks', isOursByStandard],
  ['svix', isOursBySvix],
] as const

it.each(verifiers)('a receiver with %s takes what was really sent', (_, verify) => {
  expect(verify(delivered.body, delivered.headers, secret)).toBe(true)
  expect(JSON.parse(delivered.body)).toMatchObject({
    event: 'payment.received',
    data: { amountCents: 186_000 },
  })
})

it.each(verifiers)('a receiver with %s refuses a body in which one figure was changed', (_, verify) => {
  const tampered = delivered.body.replace('186000', '186001')
  expect(tampered).not.toBe(delivered.body)
  expect(verify(tampered, delivered.headers, secret)).toBe(false)
})

it.each(verifiers)('a receiver with %s refuses what was signed with another secret', (_, verify) => {
  expect(verify(delivered.body, delivered.headers, newSecret())).toBe(false)
})

it.each(verifiers)('a receiver with %s refuses a request without a signature', (_, verify) => {
  const { 'x-service-signature': _1, 'webhook-signature': _2, ...unsigned } = delivered.headers
  expect(verify(delivered.body, unsigned, secret)).toBe(false)
})

it.each(verifiers.slice(1))(
  'a receiver with %s refuses a request that is sent again ten minutes later',
  (_, verify) => {
    vi.useFakeTimers({ now: Date.now() + 10 * 60_000, toFake: ['Date'] })
    expect(verify(delivered.body, delivered.headers, secret)).toBe(false)
  },
)

it('X-Service-Signature covers the body alone: it cannot tell an old request, whose id the receiver has to know', () => {
  const old = signatureHeaders(secret, { id: 'any', body: delivered.body, sentAt: 0 })
  expect(isOurs(delivered.body, old, secret)).toBe(true)
  expect(isOursByStandard(delivered.body, old, secret)).toBe(false)
})

const page = () => readFile(join(import.meta.dirname, '../../../../../docs/webhooks.md'), 'utf8')

it('docs/webhooks.md shows these three ways to verify, to the letter', async () => {
  const here = await readFile(import.meta.filename, 'utf8')
  for (const name of ['isOurs', 'isOursByStandard', 'isOursBySvix']) {
    const [code] = new RegExp(`^function ${name}\\([\\s\\S]*?^}$`, 'm').exec(here)!
    expect(await page()).toContain(code)
  }
})

it('the receiver in docs/webhooks.md runs as it stands there: it takes an event once, and refuses a forged one', async () => {
  const [, code] = /```js\n(\/\/ receiver\.js\n[\s\S]*?)```/.exec(await page())!
  const folder = await mkdtemp(join(tmpdir(), 'relance-receiver-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/relance`
  const { body } = await installation.call<{ id: string; secret: string }>('POST', '/api/v1/webhooks', {
    body: { url, events: ['payment.received'] },
  })
  const { id, secret: itsSecret } = body.data
  await writeFile(join(folder, 'receiver.mjs'), code!)
  const running = startChild(process.execPath, [join(folder, 'receiver.mjs')], {
    env: { WEBHOOK_SECRET: itsSecret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  running.stdout!.on('data', text => (said += text))
  try {
    const tested = await eventually(
      () => installation.call('POST', `/api/v1/webhooks/${id}/test`),
      answer => answer.status === 200,
    )
    expect(tested.body.data).toMatchObject({ status: 'delivered', responseStatus: 204 })
    const message = JSON.stringify({ id: 'twice', event: 'debt.paid', data: { invoiceNumber: 'FA-1' } })
    const post = (key: string) =>
      fetch(url, {
        method: 'POST',
        body: message,
        headers: signatureHeaders(key, { id: 'twice', body: message, sentAt: Date.now() }),
      })
    expect(
      [await post(itsSecret), await post(itsSecret), await post(secret)].map(({ status }) => status),
    ).toEqual([204, 204, 401])
    await eventually(
      () => said,
      text => text.includes('debt.paid FA-1'),
    )
    expect(said.split('\n').filter(line => line !== '')).toEqual([
      'payment.received FA-2026-0412',
      'debt.paid FA-1',
    ])
  } finally {
    running.kill()
    await rm(folder, { recursive: true, force: true })
  }
})
