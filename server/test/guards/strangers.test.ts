import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { brevoAccount } from '../../dev/stand-ins/brevo.ts'
import { mailevaAccount } from '../../dev/stand-ins/maileva.ts'
import { twilioAccount } from '../../dev/stand-ins/twilio-messages.ts'
import { headOf, type RawAnswer, sendRaw } from '../harness/raw-request.ts'
import { useInstallation } from '../harness/use-installation.ts'
import { randomAddress } from '../harness/visitor.ts'

const nowhere = 'http://127.0.0.1:1'
const installation = useInstallation({
  hasWorker: false,
  env: {
    TRUSTED_PROXIES: '127.0.0.1',
    EMAIL_PROVIDER: 'brevo',
    BREVO_API_KEY: brevoAccount.apiKey,
    BREVO_CALLBACK_TOKEN: brevoAccount.callbackToken,
    BREVO_BASE_URL: nowhere,
    MAIL_INBOUND_TOKEN: 'mail-calls-back',
    MAIL_INBOUND_DOMAIN: 'in.relance.example',
    SMS_PROVIDER: 'twilio',
    TWILIO_BASE_URL: nowhere,
    TWILIO_ACCOUNT_SID: twilioAccount.accountSid,
    TWILIO_AUTH_TOKEN: twilioAccount.authToken,
    TWILIO_SMS_FROM: twilioAccount.from,
    LETTER_PROVIDER: 'maileva',
    MAILEVA_BASE_URL: nowhere,
    MAILEVA_CLIENT_ID: 'id',
    MAILEVA_CLIENT_SECRET: 'secret',
    MAILEVA_USERNAME: 'user',
    MAILEVA_PASSWORD: 'password',
    MAILEVA_CALLBACK_KEY: mailevaAccount.callbackKey,
    PAYMENT_PROVIDER: 'stripe',
    STRIPE_BASE_URL: nowhere,
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
  },
})
const providers = ['brevo', 'mail', 'maileva', 'twilio-sms', 'nobody']

const cpuMaxMs = 50
const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

const repeated = (unit: string, bytes: number) => unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes)
const manyKeys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')}}`
const keysWithin = (bytes: number) => manyKeys(Math.floor(bytes / 12))

const colonsAfterName = (bytes: number) =>
  `{"${repeated('x', bytes / 2)}\\n"${repeated(':', bytes / 2 - 10)}1}`
/** The spaces all in one field, and one attempt has the fields of every form. */
const spacesInFields = (bytes: number) =>
  `password=a&name=a&company=a&country=FR&language=en&token=a&email=a${repeated('+', bytes - 100)}b%40c.fr`

interface Attempt {
  name: string
  type: string
  body: string | Buffer
  /** Instead of the usual `content-length`. */
  headers?: Record<string, string | number>
  endAfter?: true
  /** Within all limits, so it may be taken. */
  isHarmless?: true
}

/** Bodies that are cheap to send. `limit`: what the route takes at most. */
const attemptsFor = (limit: number): Attempt[] => [
  { name: 'names without values, at the limit', type: form, body: repeated('a&', limit) },
  { name: 'names without values, in 16 kB', type: form, body: repeated('a&', Math.min(limit, 16_384)) },
  { name: 'different names', type: form, body: repeated('a=1&b=2&', Math.min(limit, 16_384)) },
  { name: 'escapes', type: form, body: repeated('%', Math.min(limit, 16_384)), isHarmless: true },
  { name: '100,000 keys', type: json, body: manyKeys(100_000) },
  { name: 'keys, at the limit', type: json, body: keysWithin(limit) },
  { name: 'empty lists, at the limit', type: json, body: `[${repeated('[],', limit - 3)}0]` },
  { name: 'nesting, at the limit', type: json, body: repeated('[', limit) },
  { name: 'a name and many colons', type: json, body: colonsAfterName(limit) },
  {
    name: 'spaces in every field',
    type: form,
    body: spacesInFields(Math.min(limit, 16_384)),
    isHarmless: true,
  },
  { name: 'one repeated name', type: json, body: `{${repeated('"a":1,', limit - 8)}"a":2}` },
  { name: 'a long text of escapes', type: json, body: `"${repeated('\\"', limit - 2)}"`, isHarmless: true },
  { name: 'not UTF-8', type: json, body: Buffer.alloc(Math.min(limit, 65_536), 0xff) },
  { name: 'another type', type: 'multipart/form-data; boundary=x', body: repeated('--x\r\n', 10_000) },
  { name: 'gzip', type: json, body: gzipSync('{}'), headers: { 'content-encoding': 'gzip' } },
  {
    name: 'a body that ends early',
    type: json,
    body: '{}',
    headers: { 'content-length': 1_000 },
    endAfter: true,
  },
  {
    name: 'more than announced',
    type: json,
    body: `{}${repeated('x', 5_000)}`,
    headers: { 'content-length': 2 },
  },
  { name: 'broken chunks', type: json, body: 'zz\r\n{}\r\n', headers: { 'transfer-encoding': 'chunked' } },
  {
    name: 'a huge announcement',
    type: json,
    body: repeated('x', 1_000),
    headers: { 'content-length': 10_000_000_000 },
    endAfter: true,
  },
]

interface Target {
  method: string
  url: string
  limit: number
  /** Refused before the body is read. */
  needsCredential: boolean
}

const withBody = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Every address that takes a body, with its parameters filled in. */
function targets(): Target[] {
  const found = installation.server.routes
    .filter(({ method }) => withBody.has(method))
    .flatMap(({ method, url, bodyLimit: limit, config = {} }) => {
      const needsCredential = config.operation !== undefined || config.requiresCredential === true
      const target = { method, url, limit, needsCredential }
      return url.includes(':provider')
        ? providers.map(provider => ({ ...target, url: url.replace(':provider', provider) }))
        : [target]
    })
    .map(target => ({
      ...target,
      url: target.url.replaceAll(/:[A-Za-z]+/g, 'e1abcdefghijklmnopqr').replaceAll('*', 'x'),
    }))
  return [...found, { method: 'POST', url: '/no/such/path', limit: 1024 * 1024, needsCredential: false }]
}

/** To make the bodies takes longer than to refuse them, and few limits are different. */
const attemptsByLimit = new Map<number, Attempt[]>()

/** Where nothing is read a few are enough. */
const attemptsOn = ({ method, limit: declared, needsCredential }: Target): Attempt[] => {
  const limit = Math.min(declared, 1024 * 1024)
  const all = attemptsByLimit.get(limit) ?? attemptsFor(limit)
  attemptsByLimit.set(limit, all)
  return needsCredential || method !== 'POST' ? all.filter((_, i) => i % 8 === 0) : all
}

const requestMethods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
]

/** Node refuses longer heads. */
const headBytes = 15_500

/** Heads that are cheap to send: a path, a query or a header of one repeated sign. */
function headAttempts(): { name: string; path: string; headers: Record<string, string> }[] {
  const signs = [...'/.;,:=?&%+~-_!*@$#[]{}()|^`"\\ax0'].filter(sign => sign !== '#')
  const units = [
    ...signs,
    '/.',
    '/..',
    '%2F',
    '%2e',
    'a/',
    '//a',
    '%25',
    'a=',
    'a=&',
    'a[]=&',
    '+=',
    '%C3%A9',
    '=;',
    'a=b; ',
    '", ',
  ]
  const paths = ['/', '/api/v1/', '/console/', '/d/', '/docs/']
  return units.flatMap(unit => {
    const text = repeated(unit, headBytes)
    const path = encodeURI(decodeURIComponent(text.replaceAll('%', '%25'))).replaceAll('%25', '%')
    const short = path.slice(0, headBytes)
    return [
      ...paths.map(start => ({
        name: `path ${start}${unit}`,
        path: `${start}${short.replaceAll('?', '')}x/`,
        headers: {},
      })),
      { name: `query ${unit}`, path: `/api/v1/invoices?${short}`, headers: {} },
      { name: `query ${unit} of a page`, path: `/sign-in?${short}x`, headers: {} },
      ...['/console/me', '/account'].map(url => ({
        name: `cookie ${unit} of ${url}`,
        path: url,
        headers: { cookie: text },
      })),
      {
        name: `authorization ${unit}`,
        path: '/api/v1/invoices',
        headers: { authorization: `Bearer ${text}` },
      },
      { name: `type ${unit}`, path: '/sign-in', headers: { 'content-type': `text/${text}` } },
      {
        name: `origin ${unit}`,
        path: '/api/v1/invoices',
        headers: { origin: text, 'access-control-request-method': 'GET' },
      },
    ]
  })
}

/** The CPU of a request, the best of three: a collection of garbage or another test may fall into one. */
async function costOf(send: () => Promise<RawAnswer>): Promise<{ answer: RawAnswer; cpuMs: number }> {
  let cpuMs = Number.POSITIVE_INFINITY
  let answer: RawAnswer = { status: null, text: '' }
  for (let i = 0; i < 3 && cpuMs > cpuMaxMs; i++) {
    const before = process.threadCpuUsage()
    answer = await send()
    const { user, system } = process.threadCpuUsage(before)
    cpuMs = Math.min(cpuMs, (user + system) / 1_000)
  }
  return { answer, cpuMs }
}

async function attack(
  target: Pick<Target, 'method' | 'url'>,
  { type, body, headers, endAfter }: Attempt,
): Promise<RawAnswer> {
  const lengths = headers && ('content-length' in headers || 'transfer-encoding' in headers)
  const head = headOf(target.method, target.url, {
    origin: installation.server.baseUrl,
    'x-forwarded-for': randomAddress(),
    'content-type': type,
    ...(!lengths && { 'content-length': Buffer.byteLength(body) }),
    ...headers,
  })
  return sendRaw(installation.server.baseUrl, [head, body], { endAfter: endAfter === true })
}

describe('what a stranger sends', () => {
  beforeAll(async () => {
    // Code that runs for the first time is slower.
    for (const attempt of attemptsFor(1_000)) await attack({ method: 'POST', url: '/sign-in' }, attempt)
  })

  it('is answered with 4xx on every route, and costs little', async () => {
    const all = targets()
    expect(all.length).toBeGreaterThan(100)
    const faults: string[] = []
    for (const target of all)
      for (const attempt of attemptsOn(target)) {
        const { answer, cpuMs } = await costOf(() => attack(target, attempt))
        const { status } = answer
        const isRefused =
          status === null ? attempt.endAfter : status < 500 && (attempt.isHarmless || status >= 400)
        if (!isRefused || cpuMs > cpuMaxMs)
          faults.push(
            `${target.method} ${target.url} ${attempt.name}: ${answer.status}, ${Math.round(cpuMs)} ms`,
          )
      }
    expect(faults).toEqual([])
  }, 600_000)

  it('costs little in a path, a query and a header too, by every method', async () => {
    const faults: string[] = []
    const heads = headAttempts()
    for (const [at, { name, path, headers }] of heads.entries()) {
      // Each method meets each place, and each text one of the methods.
      const methods = at % 7 === 0 ? requestMethods : ['GET', requestMethods[at % requestMethods.length]!]
      for (const method of new Set(methods)) {
        // An answer to HEAD ends with the connection: it announces a body that does not come.
        const usual = { 'x-forwarded-for': randomAddress(), 'content-length': 0, connection: 'close' }
        const head = headOf(method, path, { ...usual, ...headers })
        const { answer, cpuMs } = await costOf(() => sendRaw(installation.server.baseUrl, [head]))
        const isServed = answer.status !== null && answer.status < 500
        if (!isServed || cpuMs > cpuMaxMs)
          faults.push(`${method} ${name}: ${answer.status}, ${Math.round(cpuMs)} ms`)
      }
    }
    expect(heads.length).toBeGreaterThan(400)
    expect(faults).toEqual([])
  }, 600_000)

  it('is counted by address whatever the method is', async () => {
    const address = randomAddress()
    const statuses: (number | null)[] = []
    for (let i = 0; i < 70; i++) {
      const head = headOf('OPTIONS', `//${i}/`, { 'x-forwarded-for': address })
      statuses.push((await sendRaw(installation.server.baseUrl, [head])).status)
    }
    expect(statuses.slice(-5)).toEqual([429, 429, 429, 429, 429])
  })
})
