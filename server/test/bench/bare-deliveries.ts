import { setTimeout as pause } from 'node:timers/promises'
import { Pool as Connections } from 'undici'
import { deliverEndpoint } from '../../src/features/integrations/webhooks/deliver-endpoint.ts'
import {
  type DeliveryContext,
  requestsPerEndpoint,
} from '../../src/features/integrations/webhooks/delivery-context.ts'
import { bodyOf } from '../../src/features/integrations/webhooks/post-delivery.ts'
import { secretPurpose, signatureHeaders } from '../../src/features/integrations/webhooks/signature.ts'
import { createMetrics } from '../../src/features/platform/metrics.ts'
import { iso } from '../../src/kit/clock.ts'
import { keyring } from '../../src/kit/crypto.ts'
import { createPool } from '../../src/kit/db/pool.ts'
import { createLog } from '../../src/kit/log.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'
import type { Endpoint } from './deliveries-fill.ts'
import { player, recording } from './tape.ts'

/**
 * The baseline for webhook delivery: a loop that claims due endpoints with SKIP LOCKED and sends eight signed requests at a
 * time. For every eight it replays the one transaction that was recorded from the product: save the results, claim the next.
 * It checks no address, answer or failure, holds no lease, and would not survive a crash.
 */
const env = process.env as Record<string, string>
const sample: Endpoint = { tenantId: env.TENANT_ID!, webhookId: env.WEBHOOK_ID! }
const ring = keyring(env.KEYRING!)
const leaseMs = 30_000
const pool = createPool({
  url: env.WORKER_DATABASE_URL!,
  role: 'relance-bench',
  max: 8,
  statementTimeoutMs: 30_000,
})

/** Records two rounds of the product, for an endpoint with sixteen queued events. */
async function record() {
  const wall = Date.now()
  const watched = recording(pool)
  const sent: string[] = []
  const context: DeliveryContext = {
    pool: watched.pool,
    clock: { wall: () => wall },
    newId: () => uuidv7(wall),
    keyring: ring,
    clients: {
      for: () => ({
        async request({ headers }) {
          sent.push(headers!['webhook-id']!)
          return { status: 204, headers: {}, body: Buffer.alloc(0), truncated: false }
        },
      }),
      close: async () => {},
    },
    leaseMs,
    log: createLog('warn', 'bench'),
    metrics: createMetrics(),
  }
  await deliverEndpoint(context, { ...sample, generation: 1 })
  const [, claiming, settling] = watched.tape
  if (!claiming || !settling || sent.length !== 2 * requestsPerEndpoint)
    throw new Error(`${sent.length} of ${2 * requestsPerEndpoint} lines were recorded`)
  const eight = sent.slice(0, requestsPerEndpoint)
  const everything = JSON.stringify(settling)
  const missing = eight.find(id => !everything.includes(id))
  if (missing) throw new Error(`what was recorded does not contain ${missing}`)
  return { claiming, settling, eight, wall: iso(wall), lease: iso(wall + leaseMs) }
}

const { claiming, settling, eight, wall, lease } = await record()
const marks = [sample.tenantId, sample.webhookId, wall, lease]
const claim = player(pool, [claiming], marks, [])
const settleAndClaim = player(pool, [settling], [...marks, ...eight], [])
// Opens all connections now, so that no request waits for one later.
await Promise.all(Array.from({ length: pool.options.max }, () => pool.query('select pg_sleep(0.05)')))
// The tape contains the generation as it was after the sample's one claim.
await pool.query('update webhook_endpoints set generation = 2')

interface Due {
  event_id: string
  type: string
  data: unknown
  sequence: number
  occurred_at: number
}

const known = new Map<string, { connections: Connections; path: string; secret: string }>()

function receiverOf(webhookId: string, { url, secret_sealed }: { url: string; secret_sealed: string }) {
  let receiver = known.get(webhookId)
  if (!receiver) {
    const { origin, pathname } = new URL(url)
    const connections = new Connections(origin, { connections: requestsPerEndpoint })
    receiver = { connections, path: pathname, secret: ring.open(secretPurpose(webhookId), secret_sealed) }
    known.set(webhookId, receiver)
  }
  return receiver
}

async function deliverAll({ tenantId, webhookId }: Endpoint): Promise<void> {
  const fill = () => ({
    [sample.tenantId]: tenantId,
    [sample.webhookId]: webhookId,
    [wall]: iso(Date.now()),
    [lease]: iso(Date.now() + leaseMs),
  })
  let found = await claim(fill())
  for (;;) {
    const due: Due[] = found.at(-4)!.rows
    if (due.length === 0) return
    if (due.length !== requestsPerEndpoint) throw new Error('lines come in eights')
    const endpoint = found.at(-2)!.rows[0]!
    const { connections, path, secret } = receiverOf(webhookId, endpoint)
    const { environment } = endpoint
    await Promise.all(
      due.map(async ({ event_id: id, type, data, sequence, occurred_at }) => {
        const body = bodyOf({ id, type, data, sequence, environment, createdAt: iso(occurred_at) })
        const reply = await connections.request({
          path,
          method: 'POST',
          headers: {
            'content-type': 'application/json; charset=utf-8',
            ...signatureHeaders(secret, { id, body, sentAt: Date.now() }),
          },
          body,
        })
        await reply.body.dump()
        if (reply.statusCode !== 204) throw new Error(`the receiver answered ${reply.statusCode}`)
      }),
    )
    found = await settleAndClaim({
      ...fill(),
      ...Object.fromEntries(eight.map((mark, i) => [mark, due[i]!.event_id])),
    })
  }
}

const claimEndpoints = {
  name: 'take',
  text: `update webhook_endpoints p set wake_at = null
     from (select tenant_id, webhook_id from webhook_endpoints where wake_at is not null and enabled and wake_at <= $1
            order by wake_at limit 128 for update skip locked) due
    where p.tenant_id = due.tenant_id and p.webhook_id = due.webhook_id
   returning p.tenant_id as "tenantId", p.webhook_id as "webhookId"`,
}

for (;;) {
  const { rows } = await pool.query<Endpoint>({ ...claimEndpoints, values: [iso(Date.now())] })
  for (const endpoint of rows)
    deliverAll(endpoint).catch(error => {
      console.error(error)
      process.exit(1)
    })
  if (rows.length === 0) await pause(100)
}
