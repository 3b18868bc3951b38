import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Knock } from '../callback.ts'
import type { Checkout, PaymentAdapter, PaymentNews } from './payment.ts'

export interface PaymentBench {
  adapter: PaymentAdapter
  /** A checkout the other side will treat as `destiny` says. */
  checkout(destiny: 'opened' | 'retryable' | 'permanent' | 'answer_lost'): Checkout
  /** Sessions the other side has for a checkout, read there; null where there is no other side. */
  sessionsOf(checkoutId: string): number | null
  /** The other side's news of an opened checkout, as it knocks at our door. */
  tell(checkout: Checkout, what: PaymentNews['what']): Knock
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

/** The promises of whoever takes cards, provider or simulator. */
export function paymentConformance(name: string, setup: () => Promise<PaymentBench>) {
  describe(`${name} keeps the promises of a cashier`, () => {
    let bench: PaymentBench
    beforeAll(async () => {
      bench = await setup()
    })
    afterAll(async () => {
      await bench.adapter.close()
      await bench.stop()
    })

    async function opened(): Promise<Checkout> {
      const checkout = bench.checkout('opened')
      expect((await bench.adapter.open(checkout)).outcome).toBe('opened')
      return checkout
    }

    test('an opened checkout has an address to go to', async () => {
      const result = await bench.adapter.open(bench.checkout('opened'))
      expect(result).toEqual({
        outcome: 'opened',
        sessionId: expect.stringMatching(/./),
        url: expect.stringMatching(/^https?:\/\//),
      })
    })

    test('asked twice with one id, it opens one checkout', async () => {
      const checkout = bench.checkout('opened')
      const [first, again] = [await bench.adapter.open(checkout), await bench.adapter.open(checkout)]
      expect(again).toEqual(first)
      expect(bench.sessionsOf(checkout.checkoutId) ?? 1).toBe(1)
    })

    test.each(['retryable', 'permanent'] as const)(
      'a %s failure opens nothing and says why without naming anyone',
      async destiny => {
        const checkout = bench.checkout(destiny)
        const result = await bench.adapter.open(checkout)
        expect(result).toEqual({
          outcome: 'failed',
          reason: expect.stringMatching(/./),
          isRetryable: destiny === 'retryable',
        })
        expect(bench.sessionsOf(checkout.checkoutId) ?? 0).toBe(0)
        for (const secret of [checkout.payerEmail!, checkout.label, checkout.code])
          expect(JSON.stringify(result)).not.toContain(secret)
      },
    )

    test('after a lost answer the same id leads to the same checkout', async () => {
      const checkout = bench.checkout('answer_lost')
      const lost = await bench.adapter.open(checkout)
      if (lost.outcome === 'failed') expect(lost.isRetryable).toBe(true)
      expect((await bench.adapter.open(checkout)).outcome).toBe('opened')
      expect(bench.sessionsOf(checkout.checkoutId) ?? 1).toBe(1)
    })

    test('news says which checkout of which message, how much, and names the payment the same in all of it', async () => {
      const checkout = await opened()
      const references = new Set<string>()
      for (const what of ['pending', 'paid', 'refunded', 'reversed', 'failed'] as const) {
        const heard = await bench.adapter.read(bench.tell(checkout, what))
        expect(heard, what).toMatchObject([
          {
            what,
            code: checkout.code,
            checkoutId: checkout.checkoutId,
            amountCents: checkout.amountCents,
            currency: 'EUR',
          },
        ])
        references.add((heard as readonly PaymentNews[])[0]!.reference)
      }
      expect(references.size).toBe(1)
      expect(await bench.adapter.read(bench.tell(checkout, 'expired'))).toMatchObject([{ what: 'expired' }])
    })

    test('two pieces of news are two events, and one told again is the same', async () => {
      const checkout = await opened()
      const [one, other] = [bench.tell(checkout, 'paid'), bench.tell(checkout, 'paid')]
      const id = async (knock: Knock) =>
        ((await bench.adapter.read(knock)) as readonly PaymentNews[])[0]!.eventId
      expect(await id(one)).toBe(await id(one))
      expect(await id(one)).not.toBe(await id(other))
    })

    test('changed by one byte, with the signature of other news, or without any, it is forged', async () => {
      const checkout = await opened()
      const knock = bench.tell(checkout, 'paid')
      const changed = Buffer.from(knock.body)
      changed[changed.length - 2]! ^= 1
      expect(await bench.adapter.read({ ...knock, body: changed })).toBe('forged')
      const { headers } = bench.tell(checkout, 'pending')
      expect(await bench.adapter.read({ ...knock, headers })).toBe('forged')
      expect(await bench.adapter.read({ ...knock, headers: {} })).toBe('forged')
    })
  })
}
