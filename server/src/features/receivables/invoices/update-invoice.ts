import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { note, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit, recordEvents } from '../../platform/events/record-events.ts'
import { invoiceNotFound } from '../../recovery/case/errors.ts'
import { invoiceUpdated } from '../../recovery/case/invoice-events.ts'
import { invoiceChanged } from './audit-events.ts'
import { Metadata } from './metadata.ts'
import { Invoice, toInvoice } from './schema.ts'
import { findInvoice, lockInvoice } from './store.ts'

const InvoiceUpdate = z
  .strictObject({
    notes: note(2000).nullable().optional().meta({ description: 'Internal; null clears them' }),
    metadata: Metadata.nullable()
      .optional()
      .meta({ description: 'Replaces the whole object; null clears it' }),
  })
  .refine(body => Object.keys(body).length > 0, 'has nothing to change; send notes or metadata')
  .meta({ id: 'InvoiceUpdate' })

const updateInvoiceRow = sql(
  'invoices.update',
  'update invoices set notes = $2, metadata = $3::jsonb, updated_at = $4 where id = $1',
)

export const updateInvoice = operation({
  id: 'invoices.update',
  method: 'PUT',
  path: '/api/v1/invoices/:id',
  summary: "Change an invoice's notes or metadata",
  scopes: ['invoices:write'],
  params: z.strictObject({ id: uuid }),
  body: InvoiceUpdate,
  bodyFaults: {
    immutable: {
      fields: ['amount', 'amountCents', 'invoiceNumber', 'issueDate', 'dueDate', 'currency', 'debtor'],
      because: {
        sentence: 'cannot change after import; only notes and metadata may.',
        field: 'cannot change after import',
      },
    },
  },

  status: 200,
  reply: Invoice,
  errors: [invoiceNotFound],
  assistant: 'confirm',
  audit: [invoiceChanged],
  example: { body: { notes: 'Called back on Monday', metadata: { crmId: 'A-17' } } },
  async run(call) {
    const { tx, params, body, now } = call
    const [, invoice] = await Promise.all([lockInvoice(tx, params.id), findInvoice(tx, params.id)])
    if (!invoice) throw invoiceNotFound.make()
    const notes = body.notes === undefined ? invoice.notes : body.notes
    const metadata = body.metadata === undefined ? invoice.metadata : (body.metadata ?? {})
    const changed = [
      ...(notes === invoice.notes ? [] : (['notes'] as const)),
      ...(isDeepStrictEqual(metadata, invoice.metadata) ? [] : (['metadata'] as const)),
    ]
    if (changed.length === 0) return toInvoice(invoice)
    tx.atCommit(updateInvoiceRow, [params.id, notes, JSON.stringify(metadata), iso(now)])
    recordEvents(
      tx,
      [
        newEvent(invoiceUpdated, invoice.id, {
          invoiceId: invoice.id,
          invoiceNumber: invoice.number,
          debtorId: invoice.debtor_id,
          changed,
          metadata: metadata as z.output<typeof Metadata>,
        }),
      ],
      call,
    )
    recordAudit(tx, [newEvent(invoiceChanged, invoice.id, { invoiceId: invoice.id, changed })], call)
    return toInvoice({ ...invoice, notes, metadata, updated_at: now })
  },
})
