import { isLockConflict } from '../../../kit/db/transaction.ts'
import { withRetries } from '../../../kit/with-retries.ts'
import { sendClaimed, sendMessage } from '../messages/send-message.ts'
import { type WorkerContext, WrongClock } from '../messages/worker-context.ts'
import { attachRemaining } from '../wake/attach-remaining.ts'
import { type WakeResult, type WakeUp, wakeDebtor } from '../wake/wake-debtor.ts'

/** One task: wake a debtor, or send a message whose sender was lost. */
export type Task =
  | { kind: 'wake'; tenantId: string; debtorId: string; generation: number; isSandbox: boolean }
  | {
      kind: 'send'
      tenantId: string
      debtorId: string
      communicationId: string
      /** Its worker is silent: what it has not begun to send is sent by another, although the lease lasts. */
      isOrphaned?: boolean
    }

/** The most wake-ups in a row for one debtor, for a sandbox that skipped many days. Then it is taken again. */
const roundsMax = 60

export async function processTask(worker: WorkerContext, task: Task): Promise<void> {
  const { tenantId, debtorId } = task
  if (task.kind === 'send') {
    await sendMessage(worker, tenantId, debtorId, task.communicationId, task.isOrphaned)
    return
  }
  let generation: number | null = task.generation
  for (let round = 0; generation !== null && round < roundsMax; round++) {
    if (!worker.isClockRight()) throw new WrongClock()
    const wakeUp: WakeUp = { tenantId, debtorId, generation }
    // A taken lock is free again in a moment. If the database is unavailable, the task is given back.
    const result: WakeResult = await withRetries(isLockConflict, async () =>
      wakeDebtor(worker, wakeUp, 'claim', task.isSandbox ? null : await worker.places.takeIfCrowded()),
    )
    if (result?.kind === 'send') {
      try {
        if (result.hasMore) await attachRemaining(worker, tenantId, debtorId, result.communicationId)
        generation = result.claim
          ? await sendClaimed(worker, result.claim, result.place)
          : await sendMessage(worker, tenantId, debtorId, result.communicationId)
      } finally {
        result.place?.leave()
      }
    } else generation = result?.generation ?? null
  }
}
