import { AsyncLocalStorage } from 'node:async_hooks'
import { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../endpoint.ts'

/** An internal request: made within the process on behalf of an authenticated request. */
export interface InternalRequest {
  /** The operation it is for; it is refused if it reaches another one. */
  readonly operation: Endpoint
  /** The outer request was already counted against the limits for it. */
  readonly isAlreadyCounted: boolean
  /** The conversation in which it was decided. */
  readonly conversationId?: string | undefined
}

const internalRequests = new AsyncLocalStorage<InternalRequest>()

export const callInternally = <T>(call: InternalRequest, work: () => PromiseLike<T>): Promise<T> =>
  // Awaited inside `run`: an injected request starts only when it is awaited.
  internalRequests.run(call, async () => await work())

/** A request that was read from a socket is never internal, whatever its headers say. */
export const internalRequestOf = (request: FastifyRequest): InternalRequest | null =>
  request.raw instanceof IncomingMessage ? null : (internalRequests.getStore() ?? null)
