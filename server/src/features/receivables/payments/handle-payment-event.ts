import type { PaymentEvent } from '../../../adapters/payment/payment.ts'
import { type PaymentAct, type PaymentStatus, paymentActs } from '../../../domain/money/payment-state.ts'
import { localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { sqlState, transact } from '../../../kit/db/transaction.ts'
import { uuid } from '../../../kit/fields.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { findCompany } from '../../access/companies/company.ts'
import { findProviderEvent, insertProviderEvent } from '../../platform/callbacks/provider-event-store.ts'
import { planExtraMessage } from '../../recovery/case/extra-message.ts'
import { type OperationContext, openRecovery } from '../../recovery/case/open-recovery.ts'
import { selectAnyCode } from '../../recovery/messages/compose/code-store.ts'
import { byAnyCode, debtorActorOf } from '../../recovery/messages/compose/message-code.ts'
import { changePayment } from './change-payment.ts'
import { planReceipt } from './plan-receipt.ts'
import { bookPayment } from './record-payment.ts'
import { type PaymentRow, paymentColumns } from './schema.ts'

const findCheckout = sql(
  'payments.find-checkout',
  'select invoice_id, amount_cents, currency, account from checkouts where id = $1 and communication_id = $2',
)
const findByReference = sql(
  'payments.find-by-reference',
  `select ${paymentColumns} from payments p where p.external_reference = $1 and p.by_provider`,
).as<PaymentRow>()
// A completed checkout stays completed, whatever events come later.
const settleCheckout = sql(
  'payments.settle-checkout',
  `update checkouts set payment_id = coalesce(payment_id, $2),
     status = case when status = 'completed' or (status = 'failed' and $3 in ('open', 'expired')) then status else $3 end,
     settled_at = case when $3 = 'open' then settled_at else coalesce(settled_at, $4) end
   where id = $1`,
)
const checkoutStatusAfter: Record<PaymentEvent['what'], 'open' | 'completed' | 'failed' | 'expired'> = {
  pending: 'open',
  paid: 'completed',
  refunded: 'completed',
  reversed: 'completed',
  failed: 'failed',
  expired: 'expired',
}

type PaymentStep =
  | { do: 'nothing' }
  | { do: 'book'; to: 'completed' | 'pending' }
  | { do: 'change'; by: PaymentAct }

/**
 * The next change from the stored status towards the reported one. Events may come in any order: a refunded payment must have
 * arrived before, a failed one must have been pending. So the final status does not depend on the order.
 */
function nextPaymentStep(known: PaymentStatus | null, what: PaymentEvent['what']): PaymentStep {
  if (what === 'expired') return { do: 'nothing' }
  const hadArrived = what === 'paid' || what === 'refunded' || what === 'reversed'
  if (known === null) return { do: 'book', to: hadArrived ? 'completed' : 'pending' }
  if (known === 'pending' && hadArrived) return { do: 'change', by: 'complete' }
  if (known === 'pending' && what === 'failed') return { do: 'change', by: 'fail' }
  if (known === 'completed' && what === 'refunded') return { do: 'change', by: 'refund' }
  if (known === 'completed' && what === 'reversed') return { do: 'change', by: 'reverse' }
  return { do: 'nothing' }
}

const reasons: Record<PaymentAct, string | null> = {
  complete: null,
  fail: 'The payment did not go through',
  reverse: 'The bank took the payment back',
  refund: 'Given back by card',
}

/** No card pays more than the largest invoice; an event with such a sum, or with none, is no payment. */
const amountMaxCents = 1_000_000_000_000

type StepResult =
  | 'done'
  | 'more'
  | 'known'
  | 'unknown_code'
  | 'unknown_checkout'
  | 'part_refund'
  | 'no_amount'
  | 'other_account'

async function applyNextStep(
  pageContext: PageContext,
  provider: string,
  event: PaymentEvent,
  requestId: string,
): Promise<StepResult> {
  const wall = pageContext.clock.wall()
  const { code, checkoutId, what } = event
  const opening = [
    [selectAnyCode, [code]],
    [findProviderEvent, [provider, event.eventId]],
  ] as const
  return transact(pageContext.pool, byAnyCode(code), opening, async ({ tx, offsetMs, openingRows }) => {
    const [[coded], knownEvents] = openingRows
    if (!coded) return 'unknown_code'
    if (knownEvents.length > 0) return 'known'
    const now = wall + offsetMs
    const newId = () => pageContext.newId(wall)
    const context: OperationContext = { tx, actor: debtorActorOf(coded), now, wall, requestId, newId }
    const [checkout] = uuid.safeParse(checkoutId).success
      ? await tx.rows(findCheckout, [checkoutId, coded.communication_id])
      : []
    const [company, recovery] = await Promise.all([
      findCompany(tx, coded.company_id),
      checkout ? openRecovery({ tx, actor: { tenantId: coded.tenant_id }, now }, checkout.invoice_id) : null,
    ])
    if (!checkout || !recovery) return 'unknown_checkout'
    // Any account at the provider can cause an event with our checkout id; that money is not the creditor's.
    if (event.account !== checkout.account) return 'other_account'
    const externalReference = `${provider}:${event.reference}`
    const [known] = await tx.rows(findByReference, [externalReference])
    if (
      what === 'refunded' &&
      known?.status === 'completed' &&
      event.currency === known.currency &&
      event.amountCents < known.amount_cents
    ) {
      tx.atCommit(insertProviderEvent, [provider, event.eventId, iso(wall)])
      return 'part_refund'
    }
    const isSameCurrency = event.currency === recovery.row.currency
    // A refund may be less than the payment, and the event may use another currency: then the amount of the checkout counts.
    const amountCents = what === 'refunded' || !isSameCurrency ? checkout.amount_cents : event.amountCents
    let status = (known?.status ?? null) as PaymentStatus | null
    let paymentId = known?.id ?? null
    const step = nextPaymentStep(status, what)
    if (step.do === 'book' && (amountCents < 1 || amountCents > amountMaxCents)) {
      tx.atCommit(insertProviderEvent, [provider, event.eventId, iso(wall)])
      return 'no_amount'
    }
    if (step.do === 'book') {
      const booked = await bookPayment(context, company, recovery, {
        amountCents,
        method: 'payment_link',
        instrument: null,
        status: step.to,
        paidAt: step.to === 'completed' ? Math.min(event.at + offsetMs, now) : null,
        externalReference,
        byProvider: true,
      })
      planReceipt(context, [booked!.receiptPart])
      paymentId = booked!.row.id
    } else if (step.do === 'change') await changePayment(context, known!.id, step.by, reasons[step.by])
    if (step.do !== 'nothing') status = step.do === 'book' ? step.to : paymentActs[step.by].to
    // The payer gets a receipt, unless the payment was already refunded. That of a collector is planned with the payment.
    const isCollected = recovery.file.creditor.collector !== null
    if (what === 'paid' && step.do !== 'nothing' && status === 'completed' && !isCollected)
      planExtraMessage(context, recovery, {
        step: 'payment_receipt',
        channel: 'email',
        at: now,
        because: null,
        about: {
          amountCents,
          on: localTime(company.time_zone, Math.min(event.at + offsetMs, now)).date,
        },
      })
    if (nextPaymentStep(status, what).do !== 'nothing') return 'more'
    tx.atCommit(settleCheckout, [checkoutId, paymentId, checkoutStatusAfter[what], iso(now)])
    tx.atCommit(insertProviderEvent, [provider, event.eventId, iso(wall)])
    return 'done'
  })
}

/** Booked, completed, refunded. */
const stepsMax = 3

/**
 * Handles an event of a payment provider, once, however often it is sent. Each step has its own transaction, because it reads
 * what the step before has written; the event is marked as known with the last step. Money that arrived is never refused,
 * whatever the status of the invoice. Partial refunds are ignored, because a payment is refunded as a whole or not at all: a
 * person has to record them.
 */
export async function handlePaymentEvent(
  pageContext: PageContext,
  provider: string,
  event: PaymentEvent,
  requestId: string,
): Promise<'done' | 'ignored'> {
  for (let step = 0; step < stepsMax; step++) {
    const result = await applyNextStep(pageContext, provider, event, requestId).catch(error => {
      // The code belongs to another installation, or was invented by the owner of the provider account.
      if (sqlState(error) === 'RL001') return 'unknown_code' as const
      throw error
    })
    if (result === 'more') continue
    if (result === 'done' || result === 'known') return 'done'
    const { eventId, checkoutId, what } = event
    pageContext.log.warn(
      { requestId, provider, eventId, checkoutId, what, because: result },
      'payment event ignored',
    )
    return 'ignored'
  }
  throw new Error(`payment event ${event.eventId} needs more steps than allowed`)
}
