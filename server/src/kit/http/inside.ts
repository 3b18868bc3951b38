import { AsyncLocalStorage } from 'node:async_hooks'
import { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Operation } from '../operation.ts'

/** A request made within the process, on behalf of one that came from outside and was let in. */
export interface Inside {
  /** What is asked; it reaches this operation or none. */
  readonly operation: Operation
  /** The request it is asked for was counted as this one. */
  readonly isPaid: boolean
  /** The conversation in which it was decided. */
  readonly conversationId?: string | undefined
}

const calls = new AsyncLocalStorage<Inside>()

export const callInside = <T>(call: Inside, work: () => PromiseLike<T>): Promise<T> =>
  // Awaited in here: an injected request starts when somebody waits for it, and not before.
  calls.run(call, async () => await work())

/** Nothing a client writes can claim to be inside: what was read from a socket is not, whatever it says. */
export const insideOf = (request: FastifyRequest): Inside | null =>
  request.raw instanceof IncomingMessage ? null : (calls.getStore() ?? null)
