import type { FastifyRequest } from 'fastify'
import type { Actor, Environment } from '../actor.ts'
import type { Clock } from '../clock.ts'
import type { Keyring } from '../crypto.ts'
import type { Pool } from '../db/pool.ts'
import type { Entry, Tx } from '../db/transaction.ts'
import type { ApiError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { HttpMetrics } from '../metrics.ts'
import type { Model } from '../model.ts'
import type { ExternalServices, Operation } from '../operation.ts'
import type { BodySettings } from './body.ts'
import type { Allowance, Limiter } from './limits.ts'
import type { Retirements } from './retirements.ts'

/** Whose requests are counted together, and their limits. */
export interface Caller {
  /** Keys and tokens are counted by their tenant, people one by one. */
  readonly subject: string
  readonly allowance: Allowance
}

/** The result of authentication: the actor, its allowance, and how each transaction checks the credential again. */
export interface Principal extends Caller {
  readonly actor: Actor
  /** Requests with the same key have the same credential and tenant; only those may be batched together. */
  readonly queueKey: string
  /** The hash under which the session of a person is stored; other callers have none. */
  readonly sessionHash?: Buffer
  entry(wall: number): Entry
}

/** A known caller whose request is refused: the request still counts against the caller's limits. */
export interface RefusedCaller extends Caller {
  readonly refusal: ApiError
}

/** What an id is the id of, and the path by which that is read. */
export interface IdKind {
  readonly what: string
  readonly path: string
}

export interface HttpContext {
  readonly operations: readonly Operation[]
  /** The operations that will end, or have ended. */
  readonly retirements?: Retirements
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
  /** By a key or a token; a cookie is never read. */
  authenticate(
    headers: Record<string, string | string[] | undefined>,
    address: string,
    wall: number,
  ): Promise<Principal>
  /** By the cookie of a session; a key or a token is never read. */
  authenticatePerson(request: FastifyRequest): Promise<Principal | RefusedCaller>
  /** What something of the tenant with this id is; a refusal says it. */
  readonly kindOfId?: (tx: Tx, id: string) => Promise<IdKind | undefined>
  /** Called when a transaction found that a cached credential is no longer valid. */
  forget(actor: Actor): void
}
