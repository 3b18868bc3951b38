import { randomUUIDv7 } from 'node:crypto'
import { beforeAll, expect } from 'vitest'
import openApi from '../../openapi.json' with { type: 'json' }
import { lookupOf, maskKey, newKey } from '../../src/features/access/api-keys/key-format.ts'
import type { CreatedCompany } from '../../src/features/access/companies/create-company.ts'
import type { Environment, Scope } from '../../src/kit/actor.ts'
import { keyring } from '../../src/kit/crypto.ts'
import { type ErrorCode, errorStatuses } from '../../src/kit/errors.ts'
import { fileTypeOf, type Operation } from '../../src/kit/operation.ts'
import { useScriptedModel } from '../harness/scripted-model.ts'
import { holdTasks } from '../harness/send-job.ts'
import {
  type ApiResponse,
  isJson,
  type TestInstallation,
  useInstallation,
} from '../harness/use-installation.ts'
import { freshBody, makeId } from './make.ts'
import type { Json } from './make-helpers.ts'

interface RequestOptions {
  key?: string | null
  body?: unknown
  /** The raw body, where it is not the output of JSON.stringify. */
  raw?: string | Uint8Array | ReadableStream
  headers?: Record<string, string>
  ids?: Record<string, string>
  query?: string
  /** What the path begins with: `/console` is the door for people. */
  prefix?: string
}

export interface OperationCalls {
  installation: TestInstallation
  stranger: CreatedCompany
  /** Calls an operation with a body and ids that would succeed, except for the given options. Every answer is checked by `envelopeFaults`. */
  call(operation: Operation, options?: RequestOptions): Promise<ApiResponse>
  /** Fetches a path and checks what every answer must have. */
  fetch(path: string, init?: RequestInit): Promise<ApiResponse>
  idsFor(operation: Operation, key?: string): Promise<Record<string, string>>
  bodyFor(operation: Operation, key?: string): Promise<Json>
  /**
   * A conversation belongs to the caller who opened it: this assigns it to the caller with this key or token. Other objects
   * belong to the company.
   */
  assignConversation(
    operation: Operation,
    ids: Record<string, string>,
    to: { key?: string | null; token?: string; personId?: string },
  ): Promise<void>
  makeKey(
    granted: readonly Scope[],
    settings?: { environment?: Environment; expiresAt?: string; whitelist?: string[] },
  ): Promise<{ id: string; text: string }>
}

/** Where a key may do it: in production, unless it is only in the sandbox, or in production only for a person. */
export const environmentOf = ({ environment, inProduction }: Operation): Environment =>
  environment ?? (inProduction?.ownSession ? 'sandbox' : 'production')
export const isServedIn = (operation: Operation, environment: Environment): boolean =>
  operation.environment === undefined || operation.environment === environment

export const keyOf = (company: CreatedCompany, environment: Environment): string =>
  environment === 'production' ? company.productionKey : company.sandboxKey

export const paramsOf = (operation: Operation): string[] =>
  [...operation.path.matchAll(/:([A-Za-z]+)/g)].map(match => match[1]!)

const pathOf = (operation: Operation, ids: Record<string, string>) =>
  operation.path.replace(/:([A-Za-z]+)/g, (_, name: string) => ids[name]!)

interface Route {
  parameters: { name: string; in: string }[]
  responses: Record<string, { description: string }>
}

/** Follows a reference to what the document writes once. */
function resolved<Part extends object>(part: Part): Part {
  if (!('$ref' in part)) return part
  const [kind, name] = String(part.$ref).replace('#/components/', '').split('/') as [string, string]
  return (openApi.components as unknown as Record<string, Record<string, Part>>)[kind]![name]!
}

/** An operation as the published document describes it. */
export function routeOf(operation: Operation): Route {
  const path = operation.path.replace(/:([A-Za-z]+)/g, '{$1}')
  const routes = openApi.paths as unknown as Record<string, Record<string, Route>>
  const route = routes[path]?.[operation.method.toLowerCase()]
  if (!route) throw new Error(`openapi.json does not know ${operation.method} ${path}`)
  return {
    parameters: route.parameters.map(resolved),
    responses: Object.fromEntries(
      Object.entries(route.responses).map(([status, response]) => [status, resolved(response)]),
    ),
  }
}

/** The codes the published document promises for an operation, with the status each stands under. */
export function documented(operation: Operation): Map<string, number> {
  return new Map(
    Object.entries(routeOf(operation).responses)
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([status, { description }]) =>
        [...description.matchAll(/`([A-Z_0-9]+)`/g)].map(match => [match[1]!, Number(status)] as const),
      ),
  )
}

/** What is wrong with an answer, in words. The guards see some ten thousand answers, so this is plain code and no assertion each. */
function envelopeFaults({ headers, body, status, text }: ApiResponse): string[] {
  const faults: string[] = []
  const demand = (isRight: boolean | undefined, what: string) => {
    if (!isRight) faults.push(what)
  }
  const header = (name: string, pattern: RegExp) =>
    demand(pattern.test(headers.get(name) ?? ''), `${name}: ${headers.get(name)}`)
  header('x-request-id', /^[A-Za-z0-9._-]{1,128}$/)
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
    header(name, /^\d+$/)
  header('x-ratelimit-daily-remaining', /^(\d+|unlimited)$/)
  if (status === 204) {
    demand(text === '', 'a body with 204')
    return faults
  }
  if (status < 400 && headers.has('content-disposition')) {
    // A file is not in the envelope: it says what it is, how long it is and under which name to save it.
    header('content-type', /^application\/pdf$/)
    header('content-disposition', /^attachment; filename="[\w][\w.-]*\.pdf"$/)
    demand(text.startsWith('%PDF-1.7\n') && text.endsWith('%%EOF\n'), 'no whole PDF')
    demand(Number(headers.get('content-length')) >= text.length, 'content-length')
    return faults
  }
  header('content-type', /^application\/json; charset=utf-8$/)
  demand(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(body.timestamp), `timestamp: ${body.timestamp}`)
  demand(headers.has('idempotent-replayed') || body.requestId === headers.get('x-request-id'), 'requestId')
  demand(body.success === status < 400, `success: ${body.success}`)
  const {
    success: _,
    data,
    error,
    pagination,
    warnings,
    message,
    requestId,
    timestamp,
    ...rest
  } = body as Json
  demand(Object.keys(rest).length === 0, `in the envelope: ${Object.keys(rest)}`)
  if (status < 400) {
    demand(data !== undefined && error === undefined, 'data, and no error')
    return faults
  }
  demand(
    [data, pagination, warnings, message].every(part => part === undefined),
    'an error, and nothing else',
  )
  const { code, docUrl, details = [], message: words } = body.error as typeof body.error & { docUrl: string }
  // A known path with another method has a status of its own.
  demand(
    code in errorStatuses && (status === 405 || errorStatuses[code as ErrorCode] === status),
    `code ${code} with ${status}`,
  )
  demand(/^\S.+\S$/s.test(words), `message: ${words}`)
  demand(String(docUrl).endsWith(`/docs/errors#${code}`), `docUrl: ${docUrl}`)
  for (const detail of details)
    demand(Object.keys(detail).join() === 'field,code,message', `details: ${Object.keys(detail)}`)
  if ([429, 423, 503].includes(status)) header('retry-after', /^[1-9]\d*$/)
  return faults
}

/** Answers of which the request itself was at fault: the ids and the body it was given are as new. */
const unusedAfter = new Set([400, 401, 403, 413])

let callers = 0
/** Strangers are counted by address, so each call comes from its own. */
const nextAddress = () => `10.${(++callers >> 16) & 255}.${(callers >> 8) & 255}.${callers & 255}`

/** An installation with two companies, through which the guards send every operation there is. */
export function useOperationCalls(): OperationCalls {
  const model = useScriptedModel()
  const installation = useInstallation({
    own: 'reads the whole installation',
    // A Sunday, on which nobody is written to: these guards are about answers, not about messages.
    now: Date.parse('2026-11-15T09:00:00+01:00'),
    redisUrl: undefined,
    env: Object.assign(model.env, { TRUSTED_PROXIES: '127.0.0.1' }),
  })
  /** Objects that are only read can be reused. */
  const readIds = new Map<string, Promise<Record<string, string>>>()
  /** What a refused call has left for the next one of its operation and key. */
  const unused = new Map<string, { ids: Record<string, string> | undefined; body: Json | undefined }>()
  const calls = { installation } as OperationCalls
  const homeKeyOf = (operation: Operation) => keyOf(installation.company, environmentOf(operation))
  beforeAll(async () => {
    await holdTasks(installation)
    calls.stranger = await installation.server.createCompany({
      name: 'Une autre maison',
      ownerEmail: 'autre@maison.example',
      tier: 'enterprise',
      requestsPerMinute: 1_000_000,
      inFlight: 10_000,
    })
  })

  calls.fetch = async (path, init = {}) => {
    const response = await fetch(installation.server.baseUrl + path, {
      ...init,
      headers: { 'x-forwarded-for': nextAddress(), ...(init.headers as Record<string, string>) },
    })
    const text = await response.text()
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson(response) ? JSON.parse(text) : {},
    } as ApiResponse
    expect(envelopeFaults(answer), `${init.method ?? 'GET'} ${path} ${response.status}`).toEqual([])
    return answer
  }

  calls.idsFor = (operation, key = homeKeyOf(operation)) => {
    if (operation.method !== 'GET') return newIds(operation, key)
    const name = `${operation.id} ${key}`
    const known = readIds.get(name) ?? newIds(operation, key)
    readIds.set(name, known)
    return known
  }

  const newIds = async (operation: Operation, key: string) => {
    const segments = operation.path.split('/')
    const ids: Record<string, string> = {}
    for (const [at, segment] of segments.entries())
      if (segment.startsWith(':'))
        ids[segment.slice(1)] = await makeId(
          installation,
          `${segments[at - 1]}/${segment}`,
          key,
          operation,
          ids,
        )
    return ids
  }

  calls.bodyFor = (operation, key = homeKeyOf(operation)) => freshBody(installation, operation, key)

  calls.call = async (
    operation,
    { key = homeKeyOf(operation), body, raw, headers, ids, query, prefix = '' } = {},
  ) => {
    // Objects are created with the company's own key, because the tested key may not have the right.
    const home = key === installation.company.sandboxKey ? key : homeKeyOf(operation)
    const kept = `${operation.id} ${home}`
    const { ids: unusedIds, body: unusedBody } = unused.get(kept) ?? {}
    unused.delete(kept)
    const given = ids ?? unusedIds ?? (await calls.idsFor(operation, home))
    if (!ids) await calls.assignConversation(operation, given, { key })
    const needsBody = operation.body !== undefined && body === undefined && raw === undefined
    const fresh = needsBody ? (unusedBody ?? (await calls.bodyFor(operation, home))) : unusedBody
    const made = operation.body
      ? JSON.stringify(body ?? fresh)
      : operation.upload && (operation.example!.body as string)
    const text = raw ?? made
    const type = operation.upload?.types[0] ?? 'application/json'
    const answer = await calls.fetch(prefix + pathOf(operation, given) + (query ?? ''), {
      method: operation.method,
      headers: {
        ...(key !== null && { 'x-api-key': key }),
        ...(text !== undefined && { 'content-type': type }),
        ...headers,
      },
      ...(text !== undefined && { body: text as string, duplex: 'half' }),
    })
    if (unusedAfter.has(answer.status)) unused.set(kept, { ids: ids ? unusedIds : given, body: fresh })
    if (answer.status < 400)
      expect(answer.headers.has('content-disposition'), operation.id).toBe(fileTypeOf(operation) !== null)
    else
      expect(
        documented(operation).get(answer.body.error.code),
        `${operation.id} documents ${answer.text}`,
      ).toBe(answer.status)
    return answer
  }

  calls.assignConversation = async (operation, ids, { key, token, personId }) => {
    if (operation.id !== 'agent.conversation') return
    const claims = token && JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
    const opener = personId
      ? `person ${personId}`
      : claims
        ? `oauth_client ${claims.client_id}${claims.sub === claims.client_id ? '' : ` ${claims.sub}`}`
        : (
            await installation.sql<{ opener: string }>(
              `select 'api_key ' || id as opener from api_keys where lookup = $1`,
              [key ? lookupOf(key) : null],
            )
          )[0]?.opener
    if (opener) await installation.sql('update conversations set opener = $2 where id = $1', [ids.id, opener])
  }

  calls.makeKey = async (granted, { environment = 'production', expiresAt, whitelist = [] } = {}) => {
    const [cell] = await installation.sql<{ cell: string }>('select cell from installation')
    const { text, lookup } = newKey(environment, cell!.cell)
    const id = randomUUIDv7()
    const mac = keyring(installation.server.config.KEYRING!).mac('api_key', text)
    await installation.sql(
      `insert into api_keys (id, tenant_id, name, lookup, secret_mac, prefix, scopes, expires_at, ip_whitelist, created_at)
       values ($1, $2, 'Guard', $3, $4, $5, $6, $7, $8, $9)`,
      [
        id,
        installation.company.tenants[environment],
        lookup,
        mac,
        maskKey(text),
        granted,
        expiresAt ?? null,
        whitelist,
        new Date().toISOString(),
      ],
    )
    return { id, text }
  }
  return calls
}
