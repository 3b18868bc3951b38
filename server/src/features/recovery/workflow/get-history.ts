import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { iso } from '../../../kit/clock.ts'
import type { Tables } from '../../../kit/db/schema.generated.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { ActorRef } from '../../../kit/events.ts'
import { dateTime, outputUuid, pageQuery, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { pagination } from '../../../kit/page.ts'
import { actorNames } from '../../access/people/actor-names.ts'
import { ShownActor } from '../../access/people/schema.ts'
import { invoiceNotFound } from '../case/errors.ts'
import { type HistoryStatus, historyStatuses } from '../case/history.ts'
import { historyCodes, type StoredLine, shownLine } from '../case/history-texts.ts'

const HistoryEntry = z
  .object({
    action: z.string(),
    channel: z.enum(channels).nullable(),
    executedAt: dateTime,
    status: z.enum(historyStatuses),
    details: z.string().meta({ description: 'The code and its parameters as an English sentence' }),
    code: z
      .enum(historyCodes)
      .nullable()
      .meta({ description: 'Null in lines that are older than the codes' }),
    params: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What the code is about; which there are depends on the code' }),
    communicationId: outputUuid.nullable().meta({
      description: 'The message that executed it',
    }),
    actor: ShownActor.nullable().meta({ description: 'Null in lines that are older than the codes' }),
  })
  .meta({ id: 'HistoryEntry' })

// At least one row if the invoice exists, so that one query distinguishes an empty history from an unknown invoice.
const selectPage = sql(
  'workflow.list-history',
  `select a.action, a.channel, a.status, a.details, a.code, a.params, a.actor, a.executed_at, a.communication_id, t.total
     from invoices i
     cross join lateral (select count(*) as total from actions where invoice_id = i.id) t
     left join lateral (
       select * from actions where invoice_id = i.id order by executed_at, id limit $2 offset $3) a on true
    where i.id = $1
    order by a.executed_at, a.id`,
).as<
  Pick<Tables['actions'], 'action' | 'channel' | 'status' | 'executed_at' | 'communication_id'> &
    StoredLine & { actor: ActorRef | null; total: number }
>()

export const getHistory = operation({
  id: 'workflow.history',
  method: 'GET',
  path: '/api/v1/workflow/invoice/:invoiceId/history',
  summary: 'Read what was done in a recovery, the oldest first',
  scopes: ['workflow:read'],
  params: z.strictObject({ invoiceId: uuid }),
  query: pageQuery,
  status: 200,
  reply: HistoryEntry,
  list: true,
  errors: [invoiceNotFound],
  assistant: 'read',
  async run({ tx, params, query }) {
    const rows = await tx.rows(selectPage, [params.invoiceId, query.limit, (query.page - 1) * query.limit])
    const total = rows[0]?.total
    if (total === undefined) throw invoiceNotFound.make()
    const lines = rows.filter(row => row.action !== null)
    const shownActor = await actorNames(
      tx,
      lines.map(({ actor }) => actor),
    )
    return {
      items: lines.map(row => {
        const { code, params, sentence } = shownLine(row, 'en')
        return {
          action: row.action,
          channel: row.channel as (typeof channels)[number] | null,
          executedAt: iso(row.executed_at),
          status: row.status as HistoryStatus,
          details: sentence,
          code,
          params,
          communicationId: row.communication_id,
          actor: shownActor(row.actor),
        }
      }),
      pagination: pagination(query, total),
    }
  },
})
