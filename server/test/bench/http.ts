import { fileURLToPath } from 'node:url'
import { freePort } from '../../dev/ports.ts'
import { relanceArgs } from '../../dev/relance-args.ts'
import { createPool } from '../../src/kit/db/pool.ts'
import { insertInvoices, type LoadedInvoices, makeInvoiceTemplate, numbered } from './data.ts'
import type { BenchEnvironment, BenchInstallation } from './environment.ts'
import { type Figure, ratios } from './figures.ts'
import { recordHttp } from './http-tape.ts'
import { generatorName, type Load, load, type Measured } from './load.ts'
import { createScript, hasPgbench, pgbench, readScript } from './pgbench.ts'
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
  installation: BenchInstallation
  loaded: LoadedInvoices
}

const bare = fileURLToPath(import.meta.resolve('./bare-http.ts'))

/** An installation with invoices in its production tenant, and no worker. */
export async function installationWithInvoices(
  environment: BenchEnvironment,
  count: number,
): Promise<{ installation: BenchInstallation; loaded: LoadedInvoices }> {
  const installation = await environment.newInstallation()
  const template = await makeInvoiceTemplate(installation, 'production')
  return { installation, loaded: await insertInvoices(installation, template, { first: 1, count }) }
}

/** The role `api` as it runs in production, or the bare server, as a process of its own. */
export async function startServer(
  environment: BenchEnvironment,
  kind: 'full' | 'bare',
  { installation, loaded }: { installation: BenchInstallation; loaded: LoadedInvoices },
): Promise<Server> {
  const port = await freePort()
  const env = { ...installation.env, PORT: String(port), API_POOL: String(poolSize) }
  const server =
    kind === 'full'
      ? await startProcess([...relanceArgs(), 'api'], env)
      : await startProcess([bare], {
          ...env,
          API_KEY: installation.company.productionKey,
          INVOICE_ID: numbered(loaded.invoiceIdPrefix, loaded.first),
        })
  environment.onStop(() => server.stop())
  await untilListening(port)
  return { pid: server.pid, port, installation, loaded }
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
  const { port, loaded, installation } = server
  const apiKey = installation.company.productionKey
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

/** GET and POST of the whole API against node:http and pgbench, with the same statements in the same pipelines. */
export async function benchHttp(
  environment: BenchEnvironment,
  { rounds, seconds, small }: Size,
): Promise<Figure[]> {
  const prepared = await installationWithInvoices(environment, small ? 2_000 : 10_000)
  const { installation, loaded } = prepared
  console.log(`http: ${usualConnections} connections by ${generatorName}, pools of ${poolSize},`)
  console.log(`      limits ${environment.redisUrl ? 'in Redis' : 'in the process'}, ${environment.postgres}`)
  const [full, bareServer] = [
    await startServer(environment, 'full', prepared),
    await startServer(environment, 'bare', prepared),
  ]
  const scripts = hasPgbench && !small ? await scriptsFor(installation, loaded) : null
  const figures: Figure[] = []
  for (const verb of ['GET', 'POST'] as const) {
    const seen: Record<'bare' | 'full', Round[]> = { bare: [], full: [] }
    const pgbenchSeen: number[] = []
    for (const server of [bareServer, full]) await warmUp(server, verb, small ? 1 : warmRequests)
    for (let round = 0; round < rounds; round++) {
      seen.bare.push(await measure(bareServer, verb, seconds))
      seen.full.push(await measure(full, verb, seconds))
      if (scripts)
        pgbenchSeen.push(await pgbench(installation, scripts[verb](), { clients: poolSize, seconds }))
    }
    const valuesOf = (kind: 'bare' | 'full', field: keyof Round) => seen[kind].map(round => round[field])
    figures.push(
      { name: `${verb} bare`, unit: 'requests/s', values: valuesOf('bare', 'perSecond') },
      { name: `${verb} full`, unit: 'requests/s', values: valuesOf('full', 'perSecond') },
      {
        name: `${verb} full / bare`,
        unit: '',
        values: ratios(valuesOf('full', 'perSecond'), valuesOf('bare', 'perSecond')),
        target: { least: 0.8 },
      },
      { name: `${verb} bare, Node`, unit: 'µs CPU', values: valuesOf('bare', 'cpuUsPerRequest') },
      { name: `${verb} full, Node`, unit: 'µs CPU', values: valuesOf('full', 'cpuUsPerRequest') },
      { name: `${verb} full p50`, unit: 'ms', values: valuesOf('full', 'p50Ms') },
      { name: `${verb} full p99`, unit: 'ms', values: valuesOf('full', 'p99Ms') },
    )
    if (scripts)
      figures.push(
        { name: `${verb} pgbench`, unit: 'transactions/s', values: pgbenchSeen },
        {
          name: `${verb} full / pgbench`,
          unit: '',
          values: ratios(valuesOf('full', 'perSecond'), pgbenchSeen),
        },
      )
  }
  return figures
}

async function scriptsFor(
  installation: BenchInstallation,
  loaded: LoadedInvoices,
): Promise<Record<Load['verb'], () => string>> {
  const pool = createPool({
    url: installation.env.API_DATABASE_URL!,
    role: 'relance-bench',
    max: 2,
    statementTimeoutMs: 2_000,
  })
  try {
    const invoiceId = numbered(loaded.invoiceIdPrefix, loaded.first)
    const options = {
      keyring: installation.env.KEYRING!,
      apiKey: installation.company.productionKey,
      invoiceId,
    }
    const tapes = await recordHttp(pool, options)
    const reading = readScript(tapes, invoiceId, loaded)
    let series = 0
    return { GET: () => reading, POST: () => createScript(tapes, ++series) }
  } finally {
    await pool.end()
  }
}
