import { setTimeout as pause } from 'node:timers/promises'
import { Pool as Connections } from 'undici'
import { atOnce, type Courier } from '../../src/features/integrations/webhooks/courier.ts'
import { bodyOf } from '../../src/features/integrations/webhooks/post-delivery.ts'
import { pump } from '../../src/features/integrations/webhooks/pump.ts'
import { secretPurpose, signatureHeaders } from '../../src/features/integrations/webhooks/signature.ts'
import { createMetrics } from '../../src/features/platform/metrics.ts'
import { iso } from '../../src/kit/clock.ts'
import { keyring } from '../../src/kit/crypto.ts'
import { createPool } from '../../src/kit/db/pool.ts'
import { createLog } from '../../src/kit/log.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'
import type { Endpoint } from './deliveries-cast.ts'
import { player, recording } from './tape.ts'

/**
 * What the couriers are measured against: a loop that takes due endpoints with SKIP LOCKED and goes through each with eight
 * signed requests at once, playing for every eight the one transaction the product was seen to make: write down, take the
 * next. It judges no address, no answer and no failure, holds no lease, and would survive nothing.
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

/** Two rounds of the product's own, for an endpoint with twice eight lines. */
async function record() {
  const wall = Date.now()
  const watched = recording(pool)
  const sent: string[] = []
  const courier: Courier = {
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
  await pump(courier, { v: 1, ...sample, gen: 1 })
  const [, taking, settling] = watched.tape
  if (!taking || !settling || sent.length !== 2 * atOnce)
    throw new Error(`${sent.length} of ${2 * atOnce} lines were recorded`)
  const eight = sent.slice(0, atOnce)
  const everything = JSON.stringify(settling)
  const missing = eight.find(id => !everything.includes(id))
  if (missing) throw new Error(`what was recorded does not contain ${missing}`)
  return { taking, settling, eight, wall: iso(wall), lease: iso(wall + leaseMs) }
}

const { taking, settling, eight, wall, lease } = await record()
const marks = [sample.tenantId, sample.webhookId, wall, lease]
const take = player(pool, [taking], marks, [])
const settleAndTake = player(pool, [settling], [...marks, ...eight], [])
// Nobody waits for a connection later.
await Promise.all(Array.from({ length: pool.options.max }, () => pool.query('select pg_sleep(0.05)')))
// The generation stands in the tape as it was after the sample's one claim.
await pool.query('update webhook_pumps set gen = 2')

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
    const connections = new Connections(origin, { connections: atOnce })
    receiver = { connections, path: pathname, secret: ring.open(secretPurpose(webhookId), secret_sealed) }
    known.set(webhookId, receiver)
  }
  return receiver
}

async function serve({ tenantId, webhookId }: Endpoint): Promise<void> {
  const fill = () => ({
    [sample.tenantId]: tenantId,
    [sample.webhookId]: webhookId,
    [wall]: iso(Date.now()),
    [lease]: iso(Date.now() + leaseMs),
  })
  let found = await take(fill())
  for (;;) {
    const due: Due[] = found.at(-4)!.rows
    if (due.length === 0) return
    if (due.length !== atOnce) throw new Error('lines come in eights')
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
    found = await settleAndTake({
      ...fill(),
      ...Object.fromEntries(eight.map((mark, i) => [mark, due[i]!.event_id])),
    })
  }
}

const takeEndpoints = {
  name: 'take',
  text: `update webhook_pumps p set wake_at = null
     from (select tenant_id, webhook_id from webhook_pumps where wake_at is not null and enabled and wake_at <= $1
            order by wake_at limit 128 for update skip locked) due
    where p.tenant_id = due.tenant_id and p.webhook_id = due.webhook_id
   returning p.tenant_id as "tenantId", p.webhook_id as "webhookId"`,
}

for (;;) {
  const { rows } = await pool.query<Endpoint>({ ...takeEndpoints, values: [iso(Date.now())] })
  for (const endpoint of rows)
    serve(endpoint).catch(error => {
      console.error(error)
      process.exit(1)
    })
  if (rows.length === 0) await pause(100)
}
