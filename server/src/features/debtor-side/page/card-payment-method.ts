import type { PaymentAdapter } from '../../../adapters/payment/payment.ts'
import { amountsOwed, type DebtorView, isAsked, isInsolvent } from './debtor-view.ts'
import type { ShownInvoice } from './view-store.ts'
import type { PaymentProviders } from './visit.ts'

interface CardPaymentMethod {
  adapter: PaymentAdapter
  /** The creditor's account at the provider. */
  account: string
  payable: readonly [ShownInvoice, ...ShownInvoice[]]
}

/** Currencies that we store in hundredths and card providers charge in whole units. */
const currenciesWithoutCents = new Set(['MGA'])

export function cardPaymentMethodFor(
  { payment, simulator }: PaymentProviders,
  debtorView: DebtorView,
): CardPaymentMethod | null {
  const { invoices, creditor, coded } = debtorView
  const [first, ...rest] = invoices.filter(
    invoice =>
      isAsked(invoice) && amountsOwed(invoice).total > 0 && !currenciesWithoutCents.has(invoice.currency),
  )
  if (!first || creditor.isClosed || isInsolvent(debtorView)) return null
  const payable = [first, ...rest] as const
  if (coded.environment === 'sandbox') return { adapter: simulator, account: 'sandbox', payable }
  const account = creditor.paymentAccount
  return payment && account !== null ? { adapter: payment, account, payable } : null
}
