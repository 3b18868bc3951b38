export const paymentStatuses = ['pending', 'completed', 'failed', 'refunded'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

export const paymentMethods = ['card', 'bank_transfer', 'sepa_debit', 'payment_link'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** The allowed changes of status. Money that arrived may leave again; `failed` and `refunded` are final. */
const transitions: Record<PaymentStatus, readonly PaymentStatus[]> = {
  pending: ['completed', 'failed'],
  completed: ['refunded', 'failed'],
  failed: [],
  refunded: [],
}

export const mayBecome = (from: PaymentStatus, to: PaymentStatus): boolean => transitions[from].includes(to)

/** How a change of status changes the amount paid: 1 adds the payment, -1 takes it away, 0 changes nothing. */
export const effectOnPaid = (from: PaymentStatus | null, to: PaymentStatus): -1 | 0 | 1 =>
  to === 'completed' ? 1 : from === 'completed' ? -1 : 0
