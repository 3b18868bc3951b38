import { z } from 'zod'
import type { Scope } from '../../../../kit/actor.ts'
import { day, optional } from '../../../../kit/fields.ts'
import { InvoiceFilter } from '../../../receivables/invoices/filter-schema.ts'

/** What can be exported, and the scopes that reading the same by the API needs. */
export const exportScopes = {
  invoices: ['invoices:read'],
  debtors: ['debtors:read'],
  payments: ['payments:read'],
  contacts: ['workflow:read'],
  audit: ['webhooks:manage'],
  accounting_entries: ['invoices:read', 'payments:read'],
} as const satisfies Record<string, readonly Scope[]>
export type Exported = keyof typeof exportScopes

const exported = Object.keys(exportScopes) as [Exported, ...Exported[]]
const exportFormats = ['csv', 'xlsx', 'ndjson'] as const

const dayOf =
  'Of a debtor the day it was created, of a payment the day it counts for, of a contact and of the audit log the day it happened, of an accounting entry its date; in the time zone of the company'

export const ExportInput = z
  .strictObject({
    what: z.enum(exported),
    format: z.enum(exportFormats).meta({
      description:
        '`csv`: separated by semicolons, in UTF-8 with a byte order mark, as Excel expects it in France',
    }),
    filter: optional(InvoiceFilter).meta({
      description:
        'With invoices only: the filters of `GET /api/v1/invoices`. Those that show where a recovery stands need `workflow:read` too',
    }),
    fromDate: optional(day).meta({ description: `From this day on; not with invoices. ${dayOf}` }),
    toDate: optional(day).meta({ description: 'Up to this day, inclusive; not with invoices' }),
  })
  .superRefine(({ what, filter, fromDate, toDate }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    if (what !== 'invoices' && filter) refuse('filter', 'goes with invoices only')
    if (what === 'invoices') {
      if (fromDate) refuse('fromDate', 'goes into the filter when invoices are exported')
      if (toDate) refuse('toDate', 'goes into the filter when invoices are exported')
    } else if (fromDate && toDate && toDate < fromDate) refuse('toDate', 'is before fromDate')
  })
  .meta({ id: 'ExportInput' })
export type ExportInput = z.output<typeof ExportInput>
