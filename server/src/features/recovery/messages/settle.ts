import type { SendResult } from '../../../adapters/channel.ts'
import type { Channel } from '../../../domain/contact/channel.ts'
import type { Evidence } from '../../../domain/contact/contact-rules.ts'
import type { InvoiceStatus } from '../../../domain/money/invoice-state.ts'
import { formalNotice, isAnswer } from '../../../domain/recovery/cascade.ts'
import { afterSend, countsAsContact, type Motion } from '../../../domain/recovery/motion.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, type Tx, transact } from '../../../kit/db/transaction.ts'
import { type NewEvent, newEvent } from '../../../kit/events.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import {
  type AgendaLock,
  balanceOfStep,
  contactFile,
  type DebtorFile,
  type ExtraMessage,
  type OpenStep,
  openFile,
  positionOf,
  reachOf,
  readServed,
  readServedExtra,
  refreshAgenda,
  stepOf,
  wakeBatch,
} from '../case/debtor-file.ts'
import { addActions, type NewAction } from '../case/history.ts'
import { invoiceStatusChanged } from '../case/invoice-events.ts'
import { statusOf } from '../case/invoice-facts.ts'
import {
  type Communication,
  forgetPending,
  freeSlots,
  isSettled,
  readCommunication,
} from './communication.ts'
import { actionTriggered, debtorContacted, lrarSent } from './events.ts'
import { fateInWords } from './fate-words.ts'
import { appendToLedger, digestOf, readSalt, saltOf } from './ledger.ts'
import { settleExtra } from './settle-extra.ts'
import type { Worker } from './worker.ts'

const settleMessage = sql(
  'messages.settle',
  `update communications set state = $2, provider_id = $3, reason = $4, sent_at = $5, settled_at = $6 where id = $1`,
)
// The planner takes a jsonb array for a hundred rows and then reads the whole tenant; of `= any` it expects a few.
const moveRecoveries = sql(
  'messages.advance-recoveries',
  `with moved as (select * from jsonb_to_recordset($1::jsonb) as x(invoice_id uuid, step integer, attempt integer,
     due_at timestamptz, due_because text, last_action text, last_executed_at timestamptz, completed integer, notice_at timestamptz))
   update recoveries r
      set communication_id = null, step = moved.step, attempt = moved.attempt,
          -- One that was stopped while its message was on the way plans nothing more.
          due_at = case when r.status = 'in_recovery' then moved.due_at else r.due_at end,
          due_because = case when r.status = 'in_recovery' then moved.due_because else r.due_because end,
          last_action = coalesce(moved.last_action, r.last_action),
          last_executed_at = coalesce(moved.last_executed_at, r.last_executed_at),
          notice_at = coalesce(moved.notice_at, r.notice_at),
          actions_completed = r.actions_completed + moved.completed
     from moved where r.invoice_id = moved.invoice_id and r.invoice_id = any (array(select invoice_id from moved))`,
)
const noteContact = sql(
  'messages.record-contact',
  `with x as (select * from jsonb_to_recordset($1::jsonb) as given(id uuid, status text, is_letter boolean))
   update invoices i set status = coalesce(x.status, i.status), updated_at = $2, contacted_at = coalesce(i.contacted_at, $2),
          last_action_is_letter = x.is_letter
     from x where i.id = x.id and i.id = any (array(select id from x))`,
)
const heal = sql(
  'messages.mark-sent-late',
  `with healed as (
     update communications set state = 'sent', provider_id = $2, sent_at = $3, reason = null where id = $1)
   update actions set status = 'sent', details = $4 where communication_id = $1 and status = 'unknown'`,
)

const messageState = {
  accepted: 'sent',
  retryable: 'failed',
  permanent: 'failed',
  unknown: 'unknown',
} as const

export interface Ids {
  tenantId: string
  debtorId: string
  communicationId: string
  /** Whose outcome it is; null when the sender was lost, or the message is settled and only its passengers are not. */
  token: string | null
}

interface Settling extends Ids {
  worker: Worker
  tx: Tx
  agenda: AgendaLock
  file: DebtorFile
  communication: Communication
  result: SendResult
  now: number
}

/** What a settlement leaves to do: passengers beyond one batch, or the generation of a debtor that is due again at once. */
type Left = 'passengers' | number | null

/**
 * Brings the outcome home, once: by the token of the claim, so that a sender whose lease was taken over changes nothing.
 * Answers the debtor's generation when the next thing is already due, as in a sandbox that passes over days.
 */
export async function settle(worker: Worker, ids: Ids, result: SendResult): Promise<number | null> {
  for (;;) {
    const left = await settleBatch(worker, ids, result)
    if (left !== 'passengers') return left
  }
}

async function settleBatch(worker: Worker, ids: Ids, result: SendResult): Promise<Left> {
  const { tenantId, debtorId, communicationId, token } = ids
  let settledOn: Channel | null = null
  let dueAgain: number | null = null
  const left = await transact(
    worker.pool,
    asWorker(tenantId),
    [
      ...openFile(tenantId, debtorId),
      [readCommunication, [communicationId]],
      [readServed, [communicationId, debtorId]],
      [readServedExtra, [communicationId]],
      [readSalt, [debtorId]],
    ],
    async ({ tx, first, offsetMs }) => {
      const [[agenda], [file], [communication], served, [extra], [salt]] = first
      if (!agenda || !file || !communication) return null
      const wall = worker.clock.wall()
      const now = file.environment === 'production' ? wall + offsetMs : communication.reserved_at
      const settling: Settling = { ...ids, worker, tx, agenda, file, communication, result, now }
      const isMine = token === null || communication.token === token
      if (communication.state === 'unknown' && token !== null && isMine && result.outcome === 'accepted') {
        tx.atCommit(heal, [communicationId, result.providerId, iso(now), 'Accepted, as was heard later.'])
        return null
      }
      const events: NewEvent[] = []
      const contact: NewEvent[] = []
      if (communication.state === 'sending' && isMine) {
        settledOn = communication.channel
        settleOnce(settling, served, extra, salt, contact)
      } else if (!isSettled(communication)) return null
      moveServed(settling, served, events)
      events.push(...contact)
      recordEvents(tx, events, {
        actor: { kind: 'worker', id: communicationId },
        requestId: null,
        now,
        wall,
        newId: worker.newId,
      })
      if (served.length === wakeBatch) return 'passengers'
      tx.atCommit(forgetPending, [tenantId, communicationId])
      tx.atCommit(refreshAgenda, [tenantId, debtorId, offsetMs], ([next]) => {
        // A sandbox goes on at once with what was due on the days passed over.
        if (file.environment === 'sandbox' && next?.wake_at != null && next.wake_at <= wall)
          dueAgain = next.wake_gen
      })
      return 'settled'
    },
  )
  if (settledOn !== null) worker.metrics.sends.inc({ channel: settledOn, outcome: result.outcome })
  return left === 'passengers' ? left : dueAgain
}

/** What happens once however many invoices a message serves: its state, its slot, the proof, the contact. */
function settleOnce(
  { worker, tx, agenda, file, communication, result, now, tenantId, debtorId }: Settling,
  served: readonly OpenStep[],
  extra: ExtraMessage | undefined,
  foundSalt: { salt: Buffer } | undefined,
  events: NewEvent[],
): void {
  const { id, channel, step } = communication
  const fate = result.outcome
  const accepted = result.outcome === 'accepted' ? result : null
  const reason = result.outcome === 'accepted' ? null : result.reason
  const counts = countsAsContact(fate) && !isAnswer(step)
  tx.atCommit(settleMessage, [
    id,
    messageState[fate],
    accepted?.providerId ?? null,
    reason,
    accepted && iso(now),
    iso(now),
  ])
  if (!counts) tx.atCommit(freeSlots, [id])
  if (extra) settleExtra({ worker, tx, communication, extra, result, now, file, agenda, debtorId }, events)
  if (!counts) return
  const ids = { tenantId, debtorId }
  const salt = saltOf(tx, ids, foundSalt, worker.newSalt)
  const head = appendToLedger(tx, ids, agenda, {
    kind: 'contact',
    communicationId: id,
    channel,
    step,
    at: iso(now),
    fate,
    verdict: communication.verdict as Evidence,
    invoices: Math.max(served.length, 1),
    recipient: digestOf(salt, recipientOf(file, channel)),
  })
  const about = served.find(open => open.invoice_id === communication.lead_invoice_id) ?? served[0]
  const number = about?.number ?? extra?.number
  const invoiceId = about?.invoice_id ?? extra?.invoice_id
  if (invoiceId === undefined || number === undefined) return
  events.push(
    newEvent(debtorContacted, invoiceId, {
      invoiceId,
      invoiceNumber: number,
      debtorId,
      communicationId: id,
      channel,
      contactedAt: iso(now),
      invoiceIds: served.length > 0 ? served.map(open => open.invoice_id) : [invoiceId],
      ledgerHead: head,
    }),
  )
}

const recipientOf = (file: DebtorFile, channel: Channel): string =>
  channel === 'email'
    ? file.email
    : channel === 'lrar'
      ? `${file.name}\n${file.address}\n${file.postal_code} ${file.city}`
      : (file.phone ?? '')

/** Each invoice the message serves: on to its next step, a line in its history, its status, what is told. */
function moveServed(settling: Settling, served: readonly OpenStep[], events: NewEvent[]): void {
  if (served.length === 0) return
  const { worker, tx, agenda, file, communication, result, now, debtorId } = settling
  const { channel } = communication
  const fate = result.outcome
  const isAccepted = fate === 'accepted'
  const rules = contactFile(file, agenda, countsAsContact(fate) ? undefined : communication.id)
  const moved = served.map(open => {
    const ground = { rules, reach: reachOf(file, balanceOfStep(open)), now, seed: debtorId }
    return { open, motion: afterSend(positionOf(open), fate, ground) }
  })
  tx.atCommit(moveRecoveries, [
    JSON.stringify(moved.map(({ open, motion }) => recoveryRow(open, motion, isAccepted, now))),
  ])
  const actions = moved
    .filter(({ motion }) => motion.isOver || fate === 'unknown')
    .map(({ open }): NewAction & { open: OpenStep } => ({
      id: worker.newId(),
      invoiceId: open.invoice_id,
      action: stepOf(open).step.name,
      channel,
      status: messageState[fate],
      details: fateInWords(result, channel, stepOf(open).step.channel, groupedWith(communication, open)),
      communicationId: communication.id,
      at: now,
      open,
    }))
  addActions(tx, actions)
  const isLetter = (open: OpenStep) => channel === 'lrar' && stepOf(open).step.name === formalNotice
  const changed = isAccepted ? statusChanges(served, isLetter, now) : []
  if (isAccepted) {
    const statuses = new Map(changed.map(({ open, status }) => [open.invoice_id, status]))
    const rows = served.map(open => ({
      id: open.invoice_id,
      status: statuses.get(open.invoice_id) ?? null,
      is_letter: isLetter(open),
    }))
    tx.atCommit(noteContact, [JSON.stringify(rows), iso(now)])
  }
  const about = (open: OpenStep) => ({ invoiceId: open.invoice_id, invoiceNumber: open.number, debtorId })
  for (const { open, id, action, status } of actions)
    events.push(
      newEvent(actionTriggered, open.invoice_id, {
        ...about(open),
        actionId: id,
        action,
        channel,
        status: status as 'sent' | 'failed' | 'unknown',
        executedAt: iso(now),
      }),
    )
  if (result.outcome === 'accepted' && channel === 'lrar')
    for (const open of served.filter(isLetter))
      events.push(
        newEvent(lrarSent, open.invoice_id, {
          ...about(open),
          communicationId: communication.id,
          trackingNumber: result.providerId,
          sentAt: iso(now),
        }),
      )
  for (const { open, status } of changed)
    events.push(
      newEvent(invoiceStatusChanged, open.invoice_id, {
        ...about(open),
        previousStatus: open.invoice_status as InvoiceStatus,
        newStatus: status,
        cause: stepOf(open).step.name,
      }),
    )
}

const groupedWith = (communication: Communication, open: OpenStep): string | null =>
  communication.lead_invoice_id === open.invoice_id ? null : communication.lead_number

const recoveryRow = (open: OpenStep, motion: Motion, wasAccepted: boolean, now: number) => ({
  invoice_id: open.invoice_id,
  step: motion.step,
  attempt: motion.attempt,
  due_at: motion.next.at === null ? null : iso(motion.next.at),
  due_because: motion.next.because,
  last_action: motion.isOver ? stepOf(open).step.name : null,
  last_executed_at: motion.isOver ? iso(now) : null,
  completed: wasAccepted ? 1 : 0,
  notice_at: motion.notice ? iso(motion.notice.at) : null,
})

/** The facts as this message leaves them, and the invoices whose status they change. */
function statusChanges(
  served: readonly OpenStep[],
  isLetter: (open: OpenStep) => boolean,
  now: number,
): { open: OpenStep; status: InvoiceStatus }[] {
  return served.flatMap(open => {
    const status = statusOf({
      ...open,
      contacted_at: open.contacted_at ?? now,
      last_action_is_letter: isLetter(open),
    })
    return status === open.invoice_status ? [] : [{ open, status }]
  })
}
