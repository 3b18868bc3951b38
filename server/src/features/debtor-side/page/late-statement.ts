import { indemnityCents, type LatePayment, latePayment } from '../../../domain/money/late-payment.ts'
import { localTime } from '../../../domain/time.ts'
import type { Dossier, ShownInvoice } from './dossier.ts'

interface Statement {
  indemnityCents: number
  interestCents: number
  /** How the interest was counted; empty where that cannot be told any more. */
  periods: LatePayment['periods']
  /** Day of the message that claimed it. */
  asOf: string | null
}

/**
 * What was claimed for late payment, taken apart. The sum is the one that was claimed; where counting again to the day of the
 * message leads to another (the message was a later one, a payment came in between), only the parts are shown.
 */
export function lateStatement(
  { creditor, debtor, sent_at }: Dossier,
  invoice: ShownInvoice,
): Statement | null {
  const { claimedCents } = invoice
  if (claimedCents === 0) return null
  const asOf = sent_at === null ? null : localTime(creditor.timeZone, sent_at).date
  const terms = {
    debtorType: debtor.type,
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
  const indemnity = Math.min(indemnityCents, claimedCents)
  return { indemnityCents: indemnity, interestCents: claimedCents - indemnity, periods: [], asOf: null }
}
