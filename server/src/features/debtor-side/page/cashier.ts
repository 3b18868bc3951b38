import type { PaymentAdapter } from '../../../adapters/payment/payment.ts'
import { type Dossier, isOpen, owedOf, type ShownInvoice } from './dossier.ts'
import type { Cashiers } from './visit.ts'

interface Cashier {
  adapter: PaymentAdapter
  /** The creditor's account there. */
  account: string
  payable: readonly [ShownInvoice, ...ShownInvoice[]]
}

/** Who takes a card for this creditor, and for what; null where nobody does or nothing is owed. */
/** Kept in hundredths by us, and charged in whole ones by card providers. */
const withoutHundredths = new Set(['MGA'])

export function cashierFor(
  { payment, simulator }: Cashiers,
  { invoices, creditor, coded }: Dossier,
): Cashier | null {
  const [first, ...rest] = invoices.filter(
    invoice => isOpen(invoice) && owedOf(invoice).total > 0 && !withoutHundredths.has(invoice.currency),
  )
  if (!first) return null
  const payable = [first, ...rest] as const
  if (coded.environment === 'sandbox') return { adapter: simulator, account: 'sandbox', payable }
  const account = creditor.paymentAccount
  return payment && account !== null ? { adapter: payment, account, payable } : null
}
