import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StripeStandIn, startStripe } from '../../../dev/stand-ins/stripe.ts'
import { newCheckout, paymentConformance } from '../../../test/adapters/payment-conformance.ts'
import type { CallbackRequest } from '../callback.ts'
import type { PaymentAdapter, PaymentEvent } from './payment.ts'
import { stripePayment } from './stripe.ts'

const keys = { secretKey: 'sk_test_e1', webhookSecret: 'whsec_e1' }
const adapterFor = (standIn: StripeStandIn) =>
  stripePayment({ baseUrl: standIn.baseUrl, ...keys, timeoutMs: 500 })

const sessionOf = (standIn: StripeStandIn, checkoutId: string) =>
  standIn.sessions().filter(({ form }) => form.get('metadata[checkout]') === checkoutId)

const callbackRequest = ({
  body,
  headers,
}: {
  body: Buffer
  headers: Record<string, string>
}): CallbackRequest => ({
  method: 'POST',
  url: 'https://relance.example/callbacks/stripe',
  code: null,
  headers,
  body,
  wall: Date.now(),
})

paymentConformance('Stripe', async () => {
  const standIn = await startStripe(keys)
  return {
    adapter: adapterFor(standIn),
    checkout(behaviour) {
      if (behaviour === 'retryable') standIn.fail('429')
      if (behaviour === 'answer_lost') standIn.fail('timeout_after_accepting')
      return newCheckout(behaviour === 'permanent' ? { account: 'nobody' } : {})
    },
    sessionsOf: id => sessionOf(standIn, id).length,
    callbackFor({ checkoutId }, what) {
      const [session] = sessionOf(standIn, checkoutId)
      const { events } = standIn
      const event: Record<PaymentEvent['what'], () => object> = {
        paid: () => events.completed(session!),
        pending: () => events.pending(session!),
        failed: () => events.failed(session!),
        expired: () => events.expired(session!),
        refunded: () => events.refunded(session!),
        reversed: () => events.disputed(session!),
      }
      return callbackRequest(standIn.signed(event[what]()))
    },
    stop: () => standIn.stop(),
  }
})

describe('Stripe', () => {
  let standIn: StripeStandIn
  let adapter: PaymentAdapter
  beforeAll(async () => {
    standIn = await startStripe(keys)
    adapter = adapterFor(standIn)
  })
  afterAll(async () => {
    await adapter.close()
    await standIn.stop()
  })
  const opened = async () => {
    const checkout = newCheckout()
    await adapter.open(checkout)
    return { checkout, session: sessionOf(standIn, checkout.checkoutId)[0]! }
  }

  it('is asked with our key, for the creditor’s account, under the id of the checkout', async () => {
    const { checkout } = await opened()
    const { headers, body } = standIn.requests.at(-1)!
    expect(headers).toMatchObject({
      authorization: 'Bearer sk_test_e1',
      'stripe-account': 'acct_1Martin',
      'idempotency-key': checkout.checkoutId,
    })
    expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
      mode: 'payment',
      locale: 'fr',
      client_reference_id: checkout.code,
      customer_email: 'compta@durand.example',
      'line_items[0][price_data][unit_amount]': '120000',
      'line_items[0][price_data][currency]': 'eur',
      'payment_intent_data[metadata][code]': checkout.code,
    })
  })

  it.each(['429', '500', 'timeout_after_accepting', 'hang_up_after_accepting'] as const)(
    '%s may be tried again, and then leads to one session',
    async fault => {
      standIn.fail(fault)
      const checkout = newCheckout()
      expect(await adapter.open(checkout)).toMatchObject({ outcome: 'failed', isRetryable: true })
      expect((await adapter.open(checkout)).outcome).toBe('opened')
      expect(sessionOf(standIn, checkout.checkoutId)).toHaveLength(1)
    },
  )

  it('another sum under the same id is refused for good', async () => {
    const { checkout } = await opened()
    expect(await adapter.open({ ...checkout, amountCents: 1_000 })).toEqual({
      outcome: 'failed',
      reason: '400 idempotency_error',
      isRetryable: false,
    })
  })

  it('with the wrong key, or while nobody is there, nothing is opened', async () => {
    const stranger = stripePayment({ baseUrl: standIn.baseUrl, ...keys, secretKey: 'sk_test_other' })
    expect(await stranger.open(newCheckout())).toEqual({
      outcome: 'failed',
      reason: '401 api_key_invalid',
      isRetryable: false,
    })
    await stranger.close()
    const nobody = stripePayment({ baseUrl: 'http://127.0.0.1:1', ...keys })
    expect(await nobody.open(newCheckout())).toMatchObject({ outcome: 'failed', isRetryable: true })
    await nobody.close()
  })

  it('a signature is good for five minutes, in either direction', async () => {
    const { session } = await opened()
    const read = (ageSeconds: number) =>
      adapter.read(callbackRequest(standIn.signed(standIn.events.completed(session), { ageSeconds })))
    expect(await read(298)).toMatchObject([{ what: 'paid' }])
    expect(await read(302)).toBe('forged')
    expect(await read(-298)).toMatchObject([{ what: 'paid' }])
    expect(await read(-310)).toBe('forged')
  })

  it('one good signature among several is enough, and one of somebody else is not', async () => {
    const { session } = await opened()
    const event = standIn.events.completed(session)
    const both = standIn.signed(event, { alsoSignedWith: 'whsec_before' })
    expect(await adapter.read(callbackRequest(both))).toMatchObject([{ what: 'paid' }])
    expect(await adapter.read(callbackRequest(standIn.signed(event, { isForged: true })))).toBe('forged')
    for (const header of ['', 't=1', 'v1=00', `t=${Math.floor(Date.now() / 1000)},v1=zz`, 't=x,v1=00'])
      expect(
        await adapter.read(
          callbackRequest({ ...standIn.signed(event), headers: { 'stripe-signature': header } }),
        ),
      ).toBe('forged')
  })

  it('a disputed charge is found by its payment; won, the money arrives as another payment', async () => {
    const { checkout, session } = await opened()
    const read = (event: object) => adapter.read(callbackRequest(standIn.signed(event)))
    const owner = { code: checkout.code, checkoutId: checkout.checkoutId }
    expect(await read(standIn.events.disputed(session))).toMatchObject([
      { ...owner, what: 'reversed', reference: session.intent },
    ])
    expect(await read(standIn.events.disputeClosed(session, 'lost'))).toMatchObject([
      { ...owner, what: 'reversed', reference: session.intent },
    ])
    expect(await read(standIn.events.disputeClosed(session, 'won'))).toMatchObject([
      { ...owner, what: 'paid', reference: `${session.intent}:won` },
    ])
  })

  it('events of no interest and events of other payments of the account give no payment event', async () => {
    const { session } = await opened()
    expect(await adapter.read(callbackRequest(standIn.signed(standIn.events.unrelated(session))))).toEqual([])
    const stranger = { ...session, intent: 'pi_of_a_shop', form: new URLSearchParams() }
    expect(await adapter.read(callbackRequest(standIn.signed(standIn.events.completed(stranger))))).toEqual(
      [],
    )
  })
})
