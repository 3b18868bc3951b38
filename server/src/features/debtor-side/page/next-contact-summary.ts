import type { LocalDate } from '../../../domain/time.ts'
import { type DebtorView, isOpen } from './debtor-view.ts'
import type { NextContact } from './next-contact.ts'
import type { ShownInvoice } from './view-store.ts'

/** What happens next, as it is shown to the debtor. */
export type NextContactSummary =
  | { kind: 'paid' | 'closed' | 'judicial' | 'disputed' | 'paused' | 'quiet' }
  | { kind: 'promised'; payOn: LocalDate; waitsUntil: number | null }
  /** `next` is null if a reminder will follow but its day is not known yet. */
  | { kind: 'running'; next: number | null }

function summaryOfInvoice(invoice: ShownInvoice): NextContactSummary {
  const { status, recovery, dueAt, promise } = invoice
  if (status === 'paid') return { kind: 'paid' }
  if (!isOpen(invoice)) return { kind: 'closed' }
  if (status === 'judicial') return { kind: 'judicial' }
  if (status === 'disputed') return { kind: 'disputed' }
  if (recovery === 'in_recovery') return dueAt === null ? { kind: 'quiet' } : { kind: 'running', next: dueAt }
  if (recovery === 'paused' && promise) return { kind: 'promised', payOn: promise.payOn, waitsUntil: dueAt }
  return { kind: recovery === 'paused' ? 'paused' : 'quiet' }
}

/** For several invoices the most urgent state is shown, so that a coming reminder is never hidden. */
const byUrgency: readonly NextContactSummary['kind'][] = [
  'running',
  'judicial',
  'promised',
  'paused',
  'disputed',
  'quiet',
  'closed',
  'paid',
]

export function nextContactSummary(
  { invoices }: Pick<DebtorView, 'invoices'>,
  contacts: ReadonlyMap<string, NextContact | null>,
): NextContactSummary {
  const all = invoices.map((invoice): NextContactSummary => {
    const summary = summaryOfInvoice(invoice)
    const contact = contacts.get(invoice.id)
    if (summary.kind !== 'running' || contact === undefined) return summary
    return contact === null ? { kind: 'quiet' } : { kind: 'running', next: contact.at }
  })
  const running = all.flatMap(one => (one.kind === 'running' ? [one.next] : []))
  const known = running.filter(next => next !== null)
  if (running.length > 0) return { kind: 'running', next: known.length > 0 ? Math.min(...known) : null }
  return (
    all.toSorted((a, b) => byUrgency.indexOf(a.kind) - byUrgency.indexOf(b.kind))[0] ?? { kind: 'closed' }
  )
}

export const stateOf = (invoice: ShownInvoice): NextContactSummary['kind'] => summaryOfInvoice(invoice).kind
