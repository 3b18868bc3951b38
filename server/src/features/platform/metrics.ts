import { Counter, Histogram } from 'prom-client'
import { createHttpMetrics, type HttpMetrics } from '../../kit/metrics.ts'

/** The figures of the product, beside those of the HTTP layer. */
export interface Metrics extends HttpMetrics {
  readonly sends: Counter<'channel' | 'outcome'>
  readonly armed: Counter<'reason'>
  readonly deliveries: Counter<'outcome'>
  readonly deliverySeconds: Histogram
  readonly armerPass: Histogram
  readonly scores: Counter<'because'>
  readonly assistantTurns: Histogram<'outcome'>
  readonly assistantTools: Counter<'operation'>
  readonly assistantTokens: Counter<'direction'>
  readonly assistantCost: Counter
}

export function createMetrics(): Metrics {
  const http = createHttpMetrics()
  const registers = [http.registry]
  return {
    ...http,
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
