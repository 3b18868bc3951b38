import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { PaymentNews } from './payment.ts'

/** How old a signature may be, in either direction: clocks differ, and what was overheard long ago is not repeated to us. */
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
/** An id, or the whole object where it was asked for. */
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
  /** The payment whose own record knows the code, where the event does not carry it. */
  intent: string | null
  /** Null: whoever it was for is not said here. */
  for: { code: string; checkoutId: string } | null
  news: Omit<PaymentNews, 'code' | 'checkoutId' | 'account'>
}

const owner = (of: z.output<typeof metadata>) =>
  of?.code && of.checkout ? { code: of.code, checkoutId: of.checkout } : null

/** Inquiries of a bank, in which no money moved. */
const isInquiry = (status: string) => status.startsWith('warning_')

const sessionNews = new Map<string, (paymentStatus: string) => PaymentNews['what'] | null>([
  [
    'checkout.session.completed',
    status => (status === 'paid' ? 'paid' : status === 'unpaid' ? 'pending' : null),
  ],
  ['checkout.session.async_payment_succeeded', () => 'paid'],
  ['checkout.session.async_payment_failed', () => 'failed'],
  ['checkout.session.expired', () => 'expired'],
])

/** Null: genuine, and of no interest. What does not look as documented throws, and is sent again. */
export function readStripeEvent(body: Buffer): StripeEvent | null {
  const {
    id,
    type,
    created,
    account,
    livemode: isLive,
    data,
  } = Envelope.parse(JSON.parse(body.toString('utf8')))
  const common = { eventId: id, at: created * 1000 }
  const ofSession = sessionNews.get(type)
  if (ofSession) {
    const session = Session.parse(data.object)
    const what = ofSession(session.payment_status)
    if (what === null) return null
    return {
      account,
      isLive,
      intent: session.payment_intent,
      for: owner(session.metadata),
      news: {
        ...common,
        what,
        // Who never began to pay has no payment; nothing is recorded for it.
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
      for: owner(charge.metadata),
      news: {
        ...common,
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
      for: owner(dispute.metadata),
      news: {
        ...common,
        // A payment that failed does not come back to life: money that is given again is money that arrives.
        what: isWon ? 'paid' : 'reversed',
        reference: isWon ? `${intent}:won` : intent,
        amountCents: dispute.amount,
        currency: dispute.currency.toUpperCase(),
      },
    }
  }
  return null
}
