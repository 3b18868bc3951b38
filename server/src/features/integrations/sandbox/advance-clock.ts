import { z } from 'zod'
import { horizonWarnings } from '../../../domain/contact/calendar.ts'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import { addDays, localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { ApiError } from '../../../kit/errors.ts'
import { newEvent } from '../../../kit/events.ts'
import { dateTime, moment, optional, outputUuid } from '../../../kit/fields.ts'
import { operation, WithWarnings } from '../../../kit/operation.ts'
import { lowestIdOf } from '../../../kit/uuid.ts'
import { findCompany } from '../../access/companies/company.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { saveDayFigures } from '../../receivables/reports/day-figures.ts'
import { alertTimeBars } from '../../recovery/case/alert-time-bars.ts'
import { type HistoryStatus, historyStatuses } from '../../recovery/case/history.ts'
import { shownLine } from '../../recovery/case/history-texts.ts'
import { sandboxAdvanced } from './audit-events.ts'
import { duration, longestAdvance } from './duration.ts'
import { sandboxIsRunning } from './errors.ts'
import { countDueDebtors, lockIdleSandbox, lockRetryMs } from './idle-sandbox.ts'
import { moveClock } from './store.ts'

const AdvanceInput = z
  .strictObject({
    advance: optional(duration).meta({ description: 'How far, as an ISO 8601 duration; 366 days at most' }),
    to: optional(moment).meta({ description: 'Or until when, in the time of the sandbox' }),
  })
  .superRefine(({ advance, to }, context) => {
    if (advance === undefined && to === undefined)
      context.addIssue({ code: 'custom', path: ['advance'], message: 'is required' })
    if (advance !== undefined && to !== undefined)
      context.addIssue({ code: 'custom', path: ['to'], message: 'cannot be combined with advance' })
  })
  .meta({ id: 'AdvanceInput' })

const Advance = z
  .object({
    status: z.enum(['done', 'running']).meta({
      description: 'Running: not everything was done within 20 seconds; it continues',
    }),
    from: dateTime,
    now: dateTime,
    happened: z
      .array(
        z.object({
          at: dateTime,
          invoiceId: outputUuid,
          invoiceNumber: z.string(),
          action: z.string(),
          channel: z.enum(channels).nullable(),
          status: z.enum(historyStatuses),
          details: z.string(),
        }),
      )
      .meta({
        description: 'The history of all recoveries in that time, the oldest first, 500 lines at most',
      }),
    more: z.boolean().meta({ description: 'There are further lines: read the history of an invoice' }),
  })
  .meta({ id: 'Advance' })

const linesMax = 500
/** Clock difference between hosts that is tolerated; ids carry the wall time of the host that made them. */
const clockDriftMs = 10_000

interface HistoryLine {
  executed_at: number
  invoice_id: string
  number: string
  action: string
  channel: Channel | null
  status: HistoryStatus
  details: string
  code: string | null
  params: Record<string, unknown> | null
}
// The history lines written since the advance began, whatever their moment; limited, because a long advance of many
// recoveries writes very many.
const readHappened = sql(
  'sandbox.list-happened',
  `select a.executed_at, a.invoice_id, (select i.number from invoices i where i.id = a.invoice_id) as number, a.action, a.channel,
          a.status, a.details, a.code, a.params
     from (select * from actions where id > $1 order by id limit 20000) a
    where a.executed_at > $2 and a.invoice_id is not null order by a.executed_at, a.id limit ${linesMax + 1}`,
).as<HistoryLine>()

const waitMaxMs = 20_000
/** Polls often at first, since most sandboxes are small; then less often. */
const pauseAfter = (waitedMs: number) => (waitedMs < 1_000 ? 25 : waitedMs < 5_000 ? 100 : 250)

export const advanceClock = operation({
  id: 'sandbox.advance',
  method: 'POST',
  path: '/api/v1/sandbox/clock',
  summary: 'Advance the clock of the sandbox, and return what happened',
  description:
    'Sandbox credentials only. Everything that comes due happens at its own moment, as it would have: messages, pauses that end, promises that are broken. The clock only goes forward, to the end of 2099; a reset sets it back. The answer waits up to 20 seconds for all of it; one advance at a time.',
  scopes: ['workflow:trigger'],
  environment: 'sandbox',
  body: AdvanceInput,
  status: 200,
  reply: Advance,
  errors: [sandboxIsRunning],
  lockRetryMs,
  assistant: 'confirm',
  audit: [sandboxAdvanced],
  example: { body: { advance: 'P3D' } },
  async run(call) {
    const { tx, actor, now, wall, body } = call
    const ms = body.advance ?? msUntil(body.to!, now)
    refuseBeyondEnd(now + ms, body.to === undefined ? 'advance' : 'to')
    await lockIdleSandbox(tx, actor.tenantId, wall)
    const { time_zone: zone } = await findCompany(tx, actor.companyId)
    // In production the night writes the figures of the day and alerts before time bars. A sandbox has its own days.
    await saveDayFigures(tx, localTime(zone, now).date)
    await tx.rows(moveClock, [ms])
    const { date: today } = localTime(zone, now + ms)
    await alertTimeBars(tx, { now: now + ms, wall, newId: call.newId }, today)
    const about = { from: iso(now), to: iso(now + ms) }
    recordAudit(tx, [newEvent(sandboxAdvanced, actor.tenantId, about)], call)
    return { status: 'running' as const, from: iso(now), now: iso(now + ms), happened: [], more: false }
  },
  followUp: {
    async run({ tx, actor, startedAt, wall, pause }, initialReply) {
      let isDone = false
      for (;;) {
        isDone = (await countDueDebtors(tx, actor.tenantId, wall())) === 0
        const waited = wall() - startedAt
        if (isDone || waited >= waitMaxMs) break
        await pause(pauseAfter(waited))
      }
      const lines = await tx.rows(readHappened, [lowestIdOf(startedAt - clockDriftMs), initialReply.from])
      const reply = {
        ...initialReply,
        status: isDone ? ('done' as const) : ('running' as const),
        happened: lines.slice(0, linesMax).map(line => ({
          at: iso(line.executed_at),
          invoiceId: line.invoice_id,
          invoiceNumber: line.number,
          action: line.action,
          channel: line.channel,
          status: line.status,
          details: shownLine(line, 'en').sentence,
        })),
        more: lines.length > linesMax,
      }
      const warnings = horizonWarnings(addDays(initialReply.now.slice(0, 10), planDays))
      return warnings.length > 0 ? new WithWarnings(reply, warnings) : reply
    },
  },
})

/** The clock of a sandbox ends here: dates after 2100 are refused everywhere. */
const clockEnds = Date.parse('2099-12-31T23:59:59.999Z')
/** About how far ahead a new invoice is planned. */
const planDays = 60

function refuseBeyondEnd(to: number, field: 'advance' | 'to'): void {
  if (to <= clockEnds) return
  const message =
    'leads beyond 2099, where the clock of a sandbox ends; POST /api/v1/sandbox/reset empties it and sets its clock back'
  throw new ApiError('VAL_001', `${field} ${message}.`, { details: [{ field, code: 'invalid', message }] })
}

function msUntil(to: number, now: number): number {
  const ms = to - now
  if (ms > 0 && ms <= longestAdvance) return ms
  const message =
    ms > 0
      ? 'is more than 366 days away; go there in several steps'
      : `is not after ${iso(now)}, the sandbox's time; its clock only goes forward`
  throw new ApiError('VAL_001', `to ${message}.`, { details: [{ field: 'to', code: 'invalid', message }] })
}
