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
/** From so many on it is not asked which they are: the newest are shown. */
const many = 101
const walkedMax = 50_000

const findDebtors = adHoc<FoundDebtor>(
  `select d.id, d.name, d.email, d.siret, d.city from debtors d
    where d.id = any (array_append(array(select search_debtors($1, $2, ${most}) where cardinality($1) > 0), $3::uuid))
    order by d.id desc limit ${most}`,
)

// The invoice that was named comes first. Where many match, the newest soon show some; if they show none, the pieces do.
const findInvoices = adHoc<FoundInvoice>(
  `with found as (select ids, n from search_invoices($1, $2, ${many}) where cardinality($1) > 0),
   walked as (
     select i.id from found cross join lateral (
       select w.id from (select id, number_search, debtor_id from invoices order by id desc limit ${walkedMax}) w
        where w.number_search like $2
           or (select split_part(d.search_text, E'\\n', 1) like $2 from debtors d where d.id = w.debtor_id)
        limit ${most}) i
      where found.n >= ${many}),
   pieces as (
     select p.id from found cross join lateral search_invoices_by_pieces($1, $2, ${most}) p(id)
      where found.n >= ${many} and not exists (select from walked)),
   ids as (
     select id, true as is_named from invoices where number = $4
     union all select id, true from invoices where id = $3
     union all select unnest(ids), false from found
     union all select id, false from walked
     union all select id, false from pieces)
   select i.id, i.number, i.status, i.amount_cents, i.currency, i.due_date, i.debtor_id, d.name as debtor_name
     from (select id, bool_or(is_named) as is_named from ids group by id order by 2 desc, id desc limit ${most}) x
     join invoices i on i.id = x.id
     join debtors d on d.tenant_id = i.tenant_id and d.id = i.debtor_id
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
    'Up to eight of each, the newest first; an invoice with exactly that number comes before all others. Less than three characters find only an invoice with that number.',
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
  async run({ tx, actor, query: { q } }) {
    if (q === undefined) return { debtors: [], invoices: [] }
    const key = searchKey(withoutSpacesInNumbers(q))
    const [grams, like] = [trigrams(actor.tenantId, key), containsPattern(key)]
    const id = uuid.safeParse(q.toLowerCase()).data ?? null
    const [debtors, invoices] = await Promise.all([
      tx.rows(findDebtors, [grams, like, id]),
      tx.rows(findInvoices, [grams, like, id, q]),
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
