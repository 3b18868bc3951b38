import type { BenchEnvironment } from './environment.ts'
import { type Figure, ratios } from './figures.ts'
import { installationWithInvoices, measure, type Size, startServer, warmUp } from './http.ts'

const sizes = [10_000, 1_000_000] as const

/** The same requests to two databases: does the millionth invoice cost more than the ten-thousandth? */
export async function benchScale(
  environment: BenchEnvironment,
  { rounds, seconds }: Size,
): Promise<Figure[]> {
  const servers = []
  for (const count of sizes) {
    const startedAt = performance.now()
    const prepared = await installationWithInvoices(environment, count)
    const took = (performance.now() - startedAt) / 1000
    console.log(`scale: ${count.toLocaleString('en')} invoices loaded in ${took.toFixed(0)} s`)
    servers.push(await startServer(environment, 'full', prepared))
  }
  const [small, large] = servers as [(typeof servers)[number], (typeof servers)[number]]
  const figures: Figure[] = []
  for (const verb of ['GET', 'POST'] as const) {
    for (const server of servers) await warmUp(server, verb)
    const few: number[] = []
    const many: number[] = []
    for (let round = 0; round < rounds; round++) {
      few.push((await measure(small, verb, seconds)).perSecond)
      many.push((await measure(large, verb, seconds)).perSecond)
    }
    figures.push(
      { name: `${verb} at 10,000`, unit: 'requests/s', values: few },
      { name: `${verb} at 1,000,000`, unit: 'requests/s', values: many },
      {
        name: `${verb} time at 1,000,000 / at 10,000`,
        unit: '',
        values: ratios(few, many),
        target: { most: 1.2 },
      },
    )
  }
  return figures
}
