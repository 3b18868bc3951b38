import type { EventType } from '../../../kit/events.ts'
import { debtPaid, paymentFailed, paymentReceived } from '../../receivables/payments/events.ts'
import {
  debtorOptedOut,
  debtorReportedWrong,
  debtorRequestDue,
  decisionDue,
  declarationDue,
  disputeOpened,
  disputeResolved,
  limitationApproaching,
  messageBounced,
  promiseBroken,
  promiseRecorded,
  replyClosed,
  replyReceived,
  situationDecided,
  situationReported,
  workflowPaused,
} from '../../recovery/case/debtor-events.ts'
import { anrCreated, cascadeAction, judicialStarted, workflowCompleted } from '../../recovery/case/events.ts'
import {
  invoiceCreated,
  invoiceStatusChanged,
  invoiceUpdated,
  workflowStarted,
} from '../../recovery/case/invoice-events.ts'
import { actionTriggered, debtorContacted, lrarDelivered, lrarSent } from '../../recovery/messages/events.ts'
import { taskFailed, taskFinished } from '../tasks/events.ts'

/** Everything a webhook can subscribe to. */
export const events: readonly EventType[] = [
  invoiceCreated,
  invoiceUpdated,
  invoiceStatusChanged,
  paymentReceived,
  paymentFailed,
  debtPaid,
  workflowStarted,
  actionTriggered,
  workflowCompleted,
  lrarSent,
  lrarDelivered,
  debtorContacted,
  cascadeAction,
  judicialStarted,
  anrCreated,
  promiseRecorded,
  promiseBroken,
  disputeOpened,
  disputeResolved,
  messageBounced,
  debtorOptedOut,
  debtorReportedWrong,
  replyReceived,
  replyClosed,
  debtorRequestDue,
  situationReported,
  situationDecided,
  declarationDue,
  workflowPaused,
  decisionDue,
  limitationApproaching,
  taskFinished,
  taskFailed,
]
