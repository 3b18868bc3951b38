import type { z } from 'zod'
import { adHoc } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type Conditions, idShape, invalidParameter, pageOf, positionOf, type Total, writeCursor } from '../../../kit/list.ts'
import type { Page } from '../../../kit/operation.ts'
import { type Invoice, type InvoiceRow, toInvoice } from './invoice.ts'
import { type PortfolioFilter, slotCondition } from './portfolio-filter.ts'
import { invoiceColumns, invoiceJoins } from './store.ts'

/**
 * The invoices that run, in the order of the agenda: by the quarter hour of the next contact planned with their debtor, then by
 * debtor and invoice. An index on the moment of each recovery would be written with every step of every recovery.
 */
export async function listByNextAction(
  tx: Tx,
  tenantId: string,
  query: {
    page: number
    limit: number
    cursor?: string | undefined
    sortOrder: 'asc' | 'desc'
    search?: string | undefined
  },
  portfolio: PortfolioFilter | null,
  filtersOf: () => Conditions,
  total: () => Promise<Total>,
): Promise<Page<z.input<typeof Invoice>>> {
  const { sortOrder } = query
  if (query.search !== undefined)
    throw invalidParameter('search', 'and sortBy=next_action_at cannot be combined')
  const order = `next_action_at ${sortOrder}`
  const position = positionOf(query, order, [/^\d{1,9}$/, idShape, idShape])
  const filter = filtersOf()
  filter.add(slotCondition(filter, portfolio?.slots ?? { from: null, to: null }, tenantId))
  filter.add(`r.ended_at is null and r.status = 'in_recovery' and r.due_at is not null`)
  if (position.after) {
    const [slot, debtorId, id] = position.after.map(value => filter.bind(value))
    const isAfter = sortOrder === 'asc' ? '>' : '<'
    filter.add(`(a.wake_slot, a.debtor_id) ${isAfter}= (${slot}::integer, ${debtorId}::uuid)`)
    filter.add(`(a.wake_slot, a.debtor_id, r.invoice_id) ${isAfter} (${slot}::integer, ${debtorId}::uuid, ${id}::uuid)`)
  }
  const ordering = (alias: string, invoice: string) =>
    `${alias}.wake_slot ${sortOrder}, ${alias}.debtor_id ${sortOrder}, ${invoice} ${sortOrder}`
  const [rows, counted] = await Promise.all([
    tx.rows(
      adHoc<InvoiceRow & { wake_slot: number }>(
        `select ${invoiceColumns}, i.wake_slot
           from (select i.*, a.wake_slot from agendas a
                   join recoveries r on r.tenant_id = a.tenant_id and r.debtor_id = a.debtor_id
                   join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
                  ${filter.where()} order by ${ordering('a', 'r.invoice_id')}
                  limit ${filter.bind(position.limit + 1)} offset ${filter.bind(position.offset)}) i
           ${invoiceJoins}
          order by ${ordering('i', 'i.id')}`,
      ),
      filter.values,
    ),
    total(),
  ])
  // Invoices without a planned contact pass the filters too, and are not in this order.
  return pageOf(position, rows, { ...counted, isExact: false }, toInvoice, (row, nextPage) =>
    writeCursor(order, nextPage, [row.wake_slot, row.debtor_id, row.id]),
  )
}
