import { setTimeout as pause } from 'node:timers/promises'
import { call } from './deliveries-receivers.ts'
import type { Hospital } from './sick-endpoints.ts'
import type { Stage } from './stage.ts'

export interface WindowSize {
  seconds: number
  perSecond: number
  /** How many events each sick endpoint is given, if there is one. */
  queued: number
}

/** What one window saw. */
export interface Look {
  /** From the answer to the create until the event was at the endpoint that is well; milliseconds, null when it never came. */
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

/** Who has not arrived by then counts as not having arrived at all. */
const patienceMs = 15_000
const perImport = 100

function spreadOf(waits: readonly (number | null)[]): Spread {
  const sorted = waits.map(wait => wait ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN)
  const missing = waits.filter(wait => wait === null).length
  return { count: waits.length, p50: at(0.5), p95: at(0.95), max: at(1), missing }
}

/** Of one window, or of several taken together. */
export function figuresOf(...looks: Look[]): Figures {
  const worker = looks.flatMap(look => look.worker)
  const lags = worker.map(({ loopLagMs }) => loopLagMs).sort((a, b) => a - b)
  return {
    events: spreadOf(looks.flatMap(look => look.delivery)),
    emails: spreadOf(looks.flatMap(look => look.email)),
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

/** Invoices nobody is written to for: events for whoever subscribes to `invoice.created`. */
export async function importAsleep(stage: Stage, apiKey: string, name: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += perImport)
    await call(
      stage,
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
 * The same traffic in every window, whoever is sick: invoices that start at once, evenly, and beside them the imports that
 * give a sick endpoint its queue, all of them at the beginning.
 */
export async function lookThrough(
  stage: Stage,
  hospital: Hospital,
  name: string,
  { seconds, perSecond, queued }: WindowSize,
): Promise<Look> {
  const { productionKey, sandboxKey } = stage.company
  const watching = watch(stage)
  const imports = Promise.all(
    [productionKey, sandboxKey].map((key, i) => importAsleep(stage, key, `${name}-asleep${i}`, queued)),
  )
  const start = performance.now()
  const creates: Promise<Created>[] = []
  for (let i = 0; i < seconds * perSecond; i++) {
    await pause(Math.max(0, start + (i * 1_000) / perSecond - performance.now()))
    creates.push(createOne(stage, `${name}-${i}`))
  }
  const created = await Promise.all(creates)
  await imports
  const mailedAt = () =>
    new Map(
      stage.mailbox
        .messages()
        .map(mail => [mail.to, Date.parse(mail.receivedAt) - performance.timeOrigin] as const),
    )
  const giveUpAt = performance.now() + patienceMs
  const isOver = () => {
    const mailed = mailedAt()
    return created.every(({ id, email }) => hospital.arrivedAt.has(id) && mailed.has(email))
  }
  while (!isOver() && performance.now() < giveUpAt) await pause(50)
  const mailed = mailedAt()
  const wait = (from: number, to: number | undefined) => (to === undefined ? null : Math.max(0, to - from))
  return {
    delivery: created.map(({ id, answeredAt }) => wait(answeredAt, hospital.arrivedAt.get(id))),
    email: created.map(({ email, answeredAt }) => wait(answeredAt, mailed.get(email))),
    worker: await watching.stop(),
  }
}

async function createOne(stage: Stage, number: string): Promise<Created> {
  const email = `${number}@durand.example`
  const { id } = await call<{ id: string }>(stage, 'POST', '/api/v1/invoices', invoice(number, email))
  return { id, email, answeredAt: performance.now() }
}

/** Looks at the worker's metrics until it is stopped. */
function watch(stage: Stage): { stop(): Promise<Metrics[]> } {
  const seen: Metrics[] = []
  let isOn = true
  const looking = (async () => {
    while (isOn) {
      const text = await (await fetch(stage.metricsUrls[0]!, { signal: AbortSignal.timeout(5_000) })).text()
      const figure = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1])
      seen.push({
        waitingForReminders: figure('relance_worker_pool_waiting'),
        waitingForDeliveries: figure('relance_courier_pool_waiting'),
        loopLagMs: figure('nodejs_eventloop_lag_p99_seconds') * 1_000,
      })
      await pause(500)
    }
  })()
  return {
    async stop() {
      isOn = false
      await looking
      return seen
    },
  }
}
