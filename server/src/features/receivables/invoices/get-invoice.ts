import { z } from 'zod'
import { uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { invoiceNotFound } from '../../recovery/case/errors.ts'
import { actsOf } from '../../recovery/workflow/acts-of-invoice.ts'
import { recoveryScopeMissing } from './errors.ts'
import { includeRecovery, refuseWithoutScope, withRecoveries } from './include-recovery.ts'
import { Invoice, toInvoice } from './schema.ts'
import { findInvoice } from './store.ts'

export const getInvoice = operation({
  id: 'invoices.get',
  method: 'GET',
  path: '/api/v1/invoices/:id',
  summary: 'Read an invoice with its debtor and balance',
  scopes: ['invoices:read'],
  params: z.strictObject({ id: uuid }),
  query: z.strictObject({ include: includeRecovery }),
  status: 200,
  reply: Invoice,
  errors: [invoiceNotFound, recoveryScopeMissing],
  assistant: 'read',
  usesNow: true,
  async run({ tx, actor, params, query, now }) {
    refuseWithoutScope(actor, query.include ? 'include' : null)
    const row = await findInvoice(tx, params.id)
    if (!row) throw invoiceNotFound.make()
    if (query.include === undefined) return toInvoice(row)
    const [[invoice], acts] = await Promise.all([
      withRecoveries({ tx, actor, now }, query.include, [toInvoice(row)]),
      actsOf(tx, { invoiceId: row.id, debtorId: row.debtor_id }, now),
    ])
    return { ...invoice!, acts }
  },
})
