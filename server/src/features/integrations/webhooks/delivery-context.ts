import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../kit/clock.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { egress, type TenantClient } from '../../../kit/egress/egress.ts'
import type { Log } from '../../../kit/log.ts'
import type { Metrics } from '../../platform/metrics.ts'

/** The dependencies of webhook delivery. It has its own connection pool, so that reminders never wait for deliveries. */
export interface DeliveryContext {
  readonly pool: Pool
  readonly clock: Clock
  readonly newId: () => string
  readonly keyring: Keyring
  readonly clients: EndpointClients
  /** Longer than a round of requests with its transaction; after that the worker is considered dead. */
  readonly leaseMs: number
  readonly log: Log
  readonly metrics: Metrics
}

export interface EndpointClients {
  for(webhookId: string): Pick<TenantClient, 'request'>
  close(): Promise<void>
}

/** The most requests to one endpoint at the same time. */
export const requestsPerEndpoint = 8

/**
 * One HTTP client per endpoint, never one per host: an endpoint that hangs uses up only its own connections. Clients are cached
 * for a while, so that connections are reused.
 */
export function clientPerEndpoint(testAllow: readonly string[]): EndpointClients {
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
        client = egress({ profile: 'tenant', testAllow, connections: requestsPerEndpoint })
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
