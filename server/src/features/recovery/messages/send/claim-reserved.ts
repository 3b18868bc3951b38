import type { SettledResult } from '../../../../adapters/channel.ts'
import { isAnswer } from '../../../../domain/recovery/cascade.ts'
import { DAY } from '../../../../domain/time.ts'
import { iso } from '../../../../kit/clock.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../../kit/db/transaction.ts'
import { refreshAgenda } from '../../case/agenda-store.ts'
import { contactFile } from '../../case/debtor-file.ts'
import { type DebtorFile, lockAndLoadDebtor } from '../../case/debtor-file-store.ts'
import { type Communication, outcomeOf, readCommunication } from '../communication-store.ts'
import { type ContentRow, selectContent } from '../compose/content-store.ts'
import { exceededLimit } from '../count-send.ts'
import type { WorkerContext } from '../worker-context.ts'
import { type Claim, claimColumns, claimMessage, composeClaim, holdsAllPoints } from './claim.ts'
import { expireMessage, postponeLimited } from './postpone.ts'

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
  | { unfinished: SettledResult['outcome'] }

/** If the provider does not report an outcome within this time, the outcome is unknown. */
const lookupMaxMs = 2 * DAY

// `committing_at` stays: an idempotent provider that gets a message again may have sent it the first time, so no act can stop it.
const markClaimed = sql(
  'messages.claim',
  `update communications set state = 'sending', token = $2, lease_until = $3, provider = $4, verdict = $5, recipient_point = $6
    where id = $1`,
)

// Whether it was sent is not known: only the token and the lease are renewed.
const markLookup = sql(
  'messages.claim-for-lookup',
  'update communications set token = $2, lease_until = $3, looked_up_at = $4 where id = $1',
)

/**
 * Claims a message that was reserved in an earlier commit, or whose sender was lost. One that was being sent when its sender died
 * is claimed again only if sending it twice is impossible.
 */
export async function claimReserved(
  worker: WorkerContext,
  tenantId: string,
  debtorId: string,
  communicationId: string,
  /** The worker that holds it is silent. Before the fence its claim can be replaced: it then cannot pass the fence any more. */
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
      const [[agenda], [file], [message], [content]] = openingRows
      if (!agenda || !file || !message || !content) return 'nothing_to_do'
      const wall = worker.clock.wall()
      const now = file.environment === 'production' ? wall + offsetMs : message.reserved_at
      const channels = worker.channelsFor({ id: tenantId, environment: file.environment })
      const adapter = channels[message.channel]
      const known = { file, generation: agenda.wake_generation }
      const composing = { tenantId, debtorId, offsetMs, known, message, content }
      const isFenced = file.environment === 'production'
      const mayHaveLeft = message.state === 'sending' && (!isFenced || message.committing_at !== null)
      if (message.state === 'sending') {
        // A send that passed the fence at the end of its lease may last one more lease. Until then it is not looked up.
        const underWayUntil = (message.committing_at ?? 0) + worker.leaseMs
        const isOver = isOrphaned && message.committing_at === null
        if (!isOver && Math.max(message.lease_until!, underWayUntil) > wall) return 'nothing_to_do'
        const isSameProvider = message.provider === adapter?.name
        // The provider was changed in the meantime. The new one does not know the message and would send it a second time.
        if (mayHaveLeft && !isSameProvider) return 'outcome_unknown'
        if (message.committing_at !== null) {
          if (adapter?.lookup && canBeLookedUp(message, file, content)) {
            const token = worker.newId()
            const { claim } = composeClaim(worker, { ...composing, token, now: message.reserved_at })
            tx.atCommit(markLookup, [communicationId, token, iso(wall + worker.leaseMs), iso(wall)])
            return {
              ...claim,
              isLookup: true,
              isEarly: wall - message.committing_at < worker.neverSeenAfterMs,
              isLate: now - message.reserved_at > lookupMaxMs,
            }
          }
          if (adapter?.reentry !== 'idempotent') return 'outcome_unknown'
        }
      } else if (message.state !== 'reserved') {
        const outcome = outcomeOf(message)
        return outcome ? { unfinished: outcome } : 'nothing_to_do'
      }
      const rules = contactFile(file, agenda, [communicationId])
      const columns = adapter && claimColumns(worker, adapter, { rules, file }, message, { now, wall })
      const moment = { now, wall, isFirst: message.state === 'reserved' }
      const claim = columns
        ? claimMessage(tx, worker, { ...composing, file, rules, token: columns.token, ...moment })
        : { obstacle: 'no_provider' }
      if (!columns || 'obstacle' in claim) {
        // An idempotent provider may have the first copy already. The message may not be sent again now, so its outcome stays
        // unknown and it counts as a contact.
        if (mayHaveLeft) return 'outcome_unknown'
        expireMessage(tx, tenantId, message, 'obstacle' in claim ? claim.obstacle : 'no_provider', now)
        tx.atCommit(refreshAgenda, [tenantId, debtorId, offsetMs, iso(now), false])
        return 'nothing_to_do'
      }
      const { token, leaseUntil, provider, verdict, recipientPoint } = columns
      tx.atCommit(markClaimed, [
        communicationId,
        token,
        iso(leaseUntil),
        provider,
        JSON.stringify(verdict),
        recipientPoint,
      ])
      return claim
    },
  ).catch(async error => {
    const limit = exceededLimit(error)
    if (limit === null) throw error
    await postponeLimited(worker, tenantId, debtorId, communicationId, limit)
    return 'nothing_to_do' as const
  })
}

/**
 * A lookup needs the address the message was sent to: impossible if it changed since, or for answers, whose address is not
 * stored.
 */
const canBeLookedUp = (communication: Communication, file: DebtorFile, content: ContentRow): boolean =>
  content.invoices.length > 0 && !isAnswer(communication.step) && holdsAllPoints(communication, file)
