import type { InvoiceStatus } from './invoice-state.ts'

export const recoveryStatuses = [
  'pending',
  'in_recovery',
  'paused',
  'completed',
  'cancelled',
  'judicial',
] as const
export type RecoveryStatus = (typeof recoveryStatuses)[number]

const isSettled = (status: InvoiceStatus) => status === 'paid' || status === 'written_off'

/**
 * What a change of the invoice's status does to its recovery. Paid or written off ends it, unless it never began; money that
 * left again reopens it, paused: a person decides whether to remind somebody who had paid.
 */
export function recoveryAfter(
  recovery: RecoveryStatus,
  before: InvoiceStatus,
  after: InvoiceStatus,
): RecoveryStatus {
  if (recovery === 'pending' || recovery === 'cancelled') return recovery
  if (isSettled(after)) return 'completed'
  if (recovery === 'completed' && isSettled(before)) return 'paused'
  return recovery
}
