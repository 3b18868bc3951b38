import { z } from 'zod'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import { calendarDays } from '../../../domain/contact/contact-calendar.ts'
import { COOLDOWN } from '../../../domain/contact/contact-rules.ts'
import { holidayIn } from '../../../domain/contact/holiday-names.ts'
import { answers, messageNames } from '../../../domain/recovery/cascade.ts'
import type { FutureAction } from '../../../domain/recovery/forecast.ts'
import { outlookOf } from '../../../domain/recovery/outlook.ts'
import type { Hold, RecoveryStatus } from '../../../domain/recovery/recovery-state.ts'
import { addDays, daysBetween, instantOf, type LocalDate, localTime, MINUTE } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { ApiError } from '../../../kit/errors.ts'
import { dateTime, day, integerText, outputUuid, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { calendarOfDebtor, contactObstacles } from '../../recovery/case/debtor-calendar.ts'
import { contactFile } from '../../recovery/case/debtor-file.ts'
import { selectDebtorFile } from '../../recovery/case/debtor-file-store.ts'
import { debtorUnknown } from '../../recovery/case/errors.ts'
import { reasonCodes } from '../../recovery/case/reason-texts.ts'
import { selectWaitingExtras } from '../../recovery/case/recovery-store.ts'
import { actionsOfDebtor, messagesOf } from '../../recovery/workflow/forecast-debtor.ts'
import { selectRecoveriesToForecast } from '../../recovery/workflow/forecast-store.ts'
import { PlannedMessage, toPlannedMessage } from '../../recovery/workflow/plan-schema.ts'
import { obstacles } from '../../recovery/workflow/schema.ts'

const daysMax = 42
const daysUsual = 28

const ContactPiece = z
  .object({
    from: dateTime,
    until: dateTime.meta({
      description:
        'The end of the piece and the start of the next; the last one ends with the requested period',
    }),
    allowed: z.boolean(),
    because: z
      .enum(contactObstacles)
      .nullable()
      .meta({ description: 'What closes it; null where it is open' }),
    params: z.record(z.string(), z.union([z.string(), z.number()])).meta({
      description: 'What the reason is about: a day, a holiday and its place, a channel, a number of days',
    }),
    opensAt: dateTime.nullable().meta({
      description:
        'When the channel opens next, as things stand: the first allowed moment, on a whole minute where a rule of contact ends; null where it is open or only an event opens it',
    }),
    contactAt: dateTime
      .nullable()
      .meta({ description: 'The contact that closes it: on that channel, or on that day' }),
  })
  .meta({ id: 'ContactPiece', description: 'A piece of time in which one verdict holds' })

const contactStates = ['reserved', 'sending', 'sent', 'delivered', 'unknown', 'bounced', 'failed'] as const

const ContactCalendar = z
  .object({
    debtorId: outputUuid,
    from: dateTime,
    until: dateTime,
    timeZone: z.string().nullable().meta({ description: 'Null when no calendar covers the country' }),
    region: z.string().nullable().meta({ description: 'Whose public holidays apply, such as `FR-AM`' }),
    now: dateTime.meta({ description: "In a sandbox, by the sandbox's clock" }),
    days: z
      .array(
        z.object({
          date: z.string().meta({ format: 'date' }),
          isToday: z.boolean().meta({ description: 'Whether `now` is on this day' }),
          from: dateTime,
          opens: dateTime.meta({ description: '08:00; nothing is open before it' }),
          closes: dateTime.meta({ description: '20:00; nothing is open from it on' }),
          until: dateTime,
          countedAt: dateTime.meta({
            description: 'The moment of `inSevenDays`: `now` for today, the opening for any other day',
          }),
          inSevenDays: z.int().meta({
            description:
              'Contacts that count for the weekly limit at `countedAt`: the most in any seven rolling days (7 × 24 hours, to the minute) that hold this moment',
          }),
        }),
      )
      .meta({ description: 'The days, where the debtor is' }),
    caps: z
      .object({
        perWeek: z.int().meta({ description: 'In seven rolling days' }),
        perMonth: z.int().meta({ description: 'In thirty rolling days' }),
      })
      .nullable()
      .meta({ description: 'The most contacts that are allowed; null where there is no limit' }),
    cooldownMinutes: z.int().meta({ description: 'Between two contacts on one channel' }),
    stopped: z.enum(reasonCodes).nullable().meta({
      description:
        'Why nothing is sent for the company or this debtor at the moment, whatever the calendar says',
    }),
    channels: z.array(
      z.object({
        channel: z.enum(channels),
        closed: z.enum(contactObstacles).nullable().meta({
          description: 'What closes the channel whatever the day and the hour; null if nothing does',
        }),
        pieces: z
          .array(ContactPiece)
          .meta({ description: 'The whole time, without a gap; judged with the contacts made so far' }),
      }),
    ),
    contacts: z.array(
      z.object({
        communicationId: outputUuid,
        at: dateTime,
        channel: z.enum(channels),
        action: z.enum(messageNames),
        state: z.enum(contactStates),
        counts: z
          .boolean()
          .meta({ description: 'Whether the rules count it: a bounce or a failure they do not' }),
        isOtherRecord: z
          .boolean()
          .meta({ description: 'Made through another record with the same email or phone' }),
      }),
    ),
    planned: z
      .array(PlannedMessage)
      .meta({ description: 'What follows if every message is accepted and nothing else happens' }),
    outlook: z
      .object({
        next: z.enum(['message', 'decision', 'nothing']).meta({
          description: 'A message leaves, a person decides and nothing leaves before, or nothing is planned',
        }),
        at: dateTime.nullable().meta({
          description:
            'When, whichever days were asked for; null for a decision that waits now, and for nothing',
        }),
        channel: z.enum(channels).nullable().meta({ description: 'Of a message' }),
        because: z.array(z.enum(obstacles)).meta({
          description:
            'Why nothing leaves before, or at all, in codes: what holds it or what still moves it; `cascade` where its own day has not come',
        }),
      })
      .meta({ description: 'What comes next, and why nothing is sent before, as of now' }),
  })
  .meta({ id: 'ContactCalendar' })

const selectAgenda = sql(
  'debtors.get-agenda',
  'select quiet_until, parked_because from agendas where tenant_id = $1 and debtor_id = $2',
)

const openMax = 1_000
const selectOpen = sql(
  'debtors.list-open-recoveries',
  `select status, holds, due_at is not null as is_waiting, case when due_at is null then due_because end as because,
          communication_id is not null as is_on_its_way
     from (select status, holds, due_at, due_because, communication_id from recoveries
            where debtor_id = $1 and ended_at is null order by invoice_id limit ${openMax}) open
    group by 1, 2, 3, 4, 5`,
).as<{
  status: RecoveryStatus
  holds: Hold[]
  is_waiting: boolean
  because: string | null
  is_on_its_way: boolean
}>()

interface ContactRow {
  id: string
  debtor_id: string
  channel: Channel
  step: string
  state: (typeof contactStates)[number]
  at: number
}
const contactRowsSql = `select id, debtor_id, channel, step, state, coalesce(sent_at, reserved_at) as at from communications`
// Those of the debtor, and those through another record of the person: the rules count both.
const selectContacts = sql(
  'debtors.list-contacts-between',
  `select * from (
     (${contactRowsSql} where debtor_id = $1 and reserved_at >= $2 and reserved_at < $3 and state in ('${contactStates.join("', '")}')
        and step <> all ('{${answers}}') order by reserved_at limit 500)
     union all
     (${contactRowsSql} where id = any ($4::uuid[]) and debtor_id <> $1 and reserved_at >= $2 and reserved_at < $3)) contacts
    order by at`,
).as<ContactRow>()

export const getCalendar = operation({
  id: 'debtors.calendar',
  method: 'GET',
  path: '/api/v1/debtors/:id/calendar',
  summary: 'Read when a debtor may be contacted, on each channel, to the minute, and by which rule not',
  description:
    'Up to 42 days, in pieces of time that are open or closed by one rule, with the contacts made and planned. Stops, providers that fail and daily limits are not part of the pieces.',
  scopes: ['debtors:read', 'workflow:read'],
  params: z.strictObject({ id: uuid }),
  query: z
    .strictObject({
      from: day.optional().meta({ description: 'First day, where the debtor is; today if left out' }),
      to: day.optional().meta({ description: 'Last day; 28 days in all if left out, 42 at most' }),
      back: integerText(0, daysMax - daysUsual, 0).meta({
        description: 'Without `from`: begins so many days before today, and is as much longer',
      }),
      language: z
        .enum(['fr', 'en'])
        .default('en')
        .meta({ description: 'Language of the names of public holidays and their places' }),
    })
    .meta({ id: 'ContactCalendarQuery' }),
  status: 200,
  reply: ContactCalendar,
  errors: [debtorUnknown],
  usesNow: true,
  assistant: 'read',
  async run({ tx, actor, params, query, now }) {
    const [[file], [agenda], waiting, extras, open] = await Promise.all([
      tx.rows(selectDebtorFile, [params.id]),
      tx.rows(selectAgenda, [actor.tenantId, params.id]),
      tx.rows(selectRecoveriesToForecast, [params.id]),
      tx.rows(selectWaitingExtras, [params.id]),
      tx.rows(selectOpen, [params.id]),
    ])
    if (!file) throw debtorUnknown.make()
    const rules = contactFile(file, agenda ?? null)
    const zone = rules.calendar?.zones[0] ?? 'UTC'
    const span = spanOf(query, zone, now)
    const others = file.contacts.map(({ communicationId }) => communicationId)
    const contacts = await tx.rows(selectContacts, [params.id, iso(span.from), iso(span.until), others])
    const stopped = file.stop_reason ?? agenda?.parked_because ?? null
    const actions = stopped === null ? actionsOfDebtor({ file, rules, waiting, extras }, now) : []
    const holdsOf = new Map(waiting.map(({ invoice_id, holds }) => [invoice_id, holds]))
    const rulesOf = new Map(
      extras.map(({ id, due_because: because }) => [id, because === null ? [] : [because]]),
    )
    const waitsFor = ({ communicationId: id, invoiceId }: FutureAction) =>
      (id === null ? holdsOf.get(invoiceId) : rulesOf.get(id)) ?? []
    const outlook = outlookOf(
      actions,
      open.map(({ is_waiting, is_on_its_way, ...recovery }) => ({
        ...recovery,
        isWaiting: is_waiting,
        isOnItsWay: is_on_its_way,
      })),
      { now, stopped, waitsFor },
    )
    return {
      debtorId: file.id,
      from: iso(span.from),
      until: iso(span.until),
      timeZone: rules.calendar?.zones[0] ?? null,
      region: rules.calendar?.region ?? null,
      now: iso(now),
      days: calendarDays(rules, zone, span, now).map(day => ({
        date: day.date,
        isToday: day.date === localTime(zone, now).date,
        from: iso(day.from),
        opens: iso(day.opens),
        closes: iso(day.closes),
        until: iso(day.until),
        countedAt: iso(day.countedAt),
        inSevenDays: day.inSevenDays,
      })),
      caps: rules.caps && { ...rules.caps },
      cooldownMinutes: COOLDOWN / MINUTE,
      stopped,
      channels: calendarOfDebtor(file, rules, span).map(({ channel, closed, pieces }) => ({
        channel,
        closed,
        pieces: pieces.map(piece => ({
          ...piece,
          from: iso(piece.from),
          until: iso(piece.until),
          params: { ...piece.params, ...holidayParams(piece.params, query.language) },
          opensAt: piece.opensAt === null ? null : iso(piece.opensAt),
          contactAt: piece.contactAt === null ? null : iso(piece.contactAt),
        })),
      })),
      contacts: contacts.map(({ id, debtor_id, at, channel, step, state }) => ({
        communicationId: id,
        at: iso(at),
        channel,
        action: step,
        state,
        counts: state !== 'bounced' && state !== 'failed',
        isOtherRecord: debtor_id !== file.id,
      })),
      planned: messagesOf(actions)
        .filter(({ at }) => at >= span.from && at < span.until)
        .map(toPlannedMessage),
      outlook: {
        next: outlook.next,
        at: outlook.at === null ? null : iso(outlook.at),
        channel: outlook.channel,
        because: [...outlook.because],
      },
    }
  },
})

const holidayParams = ({ holiday, place }: Readonly<Record<string, unknown>>, language: 'fr' | 'en') => {
  if (typeof holiday !== 'string' || typeof place !== 'string') return {}
  const named = holidayIn(language, { name: holiday, place })
  return { holiday: named.name, place: named.place }
}

/** From the beginning of the first day to the end of the last, where the debtor is. */
function spanOf(
  { from, to, back }: { from?: LocalDate | undefined; to?: LocalDate | undefined; back: number },
  zone: string,
  now: number,
): { from: number; until: number } {
  const today = localTime(zone, now).date
  const first = from ?? addDays(today, -back)
  const last = to ?? addDays(from ?? today, daysUsual - 1)
  const days = daysBetween(first, last) + 1
  if (days < 1) throw invalidTo('is before the first day')
  if (days > daysMax) throw invalidTo(`is more than ${daysMax} days after the first day`)
  return { from: instantOf(zone, first, 0), until: instantOf(zone, addDays(last, 1), 0) }
}

function invalidTo(message: string): ApiError {
  return new ApiError('VAL_002', `to ${message}.`, { details: [{ field: 'to', code: 'invalid', message }] })
}
