import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../actor.ts'
import { ApiError } from '../errors.ts'
import { networkOf } from '../ip-block.ts'
import type { BodyReader } from './body.ts'
import type { Caller, HttpContext } from './http-context.ts'
import { internalRequestOf } from './internal-request.ts'
import {
  checkRights,
  inMaintenance,
  onlyInSandbox,
  reservedToProduction,
  tooMany,
  trailingSlashRefusal,
  unservedPath,
  wrongHost,
} from './refusals.ts'
import type { RouteTable } from './route-table.ts'

interface Parts {
  routeTable: RouteTable
  bodies: BodyReader
}

/** Checks every request before its body is read: https, credential, limits, maintenance, path, rights. */
export const requestCheck =
  (context: HttpContext, { routeTable, bodies }: Parts) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.startedAt = context.clock.wall()
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    const { operation, door, open, guard } = request.routeOptions.config
    // Foreign pages must not embed content that a person reads with their cookie.
    if (door === 'console') reply.header('cross-origin-resource-policy', 'same-origin')
    const internal = internalRequestOf(request)
    request.internal = internal
    if (internal && internal.operation !== operation)
      throw new Error(
        `${internal.operation.id} was called internally, but ${request.method} ${request.url} was reached`,
      )
    // A load balancer checks our health over the internal network, in plain http.
    if (open) return showLimits(context, request, reply)
    if (hasBody(request)) reply.raw.once('close', () => bodies.release(request))
    // An internal request has no connection: the outer request was checked.
    if (context.requireHttps && !internal) {
      if (request.protocol !== 'https') {
        await showLimits(context, request, reply)
        throw new ApiError('VAL_004', 'Plain http is refused; use https.')
      }
      reply.header('strict-transport-security', 'max-age=63072000; includeSubDomains')
    }
    guard?.(request)
    // Authentication comes before the limits, although it queries the database: the credential decides whose limits apply.
    const found = await findCaller(context, request)
    await countRequest(context, request, reply, found)
    const maintenanceEnd = context.maintenanceUntil()
    if (maintenanceEnd !== null && maintenanceEnd > request.startedAt)
      throw inMaintenance(maintenanceEnd, request.startedAt)
    if (found.refused) throw found.refused
    if (request.is404) throw unservedPath(request, routeTable)
    const refusedPath = operation && trailingSlashRefusal(request, routeTable)
    if (refusedPath) throw refusedPath
    // People use both environments on the host of our pages, which their cookie belongs to.
    if (request.principal && door !== 'console')
      refuseWrongHost(context.hosts, request, request.principal.actor.environment)
    if (!operation || !request.principal) return
    const { actor } = request.principal
    if (operation.environment && operation.environment !== actor.environment)
      throw operation.environment === 'production' ? reservedToProduction() : onlyInSandbox(request)
    const conversationId = internal?.conversationId
    checkRights(
      operation,
      conversationId === undefined ? actor : { ...actor, conversationId },
      request.startedAt,
    )
  }

/** The caller, if known, and why the credential is refused, if it is. */
interface Found {
  caller: Caller | null
  refused: unknown
}

async function findCaller(context: HttpContext, request: FastifyRequest): Promise<Found> {
  const { operation, door, identify, requiresCredential } = request.routeOptions.config
  try {
    if (identify) return { caller: await identify(request), refused: null }
    if (door === 'console') {
      const found = await context.authenticatePerson(request)
      if ('refusal' in found) return { caller: found, refused: found.refusal }
      request.principal = found
      return { caller: found, refused: null }
    }
    if (!operation && !requiresCredential) return { caller: null, refused: null }
    request.principal = await context.authenticate(request.headers, request.ip, request.startedAt)
    return { caller: request.principal, refused: null }
  } catch (error) {
    return { caller: null, refused: error }
  }
}

/** Requests without a valid credential are counted by address, so that guessing keys is slow. */
const byAddress = ({ anonymousAllowance }: HttpContext, { ip }: FastifyRequest) =>
  [`address:${networkOf(ip)}`, anonymousAllowance] as const

async function showLimits(context: HttpContext, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers(await context.limiter.look(...byAddress(context, request), request.startedAt))
}

/** Counts the request against the limits of its caller, and refuses it beyond them. */
async function countRequest(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { caller, refused }: Found,
): Promise<void> {
  const { identify, unlimited } = request.routeOptions.config
  const { internal, startedAt } = request
  if (unlimited || (identify && !caller && refused === null)) return showLimits(context, request, reply)
  if (internal?.isAlreadyCounted) return
  const [subject, allowance] = caller ? [caller.subject, caller.allowance] : byAddress(context, request)
  // Not counted by request id: the client chooses it, and requests with the same id would count as one.
  const admission = await context.limiter.admit(
    subject,
    context.newId(startedAt),
    internal ? { ...allowance, inFlight: Number.MAX_SAFE_INTEGER } : allowance,
    startedAt,
  )
  reply.headers(admission.headers)
  if (admission.refusedBy) throw tooMany(admission)
  // The outer request is already counted as concurrent; counting the internal one too would block a caller with one slot.
  if (internal) admission.release()
  else request.admission = admission
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function refuseWrongHost(
  hosts: HttpContext['hosts'],
  { hostname }: FastifyRequest,
  environment: Environment,
): void {
  const other = environment === 'production' ? 'sandbox' : 'production'
  if (hosts && hostname.toLowerCase() === hosts[other]) throw wrongHost(environment, hosts[environment])
}
