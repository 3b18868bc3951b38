import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { note, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit, recordEvents } from '../../platform/events/record-events.ts'
import { restateTimeBar } from '../../recovery/case/change-recovery.ts'
import { invoiceNotFound } from '../../recovery/case/errors.ts'
import { invoiceUpdated } from '../../recovery/case/invoice-events.ts'
import { openRecovery } from '../../recovery/case/open-recovery.ts'
import { invoiceChanged } from './audit-events.ts'
import { Metadata } from './metadata.ts'
import { Invoice, limitationFields, toInvoice } from './schema.ts'
import { findInvoice, lockInvoice } from './store.ts'

const InvoiceUpdate = z
  .strictObject({
    notes: note(2000).nullable().optional().meta({ description: 'Internal; null clears them' }),
    metadata: Metadata.nullable()
      .optional()
      .meta({ description: 'Replaces the whole object; null clears it' }),
    suppliedOn: limitationFields.suppliedOn.nullable().optional(),
    limitationMonths: limitationFields.limitationMonths.nullable().optional(),
  })
  .refine(body => Object.keys(body).length > 0, 'has nothing to change')
  .meta({ id: 'InvoiceUpdate' })

const updateInvoiceRow = sql(
  'invoices.update',
  `update invoices set notes = $2, metadata = $3::jsonb, supplied_on = $4, limitation_months = $5, updated_at = $6 where id = $1`,
)

export const updateInvoice = operation({
  id: 'invoices.update',
  method: 'PUT',
  path: '/api/v1/invoices/:id',
  summary: "Change an invoice's notes or metadata, or what its time bar is counted by",
  scopes: ['invoices:write'],
  params: z.strictObject({ id: uuid }),
  body: InvoiceUpdate,
  bodyFaults: {
    immutable: {
      fields: ['amount', 'amountCents', 'invoiceNumber', 'issueDate', 'dueDate', 'currency', 'debtor'],
      because: {
        sentence: 'cannot change after import; only notes, metadata, suppliedOn and limitationMonths may.',
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
    // What the time bar is counted by changes what the debtor is sent, so the agenda is locked first.
    const isLimited = body.suppliedOn !== undefined || body.limitationMonths !== undefined
    const recovery = isLimited ? await openRecovery(call, params.id) : null
    const [, invoice] = await Promise.all([lockInvoice(tx, params.id), findInvoice(tx, params.id)])
    if (!invoice) throw invoiceNotFound.make()
    const after = {
      notes: body.notes === undefined ? invoice.notes : body.notes,
      metadata: body.metadata === undefined ? invoice.metadata : (body.metadata ?? {}),
      supplied_on: body.suppliedOn === undefined ? invoice.supplied_on : body.suppliedOn,
      limitation_months:
        body.limitationMonths === undefined ? invoice.limitation_months : body.limitationMonths,
    }
    const { notes, metadata, supplied_on, limitation_months } = after
    const changed = [
      ...(notes === invoice.notes ? [] : (['notes'] as const)),
      ...(isDeepStrictEqual(metadata, invoice.metadata) ? [] : (['metadata'] as const)),
      ...(supplied_on === invoice.supplied_on ? [] : (['suppliedOn'] as const)),
      ...(limitation_months === invoice.limitation_months ? [] : (['limitationMonths'] as const)),
    ]
    if (changed.length === 0) return toInvoice(invoice)
    tx.atCommit(updateInvoiceRow, [
      params.id,
      notes,
      JSON.stringify(metadata),
      supplied_on,
      limitation_months,
      iso(now),
    ])
    if (recovery) restateTimeBar(call, recovery, { supplied_on, limitation_months })
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
    const limitation = { suppliedOn: supplied_on, limitationMonths: limitation_months }
    recordAudit(
      tx,
      [
        newEvent(invoiceChanged, invoice.id, {
          invoiceId: invoice.id,
          changed,
          ...(isLimited && limitation),
        }),
      ],
      call,
    )
    return toInvoice({ ...invoice, ...after, updated_at: now })
  },
})
