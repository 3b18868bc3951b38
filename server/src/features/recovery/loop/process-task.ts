import { isDatabaseFault, isLockConflict } from '../../../kit/db/transaction.ts'
import { defectMessages } from '../../../kit/log.ts'
import { withRetries } from '../../../kit/with-retries.ts'
import { sendClaimed, sendMessage } from '../messages/send-message.ts'
import { type WorkerContext, WrongClock } from '../messages/worker-context.ts'
import { attachRemaining } from '../wake/attach-remaining.ts'
import { type WakeResult, type WakeUp, wakeDebtor } from '../wake/wake-debtor.ts'

/** One task: wake a debtor, or send a message whose sender was lost. It contains ids only; `v` is the version of the format. */
export type Task =
  | { v: 1; kind: 'wake'; tenantId: string; debtorId: string; gen: number; isSandbox: boolean }
  | {
      v: 1
      kind: 'send'
      tenantId: string
      debtorId: string
      communicationId: string
      /** Its worker is silent: what it has not begun to send is sent by another, although the lease lasts. */
      isOrphaned?: boolean
    }

/** The most wake-ups in a row for one debtor, for a sandbox that skipped many days. Then the scheduler dispatches it again. */
const roundsMax = 60

export async function processTask(worker: WorkerContext, task: Task): Promise<void> {
  const { tenantId, debtorId } = task
  if (task.kind === 'send') {
    await sendMessage(worker, tenantId, debtorId, task.communicationId, task.isOrphaned)
    return
  }
  let gen: number | null = task.gen
  for (let round = 0; gen !== null && round < roundsMax; round++) {
    if (!worker.isClockRight()) throw new WrongClock()
    const wakeUp: WakeUp = { tenantId, debtorId, gen }
    // A taken lock is free again in a moment. If the database is unavailable, the dispatcher repeats the task.
    const result: WakeResult = await withRetries(isLockConflict, async () =>
      wakeDebtor(worker, wakeUp, 'claim', task.isSandbox ? null : await worker.places.takeIfCrowded()),
    )
    if (result?.kind === 'send') {
      try {
        if (result.hasMore) await attachRemaining(worker, tenantId, debtorId, result.communicationId)
        gen = result.claim
          ? await sendClaimed(worker, result.claim, result.place)
          : await sendMessage(worker, tenantId, debtorId, result.communicationId)
      } finally {
        result.place?.leave()
      }
    } else gen = result?.gen ?? null
  }
}

/** Limits how many debtors one process handles at the same time, however many batches it receives. */
export interface Semaphore {
  run<T>(work: () => Promise<T>): Promise<T>
}

/** Production and sandboxes have separate limits. */
export interface TaskSemaphores {
  production: Semaphore
  sandbox: Semaphore
}

export function createSemaphore(permits: number): Semaphore {
  let free = permits
  const waiting: (() => void)[] = []
  return {
    async run(work) {
      if (free > 0) free--
      else await new Promise<void>(resolve => waiting.push(resolve))
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else free++
      }
    },
  }
}

/**
 * Processes a batch of tasks. A task that fails is left to the scheduler, which finds it late. If the database is unavailable
 * or the clock of this worker is wrong, the batch fails, so that the dispatcher repeats it at once. Tasks that were done by
 * then are stale and do nothing.
 */
export async function processBatch(
  worker: WorkerContext,
  semaphores: TaskSemaphores,
  tasks: readonly Task[],
): Promise<void> {
  const semaphoreOf = (task: Task) =>
    task.kind === 'wake' && task.isSandbox ? semaphores.sandbox : semaphores.production
  const results = await Promise.allSettled(
    tasks.map(task => semaphoreOf(task).run(() => processTask(worker, task))),
  )
  let fault: unknown = null
  results.forEach((result, i) => {
    if (result.status === 'fulfilled') return
    if (isDatabaseFault(result.reason) || result.reason instanceof WrongClock) fault = result.reason
    else {
      worker.metrics.tasksFailed.inc()
      worker.log.error({ ...tasks[i], err: result.reason }, defectMessages.task)
    }
  })
  if (fault) throw fault
}
