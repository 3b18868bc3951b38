import type { Cents } from './money.ts'

export const invoiceStatuses = [
  'draft',
  'imported',
  'lrar_sent',
  'in_recovery',
  'paid',
  'partial',
  'disputed',
  'written_off',
  'judicial',
  'cancelled',
] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

/** Nothing is demanded any more: the invoice is paid, written off or cancelled. */
export type ClosedStatus = 'paid' | 'written_off' | 'cancelled'
export const isClosed = (status: InvoiceStatus): status is ClosedStatus =>
  status === 'paid' || status === 'written_off' || status === 'cancelled'

export interface InvoiceFacts {
  amount: Cents
  paid: Cents
  credited: Cents
  isCancelled: boolean
  isWrittenOff: boolean
  isJudicial: boolean
  isDisputed: boolean
  /** The last executed action is a registered letter accepted by its provider. */
  lastActionIsLetter: boolean
  /** A first communication was accepted by a provider. */
  wasContacted: boolean
}

/** The status is computed from facts, never set: the first line that matches wins. */
export function invoiceStatus(facts: InvoiceFacts): InvoiceStatus {
  if (facts.isCancelled) return 'cancelled'
  if (facts.isWrittenOff) return 'written_off'
  if (facts.paid >= facts.amount - facts.credited) return 'paid'
  if (facts.isJudicial) return 'judicial'
  if (facts.isDisputed) return 'disputed'
  if (facts.paid > 0) return 'partial'
  if (facts.lastActionIsLetter) return 'lrar_sent'
  if (facts.wasContacted) return 'in_recovery'
  return 'imported'
}
