import type { EventType } from '../kit/events.ts'
import type { Operation } from '../kit/operation.ts'
import { actionTriggered, debtorContacted } from './communications/events.ts'
import { createInvoice } from './invoices/create-invoice.ts'
import { invoiceCreated, invoiceStatusChanged, workflowStarted } from './invoices/events.ts'
import { getInvoice } from './invoices/get-invoice.ts'
import { getHistory } from './recovery/get-history.ts'
import { getNextAction } from './recovery/get-next-action.ts'
import { getWorkflow } from './recovery/get-workflow.ts'

/** The table of contents of the product. */
export const operations: readonly Operation[] = [
  createInvoice,
  getInvoice,
  getWorkflow,
  getHistory,
  getNextAction,
]

export const events: readonly EventType[] = [
  invoiceCreated,
  invoiceStatusChanged,
  workflowStarted,
  actionTriggered,
  debtorContacted,
]

/** What each noun of the operation ids is. */
export const nouns: Readonly<Record<string, string>> = {
  invoices: 'Overdue invoices, each with its debtor',
  workflow: 'The recovery of an invoice: where it stands, what was done, what comes next',
}
