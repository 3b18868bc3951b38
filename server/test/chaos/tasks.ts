import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../../dev/ports.ts'
import { insertSleepingDebtors, vacuumTables } from './asleep-fill.ts'
import { type KillableInstallation, startChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'
import { killAtRandom } from './killer.ts'
import { type Random, randomFrom } from './random.ts'
import { postTask, type Task, untilStatus } from './task-client.ts'
import { pauseByHand } from './tasks-by-hand.ts'

const day = 86_400_000

const sections = ['kills', 'rates', 'version', 'nodes'] as const
type Section = (typeof sections)[number]

/**
 * Many recoveries are paused by one task while everything around it is killed, while a new version takes over, and while an engine
 * of three loses one node at a time: each once, and as the dry run said.
 */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      invoices: { type: 'string', default: '41870' },
      kills: { type: 'string', default: '10' },
      /** How long nodes of the engine are killed. */
      minutes: { type: 'string', default: '5' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      section: { type: 'string', multiple: true, default: [...sections] },
      small: { type: 'boolean', default: false },
    },
  })
  const count = values.small ? 2_000 : Number(values.invoices)
  const kills = values.small ? 4 : Number(values.kills)
  const chosen = values.small ? ['kills'] : values.section
  const has = (section: Section) => chosen.includes(section)
  const random = randomFrom(Number(values.seed))
  console.log(`tasks: ${chosen.join(', ')}; ${count} recoveries, ${kills} kills, seed ${values.seed}`)
  if (has('kills') || has('rates'))
    await withInstallation(findings, true, async installation => {
      if (has('kills'))
        await pauseMany(findings, installation, count, async () => {
          const killed = await killAtRandom(installation, kills, random, () => {})
          findings.figure('killed', killed.by)
        })
      if (has('rates')) await compareRates(findings, installation, count)
    })
  if (has('version'))
    await withInstallation(findings, true, installation =>
      pauseMany(findings, installation, count, () => replaceWorkers(installation)),
    )
  if (has('nodes'))
    await withInstallation(findings, 'nodes', installation =>
      loseNodes(findings, installation, count, Number(values.minutes) * 60_000, random),
    )
}

async function withInstallation(
  findings: Findings,
  hasEngine: true | 'nodes',
  run: (installation: KillableInstallation) => Promise<void>,
): Promise<void> {
  const before = findings.counts().failed
  const installation = await startChaosInstallation({
    hasEngine,
    apis: 2,
    workers: 2,
    leaseMs: 10_000,
    harmsPostgres: true,
  })
  try {
    await run(installation)
    findings.check(
      'no process ended by itself',
      installation.unexpectedExits.length === 0,
      installation.unexpectedExits,
    )
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed) console.log(`logs are kept in ${installation.logDir}`)
    await installation.close(isRed)
  }
}

/** A release: workers at another address register and take over, then the old ones are stopped in the middle of their chunks. */
async function replaceWorkers(installation: KillableInstallation): Promise<void> {
  await pause(2_000)
  const env = { WORKER_PORT: String(await freePort()) }
  const next = await Promise.all([3, 4].map(n => installation.newWorker(String(n), env)))
  await Promise.all(next.map(worker => worker.start()))
  for (const worker of installation.workers) await worker.stop()
}

/** One node after the other is killed and comes back, while the same recoveries are paused and resumed again and again. */
async function loseNodes(
  findings: Findings,
  installation: KillableInstallation,
  count: number,
  lastsMs: number,
  random: Random,
): Promise<void> {
  await insertRecoveries(installation, 1, count)
  const endsAt = performance.now() + lastsMs
  let killed = 0
  const killing = (async () => {
    while (performance.now() < endsAt) {
      await pause(random.between(4_000, 8_000))
      const node = installation.engineNodes[killed % installation.engineNodes.length]!
      await node.kill()
      killed++
      await pause(random.between(2_000, 6_000))
      await node.start()
    }
  })()
  let tasks = 0
  while (performance.now() < endsAt) {
    const action = tasks % 2 === 0 ? 'pause' : 'resume'
    const key = `nodes-${tasks++}`
    const body = { action, filter: { minAmount: 1 } }
    const made = await postTask(installation, { key, path: '/api/v1/tasks/bulk', body })
    const { task } = await untilStatus(installation, made.id, 'finished', 30 * 60_000)
    const [lines] = await installation.query<{ n: number }>(
      'select count(*)::int as n from actions where action = $1',
      [action],
    )
    findings.check(
      `${action} ${tasks}: every recovery once`,
      task?.succeeded === count && lines!.n === count * Math.ceil(tasks / 2),
      { succeeded: task?.succeeded, lines: lines!.n },
    )
  }
  await killing
  findings.check('nodes were killed', killed >= 3, { killed, tasks })
}

async function insertRecoveries(
  installation: KillableInstallation,
  from: number,
  count: number,
): Promise<void> {
  const [row] = await installation.query<{ offset_ms: number }>(
    'select clock_offset_ms::float as offset_ms from installation',
  )
  const now = Date.now() + row!.offset_ms
  await insertSleepingDebtors(installation.database, {
    tenantId: installation.company.tenants.production,
    from,
    count,
    firstDue: now + 30 * day,
    lastDue: now + 60 * day,
    offsetMs: row!.offset_ms,
    isSandbox: false,
  })
  await vacuumTables(installation.database)
}

async function pauseMany(
  findings: Findings,
  installation: KillableInstallation,
  count: number,
  disturb: () => Promise<void>,
): Promise<void> {
  await insertRecoveries(installation, 1, count)
  // Every hundredth cannot be paused: it is paused already, or cancelled.
  await installation.query(
    `update recoveries set wish_at = null, due_at = null, status = case when n % 200 = 0 then 'paused' else 'cancelled' end,
            holds = case when n % 200 = 0 then '{asked}'::text[] else '{}' end
       from (select invoice_id as id, row_number() over (order by invoice_id) as n from recoveries) x
      where invoice_id = x.id and n % 100 = 0`,
  )
  const body = { action: 'pause', filter: { minAmount: 1 }, reason: 'Summer closing', dryRun: true }
  const made = await postTask(installation, { key: 'bulk', path: '/api/v1/tasks/bulk', body })
  const review = (await untilStatus(installation, made.id, 'review', 20 * 60_000)).task
  findings.check('a dry run ends in review', review?.status === 'review', review)
  const [unchanged] = await installation.query<{ n: number }>(
    `select count(*)::int as n from recoveries where status = 'paused'`,
  )
  findings.check('and changes nothing', unchanged!.n === Math.floor(count / 200), unchanged)
  const startedAt = performance.now()
  await postTask(installation, { key: 'start', path: `/api/v1/tasks/${made.id}/start`, body: undefined })
  const disturbing = disturb()
  const { task, seen } = await untilStatus(installation, made.id, 'finished', 30 * 60_000)
  await disturbing
  findings.figure('took', `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
  findings.check('it is finished all the same', task?.status === 'finished', task)
  findings.check(
    'progress only grows',
    seen.every((done, i) => i === 0 || done >= seen[i - 1]!),
  )
  const counts = (one: Task | null) => one && [one.succeeded, one.refused, one.refusals]
  findings.check(
    'the dry run had said what was done',
    JSON.stringify(counts(review)) === JSON.stringify(counts(task)),
    { review: counts(review), task: counts(task) },
  )
  const refused = Math.floor(count / 100)
  findings.check(
    'every recovery was done or refused',
    task?.succeeded === count - refused && task.refused === refused,
    counts(task),
  )
  const [done] = await installation.query<{
    lines: number
    invoices: number
    events: number
    audits: number
  }>(
    `select (select count(*) from actions where action = 'pause')::int as lines,
            (select count(distinct invoice_id) from actions where action = 'pause')::int as invoices,
            (select count(*) from audit_log where type = 'workflow.triggered')::int as audits`,
  )
  const expected = count - refused
  findings.check(
    'each was paused once: one line of history, one entry in the audit log',
    done!.lines === expected && done!.invoices === expected && done!.audits === expected,
    { expected, ...done },
  )
}

/** How fast a task is without kills, beside the same rows written by hand 500 at a time; and another tenant's requests meanwhile. */
async function compareRates(
  findings: Findings,
  installation: KillableInstallation,
  count: number,
): Promise<void> {
  const size = 5_000
  const other = await installation.newCompany('Autre Maison')
  await insertRecoveries(installation, count + 1, size)
  const calm = await requestTimes(installation, other.productionKey, 200)
  const ids = await installation.query<{ id: string }>(
    `select invoice_id as id from recoveries where status = 'in_recovery' order by invoice_id`,
  )
  const half = Math.floor(ids.length / 2)
  const made = await postTask(installation, {
    key: 'rate',
    path: '/api/v1/tasks/bulk',
    body: { action: 'pause', ids: ids.slice(0, 1_000).map(({ id }) => id) },
  })
  await untilStatus(installation, made.id, 'finished', 5 * 60_000)
  const timed = await postTask(installation, {
    key: 'rate-2',
    path: '/api/v1/tasks/bulk',
    body: { action: 'pause', ids: ids.slice(1_000, 2_000).map(({ id }) => id) },
  })
  const busy = requestTimes(installation, other.productionKey, 200)
  await untilStatus(installation, timed.id, 'finished', 5 * 60_000)
  const [row] = await installation.query<{ seconds: number }>(
    'select extract(epoch from ended_at - started_at)::float as seconds from tasks where id = $1',
    [timed.id],
  )
  const during = await busy
  const byTask = 1_000 / row!.seconds
  const byHandOf = (from: number, size: number) =>
    pauseByHand(
      installation.database,
      ids.slice(from, from + 1_000).map(({ id }) => id),
      size,
    )
  const byHand = await byHandOf(half, 500)
  const oneByOne = await byHandOf(half + 1_000, 1)
  findings.figure('the same rows by hand, one item in a transaction', {
    byHand: `${oneByOne.toFixed(0)}/s`,
    ratio: (byTask / oneByOne).toFixed(2),
  })
  findings.check(
    'a task is at least half as fast as the same rows by hand, 500 at a time',
    byTask >= 0.5 * byHand,
    {
      byTask: `${byTask.toFixed(0)}/s`,
      byHand: `${byHand.toFixed(0)}/s`,
      ratio: (byTask / byHand).toFixed(2),
    },
  )
  const p99 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1]!
  findings.check(
    "another tenant's requests take at most 5 × as long meanwhile",
    p99(during) <= 5 * p99(calm),
    {
      calm: `${p99(calm).toFixed(0)} ms`,
      during: `${p99(during).toFixed(0)} ms`,
    },
  )
}

async function requestTimes(
  { apiUrls }: KillableInstallation,
  key: string,
  count: number,
): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const startedAt = performance.now()
    const response = await fetch(`${apiUrls[0]}/api/v1/invoices`, { headers: { 'x-api-key': key } })
    await response.arrayBuffer()
    times.push(performance.now() - startedAt)
    await pause(5)
  }
  return times
}
