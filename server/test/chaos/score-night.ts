import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sendJob } from '../harness/send-job.ts'
import { memoryMb } from './asleep-measure.ts'
import { type ChaosInstallation, startChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'
import { fillWithDebtors, owes, vacuumTables } from './score-night-fill.ts'

interface Progress {
  scored: number
  is_done: boolean
}

interface Sample {
  scored: number
  mb: number
}

/** The nightly scoring of every debtor who owes something: each exactly once, even when workers are killed, in constant memory. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      debtors: { type: 'string', default: '1000000' },
      kills: { type: 'string', default: '3' },
      memory: { type: 'string', default: '1.25' },
    },
  })
  const debtors = Number(values.debtors)
  const before = findings.counts().failed
  const installation = await startChaosInstallation({
    apis: 0,
    workers: 1,
    leaseMs: 60_000,
    isStarted: false,
  })
  try {
    const expected = await fill(installation, debtors)
    const samples = await night(installation, expected, Number(values.kills), findings)
    judgeMemory(samples, Number(values.memory), findings)
    await judgeScores(installation, expected, findings)
    await secondNight(installation, findings)
    findings.check(
      'no process of ours ended by itself',
      installation.unexpectedExits.length === 0,
      installation.unexpectedExits,
    )
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed) console.log(`logs are kept in ${installation.logDir}`)
    await installation.close(isRed)
  }
}

/** Three tenants of two companies; answers how many debtors owe something. */
async function fill(installation: ChaosInstallation, debtors: number): Promise<number> {
  const start = performance.now()
  const other = await installation.newCompany('Atelier Bernard')
  const tenants = [
    installation.company.tenants.production,
    installation.company.tenants.sandbox,
    other.tenants.production,
  ]
  const each = Math.ceil(debtors / tenants.length)
  for (const [i, tenantId] of tenants.entries())
    await fillWithDebtors(installation.database, {
      tenantId,
      from: i * each,
      count: Math.min(each, debtors - i * each),
    })
  await vacuumTables(installation.database)
  const [row] = await installation.query<{ n: number }>(
    `select count(*)::integer as n from generate_series(0, $1::bigint - 1) as n where ${owes}`,
    [debtors],
  )
  console.log(
    `${debtors} debtors, ${row!.n} of whom owe (filled in ${((performance.now() - start) / 1000).toFixed(1)} s)`,
  )
  return row!.n
}

/** Of the nights of all tenants. */
const readProgress = async (installation: ChaosInstallation): Promise<Progress> =>
  (
    await installation.query<Progress>(
      'select sum(scored)::float8 as scored, bool_and(done_at is not null) as is_done from tenant_nights',
    )
  )[0]!

/** The job of the nights is queued every second, not every minute as by its schedule: the proof has no time to wait. */
function queueNights({ query }: ChaosInstallation): { stop(): Promise<void> } {
  let last: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    last = sendJob({ sql: query }, 'nights').catch(() => {})
  }, 1_000)
  return {
    async stop() {
      clearInterval(timer)
      await last
    },
  }
}

/** Kills the worker at even distances and restarts it; returns the memory samples since the last restart. */
async function night(
  installation: ChaosInstallation,
  expected: number,
  kills: number,
  findings: Findings,
): Promise<Sample[]> {
  const worker = installation.workers[0]!
  const begunAt = performance.now()
  await worker.start()
  const killAt = Array.from({ length: kills }, (_, i) => ((i + 1) * expected) / (2 * (kills + 1)))
  let samples: Sample[] = []
  let life = { from: 0, since: performance.now() }
  let killed = 0
  const queueing = queueNights(installation)
  for (;;) {
    const progress = await readProgress(installation)
    if (progress.is_done) break
    if (killAt.length > 0 && progress.scored >= killAt[0]!) {
      killAt.shift()
      await worker.kill()
      killed++
      const left = (await readProgress(installation)).scored
      await worker.start()
      samples = []
      life = { from: left, since: performance.now() }
    }
    samples.push({ scored: progress.scored, mb: await memoryMb(worker.pid()) })
    await pause(expected > 50_000 ? 500 : 10)
  }
  await queueing.stop()
  const progress = await readProgress(installation)
  const perSecond = (progress.scored - life.from) / ((performance.now() - life.since) / 1000)
  samples.push({ scored: progress.scored, mb: await memoryMb(worker.pid()) })
  await worker.stop()
  findings.figure('debtors scored a second, after the last kill', Math.round(perSecond))
  findings.figure(
    'the whole night, with every start of the worker, s',
    Math.round((performance.now() - begunAt) / 100) / 10,
  )
  findings.check(`the worker was killed ${kills} times on its way`, killed === kills, killed)
  findings.check('each debtor who owes was scored exactly once', progress.scored === expected, {
    scored: progress.scored,
    expected,
  })
  return samples
}

function judgeMemory(samples: readonly Sample[], tolerance: number, findings: Findings): void {
  const at = (share: number) => samples[Math.min(samples.length - 1, Math.floor(samples.length * share))]!.mb
  const [start, middle, end] = [at(0.1), at(0.5), at(1)].map(mb => Math.round(mb)) as [number, number, number]
  findings.check(
    `the worker's memory does not grow from the middle of the night to its end (at most × ${tolerance})`,
    end <= middle * tolerance,
    { startMb: start, middleMb: middle, endMb: end },
  )
}

/** Worked out again by other means: two criteria from what is open, of everybody. */
async function judgeScores(
  installation: ChaosInstallation,
  expected: number,
  findings: Findings,
): Promise<void> {
  const [row] = await installation.query<{ stored: number; wrong: number; idle: number; sums: number }>(
    `with owed as (
       select i.tenant_id, i.debtor_id, count(*) as open, sum(date '2026-11-16' - i.due_date)::numeric / count(*) as days
         from invoices i where i.status = 'in_recovery' group by 1, 2)
     select count(s.debtor_id)::integer as stored,
            count(*) filter (where o.debtor_id is not null and (s.debtor_id is null
              or s.points[1] <> least(15, floor(o.days / 5 + 0.5)) or s.points[5] <> 4 * (o.open - 1)
              or s.points[11] <> case when exists (select from communications c where c.tenant_id = o.tenant_id and c.debtor_id = o.debtor_id)
                   then 2 else 0 end))::integer as wrong,
            count(*) filter (where o.debtor_id is null)::integer as idle,
            count(*) filter (where s.score <> (select sum(p) from unnest(s.points) p))::integer as sums
       from owed o full join debtor_scores s on s.tenant_id = o.tenant_id and s.debtor_id = o.debtor_id`,
  )
  const { stored, wrong, idle, sums } = row!
  findings.check('everybody who owes has a score', stored - idle === expected, { stored, expected })
  findings.check('nobody else was scored', idle === 0, idle)
  findings.check(
    'age, number and depth are what they are when worked out by hand, of everybody',
    wrong === 0,
    wrong,
  )
  findings.check('every score is the sum of its points', sums === 0, sums)
}

/** A finished night is not repeated, and the next one begins when it is due. */
async function secondNight(installation: ChaosInstallation, findings: Findings): Promise<void> {
  const worker = installation.workers[0]!
  const scored = async () => (await readProgress(installation)).scored
  const before = await scored()
  await worker.start()
  const queueing = queueNights(installation)
  await pause(3_000)
  findings.check('a worker that starts again finds the night done', (await scored()) === before)
  await installation.query(`update tenant_nights set due_at = 'epoch'`)
  for (let tries = 0; tries < 500 && (await scored()) === before; tries++) await pause(20)
  await queueing.stop()
  findings.check('and begins the next one when it is due', (await scored()) < before)
  await worker.stop()
}
