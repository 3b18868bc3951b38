import { createHash, createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Received, startReceiver } from '../harness/receiver.ts'
import type { ChaosInstallation } from './chaos-installation.ts'
import type { Random } from './random.ts'

/** How a receiver behaves; each of them is healthy in the end. */
const behaviours = ['plain', 'plain', 'slow', 'flaky', 'once'] as const
export type Behaviour = (typeof behaviours)[number]

/** What a receiver knows of one event. */
interface SeenEvent {
  type: string
  sequence: number
  data: string
  bodyDigest: string
  requests: number
  failed: number
  isAccepted: boolean
}

export interface Endpoint {
  name: string
  behaviour: Behaviour
  webhookId: string
  events: readonly string[]
  known: Map<string, SeenEvent>
  requests: number
  /** Requests that no receiver should accept: a wrong signature, a wrong id, another body under a known id. */
  faults: string[]
  stop(): Promise<void>
}

/** How often a flaky receiver refuses one event at most: after a third failure its owner would get a mail. */
const failuresMax = 2

/** Both signatures, made again from the specification alone. */
function isSigned({ headers, body }: Received, secret: string): boolean {
  const hex = createHmac('sha256', secret).update(body).digest('hex')
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const standard = createHmac('sha256', key).update(signed).digest('base64')
  return (
    headers['x-service-signature'] === hex &&
    String(headers['webhook-signature']).split(' ').includes(`v1,${standard}`)
  )
}

/** Records a request as its receiver would and returns what is known of its event. */
function recordRequest(endpoint: Endpoint, secret: string, received: Received): SeenEvent {
  const { id, event, sequence, data } = JSON.parse(received.body)
  const bodyDigest = createHash('sha256').update(received.body).digest('base64')
  endpoint.requests++
  if (!isSigned(received, secret)) endpoint.faults.push(`${id}: signature`)
  if (received.headers['webhook-id'] !== id) endpoint.faults.push(`${id}: webhook-id`)
  let known = endpoint.known.get(id)
  if (!known) {
    const content = { type: event, sequence, data: JSON.stringify(data), bodyDigest }
    known = { ...content, requests: 0, failed: 0, isAccepted: false }
    endpoint.known.set(id, known)
  }
  if (known.bodyDigest !== bodyDigest) endpoint.faults.push(`${id}: another body`)
  known.requests++
  return known
}

/** A receiver in this process and the webhook that leads to it. */
async function openEndpoint(installation: ChaosInstallation, i: number, random: Random): Promise<Endpoint> {
  const behaviour = behaviours[i % behaviours.length]!
  const events = behaviour === 'once' ? ['invoice.created', 'workflow.started'] : ['invoice.created']
  let secret = ''
  const receiver = await startReceiver(async received => {
    receiver.received.length = 0
    const known = recordRequest(endpoint, secret, received)
    if (behaviour === 'slow') await pause(random.between(50, 300))
    if (behaviour === 'flaky' && known.failed < failuresMax && random.between(1, 10) === 1) {
      known.failed++
      return random.between(0, 1) === 0 ? 500 : 'cut'
    }
    known.isAccepted = true
    return 200
  })
  const created = await call<{ id: string; secret: string }>(installation, 'POST', '/api/v1/webhooks', {
    url: receiver.url,
    events,
  })
  secret = created.secret
  const endpoint: Endpoint = {
    name: `${behaviour} ${i + 1}`,
    behaviour,
    webhookId: created.id,
    events,
    known: new Map(),
    requests: 0,
    faults: [],
    stop: () => receiver.stop(),
  }
  return endpoint
}

export async function openEndpoints(
  installation: ChaosInstallation,
  count: number,
  random: Random,
): Promise<Endpoint[]> {
  const endpoints: Endpoint[] = []
  for (let i = 0; i < count; i++) endpoints.push(await openEndpoint(installation, i, random))
  return endpoints
}

/** One request that must succeed, while nobody is killed. On a busy machine it may be told that it was undone, and repeats. */
export async function call<Data>(
  installation: Pick<ChaosInstallation, 'apiUrls' | 'company'>,
  method: string,
  path: string,
  body?: unknown,
  apiKey = installation.company.productionKey,
  repeats = 3,
): Promise<Data> {
  const response = await fetch(installation.apiUrls[0] + path, {
    method,
    headers: { 'x-api-key': apiKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  })
  const text = await response.text()
  if (response.status === 504 && repeats > 0)
    return call<Data>(installation, method, path, body, apiKey, repeats - 1)
  if (!response.ok)
    throw new Error(`${method} ${path} was answered ${response.status}: ${text.slice(0, 300)}`)
  return (text === '' ? undefined : (JSON.parse(text) as { data: Data }).data) as Data
}
