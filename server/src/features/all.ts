import type { EventType } from '../kit/events.ts'
import type { Operation } from '../kit/operation.ts'
import { actionTriggered, debtorContacted } from './communications/events.ts'
import { createDebtor } from './debtors/create-debtor.ts'
import { getDebtor, listDebtors, listInvoicesOfDebtor } from './debtors/read-debtors.ts'
import { updateDebtor } from './debtors/update-debtor.ts'
import { addCredit } from './invoices/add-credit.ts'
import { createInvoice } from './invoices/create-invoice.ts'
import { deleteInvoice } from './invoices/delete-invoice.ts'
import { invoiceCreated, invoiceStatusChanged, invoiceUpdated, workflowStarted } from './invoices/events.ts'
import { getInvoice } from './invoices/get-invoice.ts'
import { importInvoices } from './invoices/import-invoices.ts'
import { invoiceSummary } from './invoices/invoice-summary.ts'
import { listInvoices } from './invoices/list-invoices.ts'
import { updateInvoice } from './invoices/update-invoice.ts'
import { refundPayment, settlePayment } from './payments/change-payment.ts'
import { debtPaid, paymentFailed, paymentReceived, workflowCompleted } from './payments/events.ts'
import { paymentSummary } from './payments/payment-summary.ts'
import { getPayment, listPayments, listPaymentsOfInvoice } from './payments/read-payments.ts'
import { recordPayment } from './payments/record-payment.ts'
import { getHistory } from './recovery/get-history.ts'
import { getNextAction } from './recovery/get-next-action.ts'
import { getWorkflow } from './recovery/get-workflow.ts'

/** The table of contents of the product. */
export const operations: readonly Operation[] = [
  listInvoices,
  getInvoice,
  createInvoice,
  importInvoices,
  updateInvoice,
  deleteInvoice,
  addCredit,
  invoiceSummary,

  listDebtors,
  getDebtor,
  createDebtor,
  updateDebtor,
  listInvoicesOfDebtor,

  listPayments,
  getPayment,
  listPaymentsOfInvoice,
  recordPayment,
  settlePayment,
  refundPayment,
  paymentSummary,

  getWorkflow,
  getHistory,
  getNextAction,
]

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
  debtorContacted,
]

/** What each noun of the operation ids is. */
export const nouns: Readonly<Record<string, string>> = {
  invoices: 'Overdue invoices, each with its debtor',
  debtors: 'Those who owe, and where they are reached',
  payments: 'Money that arrived, is on its way, failed or was given back',
  workflow: 'The recovery of an invoice: where it stands, what was done, what comes next',
}
