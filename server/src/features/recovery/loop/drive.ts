import { isDatabaseFault } from '../../../kit/db/transaction.ts'
import { send } from '../messages/send.ts'
import type { Worker } from '../messages/worker.ts'
import { board } from '../wake/board.ts'
import { wake } from '../wake/wake.ts'

/** One thing to look at: a debtor whose moment has come, or a message whose sender was lost. Ids only; `v` is its version. */
export type Task =
  | { v: 1; kind: 'wake'; tenantId: string; debtorId: string; gen: number; isSandbox: boolean }
  | { v: 1; kind: 'send'; tenantId: string; debtorId: string; communicationId: string }

/** However many days a sandbox passed over: it comes back to the armer before it holds its place for too long. */
const roundsMost = 60

async function drive(worker: Worker, task: Task): Promise<void> {
  const { tenantId, debtorId } = task
  if (task.kind === 'send') return void (await send(worker, tenantId, debtorId, task.communicationId))
  let gen: number | null = task.gen
  for (let round = 0; gen !== null && round < roundsMost; round++) {
    const woken = await wake(worker, { tenantId, debtorId, gen })
    if (woken?.kind === 'send') {
      if (woken.isCrowded) await board(worker, tenantId, debtorId, woken.communicationId)
      gen = await send(worker, tenantId, debtorId, woken.communicationId)
    } else gen = woken?.gen ?? null
  }
}

/** How many debtors one process handles at the same time, however many batches it was given. */
export interface Turnstile {
  through<T>(work: () => Promise<T>): Promise<T>
}

/** Sandboxes have places of their own. */
export interface Gates {
  production: Turnstile
  sandbox: Turnstile
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
export async function driveBatch(worker: Worker, gates: Gates, tasks: readonly Task[]): Promise<void> {
  const gateOf = (task: Task) => (task.kind === 'wake' && task.isSandbox ? gates.sandbox : gates.production)
  const results = await Promise.allSettled(tasks.map(task => gateOf(task).through(() => drive(worker, task))))
  let away: unknown = null
  results.forEach((result, i) => {
    if (result.status === 'fulfilled') return
    if (isDatabaseFault(result.reason)) away = result.reason
    else worker.log.error({ ...tasks[i], err: result.reason }, 'task failed')
  })
  if (away) throw away
}
