import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { insertSleepingDebtors, vacuumTables } from './asleep-fill.ts'
import { type KillableInstallation, startChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'
import { killAtRandom } from './killer.ts'
import { type Random, randomFrom } from './random.ts'
import { postTask, type Task, untilStatus } from './task-client.ts'
import { pauseByHand } from './tasks-by-hand.ts'

const day = 86_400_000

const sections = ['kills', 'rates', 'version', 'behind-export', 'takeover'] as const
type Section = (typeof sections)[number]

/**
 * Many recoveries are paused by one task while everything around it is killed, and while a new version takes over: each once, and as
 * the dry run said. A pause does not wait for an export, and the task of a dead worker is taken over soon.
 */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      invoices: { type: 'string', default: '41870' },
      kills: { type: 'string', default: '10' },
      /** Of the export that a pause does not wait for. */
      rows: { type: 'string', default: '1000000' },
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
    await withInstallation(findings, async installation => {
      if (has('kills'))
        await pauseMany(findings, installation, count, async () => {
          const killed = await killAtRandom(installation, kills, random, () => {})
          findings.figure('killed', killed.by)
        })
      if (has('rates')) await compareRates(findings, installation, count + 1)
    })
  if (has('version'))
    await withInstallation(findings, installation =>
      pauseMany(findings, installation, count, () => replaceWorkers(installation)),
    )
  if (has('behind-export'))
    await withInstallation(findings, installation =>
      pauseBehindExport(findings, installation, Number(values.rows)),
    )
  if (has('takeover'))
    await withInstallation(findings, installation =>
      // As many as take a few seconds: it is done again for each kill.
      killInChunk(findings, installation, Math.min(count, 6_000), values.small ? 1 : 10, random),
    )
}

async function withInstallation(
  findings: Findings,
  run: (installation: KillableInstallation) => Promise<void>,
): Promise<void> {
  const before = findings.counts().failed
  const installation = await startChaosInstallation({
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

/** A release: new workers start, then the old ones are stopped in the middle of their chunks. */
async function replaceWorkers(installation: KillableInstallation): Promise<void> {
  await pause(2_000)
  const next = await Promise.all([3, 4].map(n => installation.newWorker(String(n), {})))
  await Promise.all(next.map(worker => worker.start()))
  for (const worker of installation.workers) await worker.stop()
}

/** A pause is asked for while a large export of the same tenant runs. */
async function pauseBehindExport(
  findings: Findings,
  installation: KillableInstallation,
  rows: number,
): Promise<void> {
  await insertRecoveries(installation, 1, rows)
  const exporting = await postTask(installation, {
    key: 'export',
    path: '/api/v1/tasks/export',
    body: { what: 'invoices', format: 'csv' },
  })
  const running = await untilStatus(installation, exporting.id, 'running', 60_000)
  findings.check('an export of the tenant runs', running.task?.status === 'running', running.task)
  const late: number[] = []
  for (let i = 0; i < 3; i++) {
    const action = i % 2 === 0 ? 'pause' : 'resume'
    const ids = await installation.query<{ id: string }>('select invoice_id as id from recoveries limit 100')
    const body = { action, ids: ids.map(({ id }) => id) }
    const { id } = await postTask(installation, { key: `behind-${i}`, path: '/api/v1/tasks/bulk', body })
    await untilStatus(installation, id, 'finished', 60_000)
    const [begun] = await installation.query<{ ms: number }>(
      `select extract(epoch from t.started_at - t.created_at)::float * 1000 as ms from tasks t where id = $1`,
      [id],
    )
    late.push(Math.round(begun!.ms))
  }
  const [still] = await installation.query<{ status: string }>('select status from tasks where id = $1', [
    exporting.id,
  ])
  findings.check('which still runs when it is paused', still!.status === 'running', still)
  findings.check(
    'it delays the start of a pause by no more than 2 s',
    late.every(ms => ms <= 2_000),
    { late },
  )
  await postTask(installation, {
    key: 'enough',
    path: `/api/v1/tasks/${exporting.id}/cancel`,
    body: undefined,
  })
}

/** A task that stands still for so long after a kill was run by the worker that was killed: the other one commits every second. */
const stalledMs = 3_000

/** Workers are killed while a task runs, and the other worker goes on where the dead one was. */
async function killInChunk(
  findings: Findings,
  installation: KillableInstallation,
  count: number,
  wanted: number,
  random: Random,
): Promise<void> {
  await insertRecoveries(installation, 1, count)
  const late: number[] = []
  let tasks = 0
  while (late.length < wanted && tasks < 4 * wanted) {
    const action = tasks++ % 2 === 0 ? 'pause' : 'resume'
    const body = { action, filter: { minAmount: 1 } }
    const { id } = await postTask(installation, { key: `taken-${tasks}`, path: '/api/v1/tasks/bulk', body })
    const read = async () => {
      const [row] = await installation.query<{ status: string; done: number }>(
        'select status, (select count(*)::int from task_items i where i.task_id = t.id) as done from tasks t where id = $1',
        [id],
      )
      return row!
    }
    let seen = await read()
    while (seen.status !== 'finished' && seen.done === 0) {
      await pause(20)
      seen = await read()
    }
    const victim = installation.workers[random.between(0, installation.workers.length - 1)]!
    await victim.kill()
    const killedAt = performance.now()
    const { done } = await read()
    seen = await read()
    while (seen.status !== 'finished' && seen.done === done) {
      await pause(50)
      seen = await read()
    }
    const ms = Math.round(performance.now() - killedAt)
    if (ms >= stalledMs) late.push(ms)
    await untilStatus(installation, id, 'finished', 5 * 60_000)
    await victim.start()
  }
  findings.figure('taken over after, in milliseconds', late)
  findings.check(
    'the task of a worker that is killed in a chunk is taken over within 20 s',
    late.length === wanted && late.every(ms => ms <= 20_000),
    { late, tasks },
  )
  const [done] = await installation.query<{ lines: number; chunks: number }>(
    `select (select count(*) from actions where action in ('pause', 'resume'))::int as lines,
            (select sum(succeeded) from tasks)::int as chunks`,
  )
  findings.check(
    'and each item is done once',
    done!.lines === done!.chunks && done!.lines === tasks * count,
    {
      expected: tasks * count,
      ...done,
    },
  )
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
  from: number,
): Promise<void> {
  const size = 10_000
  const byHandSize = 1_000
  const other = await installation.newCompany('Autre Maison')
  await insertRecoveries(installation, from, size + 2 * byHandSize)
  const calm = await requestTimes(installation, other.productionKey, 200)
  const ids = await installation.query<{ id: string }>(
    `select invoice_id as id from recoveries where status = 'in_recovery' order by invoice_id`,
  )
  const idsFrom = (start: number) => ids.slice(start, start + byHandSize).map(({ id }) => id)
  const byHand = await pauseByHand(installation.database, idsFrom(0), 500)
  const oneByOne = await pauseByHand(installation.database, idsFrom(byHandSize), 1)
  const timed = await postTask(installation, {
    key: 'rate',
    path: '/api/v1/tasks/bulk',
    body: { action: 'pause', filter: { minAmount: 1 } },
  })
  const busy = requestTimes(installation, other.productionKey, 200)
  await untilStatus(installation, timed.id, 'finished', 5 * 60_000)
  const [row] = await installation.query<{ seconds: number; done: number }>(
    'select extract(epoch from ended_at - started_at)::float as seconds, succeeded::int as done from tasks where id = $1',
    [timed.id],
  )
  const during = await busy
  const byTask = row!.done / row!.seconds
  const rates = {
    byTask: `${byTask.toFixed(0)}/s`,
    byHand: `${byHand.toFixed(0)}/s`,
    oneByOne: `${oneByOne.toFixed(0)}/s`,
    ratios: [(byTask / byHand).toFixed(2), (byTask / oneByOne).toFixed(2)],
  }
  findings.figure('a task, the same rows by hand 500 at a time without a rule, and one by one', rates)
  findings.check(
    'a task is at least four times as fast as the same rows by hand, one item in a transaction',
    byTask >= 4 * oneByOne,
    rates,
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
