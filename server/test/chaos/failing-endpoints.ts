import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type ChaosInstallation, startChaosInstallation } from './chaos-installation.ts'
import { call } from './deliveries-receivers.ts'
import { type EndpointServer, startEndpointServer } from './failing-endpoints-server.ts'
import {
  type Figures,
  figuresOf,
  importWithoutStart,
  measureWindow,
  type WindowResult,
  type WindowSize,
} from './failing-endpoints-window.ts'
import type { Findings } from './findings.ts'

/** One more than a tenant may have at work. */
const endpointsPerTenant = 13
/** Three rounds of eight, ten seconds each: as long as a window and its beginning. */
const eventsPerEndpoint = 24
const timeoutMs = 10_000
const knownWithinMs = 60_000

/** One healthy endpoint among more and more failing ones: does anything become slower because of them? */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      queued: { type: 'string', default: '1000' },
      seconds: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '2' },
      'per-second': { type: 'string', default: '10' },
      tenants: { type: 'string', default: '16' },
      within: { type: 'string', default: '2' },
    },
  })
  const size = {
    seconds: Number(values.seconds),
    perSecond: Number(values['per-second']),
    queued: Number(values.queued),
  }
  const rounds = Number(values.rounds)
  const within = Number(values.within)
  const failedBefore = findings.counts().failed
  const installation = await startChaosInstallation({
    apis: 1,
    workers: 1,
    leaseMs: 10_000,
    env: { EGRESS_TEST_ALLOW: '127.0.0.1:*' },
  })
  const endpointServer = await startEndpointServer(installation)
  try {
    await endpointServer.open('healthy', ['workflow.started'], installation.company.productionKey)
    await measureWindow(installation, endpointServer, 'warm', { ...size, seconds: 1, queued: 100 })
    // In turns, so that other load of the machine affects both.
    const healthy: WindowResult[] = []
    const failing: WindowResult[] = []
    for (let round = 0; round < rounds; round++) {
      const part = { ...size, seconds: size.seconds / rounds }
      healthy.push(await measureWindow(installation, endpointServer, `quiet${round}`, part))
      failing.push(await withTwoFailing(installation, endpointServer, `failing${round}`, part))
    }
    const withMany = await withManyHanging(installation, endpointServer, size, Number(values.tenants))
    healthy.push(await measureWindow(installation, endpointServer, 'after', size))
    findings.figure('no endpoint fails', figuresOf(...healthy))
    const compare = (condition: string, results: WindowResult[]) =>
      compareWithHealthy(findings, condition, {
        healthy: figuresOf(...healthy),
        failing: figuresOf(...results),
        within,
      })
    compare('two failing endpoints here and two at another tenant', failing)
    compare(`${values.tenants} other tenants with ${endpointsPerTenant} that hang`, [withMany])
    findings.figure('requests', endpointServer.requests)
    findings.check(
      'no process of ours ended by itself',
      installation.unexpectedExits.length === 0,
      installation.unexpectedExits,
    )
  } finally {
    const isRed = findings.counts().failed > failedBefore
    if (isRed) console.log(`logs are kept in ${installation.logDir}`)
    // Killed, so that stopping does not wait for hanging requests.
    for (const worker of installation.workers) await worker.kill()
    await endpointServer.stop()
    await installation.close(isRed)
  }
}

/** Opens endpoints, measures, and deletes them again with their queues. */
async function withEndpoints(
  installation: ChaosInstallation,
  endpointServer: EndpointServer,
  wanted: readonly { behaviour: 'hangs' | 'fails'; apiKey: string }[],
  measure: () => Promise<WindowResult>,
): Promise<WindowResult> {
  const opened: { id: string; apiKey: string }[] = []
  for (const { behaviour, apiKey } of wanted)
    opened.push({ id: await endpointServer.open(behaviour, ['invoice.created'], apiKey), apiKey })
  const result = await measure()
  for (const { id, apiKey } of opened)
    await call(installation, 'DELETE', `/api/v1/webhooks/${id}`, undefined, apiKey)
  endpointServer.releaseHanging()
  // All hanging requests end at once and find that their webhook is deleted.
  await pause(500)
  return result
}

/** One that hangs for ever and one that fails at once, of the same tenant and of another. */
function withTwoFailing(
  installation: ChaosInstallation,
  endpointServer: EndpointServer,
  name: string,
  size: WindowSize,
): Promise<WindowResult> {
  const { productionKey, sandboxKey } = installation.company
  const wanted = [productionKey, sandboxKey].flatMap(apiKey =>
    (['hangs', 'fails'] as const).map(behaviour => ({ behaviour, apiKey })),
  )
  return withEndpoints(installation, endpointServer, wanted, () =>
    measureWindow(installation, endpointServer, name, size),
  )
}

/** More hanging endpoints than there are places; measured once enough of them are known to be failing. */
async function withManyHanging(
  installation: ChaosInstallation,
  endpointServer: EndpointServer,
  size: WindowSize,
  tenants: number,
): Promise<WindowResult> {
  const keys: string[] = []
  while (keys.length < tenants) {
    const { productionKey, sandboxKey } = await installation.newCompany(`Atelier Durand ${keys.length}`)
    keys.push(...[productionKey, sandboxKey].slice(0, tenants - keys.length))
  }
  const wanted = keys.flatMap(apiKey =>
    Array(endpointsPerTenant).fill({ behaviour: 'hangs', apiKey } as const),
  )
  return withEndpoints(installation, endpointServer, wanted, async () => {
    for (const [i, key] of keys.entries()) {
      // Spread over the time a request may take: they would all give up at one moment otherwise.
      if (i > 0) await pause(timeoutMs / tenants)
      await importWithoutStart(installation, key, `many${i}`, eventsPerEndpoint)
    }
    // A single tenant has fewer than there are places, so there is nothing to wait for.
    if (tenants > 1) await untilKnownAsFailing(installation, tenants)
    return measureWindow(installation, endpointServer, 'many', size)
  })
}

async function untilKnownAsFailing(installation: ChaosInstallation, tenants: number): Promise<void> {
  const giveUpAt = performance.now() + knownWithinMs
  for (;;) {
    const [row] = await installation.query<{ known: number }>(
      'select count(*)::int as known from webhook_endpoints where failing > 0',
    )
    if (row!.known >= tenants * (endpointsPerTenant - 1)) return
    if (performance.now() > giveUpAt) throw new Error(`only ${row!.known} are known to hang`)
    await pause(200)
  }
}

function compareWithHealthy(
  findings: Findings,
  condition: string,
  { healthy, failing, within }: { healthy: Figures; failing: Figures; within: number },
): void {
  findings.figure(condition, failing)
  for (const what of ['events', 'emails'] as const) {
    const ratio = failing[what].p95 / healthy[what].p95
    findings.check(
      `${condition}: ${what} within ${within} times of what they take otherwise, p95`,
      ratio <= within,
      `${ratio.toFixed(2)} (${failing[what].p95} ms, ${healthy[what].p95} ms)`,
    )
    findings.check(`${condition}: no ${what} are missing`, failing[what].missing === 0, failing[what].missing)
  }
  findings.check(
    `${condition}: nobody waits for a connection of the reminders'`,
    failing.waiting.reminders <= healthy.waiting.reminders,
    failing.waiting,
  )
  findings.check(
    `${condition}: the worker's event loop turns as before`,
    failing.loopLagMs <= within * healthy.loopLagMs,
    `${failing.loopLagMs} ms, ${healthy.loopLagMs} ms`,
  )
}
