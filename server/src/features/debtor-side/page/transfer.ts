import { amountsOwed, type DebtorView, isAsked, isInsolvent } from './debtor-view.ts'
import type { ShownInvoice } from './view-store.ts'

export interface Transfer {
  iban: string
  amountCents: number
  reference: string
}

/** The longest remittance text of a bank transfer. */
const referenceMaxChars = 140

function referenceOf(invoices: readonly ShownInvoice[]): string {
  const numbers = invoices.map(({ number }) => number)
  const all = numbers.join(' ')
  return all.length <= referenceMaxChars ? all : numbers[0]!
}

/** What can be paid by transfer: invoices in euros that are asked for, to a known IBAN. Disputed invoices count only if all are disputed. */
export function transferOf(debtorView: DebtorView): Transfer | null {
  const { creditor, invoices } = debtorView
  const payable = invoices.filter(
    invoice => isAsked(invoice) && invoice.currency === 'EUR' && amountsOwed(invoice).total > 0,
  )
  const undisputed = payable.filter(({ dispute }) => dispute === null)
  const paid = undisputed.length > 0 ? undisputed : payable
  if (isInsolvent(debtorView) || creditor.iban === null || creditor.isClosed || paid.length === 0) return null
  return {
    iban: creditor.iban,
    amountCents: paid.reduce((sum, invoice) => sum + amountsOwed(invoice).total, 0),
    reference: referenceOf(paid),
  }
}
