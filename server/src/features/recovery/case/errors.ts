import type { Channel } from '../../../domain/contact/channel.ts'
import type { CourtObstacle } from '../../../domain/recovery/formal-notice.ts'
import type { Hold, RecoveryStatus, TriggerAction } from '../../../domain/recovery/recovery-state.ts'
import type { Scope } from '../../../kit/actor.ts'
import { defineError } from '../../../kit/errors.ts'
import { holdTexts, obstacleTexts } from './reason-texts.ts'

export const startedAlready = defineError(
  'BIZ_002',
  (status: RecoveryStatus) =>
    `The recovery was started already and is ${status}; use pause, resume, cancel or escalate.`,
  'already_started',
)

const needs: Record<Exclude<TriggerAction, 'start'>, string> = {
  pause: 'is in_recovery',
  resume: 'is paused',
  cancel: 'is in_recovery or paused',
  escalate: 'is in_recovery',
}

export const wrongStatus = defineError(
  'BIZ_004',
  (action: Exclude<TriggerAction, 'start'>, status: RecoveryStatus) =>
    status === 'pending'
      ? `The recovery has not been started, so it cannot ${action}; start it first.`
      : `The recovery is ${status}; ${action} needs one that ${needs[action]}.`,
  'wrong_status',
)

export const stillHeld = defineError('BIZ_004', (by: readonly Hold[]) => ({
  message: `The recovery cannot go on yet: ${by.map(hold => holdTexts[hold]).join(', ')}. End that first.`,
  extras: { details: by.map(hold => ({ field: 'action', code: hold, message: holdTexts[hold] })) },
}))

/** No step is left, and something is missing for the end of the amicable stage. */
export const courtNotPossible = defineError(
  'BIZ_004',
  (missing: readonly CourtObstacle[], noticeChannel: Channel | null) => {
    const says = (one: CourtObstacle) =>
      one === 'formal_notice_unproven' && noticeChannel === 'email'
        ? 'the formal notice went by email: its receipt is not proven'
        : obstacleTexts[one]
    const advice = missing.includes('formal_notice_unproven')
      ? ' If you know that the debtor received the formal notice, confirm it with `noticeReceived`.'
      : ''
    return {
      message: `No more step is left, and the amicable stage cannot end yet: ${missing.map(says).join(', ')}.${advice}`,
      extras: { details: missing.map(one => ({ field: 'action', code: one, message: says(one) })) },
    }
  },
)

export const amicableStageRuns = defineError(
  'BIZ_004',
  (status: RecoveryStatus) =>
    `The recovery is ${status}: what was filed or served is recorded after the amicable stage has ended; escalate first.`,
  'amicable_stage_runs',
)

/** While a message of the step is being sent its outcome is open; the request can be repeated a few seconds later. */
export const messageLeaving = defineError('RES_004', () => ({
  message: 'A message of this recovery is being handed to its provider; repeat in a few seconds.',
  extras: { retryAfterSeconds: 5 },
}))

export const plannedMessageUnknown = defineError(
  'RES_001',
  () => 'There is no such message of this recovery that somebody asked for.',
)

export const messageIsOver = defineError(
  'BIZ_004',
  (status: string) => `The message is ${status}; only one that is still planned can be taken back.`,
  'message_over',
)

export const notRunning = defineError(
  'BIZ_004',
  (status: RecoveryStatus) =>
    status === 'pending'
      ? 'The recovery has not been started; start it before you send a message.'
      : `The recovery is ${status}; a message can be sent only while it is in_recovery.`,
  'not_running',
)

export const noMoreReminders = defineError(
  'BIZ_004',
  () => 'The debt is time-barred by then: a consumer is not reminded of it any more.',
  'time_barred',
)

const collectorTexts = {
  claim_unlisted: 'the invoice is in no list of claims of the mandate',
  collector_abroad: 'the collector may not collect in the debtor’s country',
  letter_first:
    'a collector’s first contact about an invoice is an email or a letter, and none was accepted yet',
}

export const collectorMayNot = defineError('BIZ_004', (because: keyof typeof collectorTexts) => ({
  message: `The message cannot be sent: ${collectorTexts[because]}.`,
  extras: { details: [{ field: 'channel', code: because, message: collectorTexts[because] }] },
}))

export const channelScopeMissing = defineError('AUTH_004', (channel: Channel, scope: Scope) => ({
  message: `This credential lacks the scope ${scope}, which a message by ${channel} needs.`,
  extras: { requiredScopes: [scope] },
}))

/** Nothing was executed yet, so there is no channel to be more intrusive than. */
export const firstContactPending = defineError(
  'BIZ_004',
  () => {
    const message = 'the first contact has not been sent'
    return {
      message: `The recovery cannot escalate yet: ${message}. next-action says when it is planned.`,
      extras: { details: [{ field: 'action', code: 'first_contact_pending', message }] },
    }
  },
  'first_contact_pending',
)

/** The more intrusive step waits for its next allowed moment already. */
export const alreadyEscalated = defineError(
  'BIZ_004',
  (step: string) => {
    const message = `${step} is next already, at the earliest allowed moment`
    return {
      message: `The recovery cannot escalate further now: ${message}. next-action says when.`,
      extras: { details: [{ field: 'action', code: 'already_escalated', message }] },
    }
  },
  'already_escalated',
)

export const debtorUnknown = defineError('RES_001', () => 'There is no such debtor.')

/** The record stays, because its invoices do, but nothing of the person is left to change or to contact. */
export const debtorErased = defineError(
  'RES_003',
  () => 'The person was erased: the record stays for its invoices, and cannot be changed or contacted.',
  'erased',
)

export const siretTaken = defineError(
  'RES_002',
  (siret: string) => `Another debtor has the SIRET ${siret}; use that one, or correct the number.`,
  'siret_taken',
  'siret',
)

export const invoiceNotFound = defineError('RES_001', () => 'There is no such invoice.')

export const invoiceNumberTaken = defineError(
  'RES_002',
  (number: string, isCancelled: boolean) =>
    isCancelled
      ? `Invoice ${number} exists already; its recovery was cancelled, and its number stays taken.`
      : `Invoice ${number} exists already; read it, or send another number.`,
  'number_taken',
  'invoiceNumber',
)

export const debtorNotFound = defineError(
  'BIZ_003',
  (id: string) => `There is no debtor ${id}; leave out debtor.id and send its name and email to create one.`,
)

export const recoveryAlreadyStarted = defineError(
  'BIZ_002',
  () => 'The recovery was started; cancel it instead of deleting the invoice.',
  'already_started',
)

export const invoiceHasPayments = defineError(
  'RES_003',
  () =>
    'The invoice has payments, credits, a promise, a dispute or an attestation, which stay on record; it cannot be deleted.',
)

export const invoiceAlreadyPaid = defineError(
  'BIZ_001',
  (hint: string) => `The invoice is already paid${hint}.`,
  'paid',
)

export const invoiceIsClosed = defineError('BIZ_004', (status: string) => {
  const message = `The invoice is ${status.replace('_', ' ')}, which is final`
  const code = status === 'cancelled' || status === 'written_off' ? status : 'wrong_status'
  return { message: `${message}.`, extras: { details: [{ field: 'action', code, message }] } }
})

export const creditNumberTaken = defineError(
  'RES_002',
  (number: string) => `Credit ${number} exists already; send another number.`,
  'number_taken',
  'number',
)

export const latePaymentIsOver = defineError('BIZ_004', (status: 'paid' | 'waived') => {
  const message =
    status === 'paid'
      ? 'The 40 € and the interest of this invoice are paid; there is nothing to waive'
      : 'The 40 € and the interest of this invoice were waived already'
  const code = status === 'paid' ? 'late_payment_paid' : 'late_payment_waived'
  return { message: `${message}.`, extras: { details: [{ field: 'action', code, message }] } }
})

export const disputeIsOpen = defineError(
  'BIZ_004',
  () => 'A dispute is open on this invoice already; resolve it first.',
  'disputed',
)

export const noDisputeOpen = defineError(
  'BIZ_004',
  () => 'No dispute is open on this invoice; there is nothing to resolve.',
  'no_dispute',
)

export const creditMissing = defineError(
  'VAL_003',
  () => {
    const message = 'is needed: what of the invoice is not owed'
    return {
      message: `amountCents ${message}; or record a credit note first, and repeat.`,
      extras: { details: [{ field: 'amountCents', code: 'missing', message }] },
    }
  },
  'missing',
  'amountCents',
)

export const mediatorMissing = defineError(
  'BIZ_004',
  () =>
    'A consumer whose dispute is not wholly accepted has to be told of a mediator, and none is on file: an owner saves `mediator` on the page of the company; then repeat.',
  'mediator_missing',
)

export const noRemindersToPause = defineError(
  'BIZ_004',
  (status: string) =>
    `The recovery is ${status}: a promise makes reminders wait, and none are running; start the recovery first if it is pending.`,
  'not_running',
)

export const noPromiseAfterTimeBar = defineError(
  'BIZ_004',
  (endsOn: string) =>
    `The invoice is time-barred since ${endsOn}, by estimate: no promise is taken for it any more.`,
  'time_barred',
)

export const proceedingsAreOpen = defineError(
  'BIZ_004',
  () => {
    const message = 'proceedings are open for the debtor, and earlier claims may not be paid'
    return {
      message: `No promise is recorded: ${message}.`,
      extras: { details: [{ field: 'action', code: 'insolvency', message }] },
    }
  },
  'insolvency',
)

export const ownPromisesUsedUp = defineError(
  'BIZ_004',
  () =>
    'The debtor has moved this date once already, or asks for more than 90 days; a person at the creditor decides.',
  'limit_of_own_promises',
)
