import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../dev/ports.ts'
import { createPool } from '../../src/kit/db/pool.ts'
import { castInvoices, type Loaded, makeMould, numbered } from './data.ts'
import { type Figure, ratios } from './figures.ts'
import { recordHttp } from './http-tape.ts'
import { generatorName, type Load, load, type Measured } from './load.ts'
import { createScript, hasPgbench, pgbench, readScript } from './pgbench.ts'
import type { Place, Site } from './place.ts'
import { cpuMs, startProcess, untilListening } from './processes.ts'

export interface Size {
  rounds: number
  seconds: number
  small: boolean
}

const usualConnections = 32
const poolSize = 16

export interface Server {
  pid: number
  port: number
  site: Site
  loaded: Loaded
}

const main = join(import.meta.dirname, '../../src/main.ts')
const bare = fileURLToPath(import.meta.resolve('./bare-http.ts'))

/** A site with invoices in its production tenant, and nobody who would wake them. */
export async function siteWithInvoices(place: Place, count: number): Promise<{ site: Site; loaded: Loaded }> {
  const site = await place.newSite()
  const mould = await makeMould(site, 'production')
  return { site, loaded: await castInvoices(site, mould, { first: 1, count }) }
}

/** The role `api` as it runs in production, or the bare server, as a process of its own. */
export async function startServer(
  place: Place,
  kind: 'full' | 'bare',
  { site, loaded }: { site: Site; loaded: Loaded },
): Promise<Server> {
  const port = await freePort()
  const env = { ...site.env, PORT: String(port), API_POOL: String(poolSize) }
  const server =
    kind === 'full'
      ? await startProcess(main, ['api'], env)
      : await startProcess(bare, [], {
          ...env,
          API_KEY: site.company.productionKey,
          INVOICE_ID: numbered(loaded.invoiceIdPrefix, loaded.first),
        })
  place.whenOver(() => server.stop())
  await untilListening(port)
  return { pid: server.pid, port, site, loaded }
}

export interface Round extends Measured {
  /** Of the server's process, without Postgres. */
  cpuUsPerRequest: number
}

export async function measure(
  server: Server,
  verb: Load['verb'],
  seconds: number,
  connections = usualConnections,
): Promise<Round> {
  const before = await cpuMs(server.pid)
  const { port, loaded, site } = server
  const apiKey = site.company.productionKey
  const measured = await load({ port, verb, apiKey, loaded, connections, seconds })
  const after = await cpuMs(server.pid)
  const cpuUs = before === null || after === null ? Number.NaN : (after - before) * 1000
  return { ...measured, cpuUsPerRequest: cpuUs / measured.requests }
}

const warmRequests = 15_000

/** Until the compiler has seen enough: a server in production has been running for days. */
export async function warmUp(server: Server, verb: Load['verb'], requests = warmRequests): Promise<void> {
  for (let done = 0; done < requests; ) done += (await measure(server, verb, 1)).requests
}

/** GET and POST of the whole API against node:http, and pgbench, with the same statements in the same flights. */
export async function benchHttp(place: Place, { rounds, seconds, small }: Size): Promise<Figure[]> {
  const prepared = await siteWithInvoices(place, small ? 2_000 : 10_000)
  const { site, loaded } = prepared
  console.log(`http: ${usualConnections} connections by ${generatorName}, pools of ${poolSize},`)
  console.log(`      limits ${place.redisUrl ? 'in Redis' : 'in the process'}, ${place.postgres}`)
  const [full, bareServer] = [
    await startServer(place, 'full', prepared),
    await startServer(place, 'bare', prepared),
  ]
  const scripts = hasPgbench && !small ? await scriptsFor(site, loaded) : null
  const figures: Figure[] = []
  for (const verb of ['GET', 'POST'] as const) {
    const seen: Record<'bare' | 'full', Round[]> = { bare: [], full: [] }
    const pgbenchSeen: number[] = []
    for (const server of [bareServer, full]) await warmUp(server, verb, small ? 1 : warmRequests)
    for (let round = 0; round < rounds; round++) {
      seen.bare.push(await measure(bareServer, verb, seconds))
      seen.full.push(await measure(full, verb, seconds))
      if (scripts) pgbenchSeen.push(await pgbench(site, scripts[verb](), { clients: poolSize, seconds }))
    }
    const of = (kind: 'bare' | 'full', field: keyof Round) => seen[kind].map(one => one[field])
    figures.push(
      { name: `${verb} bare`, unit: 'requests/s', values: of('bare', 'perSecond') },
      { name: `${verb} full`, unit: 'requests/s', values: of('full', 'perSecond') },
      {
        name: `${verb} full / bare`,
        unit: '',
        values: ratios(of('full', 'perSecond'), of('bare', 'perSecond')),
        target: { least: 0.8 },
      },
      { name: `${verb} bare, Node`, unit: 'µs CPU', values: of('bare', 'cpuUsPerRequest') },
      { name: `${verb} full, Node`, unit: 'µs CPU', values: of('full', 'cpuUsPerRequest') },
      { name: `${verb} full p50`, unit: 'ms', values: of('full', 'p50Ms') },
      { name: `${verb} full p99`, unit: 'ms', values: of('full', 'p99Ms') },
    )
    if (scripts)
      figures.push(
        { name: `${verb} pgbench`, unit: 'transactions/s', values: pgbenchSeen },
        {
          name: `${verb} full / pgbench`,
          unit: '',
          values: ratios(of('full', 'perSecond'), pgbenchSeen),
        },
      )
  }
  return figures
}

async function scriptsFor(site: Site, loaded: Loaded): Promise<Record<Load['verb'], () => string>> {
  const pool = createPool({
    url: site.env.API_DATABASE_URL!,
    role: 'relance-bench',
    max: 2,
    statementTimeoutMs: 2_000,
  })
  try {
    const invoiceId = numbered(loaded.invoiceIdPrefix, loaded.first)
    const options = { keyring: site.env.KEYRING!, apiKey: site.company.productionKey, invoiceId }
    const tapes = await recordHttp(pool, options)
    const reading = readScript(tapes, invoiceId, loaded)
    let series = 0
    return { GET: () => reading, POST: () => createScript(tapes, ++series) }
  } finally {
    await pool.end()
  }
}
