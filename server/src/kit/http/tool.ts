import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { type Actor, type Operation, scopesLacking } from '../operation.ts'
import type { Tool, ToolAnswer, ToolOptions } from '../tool.ts'
import { callInside } from './inside.ts'
import { inputOf, type Places, usualRows } from './tool-schema.ts'
import { validateParams } from './validate.ts'

const placesOf = new WeakMap<Tool, Places>()

/** A secret nobody can ask for again has no business in a conversation, and a file is nothing a model reads. */
const canBeTool = ({ assistant, produces, shownOnce }: Operation) =>
  assistant !== 'never' && produces === undefined && shownOnce === undefined

function toolOf(operation: Operation): Tool {
  const { id, summary, description, assistant } = operation
  const { inputSchema, places } = inputOf(operation)
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

/** What this caller can use. Whether it still may is judged at the call, like any request of theirs. */
export const toolsFor = (tools: readonly Tool[], actor: Actor): readonly Tool[] =>
  tools.filter(
    ({ operation }) =>
      scopesLacking(operation, actor.scopes).length === 0 &&
      (operation.environment === undefined || operation.environment === actor.environment),
  )

const credentialHeaders = ['x-api-key', 'authorization', 'x-company-id'] as const

/** Who asks, as their own request said it: nothing a tool does can be more than they could do themselves. */
export interface Asker {
  readonly headers: { readonly [name in (typeof credentialHeaders)[number]]?: string }
  readonly ip: string
  readonly requestId: string
}

export const askerOf = ({ headers, ip, id }: FastifyRequest): Asker => ({
  headers: Object.fromEntries(
    credentialHeaders.flatMap(name => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  ),
  ip,
  requestId: id,
})

/**
 * Runs it as the asker, through the whole front door: authentication, limits, scopes, validation, idempotency. Arguments in
 * the wrong shape are refused, never thrown: the words are for a model that may try again.
 */
export async function useTool(
  app: FastifyInstance,
  asker: Asker,
  tool: Tool,
  args: unknown,
  options: ToolOptions = {},
): Promise<ToolAnswer> {
  const { operation } = tool
  const { idempotencyKey, dryRun = false, isPaid = false, conversationId } = options
  let asked: ToolRequest
  try {
    asked = requestOf(tool, args, dryRun)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return refused(error, asker.requestId)
  }
  const answer = await callInside({ operation, isPaid, conversationId }, () =>
    app.inject({
      method: operation.method,
      url: asked.url,
      headers: {
        ...asker.headers,
        'x-request-id': asker.requestId,
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(asked.body !== undefined && { 'content-type': 'application/json' }),
      },
      remoteAddress: asker.ip,
      ...(asked.body !== undefined && { payload: asked.body }),
    }),
  )
  const body = answer.payload === '' ? null : JSON.parse(answer.payload)
  const next = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(String(answer.headers.link))?.[1]
  if (next !== undefined) body.pagination.nextCursor = decodeURIComponent(next)
  return { status: answer.statusCode, body }
}

const refused = ({ status, code, message, extras }: ApiError, requestId: string): ToolAnswer => ({
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

/** The request behind a call. What the operation does not know goes where the API will say so. */
export function requestOf(tool: Tool, args: unknown, dryRun = false): ToolRequest {
  const { operation } = tool
  const places = placesOf.get(tool)!
  const given = Object.entries(argumentsIn(args)).filter(([name]) => !dryRun || name !== 'dryRun')
  const unknownGoes = operation.body ? 'body' : 'query'
  const placed = Map.groupBy(given, ([name]) =>
    places.path.has(name) ? 'path' : places.query.has(name) ? 'query' : unknownGoes,
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

function argumentsIn(args: unknown): object {
  if (args === undefined || args === null) return {}
  if (typeof args !== 'object' || Array.isArray(args))
    throw new ApiError('VAL_001', 'The arguments must be one JSON object.')
  return args
}

type Given = readonly (readonly [name: string, value: unknown])[]

function pathOf({ path, params }: Operation, given: Given): string {
  const values = Object.fromEntries(given)
  // Judged before it is part of an address: afterwards it could already be another one.
  if (params) validateParams(params, values)
  return path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => segment(name, values[name]))
}

function segment(name: string, value: unknown): string {
  const isSafe = typeof value === 'string' && value.isWellFormed() && !/^\.{0,2}$/.test(value)
  if (!isSafe) throw faulty('VAL_004', name, 'cannot be part of an address')
  return encodeURIComponent(value)
}

function queryOf(places: Places, given: Given): string {
  const query = new URLSearchParams()
  for (const [name, value] of given) {
    if (value === null || value === undefined) continue
    if (typeof value === 'object') throw faulty('VAL_002', name, 'must be a text, a number or a boolean')
    query.append(name, String(value))
  }
  if (places.query.has('limit') && !query.has('limit')) query.set('limit', String(usualRows))
  return query.size > 0 ? `?${query}` : ''
}

const faulty = (code: 'VAL_002' | 'VAL_004', field: string, message: string) =>
  new ApiError(code, `${field} ${message}.`, { details: [{ field, code: 'invalid', message }] })
