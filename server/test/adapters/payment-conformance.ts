import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallbackRequest } from '../../src/adapters/callback.ts'
import type { Checkout, PaymentAdapter, PaymentEvent } from '../../src/adapters/payment/payment.ts'

export interface PaymentFixture {
  adapter: PaymentAdapter
  /** A checkout that the provider will treat as `behaviour` says. */
  checkout(behaviour: 'opened' | 'retryable' | 'permanent' | 'answer_lost'): Checkout
  /** The sessions the provider has for a checkout; null for the simulator. */
  sessionsOf(checkoutId: string): number | null
  /** The callback request of the provider about an opened checkout. */
  callbackFor(checkout: Checkout, what: PaymentEvent['what']): CallbackRequest
  stop(): Promise<void>
}

export const newCheckout = (changes: Partial<Checkout> = {}): Checkout => ({
  checkoutId: randomUUID(),
  code: `e1${randomUUID().replaceAll('-', '').slice(0, 18)}`,
  account: 'acct_1Martin',
  amountCents: 120_000,
  currency: 'EUR',
  label: 'Atelier Martin, F-2026-0042',
  payerEmail: 'compta@durand.example',
  language: 'fr',
  returnUrl: 'https://relance.example/d/x/card/y',
  cancelUrl: 'https://relance.example/d/x',
  ...changes,
})

/** What every payment adapter must do, provider or simulator. */
export function paymentConformance(name: string, setup: () => Promise<PaymentFixture>) {
  describe(`${name} keeps the promises of a payment provider`, () => {
    let fixture: PaymentFixture
    beforeAll(async () => {
      fixture = await setup()
    })
    afterAll(async () => {
      await fixture.adapter.close()
      await fixture.stop()
    })

    async function opened(): Promise<Checkout> {
      const checkout = fixture.checkout('opened')
      expect((await fixture.adapter.open(checkout)).outcome).toBe('opened')
      return checkout
    }

    test('an opened checkout has an address to go to', async () => {
      const result = await fixture.adapter.open(fixture.checkout('opened'))
      expect(result).toEqual({
        outcome: 'opened',
        sessionId: expect.stringMatching(/./),
        url: expect.stringMatching(/^https?:\/\//),
      })
    })

    test('asked twice with one id, it opens one checkout', async () => {
      const checkout = fixture.checkout('opened')
      const [first, again] = [await fixture.adapter.open(checkout), await fixture.adapter.open(checkout)]
      expect(again).toEqual(first)
      expect(fixture.sessionsOf(checkout.checkoutId) ?? 1).toBe(1)
    })

    test.each(['retryable', 'permanent'] as const)(
      'a %s failure opens nothing and says why without naming anyone',
      async behaviour => {
        const checkout = fixture.checkout(behaviour)
        const result = await fixture.adapter.open(checkout)
        expect(result).toEqual({
          outcome: 'failed',
          reason: expect.stringMatching(/./),
          isRetryable: behaviour === 'retryable',
        })
        expect(fixture.sessionsOf(checkout.checkoutId) ?? 0).toBe(0)
        for (const secret of [checkout.payerEmail!, checkout.label, checkout.code])
          expect(JSON.stringify(result)).not.toContain(secret)
      },
    )

    test('after a lost answer the same id leads to the same checkout', async () => {
      const checkout = fixture.checkout('answer_lost')
      const lost = await fixture.adapter.open(checkout)
      if (lost.outcome === 'failed') expect(lost.isRetryable).toBe(true)
      expect((await fixture.adapter.open(checkout)).outcome).toBe('opened')
      expect(fixture.sessionsOf(checkout.checkoutId) ?? 1).toBe(1)
    })

    test('an open checkout can be ended, and ending it again does no harm', async () => {
      const checkout = fixture.checkout('opened')
      const result = await fixture.adapter.open(checkout)
      if (result.outcome === 'failed') throw new Error(result.reason)
      const session = { account: checkout.account, sessionId: result.sessionId }
      expect(await fixture.adapter.expire(session)).toEqual({ outcome: 'expired' })
      expect((await fixture.adapter.expire(session)).outcome).toMatch(/^(?:expired|over)$/)
    })

    test('an event says which checkout of which message and how much, and all events of a payment have one reference', async () => {
      const checkout = await opened()
      const references = new Set<string>()
      for (const what of ['pending', 'paid', 'refunded', 'reversed', 'failed'] as const) {
        const events = await fixture.adapter.read(fixture.callbackFor(checkout, what))
        expect(events, what).toMatchObject([
          {
            what,
            code: checkout.code,
            checkoutId: checkout.checkoutId,
            amountCents: checkout.amountCents,
            currency: 'EUR',
          },
        ])
        references.add((events as readonly PaymentEvent[])[0]!.reference)
      }
      expect(references.size).toBe(1)
      expect(await fixture.adapter.read(fixture.callbackFor(checkout, 'expired'))).toMatchObject([
        { what: 'expired' },
      ])
    })

    test('two callbacks have two event ids, and a repeated callback has the same one', async () => {
      const checkout = await opened()
      const [one, other] = [fixture.callbackFor(checkout, 'paid'), fixture.callbackFor(checkout, 'paid')]
      const id = async (request: CallbackRequest) =>
        ((await fixture.adapter.read(request)) as readonly PaymentEvent[])[0]!.eventId
      expect(await id(one)).toBe(await id(one))
      expect(await id(one)).not.toBe(await id(other))
    })

    test('a callback changed by one byte, with the signature of another, or without one is forged', async () => {
      const checkout = await opened()
      const request = fixture.callbackFor(checkout, 'paid')
      const changed = Buffer.from(request.body)
      changed[changed.length - 2]! ^= 1
      expect(await fixture.adapter.read({ ...request, body: changed })).toBe('forged')
      const { headers } = fixture.callbackFor(checkout, 'pending')
      expect(await fixture.adapter.read({ ...request, headers })).toBe('forged')
      expect(await fixture.adapter.read({ ...request, headers: {} })).toBe('forged')
    })
  })
}
