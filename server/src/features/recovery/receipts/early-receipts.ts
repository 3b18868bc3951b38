import type { ReceiptOutcome } from '../../../domain/contact/receipt.ts'
import { DAY } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, type Tx, transact } from '../../../kit/db/transaction.ts'
import { forEachTenant } from '../../../kit/each-tenant.ts'
import { startPollLoop } from '../../../kit/poll-loop.ts'
import type { CodeRow } from '../messages/compose/code-store.ts'
import type { WorkerContext } from '../messages/worker-context.ts'
import { recordReceipt } from './record-receipt.ts'

const insertEarlyReceipt = sql(
  'receipts.save-early',
  `insert into early_receipts (tenant_id, communication_id, outcome, at, received_at, retry_at)
   values ($1, $2, $3, $4, $5, $5) on conflict do nothing`,
)

/** Saves a receipt that arrived before its message was settled. Few providers send a receipt twice. */
export const saveEarlyReceipt = (
  tx: Tx,
  { tenant_id, communication_id }: CodeRow,
  receipt: { outcome: ReceiptOutcome; at: number },
  wall: number,
): void =>
  tx.atCommit(insertEarlyReceipt, [tenant_id, communication_id, receipt.outcome, iso(receipt.at), iso(wall)])

interface EarlyReceiptRow {
  tenant_id: string
  communication_id: string
  outcome: ReceiptOutcome
  at: number
  received_at: number
  company_id: string
  environment: 'production' | 'sandbox'
}
const selectDue = sql(
  'receipts.list-due-early',
  `select e.tenant_id, e.communication_id, e.outcome, e.at, e.received_at, t.company_id, t.environment
     from early_receipts e join tenants t on t.id = e.tenant_id where e.retry_at <= $1 order by e.retry_at limit 100`,
).as<EarlyReceiptRow>()
const deleteEarlyReceipt = sql(
  'receipts.delete-early',
  'delete from early_receipts where tenant_id = $1 and communication_id = $2 and outcome = $3',
)
const postponeEarlyReceipt = sql(
  'receipts.postpone-early',
  'update early_receipts set retry_at = $4 where tenant_id = $1 and communication_id = $2 and outcome = $3',
)

const firstPauseMs = 1_000
const longestPauseMs = 60_000
const waitingMaxMs = 2 * DAY

/**
 * Tries again to record receipts that came too early; returns how many were done. Safe to run twice: a known receipt changes
 * nothing.
 */
export async function retryEarlyReceipts(worker: WorkerContext): Promise<number> {
  const { pool, clock, newId, log } = worker
  const query = queryOn(pool)
  let recordedCount = 0
  const due = await query(selectDue, [iso(clock.wall())])
  const loop = {
    idsOf: (early: EarlyReceiptRow) => ({
      tenantId: early.tenant_id,
      communicationId: early.communication_id,
    }),
    failure: 'early receipt failed; it is retried',
  }
  await forEachTenant(log, due, loop, async early => {
    const wall = clock.wall()
    const key = [early.tenant_id, early.communication_id, early.outcome]
    const retry = () =>
      transact(pool, asWorker(early.tenant_id), [], async ({ tx, offsetMs }) => {
        const recorded = await recordReceipt(
          {
            tx,
            actor: {
              kind: 'worker',
              id: early.communication_id,
              tenantId: early.tenant_id,
              companyId: early.company_id,
              environment: early.environment,
              scopes: [],
            },
            now: wall + offsetMs,
            wall,
            requestId: early.communication_id,
            newId,
          },
          { communicationId: early.communication_id, outcome: early.outcome, at: early.at },
        )
        const isEarly = !recorded.recorded && recorded.because === 'not_yet'
        if (!isEarly) tx.atCommit(deleteEarlyReceipt, key)
        return !isEarly
      })
    // A receipt that fails now must not block the receipts after it.
    const isOver = await retry().catch(error => {
      log.warn({ communicationId: early.communication_id, err: error }, 'early receipt postponed')
      return false
    })
    if (isOver) recordedCount++
    else if (wall - early.received_at > waitingMaxMs) {
      log.warn(
        { communicationId: early.communication_id, outcome: early.outcome },
        'receipt of a message that was never sent',
      )
      await query(deleteEarlyReceipt, key)
    } else {
      const waited = Math.max(firstPauseMs, wall - early.received_at)
      await query(postponeEarlyReceipt, [...key, iso(wall + Math.min(waited, longestPauseMs))])
    }
  })
  return recordedCount
}

export const startEarlyReceiptLoop = (worker: WorkerContext, pollMs: number): { stop(): Promise<void> } =>
  startPollLoop({
    pollMs,
    log: worker.log,
    failure: 'early receipts postponed',
    async pass() {
      await retryEarlyReceipts(worker)
      return false
    },
  })
