import { z } from 'zod'
import { debtorTypes } from '../../../domain/debtor-type.ts'
import { invoiceStatuses } from '../../../domain/money/invoice-state.ts'
import type { RecoveryStatus } from '../../../domain/recovery/recovery-state.ts'
import { standings } from '../../../domain/recovery/standing.ts'
import {
  centsInput,
  centsText,
  day,
  line,
  momentText,
  oneOrMore,
  optional,
  uuid,
} from '../../../kit/fields.ts'

/** A filter, as it is read from the address of a list and from a JSON body. Both give the same value. */
interface FilterField<Query extends z.ZodType, Body extends z.ZodType> {
  query: Query
  body: Body
}
const filter = <Query extends z.ZodType, Body extends z.ZodType>(
  query: Query,
  body: Body,
): FilterField<Query, Body> => ({ query, body })
const text = <S extends z.ZodType>(schema: S, description?: string) =>
  description === undefined
    ? filter(schema.optional(), optional(schema))
    : filter(schema.optional().meta({ description }), optional(schema).meta({ description }))

const daysMax = 9_999
const days = (description: string) =>
  filter(
    z
      .string()
      .regex(/^-?\d{1,4}$/, 'must be a whole number of days')
      .transform(Number)
      .optional()
      .meta({ type: 'integer', description }),
    optional(z.int().min(-daysMax).max(daysMax)).meta({ description }),
  )
const cents = filter(centsText, optional(centsInput))
const code = z.string().regex(/^[a-z][a-z0-9_]{0,59}$/, 'must be a code in lower case')

/** Each is a set of standings. For ended recoveries the status of the invoice is more precise. */
export const unendedStatuses = [
  'pending',
  'in_recovery',
  'paused',
  'judicial',
] as const satisfies readonly RecoveryStatus[]

const whereItStands = `Where it stands; one or more of ${standings.join(', ')}`

/** The filters by the state of the recovery. */
const portfolioFilters = {
  standing: filter(
    oneOrMore(standings).meta({ type: 'string', description: `${whereItStands}, with commas` }),
    // As a list, or as in the address.
    optional(
      z.preprocess(
        // One part more than there are: a longer text is refused without reading all of it.
        value => (typeof value === 'string' ? value.split(',', standings.length + 1) : value),
        z.array(z.enum(standings)).min(1).max(standings.length),
      ),
    ).meta({ description: whereItStands }),
  ),
  dueFrom: text(day, 'Due date from, inclusive'),
  dueTo: text(day, 'Due date to, inclusive'),
  overdueMin: days('Days past the due date, at least; negative: before it'),
  overdueMax: days('Days past the due date, at most'),
  workflowStatus: text(z.enum(unendedStatuses), 'Status of the recovery; for those that ended use `status`'),
  step: text(code, 'The step at which an open recovery stands'),
  nextFrom: text(momentText, 'Its next message is in this quarter hour or later'),
  nextTo: text(momentText, 'The same, in this quarter hour or earlier'),
  reasonCode: text(code, 'Why the next action is when it is, or why there is none'),
  debtorType: text(z.enum(debtorTypes), 'The kind of its debtor'),
}

/** Every filter of invoices, once: the list, bulk tasks and exports take these and no others. */
const invoiceFilters = {
  status: text(z.enum(invoiceStatuses)),
  debtorId: text(uuid),
  fromDate: text(day, 'Issue date from, inclusive'),
  toDate: text(day, 'Issue date to, inclusive'),
  minAmount: cents,
  maxAmount: cents,
  ...portfolioFilters,
  search: text(line(100), "Part of the number or of the debtor's name"),
}
type Fields = typeof invoiceFilters
type FilterName = keyof Fields

const each = <Part extends 'query' | 'body'>(part: Part) =>
  Object.fromEntries(Object.entries(invoiceFilters).map(([name, field]) => [name, field[part]])) as {
    [Name in FilterName]: Fields[Name][Part]
  }

/** The filters as query parameters. */
export const invoiceFilterQuery = each('query')

/** The filters in a JSON body. What was read can be stored, shown and read again. */
export const InvoiceFilter = z.strictObject(each('body')).meta({ id: 'InvoiceFilter' })
export type InvoiceFilter = Partial<z.output<typeof InvoiceFilter>>

export const portfolioNames = Object.keys(portfolioFilters) as (keyof typeof portfolioFilters)[]
export type PortfolioGiven = Pick<InvoiceFilter, (typeof portfolioNames)[number]>

/** The filters that reveal where a recovery stands. A filter reveals as much as a field. */
export const recoveryFilters = [
  'standing',
  'workflowStatus',
  'step',
  'nextFrom',
  'nextTo',
  'reasonCode',
] as const satisfies readonly FilterName[]
