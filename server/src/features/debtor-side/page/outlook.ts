import type { LocalDate } from '../../../domain/time.ts'
import { type Dossier, isOpen, type ShownInvoice } from './dossier.ts'
import type { NextContact } from './next-contact.ts'

/** What happens next, as the debtor may know it. */
export type Outlook =
  | { is: 'paid' | 'closed' | 'judicial' | 'disputed' | 'paused' | 'quiet' }
  | { is: 'promised'; payOn: LocalDate; waitsUntil: number | null }
  /** Null: there will be a reminder, its day is not known yet. */
  | { is: 'running'; next: number | null }

function outlookOfOne(invoice: ShownInvoice): Outlook {
  const { status, recovery, dueAt, promise } = invoice
  if (status === 'paid') return { is: 'paid' }
  if (!isOpen(invoice)) return { is: 'closed' }
  if (status === 'judicial') return { is: 'judicial' }
  if (status === 'disputed') return { is: 'disputed' }
  if (recovery === 'in_recovery') return dueAt === null ? { is: 'quiet' } : { is: 'running', next: dueAt }
  if (recovery === 'paused' && promise) return { is: 'promised', payOn: promise.payOn, waitsUntil: dueAt }
  return { is: recovery === 'paused' ? 'paused' : 'quiet' }
}

/** Of several the one that asks most of the debtor: what may still be sent is never kept quiet about. */
const order: readonly Outlook['is'][] = [
  'running',
  'judicial',
  'promised',
  'paused',
  'disputed',
  'quiet',
  'closed',
  'paid',
]

export function outlookOf(
  { invoices }: Pick<Dossier, 'invoices'>,
  contacts: ReadonlyMap<string, NextContact | null>,
): Outlook {
  const all = invoices.map((invoice): Outlook => {
    const outlook = outlookOfOne(invoice)
    const contact = contacts.get(invoice.id)
    if (outlook.is !== 'running' || contact === undefined) return outlook
    return contact === null ? { is: 'quiet' } : { is: 'running', next: contact.at }
  })
  const running = all.flatMap(one => (one.is === 'running' ? [one.next] : []))
  const known = running.filter(next => next !== null)
  if (running.length > 0) return { is: 'running', next: known.length > 0 ? Math.min(...known) : null }
  return all.toSorted((a, b) => order.indexOf(a.is) - order.indexOf(b.is))[0] ?? { is: 'closed' }
}

export const stateOf = (invoice: ShownInvoice): Outlook['is'] => outlookOfOne(invoice).is
