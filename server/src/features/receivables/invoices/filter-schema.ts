import { z } from 'zod'
import { invoiceStatuses } from '../../../domain/money/invoice-state.ts'
import { centsInput, day, line, optional, uuid } from '../../../kit/fields.ts'

/** The filters of the list of invoices, in a JSON body. */
export const InvoiceFilter = z
  .strictObject({
    status: optional(z.enum(invoiceStatuses)),
    debtorId: optional(uuid),
    fromDate: optional(day).meta({ description: 'Issue date from, inclusive' }),
    toDate: optional(day).meta({ description: 'Issue date to, inclusive' }),
    minAmount: optional(centsInput),
    maxAmount: optional(centsInput),
    search: optional(line(100)).meta({ description: "Part of the number or of the debtor's name" }),
  })
  .meta({ id: 'InvoiceFilter' })

export type InvoiceFilter = Partial<z.output<typeof InvoiceFilter>>
