import { iso } from '../../../kit/clock.ts'
import { operation, WithWarnings } from '../../../kit/operation.ts'
import { debtorNotFound, invoiceNumberTaken } from '../../recovery/case/errors.ts'
import { type CreatedVerdict, createInvoices } from './create-invoices.ts'
import { CreatedInvoice, InvoiceInput, unknownInvoiceFields } from './schema.ts'

export const createInvoice = operation({
  id: 'invoices.create',
  method: 'POST',
  path: '/api/v1/invoices',
  summary: 'Import an overdue invoice and start its recovery',
  description:
    'The recovery starts in the same transaction: when you read 201, it is running, and its first message leaves at the next moment the contact rules allow.',
  scopes: ['invoices:write'],
  body: InvoiceInput,
  bodyFaults: {
    unknown: {
      ...unknownInvoiceFields,
      autoStartWorkflow:
        'exists only in POST /api/v1/invoices/bulk; a single invoice starts its recovery at once',
    },
  },

  status: 201,
  reply: CreatedInvoice,
  errors: [invoiceNumberTaken, debtorNotFound],
  assistant: 'confirm',
  audit: 'none: the invoice is itself the record, and its events say who created it',
  example: {
    body: {
      invoiceNumber: 'F-2026-0042',
      amountCents: 120_000,
      issueDate: '2026-09-15',
      dueDate: '2026-10-15',
      debtor: {
        name: 'Durand SARL',
        email: 'compta@durand.example',
        siret: '73282932000074',
        postalCode: '69002',
        city: 'Lyon',
      },
    },
  },
  async runMany(shared, items) {
    const verdicts = await createInvoices(
      shared,
      items.map(({ body, requestId }) => ({ input: body, requestId })),
      true,
    )
    return verdicts.map(verdict =>
      'refused' in verdict ? verdict.refused : toCreated(verdict.created, shared.now),
    )
  },
})

function toCreated({ id, input, currency, debtor, warnings }: CreatedVerdict, now: number) {
  const created = {
    id,
    invoiceNumber: input.invoiceNumber,
    amountCents: input.amountCents,
    currency,
    status: 'imported' as const,
    workflowStarted: true,
    createdAt: iso(now),
    debtor,
  }
  return warnings.length > 0 ? new WithWarnings(created, warnings) : created
}
