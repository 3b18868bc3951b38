import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { insertSleepingDebtors, vacuumTables } from './asleep-fill.ts'
import {
  firstIdOfLast,
  type Lateness,
  latenessOf,
  median,
  memoryMb,
  type Passes,
  passesOf,
  queriesMs,
  sentFrom,
} from './asleep-measure.ts'
import { type ChaosInstallation, mondayMorning, startChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'

const day = 24 * 3_600_000
const leadMs = 2_000

interface Size {
  due: number
  withinSeconds: number
  lateSeconds: number
  passMs: number
  /** The share of the looks for due debtors that must keep to it: a single slow pass (a checkpoint, a busy machine) proves nothing. */
  passShare: number
}

interface Measurement {
  asleep: number
  sent: number
  lateness: Lateness
  passes: Passes
  /** The time of the queries of a look that finds nothing, run one after the other. */
  queriesMs: number
  workerMb: number
}

/** A million sleeping debtors must not delay the few that wake, and must not cost memory. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      agendas: { type: 'string', default: '1000000' },
      baseline: { type: 'string', default: '10000' },
      due: { type: 'string', default: '5000' },
      within: { type: 'string', default: '60' },
      late: { type: 'string', default: '30' },
      'pass-ms': { type: 'string', default: '50' },
      'pass-share': { type: 'string', default: '0.99' },
      memory: { type: 'string', default: '1.15' },
    },
  })
  const size: Size = {
    due: Number(values.due),
    withinSeconds: Number(values.within),
    lateSeconds: Number(values.late),
    passMs: Number(values['pass-ms']),
    passShare: Number(values['pass-share']),
  }
  const [few, many] = [Number(values.baseline), Number(values.agendas)]
  const tolerance = Number(values.memory)
  const before = findings.counts().failed
  const installation = await startChaosInstallation({
    apis: 0,
    workers: 1,
    leaseMs: 60_000,
    isStarted: false,
  })
  try {
    const measurements: Measurement[] = []
    let filled = 0
    for (const asleep of [few, many]) {
      await fillUpTo(installation, filled, asleep)
      filled = asleep + size.due * (measurements.length + 1)
      measurements.push(await measureWakes(installation, size, asleep, filled - size.due, findings))
    }
    const [small, large] = measurements as [Measurement, Measurement]
    const ratio = large.workerMb / small.workerMb
    findings.check(
      `the worker needs the same memory for ${many} asleep as for ${few} (at most × ${tolerance})`,
      ratio <= tolerance,
      `× ${ratio.toFixed(2)}`,
    )
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

async function clockOffset(installation: ChaosInstallation): Promise<number> {
  const [row] = await installation.query<{ offset: string }>(
    'select clock_offset_ms as offset from installation',
  )
  return Number(row!.offset)
}

async function fillUpTo(installation: ChaosInstallation, filled: number, asleep: number): Promise<void> {
  const start = performance.now()
  // Debtors that woke in the previous measurement sleep again for days by now, so they count.
  await insertSleepingDebtors(installation.database, {
    tenantId: installation.company.tenants.sandbox,
    from: filled,
    count: asleep - filled,
    firstDue: mondayMorning + 30 * day,
    lastDue: mondayMorning + 60 * day,
    offsetMs: await clockOffset(installation),
    isSandbox: true,
  })
  await vacuumTables(installation.database)
  console.log(`asleep: ${asleep} (filled in ${((performance.now() - start) / 1_000).toFixed(1)} s)`)
}

/** Starts a fresh worker, lets some debtors wake, and measures. */
async function measureWakes(
  installation: ChaosInstallation,
  size: Size,
  asleep: number,
  from: number,
  findings: Findings,
): Promise<Measurement> {
  const worker = installation.workers[0]!
  await worker.start()
  const tenantId = installation.company.tenants.sandbox
  const offsetMs = await clockOffset(installation)
  const firstDue = Date.now() + offsetMs + leadMs
  const lastDue = firstDue + size.withinSeconds * 1_000
  await insertSleepingDebtors(installation.database, {
    tenantId,
    from,
    count: size.due,
    firstDue,
    lastDue,
    offsetMs,
    isSandbox: true,
  })
  const firstId = await firstIdOfLast(installation, size.due)
  const giveUpAt = performance.now() + leadMs + (size.withinSeconds + size.lateSeconds + 5) * 1_000
  const samples: number[] = []
  let sent = 0
  while (sent < size.due && performance.now() < giveUpAt) {
    await pause(500)
    samples.push(await memoryMb(worker.pid()))
    sent = await sentFrom(installation, firstId)
  }
  const measurement: Measurement = {
    asleep,
    sent,
    lateness: await latenessOf(installation, firstId),
    passes: await passesOf(installation, size.passMs),
    queriesMs: await queriesMs(installation),
    workerMb: median(samples),
  }
  await worker.stop()
  report(findings, size, measurement)
  return measurement
}

function report(findings: Findings, size: Size, measurement: Measurement): void {
  const { asleep, lateness, passes } = measurement
  findings.figure(`memory with ${asleep} asleep, MB (median)`, measurement.workerMb)
  findings.check(`with ${asleep} asleep, all due were sent`, measurement.sent === size.due, {
    due: size.due,
    sent: measurement.sent,
  })
  findings.check(
    `with ${asleep} asleep, sent within ${size.lateSeconds} s of their moment`,
    lateness.max <= size.lateSeconds,
    lateness,
  )
  findings.check(
    `with ${asleep} asleep, the queries of a look take at most ${size.passMs} ms (median)`,
    measurement.queriesMs <= size.passMs,
    `${measurement.queriesMs} ms`,
  )
  findings.check(
    `with ${asleep} asleep, ${size.passShare * 100} % of the looks took at most ${size.passMs} ms`,
    passes.within >= size.passShare * passes.count,
    passes,
  )
}
