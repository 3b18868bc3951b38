import { components, type Route, resolve, type Schema, type Type } from './fuzz-document.ts'

export interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

const formats: Record<string, RegExp> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  uri: /^https?:\/\/\S+$/,
}

const isOfType = (value: unknown, type: Type) =>
  type === 'integer' ? Number.isSafeInteger(value) : typeOf(value) === type

/** The first thing in which a value is not what its schema says, or null. A field the schema does not name is a fault. */
export function faultIn(value: unknown, given: Schema, at = '$'): string | null {
  const schema = resolve(given)
  if (schema.anyOf)
    return schema.anyOf.some(option => faultIn(value, option, at) === null)
      ? null
      : `${at} is none of its kinds`
  if ('const' in schema && value !== schema.const) return `${at} is not ${JSON.stringify(schema.const)}`
  if (schema.enum && !schema.enum.includes(value)) return `${at} is ${JSON.stringify(value)}, not in its list`
  const types = [schema.type ?? []].flat()
  if (types.length > 0 && !types.some(type => isOfType(value, type)))
    return `${at} is ${typeOf(value)}, not ${types.join(' or ')}`
  if (typeof value === 'string') {
    const format = formats[schema.format ?? '']
    if (format && !format.test(value)) return `${at} is not a ${schema.format}: ${value.slice(0, 80)}`
    if (!value.isWellFormed()) return `${at} has a lone surrogate`
  }
  if (typeof value === 'number') {
    if (schema.minimum !== undefined && value < schema.minimum) return `${at} is below ${schema.minimum}`
    if (schema.maximum !== undefined && value > schema.maximum) return `${at} is above ${schema.maximum}`
  }
  if (Array.isArray(value))
    return firstFault(value.map((item, i) => [schema.items ?? {}, item, `${at}[${i}]`]))
  if (typeof value === 'object' && value !== null)
    return faultInObject(value as Record<string, unknown>, schema, at)
  return null
}

function firstFault(parts: readonly (readonly [Schema, unknown, string])[]): string | null {
  for (const [schema, value, at] of parts) {
    const fault = faultIn(value, schema, at)
    if (fault) return fault
  }
  return null
}

function faultInObject(value: Record<string, unknown>, schema: Schema, at: string): string | null {
  const missing = (schema.required ?? []).find(name => !Object.hasOwn(value, name))
  if (missing) return `${at}.${missing} is missing`
  const { properties = {}, additionalProperties: others } = schema
  const isOpen = others === true || (schema.properties === undefined && others === undefined)
  const parts: [Schema, unknown, string][] = []
  for (const [name, inner] of Object.entries(value)) {
    const own = Object.hasOwn(properties, name)
      ? properties[name]
      : typeof others === 'object'
        ? others
        : null
    if (own) parts.push([own, inner, `${at}.${name}`])
    else if (!isOpen) return `${at}.${name} is not declared`
  }
  return firstFault(parts)
}

const text = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : value) ?? ''

function faultInHeaders({ status, headers }: Reply): string | null {
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(text(headers['x-request-id'])))
    return 'X-Request-Id is missing or malformed'
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
    if (!/^\d+$/.test(text(headers[name]))) return `${name} is missing`
  if (!/^(\d+|unlimited)$/.test(text(headers['x-ratelimit-daily-remaining'])))
    return 'X-RateLimit-Daily-Remaining is missing'
  if ([423, 429, 503].includes(status) && !/^[1-9]\d*$/.test(text(headers['retry-after'])))
    return 'Retry-After is missing'
  return null
}

function faultInFile(type: string, { headers }: Reply): string | null {
  if (text(headers['content-type']) !== type) return `is not said to be ${type}`
  if (!/^attachment; filename="[\w.-]+"$/.test(text(headers['content-disposition'])))
    return 'Content-Disposition is missing or malformed'
  return /^[1-9]\d*$/.test(text(headers['content-length'])) ? null : 'Content-Length is missing'
}

/** Why an answer breaks what was promised, or null. `route` is null where the request was addressed to none. */
export function judgeReply(route: Route | null, reply: Reply, isForeign: boolean): string | null {
  const { status, headers } = reply
  // WH_001 is about the customer's endpoint, and an installation without a model says so; every other status from 500 up is our fault.
  const isPromised =
    reply.text.includes('"code":"WH_001"') || reply.text.includes('no language model is configured')
  if (status >= 500 && !isPromised) return `answered ${status}`
  const fault = faultInHeaders(reply)
  if (fault) return fault
  if (isForeign && status < 400) return `answered ${status} for what belongs to somebody else`
  if (!route && status < 400) return `answered ${status} where nothing is served`
  const declared = route?.answers.get(status)
  if (route && !declared) return `answered ${status}, which is not declared`
  if (status === 204) return reply.text === '' ? null : '204 has a body'
  if (declared?.file) return faultInFile(declared.file, reply)
  if (text(headers['content-type']) !== 'application/json; charset=utf-8') return 'is not said to be JSON'
  let body: { requestId?: unknown; error?: { code?: unknown } }
  try {
    body = JSON.parse(reply.text)
  } catch {
    return 'is not JSON'
  }
  const wrong = faultIn(body, declared?.schema ?? components.ErrorResponse!)
  if (wrong) return wrong
  if (headers['idempotent-replayed'] === undefined && body.requestId !== text(headers['x-request-id']))
    return 'requestId is not that of the header'
  if (declared && status >= 400 && !declared.codes.has(String(body.error?.code)))
    return `${body.error?.code} is not declared for ${status}`
  return null
}
