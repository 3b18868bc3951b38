import type { FastifyInstance } from 'fastify'
import { ApiError } from '../errors.ts'

/** An operation that will end. */
export interface Retirement {
  /** When it was announced and when it ends, at least twelve months later; epoch milliseconds. */
  readonly deprecatedAt: number
  readonly sunsetAt: number
  readonly successor: `/${string}`
}

/** By the id of the operation. */
export type Retirements = Readonly<Record<string, Retirement>>

/** Announces it in every answer (RFC 9745, RFC 8594), and answers SYS_003 after the sunset. Registered before the other hooks. */
export function addRetirements(app: FastifyInstance, retirements: Retirements): void {
  app.addHook('onRequest', async (request, reply) => {
    const retired = retirements[request.routeOptions.config.operation?.id ?? '']
    if (!retired) return
    reply.header('deprecation', `@${Math.floor(retired.deprecatedAt / 1000)}`)
    reply.header('sunset', new Date(retired.sunsetAt).toUTCString())
    reply.header('link', `<${retired.successor}>; rel="successor-version"`)
  })
  // After all checks of the request, so that a stranger learns nothing.
  app.addHook('preParsing', async request => {
    const retired = retirements[request.routeOptions.config.operation?.id ?? '']
    if (retired && retired.sunsetAt <= request.startedAt)
      throw new ApiError('SYS_003', `This endpoint was retired; use ${retired.successor} instead.`)
  })
}
