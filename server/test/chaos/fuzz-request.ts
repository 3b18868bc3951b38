import { randomUUIDv7 } from 'node:crypto'
import { type Route, resolve, routes } from './fuzz-document.ts'
import { mutate, type Request } from './fuzz-mutate.ts'
import { chance, escaped, hostile, isSwitch, type Json, pick, valueFor } from './fuzz-values.ts'
import type { Random } from './random.ts'

export interface Caller {
  tenant: string
  key: string
}

/** Ids seen in answers, per tenant and noun: `production invoices`. */
export type Pools = Map<string, string[]>

const poolMax = 400
export function addToPool(pools: Pools, name: string, value: string): void {
  const pool = pools.get(name) ?? []
  pools.set(name, pool)
  if (pool.length === poolMax) pool.splice(Math.floor(Math.random() * poolMax), 1)
  pool.push(value)
}

/** Ids whose field name does not match the noun of their path. */
const nounOfId: Record<string, string> = { personId: 'members', clientId: 'oauth-clients' }

export function collectIds(pools: Pools, tenant: string, noun: string, data: unknown): void {
  if (Array.isArray(data)) for (const item of data) collectIds(pools, tenant, noun, item)
  // Never use the caller's own key: rotating or deleting it would end the run.
  else if (noun === 'api-keys' && (data as Json).name === 'First key') return
  else if (typeof data === 'object' && data !== null)
    for (const [name, value] of Object.entries(data)) {
      if (typeof value === 'object') collectIds(pools, tenant, name === 'results' ? noun : `${name}s`, value)
      else if (typeof value === 'string' && /(^id|Id)$/.test(name))
        addToPool(
          pools,
          `${tenant} ${name === 'id' ? noun : (nounOfId[name] ?? `${name.slice(0, -2)}s`)}`,
          value,
        )
      // A cascade is known by its name, and everybody has the built-in ones.
      else if (typeof value === 'string' && name === 'name' && noun === 'cascades')
        addToPool(pools, `${tenant} cascades`, value)
    }
}

/** `/invoices/{id}` and `/invoice/{invoiceId}` both mean invoices. */
const nounOf = (segment: string) => (segment.endsWith('s') ? segment : `${segment}s`)
export const nounOfPath = (path: string) =>
  nounOf(path.split('/').findLast(part => !/^(|\{.*|bulk)$/.test(part)) ?? '')

const malformed = [
  'no-uuid',
  '%00',
  '%2e%2e%2f',
  '..',
  '%E0%A4%A',
  '%ff',
  'x'.repeat(300),
  '%F0%9F%A7%BE',
  '{id}',
  '-',
  '0',
]

/** Values that look like parts of a cursor but are not valid. */
const almostValid = ['2026-99-99', '2026-02-30', '9999999999999', 'created_at asc', -1, randomUUIDv7()]

/** A page that follows one we have seen, by its Link header; its cursor whole, or with one part of it exchanged. */
function followPage(random: Random, pools: Pools, caller: Caller): Request | null {
  const link = pick(random, pools.get(`${caller.tenant} links`) ?? [''])
  const [path = '', query = ''] = link.split('?')
  const route = routes.find(candidate => candidate.method === 'GET' && candidate.path === path)
  if (!route) return null
  const corrupt = (parameter: string) => {
    if (!parameter.startsWith('cursor=') || chance(random, 30)) return parameter
    const parts = JSON.parse(Buffer.from(decodeURIComponent(parameter.slice(7)), 'base64url').toString())
    const at = random.between(0, parts.length - 1)
    parts[at] = chance(random, 50) ? pick(random, almostValid) : pick(random, hostile)
    return `cursor=${Buffer.from(JSON.stringify(parts)).toString('base64url').slice(0, 400)}`
  }
  return {
    route,
    method: 'GET',
    path,
    query: query.split('&').map(corrupt),
    headers: [['x-api-key', caller.key]],
    body: null,
    tenant: caller.tenant,
    isForeign: false,
  }
}

export function makeRequest(
  random: Random,
  pools: Pools,
  callers: readonly Caller[],
  serial: number,
  candidate: Route,
  /** Who asks rightly: nothing is mutated, and every id is one of their own. */
  rightCaller?: Caller,
): Request {
  // Resetting the sandbox too often would leave nothing to query.
  const route =
    candidate.id === 'sandbox.reset' && !rightCaller && chance(random, 95) ? pick(random, routes) : candidate
  const usual = route.path.includes('/sandbox/')
    ? callers.find(({ tenant }) => tenant === 'sandbox')!
    : callers[0]!
  const caller = rightCaller ?? (chance(random, 70) ? usual : pick(random, callers))
  const followed = !rightCaller && chance(random, 7) ? followPage(random, pools, caller) : null
  if (followed) return followed
  const idOf = (tenant: string, noun: string) => {
    const known = pools.get(`${tenant} ${noun}`) ?? [randomUUIDv7()]
    // Prefer the newest: older ones may already be deleted, paid or refunded.
    if (rightCaller && chance(random, 85)) return known.at(-1)!
    return pick(random, chance(random, 50) ? known.slice(-10) : known)
  }
  const request: Request = {
    route,
    method: route.method,
    path: '',
    query: [],
    headers: [
      ['x-api-key', caller.key],
      // Requests without a key are limited by address, so each request has its own.
      ['x-forwarded-for', `10.1.${(serial >> 8) & 255}.${serial & 255}`],
    ],
    body: null,
    tenant: caller.tenant,
    isForeign: false,
  }
  const segments = route.path.split('/')
  request.path = segments
    .map((segment, at) => {
      if (!segment.startsWith('{')) return segment
      const noun = nounOf(segments[at - 1]!)
      const dice = rightCaller ? 1 : random.between(1, 100)
      if (dice <= 80) return idOf(caller.tenant, noun)
      if (dice <= 88 && noun !== 'cascades' && noun !== 'templates') {
        const other = pick(
          random,
          callers.filter(({ tenant }) => tenant !== caller.tenant),
        )
        if (!pools.has(`${other.tenant} ${noun}`)) return randomUUIDv7()
        request.isForeign = true
        return idOf(other.tenant, noun)
      }
      if (dice <= 92) return randomUUIDv7()
      if (dice <= 94) return idOf(caller.tenant, noun).toUpperCase()
      return pick(random, malformed)
    })
    .join('/')
  for (const { name, schema, in: where } of route.parameters)
    if (where === 'query' && !rightCaller && chance(random, 30))
      request.query.push(
        `${name}=${escaped(valueFor(random, schema, name, field => idOf(caller.tenant, `${field.replace(/Id$/, '')}s`)))}`,
      )
  if (route.upload !== null) {
    request.body = {
      raw: `N° facture;Client;E-mail;Date facture;Échéance;Montant TTC\nF-${serial};Petit;a@b.example;01/09/2026;01/10/2026;12,00`,
    }
    request.headers.push(['content-type', route.upload])
  }
  if (route.body) {
    const nounOfField = (field: string) => nounOf(field.replace(/Id$/, ''))
    const fresh = valueFor(random, route.body.schema, nounOfPath(route.path), field =>
      idOf(caller.tenant, nounOfField(field)),
    )
    const json =
      route.body.example && chance(random, 40)
        ? fromExample(route.body.example, serial, field => idOf(caller.tenant, nounOfField(field)))
        : fresh
    for (const [name, schema] of Object.entries(resolve(route.body.schema).properties ?? {}))
      if (isSwitch(schema)) (json as Json)[name] ??= chance(random, 50)
    request.body = { json }
    request.headers.push(['content-type', 'application/json'])
  }
  if (route.method === 'POST' && chance(random, 25))
    request.headers.push(['idempotency-key', `fuzz-${random.between(1, 200)}`])
  if (!rightCaller && chance(random, 55))
    for (let i = random.between(1, 2); i > 0; i--) mutate(random, request)
  return request
}

/** The document's own example, as nobody sent it before. */
function fromExample(node: unknown, serial: number, idOf: (field: string) => string): unknown {
  if (Array.isArray(node)) return node.map(item => fromExample(item, serial, idOf))
  if (typeof node === 'string' && /^\{\w+\}$/.test(node)) return idOf(node.slice(1, -1))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [
      name,
      /number$/i.test(name)
        ? `${value}-${serial}`
        : /^siret$/.test(name)
          ? null
          : fromExample(value, serial, idOf),
    ]),
  )
}
