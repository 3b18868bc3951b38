import { z } from 'zod'
import { invoiceStatuses } from '../../../domain/money/invoice-state.ts'
import { ApiError, type FieldFault } from '../../../kit/errors.ts'
import { newEvent } from '../../../kit/events.ts'
import { optional, outputUuid } from '../../../kit/fields.ts'
import { faultsMax, validateBody } from '../../../kit/http/validate.ts'
import { operation } from '../../../kit/operation.ts'
import { takingTurns } from '../../../kit/taking-turns.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { debtorNotFound, invoiceNumberTaken } from '../../recovery/case/errors.ts'
import { invoicesImported } from './audit-events.ts'
import { createInvoices } from './create-invoices.ts'
import { InvoiceInput, unknownInvoiceFields } from './schema.ts'

const BulkInput = z
  .strictObject({
    invoices: z
      .array(z.unknown())
      .min(1)
      .max(100)
      .meta({
        items: { $ref: '#/components/schemas/InvoiceInput' },
        description: '1 to 100 invoices, each judged by itself',
      }),
    autoStartWorkflow: optional(z.boolean()).meta({ default: true }),
  })
  .meta({ id: 'ImportInput' })

const ItemError = z.object({
  code: z.string(),
  message: z.string(),
  details: z.array(z.object({ field: z.string(), code: z.string(), message: z.string() })).optional(),
})

const BulkReport = z
  .object({
    total: z.int(),
    imported: z.int(),
    failed: z.int(),
    results: z.array(
      z.object({
        index: z.int(),
        invoiceNumber: z.string().nullable(),
        success: z.boolean(),
        id: outputUuid.optional(),
        status: z.enum(invoiceStatuses).optional(),
        workflowStarted: z.boolean().optional(),
        warnings: z.array(z.object({ code: z.string(), message: z.string() })).optional(),
        error: ItemError.optional(),
      }),
    ),
  })
  .meta({ id: 'ImportReport' })

const numberOf = (item: unknown): string | null =>
  typeof item === 'object' &&
  item !== null &&
  'invoiceNumber' in item &&
  typeof item.invoiceNumber === 'string'
    ? item.invoiceNumber.toWellFormed().slice(0, 200)
    : null

const itemRules = {
  unknownFields: {
    ...unknownInvoiceFields,
    autoStartWorkflow: 'stands beside invoices and holds for all of them',
  },
}

function validateInvoice(item: unknown): InvoiceInput | ApiError {
  try {
    return validateBody(InvoiceInput, item, itemRules)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

const fieldFaultsOf = (error: ApiError, index: number): FieldFault[] =>
  error.extras.details?.map(fault => ({ ...fault, field: `invoices[${index}].${fault.field}` })) ?? [
    { field: `invoices[${index}]`, code: error.code, message: error.message },
  ]

export const importInvoices = operation({
  id: 'invoices.import',
  method: 'POST',
  path: '/api/v1/invoices/bulk',
  summary: 'Import up to 100 invoices, each validated separately',
  description:
    'Answers 201 when at least one was imported; the report has the result of each. If none was imported, 400 with every error.',
  scopes: ['invoices:write'],
  body: BulkInput,
  bodyLimitBytes: 10 * 1024 * 1024,
  status: 201,
  reply: BulkReport,
  errors: [invoiceNumberTaken, debtorNotFound],
  assistant: 'confirm',
  audit: [invoicesImported],
  example: {
    body: {
      invoices: [
        {
          invoiceNumber: 'F-2026-0043',
          amountCents: 48_000,
          issueDate: '2026-09-15',
          dueDate: '2026-10-15',
          debtor: { name: 'Petit & Fils', email: 'compta@petit.example', postalCode: '69003' },
        },
      ],
    },
  },
  async run(call) {
    const autoStart = call.body.autoStartWorkflow ?? true
    const validated = await takingTurns(call.body.invoices, validateInvoice)
    const inputs = validated.filter((item): item is InvoiceInput => !(item instanceof ApiError))
    const verdicts =
      inputs.length > 0
        ? await createInvoices(
            call,
            inputs.map(input => ({ input, requestId: call.requestId })),
            autoStart,
          )
        : []
    let next = 0
    const outcomes = validated.map(item => {
      if (item instanceof ApiError) return item
      const verdict = verdicts[next++]!
      return 'refused' in verdict ? verdict.refused : verdict.created
    })
    const refusals = outcomes.flatMap((outcome, index) =>
      outcome instanceof ApiError ? fieldFaultsOf(outcome, index) : [],
    )
    const imported = outcomes.filter(outcome => !(outcome instanceof ApiError)).length
    if (imported === 0) {
      const where = refusals.length > faultsMax ? `the first ${faultsMax} faults are in` : 'see'
      throw new ApiError('VAL_001', `None of the invoices could be imported; ${where} details.`, {
        details: refusals.slice(0, faultsMax),
      })
    }
    let listed = 0
    const detailsOf = ({ extras: { details = [] } }: ApiError) => {
      const shown = details.slice(0, faultsMax - listed)
      listed += shown.length
      return shown
    }
    const failed = outcomes.length - imported
    const about = { imported, failed, startedWorkflows: autoStart }
    recordAudit(call.tx, [newEvent(invoicesImported, call.actor.tenantId, about)], call)
    return {
      total: outcomes.length,
      imported,
      failed,
      results: outcomes.map((outcome, index) => {
        if (outcome instanceof ApiError) {
          const details = detailsOf(outcome)
          return {
            index,
            invoiceNumber: numberOf(call.body.invoices[index]),
            success: false,
            error: {
              code: outcome.code,
              message: outcome.message,
              ...(details.length > 0 && { details }),
            },
          }
        }
        return {
          index,
          invoiceNumber: outcome.input.invoiceNumber,
          success: true,
          id: outcome.id,
          status: 'imported' as const,
          workflowStarted: autoStart,
          ...(outcome.warnings.length > 0 && { warnings: outcome.warnings }),
        }
      }),
    }
  },
})
