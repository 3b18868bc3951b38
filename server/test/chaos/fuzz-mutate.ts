import type { Route } from './fuzz-document.ts'
import { chance, escaped, hostile, type Json, pick } from './fuzz-values.ts'
import type { Random } from './random.ts'

export interface Request {
  /** Null where it is addressed to nothing that is served. */
  route: Route | null
  method: string
  path: string
  query: string[]
  headers: [string, string][]
  body: { json: unknown } | { raw: string | Uint8Array } | null
  /** In whose name, and whether it names a thing of somebody else. */
  tenant: string | null
  isForeign: boolean
}

const contentTypes = [
  'text/plain',
  'application/json; charset=latin1',
  'APPLICATION/JSON',
  'application/xml',
  ';',
  'multipart/form-data',
]
const oddHeaders: [string, string][] = [
  ['x-request-id', ''],
  ['x-request-id', 'x'.repeat(129)],
  ['x-request-id', 'my.trace-1'],
  ['x-request-id', '<b>'],
  ['x-request-id', '\u00e9'],
  ['idempotency-key', ''],
  ['idempotency-key', 'k'.repeat(255)],
  ['idempotency-key', 'k'.repeat(256)],
  ['idempotency-key', '\u00e9'],
  ['idempotency-key', 'fuzz-1'],
  ['authorization', 'Bearer x.y.z'],
  ['x-api-key', ''],
  ['x-api-key', 'fk_live_'],
  ['x-api-key', '\u00ff'.repeat(300)],
  ['x-forwarded-for', 'nonsense'],
  ['accept', 'image/png'],
  ['accept-encoding', 'br;q=2'],
  ['content-encoding', 'gzip'],
  ['if-match', '*'],
  ['x-company-id', '1'],
]
const rawBodies = (text: string): (string | Uint8Array)[] => [
  '',
  '{',
  `${text}}`,
  text.slice(0, -1),
  `\ufeff${text}`,
  `[${text}]`,
  `${text.slice(0, -1)},"a":1e999}`,
  `${text.slice(0, -1)},"__proto__":{"x":1}}`,
  `${text.slice(0, -1)},"constructor":{"prototype":{}}}`,
  `${text.slice(0, -1)},"amountCents":12345678901234567890}`,
  `${text.slice(0, -1)},"amountCents":1,"amountCents":2}`,
  `{"a":${'['.repeat(60)}${']'.repeat(60)}}`,
  `{"a":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
  new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  'null',
  '"text"',
  'NaN',
]

const big = 'x'.repeat(1_100_000)

/** One thing about the request becomes wrong, or odd. */
export function mutate(random: Random, request: Request): void {
  const { route } = request
  const dice = random.between(1, 100)
  if (dice <= 45 && request.body && 'json' in request.body) {
    request.body.json = corrupted(random, request.body.json)
  } else if (dice <= 53 && request.body && 'json' in request.body) {
    request.body = { raw: pick(random, rawBodies(JSON.stringify(request.body.json) ?? '{}')) }
  } else if (dice <= 54) {
    request.body = { raw: `{"big":"${big.slice(random.between(0, 100_000))}"}` }
    setHeader(request, 'content-type', 'application/json')
  } else if (dice <= 75) {
    const names = [
      ...(route?.parameters.map(({ name }) => name) ?? []),
      'page',
      'limit',
      'colour',
      '__proto__',
      'constructor',
      '',
    ]
    const name = pick(random, names)
    const raw = chance(random, 20)
      ? pick(random, ['%', '%ff', '+', '%00', 'a=b', '[]', '#'])
      : escaped(pick(random, hostile)).slice(0, 4_000)
    request.query.push(`${chance(random, 10) ? `${name}[]` : name}=${raw.replace('#', '%23')}`)
  } else if (dice <= 90) {
    const [name, value] = pick(random, oddHeaders)
    setHeader(request, name, value)
  } else if (dice <= 95) {
    setHeader(request, 'content-type', pick(random, contentTypes))
  } else if (dice <= 97) {
    request.headers = request.headers.filter(([name]) => name !== 'x-api-key')
  } else {
    request.route = null
    request.isForeign = false
    request.path = pick(random, [
      `${request.path}/`,
      `${request.path}/x`,
      '/api/v1',
      '/nothing',
      '/api/v1/%2e%2e/x',
      `/${'x'.repeat(3_000)}`,
    ])
  }
}

function setHeader(request: Request, name: string, value: string): void {
  request.headers = [...request.headers.filter(([other]) => other !== name), [name, value]]
}

/** A body in which one place, somewhere, is not what it was. */
function corrupted(random: Random, node: unknown): unknown {
  const isLeaf = typeof node !== 'object' || node === null || chance(random, 12)
  if (isLeaf) return pick(random, hostile)
  if (Array.isArray(node)) {
    if (node.length === 0) return [pick(random, hostile)]
    const at = random.between(0, node.length - 1)
    return node.map((item, i) => (i === at ? corrupted(random, item) : item))
  }
  const entries = Object.entries(node as Json)
  const dice = random.between(1, 100)
  if (entries.length === 0 || dice <= 12)
    return Object.fromEntries([
      ...entries,
      [pick(random, ['unknown', 'amuontCents', 'notes', 'id', 'a\u0000']), pick(random, hostile)],
    ])
  const at = random.between(0, entries.length - 1)
  if (dice <= 25) return Object.fromEntries(entries.filter((_, i) => i !== at))
  return Object.fromEntries(
    entries.map(([name, value], i) => [name, i === at ? corrupted(random, value) : value]),
  )
}
