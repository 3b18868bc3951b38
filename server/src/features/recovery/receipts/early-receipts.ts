import type { ReceiptOutcome } from '../../../domain/contact/receipt.ts'
import { DAY } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { asking } from '../../../kit/db/plain.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, type Tx, transact } from '../../../kit/db/transaction.ts'
import type { Coded } from '../messages/code.ts'
import type { Worker } from '../messages/worker.ts'
import { recordReceipt } from './receipt.ts'

const keep = sql(
  'receipts.save-early',
  `insert into early_receipts (tenant_id, communication_id, outcome, at, heard_at, try_at)
   values ($1, $2, $3, $4, $5, $5) on conflict do nothing`,
)

/** News that came before the sending of its message was written down. Few providers tell anything twice. */
export const keepForLater = (
  tx: Tx,
  { tenant_id, communication_id }: Coded,
  receipt: { outcome: ReceiptOutcome; at: number },
  wall: number,
): void => tx.atCommit(keep, [tenant_id, communication_id, receipt.outcome, iso(receipt.at), iso(wall)])

interface Early {
  tenant_id: string
  communication_id: string
  outcome: ReceiptOutcome
  at: number
  heard_at: number
  company_id: string
  environment: 'production' | 'sandbox'
}
const due = sql(
  'receipts.list-due-early',
  `select e.tenant_id, e.communication_id, e.outcome, e.at, e.heard_at, t.company_id, t.environment
     from early_receipts e join tenants t on t.id = e.tenant_id where e.try_at <= $1 order by e.try_at limit 100`,
).as<Early>()
const drop = sql(
  'receipts.delete-early',
  'delete from early_receipts where tenant_id = $1 and communication_id = $2 and outcome = $3',
)
const postpone = sql(
  'receipts.postpone-early',
  'update early_receipts set try_at = $4 where tenant_id = $1 and communication_id = $2 and outcome = $3',
)

const firstPauseMs = 1_000
const longestPauseMs = 60_000
const waitingMost = 2 * DAY

/** Tells again what came too early; answers how many found their message. Safe to run twice: what is known is not news. */
export async function tellEarlyReceipts(worker: Worker): Promise<number> {
  const { pool, clock, newId, log } = worker
  const ask = asking(pool)
  let told = 0
  for (const early of await ask(due, [iso(clock.wall())])) {
    const wall = clock.wall()
    const key = [early.tenant_id, early.communication_id, early.outcome]
    const tellAgain = () =>
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
        if (!isEarly) tx.atCommit(drop, key)
        return !isEarly
      })
    // One that cannot be told now must not stand in the way of those behind it.
    const isOver = await tellAgain().catch(error => {
      log.warn({ communicationId: early.communication_id, err: error }, 'early news postponed')
      return false
    })
    if (isOver) told++
    else if (wall - early.heard_at > waitingMost) {
      log.warn(
        { communicationId: early.communication_id, outcome: early.outcome },
        'news of a message never sent',
      )
      await ask(drop, key)
    } else {
      const waited = Math.max(firstPauseMs, wall - early.heard_at)
      await ask(postpone, [...key, iso(wall + Math.min(waited, longestPauseMs))])
    }
  }
  return told
}

export function startTellingEarlyReceipts(worker: Worker, pollMs: number): { stop(): Promise<void> } {
  let isStopped = false
  let wakeUp: () => void = () => {}
  const run = async () => {
    while (!isStopped) {
      await tellEarlyReceipts(worker).catch(error => worker.log.warn({ err: error }, 'early news postponed'))
      await new Promise<void>(resolve => {
        wakeUp = resolve
        setTimeout(resolve, pollMs).unref()
      })
    }
  }
  const running = run()
  return {
    async stop() {
      isStopped = true
      wakeUp()
      await running
    },
  }
}
