import { setTimeout as pause } from 'node:timers/promises'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, isDatabaseFault, sqlState, transact, Undo } from '../../../kit/db/transaction.ts'
import type { Environment } from '../../../kit/operation.ts'
import { atOnce, type Courier } from './courier.ts'
import { bodyOf, postDelivery } from './post-delivery.ts'
import { type Judged, judge, settle } from './settle.ts'
import { secretPurpose } from './signature.ts'

/** One endpoint to look at. Ids only; `v` is its version. */
export interface PumpTask {
  v: 1
  tenantId: string
  webhookId: string
  gen: number
}

/** After so long an endpoint with much to come goes to the end of the line. */
const turnMs = 5_000

const lockTimeout = '55P03'
const startingUp = '57P03'

const claim = sql(
  'webhooks.claim-endpoint',
  `update webhook_pumps set gen = gen + 1, busy_until = $3
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1 and gen = $2 and enabled returning gen`,
)
/** Locks the endpoint for the rest of the transaction; what is read after it is what it still has to do. */
const hold = sql(
  'webhooks.extend-lease',
  `update webhook_pumps set busy_until = $3, failing = case when $4 then 0 else failing + $5::integer end,
          last_triggered_at = coalesce($6, last_triggered_at)
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1 and gen = $2 and enabled
   returning warned_at`,
)
interface DueRow {
  event_id: string
  attempts: number
  put_off: number
  queued_at: number
  /** Null when the event is gone, as after a reset of the sandbox. */
  type: string | null
  data: unknown
  sequence: number
  occurred_at: number
}
const findDue = sql(
  'webhooks.list-due',
  `select q.event_id, q.attempts, q.put_off, q.created_at as queued_at, e.type, e.data, e.sequence, e.occurred_at
     from webhook_queue q left join events e on e.id = q.event_id
    where q.tenant_id = current_setting('relance.tenant')::uuid and q.webhook_id = $1 and q.due_at <= $2
    order by q.due_at, q.event_id limit ${atOnce}`,
).as<DueRow>()
const findNext = sql(
  'webhooks.find-next-due',
  `select due_at::text as next from webhook_queue
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1 order by due_at, event_id limit 1`,
).as<{ next: string }>()
const findEndpoint = sql(
  'webhooks.find-endpoint',
  `select w.url, w.secret_sealed, t.environment from webhooks w join tenants t on t.id = w.tenant_id where w.id = $1`,
).as<{ url: string; secret_sealed: string; environment: Environment }>()
const release = sql(
  'webhooks.release-endpoint',
  `update webhook_pumps set busy_until = null, wake_at = $3
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1 and gen = $2`,
)

interface Round {
  due: DueRow[]
  url: string
  secret: string
  environment: Environment
}

/**
 * Takes an endpoint through what is due: up to eight requests at once, their outcomes in one transaction that also takes the
 * next eight. Safe to run twice: the second is stale by its generation; safe to die in: what was not written is sent again.
 */
export async function pump(courier: Courier, task: PumpTask): Promise<void> {
  const { tenantId, webhookId } = task
  const beganAt = courier.clock.wall()
  const lease = () => iso(courier.clock.wall() + courier.leaseMs)
  const gen = await transact(
    courier.pool,
    asWorker(tenantId),
    [[claim, [webhookId, task.gen, lease()]]],
    async ({ first }) => first[0][0]?.gen ?? null,
  )
  if (gen === null) return
  let outcomes: Judged[] = []
  for (;;) {
    // Who refuses everything comes again in its turn, and not as fast as it can refuse.
    const isRefused = outcomes.length > 0 && !outcomes.some(({ tried }) => tried?.isDelivered)
    const isTurnOver = isRefused || courier.clock.wall() - beganAt >= turnMs
    const round = await patiently(() => step(courier, { ...task, gen }, outcomes, lease(), isTurnOver))
    if (round === null) return
    outcomes = await deliver(courier, webhookId, round)
  }
}

/** Somebody else holds the endpoint, or there is no connection to be had: nothing was written, and soon it can be. */
const isForNow = (error: unknown) =>
  [lockTimeout, startingUp, 'ECONNREFUSED'].includes(sqlState(error)) ||
  (error instanceof Error && /timeout exceeded when trying to connect/.test(error.message))

/** What came of eight requests is not thrown away because it cannot be written at once. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work()
    } catch (error) {
      if (tries === 5 || !isForNow(error)) throw error
      await pause(tries * 500)
    }
}

/** Of the rows of an opening whose middle varies in length. */
const lastThree = <A, B, C>(rows: readonly [...unknown[], A, B, C]) => rows.slice(-3) as [A, B, C]

/** Writes down what came of the last round and takes the next; null when there is none for now. */
function step(
  courier: Courier,
  { tenantId, webhookId, gen }: PumpTask,
  outcomes: readonly Judged[],
  lease: string,
  isTurnOver: boolean,
): Promise<Round | null> {
  const wall = iso(courier.clock.wall())
  const written = settle(outcomes)
  return transact(
    courier.pool,
    asWorker(tenantId),
    [
      [hold, [webhookId, gen, lease, written.isAlive, written.failed, written.triedAt]],
      ...written.calls(webhookId),
      [findDue, [webhookId, wall]],
      [findNext, [webhookId]],
      [findEndpoint, [webhookId]],
    ],
    async ({ tx, first, offsetMs }) => {
      const [[held]] = first
      // Switched off, deleted or taken over meanwhile: whoever has it now knows better.
      if (!held) return new Undo<Round | null>(null)
      const [due, [next], [endpoint]] = lastThree(first)
      const now = courier.clock.wall() + offsetMs
      const isOn = written.conclude({ tx, courier, now }, { webhookId, warnedAt: held.warned_at })
      if (!isOn || !endpoint) return null
      if (due.length === 0 || isTurnOver) {
        // One whose turn is over waits from now on, however long its lines have been due: others waited meanwhile.
        tx.atCommit(release, [webhookId, gen, due.length > 0 ? wall : (next?.next ?? null)])
        return null
      }
      const secret = courier.keyring.open(secretPurpose(webhookId), endpoint.secret_sealed)
      return { due, url: endpoint.url, secret, environment: endpoint.environment }
    },
  )
}

function deliver(
  courier: Courier,
  webhookId: string,
  { due, url, secret, environment }: Round,
): Promise<Judged[]> {
  const client = courier.clients.for(webhookId)
  return Promise.all(
    due.map(async row => {
      if (row.type === null) return judge(row, null, courier.clock.wall())
      const { event_id: id, type, data, sequence } = row
      const body = bodyOf({ id, type, data, sequence, environment, createdAt: iso(row.occurred_at) })
      const attempt = await postDelivery(client, { url, secret }, { id, body, sentAt: courier.clock.wall() })
      courier.metrics.deliveries.inc({ outcome: attempt.verdict })
      courier.metrics.deliverySeconds.observe(attempt.durationMs / 1000)
      return judge(row, attempt, courier.clock.wall())
    }),
  )
}

/**
 * Takes several endpoints through. One that fails is found again when its lease has run out; a database that is away fails
 * the batch, so that whoever carried it here brings it again.
 */
export async function pumpAll(courier: Courier, tasks: readonly PumpTask[]): Promise<void> {
  const results = await Promise.allSettled(tasks.map(task => pump(courier, task)))
  let away: unknown = null
  results.forEach((result, i) => {
    if (result.status === 'fulfilled') return
    if (isDatabaseFault(result.reason)) away = result.reason
    else courier.log.error({ ...tasks[i], err: result.reason }, 'endpoint failed')
  })
  if (away) throw away
}
