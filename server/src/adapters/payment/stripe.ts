import { z } from 'zod'
import { EgressFailed, egress } from '../../kit/egress/egress.ts'
import type { Checkout, OpenedCheckout, PaymentAdapter, PaymentEvent } from './payment.ts'
import { isSignedByStripe, readStripeEvent, type StripeEvent } from './stripe-event.ts'

export interface StripeOptions {
  baseUrl: string
  secretKey: string
  webhookSecret: string
  timeoutMs?: number
}

const Opened = z.object({ id: z.string(), url: z.url({ protocol: /^https?$/ }) })
const Refused = z.object({ error: z.object({ type: z.string(), code: z.string().nullish() }) })
const Intent = z.object({
  metadata: z.object({ code: z.string().optional(), checkout: z.string().optional() }).nullish(),
})

/** A form as Stripe expects it: nested fields in brackets. */
function formOf(checkout: Checkout): string {
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
  return new URLSearchParams(fields).toString()
}

const codeOnly = (text: string) => (/^[a-z_]{1,60}$/.test(text) ? text : 'unnamed')

function refusalOf(status: number, body: Buffer): OpenedCheckout {
  let code = ''
  try {
    const { error } = Refused.parse(JSON.parse(body.toString('utf8')))
    code = ` ${codeOnly(error.code ?? error.type)}`
  } catch {
    // A gateway in between answers in HTML; its status says enough.
  }
  // 409: another request with this key is under way.
  const isRetryable = status === 429 || status === 409 || status >= 500
  return { outcome: 'failed', reason: `${status}${code}`, isRetryable }
}

/** Stripe Checkout: the card is typed in at Stripe, and the money goes to the creditor's own account there. */
export function stripePayment({
  baseUrl,
  secretKey,
  webhookSecret,
  timeoutMs = 8_000,
}: StripeOptions): PaymentAdapter {
  const client = egress({ profile: 'operator', baseUrl })
  const authorization = `Bearer ${secretKey}`
  const isLive = secretKey.includes('_live_')

  /** A disputed charge does not carry our metadata; the payment intent does. */
  async function ownerOf({ intent, account }: StripeEvent): Promise<StripeEvent['owner']> {
    if (intent === null) return null
    const reply = await client.request({
      method: 'GET',
      path: `/v1/payment_intents/${encodeURIComponent(intent)}`,
      headers: { authorization, ...(account && { 'stripe-account': account }) },
      timeoutMs,
    })
    if (reply.status === 404) return null
    if (reply.status !== 200) throw new Error(`Stripe answered ${reply.status} about a payment`)
    const { metadata } = Intent.parse(JSON.parse(reply.body.toString('utf8')))
    return metadata?.code && metadata.checkout ? { code: metadata.code, checkoutId: metadata.checkout } : null
  }

  return {
    name: 'stripe',

    async open(checkout) {
      try {
        const reply = await client.request({
          method: 'POST',
          path: '/v1/checkout/sessions',
          headers: {
            authorization,
            'content-type': 'application/x-www-form-urlencoded',
            'idempotency-key': checkout.checkoutId,
            'stripe-account': checkout.account,
          },
          body: formOf(checkout),
          timeoutMs,
        })
        if (reply.status !== 200) return refusalOf(reply.status, reply.body)
        const { id, url } = Opened.parse(JSON.parse(reply.body.toString('utf8')))
        return { outcome: 'opened', sessionId: id, url }
      } catch (error) {
        // Repeated with the same key, Stripe returns the same session, so a lost answer may be retried.
        if (error instanceof EgressFailed) return { outcome: 'failed', reason: error.code, isRetryable: true }
        if (error instanceof z.ZodError || error instanceof SyntaxError)
          return { outcome: 'failed', reason: 'unreadable answer', isRetryable: true }
        throw error
      }
    },

    async read({ headers, body, wall }): Promise<readonly PaymentEvent[] | 'forged'> {
      if (!isSignedByStripe(webhookSecret, headers['stripe-signature'], body, wall)) return 'forged'
      const event = readStripeEvent(body)
      if (!event || event.isLive !== isLive) return []
      const owner = event.owner ?? (await ownerOf(event))
      // Other payments of the same account are ignored.
      return owner ? [{ ...event.paymentEvent, ...owner, account: event.account ?? null }] : []
    },

    close: () => client.close(),
  }
}
