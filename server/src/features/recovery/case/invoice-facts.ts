import { type InvoiceFacts, type InvoiceStatus, invoiceStatus } from '../../../domain/money/invoice-state.ts'
import { cents } from '../../../domain/money/money.ts'
import type { Tables } from '../../../kit/db/schema.generated.ts'

/** The columns the status is computed from. */
export const factColumns = `i.amount_cents, i.paid_cents, i.credited_cents, i.contacted_at, i.last_action_is_letter, i.disputed_at,
  i.judicial_at, i.written_off_at, i.cancelled_at`

/** The open balance of an invoice `i`, in SQL; it equals `balanceOf` of the domain. */
export const balanceColumn = 'i.amount_cents - i.credited_cents - i.paid_cents'

/** Whether something is owed of an invoice, and no court decides about it: the condition of the index on open invoices. */
export const isOpenSql = (invoice: string): string =>
  ['paid', 'written_off', 'judicial', 'cancelled'].map(end => `${invoice}.${end}_at is null`).join(' and ')

export type FactRow = Pick<
  Tables['invoices'],
  | 'amount_cents'
  | 'paid_cents'
  | 'credited_cents'
  | 'contacted_at'
  | 'last_action_is_letter'
  | 'disputed_at'
  | 'judicial_at'
  | 'written_off_at'
  | 'cancelled_at'
>

export const factsOf = (row: FactRow): InvoiceFacts => ({
  amount: cents(row.amount_cents),
  paid: cents(row.paid_cents),
  credited: cents(row.credited_cents),
  isCancelled: row.cancelled_at !== null,
  isWrittenOff: row.written_off_at !== null,
  isJudicial: row.judicial_at !== null,
  isDisputed: row.disputed_at !== null,
  lastActionIsLetter: row.last_action_is_letter,
  wasContacted: row.contacted_at !== null,
})

export const statusOf = (row: FactRow): InvoiceStatus => invoiceStatus(factsOf(row))
