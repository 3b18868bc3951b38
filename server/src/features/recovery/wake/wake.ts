import type { Channel } from '../../../domain/contact/channel.ts'
import { closingAt, hoursFor } from '../../../domain/contact/contact-hours.ts'
import type { ContactFile } from '../../../domain/contact/contact-rules.ts'
import { formalNotice } from '../../../domain/recovery/cascade.ts'
import { decideLook } from '../../../domain/recovery/look.ts'
import { type Instant, MINUTE } from '../../../domain/time.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, type Tx, transact, Undo } from '../../../kit/db/transaction.ts'
import {
  type AgendaLock,
  contactFile,
  type DebtorFile,
  type ExtraMessage,
  lookContextOf,
  momentOf,
  type OpenStep,
  openFile,
  readWaiting,
  readWaitingExtras,
  refreshAgenda,
  waitingExtraOf,
  waitingRecoveryOf,
  wakeBatch,
} from '../case/debtor-file.ts'
import { movedOn, writeMoves } from '../case/move-on.ts'
import { missingOf } from '../messages/channels.ts'
import { type Reservation, reserve } from '../messages/reserve.ts'
import type { Worker } from '../messages/worker.ts'
import { dropExtras } from './drop-extras.ts'
import { postpone } from './postpone.ts'

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
  const reachable = { ...file, missing }
  const { advanced, undeliverable, postponed, next } = decideLook(
    waiting.map(open => ({ ...waitingRecoveryOf(open, reachable), open })),
    extras.map(extra => ({ ...waitingExtraOf(extra), id: extra.id, extra })),
    lookContextOf(reachable, rules, now),
  )
  if (advanced.length > 0) {
    const moved = advanced.map(({ recovery, advance }) => movedOn(recovery.open, advance, now))
    await writeMoves(tx, moved, now, worker.newId)
  }
  if (undeliverable.length > 0) {
    const dropped = undeliverable.map(({ extra }) => extra)
    await dropExtras(tx, dropped, now, worker.newId)
  }
  await postpone(tx, postponed)
  /** Looked at again at once where something is already due: more than one batch, or days that a sandbox passed over. */
  const rest = async (): Promise<Woken> => {
    const [woken] = await tx.rows(refreshAgenda, [tenantId, debtorId, offsetMs])
    return woken?.wake_at != null && woken.wake_at <= wall ? { kind: 'again', gen: woken.wake_gen } : null
  }
  const take = async (message: Chosen): Promise<Woken | Undo<'lost_slot'>> => {
    const id = worker.newId()
    const redriveAt = wall + worker.redriveMs
    const isReserved = await reserve(tx, { ...message, id, tenantId, debtorId, gen, at: now, redriveAt })
    if (!isReserved) return new Undo('lost_slot')
    return { kind: 'send', communicationId: id, isCrowded: waiting.length === wakeBatch }
  }
  if (!next) return rest()
  switch (next.kind) {
    case 'answer': {
      const { invoiceId: leadInvoiceId, id: extraId, channel, step } = next.extra
      const place = { points: [], zone: rules.calendar?.zones[0] ?? 'UTC', notAfter: now + 10 * MINUTE }
      const message = { channel, step, leadInvoiceId, invoiceIds: [], noticeIds: [], extraId }
      return take({ ...place, ...message })
    }
    case 'park':
      worker.log.warn({ tenantId, debtorId, because: next.because }, 'agenda parked')
      tx.atCommit(park, [tenantId, debtorId, next.because])
      return null
    case 'contact': {
      const { serve, along } = next
      const served = [serve, ...along].filter(item => item.recovery)
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
