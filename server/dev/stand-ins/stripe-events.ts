import { randomBytes } from 'node:crypto'

export interface Session {
  id: string
  url: string
  intent: string
  account: string
  amount: number
  currency: string
  form: URLSearchParams
  isPaid: boolean
}

export const name = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`

export const metadataOf = ({ form }: Session) =>
  Object.fromEntries(
    [...form].flatMap(([field, value]) => {
      const key = /^metadata\[(\w+)\]$/.exec(field)?.[1]
      return key === undefined ? [] : [[key, value]]
    }),
  )
const event = (type: string, { account }: Session, object: object) => ({
  id: name('evt'),
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

/** What Stripe tells of a session, as its documentation shows it. */
export const events = {
  completed: (of: Session) => sessionEvent('checkout.session.completed', of, 'paid'),
  pending: (of: Session) => sessionEvent('checkout.session.completed', of, 'unpaid'),
  succeeded: (of: Session) => sessionEvent('checkout.session.async_payment_succeeded', of, 'paid'),
  failed: (of: Session) => sessionEvent('checkout.session.async_payment_failed', of, 'unpaid'),
  expired: (of: Session) => {
    const { payment_intent: _, ...object } = sessionEvent('', of, 'unpaid').data.object as Record<
      string,
      unknown
    >
    return event('checkout.session.expired', of, { ...object, payment_intent: null })
  },
  refunded: (of: Session, cents = of.amount) =>
    event('charge.refunded', of, {
      object: 'charge',
      payment_intent: of.intent,
      amount: of.amount,
      amount_refunded: cents,
      currency: of.currency,
      metadata: metadataOf(of),
    }),
  disputed: (of: Session) => disputeEvent('charge.dispute.created', of, 'needs_response'),
  disputeClosed: (of: Session, status: 'won' | 'lost') => disputeEvent('charge.dispute.closed', of, status),
  ofNoInterest: (of: Session) => event('customer.created', of, { object: 'customer' }),
}
