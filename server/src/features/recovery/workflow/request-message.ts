import { z } from 'zod'
import type { Channel } from '../../../domain/contact/channel.ts'
import {
  hasLegalEffect,
  needsLetterFirst,
  notCollectedBecause,
  unreachableBecause,
} from '../../../domain/recovery/cascade.ts'
import { afterSend } from '../../../domain/recovery/next-step.ts'
import { isNothingAsked } from '../../../domain/recovery/time-bar.ts'
import { iso } from '../../../kit/clock.ts'
import { refusedField } from '../../../kit/errors.ts'
import { newEvent } from '../../../kit/events.ts'
import { uuid } from '../../../kit/fields.ts'
import { type Call, operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { forgetBrokenPromise } from '../case/broken-promise.ts'
import { holdOfDebtor } from '../case/debtor-file.ts'
import { planAfter } from '../case/debtor-plan.ts'
import {
  channelScopeMissing,
  collectorMayNot,
  invoiceNotFound,
  noMoreReminders,
  notRunning,
  stillHeld,
} from '../case/errors.ts'
import { type Moment, planExtraMessage, planWhenOverdue } from '../case/extra-message.ts'
import { addActions } from '../case/history.ts'
import { changeRecovery, type OpenRecovery, openRecovery, planningContextOf } from '../case/open-recovery.ts'
import { reasonText } from '../case/reason-texts.ts'
import { recordActionEvent } from '../case/record-action.ts'
import { progressOf, stepOf } from '../case/recovery-store.ts'
import { dueColumns } from '../case/save-recoveries.ts'
import { stopMessages } from '../case/stop-messages.ts'
import { sealWritten } from '../case/written-text.ts'
import { messageRequested } from './audit-events.ts'
import { askedFor, MessageRequest, RequestedMessage } from './message-request-schema.ts'
import { findingsIn, refuseFindings, showMessage, tooLong } from './own-words.ts'
import { toShift } from './plan-schema.ts'
import { withPlans } from './rehearse.ts'

export const requestMessage = operation({
  id: 'workflow.communicate',
  method: 'POST',
  path: '/api/v1/workflow/invoice/:invoiceId/communications',
  summary: 'Send one message beside the cascade, at the next allowed moment',
  description:
    'The contact rules hold for it. It executes no step unless `replaceNextStep` asks for it, and makes no other message leave earlier; a pause, a cancellation or a payment in full cancels it.',
  scopes: ['notifications:send'],
  orScopes: [['lrar:send']],
  params: z.strictObject({ invoiceId: uuid }),
  body: MessageRequest,
  status: 202,
  reply: RequestedMessage,
  errors: [invoiceNotFound, notRunning, stillHeld, noMoreReminders, collectorMayNot, channelScopeMissing],
  assistant: 'confirm',
  audit: [messageRequested],
  example: { body: { channel: 'email', at: '2027-01-11T10:00:00+01:00' } },
  rehearse: (call, perform) => withPlans(call, [call.params.invoiceId], perform),
  async run(call) {
    const { tx, actor, params, body, now } = call
    const scope = body.channel === 'lrar' ? 'lrar:send' : 'notifications:send'
    if (!actor.scopes.includes(scope)) throw channelScopeMissing.make(body.channel, scope)
    const { step, words } = askedFor(body)
    const recovery = await openRecovery(call, params.invoiceId)
    if (!recovery) throw invoiceNotFound.make()
    const { row, file } = recovery
    if (row.status !== 'in_recovery') throw notRunning.make(row.status)
    const hold = holdOfDebtor(file, now)
    if (hold) throw stillHeld.make([hold])
    if (body.at !== undefined && body.at < now) throw refusedField('at', 'past', 'is in the past')
    const { rules, reach } = planningContextOf(recovery, now)
    const obstacle = unreachableBecause(reach, body.channel)
    if (obstacle) throw refusedField('channel', obstacle, obstacleTexts[obstacle])
    const notCollected = notCollectedBecause(reach)
    if (notCollected) throw collectorMayNot.make(notCollected)
    if (needsLetterFirst(reach, body.channel)) throw collectorMayNot.make('letter_first')
    const planned = planWhenOverdue(
      rules,
      recovery.row,
      { name: step, channel: body.channel },
      body.at ?? now,
    )
    if (planned.at === null)
      throw planned.because === 'calendar_horizon'
        ? refusedField('at', planned.because, 'is beyond the days whose public holidays are known')
        : refusedField(
            'channel',
            planned.because === 'foreign_consumer' ? planned.because : 'calendar_missing',
            planned.because === 'foreign_consumer'
              ? 'cannot be used: the rules that protect consumers in the debtor’s country are not known here'
              : 'cannot be used: no calendar of public holidays covers the debtor’s country',
          )
    const limitationEndsOn = row.limitation_ends_on
    if (isNothingAsked(rules, { limitationEndsOn }, planned.at)) throw noMoreReminders.make()
    const { at, wish, because } = planned
    const findings = findingsIn(words, { ...file, channel: body.channel })
    // Only the whole text message shows how long it is.
    const isShown = body.dryRun || (body.channel === 'sms' && words.text !== null)
    const shown = isShown
      ? await showMessage(call, recovery, { step, channel: body.channel, words, at })
      : null
    findings.push(...tooLong(shown))
    if (!body.dryRun) refuseFindings(findings)
    const isWritten = words.subject !== null || words.text !== null
    const seal = (id: string) => sealWritten(call.keyring, id, words)
    const extra = { step, channel: body.channel, at, wish, because, ...(isWritten && { seal }) }
    const id = planExtraMessage(call, recovery, extra)
    await forgetBrokenPromise(tx, row.invoice_id)
    if (body.replaceNextStep) await replaceNextStep(call, recovery, at)
    const leaves = await leavesAt(call, recovery, { ...planned, ...extra, id, at, wish: wish ?? at })
    const reasonCode = leaves.because ?? 'requested'
    const details = `${body.channel} planned for ${iso(leaves.at)}.`
    recordActionEvent(call, recovery, 'message', 'message_planned', details)
    const about = { invoiceId: row.invoice_id, messageId: id, channel: body.channel }
    recordAudit(tx, [newEvent(messageRequested, row.invoice_id, about)], call)
    return {
      id,
      invoiceId: row.invoice_id,
      channel: body.channel,
      scheduledAt: iso(leaves.at),
      reason: reasonText(reasonCode),
      reasonCode,
      shifts: leaves.shifts.map(toShift),
      ...(body.dryRun && { shown, findings }),
    }
  },
})

/** Leaves the waiting step out. What follows is planned as if it had been sent with the message. */
async function replaceNextStep(
  call: Call<unknown, unknown, unknown>,
  recovery: OpenRecovery,
  at: number,
): Promise<void> {
  const { tx, actor, now, newId } = call
  const { row } = recovery
  const { step } = stepOf(row)
  if (row.due_at === null || step.channel === null || hasLegalEffect(step))
    throw refusedField(
      'replaceNextStep',
      'not_replaceable',
      `is not possible: ${step.name} cannot be left out`,
    )
  await stopMessages(call, recovery, 'replaced', 'step')
  const following = afterSend(progressOf(row), 'accepted', { ...planningContextOf(recovery, now), now: at })
  changeRecovery(call, recovery, {
    step: following.step,
    attempt: following.attempt,
    not_before: null,
    ...dueColumns(following.plan),
  })
  addActions(tx, [
    {
      id: newId(),
      invoiceId: row.invoice_id,
      action: step.name,
      channel: step.channel,
      status: 'skipped',
      code: 'step_skipped',
      params: { because: 'replaced' },
      debtorId: row.debtor_id,
      actor,
      communicationId: null,
      at: now,
    },
  ])
}

/** When the message really leaves: other messages to the debtor compete with it. */
async function leavesAt(
  { tx, now }: Pick<Call<unknown, unknown, unknown>, 'tx' | 'now'>,
  recovery: OpenRecovery,
  extra: {
    id: string
    step: string
    channel: Channel
    at: number
    wish: number
    because: string | null
  } & Pick<Moment, 'shifts'>,
): Promise<{ at: number; because: string | null; shifts: Moment['shifts'] }> {
  const {
    invoice_id: invoiceId,
    due_date: dueDate,
    limitation_ends_on: limitationEndsOn,
    status,
  } = recovery.row
  const plan = await planAfter(tx, recovery, recovery.row, now, {
    ...extra,
    invoiceId,
    dueDate,
    limitationEndsOn,
    recovery: status,
  })
  const action = plan.extras.get(extra.id)
  if (action?.at == null || action.at === extra.at) return extra
  return { at: action.at, because: action.because, shifts: [...extra.shifts, ...action.shifts] }
}

const obstacleTexts = {
  channel_closed: 'is closed: the debtor does not want to be contacted this way',
  no_mobile: 'cannot be used: the debtor has no mobile number; add its phone',
  no_phone: 'cannot be used: the debtor has no telephone number; add its phone',
  no_address: 'cannot be used: the debtor has no postal address; add its address, postalCode and city',
  address_refused: 'cannot be used: its address refused a message; correct it, or let it be tried again',
}
