import type { SendResult } from '../../adapters/channel.ts'
import type { Channel } from '../../domain/channel.ts'
import type { InvoiceStatus } from '../../domain/invoice-state.ts'
import { afterSend, attemptsMax, countsAsContact, type Motion } from '../../domain/motion.ts'
import { iso } from '../../kit/clock.ts'
import { sql } from '../../kit/db/statement.ts'
import { asWorker, transact } from '../../kit/db/transaction.ts'
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
import { statusOf } from '../invoices/facts.ts'
import { type Communication, forgetPending, freeSlots, readCommunication } from './claim.ts'
import { actionTriggered, debtorContacted } from './events.ts'

const settleMessage = sql(
  `update communications set state = $2, provider_id = $3, reason = $4, sent_at = $5, settled_at = $6 where id = $1`,
)
// The planner takes a jsonb array for a hundred rows and then reads the whole tenant; of `= any` it expects a few.
const moveRecoveries = sql(
  `with moved as (select * from jsonb_to_recordset($1::jsonb) as x(invoice_id uuid, step integer, attempt integer,
     due_at timestamptz, due_because text, last_action text, last_executed_at timestamptz, completed integer))
   update recoveries r
      set communication_id = null, step = moved.step, attempt = moved.attempt,
          -- One that was stopped while its message was on the way plans nothing more.
          due_at = case when r.status = 'in_recovery' then moved.due_at end,
          due_because = case when r.status = 'in_recovery' then moved.due_because end,
          last_action = coalesce(moved.last_action, r.last_action),
          last_executed_at = coalesce(moved.last_executed_at, r.last_executed_at),
          actions_completed = r.actions_completed + moved.completed
     from moved where r.invoice_id = moved.invoice_id and r.invoice_id = any (array(select invoice_id from moved))`,
)
const noteContact = sql(
  `with x as (select * from jsonb_to_recordset($1::jsonb) as given(id uuid, status text))
   update invoices i set status = coalesce(x.status, i.status), updated_at = $2, contacted_at = coalesce(i.contacted_at, $2),
          last_action_is_letter = $3
     from x where i.id = x.id and i.id = any (array(select id from x))`,
)
const addActions = sql(
  `insert into actions (tenant_id, id, invoice_id, action, channel, status, details, communication_id, executed_at)
   select current_setting('relance.tenant')::uuid, id, invoice_id, action, channel, status, details, communication_id, executed_at
     from jsonb_to_recordset($1::jsonb) as x(id uuid, invoice_id uuid, action text, channel text, status text, details text,
       communication_id uuid, executed_at timestamptz)`,
)

type Fate = SendResult['outcome']

const messageState = {
  accepted: 'sent',
  retryable: 'failed',
  permanent: 'failed',
  unknown: 'unknown',
} as const

const inWords: Record<Fate, (reason: string) => string> = {
  accepted: () => 'Accepted by the mail server.',
  retryable: reason => `Given up after ${attemptsMax} attempts: ${reason}.`,
  permanent: reason => `Refused: ${reason}.`,
  unknown: () => 'It may or may not have been sent; it counts as a contact and is not repeated today.',
}

type Moved = Motion & { open: OpenStep }

/** Brings the outcome home, once: by the token of the claim, so that a sender whose lease was taken over changes nothing. */
export async function settle(
  worker: Worker,
  ids: { tenantId: string; debtorId: string; communicationId: string; token: string | null },
  result: SendResult,
): Promise<void> {
  const { tenantId, debtorId, communicationId, token } = ids
  const fate = result.outcome
  const channel = await transact<string | null>(
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
        Communication[],
        OpenStep[],
      ]
      if (!file || communication?.state !== 'sending') return null
      if (token !== null && communication.token !== token) return null
      const wall = worker.clock.wall()
      const now = wall + offsetMs
      const counts = countsAsContact(fate)
      const rules = contactFile(file, counts ? undefined : communicationId)
      const moved = served.map(
        (open): Moved => ({ open, ...afterSend(positionOf(open), fate, rules, now, debtorId) }),
      )
      const accepted = result.outcome === 'accepted' ? result : null
      const reason = result.outcome === 'accepted' ? null : result.reason
      tx.atCommit(settleMessage, [
        communicationId,
        messageState[fate],
        accepted?.providerId ?? null,
        reason,
        accepted && iso(now),
        iso(now),
      ])
      if (!counts) tx.atCommit(freeSlots, [communicationId])
      tx.atCommit(moveRecoveries, [
        JSON.stringify(moved.map(motion => recoveryRow(motion, accepted !== null, now))),
      ])
      const actions = moved
        .filter(motion => motion.isOver || fate === 'unknown')
        .map(({ open }) => ({
          id: worker.newId(),
          invoice_id: open.invoice_id,
          action: communication.step,
          channel: communication.channel,
          status: messageState[fate],
          details: inWords[fate](reason ?? ''),
          communication_id: communicationId,
          executed_at: iso(now),
          open,
        }))
      if (actions.length > 0)
        tx.atCommit(addActions, [JSON.stringify(actions.map(({ open: _, ...row }) => row))])
      const changed = accepted ? statusChanges(served, communication.channel as Channel, now) : []
      if (accepted && served.length > 0) {
        const statuses = new Map(changed.map(({ open, status }) => [open.invoice_id, status]))
        const rows = served.map(open => ({
          id: open.invoice_id,
          status: statuses.get(open.invoice_id) ?? null,
        }))
        tx.atCommit(noteContact, [JSON.stringify(rows), iso(now), communication.channel === 'lrar'])
      }
      const about = (open: OpenStep) => ({ invoiceId: open.invoice_id, invoiceNumber: open.number, debtorId })
      const events: NewEvent[] = [
        ...actions.map(({ open, id, action, status, executed_at }) =>
          newEvent(actionTriggered, open.invoice_id, {
            ...about(open),
            actionId: id,
            action,
            channel: communication.channel as Channel,
            status,
            executedAt: executed_at,
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
            channel: communication.channel as Channel,
            contactedAt: iso(now),
            invoiceIds: served.map(open => open.invoice_id),
          }),
        )
      recordEvents(tx, events, {
        actor: { kind: 'worker', id: communicationId },
        requestId: null,
        now,
        wall,
        newId: worker.newId,
      })
      tx.atCommit(forgetPending, [tenantId, communicationId])
      tx.atCommit(refreshAgenda, [tenantId, debtorId, offsetMs])
      return communication.channel
    },
  )
  if (channel !== null) worker.metrics.sends.inc({ channel, outcome: fate })
}

const positionOf = (open: OpenStep) => ({
  cascade: stepOf(open).cascade,
  step: open.step,
  attempt: open.attempt,
  startedAt: open.started_at!,
  dueDate: open.due_date,
})

function recoveryRow(motion: Moved, wasAccepted: boolean, now: number) {
  return {
    invoice_id: motion.open.invoice_id,
    step: motion.step,
    attempt: motion.attempt,
    due_at: motion.next.at === null ? null : iso(motion.next.at),
    due_because: motion.next.because,
    last_action: motion.isOver ? stepOf(motion.open).step.name : null,
    last_executed_at: motion.isOver ? iso(now) : null,
    completed: wasAccepted ? 1 : 0,
  }
}

/** The facts as this message leaves them, and the invoices whose status they change. */
function statusChanges(
  served: readonly OpenStep[],
  channel: Channel,
  now: number,
): { open: OpenStep; status: InvoiceStatus }[] {
  return served.flatMap(open => {
    const status = statusOf({
      ...open,
      contacted_at: open.contacted_at ?? now,
      last_action_is_letter: channel === 'lrar',
    })
    return status === open.invoice_status ? [] : [{ open, status }]
  })
}
