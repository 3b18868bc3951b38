import { z } from 'zod'
import { sql } from '../../../kit/db/statement.ts'
import { uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { invoiceNotFound } from '../../recovery/case/errors.ts'
import { TimelineEntry, TimelineQuery } from './schema.ts'
import {
  actionsSql,
  type FoundLine,
  moneySql,
  notesSql,
  startOf,
  timelinePage,
  timelineSql,
} from './timeline.ts'

// The history of the invoice has its messages, promises, disputes and answers.
const selectTimeline = sql(
  'timeline.list-of-invoice',
  timelineSql('invoices', [
    actionsSql('a.invoice_id = o.id'),
    moneySql('p.invoice_id = o.id'),
    notesSql('n.invoice_id = o.id'),
  ]),
).as<FoundLine>()

export const readInvoiceTimeline = operation({
  id: 'invoices.timeline',
  method: 'GET',
  path: '/api/v1/invoices/:id/timeline',
  summary: 'Read what happened with an invoice, the newest first',
  description:
    'The history of its recovery, its money and the notes about it. Each line says who did it, as a code with parameters and as a sentence. Follow `cursor` to what is older.',
  scopes: ['workflow:read', 'payments:read'],
  params: z.strictObject({ id: uuid }),
  query: TimelineQuery,
  status: 200,
  reply: TimelineEntry,
  list: true,
  paging: 'feed',
  errors: [invoiceNotFound],
  assistant: 'read',
  async run({ tx, params, query }) {
    const rows = await tx.rows(selectTimeline, [params.id, ...startOf(query)])
    if (rows.length === 0) throw invoiceNotFound.make()
    const page = await timelinePage(tx, query, rows)
    return { ...page, items: page.items.map(asMessage) }
  },
})

/** A line of the history that has a message is shown as a message. */
const asMessage = (line: z.input<typeof TimelineEntry>): z.input<typeof TimelineEntry> =>
  line.communicationId === null ? line : { ...line, kind: 'message' }
