import { iso } from '../../../kit/clock.ts'
import { inTransaction, queryOn } from '../../../kit/db/query.ts'
import { isDatabaseFault, isLockConflict } from '../../../kit/db/transaction.ts'
import { removeSilentWorkers } from '../../../kit/heartbeat.ts'
import { defectMessages } from '../../../kit/log.ts'
import { startPollLoop } from '../../../kit/poll-loop.ts'
import { withRetries } from '../../../kit/with-retries.ts'
import {
  giveBackAgenda,
  listDueOfTenants,
  listDueTenants,
  listOldest,
  releaseLate,
  releaseTakenBy,
  takeAgendas,
} from '../agenda/wake-store.ts'
import { releaseSendsHeldBy, takeLostSends } from '../messages/send/lost-send-store.ts'
import { sendClaimed, sendReserved } from '../messages/send/send-message.ts'
import { type WorkerContext, WrongClock } from '../messages/worker-context.ts'
import { attachRemaining } from './attach-remaining.ts'
import { createDueFloor, roundRobin } from './due-order.ts'
import { type WakeResult, type WakeUp, wakeDebtor } from './wake-debtor.ts'

/** One task: wake a debtor, or send a message whose sender was lost. */
export type Task =
  | { kind: 'wake'; tenantId: string; debtorId: string; generation: number; isSandbox: boolean }
  | {
      kind: 'send'
      tenantId: string
      debtorId: string
      communicationId: string
      /** Its worker is silent: if sending has not begun, another worker sends the message, although the lease is still valid. */
      isOrphaned?: boolean
    }

/** The most wake-ups in a row for one debtor, for a sandbox that skipped many days. Then it is taken again. */
const roundsMax = 60

export async function processTask(worker: WorkerContext, task: Task): Promise<void> {
  const { tenantId, debtorId } = task
  if (task.kind === 'send') {
    await sendReserved(worker, tenantId, debtorId, task.communicationId, task.isOrphaned)
    return
  }
  let generation: number | null = task.generation
  for (let round = 0; generation !== null && round < roundsMax; round++) {
    if (!worker.isClockRight()) throw new WrongClock()
    const wakeUp: WakeUp = { tenantId, debtorId, generation }
    // A taken lock is free again in a moment. If the database is unavailable, the task is given back.
    const result: WakeResult = await withRetries(isLockConflict, async () =>
      wakeDebtor(worker, wakeUp, task.isSandbox ? null : await worker.places.takeIfCrowded()),
    )
    if (result?.kind === 'send') {
      try {
        if (result.hasMore) await attachRemaining(worker, tenantId, debtorId, result.communicationId)
        generation = result.claim
          ? await sendClaimed(worker, result.claim, result.place)
          : await sendReserved(worker, tenantId, debtorId, result.communicationId)
      } finally {
        result.place?.leave()
      }
    } else generation = result?.generation ?? null
  }
}

export interface PullOptions {
  pollMs: number
  /** When a task that failed, or that gave no result, is taken again. */
  wakeTimeoutMs: number
  /** How many debtors are handled at once, without those that wait for a provider; sandboxes have separate places. */
  places: { production: number; sandbox: number }
}

interface DueRow {
  tenant_id: string
  debtor_id: string
  wake_generation: number
}

/** How many more rows than places are read to take turns among tenants. */
const windowFactor = 4
const tenantsKnownMs = 1_000
/** The places for messages of dead workers. With fewer of them, these messages would be late. */
const lostPlacesOf = (places: number) => Math.max(4, Math.ceil(places / 4))

/**
 * Takes as many due debtors as this process has free places, and handles them. Every worker does so, without a leader: an
 * update takes a row, so that no other worker takes it. While more is due than fits, tenants take turns.
 */
function startQueue(
  worker: WorkerContext,
  isSandbox: boolean,
  options: PullOptions,
): { stop(): Promise<void> } {
  const { clock, log, metrics, workerId } = worker
  const query = queryOn(worker.pool)
  const places = options.places[isSandbox ? 'sandbox' : 'production']
  const running = new Set<Promise<void>>()
  // A debtor whose message is at its provider uses a place there, not here.
  const busy = () => running.size - (isSandbox ? 0 : worker.places.taken())
  let lostRunning = 0
  const toGiveBack = new Set<Task & { kind: 'wake' }>()
  let onFinished = () => {}
  const dueFloor = createDueFloor()
  let dueTenants: { ids: string[]; until: number; next: number } = { ids: [], until: 0, next: 0 }

  /** A backlog: the oldest may all belong to one tenant, so the oldest of each tenant are read. */
  async function listInTurns(wall: number, count: number): Promise<DueRow[]> {
    if (wall >= dueTenants.until) {
      const ids = (await query(listDueTenants, [iso(wall), isSandbox])).map(row => row.tenant_id)
      dueTenants = { ids, until: wall + tenantsKnownMs, next: dueTenants.next }
    }
    const { ids, next } = dueTenants
    if (ids.length === 0) return []
    const from = next % ids.length
    const chosen = [...ids.slice(from), ...ids.slice(0, from)].slice(0, count)
    dueTenants.next = from + chosen.length
    const each = Math.ceil(count / chosen.length)
    return roundRobin(await query(listDueOfTenants, [iso(wall), isSandbox, chosen, each]), count)
  }

  async function takeDue(count: number): Promise<Task[]> {
    const wall = clock.wall()
    const window = count * windowFactor
    const listFrom = (from: number) => query(listOldest, [iso(wall), isSandbox, window, iso(from)])
    // In a sandbox, skipped days make past moments due.
    const oldest = isSandbox ? await listFrom(0) : await dueFloor.look(wall, listFrom)
    const due = oldest.length < window ? roundRobin(oldest, count) : await listInTurns(wall, count)
    if (due.length === 0) return []
    const taken = await query(takeAgendas, [JSON.stringify(due), iso(wall), workerId])
    return taken.map(row => ({
      kind: 'wake',
      tenantId: row.tenant_id,
      debtorId: row.debtor_id,
      generation: row.wake_generation,
      isSandbox,
    }))
  }

  async function takeLost(count: number): Promise<Task[]> {
    if (isSandbox) return []
    const lost = await query(takeLostSends, [iso(clock.wall()), count, options.wakeTimeoutMs, workerId])
    return lost.map(row => ({
      kind: 'send',
      tenantId: row.tenant_id,
      debtorId: row.debtor_id,
      communicationId: row.communication_id,
      isOrphaned: row.is_orphaned,
    }))
  }

  function start(task: Task, reason: 'due' | 'lost'): void {
    metrics.taken.inc({ reason })
    const work = processTask(worker, task)
      .catch(error => {
        // After a database fault or with a wrong clock the task is given back, and any worker may take it again.
        if (!isDatabaseFault(error) && !(error instanceof WrongClock)) {
          metrics.tasksFailed.inc()
          log.error({ ...task, err: error }, defectMessages.task)
        } else if (task.kind === 'wake') toGiveBack.add(task)
      })
      .finally(() => {
        running.delete(work)
        if (reason === 'lost') lostRunning--
        onFinished()
      })
    running.add(work)
    if (reason === 'lost') lostRunning++
  }

  async function giveBack(): Promise<void> {
    const giveBackOne = async (task: Task & { kind: 'wake' }) => {
      await query(giveBackAgenda, [task.tenantId, task.debtorId, task.generation, workerId])
      toGiveBack.delete(task)
    }
    await Promise.all([...toGiveBack].map(giveBackOne))
  }

  const loop = startPollLoop({
    pollMs: options.pollMs,
    log,
    failure: 'nothing could be taken; it is retried',
    async pass() {
      await giveBack()
      const free = places - busy()
      const observePass = metrics.takePass.startTimer()
      // Asking a provider for an outcome may take long too, so most places are for due debtors.
      const lost = await takeLost(Math.max(0, Math.min(free, lostPlacesOf(places) - lostRunning)))
      for (const task of lost) start(task, 'lost')
      const due = free > lost.length ? await takeDue(free - lost.length) : []
      for (const task of due) start(task, 'due')
      observePass()
      if (due.length < free - lost.length) return false
      // More debtors are due. It waits until several places are free, and fills them with one query.
      await new Promise<void>(resolve => {
        onFinished = () => {
          if (busy() <= places - Math.ceil(places / 4)) resolve()
        }
        onFinished()
      })
      return true
    },
  })
  return {
    async stop() {
      const stopped = loop.stop()
      await Promise.all(running)
      await stopped
      await Promise.all(running)
      await giveBack().catch(() => {})
    },
  }
}

/** Releases the work of silent workers, and failed tasks. */
const startReleasing = ({ pool, clock, log }: WorkerContext, { wakeTimeoutMs }: PullOptions) =>
  startPollLoop({
    pollMs: 2_000,
    log,
    failure: 'what a silent worker had taken could not be released; it is retried',
    async pass() {
      const wall = clock.wall()
      // In one transaction: the work of a worker is released with its row, or the row stays and is found again.
      await inTransaction(pool, async query => {
        const silent = await removeSilentWorkers(query)
        if (silent.length === 0) return
        const agendas = await query(releaseTakenBy, [silent])
        const messages = await query(releaseSendsHeldBy, [iso(wall), silent])
        log.warn(
          { workerIds: silent, agendas: agendas.length, messages: messages.length },
          'silent workers were replaced',
        )
      })
      const late = await queryOn(pool)(releaseLate, [iso(wall - wakeTimeoutMs), wakeTimeoutMs, iso(wall)])
      for (const { tenant_id: tenantId, debtor_id: debtorId, parked_because } of late)
        if (parked_because !== null) log.error({ tenantId, debtorId }, 'agenda parked after eight failures')
      return false
    },
  })

/** Takes due work from the database, in every worker. */
export function startPulling(worker: WorkerContext, options: PullOptions): { stop(): Promise<void> } {
  const loops = [
    startQueue(worker, false, options),
    startQueue(worker, true, options),
    startReleasing(worker, options),
  ]
  return {
    stop: async () => {
      await Promise.all(loops.map(loop => loop.stop()))
    },
  }
}
