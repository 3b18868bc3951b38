import { z } from 'zod'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import {
  invoiceHasPayments,
  invoiceNotFound,
  recoveryAlreadyStarted,
} from '../../recovery/case/invoice-errors.ts'
import { invoiceDeleted } from './invoice-audit-events.ts'
import { lockInvoice } from './store.ts'

const selectRecoveryRecords = sql(
  'invoices.inspect-before-delete',
  `select r.status, i.number, i.debtor_id, i.amount_cents, i.currency, exists (select from payments p where p.invoice_id = r.invoice_id)
            or exists (select from credits c where c.invoice_id = r.invoice_id)
            or exists (select from disputes d where d.invoice_id = r.invoice_id)
            or exists (select from promises p where p.invoice_id = r.invoice_id)
            or exists (select from anr_documents a where a.invoice_id = r.invoice_id) as has_records
     from recoveries r join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id where r.invoice_id = $1`,
).as<{
  status: string
  number: string
  debtor_id: string
  amount_cents: number
  currency: string
  has_records: boolean
}>()
const deleteInvoiceRow = sql('invoices.delete', 'delete from invoices where id = $1')

export const deleteInvoice = operation({
  id: 'invoices.delete',
  method: 'DELETE',
  path: '/api/v1/invoices/:id',
  summary: 'Delete an invoice whose recovery was never started',
  scopes: ['invoices:delete'],
  params: z.strictObject({ id: uuid }),
  status: 204,
  reply: z.null(),
  errors: [invoiceNotFound, recoveryAlreadyStarted, invoiceHasPayments],
  assistant: 'confirm',
  audit: [invoiceDeleted],
  async run(call) {
    const { tx, params } = call
    const [, [found]] = await Promise.all([
      lockInvoice(tx, params.id),
      tx.rows(selectRecoveryRecords, [params.id]),
    ])
    if (!found) throw invoiceNotFound.make()
    if (found.status !== 'pending') throw recoveryAlreadyStarted.make()
    if (found.has_records) throw invoiceHasPayments.make()
    tx.atCommit(deleteInvoiceRow, [params.id])
    const about = {
      invoiceId: params.id,
      invoiceNumber: found.number,
      debtorId: found.debtor_id,
      amountCents: found.amount_cents,
      currency: found.currency,
    }
    recordAudit(tx, [newEvent(invoiceDeleted, params.id, about)], call)
    return null
  },
})
