import { setTimeout as pause } from 'node:timers/promises'
import type { ChaosInstallation } from './chaos-installation.ts'
import { call } from './deliveries-receivers.ts'
import type { EndpointServer } from './failing-endpoints-server.ts'

export interface WindowSize {
  seconds: number
  perSecond: number
  /** How many events each failing endpoint gets, if there is one. */
  queued: number
}

/** The measurements of one window. */
export interface WindowResult {
  /** From the answer to the create until the event reached the healthy endpoint; milliseconds, null when it never did. */
  delivery: (number | null)[]
  /** From the answer to the create, whose first email is due at once, until the mail server had it; likewise. */
  email: (number | null)[]
  worker: Metrics[]
}

/** The worker's, as it shows them twice a second. */
interface Metrics {
  waitingForReminders: number
  waitingForDeliveries: number
  loopLagMs: number
}

export interface Figures {
  events: Spread
  emails: Spread
  waiting: { reminders: number; deliveries: number }
  loopLagMs: number
}

interface Spread {
  count: number
  p50: number
  p95: number
  max: number
  missing: number
}

/** What has not arrived by then counts as missing. */
const lockRetryMs = 15_000
const perImport = 100

function spreadOf(waits: readonly (number | null)[]): Spread {
  const sorted = waits.map(wait => wait ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN)
  const missing = waits.filter(wait => wait === null).length
  return { count: waits.length, p50: at(0.5), p95: at(0.95), max: at(1), missing }
}

/** Of one window, or of several taken together. */
export function figuresOf(...results: WindowResult[]): Figures {
  const worker = results.flatMap(result => result.worker)
  const lags = worker.map(({ loopLagMs }) => loopLagMs).sort((a, b) => a - b)
  return {
    events: spreadOf(results.flatMap(result => result.delivery)),
    emails: spreadOf(results.flatMap(result => result.email)),
    waiting: {
      reminders: Math.max(...worker.map(({ waitingForReminders }) => waitingForReminders)),
      deliveries: Math.max(...worker.map(({ waitingForDeliveries }) => waitingForDeliveries)),
    },
    loopLagMs: Math.round(lags[lags.length >> 1]!),
  }
}

const invoice = (number: string, email: string) => ({
  invoiceNumber: number,
  amountCents: 120_000,
  issueDate: '2026-09-15',
  dueDate: '2026-10-15',
  debtor: { name: `Durand ${number}`, email, postalCode: '69002', city: 'Lyon' },
})

/** Invoices without a started recovery: they only cause `invoice.created` events. */
export async function importWithoutStart(
  installation: ChaosInstallation,
  apiKey: string,
  name: string,
  count: number,
): Promise<void> {
  for (let from = 0; from < count; from += perImport)
    await call(
      installation,
      'POST',
      '/api/v1/invoices/bulk',
      {
        autoStartWorkflow: false,
        invoices: Array.from({ length: Math.min(perImport, count - from) }, (_, i) =>
          invoice(`${name}-${from + i}`, `${name}-${from}@moreau.example`),
        ),
      },
      apiKey,
    )
}

interface Created {
  id: string
  email: string
  answeredAt: number
}

/**
 * The same traffic in every window: invoices that start at once, evenly spread, and at the beginning the imports that fill
 * the queues of failing endpoints.
 */
export async function measureWindow(
  installation: ChaosInstallation,
  endpointServer: EndpointServer,
  name: string,
  { seconds, perSecond, queued }: WindowSize,
): Promise<WindowResult> {
  const { productionKey, sandboxKey } = installation.company
  const metricsWatch = watchMetrics(installation)
  const imports = Promise.all(
    [productionKey, sandboxKey].map((key, i) =>
      importWithoutStart(installation, key, `${name}-asleep${i}`, queued),
    ),
  )
  const start = performance.now()
  const creates: Promise<Created>[] = []
  for (let i = 0; i < seconds * perSecond; i++) {
    await pause(Math.max(0, start + (i * 1_000) / perSecond - performance.now()))
    creates.push(createOne(installation, `${name}-${i}`))
  }
  const created = await Promise.all(creates)
  await imports
  const mailedAt = () =>
    new Map(
      installation.mailbox
        .messages()
        .map(mail => [mail.to, Date.parse(mail.receivedAt) - performance.timeOrigin] as const),
    )
  const giveUpAt = performance.now() + lockRetryMs
  const isOver = () => {
    const mailed = mailedAt()
    return created.every(({ id, email }) => endpointServer.arrivedAt.has(id) && mailed.has(email))
  }
  while (!isOver() && performance.now() < giveUpAt) await pause(50)
  const mailed = mailedAt()
  const wait = (from: number, to: number | undefined) => (to === undefined ? null : Math.max(0, to - from))
  return {
    delivery: created.map(({ id, answeredAt }) => wait(answeredAt, endpointServer.arrivedAt.get(id))),
    email: created.map(({ email, answeredAt }) => wait(answeredAt, mailed.get(email))),
    worker: await metricsWatch.stop(),
  }
}

async function createOne(installation: ChaosInstallation, number: string): Promise<Created> {
  const email = `${number}@durand.example`
  const { id } = await call<{ id: string }>(installation, 'POST', '/api/v1/invoices', invoice(number, email))
  return { id, email, answeredAt: performance.now() }
}

/** Looks at the worker's metrics until it is stopped. */
function watchMetrics(installation: ChaosInstallation): { stop(): Promise<Metrics[]> } {
  const seen: Metrics[] = []
  let isRunning = true
  const polling = (async () => {
    while (isRunning) {
      const text = await (
        await fetch(installation.metricsUrls[0]!, { signal: AbortSignal.timeout(5_000) })
      ).text()
      const figure = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1])
      seen.push({
        waitingForReminders: figure('relance_worker_pool_waiting'),
        waitingForDeliveries: figure('relance_delivery_pool_waiting'),
        loopLagMs: figure('nodejs_eventloop_lag_p99_seconds') * 1_000,
      })
      await pause(500)
    }
  })()
  return {
    async stop() {
      isRunning = false
      await polling
      return seen
    },
  }
}
