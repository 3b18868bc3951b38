import { createHash, randomUUIDv7 } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { EmailMessage } from '../../src/adapters/channel.ts'
import { smtpEmail } from '../../src/adapters/email/smtp.ts'
import { createMetrics } from '../../src/features/platform/metrics.ts'
import { providerPlaces } from '../../src/features/recovery/messages/provider-places.ts'
import { sendClaimed } from '../../src/features/recovery/messages/send/send-message.ts'
import type { WorkerContext } from '../../src/features/recovery/messages/worker-context.ts'
import { wakeDebtor } from '../../src/features/recovery/wake/wake-debtor.ts'
import { iso } from '../../src/kit/clock.ts'
import { createPool } from '../../src/kit/db/pool.ts'
import { createLog } from '../../src/kit/log.ts'
import { serialOf } from './data.ts'
import { player, recording } from './tape.ts'

/**
 * The baseline for the worker: a loop that claims due agendas with SKIP LOCKED and replays, for each, the transactions that
 * were recorded from the product for one message: claim, fence, settle. In between it sends the recorded mail. It decides
 * nothing and would not survive a crash.
 */
const env = process.env as Record<string, string>
const tenantId = env.TENANT_ID!
const sample = env.DEBTOR_ID!
// Ids that were inserted together differ only in this part.
const [debtorKind, invoiceKind] = [sample.slice(13, 19), env.INVOICE_ID!.slice(13, 19)]
const pool = createPool({
  url: env.WORKER_DATABASE_URL!,
  role: 'relance-bench',
  max: 24,
  statementTimeoutMs: 30_000,
})

const personDigest = (point: string) => createHash('sha256').update(point).digest()
const smtpUrl = new URL(env.SMTP_URL!)
const smtp = smtpEmail({ host: smtpUrl.hostname, port: Number(smtpUrl.port) })

/** What differs from one debtor to the next: ids, points, and the number in names, addresses and texts. */
function marksOf(debtorId: string): string[] {
  const serial = String(serialOf(debtorId))
  const points = [`debtor ${debtorId}`, `email compta${serial}@durand.example`].map(point =>
    createHash('sha256').update(`${tenantId} ${point}`).digest('hex'),
  )
  const person = personDigest(`email compta${serial}@durand.example`).toString('hex')
  return [debtorId, debtorId.replace(debtorKind, invoiceKind), ...points, person, serial]
}

async function record() {
  const { rows } = await pool.query('select clock_offset_ms as offset from installation')
  const wall = Date.now()
  const ids: string[] = []
  const watched = recording(pool)
  let sent: EmailMessage | null = null
  const email: typeof smtp = {
    ...smtp,
    async send(message, hooks) {
      sent = message
      await hooks.beforeCommit()
      return { outcome: 'accepted', providerId: message.communicationId }
    },
  }
  const worker: WorkerContext = {
    workerId: randomUUIDv7(),
    pool: watched.pool,
    clock: { wall: () => wall },
    isClockRight: () => true,
    newId: () => ids[ids.push(randomUUIDv7()) - 1]!,
    newSalt: () => Buffer.alloc(16, 7),
    channelsFor: () => ({ email, sms: null, lrar: null, voice: null }),
    goToNextPerson: async () => false,
    places: providerPlaces(20),
    providerRetrySeconds: [30],
    cell: 'e1',
    // What is signed for one message is made anew for each.
    keyring: {
      mac: () => `k1.${ids[ids.push(randomUUIDv7().slice(-18)) - 1]}`,
      digests: (_purpose, text) => [personDigest(text)],
      open: (_purpose, sealed) => sealed,
    },
    prices: { email: 0, sms: 0, lrar: 0, voice: 0 },
    publicUrl: 'https://relance.example',
    receivesReplies: false,
    mailFrom: 'recouvrement@relance.example',
    log: createLog('warn', 'bench'),
    metrics: createMetrics(),
    fenceCommit: null,
    leaseMs: 60_000,
    neverSeenAfterMs: 3_600_000,
    reclaimAfterMs: 75_000,
  }
  const woken = await wakeDebtor(worker, { tenantId, debtorId: sample, generation: 1 })
  if (woken?.kind !== 'send' || !woken.claim) throw new Error('the first debtor was not to be written to')
  await sendClaimed(worker, woken.claim)
  const marks = marksOf(sample)
  const inHex = (_key: string, value: { type?: string; data?: number[] }) =>
    value?.type === 'Buffer' ? Buffer.from(value.data!).toString('hex') : value
  const everything = JSON.stringify(watched.tape, inHex)
  const missing = marks.find(mark => !everything.includes(mark))
  if (missing) throw new Error(`what was recorded does not contain ${missing}`)
  const offset: number = rows[0]!.offset
  return { tape: watched.tape, mail: sent!, marks: [...marks, iso(wall + offset), iso(wall)], ids, offset }
}

const { tape, mail, marks, ids, offset } = await record()
const replay = player(pool, tape, marks, ids)

async function sendTo(debtorId: string): Promise<void> {
  const wall = Date.now()
  const values = [...marksOf(debtorId), iso(wall + offset), iso(wall)]
  await smtp.send(mail, { beforeCommit: async () => {} })
  await replay(Object.fromEntries(marks.map((mark, i) => [mark, values[i]!])))
}

const claimDue = {
  name: 'take',
  text: `update agendas a set taken_generation = a.wake_generation, taken_at = $1
     from (select tenant_id, debtor_id from agendas where taken_generation <> wake_generation and wake_at is not null and wake_at <= $1
            order by wake_at limit 25 for update skip locked) due
    where a.tenant_id = due.tenant_id and a.debtor_id = due.debtor_id returning a.debtor_id`,
}
const queue: string[] = []
let claiming: Promise<void> | null = null

async function claimMore(): Promise<void> {
  const { rows } = await pool.query({ ...claimDue, values: [iso(Date.now())] })
  if (rows.length === 0) await pause(250)
  queue.push(...rows.map(row => row.debtor_id))
  claiming = null
}

async function sendLoop(): Promise<never> {
  for (;;) {
    while (queue.length === 0) {
      claiming ??= claimMore()
      await claiming
    }
    await sendTo(queue.shift()!)
  }
}

await Promise.all(Array.from({ length: 20 }, sendLoop))
