import type { z } from 'zod'
import type { channels } from '../../../domain/contact/channel.ts'
import { iso } from '../../../kit/clock.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { ActorRef } from '../../../kit/events.ts'
import {
  cursorOrder,
  idShape,
  momentShape,
  newestMoment,
  positionOf,
  writeCursor,
} from '../../../kit/list.ts'
import type { Page } from '../../../kit/page.ts'
import { actorNames } from '../../access/people/actor-names.ts'
import { type HistoryLanguage, type StoredLine, shownLine } from '../../recovery/case/history-texts.ts'
import type { TimelineEntry, TimelineQuery, timelineKinds } from './schema.ts'

export interface TimelineRow extends StoredLine {
  id: string
  at: number
  kind: (typeof timelineKinds)[number]
  actor: ActorRef | null
  action: string | null
  channel: (typeof channels)[number] | null
  status: string | null
  invoice_id: string | null
  communication_id: string | null
}

/** A row per line, or one without a line if the debtor or the invoice has none yet. */
export type FoundLine = TimelineRow | { [Column in keyof TimelineRow]: null }

const order = 'timeline'

/** The line after which a page begins, as parameters of a statement. */
export function startOf(query: TimelineQuery): readonly [at: string, id: string, limit: number] {
  const { after } = positionOf({ ...query, page: 1 }, order, [momentShape, idShape])
  const [at, id] = after ?? newestMoment
  return [iso(Number(at)), String(id), query.limit + 1]
}

/** The page from one line more than it shows. */
export async function timelinePage(
  tx: Tx,
  query: TimelineQuery,
  found: readonly FoundLine[],
): Promise<Page<z.input<typeof TimelineEntry>>> {
  const rows = found.filter((row): row is TimelineRow => row.id !== null)
  const shown = rows.slice(0, query.limit)
  const shownActor = await actorNames(
    tx,
    shown.map(({ actor }) => actor),
  )
  const language: HistoryLanguage = query.lang ?? 'en'
  const last = shown.at(-1)
  return {
    items: shown.map(row => ({
      id: row.id,
      at: iso(row.at),
      kind: row.kind,
      ...shownLine(row, language),
      actor: shownActor(row.actor),
      action: row.action,
      channel: row.channel,
      status: row.status,
      invoiceId: row.invoice_id,
      communicationId: row.communication_id,
    })),
    nextCursor: last
      ? writeCursor(cursorOrder(query, order), 1, [last.at, last.id])
      : (query.cursor ?? writeCursor(cursorOrder(query, order), 1, newestMoment)),
    pagination: { limit: query.limit, hasNext: rows.length > query.limit },
  }
}

/**
 * The lines of an owner `o`. Each source reads one page through an index; the newest lines of all sources are the page. At
 * least one row if the owner exists.
 */
export const timelineSql = (owner: 'debtors' | 'invoices', sources: readonly string[]) =>
  `select l.*
     from ${owner} o
     left join lateral (
       select * from (${sources.map(source => `(${source})`).join(' union all ')}) line
        order by at desc, id desc limit $4) l on true
    where o.id = $1
    order by l.at desc, l.id desc`

/** The columns of a line about money, from a posting `p`, its payment `y` or credit note `c` and its invoice `i`. */
const moneyColumns = `p.entry_id as id, p.posted_at as at, 'money' as kind,
  case p.kind when 'payment' then 'payment_received' when 'refund' then 'payment_refunded'
    when 'reversal' then 'payment_reversed' else 'credit_added' end as code,
  jsonb_strip_nulls(jsonb_build_object('amountCents', abs(p.amount_cents), 'currency', i.currency,
    'method', case when p.kind = 'payment' then y.method end, 'instrument', case when p.kind = 'payment' then y.instrument end, 'number', c.number,
    'reason', case p.kind when 'refund' then y.refund_reason when 'reversal' then y.failure_reason end)) as params,
  '' as details, p.actor, null as action, null as channel, null as status, p.invoice_id, null::uuid as communication_id`

/** Lines about money of a debtor or an invoice, read through the index that `by` begins. */
export const moneySql = (by: string) =>
  `select ${moneyColumns}
     from (select * from postings p
            where ${by} and p.account = 'receivable' and (p.posted_at, p.entry_id) < ($2::timestamptz, $3::uuid)
            order by p.posted_at desc, p.entry_id desc limit $4) p
     join invoices i on i.tenant_id = p.tenant_id and i.id = p.invoice_id
     left join payments y on y.tenant_id = p.tenant_id and y.id = p.source_id
     left join credits c on c.tenant_id = p.tenant_id and c.id = p.source_id`

/** Lines of the history. */
export const actionsSql = (by: string) =>
  `select a.id, a.executed_at as at, 'action' as kind, a.code, a.params, a.details, a.actor, a.action, a.channel, a.status,
          a.invoice_id, a.communication_id
     from actions a
    where ${by} and (a.executed_at, a.id) < ($2::timestamptz, $3::uuid)
    order by a.executed_at desc, a.id desc limit $4`

/** Notes of the company. */
export const notesSql = (by: string) =>
  `select n.id, n.created_at as at, 'note' as kind, 'note_written' as code,
          jsonb_strip_nulls(jsonb_build_object('note', n.text, 'comeBackOn', n.come_back_on)) as params, '' as details, n.actor,
          null as action, null as channel, null as status, n.invoice_id, null::uuid as communication_id
     from debtor_notes n
    where ${by} and (n.created_at, n.id) < ($2::timestamptz, $3::uuid)
    order by n.created_at desc, n.id desc limit $4`
