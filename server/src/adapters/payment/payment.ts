import type { Knock } from '../callback.ts'

/** A sum somebody wants to pay now, with a card. */
export interface Checkout {
  /** Ours: asking twice with one id opens one checkout. */
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

/** What the provider tells of a checkout later. Money that arrived is never refused. */
export interface PaymentNews {
  eventId: string
  code: string
  checkoutId: string
  /** The provider's name of the payment, the same in all its news. */
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
  read(knock: Knock): Promise<readonly PaymentNews[] | 'forged'>
  close(): Promise<void>
}
