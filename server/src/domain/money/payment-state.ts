export const paymentStatuses = ['pending', 'completed', 'failed', 'refunded'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

export const paymentMethods = ['card', 'bank_transfer', 'sepa_debit', 'payment_link'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/**
 * What was handed over, where the method does not say it. A cheque is a bank transfer for the four methods: both are credited to
 * the company's account, and no provider reports them.
 */
export const paymentInstruments = ['cheque'] as const
export type PaymentInstrument = (typeof paymentInstruments)[number]

/**
 * Each act on a payment, with the status it needs and the one it leads to. Money that arrived may leave again: given back, or
 * taken back by the bank. `failed` and `refunded` are final. `effect` says how it changes what was paid: 1 adds the payment,
 * -1 takes it away.
 */
export const paymentActs = {
  complete: { from: 'pending', to: 'completed', effect: 1, movement: 'payment' },
  fail: { from: 'pending', to: 'failed', effect: 0, movement: null },
  refund: { from: 'completed', to: 'refunded', effect: -1, movement: 'refund' },
  reverse: { from: 'completed', to: 'failed', effect: -1, movement: 'reversal' },
} as const satisfies Record<
  string,
  {
    from: PaymentStatus
    to: PaymentStatus
    effect: -1 | 0 | 1
    movement: 'payment' | 'refund' | 'reversal' | null
  }
>
export type PaymentAct = keyof typeof paymentActs
