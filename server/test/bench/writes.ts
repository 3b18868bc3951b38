import { asAdmin } from '../../dev/database.ts'
import type { BenchEnvironment } from './environment.ts'
import { type Figure, ratios } from './figures.ts'
import { installationWithInvoices, measure, type Server, type Size, startServer, warmUp } from './http.ts'
import { invoiceBody } from './http-tape.ts'

/** One, 32 and 128 connections: what batching concurrent creates gains, and that it costs a single request little. */
const loads = [
  { connections: 1, least: 0.7 },
  { connections: 32, least: 1.2 },
  { connections: 128, least: 1.5 },
] as const

export async function benchWrites(
  environment: BenchEnvironment,
  { rounds, seconds, small }: Size,
): Promise<Figure[]> {
  const prepared = await installationWithInvoices(environment, small ? 2_000 : 10_000)
  const full = await startServer(environment, 'full', prepared)
  const bare = await startServer(environment, 'bare', prepared)
  for (const server of [bare, full]) await warmUp(server, 'POST', small ? 1 : 15_000)
  const figures: Figure[] = []
  for (const { connections, least } of loads) {
    const seen = { bare: [] as number[], full: [] as number[], p99: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      seen.bare.push((await measure(bare, 'POST', seconds, connections)).perSecond)
      const { perSecond, p99Ms } = await measure(full, 'POST', seconds, connections)
      seen.full.push(perSecond)
      seen.p99.push(p99Ms)
    }
    const name = `POST, ${connections} connections`
    figures.push(
      { name: `${name}, bare`, unit: 'requests/s', values: seen.bare },
      { name: `${name}, full`, unit: 'requests/s', values: seen.full },
      { name: `${name}, full p99`, unit: 'ms', values: seen.p99 },
      { name: `${name}, full / bare`, unit: '', values: ratios(seen.full, seen.bare), target: { least } },
    )
  }
  return [
    ...figures,
    ...(await bulkAgainstSingle(full, rounds, seconds)),
    ...(await counting(full, rounds, seconds)),
  ]
}

let bulks = 0

async function bulk(server: Server, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000
  let imported = 0
  const one = async () => {
    while (performance.now() < until) {
      const series = `B${process.pid}${Date.now()}${++bulks}`
      const invoices = Array.from({ length: 100 }, (_, i) => JSON.parse(invoiceBody(`${series}-${i}`)))
      const response = await fetch(`http://127.0.0.1:${server.port}/api/v1/invoices/bulk`, {
        method: 'POST',
        headers: {
          'x-api-key': server.installation.company.productionKey,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ invoices }),
      })
      const { data } = (await response.json()) as { data?: { imported: number } }
      if (data?.imported !== 100) throw new Error(`bulk answered ${response.status}`)
      imported += data.imported
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: 4 }, one))
  return imported / ((performance.now() - startedAt) / 1000)
}

async function bulkAgainstSingle(full: Server, rounds: number, seconds: number): Promise<Figure[]> {
  const [single, many]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    single.push((await measure(full, 'POST', seconds, 1)).perSecond)
    many.push(await bulk(full, seconds))
  }
  return [
    { name: 'single creates, one after another', unit: 'invoices/s', values: single },
    { name: 'bulk of 100', unit: 'invoices/s', values: many },
    { name: 'bulk / single', unit: '', values: ratios(many, single), target: { least: 6 } },
  ]
}

async function counting(full: Server, rounds: number, seconds: number): Promise<Figure[]> {
  const triggers = (verb: 'enable' | 'disable') =>
    asAdmin(full.installation.database.adminUrl, async client => {
      await client.query(`alter table invoices ${verb} trigger count_new_invoices`)
      await client.query(`alter table debtors ${verb} trigger count_new_debtors`)
    })
  const [counted, uncounted]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    counted.push(await bulk(full, seconds))
    await triggers('disable')
    uncounted.push(await bulk(full, seconds))
    await triggers('enable')
  }
  return [
    { name: 'bulk without counting', unit: 'invoices/s', values: uncounted },
    { name: 'with counting / without', unit: '', values: ratios(counted, uncounted), target: { least: 0.9 } },
  ]
}
