import { randomBytes } from 'node:crypto'

export interface Session {
  id: string
  url: string
  intent: string
  account: string
  amount: number
  currency: string
  form: URLSearchParams
  status: 'open' | 'complete' | 'expired'
}

export const newStripeId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`

export const metadataOf = ({ form }: Session) =>
  Object.fromEntries(
    [...form].flatMap(([field, value]) => {
      const key = /^metadata\[(\w+)\]$/.exec(field)?.[1]
      return key === undefined ? [] : [[key, value]]
    }),
  )
const event = (type: string, { account }: Session, object: object) => ({
  id: newStripeId('evt'),
  object: 'event',
  type,
  created: Math.floor(Date.now() / 1000),
  livemode: false,
  account,
  data: { object },
})
const sessionEvent = (type: string, session: Session, status: 'paid' | 'unpaid') =>
  event(type, session, {
    id: session.id,
    object: 'checkout.session',
    amount_total: session.amount,
    currency: session.currency,
    client_reference_id: session.form.get('client_reference_id'),
    payment_intent: session.intent,
    payment_status: status,
    metadata: metadataOf(session),
  })
const disputeEvent = (type: string, session: Session, status: string) =>
  event(type, session, {
    object: 'dispute',
    payment_intent: session.intent,
    amount: session.amount,
    currency: session.currency,
    status,
    metadata: {},
  })

/** The events that Stripe sends about a session, as in its documentation. */
export const events = {
  completed: (session: Session) => sessionEvent('checkout.session.completed', session, 'paid'),
  pending: (session: Session) => sessionEvent('checkout.session.completed', session, 'unpaid'),
  succeeded: (session: Session) => sessionEvent('checkout.session.async_payment_succeeded', session, 'paid'),
  failed: (session: Session) => sessionEvent('checkout.session.async_payment_failed', session, 'unpaid'),
  expired: (session: Session) => {
    const { payment_intent: _, ...object } = sessionEvent('', session, 'unpaid').data.object as Record<
      string,
      unknown
    >
    return event('checkout.session.expired', session, { ...object, payment_intent: null })
  },
  refunded: (session: Session, cents = session.amount) =>
    event('charge.refunded', session, {
      object: 'charge',
      payment_intent: session.intent,
      amount: session.amount,
      amount_refunded: cents,
      currency: session.currency,
      metadata: metadataOf(session),
    }),
  disputed: (session: Session) => disputeEvent('charge.dispute.created', session, 'needs_response'),
  disputeClosed: (session: Session, status: 'won' | 'lost') =>
    disputeEvent('charge.dispute.closed', session, status),
  unrelated: (session: Session) => event('customer.created', session, { object: 'customer' }),
}
