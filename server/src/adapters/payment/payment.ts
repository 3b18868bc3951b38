import type { CallbackRequest } from '../callback.ts'

/** An amount to be paid now by card. */
export interface Checkout {
  /** Our id: opening twice with one id opens one checkout. */
  checkoutId: string
  /** Of the message whose link was opened; comes back with every event. */
  code: string
  /** The creditor's account at the provider: the money goes there, never through us. */
  account: string
  amountCents: number
  currency: string
  /** What the payer reads: creditor and reference. */
  label: string
  payerEmail: string | null
  language: 'fr' | 'en'
  returnUrl: string
  cancelUrl: string
}

export type OpenedCheckout =
  | { outcome: 'opened'; sessionId: string; url: string }
  /** `reason` is logged: codes only. */
  | { outcome: 'failed'; reason: string; isRetryable: boolean }

/** An event of the payment provider about a checkout. Money that arrived is always recorded. */
export interface PaymentEvent {
  eventId: string
  code: string
  checkoutId: string
  /** The provider's id of the payment, the same in all its events. */
  reference: string
  what: 'paid' | 'pending' | 'failed' | 'expired' | 'refunded' | 'reversed'
  amountCents: number
  currency: string
  at: number
  /** The account the money is at: it has to be the creditor's. Null where the provider has no accounts of creditors. */
  account: string | null
}

export interface PaymentAdapter {
  readonly name: string
  open(checkout: Checkout): Promise<OpenedCheckout>
  /** `forged`: not signed by the provider, or too long ago. */
  read(request: CallbackRequest): Promise<readonly PaymentEvent[] | 'forged'>
  close(): Promise<void>
}
