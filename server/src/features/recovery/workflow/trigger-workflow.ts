import { z } from 'zod'
import {
  type Hold,
  mayTrigger,
  recoveryStatuses,
  type TriggerVerdict,
  triggerActions,
  withHold,
} from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { type ApiError, refusedField } from '../../../kit/errors.ts'
import { newEvent } from '../../../kit/events.ts'
import { days, fault, line, moment, optional, uuid } from '../../../kit/fields.ts'
import { type Call, operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { cancelRecovery } from '../case/cancel-recovery.ts'
import { afterRelease, holdRecovery } from '../case/change-recovery.ts'
import { isPaused } from '../case/debtor-file.ts'
import { planAfter } from '../case/debtor-plan.ts'
import {
  alreadyEscalated,
  courtNotPossible,
  firstContactPending,
  invoiceAlreadyPaid,
  invoiceIsClosed,
  invoiceNotFound,
  messageLeaving,
  startedAlready,
  stillHeld,
  wrongStatus,
} from '../case/errors.ts'
import type { ActionEffect } from '../case/events.ts'
import { planExtraMessage } from '../case/extra-message.ts'
import { addActions } from '../case/history.ts'
import type { HistoryFact } from '../case/history-codes.ts'
import { sentenceOf } from '../case/history-texts.ts'
import {
  changeRecovery,
  type LockedRecoveryRow,
  type OpenRecovery,
  openRecovery,
} from '../case/open-recovery.ts'
import { recordActionEvent } from '../case/record-action.ts'
import { inFlightMessages } from '../case/schema.ts'
import { inFlightOf, type StopResult } from '../case/stop-messages.ts'
import { workflowTriggered } from './audit-events.ts'
import { prepareEscalation } from './escalate.ts'
import { ofDryRun } from './plan-schema.ts'
import { dryRun, withPlans } from './rehearse.ts'
import { toWorkflow, Workflow } from './schema.ts'
import { prepareStart } from './start-recovery.ts'

const TriggerInput = z
  .strictObject({
    action: z.enum(triggerActions),
    reason: optional(line(500)).meta({ description: 'Kept in the history; the debtor can ask for a copy' }),
    noticeReceived: optional(z.boolean()).meta({
      description:
        'With escalate only: the creditor confirms that the debtor received the formal notice; kept in the history',
    }),
    until: optional(moment).meta({
      ...days(0, null),
      description: 'With pause only: when it ends by itself',
    }),
    dryRun,
  })
  .superRefine((body, context) => {
    if (body.noticeReceived === true && body.action !== 'escalate')
      context.addIssue({
        code: 'custom',
        path: ['noticeReceived'],
        ...fault('not_together', 'goes with escalate only'),
      })
    if (body.until !== undefined && body.action !== 'pause')
      context.addIssue({ code: 'custom', path: ['until'], ...fault('not_together', 'goes with pause only') })
  })
  .meta({ id: 'TriggerInput' })
type TriggerInput = z.output<typeof TriggerInput>

const Triggered = Workflow.extend({
  previousStatus: z.enum(recoveryStatuses),
  inFlight: inFlightMessages,
  ...ofDryRun,
}).meta({ id: 'TriggeredWorkflow' })

/** The recovery as it will be after the trigger, and the function that makes the change. */
interface PreparedChange {
  next: LockedRecoveryRow
  fact: HistoryFact
  effect: ActionEffect
  /** What it stopped, if it stops messages. */
  execute(): Promise<Pick<StopResult, 'inFlight'> | undefined>
}

export const triggerWorkflow = operation({
  id: 'workflow.trigger',
  method: 'POST',
  path: '/api/v1/workflow/invoice/:invoiceId/trigger',
  summary: 'Start, pause, resume, cancel or escalate a recovery',
  description:
    'Takes effect with the answer. Escalate jumps to the next more intrusive step, at the next allowed moment; before the first contact was sent there is none to jump from (BIZ_004, `first_contact_pending`), and a step that waits for that moment already cannot be moved (`already_escalated`). When none is left, or the time of the formal notice is over, it ends the amicable stage (status `judicial`): nothing is filed. That needs a formal notice whose receipt is proven, or `noticeReceived`.',
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
    firstContactPending,
    alreadyEscalated,
    messageLeaving,
  ],
  assistant: 'confirm',
  audit: [workflowTriggered],
  example: { body: { action: 'pause', reason: 'The customer asked for the delivery note' } },
  rehearse: (call, perform) => withPlans(call, [call.params.invoiceId], perform),
  async run(call) {
    const { tx, actor, params, body, now, newId } = call
    const recovery = await openRecovery(call, params.invoiceId)
    if (!recovery) throw invoiceNotFound.make()
    const { row } = recovery
    refuseUntilInPast(body, now)
    const state = { status: row.status, holds: row.holds.filter(hold => !isOver(recovery, hold, now)) }
    const verdict = mayTrigger(body.action, state, row.invoice_status)
    if (!verdict.allowed) throw refusal(body, recovery, verdict)
    const [change, beingSent] = await Promise.all([prepareChange(call, recovery), inFlightOf(tx, recovery)])
    addActions(tx, [
      {
        id: newId(),
        invoiceId: row.invoice_id,
        action: body.action,
        channel: null,
        status: 'done',
        ...withReason(change.fact, body.reason),
        debtorId: row.debtor_id,
        actor,
        communicationId: null,
        at: now,
      },
    ])
    const { inFlight } = (await change.execute()) ?? { inFlight: beingSent }
    const plan = await planAfter(tx, recovery, change.next, now)
    recordActionEvent(call, recovery, body.action, change.effect, sentenceOf(change.fact, 'en'))
    const about = {
      invoiceId: row.invoice_id,
      action: body.action,
      previousStatus: row.status,
      ...(body.noticeReceived && { noticeReceived: true }),
    }
    recordAudit(tx, [newEvent(workflowTriggered, row.invoice_id, about)], call)
    return {
      ...toWorkflow({
        ...change.next,
        is_sending: false,
        planned: plan.next.get(row.invoice_id) ?? null,
        is_unplanned: false,
        look_because: null,
        parked_because: recovery.agenda?.parked_because ?? null,
        stop_reason: recovery.file.stop_reason,
      }),
      previousStatus: row.status,
      inFlight,
    }
  },
})

const withReason = (fact: HistoryFact, reason: string | undefined): HistoryFact =>
  reason === undefined ? fact : ({ ...fact, params: { ...fact.params, reason } } as HistoryFact)

/** The holds that a person may end. The others end only with their cause. */
const resumableHolds: readonly Hold[] = ['asked', 'promise', 'reopened', 'upheld']

/** The pause of the debtor has ended, but is still in the row, because another hold lasts longer. */
const isOver = ({ file }: OpenRecovery, hold: Hold, now: number): boolean =>
  hold === 'debtor' && !isPaused(file, now)

async function prepareChange(
  call: Call<unknown, unknown, TriggerInput>,
  recovery: OpenRecovery,
): Promise<PreparedChange> {
  const { body, now } = call
  const { row } = recovery
  switch (body.action) {
    case 'start': {
      const { next, execute } = await prepareStart(call, recovery)
      return {
        next,
        fact: { code: 'started', params: {} },
        effect: 'started',
        execute: async () => void execute(),
      }
    }
    case 'pause': {
      const end = body.until === undefined ? null : { at: body.until, because: 'resume' as const }
      return {
        next: { ...row, ...withHold(row, 'asked') },
        fact: { code: 'paused', params: end ? { until: iso(end.at) } : {} },
        effect: 'paused',
        execute: () => holdRecovery(call, recovery, 'asked', end),
      }
    }
    case 'resume': {
      const ended = row.holds.filter(hold => resumableHolds.includes(hold) || isOver(recovery, hold, now))
      const changes = afterRelease(recovery, ended, now) ?? {}
      return {
        next: { ...row, ...changes },
        fact: { code: 'resumed', params: {} },
        effect: 'resumed',
        async execute() {
          changeRecovery(call, recovery, changes)
          // The debtor was told that the reminders have stopped: they hear first that these go on.
          if (ended.includes('upheld')) {
            const about = { outcome: 'resumed' }
            planExtraMessage(call, recovery, {
              step: 'dispute_resolved',
              channel: 'email',
              at: now,
              because: null,
              about,
            })
          }
          return undefined
        },
      }
    }
    case 'cancel':
      return {
        next: { ...row, status: 'cancelled' },
        fact: { code: 'cancelled', params: {} },
        effect: 'cancelled',
        execute: () => cancelRecovery(call, recovery),
      }
    case 'escalate':
      return prepareEscalation(call, recovery, body.noticeReceived === true)
  }
}

function refuseUntilInPast(body: TriggerInput, now: number): void {
  if (body.until === undefined || body.until > now) return
  throw refusedField('until', 'past', 'must be in the future')
}

function refusal(
  { action }: TriggerInput,
  { row }: OpenRecovery,
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
