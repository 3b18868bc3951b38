import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { PaymentEvent } from './payment.ts'

/** How far the time of a signature may be off, in either direction: clocks differ, and old callbacks must not be replayed. */
const toleranceSeconds = 300

/** `Stripe-Signature: t=…,v1=…`; while a secret is being changed there is one `v1` for each. */
export function isSignedByStripe(
  secret: string,
  header: string | string[] | undefined,
  body: Buffer,
  wall: number,
): boolean {
  if (typeof header !== 'string') return false
  const parts = header.split(',').map(part => part.trim().split('='))
  const t = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(t) || Math.abs(wall / 1000 - Number(t)) > toleranceSeconds) return false
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest()
  return parts
    .filter(([name]) => name === 'v1')
    .some(([, value = '']) => {
      const given = Buffer.from(value, 'hex')
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
}

const metadata = z.object({ checkout: z.string().optional(), code: z.string().optional() }).nullish()
/** An id, or the expanded object. */
const reference = z
  .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
  .nullish()
  .transform(value => value ?? null)

const Session = z.object({
  id: z.string(),
  payment_intent: reference,
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  amount_total: z.int().nullish(),
  currency: z.string().nullish(),
  metadata,
})
const Charge = z.object({
  payment_intent: reference,
  amount: z.int(),
  amount_refunded: z.int(),
  currency: z.string(),
  metadata,
})
const Dispute = z.object({
  payment_intent: reference,
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
  metadata,
})

const Envelope = z.object({
  id: z.string(),
  type: z.string(),
  created: z.int(),
  /** The connected account it happened at. */
  account: z.string().optional(),
  /** False: no money moved. Test events of connected accounts come to the live address too. */
  livemode: z.boolean(),
  data: z.object({ object: z.unknown() }),
})

export interface StripeEvent {
  account: string | undefined
  isLive: boolean
  /** The payment intent, whose metadata has the code when the event does not. */
  intent: string | null
  /** Null: the event does not name its checkout. */
  owner: { code: string; checkoutId: string } | null
  paymentEvent: Omit<PaymentEvent, 'code' | 'checkoutId' | 'account'>
}

const ownerIn = (values: z.output<typeof metadata>) =>
  values?.code && values.checkout ? { code: values.code, checkoutId: values.checkout } : null

/** Inquiries of a bank, in which no money moved. */
const isInquiry = (status: string) => status.startsWith('warning_')

const sessionOutcomes = new Map<string, (paymentStatus: string) => PaymentEvent['what'] | null>([
  [
    'checkout.session.completed',
    status => (status === 'paid' ? 'paid' : status === 'unpaid' ? 'pending' : null),
  ],
  ['checkout.session.async_payment_succeeded', () => 'paid'],
  ['checkout.session.async_payment_failed', () => 'failed'],
  ['checkout.session.expired', () => 'expired'],
])

/** Null: genuine, but of no interest. An event that differs from the documentation throws, and Stripe sends it again. */
export function readStripeEvent(body: Buffer): StripeEvent | null {
  const {
    id,
    type,
    created,
    account,
    livemode: isLive,
    data,
  } = Envelope.parse(JSON.parse(body.toString('utf8')))
  const base = { eventId: id, at: created * 1000 }
  const sessionOutcome = sessionOutcomes.get(type)
  if (sessionOutcome) {
    const session = Session.parse(data.object)
    const what = sessionOutcome(session.payment_status)
    if (what === null) return null
    return {
      account,
      isLive,
      intent: session.payment_intent,
      owner: ownerIn(session.metadata),
      paymentEvent: {
        ...base,
        what,
        // A session that was never paid has no payment intent; nothing is recorded for it.
        reference: session.payment_intent ?? session.id,
        amountCents: session.amount_total ?? 0,
        currency: (session.currency ?? '').toUpperCase(),
      },
    }
  }
  if (type === 'charge.refunded') {
    const charge = Charge.parse(data.object)
    if (charge.payment_intent === null) return null
    return {
      account,
      isLive,
      intent: charge.payment_intent,
      owner: ownerIn(charge.metadata),
      paymentEvent: {
        ...base,
        what: 'refunded',
        reference: charge.payment_intent,
        amountCents: charge.amount_refunded,
        currency: charge.currency.toUpperCase(),
      },
    }
  }
  if (type === 'charge.dispute.created' || type === 'charge.dispute.closed') {
    const dispute = Dispute.parse(data.object)
    const { payment_intent: intent, status } = dispute
    if (intent === null || isInquiry(status)) return null
    const isWon = type === 'charge.dispute.closed' && status === 'won'
    return {
      account,
      isLive,
      intent,
      owner: ownerIn(dispute.metadata),
      paymentEvent: {
        ...base,
        // A failed payment is final: after a won dispute the money is recorded as a new payment.
        what: isWon ? 'paid' : 'reversed',
        reference: isWon ? `${intent}:won` : intent,
        amountCents: dispute.amount,
        currency: dispute.currency.toUpperCase(),
      },
    }
  }
  return null
}
