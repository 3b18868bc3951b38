import { type LatePayment, latePayment, splitClaim } from '../../../domain/money/late-payment.ts'
import { localTime } from '../../../domain/time.ts'
import type { DebtorView } from './debtor-view.ts'
import type { ShownInvoice } from './view-store.ts'

interface LatePaymentBreakdown {
  indemnityCents: number
  interestCents: number
  /** How the interest was computed; empty if it can no longer be reproduced. */
  periods: LatePayment['periods']
  /** Day of the message that claimed it. */
  asOf: string | null
}

/**
 * Splits the amount claimed for late payment into indemnity and interest. The sum is always the claimed one. If computing it
 * again for the day of the message gives another sum (there was a later message, or a payment in between), the periods are
 * left out.
 */
export function latePaymentBreakdown(
  { creditor, debtor, rates, sent_at }: DebtorView,
  invoice: ShownInvoice,
): LatePaymentBreakdown | null {
  const { claimedCents } = invoice
  if (claimedCents === 0) return null
  const asOf = sent_at === null ? null : localTime(creditor.timeZone, sent_at).date
  const terms = {
    debtorType: debtor.type,
    rates,
    creditorCountry: creditor.country,
    contractRateBps: creditor.contractRateBps,
    isClaimed: creditor.claimsLatePayment,
    insolvencyOpenedOn: debtor.insolvencyOpenedOn,
  }
  const counted = asOf === null ? null : latePayment(invoice, terms, asOf)
  if (counted && counted.indemnity + counted.interest === claimedCents)
    return {
      indemnityCents: counted.indemnity,
      interestCents: counted.interest,
      periods: counted.periods,
      asOf,
    }
  const { indemnity, interest } = splitClaim(claimedCents)
  return { indemnityCents: indemnity, interestCents: interest, periods: [], asOf: null }
}
