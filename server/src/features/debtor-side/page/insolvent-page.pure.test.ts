import fc from 'fast-check'
import { expect, it } from 'vitest'
import { invoiceStatuses } from '../../../domain/money/invoice-state.ts'
import { insolvencyKinds } from '../../../domain/recovery/insolvency.ts'
import { cardPaymentMethodFor } from './card-payment-method.ts'
import type { DebtorView } from './debtor-view.ts'
import { transferOf } from './transfer.ts'

const invoice = fc.record({
  id: fc.uuid(),
  number: fc.constant('F-1'),
  status: fc.constantFrom(...invoiceStatuses),
  currency: fc.constantFrom('EUR', 'USD'),
  amountCents: fc.integer({ min: 1, max: 1_000_000 }),
  paidCents: fc.constantFrom(0, 100),
  creditedCents: fc.constantFrom(0, 100),
  claimedCents: fc.constantFrom(0, 4_000),
})
const providers = { payment: {}, simulator: {} } as never
const viewOf = (invoices: readonly unknown[], insolvencyKind: string | null, environment: string) =>
  ({
    debtor: { insolvencyKind },
    creditor: { iban: 'FR1420041010050500013M02606', isClosed: false, paymentAccount: 'acct_1' },
    coded: { environment },
    invoices,
  }) as unknown as DebtorView

it('with proceedings on record no way to pay is offered, whatever is open', () => {
  let payable = 0
  fc.assert(
    fc.property(
      fc.array(invoice, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(...insolvencyKinds),
      fc.constantFrom('production', 'sandbox'),
      (invoices, kind, environment) => {
        const view = viewOf(invoices, kind, environment)
        expect(transferOf(view)).toBeNull()
        expect(cardPaymentMethodFor(providers, view)).toBeNull()
        const solvent = viewOf(invoices, null, environment)
        if (transferOf(solvent) && cardPaymentMethodFor(providers, solvent)) payable++
      },
    ),
    { numRuns: 1_000 },
  )
  expect(payable).toBeGreaterThan(100)
})
