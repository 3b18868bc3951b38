import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createDatabase, rolePasswords } from '../../dev/database.ts'
import { startInstallation } from '../../dev/installation.ts'
import { startOwnCluster } from '../../dev/postgres.ts'
import { startChild } from '../../src/kit/child-process.ts'
import { bootstrapRoles } from '../../src/kit/db/bootstrap.ts'
import { migrate } from '../../src/kit/db/migrate.ts'
import { countAll } from './lists-fill.ts'
import type { Asked } from './portfolio-client.ts'
import { askedOf, fillPortfolio } from './portfolio-fill.ts'
import { appendResult, type Measured } from './results.ts'

/** A Monday morning; a quarter of the debtors is to be written to on this day. */
const monday = Date.parse('2026-11-16T09:00:00+01:00')

const client = fileURLToPath(import.meta.resolve('./portfolio-client.ts'))

interface Question {
  /** With names of `askedOf` in place of ids. */
  path: string
  /** Null: only the ratio counts. */
  limitMs: number | null
}
const report = (path: string): Question => ({ path: `/api/v1/reports/${path}`, limitMs: 25 })
const invoices = (query: string): Question => ({ path: `/api/v1/invoices?limit=50&${query}`, limitMs: 10 })
const debtors = (query: string): Question => ({ path: `/api/v1/debtors?limit=50&${query}`, limitMs: 10 })

const questions: readonly Question[] = [
  { path: '/api/v1/invoices?limit=50', limitMs: 10 },
  { path: '/api/v1/debtors?limit=50', limitMs: 10 },
  report('today'),
  report('today?date=2026-11-20'),
  report('aged-balance'),
  report('aged-balance?edges=10,20,30,60,90,120'),
  invoices('standing=held:promise'),
  invoices('standing=running'),
  invoices('standing=decide,held:dispute'),
  invoices('standing=running&dueFrom=2026-09-17&dueTo=2026-10-17&sortBy=due_date&sortOrder=asc'),
  invoices('overdueMin=30&overdueMax=60'),
  invoices('workflowStatus=paused'),
  invoices('step=sms_reminder'),
  invoices('reasonCode=channel_cooldown'),
  invoices('debtorType=consumer'),
  // A quarter hour in which both have debtors to write to.
  invoices('nextFrom=2026-11-16T09:00:00Z&nextTo=2026-11-16T09:14:00Z'),
  invoices('sortBy=next_action_at&sortOrder=asc'),
  invoices('sortBy=balance'),
  debtors('sortBy=balance'),
  debtors('sortBy=next_contact'),
  debtors('sortBy=score'),
  debtors('sortBy=name'),
  debtors('sortBy=balance&include=account'),
  debtors('sortBy=name&standing=held:promise'),
  debtors('sortBy=next_contact&minBalance=1000000'),
  debtors('sortBy=balance&risk=critical'),
  { path: '/api/v1/debtors/:debtor/timeline', limitMs: 25 },
  { path: '/api/v1/debtors/:largest/timeline', limitMs: 25 },
  { path: '/api/v1/invoices/:invoice/timeline', limitMs: 25 },
  { path: '/api/v1/debtors/:debtor/calendar', limitMs: null },
  { path: '/api/v1/debtors/:largest/calendar', limitMs: null },
  { path: '/api/v1/search?q=F-1234', limitMs: 25 },
  { path: '/api/v1/search?q=debtor%20123', limitMs: 25 },
]

/** How much longer many times as many may take. */
const ratioMax = 1.5
const smallSize = 10_000

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!

/** One company with 10,000 invoices and one with many more, asked the same through the API in turns by a process of its own. Answers the exit code. */
export async function benchPortfolio(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      invoices: { type: 'string', default: '1000000' },
      repeats: { type: 'string', default: '60' },
      json: { type: 'string' },
    },
  })
  const dataDir = await mkdtemp(join(tmpdir(), 'relance-portfolio-'))
  const cluster = await startOwnCluster({ dataDir, durable: false })
  const logProgress = (text: string) =>
    console.error(`${((performance.now() / 1000) | 0).toString().padStart(5)} s  ${text}`)
  try {
    await bootstrapRoles(cluster.adminUrl, rolePasswords)
    const database = await createDatabase(cluster.adminUrl, 'portfolio')
    await migrate(
      database.adminUrl,
      join(import.meta.dirname, '../../migrations'),
      new Date(monday).toISOString(),
    )
    const installation = await startInstallation({
      database,
      now: monday,
      hasWorker: false,
      logLevel: 'silent',
    })
    try {
      const admin = new pg.Client({ connectionString: database.adminUrl })
      await admin.connect()
      const sides: { key: string; asked: ReturnType<typeof askedOf> }[] = []
      for (const [i, size] of [smallSize, Number(values.invoices)].entries()) {
        const company = await installation.createCompany({
          name: `With ${size}`,
          ownerEmail: 'o@bench.example',
          tier: 'enterprise',
          requestsPerMinute: 1_000_000,
          inFlight: 10_000,
        })
        await fillPortfolio(admin, company.tenants.production, i, size)
        logProgress(`${size} invoices`)
        sides.push({ key: company.productionKey, asked: askedOf(i, size) })
      }
      await countAll(admin)
      logProgress('vacuum and analyze')
      await admin.query('vacuum analyze')
      const version = await admin.query<{ server_version: string }>('show server_version')
      await admin.end()
      const child = startChild(process.execPath, [client], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      const ended = once(child, 'exit').then(() => Promise.reject(new Error('a request failed')))
      const timesOf = async (
        path: string,
        { warmUp, repeats }: Omit<Asked, 'requests'>,
      ): Promise<number[][]> => {
        const requests = sides.map(({ key, asked }) => ({
          key,
          url:
            installation.baseUrl +
            path.replace(/:(debtor|largest|invoice)/, (_, name: keyof typeof asked) => asked[name]),
        }))
        child.send({ requests, warmUp, repeats } satisfies Asked)
        const [times] = await Promise.race([once(child, 'message'), ended])
        return times
      }
      // As a server that has run for a minute: its code is compiled, and its connections have planned their statements.
      for (const { path } of questions) await timesOf(path, { warmUp: 40, repeats: 0 })
      const size = Number(values.invoices).toLocaleString('en')
      console.log(`| question | p95 at 10,000 | p95 at ${size} | ratio of medians | limit | |`)
      console.log('|---|---|---|---|---|---|')
      let broken = 0
      const measured: [Measured[], Measured[]] = [[], []]
      for (const { path, limitMs } of questions) {
        const [small, large] = (await timesOf(path, { warmUp: 5, repeats: Number(values.repeats) })).map(
          times => ({
            perSecond: (1000 * times.length) / times.reduce((sum, ms) => sum + ms, 0),
            p95: quantile(times, 0.95),
            median: quantile(times, 0.5),
          }),
        )
        const ratio = large!.median / small!.median
        const isFine = (limitMs === null || large!.p95 <= limitMs) && ratio <= ratioMax
        if (!isFine) broken++
        const name = path.replace('/api/v1/', '')
        for (const [i, { p95, perSecond }] of [small!, large!].entries())
          measured[i]!.push(
            { name, unit: 'ms', value: Number(p95.toFixed(2)) },
            { name, unit: '/s', value: Number(perSecond.toFixed(1)) },
          )
        console.log(
          `| ${name} | ${small!.p95.toFixed(1)} | ${large!.p95.toFixed(1)} | ${ratio.toFixed(2)} | ${limitMs ?? ''} | ${isFine ? '' : 'over'} |`,
        )
      }
      ended.catch(() => undefined)
      child.disconnect()
      if (values.json)
        for (const [i, size] of [smallSize, Number(values.invoices)].entries())
          await appendResult(values.json, {
            bench: 'portfolio',
            size,
            postgres: version.rows[0]!.server_version.split(' ')[0]!,
            figures: measured[i]!,
          })
      console.log(`${questions.length - broken} passed, ${broken} failed`)
      return broken === 0 ? 0 : 1
    } finally {
      await installation.stop()
    }
  } finally {
    await cluster.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
