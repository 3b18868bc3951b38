import { z } from 'zod'
import { uuid } from '../../../kit/fields.ts'
import { operation, pdfReply } from '../../../kit/operation.ts'
import { invoiceNotFound } from '../case/errors.ts'
import { anrNotFound } from './attestation/errors.ts'
import { findAnr } from './attestation/store.ts'

export const getAnr = operation({
  id: 'invoices.anr',
  method: 'GET',
  path: '/api/v1/invoices/:id/anr',
  summary: 'Download the attestation of non-recovery of an invoice that was written off',
  scopes: ['invoices:read'],
  params: z.strictObject({ id: uuid }),
  status: 200,
  reply: pdfReply,
  errors: [invoiceNotFound, anrNotFound],
  assistant: 'never',
  async run({ tx, params }) {
    const found = await findAnr(tx, params.id)
    if (!found) throw invoiceNotFound.make()
    if (!found.pdf) throw anrNotFound.make()
    return { bytes: found.pdf, fileName: `ANR-${found.number}.pdf` }
  },
})
