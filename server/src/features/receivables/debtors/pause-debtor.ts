import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { ApiError } from '../../../kit/errors.ts'
import { newEvent } from '../../../kit/events.ts'
import { dateTime, line, moment, optional, outputUuid, uuid } from '../../../kit/fields.ts'
import { type Answer, type Call, operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { lockAgenda } from '../../recovery/case/agenda-store.ts'
import { contactFile, isPaused } from '../../recovery/case/debtor-file.ts'
import { selectDebtorFile } from '../../recovery/case/debtor-file-store.ts'
import { debtorErased, debtorUnknown } from '../../recovery/case/errors.ts'
import { selectWaitingExtras } from '../../recovery/case/recovery-store.ts'
import { inFlightMessages } from '../../recovery/case/schema.ts'
import {
  holdAllRecoveries,
  movePauseEnd,
  refreshAgendas,
  releaseAllRecoveries,
  stopMessagesToDebtors,
} from '../../recovery/holds/hold-debtor.ts'
import { forecastDebtor } from '../../recovery/workflow/forecast-debtor.ts'
import { selectRecoveriesToForecast } from '../../recovery/workflow/forecast-store.ts'
import { dryRunMark, PlannedMessage, toPlannedMessage } from '../../recovery/workflow/plan-schema.ts'
import { debtorPaused, debtorResumed } from './audit-events.ts'

const dryRun = optional(z.boolean()).meta({
  default: false,
  description: 'Answers what would become of the debtor, and changes nothing',
})
const reason = optional(line(500)).meta({ description: 'Kept in the history; the debtor can ask for a copy' })

const DebtorPauseInput = z
  .strictObject({
    until: optional(moment).meta({
      description: 'When it ends by itself; without it, it lasts until it is ended',
    }),
    reason,
    dryRun,
  })
  .meta({ id: 'DebtorPauseInput' })

const DebtorResumeInput = z.strictObject({ reason, dryRun }).meta({ id: 'DebtorResumeInput' })

const plan = z
  .object({ before: z.array(PlannedMessage), after: z.array(PlannedMessage) })
  .optional()
  .meta({
    description:
      'With dryRun and the scope workflow:read: the messages planned now, and those there would be',
  })

const DebtorPause = z
  .object({
    debtorId: outputUuid,
    since: dateTime,
    until: dateTime.nullable(),
    recoveriesHeld: z
      .int()
      .meta({ description: 'Recoveries that were not already held by a pause of the debtor' }),
    inFlight: inFlightMessages,
    dryRun: dryRunMark,
    plan,
  })
  .meta({ id: 'DebtorPause' })

const DebtorResume = z
  .object({
    debtorId: outputUuid,
    recoveriesReleased: z.int().meta({
      description: 'Recoveries that the pause held; what else holds one of them goes on holding it',
    }),
    dryRun: dryRunMark,
    plan,
  })
  .meta({ id: 'DebtorResume' })

const lockPause = sql(
  'debtors.lock-pause',
  'select paused_at, paused_until, restricted_at is not null as is_restricted, erased_at is not null as is_erased from debtors where id = $1 for no key update',
)
const savePause = sql(
  'debtors.save-pause',
  'update debtors set paused_at = $2, paused_until = $3, updated_at = $4 where id = $1',
)

type PauseCall = Pick<Call<{ id: string }, unknown, unknown>, 'tx' | 'actor' | 'params' | 'now'>

/** The planned messages of the debtor, in the current state of this transaction. */
async function plannedFor({ tx, actor, params, now }: PauseCall): Promise<z.input<typeof PlannedMessage>[]> {
  const [[agenda], [file], waiting, extras] = await Promise.all([
    tx.rows(lockAgenda, [actor.tenantId, params.id]),
    tx.rows(selectDebtorFile, [params.id]),
    tx.rows(selectRecoveriesToForecast, [params.id]),
    tx.rows(selectWaitingExtras, [params.id]),
  ])
  if (!file) throw debtorUnknown.make()
  const rules = contactFile(file, agenda ?? null)
  return forecastDebtor({ file, rules, waiting, extras }, now).map(toPlannedMessage)
}

/** Adds the plans only for callers that may read them. */
async function withPlannedMessages<Reply extends object>(
  call: PauseCall,
  perform: () => Promise<Answer<Reply>>,
): Promise<Answer<Reply>> {
  if (!call.actor.scopes.includes('workflow:read')) return perform()
  const before = await plannedFor(call)
  const answer = (await perform()) as Reply
  return { ...answer, plan: { before, after: await plannedFor(call) } }
}

export const pauseDebtor = operation({
  id: 'debtors.pause',
  method: 'POST',
  path: '/api/v1/debtors/:id/pause',
  summary: 'Pause every recovery of a debtor, also those that come later',
  description:
    'Takes effect with the answer: after it nothing is sent but the messages it names as in flight, and answers to the debtor. A debtor that is paused already gets the new end.',
  scopes: ['debtors:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid }),
  body: DebtorPauseInput,
  status: 200,
  reply: DebtorPause,
  errors: [debtorUnknown, debtorErased],
  assistant: 'confirm',
  audit: [debtorPaused],
  example: { body: { reason: 'A meeting is fixed', until: '2027-01-11T09:00:00+01:00' } },
  rehearse: withPlannedMessages,
  async run(call) {
    const { tx, actor, params, body, now } = call
    await tx.rows(lockAgenda, [actor.tenantId, params.id])
    const [current] = await tx.rows(lockPause, [params.id])
    if (!current) throw debtorUnknown.make()
    if (current.is_erased) throw debtorErased.make()
    const until = body.until ?? null
    if (until !== null && until <= now) throw untilInPast()
    const since = isPaused(current, now) ? current.paused_at! : now
    const answer = { debtorId: params.id, since: iso(since), until: until === null ? null : iso(until) }
    await tx.rows(savePause, [params.id, answer.since, answer.until, iso(now)])
    const inFlight = await stopMessagesToDebtors(
      call,
      [params.id],
      { channels: [], everything: true },
      'debtor',
    )
    // A request about personal data has no end of its own.
    const end = current.is_restricted ? null : until
    await movePauseEnd(call, params.id, end)
    const recoveriesHeld = await holdAllRecoveries(
      call,
      [params.id],
      'debtor',
      {
        code: 'debtor_paused',
        params: {
          ...(answer.until !== null && { until: answer.until }),
          ...(body.reason !== undefined && { reason: body.reason }),
        },
      },
      end,
    )
    refreshAgendas(call, [params.id])
    recordAudit(tx, [newEvent(debtorPaused, params.id, { debtorId: params.id, until: answer.until })], call)
    return { ...answer, recoveriesHeld, inFlight }
  },
})

export const resumeDebtor = operation({
  id: 'debtors.resume',
  method: 'POST',
  path: '/api/v1/debtors/:id/resume',
  summary: 'End the pause of a debtor: its recoveries go on, planned from today',
  description:
    'What is planned is moved by the length of the pause. A debtor that is not paused answers the same, and nothing changes. A request about personal data goes on holding the reminders.',
  scopes: ['debtors:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid }),
  body: DebtorResumeInput,
  status: 200,
  reply: DebtorResume,
  errors: [debtorUnknown, debtorErased],
  assistant: 'confirm',
  audit: [debtorResumed],
  example: { body: { reason: 'The meeting took place' } },
  rehearse: withPlannedMessages,
  async run(call) {
    const { tx, actor, params, body, now } = call
    const [agenda] = await tx.rows(lockAgenda, [actor.tenantId, params.id])
    const [current] = await tx.rows(lockPause, [params.id])
    if (!current) throw debtorUnknown.make()
    if (current.is_erased) throw debtorErased.make()
    await tx.rows(savePause, [params.id, null, null, iso(now)])
    const recoveriesReleased = current.is_restricted
      ? 0
      : await releaseAllRecoveries(call, params.id, agenda ?? null, 'debtor', body.reason)
    refreshAgendas(call, [params.id])
    recordAudit(tx, [newEvent(debtorResumed, params.id, { debtorId: params.id })], call)
    return { debtorId: params.id, recoveriesReleased }
  },
})

function untilInPast(): ApiError {
  const message = 'must be in the future'
  return new ApiError('VAL_001', `until ${message}.`, {
    details: [{ field: 'until', code: 'invalid', message }],
  })
}
