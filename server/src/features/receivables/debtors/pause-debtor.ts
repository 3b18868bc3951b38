import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { refusedField } from '../../../kit/errors.ts'
import { newEvent } from '../../../kit/events.ts'
import { dateTime, days, line, moment, optional, outputUuid, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { lockAgenda } from '../../recovery/case/agenda-store.ts'
import { isPaused } from '../../recovery/case/debtor-file.ts'
import { debtorErased, debtorUnknown } from '../../recovery/case/errors.ts'
import type { OperationContext } from '../../recovery/case/open-recovery.ts'
import { inFlightMessages } from '../../recovery/case/schema.ts'
import { pauseAllRecoveries, refreshAgendas, releaseAllRecoveries } from '../../recovery/holds/hold-debtor.ts'
import { debtorPaused, debtorResumed } from './audit-events.ts'
import { dryRun, ofDebtorDryRun, withPlannedMessages } from './rehearse-debtor.ts'

const reason = optional(line(500)).meta({ description: 'Kept in the history; the debtor can ask for a copy' })

const DebtorPauseInput = z
  .strictObject({
    until: optional(moment).meta({
      ...days(0, null),
      description: 'When it ends by itself; without it, it lasts until it is ended',
    }),
    reason,
    dryRun,
  })
  .meta({ id: 'DebtorPauseInput' })

const DebtorResumeInput = z.strictObject({ reason, dryRun }).meta({ id: 'DebtorResumeInput' })

const DebtorPause = z
  .object({
    debtorId: outputUuid,
    since: dateTime,
    until: dateTime.nullable(),
    recoveriesHeld: z
      .int()
      .meta({ description: 'Recoveries that were not already held by a pause of the debtor' }),
    inFlight: inFlightMessages,
    ...ofDebtorDryRun,
  })
  .meta({ id: 'DebtorPause' })

const DebtorResume = z
  .object({
    debtorId: outputUuid,
    recoveriesReleased: z.int().meta({
      description: 'Recoveries that the pause held; what else holds one of them goes on holding it',
    }),
    ...ofDebtorDryRun,
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
  run: call => pauseReminders(call, call.params.id, call.body),
})

/** `isAtLeast`: a pause that lasts longer keeps its end. */
export async function pauseReminders(
  context: OperationContext,
  debtorId: string,
  input: Pick<z.output<typeof DebtorPauseInput>, 'until' | 'reason'>,
  isAtLeast = false,
): Promise<z.input<typeof DebtorPause>> {
  const { tx, actor, now } = context
  await tx.rows(lockAgenda, [actor.tenantId, debtorId])
  const [current] = await tx.rows(lockPause, [debtorId])
  if (!current) throw debtorUnknown.make()
  if (current.is_erased) throw debtorErased.make()
  const asked = input.until ?? null
  if (asked !== null && asked <= now) throw refusedField('until', 'past', 'must be in the future')
  const wasPaused = isPaused(current, now)
  const until = wasPaused && isAtLeast ? laterEnd(current.paused_until, asked) : asked
  const since = wasPaused ? current.paused_at! : now
  const answer = { debtorId, since: iso(since), until: until === null ? null : iso(until) }
  await tx.rows(savePause, [debtorId, answer.since, answer.until, iso(now)])
  const said = {
    ...(answer.until !== null && { until: answer.until }),
    ...(input.reason !== undefined && { reason: input.reason }),
  }
  const paused = { code: 'debtor_paused', params: said } as const
  // A request about personal data has no end of its own.
  const end = current.is_restricted ? null : until
  const { inFlight, recoveriesHeld } = await pauseAllRecoveries(context, debtorId, paused, end)
  recordAudit(tx, [newEvent(debtorPaused, debtorId, { debtorId, until: answer.until })], context)
  return { ...answer, recoveriesHeld, inFlight }
}

const laterEnd = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : Math.max(one, other)

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
