import { z } from 'zod'
import { type InvoiceStatus, invoiceStatuses } from '../../../domain/money/invoice-state.ts'
import { adHoc } from '../../../kit/db/statement.ts'
import { line, outputUuid, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { containsPattern, searchKey, trigrams } from '../../../kit/search-text.ts'

const Found = z
  .object({
    debtors: z.array(
      z.object({
        id: outputUuid,
        name: z.string(),
        email: z.string(),
        siret: z.string().nullable(),
        city: z.string().nullable(),
      }),
    ),
    invoices: z.array(
      z.object({
        id: outputUuid,
        invoiceNumber: z.string(),
        status: z.enum(invoiceStatuses),
        amountCents: z.int(),
        currency: z.string(),
        dueDate: z.string().meta({ format: 'date' }),
        debtorId: outputUuid,
        debtorName: z.string(),
      }),
    ),
  })
  .meta({ id: 'Found' })

interface FoundDebtor {
  id: string
  name: string
  email: string
  siret: string | null
  city: string | null
}

interface FoundInvoice {
  id: string
  number: string
  status: InvoiceStatus
  amount_cents: number
  currency: string
  due_date: string
  debtor_id: string
  debtor_name: string
}

const most = 8

// Each `offset 0` makes the planner look up one row per id.
const findDebtors = adHoc<FoundDebtor>(
  `select d.id, d.name, d.email, d.siret, d.city
     from unnest(array(select search_debtors($1, $2, ${most}) where cardinality($1) > 0) || $3::uuid[]) found(id)
    cross join lateral (select id, name, email, siret, city from debtors where id = found.id offset 0) d
    order by d.id desc limit ${most}`,
)

// This form of `search_invoices` returns the newest matches: if many match, by scanning the newest, else by the pieces.
const findInvoices = adHoc<FoundInvoice>(
  `with found as (
     select id, true as is_named from invoices where number = $4
     union all select id, true from invoices where id = any ($3::uuid[])
     union all select search_invoices($1, $2, 'created_at desc', ${most}), false where cardinality($1) > 0)
   select i.id, i.number, i.status, i.amount_cents, i.currency, i.due_date, i.debtor_id, i.debtor_name
     from (select id, bool_or(is_named) as is_named from found group by id order by 2 desc, 1 desc limit ${most}) x
    cross join lateral (
      select i.id, i.number, i.status, i.amount_cents, i.currency, i.due_date, i.debtor_id,
             (select d.name from debtors d where d.id = i.debtor_id) as debtor_name
        from invoices i where i.id = x.id offset 0) i
    order by x.is_named desc, i.id desc`,
)

/** A SIRET is often written in groups of digits. */
const withoutSpacesInNumbers = (text: string): string =>
  /^[\d\s]+$/.test(text) ? text.replace(/\s/g, '') : text

export const search = operation({
  id: 'search.find',
  method: 'GET',
  path: '/api/v1/search',
  summary: 'Find debtors and invoices by a number, a name, an email, a SIRET or an id',
  description:
    'Up to eight of each, the newest first; an invoice with exactly that number comes before all others. With fewer than three characters, only an invoice with exactly that number is found.',
  scopes: ['debtors:read', 'invoices:read'],
  query: z
    .strictObject({
      q: line(100).optional().meta({ description: 'What to look for; without it nothing is found' }),
    })
    .meta({ id: 'SearchQuery' }),
  status: 200,
  reply: Found,
  errors: [],
  assistant: 'read',
  // Without a text the statements run too, because the first one checks the credential again.
  async run({ tx, actor, query: { q = '' } }) {
    const key = searchKey(withoutSpacesInNumbers(q))
    const [grams, like] = [trigrams(actor.tenantId, key), containsPattern(key)]
    const id = uuid.safeParse(q.toLowerCase()).data
    const ids = id === undefined ? [] : [id]
    const [debtors, invoices] = await Promise.all([
      tx.rows(findDebtors, [grams, like, ids]),
      tx.rows(findInvoices, [grams, like, ids, q]),
    ])
    return {
      debtors,
      invoices: invoices.map(row => ({
        id: row.id,
        invoiceNumber: row.number,
        status: row.status,
        amountCents: row.amount_cents,
        currency: row.currency,
        dueDate: row.due_date,
        debtorId: row.debtor_id,
        debtorName: row.debtor_name,
      })),
    }
  },
})
