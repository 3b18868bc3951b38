import type { Environment } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, Rollback, sqlState, transact } from '../../../kit/db/transaction.ts'
import { withRetries } from '../../../kit/with-retries.ts'
import { isClosedSql } from '../../access/companies/stops.ts'
import { type DeliveryContext, requestsPerEndpoint } from './delivery-context.ts'
import { bodyOf, postDelivery } from './post-delivery.ts'
import { type DeliveryOutcome, outcomeOf, settleDeliveries } from './settle-deliveries.ts'
import { secretPurpose } from './signature.ts'

/** The task to deliver to one endpoint. */
export interface DeliveryTask {
  tenantId: string
  webhookId: string
  generation: number
}

/** After this time an endpoint with a long queue has to wait behind the others. */
const turnMs = 5_000

/** How often an endpoint of a closed company is checked again. */
const closedPauseMs = 3_600_000

const lockTimeout = '55P03'
const startingUp = '57P03'

const claimEndpoint = sql(
  'webhooks.claim-endpoint',
  `update webhook_endpoints set generation = generation + 1, busy_until = $3
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1 and generation = $2 and enabled returning generation`,
)
/** Locks the endpoint for the rest of the transaction; the statements after it read its current queue. */
const lockEndpoint = sql(
  'webhooks.extend-lease',
  `update webhook_endpoints set busy_until = $3, failing = case when $4 then 0 else failing + $5::integer end,
          last_triggered_at = coalesce($6, last_triggered_at)
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1 and generation = $2 and enabled
   returning warned_at`,
)
interface DueDelivery {
  event_id: string
  attempts: number
  deferrals: number
  queued_at: number
  /** Null if the event no longer exists, for example after a sandbox reset. */
  type: string | null
  data: unknown
  sequence: number
  occurred_at: number
}
const findDueDeliveries = sql(
  'webhooks.list-due',
  `select q.event_id, q.attempts, q.deferrals, q.created_at as queued_at, e.type, e.data, e.sequence, e.occurred_at
     from webhook_queue q left join events e on e.id = q.event_id
    where q.tenant_id = current_setting('relance.tenant')::uuid and q.webhook_id = $1 and q.due_at <= $2
    order by q.due_at, q.event_id limit ${requestsPerEndpoint}`,
).as<DueDelivery>()
const findNextDueAt = sql(
  'webhooks.find-next-due',
  `select due_at::text as next from webhook_queue
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1 order by due_at, event_id limit 1`,
).as<{ next: string }>()
const findEndpoint = sql(
  'webhooks.find-endpoint',
  `select w.url, w.secret_sealed, t.environment, ${isClosedSql} as is_closed
     from webhooks w join tenants t on t.id = w.tenant_id join companies c on c.id = t.company_id where w.id = $1`,
).as<{ url: string; secret_sealed: string; environment: Environment; is_closed: boolean }>()
const releaseEndpoint = sql(
  'webhooks.release-endpoint',
  `update webhook_endpoints set busy_until = null, wake_at = $3
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1 and generation = $2`,
)

interface Round {
  due: DueDelivery[]
  url: string
  secret: string
  environment: Environment
}

/**
 * Delivers the due events of one endpoint: up to eight requests at a time; one transaction writes their outcomes and claims the
 * next eight. Safe to run twice: the second run has an old generation and stops. Safe to crash: requests without a written
 * outcome are sent again.
 */
export async function deliverEndpoint(context: DeliveryContext, task: DeliveryTask): Promise<void> {
  const { tenantId, webhookId } = task
  const beganAt = context.clock.wall()
  const lease = () => iso(context.clock.wall() + context.leaseMs)
  const generation = await transact(
    context.pool,
    asWorker(tenantId),
    [[claimEndpoint, [webhookId, task.generation, lease()]]],
    async ({ openingRows }) => openingRows[0][0]?.generation ?? null,
  )
  if (generation === null) return
  let outcomes: DeliveryOutcome[] = []
  for (;;) {
    // An endpoint that keeps failing is retried with back-off, never in a tight loop.
    const hasOnlyFailures = outcomes.length > 0 && !outcomes.some(({ tried }) => tried?.isDelivered)
    const isTurnOver = hasOnlyFailures || context.clock.wall() - beganAt >= turnMs
    // The outcomes of sent requests must not be lost by a short database problem.
    const round = await withRetries(hasWrittenNothing, () =>
      settleAndClaimNext(context, { ...task, generation }, outcomes, lease(), isTurnOver),
    )
    if (round === null) return
    outcomes = await postRound(context, webhookId, round)
  }
}

/** The endpoint is locked, or there is no connection: nothing was written, and it may be repeated. */
const hasWrittenNothing = (error: unknown) =>
  [lockTimeout, startingUp, 'ECONNREFUSED'].includes(sqlState(error)) ||
  (error instanceof Error && /timeout exceeded when trying to connect/.test(error.message))

/** The last three results of an opening with a varying number of statements. */
const lastThree = <A, B, C>(rows: readonly [...unknown[], A, B, C]) => rows.slice(-3) as [A, B, C]

/** Writes the outcomes of the last round and claims the next one; null if there is none for now. */
function settleAndClaimNext(
  context: DeliveryContext,
  { tenantId, webhookId, generation }: DeliveryTask,
  outcomes: readonly DeliveryOutcome[],
  lease: string,
  isTurnOver: boolean,
): Promise<Round | null> {
  const wall = iso(context.clock.wall())
  const settled = settleDeliveries(outcomes)
  return transact(
    context.pool,
    asWorker(tenantId),
    [
      [lockEndpoint, [webhookId, generation, lease, settled.hasDelivered, settled.failed, settled.triedAt]],
      ...settled.statements(webhookId),
      [findDueDeliveries, [webhookId, wall]],
      [findNextDueAt, [webhookId]],
      [findEndpoint, [webhookId]],
    ],
    async ({ tx, openingRows, offsetMs }) => {
      const [[lockedEndpoint]] = openingRows
      // Switched off, deleted or claimed by another worker: write nothing.
      if (!lockedEndpoint) return new Rollback<Round | null>(null)
      const [due, [next], [endpoint]] = lastThree(openingRows)
      const now = context.clock.wall() + offsetMs
      const isOn = settled.conclude({ tx, context, now }, { webhookId, warnedAt: lockedEndpoint.warned_at })
      if (!isOn || !endpoint) return null
      if (due.length === 0 || isTurnOver) {
        // After its turn the endpoint is due from now on, not from the age of its queue: other endpoints have waited too.
        tx.atCommit(releaseEndpoint, [webhookId, generation, due.length > 0 ? wall : (next?.next ?? null)])
        return null
      }
      // Events for a closed company wait; this uses up no attempt.
      if (endpoint.is_closed) {
        tx.atCommit(releaseEndpoint, [webhookId, generation, iso(context.clock.wall() + closedPauseMs)])
        return null
      }
      const secret = context.keyring.open(secretPurpose(webhookId), endpoint.secret_sealed)
      return { due, url: endpoint.url, secret, environment: endpoint.environment }
    },
  )
}

function postRound(
  context: DeliveryContext,
  webhookId: string,
  { due, url, secret, environment }: Round,
): Promise<DeliveryOutcome[]> {
  const client = context.clients.for(webhookId)
  return Promise.all(
    due.map(async row => {
      if (row.type === null) return outcomeOf(row, null, context.clock.wall())
      const { event_id: id, type, data, sequence } = row
      const body = bodyOf({ id, type, data, sequence, environment, createdAt: iso(row.occurred_at) })
      const attempt = await postDelivery(client, { url, secret }, { id, body, sentAt: context.clock.wall() })
      context.metrics.deliveries.inc({ outcome: attempt.verdict })
      context.metrics.deliverySeconds.observe(attempt.durationMs / 1000)
      return outcomeOf(row, attempt, context.clock.wall())
    }),
  )
}
