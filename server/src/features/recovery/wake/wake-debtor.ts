import type { AwayChannel } from '../../../domain/contact/away-channel.ts'
import type { Channel } from '../../../domain/contact/channel.ts'
import { hoursFor } from '../../../domain/contact/contact-hours.ts'
import { type ContactFile, lastStart } from '../../../domain/contact/contact-rules.ts'
import { formalNotice } from '../../../domain/recovery/cascade.ts'
import { decideLook, type Look } from '../../../domain/recovery/look.ts'
import { HOUR, type Instant, localTime, MINUTE } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, Rollback, type Tx, transact } from '../../../kit/db/transaction.ts'
import { alertProviderAway } from '../../platform/events/alerts.ts'
import { waitForStop } from '../agenda/wake-store.ts'
import { saveAdvancedRecoveries, toAdvancedRecovery } from '../case/advance-without-message.ts'
import { type AgendaLock, refreshAgenda } from '../case/agenda-store.ts'
import { contactFile, currentMomentOf, lookContextOf, openMessagesOf } from '../case/debtor-file.ts'
import { type DebtorFile, lockAndLoadDebtor } from '../case/debtor-file-store.ts'
import {
  type ExtraMessage,
  type RecoveryRow,
  selectWaitingExtras,
  selectWaitingRecoveries,
  waitingExtraOf,
  waitingRecoveryOf,
  wakeBatchSize,
} from '../case/recovery-store.ts'
import { exceededLimit } from '../messages/count-send.ts'
import { mayTry } from '../messages/provider-outages.ts'
import type { ProviderPlace } from '../messages/provider-places.ts'
import type { Claim } from '../messages/send/claim.ts'
import { type ChosenMessage, reserveMessage } from '../messages/send/reserve-message.ts'
import { missingChannelsOf, type WorkerContext } from '../messages/worker-context.ts'
import { parkAgenda, waitForOutcome } from './store.ts'
import { cancelUndeliverable, postponeCandidates } from './write-look.ts'

export interface WakeUp {
  tenantId: string
  debtorId: string
  generation: number
}

/** The result of a wake-up: a message to send, another wake-up at once, or nothing more for now. */
export type WakeResult =
  | {
      kind: 'send'
      communicationId: string
      /** More invoices join the message before it is claimed. */
      hasMore: boolean
      /** Null: it is claimed in a separate commit. */
      claim: Claim | null
      /** The place at its provider, to be released when the message has been sent. */
      place: ProviderPlace | null
    }
  | { kind: 'again'; generation: number }
  | null

const selectReserved = sql(
  'wake.find-reserved',
  `select id from communications where debtor_id = $1 and wake_generation = $2 and state = 'reserved'`,
)
/** Why a wake-up starts again: another record of the person took the slot, or the message cannot be claimed at once. */
type StartAgain = 'slot_taken' | 'cannot_claim'
/** As a transaction returns it: the place at the provider is taken outside of it. */
type Woken = WakeResult | (Omit<Extract<WakeResult, { kind: 'send' }>, 'place'> & { place?: undefined })

/**
 * Processes the wake-up of one debtor, in one transaction under its lock, and returns the message to send, if any. A wake-up is
 * only a hint: everything is decided from the current state. A stale one returns at most the message that its first run
 * reserved. The message is claimed in the same commit, unless more invoices must join it or a limit is reached.
 */
export async function wakeDebtor(
  worker: WorkerContext,
  wakeUp: WakeUp,
  /** A place that is already taken; it is released unless the message needs it. */
  given: ProviderPlace | null = null,
): Promise<WakeResult> {
  const { tenantId, debtorId, generation } = wakeUp
  let mayClaim = true
  let place = given
  const takePlace = (channel: Channel): boolean => {
    if (place?.channel === channel) return true
    place?.leave()
    place = worker.places.take(channel)
    return place !== null
  }
  // Only the insert notices that another debtor record of the same person took the slot. Then roll back and start again: the
  // contact is in the file now.
  for (let attempt = 0; attempt < 4; attempt++) {
    const result = await transact(
      worker.pool,
      asWorker(tenantId),
      [
        ...lockAndLoadDebtor(tenantId, debtorId),
        [selectWaitingRecoveries, [debtorId]],
        [selectWaitingExtras, [debtorId]],
      ],
      async ({ tx, openingRows, offsetMs }): Promise<Woken | StartAgain | Rollback<StartAgain>> => {
        const [[agenda], [file], waiting, extras] = openingRows
        if (!agenda || !file) return null
        if (agenda.wake_generation !== generation) {
          const reserved = (await tx.rows(selectReserved, [debtorId, generation]))[0]
          return reserved ? { kind: 'send', communicationId: reserved.id, hasMore: true, claim: null } : null
        }
        if (agenda.parked_because) return null
        if (file.stop_reason !== null) {
          tx.atCommit(waitForStop, [tenantId, debtorId])
          return null
        }
        const context = { worker, tx, wakeUp, agenda, file, offsetMs, takePlace, mayClaim }
        if (file.closed.some(({ because }) => because === 'refused') && (await hasMoved(context)))
          return refreshAndContinue(context, true)
        return decideAndReserve(context, waiting, extras)
      },
    ).catch((error): StartAgain => {
      if (mayClaim && exceededLimit(error) !== null) return 'cannot_claim'
      place?.leave()
      throw error
    })
    if (typeof result === 'object' && result?.kind === 'send') return { ...result, place }
    place?.leave()
    place = null
    if (typeof result === 'object') return result
    if (result === 'cannot_claim') mayClaim = false
  }
  return null
}

interface WakeContext {
  worker: WorkerContext
  tx: Tx
  wakeUp: WakeUp
  agenda: AgendaLock
  file: DebtorFile
  offsetMs: number
  /** False: the provider of the channel has no free place. */
  takePlace(channel: Channel): boolean
  mayClaim: boolean
}

/** Why a provider that is not known to be away gets no message now; null if it gets one, and a place there is taken. */
async function providerObstacle(
  { worker, tx, file, takePlace }: WakeContext,
  channel: Channel,
  lateness: number,
  now: Instant,
): Promise<AwayChannel | null> {
  if (file.environment === 'sandbox') return null
  const outage = file.failures.find(failure => failure.channel === channel)
  // Another message is the probe. After the first retry interval it has succeeded or failed.
  const tryMs = (worker.providerRetrySeconds[0] ?? 0) * 1_000
  if (outage?.until != null && !(await mayTry(tx, worker, channel, now)))
    return { channel, since: outage.since, until: now + tryMs, because: 'provider_away' }
  if (takePlace(channel)) return null
  // The later the message, the longer the queue: it is checked less often.
  const pause = Math.min(5 * MINUTE, Math.max(1_000, lateness / 2))
  return { channel, since: now, until: now + pause, because: 'provider_busy' }
}

/** Messages go to another person from now on: what is due is decided with their address. */
function hasMoved({ worker, tx, wakeUp, agenda, file, offsetMs }: WakeContext): Promise<boolean> {
  const { tenantId, debtorId } = wakeUp
  const wall = worker.clock.wall()
  const now = currentMomentOf(file, agenda, wall, offsetMs)
  const actor = { kind: 'worker' as const, id: debtorId, tenantId }
  return worker.goToNextPerson({ tx, actor, requestId: null, now, wall, newId: worker.newId }, file, agenda)
}

/** Wakes again at once if something is already due: more than one batch, or days that a sandbox skipped. */
async function refreshAndContinue(
  { worker, tx, wakeUp, offsetMs }: WakeContext,
  isReachChanged = false,
): Promise<WakeResult> {
  const { tenantId, debtorId } = wakeUp
  const [woken] = await tx.rows(refreshAgenda, [tenantId, debtorId, offsetMs, null, isReachChanged])
  return woken?.wake_at != null && woken.wake_at <= worker.clock.wall()
    ? { kind: 'again', generation: woken.wake_generation }
    : null
}

async function decideAndReserve(
  context: WakeContext,
  waiting: readonly RecoveryRow[],
  extras: readonly ExtraMessage[],
): Promise<Woken | Rollback<StartAgain>> {
  const { worker, tx, wakeUp, agenda, file, offsetMs } = context
  const { tenantId, debtorId } = wakeUp
  const wall = worker.clock.wall()
  const now = currentMomentOf(file, agenda, wall, offsetMs)
  const rules = contactFile(file, agenda)
  const missing = missingChannelsOf(worker.channelsFor({ id: tenantId, environment: file.environment }))
  const reachable = { ...file, missing }
  const open = openMessagesOf(file)
  const lookContext = {
    ...lookContextOf(reachable, rules, now),
    ...(open && { rulesWithoutOpen: contactFile(file, agenda, open.ids) }),
  }
  const decide = (turnedAway: readonly AwayChannel[]) =>
    decideLook(
      waiting.map(recovery => ({ ...waitingRecoveryOf(recovery, reachable), open: recovery })),
      extras.map(extra => ({ ...waitingExtraOf(extra, file), id: extra.id, extra })),
      { ...lookContext, away: [...lookContext.away, ...turnedAway] },
    )
  const turnedAway: AwayChannel[] = []
  const lateness = now - Math.min(now, ...[...waiting, ...extras].map(({ wish_at }) => wish_at!))
  let look = decide(turnedAway)
  for (;;) {
    const channel = channelOfNext(look.next)
    const because = channel && (await providerObstacle(context, channel, lateness, now))
    if (!because) break
    turnedAway.push(because)
    look = decide(turnedAway)
  }
  const { advanced, undeliverable, postponed, next } = look
  if (advanced.length > 0) {
    const today = localTime(rules.calendar?.zones[0] ?? 'UTC', now).date
    const changes = advanced.map(({ recovery, advance }) =>
      toAdvancedRecovery(recovery.open, advance, now, today),
    )
    const actor = { kind: 'worker' as const, id: debtorId }
    const context = { actor, requestId: null, now, wall, newId: worker.newId }
    await saveAdvancedRecoveries(tx, changes, debtorId, context)
  }
  if (undeliverable.length > 0) {
    const dropped = undeliverable.map(({ extra }) => extra)
    await cancelUndeliverable(tx, dropped, debtorId, now, worker.newId)
  }
  await postponeCandidates(tx, postponed)
  if (file.environment === 'production') alertIfAway(tx, postponed, lookContext.away, now, wall)
  const hasMore = waiting.length === wakeBatchSize
  const reserve = async (message: ChosenMessage): Promise<Woken | Rollback<StartAgain>> => {
    const debtor = { ...wakeUp, file, rules, offsetMs, now, wall }
    const reserved = await reserveMessage(tx, worker, debtor, message, context.mayClaim && !hasMore)
    return typeof reserved === 'string' ? new Rollback(reserved) : { kind: 'send', hasMore, ...reserved }
  }
  if (!next) return refreshAndContinue(context)
  switch (next.kind) {
    case 'answer': {
      const { invoiceId: leadInvoiceId, id: extraId, channel, step } = next.extra
      const place = { points: [], zone: rules.calendar?.zones[0] ?? 'UTC', notAfter: now + 10 * MINUTE }
      const message = { channel, step, leadInvoiceId, invoiceIds: [], noticeIds: [], extraId }
      return reserve({ ...place, ...message })
    }
    case 'wait_for_outcome': {
      // Most messages have an outcome within a second. The longer it takes, the less often it is checked.
      const pause = Math.min(MINUTE, Math.max(250, (now - open!.since) / 2))
      tx.atCommit(waitForOutcome, [
        tenantId,
        debtorId,
        iso(file.environment === 'production' ? wall + pause : wall),
      ])
      return null
    }
    case 'park':
      worker.log.warn({ tenantId, debtorId, because: next.because }, 'agenda parked')
      tx.atCommit(parkAgenda, [tenantId, debtorId, next.because])
      return null
    case 'contact': {
      const { lead, grouped } = next
      const recoveries = [lead, ...grouped].filter(item => item.recovery)
      return reserve({
        channel: lead.channel,
        step: lead.step.name,
        leadInvoiceId: lead.invoiceId,
        invoiceIds: recoveries.map(item => item.invoiceId),
        noticeIds: recoveries.filter(item => item.step.name === formalNotice).map(item => item.invoiceId),
        extraId: lead.extra?.id ?? null,
        points: file.points,
        zone: rules.calendar!.zones[0],
        notAfter: notAfter(rules, lead.channel, now),
      })
    }
  }
}

/** How long a provider is away before the creditor gets an alert about its waiting messages. */
const awayAlertMs = HOUR

function alertIfAway(
  tx: Tx,
  postponed: readonly { readonly because: string | null }[],
  away: readonly AwayChannel[],
  now: Instant,
  wall: Instant,
): void {
  if (!postponed.some(({ because }) => because === 'provider_away')) return
  const long = away.filter(({ because, since }) => because === 'provider_away' && now - since >= awayAlertMs)
  for (const { channel } of long) alertProviderAway(tx, channel, wall)
}

const channelOfNext = (next: Look<unknown, { channel: Channel }>['next']): Channel | null =>
  next?.kind === 'contact' ? next.lead.channel : next?.kind === 'answer' ? next.extra.channel : null

/** A reservation is valid for ten minutes, and never in the last two minutes of the window. */
const notAfter = (rules: ContactFile, channel: Channel, now: Instant): Instant =>
  Math.min(now + 10 * MINUTE, lastStart(rules.calendar!, hoursFor(channel, rules.isConsumer), now))
