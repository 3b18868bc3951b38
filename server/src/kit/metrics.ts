import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Pool } from './db/pool.ts'

/** What the HTTP layer counts. A product adds its own figures to the same registry. */
export interface HttpMetrics {
  readonly registry: Registry
  readonly requests: Histogram<'operation' | 'status'>
  readonly limiterFallback: Counter
}

export function createHttpMetrics(): HttpMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    requests: new Histogram({
      name: 'relance_request_seconds',
      help: 'Duration of answered requests',
      labelNames: ['operation', 'status'],
      registers,
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    }),
    limiterFallback: new Counter({
      name: 'relance_limiter_fallback_total',
      help: 'Requests limited in memory because Redis did not answer',
      registers,
    }),
  }
}

type Registered = Pick<HttpMetrics, 'registry'>

export function watchPool(metrics: Registered, role: string, pool: Pool): void {
  const registers = [metrics.registry]
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `relance_${role}_pool_${name}`,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('connections', 'Connections open', () => pool.totalCount)
  gauge('idle', 'Connections idle', () => pool.idleCount)
  gauge('waiting', 'Callers waiting for a connection', () => pool.waitingCount)
}

/** A gauge that is read from the database when metrics are scraped, so no request waits for it. */
export function watchQuery(
  metrics: Registered,
  name: string,
  help: string,
  readValue: () => Promise<number>,
): void {
  new Gauge({
    name,
    help,
    registers: [metrics.registry],
    async collect() {
      // If the database does not answer, the value is NaN and the scrape still succeeds.
      this.set(await readValue().catch(() => Number.NaN))
    },
  })
}

export async function serveMetrics(metrics: Registered, port: number, host: string): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    metrics.registry.metrics().then(
      text => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>(resolve => server.listen(port, host, resolve))
  return server
}
