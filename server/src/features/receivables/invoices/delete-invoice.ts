import { z } from 'zod'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { uuid } from '../../../kit/fields.ts'
import { type Call, operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { invoiceHasPayments, invoiceNotFound, recoveryAlreadyStarted } from '../../recovery/case/errors.ts'
import { lockCase } from '../../recovery/case/open-recovery.ts'
import { invoiceDeleted } from './audit-events.ts'

interface InspectedInvoice {
  status: string
  number: string
  debtor_id: string
  amount_cents: number
  currency: string
  has_records: boolean
  has_messages: boolean
}

const selectRecoveryRecords = sql(
  'invoices.inspect-before-delete',
  `select r.status, i.number, i.debtor_id, i.amount_cents, i.currency, exists (select from payments p where p.invoice_id = r.invoice_id)
            or exists (select from credits c where c.invoice_id = r.invoice_id)
            or exists (select from disputes d where d.invoice_id = r.invoice_id)
            or exists (select from promises p where p.invoice_id = r.invoice_id)
            or exists (select from anr_documents a where a.invoice_id = r.invoice_id)
            or exists (select from listed_claims k where k.invoice_id = r.invoice_id) as has_records,
          exists (select from communication_invoices c where c.invoice_id = r.invoice_id) as has_messages
     from recoveries r join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id where r.invoice_id = $1`,
).as<InspectedInvoice>()
const deleteInvoiceRow = sql('invoices.delete', 'delete from invoices where id = $1')
const deleteUncontactedRow = sql(
  'invoices.delete-uncontacted',
  'select delete_uncontacted_invoice($1) as is_deleted',
).as<{ is_deleted: boolean }>()

type Recording = Pick<
  Call<unknown, unknown, unknown>,
  'tx' | 'actor' | 'now' | 'wall' | 'requestId' | 'newId'
>

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
    const found = await inspectInvoice(call, call.params.id)
    if (found.status !== 'pending') throw recoveryAlreadyStarted.make()
    call.tx.atCommit(deleteInvoiceRow, [call.params.id])
    recordDeletion(call, call.params.id, found)
    return null
  },
})

/** Takes the locks of the invoice, then reads what stands in the way of its deletion. */
export async function inspectInvoice(
  { tx, actor }: Pick<Recording, 'tx' | 'actor'>,
  id: string,
): Promise<InspectedInvoice> {
  await lockCase(tx, actor.tenantId, id)
  const [found] = await tx.rows(selectRecoveryRecords, [id])
  if (!found) throw invoiceNotFound.make()
  return found
}

/** Deletes an invoice with its recovery as long as no message about it has left; to be called under the lock of its debtor. */
export function removeUncontacted(call: Recording, id: string, found: InspectedInvoice): void {
  call.tx.atCommit(deleteUncontactedRow, [id])
  recordDeletion(call, id, found)
}

function recordDeletion(call: Recording, id: string, found: InspectedInvoice): void {
  if (found.has_records) throw invoiceHasPayments.make()
  const about = {
    invoiceId: id,
    invoiceNumber: found.number,
    debtorId: found.debtor_id,
    amountCents: found.amount_cents,
    currency: found.currency,
  }
  recordAudit(call.tx, [newEvent(invoiceDeleted, id, about)], call)
}
