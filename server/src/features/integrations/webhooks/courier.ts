import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../kit/clock.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { egress, type TenantClient } from '../../../kit/egress/egress.ts'
import type { Log } from '../../../kit/log.ts'
import type { Metrics } from '../../platform/metrics.ts'

/** The world of whoever brings events to webhooks. Its connections are its own: nobody's reminder waits behind a delivery. */
export interface Courier {
  readonly pool: Pool
  readonly clock: Clock
  readonly newId: () => string
  readonly keyring: Keyring
  readonly clients: Clients
  /** Longer than a round of requests and its transaction: whoever holds an endpoint and is silent for so long has died. */
  readonly leaseMs: number
  readonly log: Log
  readonly metrics: Metrics
}

export interface Clients {
  for(webhookId: string): Pick<TenantClient, 'request'>
  close(): Promise<void>
}

/** How many requests one endpoint gets at the same time. */
export const atOnce = 8

/**
 * One client per endpoint, never one for all, and never one per host: an endpoint that hangs uses up its own connections and
 * nobody else's, not even those of a neighbour on the same host. Kept for a while, for the sake of their connections.
 */
export function clientPerEndpoint(testAllow: readonly string[]): Clients {
  const closing = new Set<Promise<void>>()
  const close = (client: TenantClient) => {
    const closed = client.close().finally(() => closing.delete(closed))
    closing.add(closed)
  }
  const known = new LRUCache<string, TenantClient>({
    max: 500,
    ttl: 120_000,
    updateAgeOnGet: true,
    ttlAutopurge: false,
    dispose: close,
  })
  return {
    for(webhookId) {
      let client = known.get(webhookId)
      if (!client) {
        client = egress({ profile: 'tenant', testAllow, connections: atOnce })
        known.set(webhookId, client)
      }
      return client
    },
    async close() {
      known.clear()
      await Promise.all(closing)
    },
  }
}
