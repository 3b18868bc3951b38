import { z } from 'zod'
import { EgressFailed } from '../../kit/egress/egress.ts'
import type { Checkout, PaymentAdapter, PaymentEvent } from './payment.ts'
import { stripeAccounts } from './stripe-accounts.ts'
import { type StripeOptions, stripeClient } from './stripe-client.ts'
import { isSignedByStripe, readStripeEvent, type StripeEvent } from './stripe-event.ts'

const Opened = z.object({ id: z.string(), url: z.url({ protocol: /^https?$/ }) })
const Session = z.object({ id: z.string() })
const Intent = z.object({
  metadata: z.object({ code: z.string().optional(), checkout: z.string().optional() }).nullish(),
})

/** A form as Stripe expects it: nested fields in brackets. */
function formOf(checkout: Checkout): Record<string, string> {
  const { checkoutId, code } = checkout
  const fields: Record<string, string> = {
    mode: 'payment',
    client_reference_id: code,
    locale: checkout.language,
    success_url: checkout.returnUrl,
    cancel_url: checkout.cancelUrl,
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': checkout.currency.toLowerCase(),
    'line_items[0][price_data][unit_amount]': String(checkout.amountCents),
    'line_items[0][price_data][product_data][name]': checkout.label,
    'metadata[checkout]': checkoutId,
    'metadata[code]': code,
    // Copied to the payment and its charge, so that a later refund still names the checkout.
    'payment_intent_data[metadata][checkout]': checkoutId,
    'payment_intent_data[metadata][code]': code,
    'payment_intent_data[description]': checkout.label,
  }
  if (checkout.payerEmail !== null) fields.customer_email = checkout.payerEmail
  return fields
}

/** Stripe Checkout: the card is typed in at Stripe, and the money goes to the creditor's own account there. */
export function stripePayment(options: StripeOptions): PaymentAdapter {
  const client = stripeClient(options)
  const isLive = options.secretKey.includes('_live_')

  /** A disputed charge does not carry our metadata; the payment intent does. */
  async function ownerOf({ intent, account }: StripeEvent): Promise<StripeEvent['owner']> {
    if (intent === null) return null
    const path = `/v1/payment_intents/${encodeURIComponent(intent)}`
    const answer = await client.request({ method: 'GET', path, account }, Intent)
    if (answer.outcome === 'failed') {
      if (answer.reason.startsWith('404')) return null
      throw new EgressFailed('unreachable', `Stripe did not answer about a payment: ${answer.reason}`)
    }
    const { metadata } = answer.reply
    return metadata?.code && metadata.checkout ? { code: metadata.code, checkoutId: metadata.checkout } : null
  }

  return {
    name: 'stripe',
    accounts: stripeAccounts(client),

    async open(checkout) {
      // Repeated with the same key, Stripe returns the same session, so a lost answer may be retried.
      const answer = await client.request(
        {
          method: 'POST',
          path: '/v1/checkout/sessions',
          account: checkout.account,
          idempotencyKey: checkout.checkoutId,
          form: formOf(checkout),
        },
        Opened,
      )
      if (answer.outcome === 'failed') return answer
      return { outcome: 'opened', sessionId: answer.reply.id, url: answer.reply.url }
    },

    async expire({ account, sessionId }) {
      const path = `/v1/checkout/sessions/${encodeURIComponent(sessionId)}/expire`
      const answer = await client.request({ method: 'POST', path, account, form: {} }, Session)
      if (answer.outcome === 'answered') return { outcome: 'expired' }
      // Only an open session can be expired: any other is refused as an invalid request.
      return /^40[04]\b/.test(answer.reason) ? { outcome: 'over' } : answer
    },

    async read({ headers, body, wall }): Promise<readonly PaymentEvent[] | 'forged'> {
      if (!isSignedByStripe(options.webhookSecret, headers['stripe-signature'], body, wall)) return 'forged'
      const event = readStripeEvent(body)
      if (!event || event.isLive !== isLive) return []
      const owner = event.owner ?? (await ownerOf(event))
      // Other payments of the same account are ignored.
      return owner ? [{ ...event.paymentEvent, ...owner, account: event.account ?? null }] : []
    },

    close: () => client.close(),
  }
}
