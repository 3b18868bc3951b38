import type { Channel } from '../../../domain/contact/channel.ts'
import { closingAt, hoursFor } from '../../../domain/contact/contact-hours.ts'
import type { ContactFile } from '../../../domain/contact/contact-rules.ts'
import { formalNotice, isAnswer, type Way, wayOf } from '../../../domain/recovery/cascade.ts'
import { type DueMessage, decideWake } from '../../../domain/recovery/wake.ts'
import { type Instant, MINUTE } from '../../../domain/time.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, type Tx, transact, Undo } from '../../../kit/db/transaction.ts'
import {
  type AgendaLock,
  balanceOfStep,
  contactFile,
  type DebtorFile,
  type ExtraMessage,
  momentOf,
  type OpenStep,
  openFile,
  reachOf,
  readWaiting,
  readWaitingExtras,
  refreshAgenda,
  stepOf,
  wakeBatch,
} from '../case/debtor-file.ts'
import { holdOn, isTimeBarred, type MovedOn, moveOn, writeMoves } from '../case/move-on.ts'
import { missingOf } from '../messages/channels.ts'
import { type Reservation, reserve } from '../messages/reserve.ts'
import type { Worker } from '../messages/worker.ts'
import { nextAnswer } from './answer.ts'
import { dropExtras, isUndeliverable } from './drop-extras.ts'
import { isToday, postpone } from './postpone.ts'

export interface WakeUp {
  tenantId: string
  debtorId: string
  gen: number
}

/** What a look came to: a message to send, a reason to look again at once, or nothing more for now. */
export type Woken =
  | { kind: 'send'; communicationId: string; isCrowded: boolean }
  | { kind: 'again'; gen: number }
  | null

const reservedUnder = sql(
  'wake.find-reserved',
  `select id from communications where debtor_id = $1 and wake_gen = $2 and state = 'reserved'`,
)
const park = sql(
  'wake.park-agenda',
  `update agendas set wake_gen = wake_gen + 1, attempts = 0, wake_at = null, wake_because = $3, parked_because = $3
    where tenant_id = $1 and debtor_id = $2`,
)

/** What a reservation says of its message; the rest is said by the look. */
type Chosen = Omit<Reservation, 'id' | 'tenantId' | 'debtorId' | 'gen' | 'at' | 'redriveAt'>

interface Candidate extends DueMessage {
  open: OpenStep | null
  extra: ExtraMessage | null
}

/**
 * Looks at one debtor, in one transaction under its lock, and answers the message to send, if any. A wake-up is only a
 * suggestion: it is judged afresh, and a stale one finds at most the message its first arrival reserved.
 */
export async function wake(worker: Worker, wakeUp: WakeUp): Promise<Woken> {
  const { tenantId, debtorId, gen } = wakeUp
  // A slot lost to another record of the same person shows only at the insert: undo, look again, and it is in the file.
  for (let attempt = 0; attempt < 3; attempt++) {
    const result = await transact(
      worker.pool,
      asWorker(tenantId),
      [...openFile(tenantId, debtorId), [readWaiting, [debtorId]], [readWaitingExtras, [debtorId]]],
      async ({ tx, first, offsetMs }): Promise<Woken | 'lost_slot' | Undo<'lost_slot'>> => {
        const [[agenda], [file], waiting, extras] = first
        if (!agenda || !file) return null
        if (agenda.wake_gen !== gen) {
          const reserved = (await tx.rows(reservedUnder, [debtorId, gen]))[0]
          return reserved ? { kind: 'send', communicationId: reserved.id, isCrowded: true } : null
        }
        if (agenda.parked_because) return null
        return look({ worker, tx, wakeUp, agenda, file, offsetMs }, waiting, extras)
      },
    )
    if (result !== 'lost_slot') return result
  }
  return null
}

interface Look {
  worker: Worker
  tx: Tx
  wakeUp: WakeUp
  agenda: AgendaLock
  file: DebtorFile
  offsetMs: number
}

async function look(
  { worker, tx, wakeUp, agenda, file, offsetMs }: Look,
  waiting: readonly OpenStep[],
  extras: readonly ExtraMessage[],
): Promise<Woken | Undo<'lost_slot'>> {
  const { tenantId, debtorId, gen } = wakeUp
  const wall = worker.clock.wall()
  const now = momentOf(file, agenda, wall, offsetMs)
  const rules = contactFile(file, agenda)
  const missing = missingOf(worker.channelsFor({ id: tenantId, environment: file.environment }))
  const { candidates, moved, undeliverable } = sortOut(
    { file, rules, missing, now, seed: debtorId },
    waiting,
    extras,
  )
  if (moved.length > 0) await writeMoves(tx, moved, now, worker.newId)
  if (undeliverable.length > 0) await dropExtras(tx, undeliverable, now, worker.newId)
  /** Looked at again at once where something is already due: more than one batch, or days that a sandbox passed over. */
  const rest = async (): Promise<Woken> => {
    const [next] = await tx.rows(refreshAgenda, [tenantId, debtorId, offsetMs])
    return next?.wake_at != null && next.wake_at <= wall ? { kind: 'again', gen: next.wake_gen } : null
  }
  const take = async (message: Chosen): Promise<Woken | Undo<'lost_slot'>> => {
    const id = worker.newId()
    const redriveAt = wall + worker.redriveMs
    const isReserved = await reserve(tx, { ...message, id, tenantId, debtorId, gen, at: now, redriveAt })
    if (!isReserved) return new Undo('lost_slot')
    return { kind: 'send', communicationId: id, isCrowded: waiting.length === wakeBatch }
  }
  const deliverable = extras.filter(extra => !undeliverable.includes(extra))
  const answer = await nextAnswer(tx, deliverable, rules, now, debtorId)
  if (answer) {
    const { invoice_id: leadInvoiceId, id: extraId, channel, step } = answer
    const place = { points: [], zone: rules.calendar?.zones[0] ?? 'UTC', notAfter: now + 10 * MINUTE }
    const message = { channel, step, leadInvoiceId, invoiceIds: [], noticeIds: [], extraId }
    return take({ ...place, ...message })
  }
  const [one, ...others] = candidates
  if (!one) return rest()
  const decision = decideWake(rules, [one, ...others], now, debtorId)
  switch (decision.kind) {
    case 'wait':
      await postpone(tx, candidates, decision, rules, now, debtorId)
      return rest()
    case 'park':
      worker.log.warn({ tenantId, debtorId, because: decision.because }, 'agenda parked')
      tx.atCommit(park, [tenantId, debtorId, decision.because])
      return null
    case 'contact': {
      const { serve, along } = decision
      const served = [serve, ...along].filter(item => item.open)
      return take({
        channel: serve.channel,
        step: serve.step.name,
        leadInvoiceId: serve.invoiceId,
        invoiceIds: served.map(item => item.invoiceId),
        noticeIds: served.filter(item => item.step.name === formalNotice).map(item => item.invoiceId),
        extraId: serve.extra?.id ?? null,
        points: file.points,
        zone: rules.calendar!.zones[0],
        notAfter: notAfter(rules, serve.channel, now),
      })
    }
  }
}

/** A reservation is for now: ten minutes, and never into the last two of the window. */
const notAfter = (rules: ContactFile, channel: Channel, now: Instant): Instant =>
  Math.min(
    now + 10 * MINUTE,
    closingAt(rules.calendar!, hoursFor(channel, rules.isConsumer), now) - 2 * MINUTE,
  )

interface Ground {
  file: DebtorFile
  rules: ContactFile
  missing: readonly Channel[]
  now: Instant
  seed: string
}

/** What is due: what can be sent competes for the day's contact; everything else moves on without one. */
function sortOut(
  ground: Ground,
  waiting: readonly OpenStep[],
  extras: readonly ExtraMessage[],
): { candidates: Candidate[]; moved: MovedOn[]; undeliverable: ExtraMessage[] } {
  const { file, rules, missing, now } = ground
  const candidates: Candidate[] = []
  const moved: MovedOn[] = []
  const isHeld = holdOn(file) !== null
  for (const open of waiting) {
    if (!isToday(rules, open.due_at!, now)) break
    const { step } = stepOf(open)
    const reach = { ...reachOf(file, balanceOfStep(open)), missing }
    const way: Way = wayOf(step, reach)
    if (!isHeld && open.status === 'in_recovery' && way.kind === 'send' && !isTimeBarred(open, file, ground))
      candidates.push({
        invoiceId: open.invoice_id,
        step,
        channel: way.channel,
        dueDate: open.due_date,
        isExtra: false,
        open,
        extra: null,
      })
    else if (open.due_at! <= now)
      moved.push(moveOn(open, way, file, { rules, reach, now, seed: ground.seed }))
  }
  const undeliverable: ExtraMessage[] = []
  for (const extra of extras) {
    if (extra.due_at! > now) continue
    if (isUndeliverable(extra, file, missing)) undeliverable.push(extra)
    else if (!isAnswer(extra.step))
      candidates.push({
        invoiceId: extra.invoice_id,
        step: { name: extra.step, channel: extra.channel },
        channel: extra.channel,
        dueDate: extra.due_date,
        isExtra: true,
        open: null,
        extra,
      })
  }
  // What is due later today travels with what is due now, but wakes nobody by itself.
  const isDue = (candidate: Candidate) => (candidate.open ?? candidate.extra)!.due_at! <= now
  return { candidates: candidates.some(isDue) ? candidates : [], moved, undeliverable }
}
