import type { z } from 'zod'
import { adHoc } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import {
  type Conditions,
  conditions,
  idShape,
  pageOf,
  positionOf,
  type Total,
  writeCursor,
} from '../../../kit/list.ts'
import type { Page } from '../../../kit/page.ts'
import { slotCondition } from '../../recovery/agenda/contact-slots.ts'
import { inMessageSql } from './portfolio-filter.ts'
import { type Invoice, type InvoiceRow, toInvoice } from './schema.ts'
import { materialized } from './search-invoices.ts'
import { invoiceColumns, invoiceJoins } from './store.ts'

/** The most debtors of the order that are searched for invoices that pass a filter. */
const debtorsMax = 2_000

/**
 * The running invoices, in the order of the agenda: by the quarter hour of the next contact planned with their debtor, then by
 * debtor and invoice. An index on the moment of each recovery would be written with every step of every recovery.
 */
export async function listByNextAction(
  tx: Tx,
  query: { page: number; limit: number; cursor?: string | undefined; sortOrder: 'asc' | 'desc' },
  list: {
    tenantId: string
    slots: { from: number | null; to: number | null }
    /** The filters of the invoices. */
    filter: Conditions
    total: Total
    /** Few invoices pass: they are gathered first. */
    isFew: boolean
  },
): Promise<Page<z.input<typeof Invoice>>> {
  const { sortOrder } = query
  const order = `next_action_at ${sortOrder}`
  const position = positionOf(query, order, [/^\d{1,9}$/, idShape, idShape])
  const { filter } = list
  const agendas = conditions(filter.values)
  agendas.add(slotCondition(agendas, list.slots, list.tenantId))
  const waiting = conditions(filter.values)
  waiting.add(`r.ended_at is null and r.status = 'in_recovery' and r.due_at is not null`)
  if (list.slots.from !== null || list.slots.to !== null) waiting.add(inMessageSql('r.invoice_id'))
  if (position.after) {
    const [slot, debtorId, id] = position.after.map(value => filter.bind(value))
    const isAfter = sortOrder === 'asc' ? '>' : '<'
    if (!list.isFew)
      agendas.add(`(a.contact_slot, a.debtor_id) ${isAfter}= (${slot}::integer, ${debtorId}::uuid)`)
    waiting.add(
      `(a.contact_slot, a.debtor_id, r.invoice_id) ${isAfter} (${slot}::integer, ${debtorId}::uuid, ${id}::uuid)`,
    )
  }
  const ordering = (alias: string, invoice: string) =>
    `${alias}.contact_slot ${sortOrder}, ${alias}.debtor_id ${sortOrder}${invoice && `, ${invoice} ${sortOrder}`}`
  const source = list.isFew
    ? `${materialized(filter)} i
         cross join lateral (select * from agendas a where a.debtor_id = i.debtor_id and ${agendas.all()} offset 0) a
         join recoveries r on r.tenant_id = i.tenant_id and r.invoice_id = i.id`
    : `(select * from agendas a ${agendas.where()} order by ${ordering('a', '')}
          limit ${filter.bind(debtorsMax + 20 * position.offset)}) a
         join recoveries r on r.tenant_id = a.tenant_id and r.debtor_id = a.debtor_id
         join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id and ${filter.all()}`
  const rows = await tx.rows(
    adHoc<InvoiceRow & { contact_slot: number }>(
      `select ${invoiceColumns}, i.contact_slot
         from (select i.*, a.contact_slot from ${source}
                ${waiting.where()} order by ${ordering('a', 'r.invoice_id')}
                limit ${filter.bind(position.limit + 1)} offset ${filter.bind(position.offset)}) i
         ${invoiceJoins}
        order by ${ordering('i', 'i.id')}`,
    ),
    filter.values,
  )
  // Invoices without a planned contact pass the filters too, and are not in this order.
  return pageOf(position, rows, { ...list.total, isExact: false }, toInvoice, (row, nextPage) =>
    writeCursor(position.order, nextPage, [row.contact_slot, row.debtor_id, row.id]),
  )
}
