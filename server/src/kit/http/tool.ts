import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Actor } from '../actor.ts'
import type { Endpoint } from '../endpoint.ts'
import { ApiError } from '../errors.ts'
import { mayDo } from '../may-do.ts'
import { fileTypeOf, type Operation } from '../operation.ts'
import type { Tool, ToolOptions, ToolResult } from '../tool.ts'
import { type Door, doorPrefixes } from './door.ts'
import { callInternally } from './internal-request.ts'
import { type ArgumentPlaces, defaultRows, toolInputOf } from './tool-schema.ts'
import { validateParams } from './validate.ts'

const placesOf = new WeakMap<Tool, ArgumentPlaces>()

/** Operations that reply with a secret or a file are no tools. */
const canBeTool = (operation: Operation) =>
  operation.assistant !== 'never' &&
  fileTypeOf(operation) === null &&
  operation.secret?.shownOnce === undefined

function toolOf(operation: Operation): Tool {
  const { id, summary, description, assistant } = operation
  const { inputSchema, places } = toolInputOf(operation)
  const tool: Tool = {
    name: id.replaceAll('.', '_'),
    operation,
    description: description ? `${summary}. ${description}` : `${summary}.`,
    inputSchema,
    isRead: assistant === 'read',
  }
  placesOf.set(tool, places)
  return tool
}

/** In the order of the catalogue. */
export const toolsOf = (operations: readonly Operation[]): readonly Tool[] =>
  operations.filter(canBeTool).map(toolOf)

/** The tools this caller can use. Each call is authorised again, like any other request. */
export const toolsFor = (tools: readonly Tool[], actor: Actor): readonly Tool[] =>
  tools.filter(
    ({ operation }) =>
      mayDo(operation, actor, null).allowed &&
      (operation.environment === undefined || operation.environment === actor.environment),
  )

/** The headers that a tool call takes over from the outer request. */
const callerHeaders: Readonly<Record<Door, readonly string[]>> = {
  api: ['x-api-key', 'authorization', 'x-company-id', 'user-agent'],
  console: [
    'cookie',
    'x-csrf-token',
    'origin',
    'sec-fetch-site',
    'x-company-id',
    'x-environment',
    'user-agent',
  ],
}

/** The credential, address and user agent of the outer request: a tool call can do no more than its caller. */
export interface ToolCaller {
  readonly door: Door
  readonly headers: Readonly<Record<string, string>>
  readonly ip: string
  readonly requestId: string
}

export function toolCallerOf({ headers, ip, id, routeOptions }: FastifyRequest): ToolCaller {
  const { door = 'api' } = routeOptions.config
  const copied = callerHeaders[door].flatMap(name =>
    headers[name] === undefined ? [] : [[name, String(headers[name])]],
  )
  return { door, headers: Object.fromEntries(copied), ip, requestId: id }
}

/**
 * Runs the tool as an internal request of the caller, with all checks: authentication, limits, scopes, validation, idempotency.
 * Invalid arguments give an error result and are never thrown, so that a model can correct them.
 */
export async function useTool(
  app: FastifyInstance,
  caller: ToolCaller,
  tool: Tool,
  args: unknown,
  options: ToolOptions = {},
): Promise<ToolResult> {
  const { operation } = tool
  const { idempotencyKey, dryRun = false, isPaid: isAlreadyCounted = false, conversationId } = options
  let request: ToolRequest
  try {
    request = requestOf(tool, args, dryRun)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return refusalOf(error, caller.requestId)
  }
  const answer = await callInternally({ operation, isAlreadyCounted, conversationId }, () =>
    app.inject({
      method: operation.method,
      url: doorPrefixes[caller.door] + request.url,
      headers: {
        ...caller.headers,
        'x-request-id': caller.requestId,
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
      },
      remoteAddress: caller.ip,
      ...(request.body !== undefined && { payload: request.body }),
    }),
  )
  const body = answer.payload === '' ? null : JSON.parse(answer.payload)
  return { status: answer.statusCode, body }
}

const refusalOf = ({ status, code, message, extras }: ApiError, requestId: string): ToolResult => ({
  status,
  body: {
    success: false,
    error: { code, message, ...(extras.details && { details: extras.details }) },
    requestId,
  },
})

export interface ToolRequest {
  readonly url: string
  readonly body: string | undefined
}

/** The HTTP request for a tool call. Unknown arguments are sent too, so that validation names them. */
export function requestOf(tool: Tool, args: unknown, dryRun = false): ToolRequest {
  const { operation } = tool
  const places = placesOf.get(tool)!
  const entries = Object.entries(readArguments(args)).filter(([name]) => !dryRun || name !== 'dryRun')
  const unknownPlace = operation.body ? 'body' : 'query'
  const placed = Map.groupBy(entries, ([name]) =>
    places.path.has(name) ? 'path' : places.query.has(name) ? 'query' : unknownPlace,
  )
  const body = placed.get('body') ?? []
  if (dryRun) {
    if (!places.body.has('dryRun')) throw new ApiError('VAL_001', `${tool.name} cannot be rehearsed.`)
    body.push(['dryRun', true])
  }
  return {
    url: pathOf(operation, placed.get('path') ?? []) + queryOf(places, placed.get('query') ?? []),
    body: operation.body && JSON.stringify(Object.fromEntries(body)),
  }
}

function readArguments(args: unknown): object {
  if (args === undefined || args === null) return {}
  if (typeof args !== 'object' || Array.isArray(args))
    throw new ApiError('VAL_001', 'The arguments must be one JSON object.')
  return args
}

type ArgumentEntries = readonly (readonly [name: string, value: unknown])[]

function pathOf({ path, params }: Endpoint, entries: ArgumentEntries): string {
  const values = Object.fromEntries(entries)
  // Validated before it becomes part of the URL, where it could change the path.
  if (params) validateParams(params, values)
  return path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => pathSegment(name, values[name]))
}

function pathSegment(name: string, value: unknown): string {
  const isSafe = typeof value === 'string' && value.isWellFormed() && !/^\.{0,2}$/.test(value)
  if (!isSafe) throw invalidArgument('VAL_004', name, 'cannot be part of an address')
  return encodeURIComponent(value)
}

function queryOf(places: ArgumentPlaces, entries: ArgumentEntries): string {
  const query = new URLSearchParams()
  for (const [name, value] of entries) {
    if (value === null || value === undefined) continue
    if (typeof value === 'object')
      throw invalidArgument('VAL_002', name, 'must be a text, a number or a boolean')
    query.append(name, String(value))
  }
  if (places.query.has('limit') && !query.has('limit')) query.set('limit', String(defaultRows))
  return query.size > 0 ? `?${query}` : ''
}

const invalidArgument = (code: 'VAL_002' | 'VAL_004', field: string, message: string) =>
  new ApiError(code, `${field} ${message}.`, { details: [{ field, code: 'invalid', message }] })
