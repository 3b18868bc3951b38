import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { CallbackRequest } from '../callback.ts'
import type { Checkout, PaymentAdapter, PaymentEvent } from './payment.ts'

const PaymentEventBody = z.object({
  eventId: z.string(),
  code: z.string(),
  checkoutId: z.string(),
  reference: z.string(),
  what: z.enum(['paid', 'pending', 'failed', 'expired', 'refunded', 'reversed']),
  amountCents: z.int(),
  currency: z.string(),
  at: z.int(),
  account: z.string().nullable(),
})

export interface SimulatedPayment extends PaymentAdapter {
  /** The signed callback request a provider would send. */
  signedCallback(event: PaymentEvent): CallbackRequest
}

/**
 * The payment provider of the sandbox: it opens no socket and takes no money, and its page is ours. The payer's address chooses
 * the outcome: `nocard+…@` is refused for good, `latecard+…@` for now.
 */
export function simulatedPayment({
  pageOf,
  secret,
}: {
  pageOf: (checkout: Checkout) => string
  secret: string
}): SimulatedPayment {
  const signatureOf = (body: Buffer) => createHmac('sha256', secret).update(body).digest()
  return {
    name: 'simulator',
    accounts: null,

    async open(checkout) {
      const failure = /^(no|late)card\+/i.exec(checkout.payerEmail ?? '')?.[1]?.toLowerCase()
      if (failure === 'no') return { outcome: 'failed', reason: '402', isRetryable: false }
      if (failure === 'late') return { outcome: 'failed', reason: '503', isRetryable: true }
      return { outcome: 'opened', sessionId: `sim_${checkout.checkoutId}`, url: pageOf(checkout) }
    },

    async expire() {
      return { outcome: 'expired' }
    },

    signedCallback(event) {
      const body = Buffer.from(JSON.stringify(event))
      const headers = { 'x-simulator-signature': signatureOf(body).toString('hex') }
      return { method: 'POST', url: '/callbacks/simulator', code: null, headers, body, wall: event.at }
    },

    async read({ headers, body }) {
      const signature = headers['x-simulator-signature']
      const given = Buffer.from(typeof signature === 'string' ? signature : '', 'hex')
      const expected = signatureOf(body)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged'
      return [PaymentEventBody.parse(JSON.parse(body.toString('utf8')))]
    },

    async close() {},
  }
}
