import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { defectMessages } from '../../src/kit/log.ts'
import { type KillableInstallation, startChaosInstallation } from './chaos-installation.ts'
import { linesIn } from './crash.ts'
import { judgeDeliveries } from './deliveries-oracle.ts'
import { call, type Endpoint, openEndpoints } from './deliveries-receivers.ts'
import type { Findings } from './findings.ts'
import { killAtRandom } from './killer.ts'
import { type Customer, postUntilAnswered } from './post-until-answered.ts'
import { randomFrom } from './random.ts'

const secondsPerKill = 2
/** Small enough that events are on their way from the outbox to the endpoints most of the time. */
const perImport = 25
const longestWaitMs = 60_000

interface Size {
  events: number
  webhooks: number
  kills: number
  seed: number
  leaseMs: number
  drainSeconds: number
}

/** Imports, kills, restarts, and checks what every receiver got. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '10000' },
      webhooks: { type: 'string', default: '5' },
      kills: { type: 'string', default: '40' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      'lease-ms': { type: 'string', default: '3000' },
      'drain-seconds': { type: 'string', default: '600' },
    },
  })
  await proveDeliveries(findings, {
    events: Number(values.events),
    webhooks: Number(values.webhooks),
    kills: Number(values.kills),
    seed: Number(values.seed),
    leaseMs: Number(values['lease-ms']),
    drainSeconds: Number(values['drain-seconds']),
  })
}

async function proveDeliveries(findings: Findings, size: Size): Promise<void> {
  const { events, webhooks, kills, seed, leaseMs } = size
  console.log(`deliveries: ${events} events, ${webhooks} webhooks, ${kills} kills, seed ${seed}`)
  const random = randomFrom(seed)
  const before = findings.counts().failed
  const installation = await startChaosInstallation({
    harmsPostgres: true,
    apis: 1,
    workers: 2,
    leaseMs: 10_000,
    env: { EGRESS_TEST_ALLOW: '127.0.0.1:*', DELIVERY_LEASE_MS: String(leaseMs) },
  })
  let endpoints: Endpoint[] = []
  try {
    endpoints = await openEndpoints(installation, webhooks, randomFrom(seed + 1))
    let kill = 0
    const imports = Math.ceil(events / perImport)
    const customer = {
      apiUrls: installation.apiUrls,
      apiKey: installation.company.productionKey,
      lockRetryMs: 60_000,
    }
    const traffic = importAll(customer, events, {
      everyMs: (kills * secondsPerKill * 1_000) / imports,
      isTimeFor: i => i / imports <= (kill + 1) / kills,
    })
    const killed = await killAtRandom({ ...installation, apis: [] }, kills, random, () => kill++)
    const restartedAt = performance.now()
    const refused = (await traffic).filter(outcome => outcome.data === null)
    findings.figure('kills', killed.by)
    findings.check(`all ${imports} imports were answered`, refused.length === 0, refused)
    const { left, drainedAt } = await drain(installation, endpoints, restartedAt + size.drainSeconds * 1_000)
    const seconds = [...drainedAt].map(([name, at]) => [
      name,
      Math.max(0, Math.round((at - restartedAt) / 100) / 10),
    ])
    findings.figure('drained, seconds after the last restart', Object.fromEntries(seconds))
    findings.check('outbox and queue are empty in the end', left === null, left ?? undefined)
    findings.check(
      'no process of ours ended by itself',
      installation.unexpectedExits.length === 0,
      installation.unexpectedExits,
    )
    for (const defect of [defectMessages.request, defectMessages.delivery]) {
      const lines = await linesIn(installation, defect)
      findings.check(`nobody logged "${defect}"`, lines.length === 0, lines)
    }
    await judgeDeliveries(findings, installation, endpoints, events)
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed) console.log(`logs are kept in ${installation.logDir}`)
    for (const endpoint of endpoints) await endpoint.stop()
    await installation.close(isRed)
  }
}

/** Imports as many as are asked for, evenly, each repeated under its key until it is answered; every fourth starts its recoveries. */
async function importAll(
  customer: Customer,
  events: number,
  { everyMs, isTimeFor }: { everyMs: number; isTimeFor(i: number): boolean },
) {
  const start = performance.now()
  const all: ReturnType<typeof postUntilAnswered>[] = []
  for (let i = 0; i * perImport < events; i++) {
    const left = start + i * everyMs - performance.now()
    if (left > 0) await pause(left)
    const giveUpAt = performance.now() + longestWaitMs
    while (!isTimeFor(i) && performance.now() < giveUpAt) await pause(50)
    all.push(
      postUntilAnswered(customer, {
        key: `import-${i}`,
        path: '/api/v1/invoices/bulk',
        body: {
          autoStartWorkflow: i % 4 === 0,
          invoices: Array.from({ length: Math.min(perImport, events - i * perImport) }, (_, n) => ({
            invoiceNumber: `D-${i}-${n}`,
            amountCents: 120_000,
            issueDate: '2026-11-02',
            // Nobody has to be written to before the proof is over.
            dueDate: '2027-02-02',
            debtor: { name: `Durand ${i} SARL`, email: `compta${i}@durand.example`, city: 'Lyon' },
          })),
        },
      }),
    )
  }
  return Promise.all(all)
}

interface Left {
  outbox: number
  queued: Record<string, number>
}

/**
 * When each endpoint's queue was empty, and what was still queued at the deadline, or null. A refused event waits for half
 * a minute or more, so the proof asks for a retry at once.
 */
async function drain(
  installation: KillableInstallation,
  endpoints: readonly Endpoint[],
  giveUpAt: number,
): Promise<{ left: Left | null; drainedAt: Map<string, number> }> {
  const drainedAt = new Map<string, number>()
  for (;;) {
    const [left] = await installation.query<Left>(
      `select (select count(*)::int from outbox) as outbox, coalesce((select jsonb_object_agg(webhook_id, n)
         from (select webhook_id, count(*) as n from webhook_queue group by 1) q), '{}') as queued`,
    )
    const { outbox, queued } = left!
    for (const { name, webhookId } of endpoints)
      if (outbox === 0 && !queued[webhookId] && !drainedAt.has(name)) drainedAt.set(name, performance.now())
    if (outbox === 0 && Object.keys(queued).length === 0) return { left: null, drainedAt }
    if (performance.now() > giveUpAt) return { left: left!, drainedAt }
    for (const { webhookId, behaviour } of endpoints)
      if (behaviour === 'flaky') await retryFailed(installation, webhookId)
    await pause(300)
  }
}

async function retryFailed(installation: KillableInstallation, webhookId: string): Promise<void> {
  const path = `/api/v1/webhooks/${webhookId}/deliveries`
  const failed = await call<{ id: string; nextRetryAt?: string }[]>(
    installation,
    'GET',
    `${path}?status=failed&limit=100`,
  )
  for (const { id, nextRetryAt } of failed)
    if (nextRetryAt && Date.parse(nextRetryAt) > Date.now())
      await call(installation, 'POST', `${path}/${id}/retry`)
}
