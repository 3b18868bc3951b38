import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { uuid } from '../../../kit/fields.ts'
import { newestMoment } from '../../../kit/list.ts'
import { operation } from '../../../kit/operation.ts'
import { debtorUnknown } from '../../recovery/case/errors.ts'
import { TimelineEntry, TimelineQuery, timelineKinds } from './schema.ts'
import {
  actionsSql,
  type FoundLine,
  moneySql,
  notesSql,
  startOf,
  timelinePage,
  timelineSql,
} from './timeline.ts'

// A message about many invoices is one line here, with the history line of its lead invoice. A failed attempt that is repeated
// has no line in the history.
const messagesSql = `select c.id, c.reserved_at as at, 'message' as kind,
          coalesce(a.code, case when a.id is not null then null when c.state = 'failed' then 'message_failed'
            when c.state = 'unknown' then 'message_unknown' else 'message_accepted' end) as code,
          coalesce(a.params, jsonb_strip_nulls(jsonb_build_object('channel', c.channel, 'reason', c.reason))) as params,
          coalesce(a.details, '') as details, coalesce(a.actor, jsonb_build_object('kind', 'worker', 'id', c.id)) as actor,
          c.step as action, c.channel, coalesce(a.status, c.state) as status, c.lead_invoice_id as invoice_id, c.id as communication_id
     from (select * from communications c
            where c.debtor_id = o.id and c.state = any ('{sent,delivered,bounced,failed,unknown}')
              and (c.reserved_at, c.id) < ($2::timestamptz, $3::uuid)
            order by c.reserved_at desc, c.id desc limit $4) c
     left join actions a on a.tenant_id = c.tenant_id and a.communication_id = c.id and a.invoice_id = c.lead_invoice_id`

/** The lines of a source, or none of them: the source is not read where another kind is asked for. */
const ofKind = (kind: (typeof timelineKinds)[number], source: string) =>
  `select * from (${source}) lines where $5::text is null or $5 = '${kind}'`

const selectTimeline = sql(
  'timeline.list-of-debtor',
  timelineSql('debtors', [
    ofKind('message', messagesSql),
    ofKind('action', actionsSql('a.debtor_id = o.id')),
    ofKind('money', moneySql('p.debtor_id = o.id')),
    ofKind('note', notesSql('n.debtor_id = o.id')),
  ]),
).as<FoundLine>()

/** The newest lines of a debtor, and one row without a line if there is none. */
export const newestLines = (tx: Tx, debtorId: string, limit: number): Promise<FoundLine[]> => {
  const [at, id] = newestMoment
  return tx.rows(selectTimeline, [debtorId, iso(Number(at)), String(id), limit, null])
}

export const readDebtorTimeline = operation({
  id: 'debtors.timeline',
  method: 'GET',
  path: '/api/v1/debtors/:id/timeline',
  summary: 'Read what happened with a debtor, the newest first',
  description:
    'Messages, what people and Relance did about them, promises, disputes, answers, money and notes, of all invoices. Each line says who did it, as a code with parameters and as a sentence. Follow `cursor` to what is older.',
  scopes: ['workflow:read', 'payments:read'],
  params: z.strictObject({ id: uuid }),
  query: TimelineQuery.extend({
    kind: z.enum(timelineKinds).optional().meta({ description: 'Only lines of this kind' }),
  }),
  status: 200,
  reply: TimelineEntry,
  list: true,
  paging: 'feed',
  errors: [debtorUnknown],
  assistant: 'read',
  async run({ tx, params, query }) {
    const rows = await tx.rows(selectTimeline, [params.id, ...startOf(query), query.kind ?? null])
    if (rows.length === 0) throw debtorUnknown.make()
    return timelinePage(tx, query, rows)
  },
})
