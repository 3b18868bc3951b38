import { Agent, request as send } from 'node:http'
import { startReceiver } from '../harness/receiver.ts'
import { type Route, routes } from './fuzz-document.ts'
import { judgeReply, type Reply } from './fuzz-judge.ts'
import type { Request } from './fuzz-mutate.ts'
import { addToPool, type Caller, collectIds, makeRequest, nounOfPath, type Pools } from './fuzz-request.ts'
import { randomFrom } from './random.ts'

export interface Failure {
  why: string
  request: string
  answer: string
}

export interface FuzzOptions {
  baseUrl: string
  /** The first asks most. */
  callers: readonly Caller[]
  requests: number
  /** Operations that cannot succeed in this run. */
  isUnreachable?: (operation: string) => boolean
  seed: number
  concurrency: number
}

export interface Fuzzed {
  sent: number
  byStatus: Record<string, number>
  /** Operations that were answered as asked at least once. */
  succeeded: Set<string>
  failures: Failure[]
  seconds: number
}

const failuresMax = 5
/** Of what succeeds once in some tries even then, as what needs a thing in a certain state: enough that it does. */
const triesMax = 300

/** What to ask before an operation, so that there is something it succeeds with: before each try, and now and then. */
const preparations: readonly [RegExp, { now?: readonly string[]; each: readonly string[] }][] = [
  // Some imported invoices are not started: only those can be deleted.
  [/^invoices\.delete$/, { each: ['invoices.import'] }],
  // Only of what was given up is there an attestation.
  [/^invoices\.anr$/, { each: ['invoices.create', 'invoices.writeOff'] }],
  [/^invoices\.resolveDispute$/, { each: ['invoices.create', 'invoices.dispute'] }],
  // A payment is settled once, and goes back once.
  [/^payments\.(get|settle|refund|reverse)$/, { each: ['invoices.create', 'payments.create'] }],
  [
    /^webhooks\.retryDelivery$/,
    { now: ['webhooks.create'], each: ['invoices.create', 'payments.create', 'webhooks.deliveries'] },
  ],
  [/^webhooks\./, { each: ['webhooks.create'] }],
  [/^apiKeys\./, { each: ['apiKeys.create'] }],
  [/^oauthClients\./, { each: ['oauthClients.create'] }],
  [/^cascades\./, { each: ['cascades.create'] }],
  [/^debtors\.(add|change|remove)Person$/, { each: ['debtors.create', 'debtors.addPerson'] }],
  [/^debtors\.endComeBack$/, { each: ['debtors.create', 'debtors.addNote'] }],
  [/^debtors\.decideDataRequest$/, { each: ['debtors.create', 'debtors.recordDataRequest'] }],
  [/^members\.withdrawInvitation$/, { each: ['members.invite'] }],
  [/./, { each: ['invoices.create', 'invoices.import'] }],
]

/** Sends requests that the OpenAPI document allows, and many that it does not, and checks every answer against the document. */
export async function fuzz(options: FuzzOptions): Promise<Fuzzed> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.concurrency })
  const receiver = await startReceiver()
  // Where events may be delivered to: it is there, and takes everything.
  const pools: Pools = new Map(options.callers.map(({ tenant }) => [`${tenant} urls`, [receiver.url]]))
  const fuzzed: Fuzzed = { sent: 0, byStatus: {}, succeeded: new Set(), failures: [], seconds: 0 }
  const start = performance.now()
  const attempt = async (request: Request) => {
    const reply = await sendRequest(agent, options.baseUrl, request)
    return { reply, why: judgeReply(request.route, reply, request.isForeign) }
  }
  /** All operations in turn, in another order each time. */
  const routeAt = (serial: number) => {
    const turn = Math.floor(serial / routes.length)
    return randomFrom(options.seed * 1_000_003 + turn).shuffled(routes)[serial % routes.length]!
  }
  const sendOne = async (only?: Route, rightCaller?: Caller) => {
    const serial = fuzzed.sent++
    const random = randomFrom(options.seed * 1_000_003 + serial)
    const request = makeRequest(random, pools, options.callers, serial, only ?? routeAt(serial), rightCaller)
    const { reply, why } = await attempt(request)
    fuzzed.byStatus[reply.status] = (fuzzed.byStatus[reply.status] ?? 0) + 1
    if (why) {
      const small = await shrunk(request, why, async candidate => (await attempt(candidate)).why)
      fuzzed.failures.push({ why, request: asCurl(small), answer: reply.text.slice(0, 600) })
    } else if (reply.status < 300 && request.route && request.tenant) {
      fuzzed.succeeded.add(request.route.id)
      if (request.route.id === 'sandbox.reset')
        for (const name of pools.keys())
          if (name.startsWith(`${request.tenant} `) && !name.endsWith(' urls')) pools.delete(name)
      const next = /^<([^>]+)>; rel="next"$/.exec(String(reply.headers.link))?.[1]
      if (next) addToPool(pools, `${request.tenant} links`, next)
      const isFile = Boolean(request.route.answers.get(reply.status)?.file)
      if (reply.text !== '' && !isFile)
        collectIds(pools, request.tenant, nounOfPath(request.route.path), JSON.parse(reply.text).data)
    }
  }
  const worker = async () => {
    while (fuzzed.sent < options.requests && fuzzed.failures.length < failuresMax) await sendOne()
  }
  await Promise.all(Array.from({ length: options.concurrency }, worker))
  // Operations that did not succeed by chance are asked rightly, with fresh data.
  for (const route of routes.filter(({ id }) => !options.isUnreachable?.(id))) {
    // In production some are for people alone, who have no key.
    const isSandbox = route.path.includes('/sandbox/') || route.id.startsWith('company.')
    const caller = options.callers[isSandbox ? 1 : 0]!
    const askFirst = async (ids: readonly string[]) => {
      for (const id of ids) await sendOne(routes.find(candidate => candidate.id === id)!, caller)
    }
    const [, { now = [], each }] = preparations.find(([ids]) => ids.test(route.id))!
    for (
      let extra = 0;
      extra < triesMax && !fuzzed.succeeded.has(route.id) && fuzzed.failures.length === 0;
      extra++
    ) {
      if (extra % 10 === 0) await askFirst(now)
      await askFirst(each)
      await sendOne(route, caller)
    }
  }
  agent.destroy()
  await receiver.stop()
  fuzzed.seconds = (performance.now() - start) / 1_000
  return fuzzed
}

const target = ({ path, query }: Request) => (query.length > 0 ? `${path}?${query.join('&')}` : path)
const bytesOf = ({ body }: Request) =>
  body === null ? null : Buffer.from('raw' in body ? body.raw : (JSON.stringify(body.json) ?? ''))

function sendRequest(agent: Agent, baseUrl: string, request: Request): Promise<Reply> {
  const body = bytesOf(request)
  return new Promise((resolve, reject) => {
    const call = send(
      `${baseUrl}/`,
      {
        agent,
        method: request.method,
        path: target(request),
        timeout: 30_000,
        headers: {
          ...Object.fromEntries(request.headers),
          ...(body && { 'content-length': String(body.length) }),
        },
      },
      response => {
        const parts: Buffer[] = []
        response.on('data', part => parts.push(part))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString('utf8'),
          }),
        )
        response.on('error', reject)
      },
    )
    call.on('timeout', () => call.destroy(new Error('no answer within 30 s')))
    call.on('error', error =>
      resolve({ status: 599, headers: {}, text: `${error.message}: the server hung up` }),
    )
    call.end(body ?? undefined)
  })
}

/** The same failure with as little as possible around it. */
async function shrunk(
  request: Request,
  why: string,
  verdictOn: (candidate: Request) => Promise<string | null>,
): Promise<Request> {
  let smallest = request
  for (let attempts = 0; attempts < 60; ) {
    let isSmaller = false
    for (const candidate of smaller(smallest)) {
      if (++attempts > 60) break
      if ((await verdictOn(candidate)) !== why) continue
      smallest = candidate
      isSmaller = true
      break
    }
    if (!isSmaller) break
  }
  return smallest
}

function* smaller(request: Request): Generator<Request> {
  for (const [at] of request.query.entries())
    yield { ...request, query: request.query.filter((_, i) => i !== at) }
  for (const [at, [name]] of request.headers.entries())
    if (name !== 'x-api-key') yield { ...request, headers: request.headers.filter((_, i) => i !== at) }
  const json = request.body && 'json' in request.body ? request.body.json : null
  if (typeof json === 'object' && json !== null && !Array.isArray(json))
    for (const name of Object.keys(json)) {
      const { [name]: _, ...rest } = json as Record<string, unknown>
      yield { ...request, body: { json: rest } }
    }
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function asCurl(request: Request): string {
  const body = bytesOf(request)
  return [
    `curl -i -X ${request.method} "$BASE_URL"${quoted(target(request))}`,
    ...request.headers.map(([name, value]) =>
      name === 'x-api-key' && value.length > 20
        ? `-H "x-api-key: $${request.tenant}_KEY"`
        : `-H ${quoted(`${name}: ${value}`)}`,
    ),
    ...(body ? [`--data-binary ${quoted(body.toString('utf8').slice(0, 2_000))}`] : []),
  ].join(' ')
}
