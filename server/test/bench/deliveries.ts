import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { asAdmin } from '../../dev/database.ts'
import { freePort } from '../../dev/ports.ts'
import { relanceArgs } from '../../dev/relance-args.ts'
import { type Endpoint, insertEndpoints, insertEvents } from './deliveries-fill.ts'
import type { BenchEnvironment, BenchInstallation } from './environment.ts'
import { type Figure, ratios } from './figures.ts'
import type { Size } from './http.ts'
import { cpuMs, sessionsCpuMs, spentBetween, startProcess, untilListening } from './processes.ts'
import { type Kind, kinds } from './sends.ts'

interface DeliveryWorker {
  kind: Kind
  installation: BenchInstallation
  endpoints: Endpoint[]
  pid: number
}

interface Wave {
  perSecond: number
  workerMs: number
  postgresMs: number
}

const bare = fileURLToPath(import.meta.resolve('./bare-deliveries.ts'))
const receiver = fileURLToPath(import.meta.resolve('./deliveries-receiver.ts'))

/** Queues events for the first endpoints and makes them due at once; ends when the last is saved as delivered. */
async function runWave(
  { kind, installation, endpoints, pid }: DeliveryWorker,
  among: number,
  each: number,
  received: () => Promise<number>,
): Promise<Wave> {
  const count = among * each
  return asAdmin(installation.database.adminUrl, async admin => {
    const queryOne = async (text: string, values: unknown[] = []) =>
      (await admin.query(text, values)).rows[0]!
    const look = async () => ({
      worker: (await cpuMs(pid)) ?? Number.NaN,
      sessions: await sessionsCpuMs(installation.database),
      received: await received(),
    })
    const served = endpoints.slice(0, among)
    await insertEvents(admin, served, each, 'webhook_queue')
    // What the background would do in its own time, done before anything is measured.
    await admin.query('vacuum (analyze) events, webhook_queue, webhook_endpoints, webhook_deliveries')
    await admin.query('checkpoint')
    const before = await look()
    const releasedAt = Date.now()
    const released = new Date(releasedAt).toISOString()
    await admin.query('update webhook_endpoints set wake_at = $1 where webhook_id = any ($2)', [
      released,
      served.map(({ webhookId }) => webhookId),
    ])
    const giveUpAt = performance.now() + 300_000
    while ((await queryOne('select exists (select from webhook_queue) as some')).some) {
      if (performance.now() > giveUpAt) throw new Error(`${kind}: not all were delivered in five minutes`)
      await pause(50)
    }
    const after = await look()
    const { delivered, last } = await queryOne(
      `select count(*)::integer as delivered, extract(epoch from max(last_attempt_at)) * 1000 as last
         from webhook_deliveries where status = 'delivered' and attempts = 1 and last_attempt_at >= $1`,
      [released],
    )
    if (delivered !== count || after.received - before.received !== count)
      throw new Error(`${kind}: ${delivered} of ${count}, in ${after.received - before.received} requests`)
    return {
      perSecond: (count * 1000) / (Number(last) - releasedAt),
      workerMs: (after.worker - before.worker) / count,
      postgresMs: spentBetween(before.sessions, after.sessions) / count,
    }
  })
}

/** `others` were delivered earlier: an empty database is planned for differently. */
async function startDeliveryWorker(
  environment: BenchEnvironment,
  kind: Kind,
  url: string,
  among: number,
  others: number,
): Promise<DeliveryWorker> {
  const installation = await environment.newInstallation()
  const endpoints = await insertEndpoints(installation, url, among + 1)
  const sample = endpoints.pop()!
  await asAdmin(installation.database.adminUrl, async admin => {
    await insertEvents(admin, endpoints, others / among, 'webhook_deliveries')
    await insertEvents(admin, [sample], kind === 'bare' ? 16 : 0, 'webhook_queue')
  })
  const env: Record<string, string> = {
    ...installation.env,
    SMTP_URL: 'smtp://127.0.0.1:9',
    EGRESS_TEST_ALLOW: '127.0.0.1:*',
    TENANT_ID: sample.tenantId,
    WEBHOOK_ID: sample.webhookId,
  }
  const child =
    kind === 'bare' ? await startProcess([bare], env) : await startProcess([...relanceArgs(), 'worker'], env)
  environment.onStop(() => child.stop())
  return { kind, installation, endpoints, pid: child.pid }
}

type Seen = Record<Kind, Wave[]>

function figuresOf(what: string, seen: Seen): Figure[] {
  const valuesOf = (kind: Kind, field: keyof Wave) => seen[kind].map(wave => wave[field])
  const rate = (kind: Kind): Figure => ({
    name: `${kind}, ${what}`,
    unit: 'deliveries/s',
    values: valuesOf(kind, 'perSecond'),
  })
  const ratio: Figure = {
    name: `product / bare, ${what}`,
    unit: '',
    values: ratios(valuesOf('product', 'perSecond'), valuesOf('bare', 'perSecond')),
    target: { least: 0.5 },
  }
  const cost = (kind: Kind, whose: string, values: number[]): Figure => ({
    name: `${kind}, ${what}, ${whose}`,
    unit: 'ms CPU/delivery',
    values,
  })
  const total = (wave: Wave) => wave.workerMs + wave.postgresMs
  return [
    ...kinds.map(rate),
    ratio,
    ...kinds.flatMap(kind => [
      cost(kind, 'all', seen[kind].map(total)),
      cost(kind, 'its process', valuesOf(kind, 'workerMs')),
      cost(kind, 'Postgres', valuesOf(kind, 'postgresMs')),
    ]),
  ]
}

/** Events brought to webhooks, eight at once per endpoint, by a worker and by a loop with nothing around it. */
export async function benchDeliveries(
  environment: BenchEnvironment,
  { rounds, small }: Size,
): Promise<Figure[]> {
  const seen = (): Seen => ({ bare: [], product: [] })
  const many = { what: 'twenty', among: 20, each: small ? 40 : 400, seen: seen() }
  const one = { what: 'one alone', among: 1, each: 2_000, seen: seen() }
  const cases = small ? [many] : [many, one]
  for (const { what, among, each } of cases)
    console.log(`deliveries, ${what}: ${among * each} events due at once, ${each} for each endpoint`)
  console.log(environment.postgres)
  const port = await freePort()
  const receiving = await startProcess([receiver], { PORT: String(port) })
  environment.onStop(() => receiving.stop())
  await untilListening(port)
  const url = `http://127.0.0.1:${port}/relance`
  const received = async () => Number(await (await fetch(url)).text())
  const all: DeliveryWorker[] = []
  for (const kind of kinds)
    all.push(await startDeliveryWorker(environment, kind, url, many.among, small ? 2_000 : 50_000))
  // The first round only warms.
  for (let round = -1; round < rounds; round++)
    for (const { among, each, seen } of cases)
      for (const worker of all) {
        const wave = await runWave(worker, among, each, received)
        if (round >= 0) seen[worker.kind].push(wave)
      }
  return cases.flatMap(({ what, seen }) => figuresOf(what, seen))
}
