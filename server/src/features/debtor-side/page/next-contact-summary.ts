import type { LocalDate } from '../../../domain/time.ts'
import { type DebtorView, isOpen, isUpheld } from './debtor-view.ts'
import type { ShownInvoice } from './view-store.ts'

/** What happens next, as it is shown to the debtor. */
export type NextContactSummary =
  | { kind: 'paid' | 'closed' | 'time_barred' | 'judicial' | 'disputed' | 'upheld' | 'paused' | 'quiet' }
  | { kind: 'promised'; payOn: LocalDate; waitsUntil: number | null }
  | { kind: 'running'; next: number }

function summaryOfInvoice(invoice: ShownInvoice): NextContactSummary {
  const { status, recovery, dueAt, promise, dispute } = invoice
  if (status === 'paid') return { kind: 'paid' }
  if (!isOpen(invoice)) return { kind: 'closed' }
  if (isUpheld(invoice)) return { kind: 'upheld' }
  if (invoice.isNothingAsked) return { kind: 'time_barred' }
  if (dispute !== null) return { kind: 'disputed' }
  if (status === 'judicial') return { kind: 'judicial' }
  if (recovery === 'in_recovery') return dueAt === null ? { kind: 'quiet' } : { kind: 'running', next: dueAt }
  if (recovery === 'paused' && promise) return { kind: 'promised', payOn: promise.payOn, waitsUntil: dueAt }
  return { kind: recovery === 'paused' ? 'paused' : 'quiet' }
}

/** For several invoices the most urgent state is shown, so that neither a coming reminder nor an invoice that is asked for is hidden. */
const byUrgency: readonly NextContactSummary['kind'][] = [
  'running',
  'judicial',
  'promised',
  'paused',
  'disputed',
  'quiet',
  'upheld',
  'time_barred',
  'closed',
  'paid',
]

export function nextContactSummary(
  { invoices }: Pick<DebtorView, 'invoices'>,
  /** The next message to the debtor; null if none is planned. */
  next: number | null,
): NextContactSummary {
  const all = invoices.map((invoice): NextContactSummary => {
    const summary = summaryOfInvoice(invoice)
    if (summary.kind === 'running' && next === null) return { kind: 'quiet' }
    // Nothing comes for this invoice, but a message about another one does.
    if (summary.kind === 'running' || summary.kind === 'quiet' || summary.kind === 'paused')
      return next === null ? summary : { kind: 'running', next }
    // A message about another invoice may come before the end of the pause.
    const isEarlier = summary.kind === 'promised' && next !== null && next < (summary.waitsUntil ?? 0)
    return isEarlier ? { ...summary, waitsUntil: null } : summary
  })
  return (
    all.toSorted((a, b) => byUrgency.indexOf(a.kind) - byUrgency.indexOf(b.kind))[0] ?? { kind: 'closed' }
  )
}

export const stateOf = (invoice: ShownInvoice): NextContactSummary['kind'] => summaryOfInvoice(invoice).kind
