import { Counter, Gauge, Histogram } from 'prom-client'
import { createHttpMetrics, type HttpMetrics } from '../../kit/metrics.ts'

/** The figures of the product, in addition to those of the HTTP layer. */
export interface Metrics extends HttpMetrics {
  readonly sends: Counter<'channel' | 'outcome'>
  readonly sendLateness: Histogram<'channel'>
  readonly providerCall: Histogram<'channel' | 'provider'>
  readonly taken: Counter<'reason'>
  readonly tasksFailed: Counter
  readonly poisonedItems: Counter
  readonly deliveries: Counter<'outcome'>
  readonly deliverySeconds: Histogram
  readonly takePass: Histogram
  readonly scores: Counter<'because'>
  readonly nights: Counter<'outcome'>
  readonly assistantTurns: Histogram<'outcome'>
  readonly assistantTools: Counter<'operation'>
  readonly assistantTokens: Counter<'direction'>
  readonly assistantCost: Counter
  readonly clockDifference: Gauge
  readonly liveConnections: Gauge
  readonly livePolls: Counter<'outcome'>
}

export function createMetrics(): Metrics {
  const http = createHttpMetrics()
  const registers = [http.registry]
  return {
    ...http,
    sends: new Counter({
      name: 'relance_sends_total',
      help: 'Messages settled, by outcome; sandboxes not counted',
      labelNames: ['channel', 'outcome'],
      registers,
    }),
    sendLateness: new Histogram({
      name: 'relance_send_lateness_seconds',
      help: 'Time from the moment a step was due, as it was last judged, until the provider accepted its message; of a message about several invoices, that of the invoice it was sent for; sandboxes not counted',
      labelNames: ['channel'],
      registers,
      buckets: [1, 5, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400, 86_400],
    }),
    providerCall: new Histogram({
      name: 'relance_provider_call_seconds',
      help: 'Duration of a send, or of the question about a lost one, at a provider; sandboxes not counted',
      labelNames: ['channel', 'provider'],
      registers,
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60],
    }),
    taken: new Counter({
      name: 'relance_taken_total',
      help: 'Wake-ups that were due, and messages without a sender (lost), that this worker took',
      labelNames: ['reason'],
      registers,
    }),
    tasksFailed: new Counter({
      name: 'relance_tasks_failed_total',
      help: 'Wake-ups and sends that failed by a fault of ours; each is retried, and logged as `task failed`',
      registers,
    }),
    poisonedItems: new Counter({
      name: 'relance_task_items_poisoned_total',
      help: 'Items of tasks that failed three times by a fault of ours and were refused; each is logged with its invoice',
      registers,
    }),
    deliveries: new Counter({
      name: 'relance_deliveries_total',
      help: 'Attempts to deliver an event to a webhook, by outcome; `ours` means a fault on our side',
      labelNames: ['outcome'],
      registers,
    }),
    deliverySeconds: new Histogram({
      name: 'relance_delivery_seconds',
      help: 'Response time of webhook receivers',
      registers,
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10],
    }),
    takePass: new Histogram({
      name: 'relance_take_pass_seconds',
      help: 'How long a look for due wake-ups takes, from the first query to the last update',
      registers,
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    }),
    scores: new Counter({
      name: 'relance_scores_total',
      help: 'Risk scores computed in the background, by reason: a change, or the nightly run',
      labelNames: ['because'],
      registers,
    }),
    nights: new Counter({
      name: 'relance_nights_total',
      help: 'Nights of tenants, by outcome: done, or failed, which is tried again',
      labelNames: ['outcome'],
      registers,
    }),
    assistantTurns: new Histogram({
      name: 'relance_assistant_turn_seconds',
      help: 'Duration of assistant turns, by outcome',
      labelNames: ['outcome'],
      registers,
      buckets: [0.1, 0.5, 1, 2.5, 5, 10, 20, 40, 60],
    }),
    assistantTools: new Counter({
      name: 'relance_assistant_tools_total',
      help: 'Operations the assistant called, dry runs not counted',
      labelNames: ['operation'],
      registers,
    }),
    assistantTokens: new Counter({
      name: 'relance_assistant_tokens_total',
      help: 'Tokens sent to the model (in) and received from it (out)',
      labelNames: ['direction'],
      registers,
    }),
    assistantCost: new Counter({
      name: 'relance_assistant_cost_total',
      help: 'Cost of the tokens at the configured prices, in the currency of those prices',
      registers,
    }),
    clockDifference: new Gauge({
      name: 'relance_clock_difference_seconds',
      help: 'How far the clock of this worker is ahead of the database’s; beyond 2 it sends nothing',
      registers,
    }),
    liveConnections: new Gauge({
      name: 'relance_live_connections',
      help: 'Open connections on which people are told what changed',
      registers,
    }),
    livePolls: new Counter({
      name: 'relance_live_polls_total',
      help: 'Polls for what changed in a tenant, by outcome; one that failed is repeated later',
      labelNames: ['outcome'],
      registers,
    }),
  }
}
