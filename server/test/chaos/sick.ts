import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { call } from './deliveries-receivers.ts'
import type { Findings } from './findings.ts'
import { type Hospital, openHospital } from './sick-endpoints.ts'
import {
  type Figures,
  figuresOf,
  importAsleep,
  type Look,
  lookThrough,
  type WindowSize,
} from './sick-window.ts'
import { type Stage, setStage } from './stage.ts'

/** One more than a tenant may have at work. */
const perCrowdTenant = 13
/** Three rounds of eight, ten seconds each: as long as a window and its beginning. */
const perCrowdEndpoint = 24
const timeoutMs = 10_000
const knownWithinMs = 60_000

/** One endpoint that is well, among more and more that are not: who waits because of whom? */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      queued: { type: 'string', default: '1000' },
      seconds: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '2' },
      'per-second': { type: 'string', default: '10' },
      crowd: { type: 'string', default: '16' },
      within: { type: 'string', default: '2' },
      dispatcher: { type: 'string', default: 'engine' },
    },
  })
  const { dispatcher } = values
  if (dispatcher !== 'engine' && dispatcher !== 'in-process')
    throw new Error('--dispatcher is engine or in-process')
  const size = {
    seconds: Number(values.seconds),
    perSecond: Number(values['per-second']),
    queued: Number(values.queued),
  }
  const rounds = Number(values.rounds)
  const within = Number(values.within)
  const redBefore = findings.counts().failed
  const stage = await setStage({
    dispatcher,
    apis: 1,
    workers: 1,
    leaseMs: 10_000,
    env: { EGRESS_TEST_ALLOW: '127.0.0.1:*' },
  })
  const hospital = await openHospital(stage)
  try {
    await hospital.open('healthy', ['workflow.started'], stage.company.productionKey)
    await lookThrough(stage, hospital, 'warm', { ...size, seconds: 1, queued: 100 })
    // In turns: whatever else the machine does is in both.
    const quiet: Look[] = []
    const sick: Look[] = []
    for (let round = 0; round < rounds; round++) {
      const part = { ...size, seconds: size.seconds / rounds }
      quiet.push(await lookThrough(stage, hospital, `quiet${round}`, part))
      sick.push(await amongTwo(stage, hospital, `sick${round}`, part))
    }
    const crowded = await amongMany(stage, hospital, size, Number(values.crowd))
    quiet.push(await lookThrough(stage, hospital, 'after', size))
    findings.figure('nobody is sick', figuresOf(...quiet))
    const compare = (among: string, looks: Look[]) =>
      judge(findings, among, { quiet: figuresOf(...quiet), sick: figuresOf(...looks), within })
    compare('two sick endpoints here and two at another tenant', sick)
    compare(`${values.crowd} other tenants with ${perCrowdTenant} that hang`, [crowded])
    findings.figure('requests', hospital.requests)
    findings.check('no process of ours ended by itself', stage.ownEnds.length === 0, stage.ownEnds)
  } finally {
    const isRed = findings.counts().failed > redBefore
    if (isRed) console.log(`logs are kept in ${stage.logDir}`)
    // Nobody waits for a request that hangs.
    for (const worker of stage.workers) await worker.kill()
    await hospital.stop()
    await stage.close(isRed)
  }
}

/** Opens endpoints, looks, and closes them again: what they still had to come goes with them. */
async function whileOpen(
  stage: Stage,
  hospital: Hospital,
  wanted: readonly { manner: 'hangs' | 'fails'; apiKey: string }[],
  look: () => Promise<Look>,
): Promise<Look> {
  const opened: { id: string; apiKey: string }[] = []
  for (const { manner, apiKey } of wanted)
    opened.push({ id: await hospital.open(manner, ['invoice.created'], apiKey), apiKey })
  const seen = await look()
  for (const { id, apiKey } of opened)
    await call(stage, 'DELETE', `/api/v1/webhooks/${id}`, undefined, apiKey)
  hospital.letGo()
  // They all come home at once, and find that there is nothing to write down.
  await pause(500)
  return seen
}

/** One that hangs for ever and one that fails at once, of the same tenant and of another. */
function amongTwo(stage: Stage, hospital: Hospital, name: string, size: WindowSize): Promise<Look> {
  const { productionKey, sandboxKey } = stage.company
  const wanted = [productionKey, sandboxKey].flatMap(apiKey =>
    (['hangs', 'fails'] as const).map(manner => ({ manner, apiKey })),
  )
  return whileOpen(stage, hospital, wanted, () => lookThrough(stage, hospital, name, size))
}

/** More that hang than there are places; looked at once it is known of as many as could take them that they do. */
async function amongMany(stage: Stage, hospital: Hospital, size: WindowSize, tenants: number): Promise<Look> {
  const keys: string[] = []
  while (keys.length < tenants) {
    const { productionKey, sandboxKey } = await stage.newCompany(`Atelier Durand ${keys.length}`)
    keys.push(...[productionKey, sandboxKey].slice(0, tenants - keys.length))
  }
  const wanted = keys.flatMap(apiKey => Array(perCrowdTenant).fill({ manner: 'hangs', apiKey } as const))
  return whileOpen(stage, hospital, wanted, async () => {
    for (const [i, key] of keys.entries()) {
      // Spread over the time a request may take: they would all give up at one moment otherwise.
      if (i > 0) await pause(timeoutMs / tenants)
      await importAsleep(stage, key, `crowd${i}`, perCrowdEndpoint)
    }
    // A single tenant has fewer than there are places: it may come as a surprise.
    if (tenants > 1) await untilKnown(stage, tenants)
    return lookThrough(stage, hospital, 'crowd', size)
  })
}

async function untilKnown(stage: Stage, tenants: number): Promise<void> {
  const giveUpAt = performance.now() + knownWithinMs
  for (;;) {
    const [row] = await stage.ask<{ known: number }>(
      'select count(*)::int as known from webhook_pumps where failing > 0',
    )
    if (row!.known >= tenants * (perCrowdTenant - 1)) return
    if (performance.now() > giveUpAt) throw new Error(`only ${row!.known} are known to hang`)
    await pause(200)
  }
}

function judge(
  findings: Findings,
  among: string,
  { quiet, sick, within }: { quiet: Figures; sick: Figures; within: number },
): void {
  findings.figure(among, sick)
  for (const what of ['events', 'emails'] as const) {
    const ratio = sick[what].p95 / quiet[what].p95
    findings.check(
      `${among}: ${what} within ${within} times of what they take otherwise, p95`,
      ratio <= within,
      `${ratio.toFixed(2)} (${sick[what].p95} ms, ${quiet[what].p95} ms)`,
    )
    findings.check(`${among}: no ${what} are missing`, sick[what].missing === 0, sick[what].missing)
  }
  findings.check(
    `${among}: nobody waits for a connection of the reminders'`,
    sick.waiting.reminders <= quiet.waiting.reminders,
    sick.waiting,
  )
  findings.check(
    `${among}: the worker's event loop turns as before`,
    sick.loopLagMs <= within * quiet.loopLagMs,
    `${sick.loopLagMs} ms, ${quiet.loopLagMs} ms`,
  )
}
