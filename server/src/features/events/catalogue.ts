import type { EventType } from '../../kit/events.ts'
import { cascadeAction } from '../assistant/events.ts'
import { actionTriggered, debtorContacted, lrarDelivered, lrarSent } from '../communications/events.ts'
import { invoiceCreated, invoiceStatusChanged, invoiceUpdated, workflowStarted } from '../invoices/events.ts'
import { debtPaid, paymentFailed, paymentReceived } from '../payments/events.ts'
import { anrCreated, judicialStarted, workflowCompleted } from '../recovery/events.ts'

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
]
