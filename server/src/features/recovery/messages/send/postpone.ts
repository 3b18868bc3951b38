import { planAt } from '../../../../domain/recovery/plan-step.ts'
import { DAY, MINUTE } from '../../../../domain/time.ts'
import { iso } from '../../../../kit/clock.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { asWorker, type Tx, transact } from '../../../../kit/db/transaction.ts'
import { lockAgenda, refreshAgenda } from '../../case/agenda-store.ts'
import { contactFile } from '../../case/debtor-file.ts'
import { lockAndLoadDebtor } from '../../case/debtor-file-store.ts'
import {
  type Communication,
  deletePending,
  expiryStatements,
  postponeServed,
  readCommunication,
  servedSql,
} from '../communication-store.ts'
import { giveBack, type Limit, uncountSend } from '../count-send.ts'
import { reportOutcome } from '../settle/report-outcome.ts'
import type { WorkerContext } from '../worker-context.ts'
import type { Claim } from './claim.ts'

/*
 * A message that was reserved or claimed, and is not sent now: it frees its slots, and its steps are planned again.
 */

/** Gives up a message before it is sent, and frees its slots and steps. */
export function expireMessage(
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

/** The daily limits count UTC days. */
const startOfNextDay = (now: number): number => (Math.floor(now / DAY) + 1) * DAY

/** A daily limit is reached: the message waits for another day. Its steps keep their place, and no attempt is used up. */
export async function postponeLimited(
  worker: WorkerContext,
  tenantId: string,
  debtorId: string,
  communicationId: string,
  limit: Limit,
): Promise<void> {
  await transact(
    worker.pool,
    asWorker(tenantId),
    [...lockAndLoadDebtor(tenantId, debtorId), [readCommunication, [communicationId]]],
    async ({ tx, openingRows, offsetMs }) => {
      const [[agenda], [file], [communication]] = openingRows
      if (!agenda || !file || communication?.state !== 'reserved') return
      const now = worker.clock.wall() + offsetMs
      const rules = contactFile(file, agenda, [communicationId])
      const { at, because } = planAt(rules, communication.channel, startOfNextDay(now), debtorId)
      // A company must not learn that others contacted the person today, so the step has its usual reason.
      const reason = at === null ? because : limit === 'daily_cap' ? limit : 'cascade'
      tx.atCommit(postponeServed, [communicationId, at === null ? null : iso(at), reason])
      expireMessage(tx, tenantId, communication, 'postponed', now)
      tx.atCommit(refreshAgenda, [tenantId, debtorId, offsetMs, null, false])
    },
  )
}

/** Nothing was sent because of a fault on our side: the slot and the step are freed, and no attempt is used up. */
export async function releaseClaim(worker: WorkerContext, claim: Claim, because: string): Promise<void> {
  const { tenantId, debtorId, communicationId, token, counted } = claim
  await transact(
    worker.pool,
    asWorker(tenantId),
    [
      [lockAgenda, [tenantId, debtorId]],
      [readCommunication, [communicationId]],
    ],
    async ({ tx, openingRows, offsetMs }) => {
      const [, [communication]] = openingRows
      if (communication?.state !== 'sending' || communication.token !== token)
        return giveBack(tx, communication, claim)
      if (counted) uncountSend(tx, tenantId, counted)
      const now = worker.clock.wall() + offsetMs
      expireMessage(tx, tenantId, communication, because, now)
      tx.atCommit(refreshAgenda, [tenantId, debtorId, offsetMs, iso(now), false])
    },
  )
}

const selectServedWish = sql(
  'messages.get-served-wish',
  `select min(wish_at) as wish_at from (
     select wish_at from recoveries where invoice_id = any (array(${servedSql('$1')})) and communication_id = $1
     union all select wish_at from extra_messages where communication_id = $1) served`,
).as<{ wish_at: number | null }>()

/** How long a message waits for a provider that sends other messages but not this one. */
const unavailableMaxMs = 2 * DAY
const unavailableRetryMaxMs = 15 * MINUTE

/**
 * Nothing was sent, and the message is not the cause: it waits for its provider, and no attempt is used up. False: it has
 * waited for two days while its provider sent others.
 */
export async function postponeUnavailable(
  worker: WorkerContext,
  claim: Claim & { providerMs?: number },
  reason: string,
  awayUntil: number | null,
): Promise<boolean> {
  const { tenantId, debtorId, communicationId, token, counted, providerMs } = claim
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
      if (communication?.state !== 'sending' || communication.token !== token) {
        giveBack(tx, communication, claim)
        return true
      }
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
      tx.atCommit(refreshAgenda, [tenantId, debtorId, offsetMs, null, false], () =>
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
