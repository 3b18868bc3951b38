import { randomBytes } from 'node:crypto'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { signTestDelivery, verifyWebhook, WebhookVerificationError } from '../../../sdk/src/index.ts'
import { events } from '../../src/features/integrations/webhooks/event-catalogue.ts'
import { newSecret, signatureHeaders } from '../../src/features/integrations/webhooks/signature.ts'
import { exampleBody } from '../../src/kit/event-example.ts'

const secret = newSecret()
const now = Date.now()
const deliveries = events.map(event => {
  const example = exampleBody(event, 'production') as { id: string; event: string }
  const body = JSON.stringify(example)
  return { event: event.type, body, headers: signatureHeaders(secret, { id: example.id, body, sentAt: now }) }
})

it.each(deliveries)('$event is taken as the server signs it', async ({ event, body, headers }) => {
  const taken = await verifyWebhook(secret, headers, body)
  expect([taken.event, JSON.stringify(taken)]).toEqual([event, body])
  expect((await verifyWebhook(secret, new Headers(headers), new TextEncoder().encode(body))).event).toBe(
    event,
  )
})

const { body, headers } = deliveries[0]!
const refused = (given: Promise<unknown>) => expect(given).rejects.toBeInstanceOf(WebhookVerificationError)

it('what was changed, signed by somebody else, is old, from the future or not signed at all is refused', async () => {
  await refused(verifyWebhook(secret, headers, `${body} `))
  await refused(verifyWebhook(newSecret(), headers, body))
  await refused(verifyWebhook(secret, headers, body, { now: now + 6 * 60_000 }))
  await refused(verifyWebhook(secret, headers, body, { now: now - 6 * 60_000 }))
  await refused(verifyWebhook(secret, { ...headers, 'webhook-id': 'another' }, body))
  await refused(verifyWebhook(secret, { ...headers, 'webhook-signature': 'v1,AAAA' }, body))
  await refused(verifyWebhook(secret, { ...headers, 'webhook-signature': 'none' }, body))
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    await refused(verifyWebhook(secret, { ...headers, [name]: undefined }, body))
})

it('while a secret is replaced both are taken, and one signature of several is enough', async () => {
  expect((await verifyWebhook([newSecret(), secret], headers, body)).id).toBeDefined()
  const several = `v1,${randomBytes(32).toString('base64')} ${headers['webhook-signature']}`
  expect((await verifyWebhook(secret, { ...headers, 'webhook-signature': several }, body)).id).toBeDefined()
})

it('a test delivery is signed to the byte as the server signs it, and other libraries take it', async () => {
  const event = JSON.parse(body) as Parameters<typeof signTestDelivery>[1]
  const test = await signTestDelivery(secret, event, { now })
  expect(test.body).toBe(body)
  expect(test.headers).toEqual({ 'content-type': 'application/json', ...headers })
  const { headers: signed, body: text } = await signTestDelivery(secret, 'any text')
  expect(() => new StandardWebhook(secret).verify(text, signed)).toThrow(SyntaxError)
  new StandardWebhook(secret).verify(test.body, { ...test.headers })
})
