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
)

export const stillHeld = defineError('BIZ_004', (by: readonly Hold[]) => ({
  message: `The recovery cannot go on yet: ${by.map(hold => holdTexts[hold]).join(', ')}. End that first.`,
  extras: { details: by.map(hold => ({ field: 'action', code: hold, message: holdTexts[hold] })) },
}))

export const courtNotPossible = defineError('BIZ_004', (missing: readonly CourtObstacle[]) => ({
  message: `Only the court is left, and it is not possible yet: ${missing.map(one => obstacleTexts[one]).join(', ')}.`,
  extras: {
    details: missing.map(one => ({ field: 'action', code: one, message: obstacleTexts[one] })),
  },
}))

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
)

export const notRunning = defineError('BIZ_004', (status: RecoveryStatus) =>
  status === 'pending'
    ? 'The recovery has not been started; start it before you send a message.'
    : `The recovery is ${status}; a message can be sent only while it is in_recovery.`,
)

export const noMoreReminders = defineError(
  'BIZ_004',
  () => 'The debt is time-barred by then: a consumer is not reminded of it any more.',
)

export const channelScopeMissing = defineError('AUTH_004', (channel: Channel, scope: Scope) => ({
  message: `This credential lacks the scope ${scope}, which a message by ${channel} needs.`,
  extras: { requiredScopes: [scope] },
}))

/** Nothing was executed yet, so there is no channel to be more intrusive than. */
export const firstContactPending = defineError('BIZ_004', () => {
  const message = 'the first contact has not been sent'
  return {
    message: `The recovery cannot escalate yet: ${message}. next-action says when it is planned.`,
    extras: { details: [{ field: 'action', code: 'first_contact_pending', message }] },
  }
})

export const debtorUnknown = defineError('RES_001', () => 'There is no such debtor.')

export const siretTaken = defineError(
  'RES_002',
  (siret: string) => `Another debtor has the SIRET ${siret}; use that one, or correct the number.`,
)

export const invoiceNotFound = defineError('RES_001', () => 'There is no such invoice.')

export const invoiceNumberTaken = defineError('RES_002', (number: string, isCancelled: boolean) =>
  isCancelled
    ? `Invoice ${number} exists already; its recovery was cancelled, and its number stays taken.`
    : `Invoice ${number} exists already; read it, or send another number.`,
)

export const debtorNotFound = defineError(
  'BIZ_003',
  (id: string) => `There is no debtor ${id}; leave out debtor.id and send its name and email to create one.`,
)

export const recoveryAlreadyStarted = defineError(
  'BIZ_002',
  () => 'The recovery was started; cancel it instead of deleting the invoice.',
)

export const invoiceHasPayments = defineError(
  'RES_003',
  () =>
    'The invoice has payments, credits, a promise, a dispute or an attestation, which stay on record; it cannot be deleted.',
)

export const invoiceAlreadyPaid = defineError(
  'BIZ_001',
  (hint: string) => `The invoice is already paid${hint}.`,
)

export const invoiceIsClosed = defineError(
  'BIZ_004',
  (status: string) => `The invoice is ${status.replace('_', ' ')}, which is final.`,
)

export const creditNumberTaken = defineError(
  'RES_002',
  (number: string) => `Credit ${number} exists already; send another number.`,
)

export const latePaymentIsOver = defineError('BIZ_004', (status: 'paid' | 'waived') =>
  status === 'paid'
    ? 'The 40 € and the interest of this invoice are paid; there is nothing to waive.'
    : 'The 40 € and the interest of this invoice were waived already.',
)

export const caseIsBeforeCourt = defineError(
  'BIZ_004',
  () => 'The case is before the court; what the debtor objects to is said there.',
)

export const disputeIsOpen = defineError(
  'BIZ_004',
  () => 'A dispute is open on this invoice already; resolve it first.',
)

export const noDisputeOpen = defineError(
  'BIZ_004',
  () => 'No dispute is open on this invoice; there is nothing to resolve.',
)

export const noRemindersToPause = defineError(
  'BIZ_004',
  (status: string) =>
    `The recovery is ${status}: a promise makes reminders wait, and none are running; start the recovery first if it is pending.`,
)

export const ownPromisesUsedUp = defineError(
  'BIZ_004',
  () =>
    'The debtor has moved this date once already, or asks for more than 90 days; a person at the creditor decides.',
)
