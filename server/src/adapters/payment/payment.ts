import type { CallbackRequest } from '../callback.ts'

/** An amount to be paid now by card. */
export interface Checkout {
  /** Our id: opening twice with one id opens one checkout. */
  checkoutId: string
  /** The code of the message whose link was opened; every event contains it. */
  code: string
  /** The creditor's account at the provider: the money goes there, never through us. */
  account: string
  amountCents: number
  currency: string
  /** The text that the payer sees: creditor and reference. */
  label: string
  payerEmail: string | null
  language: 'fr' | 'en'
  returnUrl: string
  cancelUrl: string
}

export interface ProviderFailure {
  outcome: 'failed'
  /** Logged: the status and code of the answer, or why there was none. */
  reason: string
  isRetryable: boolean
}

export type OpenedCheckout = { outcome: 'opened'; sessionId: string; url: string } | ProviderFailure

/** Accounts of creditors that the provider opens and vouches for. */
export interface CreditorAccounts {
  /** Opens an account for a company; a second call for the same tenant opens no other account. */
  create(company: {
    tenantId: string
    country: string
    email: string
  }): Promise<{ outcome: 'created'; account: string } | ProviderFailure>
  /** A page of the provider on which the creditor proves who it is. The URL opens the account: it is never stored or logged. */
  link(request: {
    account: string
    returnUrl: string
    refreshUrl: string
  }): Promise<{ outcome: 'opened'; url: string } | ProviderFailure>
  /** `isReady`: it can accept cards. `isSubmitted`: the creditor has provided everything that the provider requires. */
  find(
    account: string,
  ): Promise<{ outcome: 'found'; isSubmitted: boolean; isReady: boolean } | ProviderFailure>
}

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
  /** Null where creditors have no accounts at the provider. */
  readonly accounts: CreditorAccounts | null
  open(checkout: Checkout): Promise<OpenedCheckout>
  /** Expires a checkout that is still open, so that it cannot be paid any more. `over`: it was already paid or expired. */
  expire(session: {
    account: string
    sessionId: string
  }): Promise<{ outcome: 'expired' | 'over' } | ProviderFailure>
  /** `forged`: not signed by the provider, or too long ago. */
  read(request: CallbackRequest): Promise<readonly PaymentEvent[] | 'forged'>
  close(): Promise<void>
}
