import { z } from 'zod'
import { uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { invoiceNotFound } from '../../recovery/case/invoice-errors.ts'
import { Invoice, toInvoice } from './invoice.ts'
import { findInvoice } from './store.ts'

export const getInvoice = operation({
  id: 'invoices.get',
  method: 'GET',
  path: '/api/v1/invoices/:id',
  summary: 'Read an invoice with its debtor and balance',
  scopes: ['invoices:read'],
  params: z.strictObject({ id: uuid }),
  status: 200,
  reply: Invoice,
  errors: [invoiceNotFound],
  assistant: 'read',
  async run({ tx, params }) {
    const row = await findInvoice(tx, params.id)
    if (!row) throw invoiceNotFound.make()
    return toInvoice(row)
  },
})
