import { z } from 'zod'
import { type InvoiceStatus, invoiceStatuses } from '../../../domain/money/invoice-state.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { outputUuid, pageQuery, uuid } from '../../../kit/fields.ts'
import { operation, pagination } from '../../../kit/operation.ts'
import { totalOfDebtor } from '../../platform/counts/totals.ts'
import { debtorUnknown } from '../../recovery/case/debtor-errors.ts'
import { Debtor, debtorColumns, type ShownDebtor, toDebtor } from './debtor.ts'

const selectDebtor = sql(
  'debtors.get',
  `select ${debtorColumns} from debtors d where d.id = $1`,
).as<ShownDebtor>()

export const findDebtor = async (tx: Tx, id: string): Promise<ShownDebtor | null> =>
  (await tx.rows(selectDebtor, [id]))[0] ?? null

// Each address is looked up through its own index.
const selectSameAddress = sql(
  'debtors.list-same-address',
  `select o.id, o.name, array_remove(array[case when o.email_key = d.email_key then 'email' end,
            case when o.phone = d.phone then 'phone' end], null) as shares
     from debtors d
     join lateral (
       (select id, name, email_key, phone from debtors s where s.email_key = d.email_key limit 51)
       union
       (select id, name, email_key, phone from debtors s where s.phone = d.phone limit 51)) o on o.id <> d.id
    where d.id = $1 order by o.name, o.id limit 50`,
).as<{ id: string; name: string; shares: ('email' | 'phone')[] }>()

export const getDebtor = operation({
  id: 'debtors.get',
  method: 'GET',
  path: '/api/v1/debtors/:id',
  summary: 'Read a debtor',
  scopes: ['debtors:read'],
  params: z.strictObject({ id: uuid }),
  query: z.strictObject({
    include: z
      .enum(['sameAddress'])
      .optional()
      .meta({ description: 'Adds the other records that share its email or phone' }),
  }),
  status: 200,
  reply: Debtor,
  errors: [debtorUnknown],
  assistant: 'read',
  async run({ tx, params, query }) {
    const row = await findDebtor(tx, params.id)
    if (!row) throw debtorUnknown.make()
    if (query.include === undefined) return toDebtor(row)
    return { ...toDebtor(row), sameAddress: await tx.rows(selectSameAddress, [row.id]) }
  },
})

const InvoiceOfDebtor = z
  .object({
    id: outputUuid,
    invoiceNumber: z.string(),
    amountCents: z.int(),
    status: z.enum(invoiceStatuses),
    dueDate: z.string().meta({ format: 'date' }),
  })
  .meta({ id: 'InvoiceOfDebtor' })

interface InvoiceOfDebtorRow {
  id: string | null
  number: string
  amount_cents: number
  status: InvoiceStatus
  due_date: string
}

// At least one row if the debtor exists.
const selectInvoicesOfDebtor = sql(
  'debtors.list-invoices',
  `select i.id, i.number, i.amount_cents, i.status, i.due_date
     from debtors d
     left join lateral (select * from invoices where debtor_id = d.id order by id desc limit $2 offset $3) i on true
    where d.id = $1 order by i.id desc`,
).as<InvoiceOfDebtorRow>()

export const listInvoicesOfDebtor = operation({
  id: 'debtors.invoices',
  method: 'GET',
  path: '/api/v1/debtors/:id/invoices',
  summary: 'List the invoices of a debtor, the newest first',
  scopes: ['debtors:read', 'invoices:read'],
  params: z.strictObject({ id: uuid }),
  query: pageQuery,
  status: 200,
  reply: InvoiceOfDebtor,
  list: true,
  errors: [debtorUnknown],
  assistant: 'read',
  async run({ tx, params, query }) {
    const [rows, { total }] = await Promise.all([
      tx.rows(selectInvoicesOfDebtor, [params.id, query.limit, (query.page - 1) * query.limit]),
      totalOfDebtor(tx, params.id),
    ])
    if (rows.length === 0) throw debtorUnknown.make()
    return {
      items: rows.flatMap(row =>
        row.id === null
          ? []
          : [
              {
                id: row.id,
                invoiceNumber: row.number,
                amountCents: row.amount_cents,
                status: row.status,
                dueDate: row.due_date,
              },
            ],
      ),
      pagination: pagination(query, total),
    }
  },
})
