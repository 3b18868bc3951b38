import { z } from 'zod'
import type { Environment, Scope } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { ApiError } from '../../../kit/errors.ts'
import { integerText, optional, uuid } from '../../../kit/fields.ts'
import { idShape, positionOf, writeCursor } from '../../../kit/list.ts'
import { operation } from '../../../kit/operation.ts'
import { eventsNotReadable } from './errors.ts'
import { events } from './event-catalogue.ts'
import { readScopeOf } from './event-scopes.ts'
import { contentOf } from './post-delivery.ts'
import { EventBody } from './schema.ts'

/** How many events a request scans, including those that the caller may not read or did not ask for. */
const scannedMax = 1_000

const EventsQuery = z
  .strictObject({
    limit: integerText(1, 100, 100),
    cursor: z.string().max(300).optional().meta({
      description:
        '`pagination.nextCursor` of the request before, also of the last one: it is where to go on later',
    }),
    types: z.string().max(1_000).optional().meta({
      description: 'Names of events, with commas between; all that the caller may read unless given',
    }),
    invoiceId: optional(uuid).meta({
      description: 'Only events about this invoice, in the order of `sequence`',
    }),
    start: z.enum(['oldest', 'now']).optional().meta({
      description:
        'Where to begin without a cursor: with the oldest event that is kept, or with what happens from now on',
    }),
  })
  .superRefine(({ start, invoiceId }, context) => {
    if (start !== undefined && invoiceId !== undefined)
      context.addIssue({ code: 'custom', path: ['start'], message: 'and invoiceId cannot be combined' })
  })
type EventsQuery = z.output<typeof EventsQuery>

interface EventRow {
  id: string
  type: string
  data: Record<string, unknown>
  sequence: number
  occurred_at: number
  xact: number
}

/** One row per event that was found, or one row without an event; each contains how far the scan got. */
interface FoundRow {
  environment: Environment
  scanned: number
  last: Pick<EventRow, 'id' | 'xact' | 'sequence'> | null
  event: EventRow | null
}

const feedSql = (where: string, order: string, types: string, limit: string) =>
  `with scanned as materialized (
     select id, type, data, sequence, occurred_at, xact from events where ${where} order by ${order} limit ${scannedMax})
   select t.environment, (select count(*)::integer from scanned) as scanned,
          (select jsonb_build_object('id', id, 'xact', xact, 'sequence', sequence)
             from scanned order by ${order.replaceAll(/(,|$)/g, ' desc$1')} limit 1) as last,
          case when e.id is not null then jsonb_build_object('id', e.id, 'type', e.type, 'data', e.data, 'sequence', e.sequence,
            'occurred_at', floor(extract(epoch from e.occurred_at) * 1000), 'xact', e.xact) end as event
     from tenants t
     left join lateral (select * from scanned where type = any (${types}::text[]) order by ${order} limit ${limit}) e on true
    where t.id = current_setting('relance.tenant')::uuid`

// Below the oldest open transaction everything is committed: no new event can appear there.
const horizonSql = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint'
const selectEvents = sql(
  'webhooks.list-events',
  feedSql(`(xact, id) > ($1::bigint, $2::uuid) and xact < ${horizonSql}`, 'xact, id', '$3', '$4'),
).as<FoundRow>()
// The numbers of an invoice's events are assigned under its lock: a later number is never committed before an earlier one.
const selectInvoiceEvents = sql(
  'webhooks.list-events-of-invoice',
  feedSql('subject_id = $1 and sequence > $2', 'sequence', '$3', '$4'),
).as<FoundRow>()
const readHorizon = sql('webhooks.get-event-horizon', `select ${horizonSql} as xact`).as<{ xact: number }>()

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const firstId = '00000000-0000-0000-0000-000000000000'
const wholeNumber = /^\d{1,16}$/

export const listEvents = operation({
  id: 'events.list',
  method: 'GET',
  path: '/api/v1/events',
  summary: 'Read events in the order in which they were committed, from a cursor on',
  description:
    'The same bodies as webhooks receive, for programs that cannot be called or want to catch up. Returns the events whose read scope the caller has. Store `pagination.nextCursor` and use it for the next request: no event is skipped and none is returned twice. An event appears as soon as no transaction that began before it is still open, usually at once. Events are kept for 90 days.',
  scopes: ['workflow:read'],
  orScopes: [['invoices:read'], ['payments:read'], ['debtors:read']],
  query: EventsQuery,
  status: 200,
  reply: EventBody,
  list: true,
  paging: 'feed',
  errors: [eventsNotReadable],
  assistant: 'read',
  async run({ tx, actor, query }) {
    const wanted = wantedTypes(query.types, actor.scopes)
    const { rows, cursorOf, before } = await scan(tx, query, wanted)
    const [first] = rows
    const found = rows.flatMap(({ event }) => event ?? [])
    const shown = found.slice(0, query.limit)
    const isFull = found.length > query.limit
    const last = isFull ? shown.at(-1) : first?.last
    return {
      items: shown.map(row => {
        const { environment } = first!
        return { ...contentOf({ ...row, environment, createdAt: iso(row.occurred_at) }), data: row.data }
      }),
      nextCursor: last ? cursorOf(last) : before,
      pagination: { limit: query.limit, hasNext: isFull || first?.scanned === scannedMax },
    }
  },
})

/** The events asked for, or all; none that the caller may not read. */
function wantedTypes(types: string | undefined, scopes: readonly Scope[]): readonly string[] {
  const known = events.map(({ type }) => type)
  if (types === undefined) return known.filter(type => scopes.includes(readScopeOf(type)))
  const named = types.split(',').map(type => type.trim())
  const unknown = named.filter(type => !known.includes(type))
  if (unknown.length > 0) {
    const message = `has no event of the name ${unknown[0]}; GET /api/v1/webhooks/events lists them`
    throw new ApiError('VAL_002', `types ${message}.`, {
      details: [{ field: 'types', code: 'invalid', message }],
    })
  }
  const needed = [...new Set(named.map(readScopeOf))]
  if (!needed.every(scope => scopes.includes(scope))) throw eventsNotReadable.make(needed)
  return named
}

interface Scan {
  rows: readonly FoundRow[]
  cursorOf(row: Pick<EventRow, 'id' | 'xact' | 'sequence'>): string
  /** The cursor that was given, or that of the beginning. */
  before: string
}

async function scan(tx: Tx, query: EventsQuery, wanted: readonly string[]): Promise<Scan> {
  const { limit, cursor, invoiceId, start } = query
  const page = { page: 1, limit, cursor }
  if (invoiceId !== undefined) {
    const order = 'events of an invoice'
    const after = positionOf(page, order, [wholeNumber]).after?.[0] ?? 0
    return {
      rows: await tx.rows(selectInvoiceEvents, [invoiceId, after, wanted, limit + 1]),
      cursorOf: ({ sequence }) => writeCursor(order, 1, [sequence]),
      before: writeCursor(order, 1, [after]),
    }
  }
  const cursorOf = ({ xact, id }: Pick<EventRow, 'id' | 'xact'>) => writeCursor('events', 1, [xact, id])
  const given = positionOf(page, 'events', [wholeNumber, idShape]).after
  if (!given && start === 'now') {
    const [horizon] = await tx.rows(readHorizon, [])
    return { rows: [], cursorOf, before: cursorOf({ xact: horizon!.xact - 1, id: lastId }) }
  }
  const [xact, id] = (given ?? [0, firstId]) as [number, string]
  return {
    rows: await tx.rows(selectEvents, [xact, id, wanted, limit + 1]),
    cursorOf,
    before: cursorOf({ xact, id }),
  }
}
