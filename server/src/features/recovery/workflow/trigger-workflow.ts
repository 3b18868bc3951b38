import { z } from 'zod'
import {
  type Hold,
  held,
  mayTrigger,
  recoveryStatuses,
  type TriggerVerdict,
  triggerActions,
} from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { ApiError } from '../../../kit/errors.ts'
import { line, moment, optional, uuid } from '../../../kit/fields.ts'
import { type Call, operation } from '../../../kit/operation.ts'
import { cancelRecovery } from '../case/cancel-recovery.ts'
import { type Case, type CaseRow, changeCase, openCase } from '../case/case.ts'
import { afterRelease, holdRecovery, inFlightOf } from '../case/change.ts'
import { courtNotPossible, messageLeaving, startedAlready, stillHeld, wrongStatus } from '../case/errors.ts'
import { addActions } from '../case/history.ts'
import { inFlightMessages } from '../case/in-flight.ts'
import { invoiceAlreadyPaid, invoiceIsClosed, invoiceNotFound } from '../case/invoice-errors.ts'
import { tellAction } from '../case/tell-action.ts'
import { escalate } from './escalate.ts'
import { startRecovery } from './start-recovery.ts'
import { toWorkflow, Workflow } from './workflow.ts'

const TriggerInput = z
  .strictObject({
    action: z.enum(triggerActions),
    reason: optional(line(500)).meta({ description: 'Kept in the history; never shown to the debtor' }),
    until: optional(moment).meta({ description: 'With pause only: when it ends by itself' }),
    dryRun: optional(z.boolean()).meta({
      description: 'Judges and answers what would become of the recovery, and changes nothing',
    }),
  })
  .superRefine((body, context) => {
    if (body.until !== undefined && body.action !== 'pause')
      context.addIssue({ code: 'custom', path: ['until'], message: 'goes with pause only' })
  })
  .meta({ id: 'TriggerInput' })
type TriggerInput = z.output<typeof TriggerInput>

const Triggered = Workflow.extend({
  previousStatus: z.enum(recoveryStatuses),
  inFlight: inFlightMessages,
}).meta({ id: 'TriggeredWorkflow' })

/** What a trigger would make of a recovery, and how it is done. */
interface Move {
  next: CaseRow
  details: string
  carryOut(): unknown
}

export const triggerWorkflow = operation({
  id: 'workflow.trigger',
  method: 'POST',
  path: '/api/v1/workflow/invoice/:invoiceId/trigger',
  summary: 'Start, pause, resume, cancel or escalate a recovery',
  description:
    'Takes effect with the answer. Escalate jumps to the next more intrusive step, at the next legal moment; when none is left, or the time of the formal notice is over, it takes the case to court.',
  scopes: ['workflow:trigger'],
  params: z.strictObject({ invoiceId: uuid }),
  body: TriggerInput,
  status: 200,
  reply: Triggered,
  errors: [
    invoiceNotFound,
    startedAlready,
    invoiceAlreadyPaid,
    invoiceIsClosed,
    wrongStatus,
    stillHeld,
    courtNotPossible,
    messageLeaving,
  ],
  assistant: 'confirm',
  example: { body: { action: 'pause', reason: 'The customer asked for the delivery note' } },
  async run(call) {
    const { tx, actor, params, body, now, newId } = call
    const of = await openCase(tx, actor.tenantId, params.invoiceId)
    if (!of) throw invoiceNotFound.make()
    const { row } = of
    refusePast(body, now)
    const verdict = mayTrigger(body.action, row, row.invoice_status)
    if (!verdict.allowed) throw refusal(body, of, verdict)
    const [move, inFlight] = await Promise.all([judge(call, of), inFlightOf(tx, of)])
    if (body.dryRun !== true) {
      addActions(tx, [
        {
          id: newId(),
          invoiceId: row.invoice_id,
          action: body.action,
          channel: null,
          status: 'done',
          details: body.reason === undefined ? move.details : `${move.details} Reason: ${body.reason}`,
          communicationId: null,
          at: now,
        },
      ])
      await move.carryOut()
      tellAction(call, of, body.action, move.details)
    }
    return {
      ...toWorkflow({
        ...move.next,
        is_sending: false,
        look_at: null,
        look_because: null,
        parked_because: of.agenda?.parked_because ?? null,
      }),
      previousStatus: row.status,
      inFlight,
    }
  },
})

/** What a person may decide to end; the others end when what they stand for does. */
const resumable: readonly Hold[] = ['asked', 'promise', 'reopened', 'upheld']

async function judge(call: Call<unknown, unknown, TriggerInput>, of: Case): Promise<Move> {
  const { body, now } = call
  const { row } = of
  switch (body.action) {
    case 'start':
      return { ...(await startRecovery(call, of)), details: 'Started.' }
    case 'pause': {
      const end = body.until === undefined ? null : { at: body.until, because: 'resume' as const }
      return {
        next: { ...row, ...held(row, 'asked') },
        details: end ? `Paused until ${iso(end.at)}.` : 'Paused.',
        carryOut: () => holdRecovery(call, of, 'asked', end),
      }
    }
    case 'resume': {
      const changes = afterRelease(of, resumable, now) ?? {}
      return {
        next: { ...row, ...changes },
        details: 'Resumed.',
        carryOut: () => changeCase(call, of, changes),
      }
    }
    case 'cancel':
      return {
        next: { ...row, status: 'cancelled' },
        details: 'Cancelled.',
        carryOut: () => cancelRecovery(call, of),
      }
    case 'escalate':
      return escalate(call, of)
  }
}

function refusePast(body: TriggerInput, now: number): void {
  if (body.until === undefined || body.until > now) return
  const message = 'must be in the future'
  throw new ApiError('VAL_001', `until ${message}.`, {
    details: [{ field: 'until', code: 'invalid', message }],
  })
}

function refusal(
  { action }: TriggerInput,
  { row }: Case,
  verdict: Exclude<TriggerVerdict, { allowed: true }>,
): ApiError {
  if (verdict.because === 'held') return stillHeld.make(verdict.by)
  if (action === 'start')
    return verdict.because === 'already_started'
      ? startedAlready.make(row.status)
      : row.invoice_status === 'paid'
        ? invoiceAlreadyPaid.make('; there is nothing to recover')
        : invoiceIsClosed.make(row.invoice_status)
  return wrongStatus.make(action, row.status)
}
