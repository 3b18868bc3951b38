import { channels } from '../contact/channel.ts'
import type { InvoiceStatus } from '../money/invoice-state.ts'
import { mayWriteOff } from '../money/write-off.ts'
import { lateClaimStatus, mayCredit, mayDispute, mayPay, mayPromise, type Sums } from './account.ts'
import { type Reach, unreachableBecause } from './cascade.ts'
import type { EscalationVerdict } from './escalation.ts'
import { courtObstacleCodes } from './formal-notice.ts'
import { type Hold, mayTrigger, type RecoveryState } from './recovery-state.ts'

/** The acts of a person on an invoice, and the operation of each. */
export const actOperations = {
  start: 'workflow.trigger',
  pause: 'workflow.trigger',
  resume: 'workflow.trigger',
  escalate: 'workflow.trigger',
  message: 'workflow.communicate',
  take_back: 'workflow.takeBack',
  promise: 'invoices.promise',
  dispute: 'invoices.dispute',
  resolve_dispute: 'invoices.resolveDispute',
  payment: 'payments.create',
  refund: 'payments.refund',
  credit: 'invoices.credit',
  waive_late_payment: 'invoices.waiveLatePayment',
  cancel: 'invoices.cancel',
  write_off: 'invoices.writeOff',
  file: 'workflow.recordFiling',
} as const
export type Act = keyof typeof actOperations
export const acts = Object.keys(actOperations) as Act[]

/** Why an act is not possible. */
export const actObstacles = [
  'paid',
  'written_off',
  'cancelled',
  'disputed',
  'no_dispute',
  'already_started',
  'wrong_status',
  'not_running',
  'held',
  'first_contact_pending',
  'already_escalated',
  'message_leaving',
  ...courtObstacleCodes,
  'no_channel',
  'calendar_missing',
  'foreign_consumer',
  'late_payment_paid',
  'late_payment_waived',
  'no_payment',
  'no_message',
  'amicable_stage_runs',
] as const
export type ActObstacle = (typeof actObstacles)[number]

export interface InvoiceToActOn {
  readonly invoiceStatus: InvoiceStatus
  readonly recovery: RecoveryState
  /** Where an escalation would lead; null before the start. */
  readonly escalation: EscalationVerdict | null
  /** A message of the current step is being handed to its provider. */
  readonly isLeaving: boolean
  /** The first hold of the debtor itself. */
  readonly debtorHold: Hold | null
  readonly reach: Reach
  /** Why no moment can be found for any message to this debtor; null if one can. */
  readonly neverBecause: 'calendar_missing' | 'foreign_consumer' | null
  readonly isTimeBarred: boolean
  /** A consumer is not reminded of a time-barred debt. */
  readonly isConsumer: boolean
  readonly isDisputed: boolean
  readonly sums: Sums & { readonly claimed: number }
  readonly isWaived: boolean
  /** Money that arrived, and was not given back. */
  readonly hasPayment: boolean
  /** A requested message that is not sent yet. */
  readonly hasRequest: boolean
  /** The amicable stage has ended: the creditor may file. */
  readonly hasAmicableStageEnded: boolean
}

export type ActVerdict = { allowed: true } | { allowed: false; because: ActObstacle; by?: readonly Hold[] }

const allowed: ActVerdict = { allowed: true }
const refused = (because: ActObstacle): ActVerdict => ({ allowed: false, because })

/** Whether an act is possible now, by the same rules as in its operation. The operation may still refuse because of its input. */
export function mayAct(act: Act, invoice: InvoiceToActOn): ActVerdict {
  const { invoiceStatus, recovery, sums } = invoice
  switch (act) {
    case 'start':
    case 'pause':
    case 'resume':
      return mayTrigger(act, recovery, invoiceStatus)
    case 'escalate': {
      const verdict = mayTrigger(act, recovery, invoiceStatus)
      return verdict.allowed ? mayEscalate(invoice) : verdict
    }
    case 'message':
      return recovery.status === 'in_recovery' ? mayMessage(invoice) : refused('not_running')
    case 'take_back':
      return invoice.hasRequest ? allowed : refused('no_message')
    case 'promise': {
      const verdict = mayPromise(invoiceStatus, recovery.status, invoice.isTimeBarred)
      return verdict.allowed && invoice.debtorHold === 'insolvency'
        ? { allowed: false, because: 'held', by: ['insolvency'] }
        : verdict
    }
    case 'dispute':
      return mayDispute(invoiceStatus, invoice.isDisputed)
    case 'resolve_dispute':
      return invoice.isDisputed ? allowed : refused('no_dispute')
    case 'payment':
      return mayPay(sums, 1).allowed ? allowed : refused('paid')
    case 'refund':
      return invoice.hasPayment ? allowed : refused('no_payment')
    case 'credit': {
      const verdict = mayCredit(invoiceStatus, sums, 1)
      return verdict.allowed || verdict.because !== 'too_much' ? (verdict as ActVerdict) : refused('paid')
    }
    case 'waive_late_payment': {
      const status = lateClaimStatus(sums, invoice.isWaived)
      return status === 'paid' || status === 'waived' ? refused(`late_payment_${status}`) : allowed
    }
    case 'cancel':
      return invoiceStatus === 'paid' ? refused('paid') : mayTrigger(act, recovery, invoiceStatus)
    case 'write_off':
      return mayWriteOff(invoiceStatus)
    case 'file':
      return invoice.hasAmicableStageEnded ? allowed : refused('amicable_stage_runs')
  }
}

function mayEscalate({ escalation, isLeaving }: InvoiceToActOn): ActVerdict {
  if (escalation === null) return refused('wrong_status')
  if (escalation.to === 'court') return allowed
  if (escalation.to === null && escalation.because === 'court') {
    // The creditor may confirm the receipt of the formal notice in the request.
    const missing = escalation.missing.find(obstacle => obstacle !== 'formal_notice_unproven')
    return missing === undefined ? allowed : refused(missing)
  }
  if (isLeaving) return refused('message_leaving')
  return escalation.to === null ? refused(escalation.because) : allowed
}

function mayMessage({
  debtorHold,
  reach,
  neverBecause,
  isTimeBarred,
  isConsumer,
}: InvoiceToActOn): ActVerdict {
  if (debtorHold !== null) return { allowed: false, because: 'held', by: [debtorHold] }
  if (channels.every(channel => unreachableBecause(reach, channel) !== null)) return refused('no_channel')
  if (neverBecause !== null) return refused(neverBecause)
  return isTimeBarred && isConsumer ? refused('time_barred') : allowed
}
