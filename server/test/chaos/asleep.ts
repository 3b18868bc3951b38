import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { putToSleep, settleTables } from './asleep-fill.ts'
import {
  firstOfLast,
  type Lateness,
  latenessOf,
  median,
  memoryMb,
  type Passes,
  passesOf,
  queriesMs,
  sentFrom,
} from './asleep-measure.ts'
import type { Findings } from './findings.ts'
import { mondayMorning, type Stage, setStage } from './stage.ts'

const day = 24 * 3_600_000
const leadMs = 2_000

interface Size {
  due: number
  withinSeconds: number
  lateSeconds: number
  passMs: number
  /** How many of the armer's passes must keep to it: one that met a checkpoint or a busy machine proves nothing. */
  passShare: number
}

interface Night {
  asleep: number
  sent: number
  lateness: Lateness
  passes: Passes
  /** What the armer asks in a pass that finds nothing, one after the other. */
  queriesMs: number
  memoryMb: { engine: number; worker: number }
}

/** A million debtors asleep must cost the few that wake nothing: not their punctuality, not anybody's memory. */
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
  const stage = await setStage({
    dispatcher: 'engine',
    apis: 0,
    workers: 1,
    leaseMs: 60_000,
    isPlaying: false,
  })
  try {
    const nights: Night[] = []
    let filled = 0
    for (const asleep of [few, many]) {
      await fillUpTo(stage, filled, asleep)
      filled = asleep + size.due * (nights.length + 1)
      nights.push(await oneNight(stage, size, asleep, filled - size.due, findings))
    }
    const [small, large] = nights as [Night, Night]
    for (const part of ['engine', 'worker'] as const) {
      const ratio = large.memoryMb[part] / small.memoryMb[part]
      findings.check(
        `the ${part} needs the same memory for ${many} asleep as for ${few} (at most × ${tolerance})`,
        ratio <= tolerance,
        `× ${ratio.toFixed(2)}`,
      )
    }
    findings.check('no process of ours ended by itself', stage.ownEnds.length === 0, stage.ownEnds)
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed) console.log(`logs are kept in ${stage.logDir}`)
    await stage.close(isRed)
  }
}

async function clockOffset(stage: Stage): Promise<number> {
  const [row] = await stage.ask<{ offset: string }>('select clock_offset_ms as offset from installation')
  return Number(row!.offset)
}

async function fillUpTo(stage: Stage, filled: number, asleep: number): Promise<void> {
  const start = performance.now()
  // What the night before woke is asleep again by now, for days: it counts.
  await putToSleep(stage.database, {
    tenantId: stage.company.tenants.sandbox,
    from: filled,
    count: asleep - filled,
    firstDue: mondayMorning + 30 * day,
    lastDue: mondayMorning + 60 * day,
    offsetMs: await clockOffset(stage),
  })
  await settleTables(stage.database)
  console.log(`asleep: ${asleep} (filled in ${((performance.now() - start) / 1_000).toFixed(1)} s)`)
}

/** A fresh engine and a fresh worker, some who wake, and how it went. */
async function oneNight(
  stage: Stage,
  size: Size,
  asleep: number,
  from: number,
  findings: Findings,
): Promise<Night> {
  await stage.engine!.wipe()
  await stage.engine!.start()
  const worker = stage.workers[0]!
  await worker.start()
  const tenantId = stage.company.tenants.sandbox
  const offsetMs = await clockOffset(stage)
  const firstDue = Date.now() + offsetMs + leadMs
  const lastDue = firstDue + size.withinSeconds * 1_000
  await putToSleep(stage.database, { tenantId, from, count: size.due, firstDue, lastDue, offsetMs })
  const firstId = await firstOfLast(stage, size.due)
  const giveUpAt = performance.now() + leadMs + (size.withinSeconds + size.lateSeconds + 5) * 1_000
  const samples: { engine: number; worker: number }[] = []
  let sent = 0
  while (sent < size.due && performance.now() < giveUpAt) {
    await pause(500)
    samples.push({ engine: await memoryMb(stage.engine!.pid()), worker: await memoryMb(worker.pid()) })
    sent = await sentFrom(stage, firstId)
  }
  const night: Night = {
    asleep,
    sent,
    lateness: await latenessOf(stage, firstId),
    passes: await passesOf(stage, size.passMs),
    queriesMs: await queriesMs(stage),
    memoryMb: {
      engine: median(samples.map(sample => sample.engine)),
      worker: median(samples.map(sample => sample.worker)),
    },
  }
  await worker.stop()
  await stage.engine!.stop()
  report(findings, size, night)
  return night
}

function report(findings: Findings, size: Size, night: Night): void {
  const { asleep, lateness, passes } = night
  findings.figure(`memory with ${asleep} asleep, MB (median)`, night.memoryMb)
  findings.check(`with ${asleep} asleep, all due were sent`, night.sent === size.due, {
    due: size.due,
    sent: night.sent,
  })
  findings.check(
    `with ${asleep} asleep, sent within ${size.lateSeconds} s of their moment`,
    lateness.max <= size.lateSeconds,
    lateness,
  )
  findings.check(
    `with ${asleep} asleep, what the armer asks takes at most ${size.passMs} ms (median)`,
    night.queriesMs <= size.passMs,
    `${night.queriesMs} ms`,
  )
  findings.check(
    `with ${asleep} asleep, ${size.passShare * 100} % of the armer's passes took at most ${size.passMs} ms`,
    passes.within >= size.passShare * passes.count,
    passes,
  )
}
