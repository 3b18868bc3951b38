import { isDatabaseFault } from '../../kit/db/transaction.ts'
import { send } from '../communications/send.ts'
import { wake } from './wake.ts'
import type { Worker } from './worker.ts'

/** One thing to look at: a debtor whose moment has come, or a message whose sender was lost. Ids only; `v` is its version. */
export type Task =
  | { v: 1; kind: 'wake'; tenantId: string; debtorId: string; gen: number }
  | { v: 1; kind: 'send'; tenantId: string; debtorId: string; communicationId: string }

async function drive(worker: Worker, task: Task): Promise<void> {
  const communicationId = task.kind === 'send' ? task.communicationId : await wake(worker, task)
  if (communicationId !== null) await send(worker, task.tenantId, task.debtorId, communicationId)
}

/** How many debtors one process handles at the same time, however many batches it was given. */
export interface Turnstile {
  through<T>(work: () => Promise<T>): Promise<T>
}

export function turnstile(places: number): Turnstile {
  let free = places
  const waiting: (() => void)[] = []
  return {
    async through(work) {
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
 * Takes a batch through. A task that fails is left to the armer, which finds it late; a database that is away fails the
 * batch, so that whoever carried it here brings it again at once. What was done by then is stale, and does nothing.
 */
export async function driveBatch(worker: Worker, gate: Turnstile, tasks: readonly Task[]): Promise<void> {
  const results = await Promise.allSettled(tasks.map(task => gate.through(() => drive(worker, task))))
  let away: unknown = null
  results.forEach((result, i) => {
    if (result.status === 'fulfilled') return
    if (isDatabaseFault(result.reason)) away = result.reason
    else worker.log.error({ ...tasks[i], err: result.reason }, 'task failed')
  })
  if (away) throw away
}
