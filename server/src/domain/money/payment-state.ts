export const paymentStatuses = ['pending', 'completed', 'failed', 'refunded'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

export const paymentMethods = ['card', 'bank_transfer', 'sepa_debit', 'payment_link'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** What can be done to a payment, and from where: money that arrived may leave again, nothing comes back from failed. */
const moves: Record<PaymentStatus, readonly PaymentStatus[]> = {
  pending: ['completed', 'failed'],
  completed: ['refunded', 'failed'],
  failed: [],
  refunded: [],
}

export const mayBecome = (from: PaymentStatus, to: PaymentStatus): boolean => moves[from].includes(to)

/** What a change of status does to what is paid: plus one, minus one, nothing. */
export const effectOf = (from: PaymentStatus | null, to: PaymentStatus): -1 | 0 | 1 =>
  to === 'completed' ? 1 : from === 'completed' ? -1 : 0
