import type { Clock } from '../clock.ts'
import type { Keyring } from '../crypto.ts'
import type { Pool } from '../db/pool.ts'
import type { Entry } from '../db/transaction.ts'
import type { Log } from '../log.ts'
import type { HttpMetrics } from '../metrics.ts'
import type { Model } from '../model.ts'
import type { Actor, Operation, Outside } from '../operation.ts'
import type { Allowance, Limiter } from './limits.ts'

/** What authentication yields: who calls, what it may do, and how its transactions prove that it still may. */
export interface Principal {
  readonly actor: Actor
  readonly allowance: Allowance
  /** Requests with the same credential in the same tenant: they may travel together, and nobody else with them. */
  readonly lane: string
  entry(wall: number): Entry
}

export interface Edge {
  readonly operations: readonly Operation[]
  readonly pool: Pool
  readonly clock: Clock
  /** An id of the given moment. */
  readonly newId: (wall: number) => string
  readonly keyring: Keyring
  readonly outside: Outside
  readonly limiter: Limiter
  readonly strangers: Allowance
  readonly log: Log
  readonly metrics: HttpMetrics
  readonly docsUrl: string
  readonly publicUrl: string
  readonly model: Model | null
  readonly requireHttps: boolean
  readonly trustedProxies: readonly string[]
  readonly tls?: { certFile: string; keyFile: string } | undefined
  /** The moment maintenance ends, or null when there is none. */
  maintenanceUntil(): number | null
  authenticate(
    headers: Record<string, string | string[] | undefined>,
    address: string,
    wall: number,
  ): Promise<Principal>
  /** Called when a transaction found that a cached credential no longer stands. */
  forget(actor: Actor): void
}
