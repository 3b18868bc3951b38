import type { Clock } from '../clock.ts'
import type { Keyring } from '../crypto.ts'
import type { Pool } from '../db/pool.ts'
import type { Entry } from '../db/transaction.ts'
import type { Log } from '../log.ts'
import type { HttpMetrics } from '../metrics.ts'
import type { Model } from '../model.ts'
import type { Actor, Environment, ExternalServices, Operation } from '../operation.ts'
import type { BodySettings } from './body.ts'
import type { Allowance, Limiter } from './limits.ts'

/** The result of authentication: the actor, its allowance, and how each transaction checks the credential again. */
export interface Principal {
  readonly actor: Actor
  readonly allowance: Allowance
  /** Requests with the same key have the same credential and tenant; only those may be batched together. */
  readonly queueKey: string
  entry(wall: number): Entry
}

export interface HttpContext {
  readonly operations: readonly Operation[]
  readonly pool: Pool
  readonly clock: Clock
  /** A new id for the given time. */
  readonly newId: (wall: number) => string
  readonly keyring: Keyring
  readonly external: ExternalServices
  readonly limiter: Limiter
  readonly anonymousAllowance: Allowance
  readonly log: Log
  readonly metrics: HttpMetrics
  readonly docsUrl: string
  readonly publicUrl: string
  readonly model: Model | null
  readonly requireHttps: boolean
  readonly trustedProxies: readonly string[]
  /** The host name of each environment, in small letters. Without them one host serves both. */
  readonly hosts?: Readonly<Record<Environment, string>> | undefined
  readonly bodySettings?: BodySettings | undefined
  readonly tls?: { certFile: string; keyFile: string } | undefined
  /** When maintenance ends, or null when there is none. */
  maintenanceUntil(): number | null
  authenticate(
    headers: Record<string, string | string[] | undefined>,
    address: string,
    wall: number,
  ): Promise<Principal>
  /** Called when a transaction found that a cached credential is no longer valid. */
  forget(actor: Actor): void
}
