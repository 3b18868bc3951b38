import type { Step } from '../../domain/cascade.ts'
import { RULES_VERSION } from '../../domain/contact-rules.ts'
import { decideWake, type SendingStep } from '../../domain/wake.ts'
import { iso } from '../../kit/clock.ts'
import { sql } from '../../kit/db/statement.ts'
import { asWorker, type Tx, transact, Undo } from '../../kit/db/transaction.ts'
import { notAfter, reserve } from '../communications/reserve.ts'
import { textOf } from '../communications/texts/texts.ts'
import {
  type AgendaLock,
  contactFile,
  type DebtorFile,
  type OpenStep,
  openFile,
  readWaiting,
  refreshAgenda,
  stepOf,
} from './debtor-file.ts'
import type { Worker } from './worker.ts'

export interface WakeUp {
  tenantId: string
  debtorId: string
  gen: number
}

const reservedUnder = sql<{ id: string }>(
  `select id from communications where debtor_id = $1 and wake_gen = $2 and state = 'reserved'`,
)
const sleepUntil = sql(
  `update agendas set wake_gen = wake_gen + 1, attempts = 0, wake_at = $3, wake_because = $4 where tenant_id = $1 and debtor_id = $2`,
)
// A step nobody can send by itself: the recovery stands, and the other invoices of the debtor go on.
const hold = sql(
  `update recoveries r set due_at = null, due_because = x.because
     from unnest($1::uuid[], $2::text[]) as x(invoice_id, because) where r.invoice_id = x.invoice_id`,
)
const park = sql(
  `update agendas set wake_gen = wake_gen + 1, attempts = 0, wake_at = null, wake_because = $3, parked_because = $3
    where tenant_id = $1 and debtor_id = $2`,
)

const canSend = (step: Step) => step.channel !== null && textOf(step.name) !== null

/**
 * Looks at one debtor, in one transaction under its lock, and answers the message to send, if any. A wake-up is only a
 * suggestion: it is judged afresh, and a stale one finds at most the message its first arrival reserved.
 */
export async function wake(worker: Worker, { tenantId, debtorId, gen }: WakeUp): Promise<string | null> {
  // A slot lost to another record of the same person shows only at the insert: undo, look again, and it is in the file.
  for (let attempt = 0; attempt < 3; attempt++) {
    const result = await transact<string | null | 'lost_slot'>(
      worker.pool,
      asWorker(tenantId),
      [...openFile(tenantId, debtorId), [readWaiting, [debtorId]]],
      async ({ tx, first, offsetMs }) => {
        const [[agenda], [file], waiting] = first as [AgendaLock[], DebtorFile[], OpenStep[]]
        if (!agenda || !file) return null
        if (agenda.wake_gen !== gen) return (await tx.rows(reservedUnder, [debtorId, gen]))[0]?.id ?? null
        if (agenda.parked_because) return null
        return look(
          worker,
          tx,
          { tenantId, debtorId, gen },
          file,
          waiting,
          worker.clock.wall() + offsetMs,
          offsetMs,
        )
      },
    )
    if (result !== 'lost_slot') return result
  }
  return null
}

async function look(
  worker: Worker,
  tx: Tx,
  { tenantId, debtorId, gen }: WakeUp,
  file: DebtorFile,
  waiting: readonly OpenStep[],
  now: number,
  offsetMs: number,
): Promise<string | null | 'lost_slot' | Undo<'lost_slot'>> {
  const due = waiting
    .filter(open => open.due_at! <= now)
    .map(open => ({ open, invoiceId: open.invoice_id, step: stepOf(open).step, dueDate: open.due_date }))
  const held = due.filter(item => !canSend(item.step))
  if (held.length > 0)
    tx.atCommit(hold, [
      held.map(item => item.invoiceId),
      held.map(item => (item.step.channel === null ? 'awaiting_decision' : 'step_not_available')),
    ])
  const [firstDue, ...others] = due.filter(item => canSend(item.step)) as (SendingStep & { open: OpenStep })[]
  if (!firstDue) {
    tx.atCommit(refreshAgenda, [tenantId, debtorId, offsetMs])
    return null
  }
  const rules = contactFile(file)
  const decision = decideWake(rules, [firstDue, ...others], now, debtorId)
  switch (decision.kind) {
    case 'wait':
      tx.atCommit(sleepUntil, [tenantId, debtorId, iso(decision.until - offsetMs), decision.because])
      return null
    case 'park':
      worker.log.warn({ tenantId, debtorId, because: decision.because }, 'agenda parked')
      tx.atCommit(park, [tenantId, debtorId, decision.because])
      return null
    case 'contact': {
      const { step, open } = decision.serve
      if (!rules.calendar) throw new Error('allowed without a calendar')
      const zone = rules.calendar.zones[0]
      const id = worker.newId()
      const isReserved = await reserve(tx, {
        id,
        tenantId,
        debtorId,
        gen,
        channel: step.channel,
        step: step.name,
        invoiceIds: [open.invoice_id],
        points: file.points,
        at: now,
        zone,
        notAfter: notAfter(zone, now),
        redriveAt: worker.clock.wall() + worker.redriveMs,
        verdict: {
          allowed: true,
          rules: RULES_VERSION,
          zone,
          calendar: rules.calendar.region,
          contacts: file.contacts.length,
        },
      })
      return isReserved ? id : new Undo('lost_slot')
    }
  }
}
