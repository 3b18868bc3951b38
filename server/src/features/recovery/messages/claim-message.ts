import { evidenceOf } from '../../../domain/contact/contact-rules.ts'
import { isAnswer } from '../../../domain/recovery/cascade.ts'
import type { SendOutcome } from '../../../domain/recovery/next-step.ts'
import { planAt } from '../../../domain/recovery/plan-step.ts'
import { DAY, MINUTE } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, type Tx, transact } from '../../../kit/db/transaction.ts'
import { lockAgenda, refreshAgenda } from '../case/agenda-lock.ts'
import { contactFile, type DebtorFile, lockAndLoadDebtor } from '../case/debtor-file.ts'
import { type Claim, composeClaim, holdsAllPoints, obstacleToSending, recordClaim } from './claim.ts'
import {
  type Communication,
  deletePending,
  expiryStatements,
  outcomeOf,
  postponeServed,
  readCommunication,
  servedSql,
} from './communication.ts'
import { exceededLimit, type Limit, uncountSend } from './count-send.ts'
import { type ContentRow, selectContent } from './read-content.ts'
import { reportOutcome } from './report-outcome.ts'
import type { WorkerContext } from './worker-context.ts'

/** A claim on a message that may have been sent already: the provider is asked for its outcome. `isLate`: do not ask again. */
export interface LookupClaim extends Claim {
  isLookup: true
  /** It was sent so recently that the provider may not know it yet. */
  isEarly: boolean
  isLate: boolean
}

/** `unfinished`: the message is settled, but its sender died before all of its recoveries were advanced. */
export type ClaimResult =
  | Claim
  | LookupClaim
  | 'nothing_to_do'
  | 'outcome_unknown'
  | { unfinished: SendOutcome }

/** If the provider does not report an outcome within this time, the outcome is unknown. */
const lookupMaxMs = 2 * DAY

const markClaimed = sql(
  'messages.claim',
  `update communications set state = 'sending', token = $2, lease_until = $3, provider = $4, committing_at = null, verdict = $5
    where id = $1`,
)

// Whether it was sent is not known: only the token and the lease are renewed.
const markLookup = sql(
  'messages.claim-for-lookup',
  'update communications set token = $2, lease_until = $3, looked_up_at = $4 where id = $1',
)
/** The UTC day that the daily limits count. */
const startOfNextDay = (now: number): number => (Math.floor(now / DAY) + 1) * DAY

/**
 * Claims a reserved message for sending. The contact rules are checked again, with the current address and balance. A message
 * that was being sent when its sender died is claimed again only if sending it twice is impossible.
 */
export async function claimMessage(
  worker: WorkerContext,
  tenantId: string,
  debtorId: string,
  communicationId: string,
  /** The worker that holds it is silent. Before the fence its claim is over: after another claim it cannot pass the fence. */
  isOrphaned = false,
): Promise<ClaimResult> {
  return transact(
    worker.pool,
    asWorker(tenantId),
    [
      ...lockAndLoadDebtor(tenantId, debtorId),
      [readCommunication, [communicationId]],
      [selectContent, [communicationId, debtorId]],
    ],
    async ({ tx, openingRows, offsetMs }) => {
      const [[agenda], [file], [communication], [contentRow]] = openingRows
      if (!agenda || !file || !communication || !contentRow) return 'nothing_to_do'
      const wall = worker.clock.wall()
      const now = file.environment === 'production' ? wall + offsetMs : communication.reserved_at
      const channels = worker.channelsFor({ id: tenantId, environment: file.environment })
      const adapter = channels[communication.channel]
      const known = { file, generation: agenda.wake_generation }
      const compose = (at: number) =>
        composeClaim(worker, {
          ...{ tenantId, debtorId, offsetMs, known, at },
          message: communication,
          content: contentRow,
          token: worker.newId(),
        })
      if (communication.state === 'sending') {
        // A send that passed the fence at the end of its lease may last one more lease. Until then nobody looks it up.
        const underWayUntil = (communication.committing_at ?? 0) + worker.leaseMs
        const isOver = isOrphaned && communication.committing_at === null
        if (!isOver && Math.max(communication.lease_until!, underWayUntil) > wall) return 'nothing_to_do'
        const isSameProvider = communication.provider === adapter?.name
        const mayHaveLeft = communication.committing_at !== null || adapter?.reentry === 'idempotent'
        // The provider was changed in the meantime. The new one does not know the message and would send it a second time.
        if (mayHaveLeft && !isSameProvider) return 'outcome_unknown'
        if (communication.committing_at !== null) {
          if (adapter?.lookup && canBeLookedUp(communication, file, contentRow)) {
            const { claim: lookup } = compose(communication.reserved_at)
            tx.atCommit(markLookup, [communicationId, lookup.token, iso(wall + worker.leaseMs), iso(wall)])
            return {
              ...lookup,
              isLookup: true,
              isEarly: wall - communication.committing_at < worker.neverSeenAfterMs,
              isLate: now - communication.reserved_at > lookupMaxMs,
            }
          }
          if (adapter?.reentry !== 'idempotent') return 'outcome_unknown'
        }
      } else if (communication.state !== 'reserved') {
        const outcome = outcomeOf(communication)
        return outcome ? { unfinished: outcome } : 'nothing_to_do'
      }
      const rules = contactFile(file, agenda, [communicationId])
      const obstacle = adapter
        ? obstacleToSending(communication, file, contentRow, rules, now)
        : 'no_provider'
      if (obstacle || !adapter) {
        // An idempotent provider may have the first copy already. It may not be sent now, so we cannot find out: it counts as a
        // contact.
        if (communication.state === 'sending' && adapter?.reentry === 'idempotent') return 'outcome_unknown'
        expireMessage(tx, tenantId, communication, obstacle ?? 'no_provider', now)
        tx.atCommit(refreshAgenda, [tenantId, debtorId, offsetMs, iso(now)])
        return 'nothing_to_do'
      }
      const composed = compose(now)
      const { step, channel } = communication
      tx.atCommit(markClaimed, [
        communicationId,
        composed.claim.token,
        iso(wall + worker.leaseMs),
        adapter.name,
        JSON.stringify(evidenceOf(rules, channel, now)),
      ])
      const isFirst = communication.state === 'reserved'
      return recordClaim(tx, worker, composed, contentRow, { step, channel, now, wall, isFirst })
    },
  ).catch(error => {
    const limit = exceededLimit(error)
    if (limit === null) throw error
    return postponeMessage(worker, tenantId, debtorId, communicationId, limit)
  })
}

/**
 * A lookup needs the address the message was sent to: impossible if it changed since, or for answers, whose address is not
 * stored.
 */
const canBeLookedUp = (communication: Communication, file: DebtorFile, contentRow: ContentRow): boolean =>
  contentRow.invoices.length > 0 && !isAnswer(communication.step) && holdsAllPoints(communication, file)

/** The message waits for another day: its steps keep their place, and no attempt is used up. */
async function postponeMessage(
  worker: WorkerContext,
  tenantId: string,
  debtorId: string,
  communicationId: string,
  limit: Limit,
): Promise<ClaimResult> {
  return transact(
    worker.pool,
    asWorker(tenantId),
    [...lockAndLoadDebtor(tenantId, debtorId), [readCommunication, [communicationId]]],
    async ({ tx, openingRows, offsetMs }): Promise<ClaimResult> => {
      const [[agenda], [file], [communication]] = openingRows
      if (!agenda || !file || communication?.state !== 'reserved') return 'nothing_to_do'
      const now = worker.clock.wall() + offsetMs
      const rules = contactFile(file, agenda, [communicationId])
      const { at, because } = planAt(rules, communication.channel, startOfNextDay(now), debtorId)
      // That others have contacted a person today is not this company's to know: the step has its usual reason.
      const reason = at === null ? because : limit === 'daily_cap' ? limit : 'cascade'
      tx.atCommit(postponeServed, [communicationId, at === null ? null : iso(at), reason])
      expireMessage(tx, tenantId, communication, 'postponed', now)
      tx.atCommit(refreshAgenda, [tenantId, debtorId, offsetMs, null])
      return 'nothing_to_do'
    },
  )
}

/** Nothing was sent because of a fault on our side: the slot and the step are freed, and no attempt is used up. */
export async function releaseClaim(
  worker: WorkerContext,
  { tenantId, debtorId, communicationId, token, counted }: Claim,
  because: string,
): Promise<void> {
  await transact(
    worker.pool,
    asWorker(tenantId),
    [
      [lockAgenda, [tenantId, debtorId]],
      [readCommunication, [communicationId]],
    ],
    async ({ tx, openingRows, offsetMs }) => {
      const [, [communication]] = openingRows
      if (communication?.state !== 'sending' || communication.token !== token) return
      if (counted) uncountSend(tx, tenantId, counted)
      const now = worker.clock.wall() + offsetMs
      expireMessage(tx, tenantId, communication, because, now)
      tx.atCommit(refreshAgenda, [tenantId, debtorId, offsetMs, iso(now)])
    },
  )
}

const selectServedWish = sql(
  'messages.get-served-wish',
  `select min(wish_at) as wish_at from (
     select wish_at from recoveries where invoice_id = any (array(${servedSql('$1')})) and communication_id = $1
     union all select wish_at from extra_messages where communication_id = $1) served`,
).as<{ wish_at: number | null }>()

/** A message that its provider alone cannot send, while it sends others, is not for the provider to wait for. */
const unavailableMaxMs = 2 * DAY
const unavailableRetryMaxMs = 15 * MINUTE

/**
 * Nothing was sent, and it was not the message's fault: it waits for its provider, and no attempt is used up. False: it has
 * waited for two days while its provider was there for others.
 */
export async function postponeUnavailable(
  worker: WorkerContext,
  { tenantId, debtorId, communicationId, token, counted, providerMs }: Claim & { providerMs?: number },
  reason: string,
  awayUntil: number | null,
): Promise<boolean> {
  return transact(
    worker.pool,
    asWorker(tenantId),
    [
      [lockAgenda, [tenantId, debtorId]],
      [readCommunication, [communicationId]],
      [selectServedWish, [communicationId]],
    ],
    async ({ tx, openingRows, offsetMs }) => {
      const [, [communication], [served]] = openingRows
      if (communication?.state !== 'sending' || communication.token !== token) return true
      const now = worker.clock.wall() + offsetMs
      const waited = now - (served?.wish_at ?? now)
      if (awayUntil === null && waited > unavailableMaxMs) return false
      if (counted) uncountSend(tx, tenantId, counted)
      const pause = Math.min(unavailableRetryMaxMs, waited / 4)
      const firstPause = (worker.providerRetrySeconds[0] ?? 0) * 1_000
      const retryAt = Math.max(awayUntil ?? 0, now + Math.max(firstPause, pause))
      tx.atCommit(postponeServed, [communicationId, iso(retryAt), 'provider_away'])
      expireMessage(tx, tenantId, communication, reason, now)
      const { channel, provider, step } = communication
      tx.atCommit(refreshAgenda, [tenantId, debtorId, offsetMs, null], () =>
        reportOutcome(
          worker,
          { tenantId, debtorId, communicationId, providerMs },
          { environment: 'production', channel, provider, step, latenessMs: null },
          { outcome: 'unavailable', reason },
        ),
      )
      return true
    },
  )
}

function expireMessage(
  tx: Tx,
  tenantId: string,
  communication: Communication,
  because: string,
  now: number,
): void {
  for (const [statement, values] of expiryStatements(communication.id, because, iso(now)))
    tx.atCommit(statement, values)
  tx.atCommit(deletePending, [tenantId, [communication.id]])
}
