import { z } from 'zod'
import { type Channel, channels } from '../../../../domain/contact/channel.ts'
import { type TriedState, triedStates } from '../../../../domain/contact/message-state.ts'
import { DAY, HOUR } from '../../../../domain/time.ts'
import { iso } from '../../../../kit/clock.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { ApiError } from '../../../../kit/errors.ts'
import { dateTime, integerText, moment, outputUuid } from '../../../../kit/fields.ts'
import {
  countedMax,
  idShape,
  momentShape,
  newestMoment,
  positionOf,
  writeCursor,
} from '../../../../kit/list.ts'
import { operation } from '../../../../kit/operation.ts'

/** The hours of a day on which clocks are set back. */
const hoursMax = 25

const ListedCommunication = z
  .object({
    id: outputUuid,
    debtor: z.object({ id: outputUuid, name: z.string() }),
    channel: z.enum(channels),
    step: z.string(),
    state: z.enum(triedStates),
    at: dateTime.meta({ description: 'When it was decided to send it' }),
    sentAt: dateTime.nullable().meta({ description: 'When its provider took it' }),
    reason: z.string().nullable().meta({ description: 'Why it was not sent' }),
    invoice: z
      .object({ id: outputUuid, number: z.string().meta({ description: "The creditor's" }) })
      .nullable()
      .meta({ description: 'The first invoice it was sent for' }),
    invoiceCount: z.int().meta({ description: 'How many invoices it is about' }),
  })
  .meta({ id: 'ListedCommunication' })

const Query = z
  .strictObject({
    limit: integerText(1, 100, 50),
    cursor: z
      .string()
      .max(300)
      .optional()
      .meta({ description: '`pagination.nextCursor` of the previous page: continues with older entries' }),
    sentFrom: moment.optional().meta({ description: 'Without it, a day before `sentTo`' }),
    sentTo: moment
      .optional()
      .meta({ description: 'Not included; without it, a day after `sentFrom`, or now' }),
    channel: z.enum(channels).optional(),
    state: z.enum(triedStates).optional().meta({
      description: '`unknown` without `sentFrom` and `sentTo`: all that still wait for a person',
    }),
  })
  .meta({ id: 'CommunicationListQuery' })

// A reservation is valid for ten minutes. If a lookup at the provider finds out much later that a message was sent, it is listed
// at the time of its decision.
const lateAfter = `interval '15 minutes'`
const momentSql = `case when c.sent_at < c.reserved_at + ${lateAfter} then c.sent_at else c.reserved_at end`

const pageSql = (which: string) =>
  `select c.id, c.debtor_id, d.name as debtor_name, c.channel, c.step, c.state, c.reserved_at, c.sent_at, c.reason,
          i.id as invoice_id, i.number as invoice_number,
          (select count(*)::integer from communication_invoices l where l.communication_id = c.id) as invoice_count
     from (select * from communications c
            where ${which} and c.state = any ($1::text[]) and ($2::text is null or c.channel = $2)
              and (c.reserved_at, c.id) < ($3::timestamptz, $4::uuid)
            order by c.reserved_at desc, c.id desc limit $5) c
     join debtors d on d.id = c.debtor_id
     left join invoices i on i.id = c.lead_invoice_id
    order by c.reserved_at desc, c.id desc`

interface Row {
  id: string
  debtor_id: string
  debtor_name: string
  channel: Channel
  step: string
  state: TriedState
  reserved_at: number
  sent_at: number | null
  reason: string | null
  invoice_id: string | null
  invoice_number: string | null
  invoice_count: number
}

const selectPage = sql(
  'messages.list',
  pageSql(`c.reserved_at >= $6::timestamptz - ${lateAfter} and c.reserved_at < $7
    and ${momentSql} >= $6 and ${momentSql} < $7`),
).as<Row>()
// Old rows are purged, so a tenant has few. The condition on the lowest id makes the planner use the key.
const selectUnknown = sql(
  'messages.list-unknown',
  pageSql(`c.id = any (array(
     select u.communication_id from unknown_messages u
      where u.tenant_id = $6 and u.communication_id > '00000000-0000-0000-0000-000000000000'
      order by u.communication_id limit ${countedMax}))`),
).as<Row>()

const order = 'decided'

export const listCommunications = operation({
  id: 'communications.list',
  method: 'GET',
  path: '/api/v1/communications',
  summary: 'List the messages of a day or of an hour, the newest first',
  description:
    'What was sent, and what failed. A quarter hour of `GET /api/v1/reports/today` is found by `sentFrom` and `sentTo`. A message whose sending became known more than 15 minutes after it was decided is listed by the moment of the decision.',
  scopes: ['workflow:read', 'debtors:read'],
  query: Query,
  status: 200,
  reply: ListedCommunication,
  list: true,
  paging: 'feed',
  errors: [],
  assistant: 'read',
  usesNow: true,
  async run({ tx, actor, query, now }) {
    const { limit, channel, state } = query
    const { after, order: thisOrder } = positionOf({ ...query, page: 1 }, order, [momentShape, idShape])
    const [at, id] = after ?? newestMoment
    const asked = [
      state ? [state] : triedStates,
      channel ?? null,
      iso(Number(at)),
      String(id),
      limit + 1,
    ] as const
    const waits = state === 'unknown' && query.sentFrom === undefined && query.sentTo === undefined
    const rows = waits
      ? await tx.rows(selectUnknown, [...asked, actor.tenantId])
      : await tx.rows(selectPage, [...asked, ...rangeOf(query, now)])
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    return {
      items: shown.map(row => ({
        id: row.id,
        debtor: { id: row.debtor_id, name: row.debtor_name },
        channel: row.channel,
        step: row.step,
        state: row.state,
        at: iso(row.reserved_at),
        sentAt: row.sent_at === null ? null : iso(row.sent_at),
        reason: row.reason,
        invoice: row.invoice_id === null ? null : { id: row.invoice_id, number: row.invoice_number! },
        // An extra message has no rows of invoices; it is about its lead invoice.
        invoiceCount: Math.max(row.invoice_count, row.invoice_id === null ? 0 : 1),
      })),
      nextCursor: writeCursor(thisOrder, 1, last ? [last.reserved_at, last.id] : [at!, id!]),
      pagination: { limit, hasNext: rows.length > limit },
    }
  },
})

function rangeOf({ sentFrom, sentTo }: z.output<typeof Query>, now: number): [from: string, to: string] {
  const to = sentTo ?? (sentFrom === undefined ? now : sentFrom + DAY)
  const from = sentFrom ?? to - DAY
  if (to <= from || to - from > hoursMax * HOUR) {
    const message = `must be later than sentFrom, by ${hoursMax} hours at most`
    throw new ApiError('VAL_002', `sentTo ${message}.`, {
      details: [{ field: 'sentTo', code: 'invalid', message }],
    })
  }
  return [iso(from), iso(to)]
}
