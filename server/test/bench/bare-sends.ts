import { createHash, randomUUIDv7 } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Message } from '../../src/adapters/channel.ts'
import { simulator } from '../../src/adapters/simulator.ts'
import { createMetrics } from '../../src/features/platform/metrics.ts'
import { keepSandboxMessage } from '../../src/features/recovery/messages/sandbox-messages.ts'
import { send } from '../../src/features/recovery/messages/send.ts'
import type { Worker } from '../../src/features/recovery/messages/worker.ts'
import { wake } from '../../src/features/recovery/wake/wake.ts'
import { iso } from '../../src/kit/clock.ts'
import { createPool } from '../../src/kit/db/pool.ts'
import { createLog } from '../../src/kit/log.ts'
import { serialOf } from './data.ts'
import { player, recording } from './tape.ts'

/**
 * What the worker is measured against: a loop that takes due agendas with SKIP LOCKED and plays, for each, the transactions
 * the product was seen to make for one message: wake, claim, keep, settle. It judges nothing and would survive nothing.
 */
const env = process.env as Record<string, string>
const tenantId = env.TENANT_ID!
const sample = env.DEBTOR_ID!
// Rows cast together differ in their kind alone.
const [debtorKind, invoiceKind] = [sample.slice(13, 19), env.INVOICE_ID!.slice(13, 19)]
const pool = createPool({
  url: env.WORKER_DATABASE_URL!,
  role: 'relance-bench',
  max: 24,
  statementTimeoutMs: 30_000,
})

/** What differs from one debtor to the next: ids, points, and the number in names, addresses and texts. */
function marksOf(debtorId: string): string[] {
  const serial = String(serialOf(debtorId))
  const points = [`debtor ${debtorId}`, `email compta${serial}@durand.example`].map(point =>
    createHash('sha256').update(`${tenantId} ${point}`).digest('hex'),
  )
  return [debtorId, debtorId.replace(debtorKind, invoiceKind), ...points, serial]
}

async function record() {
  const { rows } = await pool.query('select clock_offset_ms as offset from installation')
  const wall = Date.now()
  const ids: string[] = []
  const watched = recording(pool)
  const worker: Worker = {
    pool: watched.pool,
    clock: { wall: () => wall },
    newId: () => ids[ids.push(randomUUIDv7()) - 1]!,
    newSalt: () => Buffer.alloc(16, 7),
    channelsFor: tenant => {
      const keep = (message: Message) => keepSandboxMessage(watched.pool, tenant.id, message, message.at)
      return {
        email: simulator('email', keep),
        sms: simulator('sms', keep),
        lrar: simulator('lrar', keep),
        voice: simulator('voice', keep),
      }
    },
    cell: 'e1',
    // What is signed for one message is made anew for each.
    keyring: { mac: () => `k1.${ids[ids.push(randomUUIDv7().slice(-18)) - 1]}` },
    publicUrl: 'https://relance.example',
    collector: null,
    mailFrom: 'recouvrement@relance.example',
    log: createLog('warn', 'bench'),
    metrics: createMetrics(),
    leaseMs: 60_000,
    redriveMs: 75_000,
  }
  const woken = await wake(worker, { tenantId, debtorId: sample, gen: 1 })
  if (woken?.kind !== 'send') throw new Error('the first debtor was not to be written to')
  await send(worker, tenantId, sample, woken.communicationId)
  const marks = marksOf(sample)
  const everything = JSON.stringify(watched.tape)
  const missing = marks.find(mark => !everything.includes(mark))
  if (missing) throw new Error(`what was recorded does not contain ${missing}`)
  const offset: number = rows[0]!.offset
  return { tape: watched.tape, marks: [...marks, iso(wall + offset), iso(wall)], ids, offset }
}

const { tape, marks, ids, offset } = await record()
const play = player(pool, tape, marks, ids)

async function sendTo(debtorId: string): Promise<void> {
  const wall = Date.now()
  const values = [...marksOf(debtorId), iso(wall + offset), iso(wall)]
  await play(Object.fromEntries(marks.map((mark, i) => [mark, values[i]!])))
}

const take = {
  name: 'take',
  text: `update agendas a set armed_gen = a.wake_gen, armed_at = $1
     from (select tenant_id, debtor_id from agendas where armed_gen <> wake_gen and wake_at is not null and wake_at <= $1
            order by wake_at limit 25 for update skip locked) due
    where a.tenant_id = due.tenant_id and a.debtor_id = due.debtor_id returning a.debtor_id`,
}
const queue: string[] = []
let taking: Promise<void> | null = null

async function takeMore(): Promise<void> {
  const { rows } = await pool.query({ ...take, values: [iso(Date.now())] })
  if (rows.length === 0) await pause(250)
  queue.push(...rows.map(row => row.debtor_id))
  taking = null
}

async function lane(): Promise<never> {
  for (;;) {
    while (queue.length === 0) {
      taking ??= takeMore()
      await taking
    }
    await sendTo(queue.shift()!)
  }
}

await Promise.all(Array.from({ length: 20 }, lane))
