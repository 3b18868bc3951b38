import { appliedBy } from '../../../domain/recovery/account.ts'
import { receiptChannelOf } from '../../../domain/recovery/receipt-channel.ts'
import { collectedOf, optedOutOf } from '../../recovery/case/debtor-file.ts'
import { planExtraMessage } from '../../recovery/case/extra-message.ts'
import { factsOf } from '../../recovery/case/invoice-facts.ts'
import type { OpenRecovery, OperationContext } from '../../recovery/case/open-recovery.ts'
import { reachOfRecovery } from '../../recovery/case/recovery-store.ts'
import type { PaymentRow } from './schema.ts'

/**
 * A collector gives a receipt for every payment that arrived, by whatever means: art. R124-6 C. pr. civ. d'exécution. Called before the
 * payment is booked. Nothing is planned where no channel reaches the debtor, or where the creditor writes itself.
 */
export function planReceiptOfCollector(
  context: OperationContext,
  recovery: OpenRecovery,
  payment: PaymentRow,
): void {
  const { file, row } = recovery
  const collected = collectedOf(file, row)
  if (collected === null) return
  const channel = receiptChannelOf(reachOfRecovery(row, file), optedOutOf(file))
  if (channel === null) return
  const applied = appliedBy({ ...factsOf(row), claimed: row.claimed_cents }, payment.amount_cents)
  planExtraMessage(context, recovery, {
    step: 'payment_receipt',
    channel,
    at: context.now,
    because: null,
    about: {
      amountCents: payment.amount_cents,
      on: payment.day,
      method: payment.method,
      principalCents: applied.principal,
      indemnityCents: applied.indemnity,
      interestCents: applied.interest,
      overpaidCents: applied.overpaid,
      owedCents: applied.owed,
    },
  })
}
