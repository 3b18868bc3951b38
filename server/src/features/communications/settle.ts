import type { SendResult } from '../../adapters/channel.ts'
import { anchorOf, planAgain, planNext } from '../../domain/cascade.ts'
import type { Channel } from '../../domain/channel.ts'
import type { ContactFile } from '../../domain/contact-rules.ts'
import { type InvoiceStatus, invoiceStatus } from '../../domain/invoice-state.ts'
import { cents } from '../../domain/money.ts'
import { MINUTE } from '../../domain/time.ts'
import { iso } from '../../kit/clock.ts'
import { sql } from '../../kit/db/statement.ts'
import { asWorker, type Tx, transact } from '../../kit/db/transaction.ts'
import { type NewEvent, newEvent } from '../../kit/events.ts'
import {
  contactFile,
  type DebtorFile,
  type OpenStep,
  openFile,
  readServed,
  refreshAgenda,
  stepOf,
} from '../agenda/debtor-file.ts'
import type { Worker } from '../agenda/worker.ts'
import { recordEvents } from '../events/record-events.ts'
import { invoiceStatusChanged } from '../invoices/events.ts'
import { forgetPending, freeSlots, readCommunication } from './claim.ts'
import { actionTriggered, debtorContacted } from './events.ts'

const settleMessage = sql(
  `update communications set state = $2, provider_id = $3, reason = $4, sent_at = $5, settled_at = $6 where id = $1`,
)
const moveRecoveries = sql(
  `with moved as (select * from jsonb_to_recordset($1::jsonb) as x(invoice_id uuid, step integer, attempt integer,
     due_at timestamptz, due_because text, last_action text, last_executed_at timestamptz, completed integer))
   update recoveries r
      set communication_id = null, step = moved.step, attempt = moved.attempt, due_at = moved.due_at, due_because = moved.due_because,
          last_action = coalesce(moved.last_action, r.last_action),
          last_executed_at = coalesce(moved.last_executed_at, r.last_executed_at),
          actions_completed = r.actions_completed + moved.completed
     from moved where r.invoice_id = moved.invoice_id`,
)
const setStatuses = sql(
  `update invoices i set status = x.status, updated_at = $2
     from jsonb_to_recordset($1::jsonb) as x(id uuid, status text) where i.id = x.id`,
)
const addActions = sql(
  `insert into actions (tenant_id, id, invoice_id, action, channel, status, details, communication_id, executed_at)
   select current_setting('relance.tenant')::uuid, id, invoice_id, action, channel, status, details, communication_id, executed_at
     from jsonb_to_recordset($1::jsonb) as x(id uuid, invoice_id uuid, action text, channel text, status text, details text,
       communication_id uuid, executed_at timestamptz)`,
)

const attemptsMax = 3
const retryDelays = [5 * MINUTE, 30 * MINUTE]

type Fate = SendResult['outcome']

/** What became of one step: whether it is over, and when something happens next. */
interface Motion {
  open: OpenStep
  isOver: boolean
  step: number
  attempt: number
  due: { at: number | null; because: string | null }
}

function move(open: OpenStep, fate: Fate, rules: ContactFile, now: number, seed: string): Motion {
  const { cascade, step } = stepOf(open)
  const attempt = open.attempt + 1
  const isAgain =
    attempt < attemptsMax && (fate === 'retryable' || (fate === 'unknown' && step.hasLegalEffect === true))
  if (isAgain) {
    const from = fate === 'retryable' ? now + (retryDelays[open.attempt] ?? retryDelays.at(-1)!) : now
    return { open, isOver: false, step: open.step, attempt, due: planAgain(rules, step, from, seed) }
  }
  const next = cascade.steps[open.step + 1]
  const wasContact = fate === 'accepted' || fate === 'unknown'
  const anchor = anchorOf(rules.calendar, open.started_at!, open.due_date)
  return {
    open,
    isOver: true,
    step: next ? open.step + 1 : open.step,
    attempt: 0,
    due: next ? planNext(rules, next, anchor, { at: now, wasContact }, seed) : { at: null, because: null },
  }
}

/** Brings the outcome home, once: by the token of the claim, so that a sender whose lease was taken over changes nothing. */
export async function settle(
  worker: Worker,
  ids: { tenantId: string; debtorId: string; communicationId: string; token: string | null },
  result: SendResult,
): Promise<void> {
  const { tenantId, debtorId, communicationId, token } = ids
  await transact(
    worker.pool,
    asWorker(tenantId),
    [
      ...openFile(tenantId, debtorId),
      [readCommunication, [communicationId]],
      [readServed, [communicationId]],
    ],
    async ({ tx, first, offsetMs }) => {
      const [, [file], [communication], served] = first as [
        unknown,
        DebtorFile[],
        { state: string; token: string | null; channel: Channel; step: string }[],
        OpenStep[],
      ]
      if (!file || communication?.state !== 'sending' || (token !== null && communication.token !== token))
        return
      const now = worker.clock.wall() + offsetMs
      const counts = result.outcome === 'accepted' || result.outcome === 'unknown'
      const rules = counts ? contactFile(file) : contactFile(file, communicationId)
      const motions = served.map(open => move(open, result.outcome, rules, now, debtorId))
      writeFate(tx, communicationId, result, now)
      if (!counts) tx.atCommit(freeSlots, [communicationId])
      tx.atCommit(moveRecoveries, [
        JSON.stringify(motions.map(motion => recoveryRow(motion, result.outcome, now))),
      ])
      const told = motions.filter(motion => motion.isOver || result.outcome === 'unknown')
      const actions = told.map(({ open }) => ({
        id: worker.newId(),
        invoice_id: open.invoice_id,
        action: communication.step,
        channel: communication.channel,
        status: historyStatus[result.outcome],
        details: historyWords[result.outcome](result),
        communication_id: communicationId,
        executed_at: iso(now),
      }))
      if (actions.length > 0) tx.atCommit(addActions, [JSON.stringify(actions)])
      const changed = result.outcome === 'accepted' ? statusChanges(served, communication.channel) : []
      if (changed.length > 0)
        tx.atCommit(setStatuses, [
          JSON.stringify(changed.map(({ open, status }) => ({ id: open.invoice_id, status }))),
          iso(now),
        ])
      const about = (open: OpenStep) => ({ invoiceId: open.invoice_id, invoiceNumber: open.number, debtorId })
      const events: NewEvent[] = [
        ...actions.map((action, i) =>
          newEvent(actionTriggered, action.invoice_id, {
            ...about(told[i]!.open),
            actionId: action.id,
            action: action.action,
            channel: communication.channel,
            status: action.status,
            executedAt: action.executed_at,
          }),
        ),
        ...changed.map(({ open, status }) =>
          newEvent(invoiceStatusChanged, open.invoice_id, {
            ...about(open),
            previousStatus: open.invoice_status as InvoiceStatus,
            newStatus: status,
            cause: communication.step,
          }),
        ),
      ]
      if (counts && served[0])
        events.push(
          newEvent(debtorContacted, served[0].invoice_id, {
            ...about(served[0]),
            communicationId,
            channel: communication.channel,
            contactedAt: iso(now),
            invoiceIds: served.map(open => open.invoice_id),
          }),
        )
      recordEvents(tx, events, {
        actor: { kind: 'worker', id: communicationId },
        requestId: null,
        now,
        wall: now - offsetMs,
        newId: worker.newId,
      })
      tx.atCommit(forgetPending, [tenantId, communicationId])
      tx.atCommit(refreshAgenda, [tenantId, debtorId, offsetMs])
    },
  )
  worker.metrics.sends.inc({ channel: 'email', outcome: result.outcome })
}

const messageState: Record<Fate, string> = {
  accepted: 'sent',
  retryable: 'failed',
  permanent: 'failed',
  unknown: 'unknown',
}
const historyStatus: Record<Fate, 'sent' | 'failed' | 'unknown'> = {
  accepted: 'sent',
  retryable: 'failed',
  permanent: 'failed',
  unknown: 'unknown',
}
const historyWords: Record<Fate, (result: SendResult) => string> = {
  accepted: () => 'Accepted by the mail server.',
  retryable: result => `Given up after ${attemptsMax} attempts: ${'reason' in result ? result.reason : ''}.`,
  permanent: result => `Refused: ${'reason' in result ? result.reason : ''}.`,
  unknown: () => 'It may or may not have been sent; it counts as a contact and is not repeated today.',
}

function writeFate(tx: Tx, communicationId: string, result: SendResult, now: number): void {
  tx.atCommit(settleMessage, [
    communicationId,
    messageState[result.outcome],
    result.outcome === 'accepted' ? result.providerId : null,
    result.outcome === 'accepted' ? null : result.reason,
    result.outcome === 'accepted' ? iso(now) : null,
    iso(now),
  ])
}

function recoveryRow(motion: Motion, fate: Fate, now: number) {
  const { step } = stepOf(motion.open)
  return {
    invoice_id: motion.open.invoice_id,
    step: motion.step,
    attempt: motion.attempt,
    due_at: motion.due.at === null ? null : iso(motion.due.at),
    due_because: motion.due.because,
    last_action: motion.isOver ? step.name : null,
    last_executed_at: motion.isOver ? iso(now) : null,
    completed: fate === 'accepted' ? 1 : 0,
  }
}

function statusChanges(
  served: readonly OpenStep[],
  channel: Channel,
): { open: OpenStep; status: InvoiceStatus }[] {
  return served.flatMap(open => {
    const status = invoiceStatus({
      amount: cents(open.amount_cents),
      paid: cents(open.paid_cents),
      credited: cents(open.credited_cents),
      isCancelled: open.invoice_status === 'cancelled',
      isWrittenOff: open.invoice_status === 'written_off',
      isJudicial: open.invoice_status === 'judicial',
      isDisputed: open.invoice_status === 'disputed',
      lastActionIsLetter: channel === 'lrar',
      wasContacted: true,
    })
    return status === open.invoice_status ? [] : [{ open, status }]
  })
}
