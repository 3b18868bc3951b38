import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Pool } from './db/pool.ts'

export interface Metrics {
  readonly registry: Registry
  readonly requests: Histogram<'operation' | 'status'>
  readonly sends: Counter<'channel' | 'outcome'>
  readonly armed: Counter<'reason'>
  readonly deliveries: Counter<'outcome'>
  readonly deliverySeconds: Histogram
  readonly armerPass: Histogram
  readonly scores: Counter<'because'>
  readonly limiterSoft: Counter
  readonly assistantTurns: Histogram<'outcome'>
  readonly assistantTools: Counter<'operation'>
  readonly assistantTokens: Counter<'direction'>
  readonly assistantCost: Counter
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    requests: new Histogram({
      name: 'relance_request_seconds',
      help: 'Requests answered',
      labelNames: ['operation', 'status'],
      registers,
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    }),
    sends: new Counter({
      name: 'relance_sends_total',
      help: 'Messages settled, by fate',
      labelNames: ['channel', 'outcome'],
      registers,
    }),
    armed: new Counter({
      name: 'relance_armed_total',
      help: 'Wake-ups handed over, by reason',
      labelNames: ['reason'],
      registers,
    }),
    deliveries: new Counter({
      name: 'relance_deliveries_total',
      help: 'Attempts to deliver an event to a webhook, by outcome; `ours` are faults on this side',
      labelNames: ['outcome'],
      registers,
    }),
    deliverySeconds: new Histogram({
      name: 'relance_delivery_seconds',
      help: 'How long receivers take to answer',
      registers,
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10],
    }),
    armerPass: new Histogram({
      name: 'relance_armer_pass_seconds',
      help: 'Passes of the armer, from the first query to the last mark',
      registers,
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    }),
    scores: new Counter({
      name: 'relance_scores_total',
      help: 'Risk scores worked out in the background: because something changed, or by the nightly walk',
      labelNames: ['because'],
      registers,
    }),
    limiterSoft: new Counter({
      name: 'relance_limiter_soft_total',
      help: 'Requests limited without Redis',
      registers,
    }),
    assistantTurns: new Histogram({
      name: 'relance_assistant_turn_seconds',
      help: 'Turns of the assistant, by what came of them',
      labelNames: ['outcome'],
      registers,
      buckets: [0.1, 0.5, 1, 2.5, 5, 10, 20, 40, 60],
    }),
    assistantTools: new Counter({
      name: 'relance_assistant_tools_total',
      help: 'Operations the assistant used, rehearsals not counted',
      labelNames: ['operation'],
      registers,
    }),
    assistantTokens: new Counter({
      name: 'relance_assistant_tokens_total',
      help: 'Tokens told to the model and by it',
      labelNames: ['direction'],
      registers,
    }),
    assistantCost: new Counter({
      name: 'relance_assistant_cost_total',
      help: 'What they cost by the configured prices, in the currency of those',
      registers,
    }),
  }
}

export function watchPool(metrics: Metrics, role: string, pool: Pool): void {
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

/** A figure asked of the database when it is scraped, not on anybody's path. */
export function watchQuery(metrics: Metrics, name: string, help: string, ask: () => Promise<number>): void {
  new Gauge({
    name,
    help,
    registers: [metrics.registry],
    async collect() {
      // A database that does not answer shows as a missing figure, not as a failing scrape.
      this.set(await ask().catch(() => Number.NaN))
    },
  })
}

export async function serveMetrics(metrics: Metrics, port: number, host: string): Promise<Server> {
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
