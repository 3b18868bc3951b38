import { iso } from '../../../kit/clock.ts'
import { inTransaction, queryOn } from '../../../kit/db/query.ts'
import { isDatabaseFault } from '../../../kit/db/transaction.ts'
import { removeSilentWorkers } from '../../../kit/heartbeat.ts'
import { defectMessages } from '../../../kit/log.ts'
import { startPollLoop } from '../../../kit/poll-loop.ts'
import {
  giveBackAgenda,
  listDueOfTenants,
  listDueTenants,
  listOldest,
  releaseLate,
  releaseTakenBy,
  takeAgendas,
} from '../agenda/taken-agendas.ts'
import { releaseSendsHeldBy, takeLostSends } from '../messages/lost-sends.ts'
import { type WorkerContext, WrongClock } from '../messages/worker-context.ts'
import { processTask, type Task } from './process-task.ts'

export interface PullOptions {
  pollMs: number
  /** When a task that failed, or that nobody has heard of, is taken again. */
  wakeTimeoutMs: number
  /** How many debtors are handled at once, without those that wait for a provider; sandboxes have places of their own. */
  places: { production: number; sandbox: number }
}

interface DueRow {
  tenant_id: string
  debtor_id: string
  wake_generation: number
}

/** The first of every tenant, then the second of every tenant, and so on. */
export function inTurns<Row extends { tenant_id: string }>(rows: readonly Row[], count: number): Row[] {
  const byTenant = [...Map.groupBy(rows, row => row.tenant_id).values()]
  const longest = Math.max(0, ...byTenant.map(own => own.length))
  return Array.from({ length: longest }, (_, turn) => byTenant.flatMap(own => own.slice(turn, turn + 1)))
    .flat()
    .slice(0, count)
}

/**
 * From which moment on due debtors are looked for. Everything before was served, but for what is released or resumed later with
 * a moment in the past. That is found by a look from the beginning, which takes at most a hundredth of the time.
 */
export function createDueFloor() {
  const marginMs = 5_000
  const fullLookShare = 100
  let floor = 0
  let nextFullLookAt = 0
  return {
    /** Runs one look; it returns the moments it found, oldest first. */
    async look<Row extends { wake_at: number }>(
      wall: number,
      list: (from: number) => Promise<Row[]>,
    ): Promise<Row[]> {
      const startedAt = performance.now()
      const isFull = startedAt >= nextFullLookAt
      const rows = await list(isFull ? 0 : floor)
      const endedAt = performance.now()
      if (isFull) nextFullLookAt = endedAt + Math.max(1_000, (endedAt - startedAt) * fullLookShare)
      floor = Math.min(wall, rows[0]?.wake_at ?? wall) - marginMs
      return rows
    },
  }
}

/** How many more rows than places are read to take turns among tenants. */
const windowFactor = 4
const tenantsKnownMs = 1_000
/** What a dead worker left is taken a few at a time, or it would be late. */
const lostPlacesOf = (places: number) => Math.max(4, Math.ceil(places / 4))

/**
 * Takes as many due debtors as this process has free places, and handles them. Every worker does so, without a leader: a row is
 * taken by an update, so that nobody else takes it. While more is due than fits, tenants take turns.
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
  // Who waits for a provider has a place there.
  const busy = () => running.size - (isSandbox ? 0 : worker.places.taken())
  let lostRunning = 0
  const toGiveBack = new Set<Task & { kind: 'wake' }>()
  let onFinished = () => {}
  const dueFloor = createDueFloor()
  let dueTenants: { ids: string[]; until: number; next: number } = { ids: [], until: 0, next: 0 }

  /** A backlog: the oldest may all belong to one tenant, so each tenant is asked for its own oldest. */
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
    return inTurns(await query(listDueOfTenants, [iso(wall), isSandbox, chosen, each]), count)
  }

  async function takeDue(count: number): Promise<Task[]> {
    const wall = clock.wall()
    const window = count * windowFactor
    const listFrom = (from: number) => query(listOldest, [iso(wall), isSandbox, window, iso(from)])
    // In a sandbox the days that were skipped are due.
    const oldest = isSandbox ? await listFrom(0) : await dueFloor.look(wall, listFrom)
    const due = oldest.length < window ? inTurns(oldest, count) : await listInTurns(wall, count)
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
        // It was not the task's fault: it goes back as soon as the database takes it, and anybody may take it again.
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
      // Asking a provider for an outcome may take long, too: most places are for what is due.
      const lost = await takeLost(Math.max(0, Math.min(free, lostPlacesOf(places) - lostRunning)))
      for (const task of lost) start(task, 'lost')
      const due = free > lost.length ? await takeDue(free - lost.length) : []
      for (const task of due) start(task, 'due')
      observePass()
      if (due.length < free - lost.length) return false
      // More is waiting. Some places become free at about the same time, and are filled with one query.
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

/** Replaces silent workers, and releases what failed. */
const startReleasing = ({ pool, clock, log }: WorkerContext, { wakeTimeoutMs }: PullOptions) =>
  startPollLoop({
    pollMs: 2_000,
    log,
    failure: 'what a silent worker had taken could not be released; it is retried',
    async pass() {
      const wall = clock.wall()
      // Together: what a worker held is released with its row, or its row stays and is found again.
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

/** Pulls what is due from the database, in every worker. */
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
