import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { memoryMb } from './asleep-measure.ts'
import type { Findings } from './findings.ts'
import { fillWithDebtors, owes, settleTables } from './score-night-fill.ts'
import { type Stage, setStage } from './stage.ts'

interface Place {
  scored: number
  seconds: number
  is_done: boolean
}

interface Sample {
  scored: number
  mb: number
}

/** The nightly walk over everybody who owes something: each once, whatever dies on the way, in memory that does not grow. */
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
  const stage = await setStage({
    dispatcher: 'in-process',
    apis: 0,
    workers: 1,
    leaseMs: 60_000,
    isPlaying: false,
  })
  try {
    const expected = await fill(stage, debtors)
    const samples = await night(stage, expected, Number(values.kills), findings)
    judgeMemory(samples, Number(values.memory), findings)
    await judgeScores(stage, expected, findings)
    await secondNight(stage, findings)
    findings.check('no process of ours ended by itself', stage.ownEnds.length === 0, stage.ownEnds)
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed) console.log(`logs are kept in ${stage.logDir}`)
    await stage.close(isRed)
  }
}

/** Three tenants of two companies; answers how many debtors owe something. */
async function fill(stage: Stage, debtors: number): Promise<number> {
  const start = performance.now()
  const other = await stage.newCompany('Atelier Bernard')
  const tenants = [stage.company.tenants.production, stage.company.tenants.sandbox, other.tenants.production]
  const each = Math.ceil(debtors / tenants.length)
  for (const [i, tenantId] of tenants.entries())
    await fillWithDebtors(stage.database, {
      tenantId,
      from: i * each,
      count: Math.min(each, debtors - i * each),
    })
  await settleTables(stage.database)
  const [row] = await stage.ask<{ n: number }>(
    `select count(*)::integer as n from generate_series(0, $1::bigint - 1) as n where ${owes}`,
    [debtors],
  )
  console.log(
    `${debtors} debtors, ${row!.n} of whom owe (filled in ${((performance.now() - start) / 1000).toFixed(1)} s)`,
  )
  return row!.n
}

const placeOf = async (stage: Stage): Promise<Place | undefined> =>
  (
    await stage.ask<Place>(
      `select scored::float8 as scored, extract(epoch from finished_at - started_at)::float8 as seconds,
              finished_at is not null as is_done from score_walks`,
    )
  )[0]

/** Kills the worker at even distances, and starts it again; answers what the last of them needed. */
async function night(stage: Stage, expected: number, kills: number, findings: Findings): Promise<Sample[]> {
  const worker = stage.workers[0]!
  await worker.start()
  const killAt = Array.from({ length: kills }, (_, i) => ((i + 1) * expected) / (2 * (kills + 1)))
  let samples: Sample[] = []
  let life = { from: 0, since: performance.now() }
  let killed = 0
  for (;;) {
    const place = await placeOf(stage)
    if (place?.is_done) break
    if (place && killAt.length > 0 && place.scored >= killAt[0]!) {
      killAt.shift()
      await worker.kill()
      killed++
      const left = (await placeOf(stage))!.scored
      await worker.start()
      samples = []
      life = { from: left, since: performance.now() }
    }
    if (place) samples.push({ scored: place.scored, mb: await memoryMb(worker.pid()) })
    await pause(expected > 50_000 ? 500 : 10)
  }
  const place = (await placeOf(stage))!
  const perSecond = (place.scored - life.from) / ((performance.now() - life.since) / 1000)
  samples.push({ scored: place.scored, mb: await memoryMb(worker.pid()) })
  await worker.stop()
  findings.figure('debtors scored a second, after the last kill', Math.round(perSecond))
  findings.figure('the whole night, with every start of the worker, s', Math.round(place.seconds * 10) / 10)
  findings.check(`the worker was killed ${kills} times on its way`, killed === kills, killed)
  findings.check('each debtor who owes was walked to exactly once', place.scored === expected, {
    scored: place.scored,
    expected,
  })
  return samples
}

function judgeMemory(samples: readonly Sample[], tolerance: number, findings: Findings): void {
  const at = (share: number) => samples[Math.min(samples.length - 1, Math.floor(samples.length * share))]!.mb
  const [start, middle, end] = [at(0.1), at(0.5), at(1)].map(mb => Math.round(mb)) as [number, number, number]
  findings.check(
    `the worker's memory does not grow from the middle of the walk to its end (at most × ${tolerance})`,
    end <= middle * tolerance,
    { startMb: start, middleMb: middle, endMb: end },
  )
}

/** Worked out again by other means: two criteria from what is open, of everybody. */
async function judgeScores(stage: Stage, expected: number, findings: Findings): Promise<void> {
  const [row] = await stage.ask<{ kept: number; wrong: number; idle: number; sums: number }>(
    `with owed as (
       select i.tenant_id, i.debtor_id, count(*) as open, sum(date '2026-11-16' - i.due_date)::numeric / count(*) as days
         from invoices i where i.status = 'in_recovery' group by 1, 2)
     select count(s.debtor_id)::integer as kept,
            count(*) filter (where o.debtor_id is not null and (s.debtor_id is null
              or s.points[1] <> least(15, floor(o.days / 5 + 0.5)) or s.points[5] <> 4 * (o.open - 1)
              or s.points[11] <> case when exists (select from communications c where c.tenant_id = o.tenant_id and c.debtor_id = o.debtor_id)
                   then 2 else 0 end))::integer as wrong,
            count(*) filter (where o.debtor_id is null)::integer as idle,
            count(*) filter (where s.score <> (select sum(p) from unnest(s.points) p))::integer as sums
       from owed o full join debtor_scores s on s.tenant_id = o.tenant_id and s.debtor_id = o.debtor_id`,
  )
  const { kept, wrong, idle, sums } = row!
  findings.check('everybody who owes has a score', kept - idle === expected, { kept, expected })
  findings.check('nobody else was walked to', idle === 0, idle)
  findings.check(
    'age, number and depth are what they are when worked out by hand, of everybody',
    wrong === 0,
    wrong,
  )
  findings.check('every score is the sum of its points', sums === 0, sums)
}

/** What was walked tonight is not walked again tonight, and is tomorrow. */
async function secondNight(stage: Stage, findings: Findings): Promise<void> {
  const worker = stage.workers[0]!
  const scored = async () => (await placeOf(stage))!.scored
  const before = await scored()
  await worker.start()
  await pause(1_000)
  findings.check('a worker that starts again finds the night done', (await scored()) === before)
  await stage.ask(`update score_walks set night = night - 1`)
  for (let tries = 0; tries < 200 && (await scored()) === before; tries++) await pause(20)
  const [row] = await stage.ask<{ night: string }>('select night::text from score_walks')
  findings.check('and begins the next one by itself', (await scored()) < before, row)
  await worker.stop()
}
