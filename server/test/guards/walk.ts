import { randomUUIDv7 } from 'node:crypto'
import { beforeAll, expect } from 'vitest'
import openApi from '../../openapi.json' with { type: 'json' }
import { lookupOf, maskKey, newKey } from '../../src/features/access/api-keys/key-format.ts'
import type { CreatedCompany } from '../../src/features/access/companies/create-company.ts'
import { keyring } from '../../src/kit/crypto.ts'
import { type ErrorCode, errorStatuses } from '../../src/kit/errors.ts'
import type { Environment, Operation, Scope } from '../../src/kit/operation.ts'
import { type Answer, type House, isJson, useHouse } from '../harness/house.ts'
import { useScriptedModel } from '../harness/scripted-model.ts'
import { freshBody, makeId } from './make.ts'
import type { Json } from './posted.ts'

interface Ask {
  key?: string | null
  body?: unknown
  /** The body as it travels, where it is not what JSON.stringify would make. */
  raw?: string | Uint8Array | ReadableStream
  headers?: Record<string, string>
  ids?: Record<string, string>
  query?: string
}

export interface Walk {
  house: House
  stranger: CreatedCompany
  /** Calls an operation with a body and ids that would succeed, but for what is given. Every answer passes the witness. */
  ask(operation: Operation, ask?: Ask): Promise<Answer>
  /** What every answer promises, whatever was asked. */
  fetch(path: string, init?: RequestInit): Promise<Answer>
  idsFor(operation: Operation, key?: string): Promise<Record<string, string>>
  bodyFor(operation: Operation, key?: string): Promise<Json>
  /**
   * A conversation belongs to whoever opened it: from now on that is whoever asks with this key or token. Other things are the
   * company's anyway.
   */
  lend(
    operation: Operation,
    ids: Record<string, string>,
    to: { key?: string | null; token?: string },
  ): Promise<void>
  makeKey(
    granted: readonly Scope[],
    settings?: { environment?: Environment; expiresAt?: string; whitelist?: string[] },
  ): Promise<{ id: string; text: string }>
}

/** Where an operation is at home: everything is served in production, but for what only the sandbox has. */
export const environmentOf = (operation: Operation): Environment => operation.environment ?? 'production'
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

/** An operation as the published document describes it. */
export function routeOf(operation: Operation): Route {
  const path = operation.path.replace(/:([A-Za-z]+)/g, '{$1}')
  const routes = openApi.paths as unknown as Record<string, Record<string, Route>>
  const route = routes[path]?.[operation.method.toLowerCase()]
  if (!route) throw new Error(`openapi.json does not know ${operation.method} ${path}`)
  return route
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

function witness(answer: Answer, asked: string): void {
  const { headers, body, status } = answer
  expect(headers.get('x-request-id'), `${asked}: X-Request-Id`).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
    expect(headers.get(name), `${asked}: ${name}`).toMatch(/^\d+$/)
  expect(headers.get('x-ratelimit-daily-remaining'), asked).toMatch(/^(\d+|unlimited)$/)
  if (status === 204) {
    expect(answer.text, asked).toBe('')
    return
  }
  if (status < 400 && headers.has('content-disposition')) return void witnessFile(answer, asked)
  expect(headers.get('content-type'), asked).toBe('application/json; charset=utf-8')
  expect(body.timestamp, asked).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  if (!headers.has('idempotent-replayed')) expect(body.requestId, asked).toBe(headers.get('x-request-id'))
  expect(body.success, asked).toBe(status < 400)
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
  expect(rest, `${asked}: an envelope without anything else`).toEqual({})
  if (status < 400) {
    expect([data !== undefined, error], asked).toEqual([true, undefined])
    return
  }
  expect([data, pagination, warnings, message], asked).toEqual([undefined, undefined, undefined, undefined])
  expect(Object.keys(errorStatuses), asked).toContain(body.error.code)
  expect(errorStatuses[body.error.code as ErrorCode], asked).toBe(status)
  expect(error, asked).toMatchObject({
    message: expect.stringMatching(/^\S.+\S$/s),
    docUrl: expect.stringMatching(new RegExp(`/docs/errors#${body.error.code}$`)),
  })
  for (const detail of body.error.details ?? [])
    expect(Object.keys(detail), asked).toEqual(['field', 'code', 'message'])
  if ([429, 423, 503].includes(status)) expect(headers.get('retry-after'), asked).toMatch(/^[1-9]\d*$/)
}

/** A file is not in the envelope: it says what it is, how long it is and under which name to save it. */
function witnessFile({ headers, text }: Answer, asked: string): void {
  expect(headers.get('content-type'), asked).toBe('application/pdf')
  expect(headers.get('content-disposition'), asked).toMatch(/^attachment; filename="[\w][\w.-]*\.pdf"$/)
  expect(text.startsWith('%PDF-1.7\n') && text.endsWith('%%EOF\n'), asked).toBe(true)
  expect(Number(headers.get('content-length')), asked).toBeGreaterThanOrEqual(text.length)
}

let callers = 0
/** Strangers are counted by address, so each call comes from its own. */
const nextAddress = () => `10.${(++callers >> 16) & 255}.${(callers >> 8) & 255}.${callers & 255}`

/** An installation with two companies, through which the guards send every operation there is. */
export function useWalk(): Walk {
  const model = useScriptedModel()
  const house = useHouse({
    // A Sunday, on which nobody is written to: these guards are about answers, not about messages.
    now: Date.parse('2026-11-15T09:00:00+01:00'),
    redisUrl: undefined,
    env: Object.assign(model.env, { TRUSTED_PROXIES: '127.0.0.1' }),
  })
  /** What is only read may be read again. */
  const readIds = new Map<string, Promise<Record<string, string>>>()
  const walk = { house } as Walk
  const homeKeyOf = (operation: Operation) => keyOf(house.company, environmentOf(operation))
  beforeAll(async () => {
    walk.stranger = await house.installation.createCompany({
      name: 'Une autre maison',
      ownerEmail: 'autre@maison.example',
      tier: 'enterprise',
      requestsPerMinute: 1_000_000,
      inFlight: 10_000,
    })
  })

  walk.fetch = async (path, init = {}) => {
    const response = await fetch(house.installation.baseUrl + path, {
      ...init,
      headers: { 'x-forwarded-for': nextAddress(), ...(init.headers as Record<string, string>) },
    })
    const text = await response.text()
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson(response) ? JSON.parse(text) : {},
    } as Answer
    witness(answer, `${init.method ?? 'GET'} ${path} ${response.status}`)
    return answer
  }

  walk.idsFor = (operation, key = homeKeyOf(operation)) => {
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
        ids[segment.slice(1)] = await makeId(house, `${segments[at - 1]}/${segment}`, key, operation, ids)
    return ids
  }

  walk.bodyFor = (operation, key = homeKeyOf(operation)) => freshBody(house, operation, key)

  walk.ask = async (operation, { key = homeKeyOf(operation), body, raw, headers, ids, query } = {}) => {
    // What a guarded key may not make itself is made by the company's own.
    const home = key === house.company.sandboxKey ? key : homeKeyOf(operation)
    const given = ids ?? (await walk.idsFor(operation, home))
    if (!ids) await walk.lend(operation, given, { key })
    const text =
      raw ?? (operation.body ? JSON.stringify(body ?? (await walk.bodyFor(operation, home))) : undefined)
    const answer = await walk.fetch(pathOf(operation, given) + (query ?? ''), {
      method: operation.method,
      headers: {
        ...(key !== null && { 'x-api-key': key }),
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(text !== undefined && { body: text as string, duplex: 'half' }),
    })
    if (answer.status < 400)
      expect(answer.headers.has('content-disposition'), operation.id).toBe(operation.produces !== undefined)
    else
      expect(
        documented(operation).get(answer.body.error.code),
        `${operation.id} documents ${answer.text}`,
      ).toBe(answer.status)
    return answer
  }

  walk.lend = async (operation, ids, { key, token }) => {
    if (operation.id !== 'agent.conversation') return
    const claims = token && JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
    const opener = claims
      ? `oauth_client ${claims.client_id}${claims.sub === claims.client_id ? '' : ` ${claims.sub}`}`
      : (
          await house.sql<{ opener: string }>(
            `select 'api_key ' || id as opener from api_keys where lookup = $1`,
            [key ? lookupOf(key) : null],
          )
        )[0]?.opener
    if (opener) await house.sql('update conversations set opener = $2 where id = $1', [ids.id, opener])
  }

  walk.makeKey = async (granted, { environment = 'production', expiresAt, whitelist = [] } = {}) => {
    const [cell] = await house.sql<{ cell: string }>('select cell from installation')
    const { text, lookup } = newKey(environment, cell!.cell)
    const id = randomUUIDv7()
    const mac = keyring(house.installation.config.KEYRING!).mac('api_key', text)
    await house.sql(
      `insert into api_keys (id, tenant_id, name, lookup, secret_mac, prefix, scopes, expires_at, ip_whitelist, created_at)
       values ($1, $2, 'Guard', $3, $4, $5, $6, $7, $8, $9)`,
      [
        id,
        house.company.tenants[environment],
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
  return walk
}
