import type { PaymentInstrument, PaymentMethod } from '../../../domain/money/payment-state.ts'
import { appliedBy } from '../../../domain/recovery/account.ts'
import { receiptChannelOf } from '../../../domain/recovery/receipt-channel.ts'
import { collectedOf, optedOutOf } from '../../recovery/case/debtor-file.ts'
import { planExtraMessage } from '../../recovery/case/extra-message.ts'
import { factsOf } from '../../recovery/case/invoice-facts.ts'
import type { OpenRecovery, OperationContext } from '../../recovery/case/open-recovery.ts'
import { reachOfRecovery } from '../../recovery/case/recovery-store.ts'
import type { PaymentRow } from './schema.ts'

/** What a receipt says of one payment, read before the payment is booked. */
export interface ReceiptPart {
  recovery: OpenRecovery
  channel: NonNullable<ReturnType<typeof receiptChannelOf>>
  payment: PaymentRow
  applied: ReturnType<typeof appliedBy>
}

/**
 * A collector gives a receipt for every payment that arrived, by whatever means: art. R124-6 C. pr. civ. d'exécution. Null where
 * no channel reaches the debtor, or where the creditor writes itself.
 */
export function receiptPartOf(recovery: OpenRecovery, payment: PaymentRow): ReceiptPart | null {
  const { file, row } = recovery
  if (collectedOf(file, row) === null) return null
  const channel = receiptChannelOf(reachOfRecovery(row, file), optedOutOf(file))
  if (channel === null) return null
  const applied = appliedBy({ ...factsOf(row), claimed: row.claimed_cents }, payment.amount_cents)
  return { recovery, channel, payment, applied }
}

/** Plans one receipt for all payments of one sum; it is a message about the first of their invoices, and names them all. */
export function planReceipt(context: OperationContext, given: readonly (ReceiptPart | null)[]): void {
  const parts = given.filter(part => part !== null)
  const [first] = parts
  if (!first) return
  const { recovery, channel, payment } = first
  const total = (of: (part: ReceiptPart) => number) => parts.reduce((sum, part) => sum + of(part), 0)
  planExtraMessage(context, recovery, {
    step: 'payment_receipt',
    channel,
    at: context.now,
    because: null,
    about: {
      amountCents: total(part => part.payment.amount_cents),
      on: payment.day,
      method: payment.method as PaymentMethod,
      ...(payment.instrument !== null && { instrument: payment.instrument as PaymentInstrument }),
      principalCents: total(({ applied }) => applied.principal),
      indemnityCents: total(({ applied }) => applied.indemnity),
      interestCents: total(({ applied }) => applied.interest),
      overpaidCents: total(({ applied }) => applied.overpaid),
      owedCents: total(({ applied }) => applied.owed),
      ...(parts.length > 1 && {
        parts: parts.map(part => ({
          number: part.recovery.row.number,
          amountCents: part.payment.amount_cents,
          owedCents: part.applied.owed,
        })),
      }),
    },
  })
}
