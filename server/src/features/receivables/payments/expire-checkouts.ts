import type { PaymentAdapter } from '../../../adapters/payment/payment.ts'
import { type Clock, iso } from '../../../kit/clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import { forEachTenant } from '../../../kit/each-tenant.ts'
import type { Log } from '../../../kit/log.ts'
import { startPollLoop } from '../../../kit/poll-loop.ts'

const batchSize = 20
/** Together more than a day: after that a session has ended by itself. */
const attemptsMax = 32

interface Expiry {
  tenant_id: string
  checkout_id: string
  attempts: number
}

// The next attempt is planned when this one begins, so a process that dies in between delays it and loses nothing.
const claimExpiries = sql(
  'payments.claim-expiries',
  `update checkout_expiries e
      set attempts = e.attempts + 1, due_at = $1::timestamptz + least(30 * 2 ^ least(e.attempts, 10), 3600) * interval '1 second'
     from (select tenant_id, checkout_id from checkout_expiries where due_at <= $1 order by due_at, checkout_id
            limit ${batchSize} for update skip locked) due
    where e.tenant_id = due.tenant_id and e.checkout_id = due.checkout_id
   returning e.tenant_id, e.checkout_id, e.attempts`,
).as<Expiry>()
const deleteExpiry = sql(
  'payments.delete-expiry',
  'delete from checkout_expiries where tenant_id = $1 and checkout_id = $2',
)
const markExpired = sql(
  'payments.expire-checkout',
  `update checkouts set status = 'expired', settled_at = $2 where id = $1 and status = 'open' and payment_id is null`,
)
const readEnded = sql(
  'payments.get-ended-checkout',
  `select c.session_id, c.account, t.environment from checkouts c join tenants t on t.id = c.tenant_id
    where c.id = $1 and c.status <> 'completed' and c.payment_id is null`,
).as<{ session_id: string | null; account: string; environment: 'production' | 'sandbox' }>()

export interface CheckoutExpiryContext {
  pool: Pool
  clock: Clock
  log: Log
  payment: PaymentAdapter | null
}

/**
 * Ends one checkout: first in the database, so that no debtor is sent to it any more, then at the provider. A payment in
 * between is recorded by the provider's event, as always.
 */
async function expireCheckout(context: CheckoutExpiryContext, expiry: Expiry): Promise<void> {
  const { pool, clock, log, payment } = context
  const { tenant_id: tenantId, checkout_id: checkoutId, attempts } = expiry
  const ended = await transact(pool, asWorker(tenantId), [], async ({ tx, offsetMs }) => {
    await tx.rows(markExpired, [checkoutId, iso(clock.wall() + offsetMs)])
    return (await tx.rows(readEnded, [checkoutId]))[0]
  })
  const forget = async () => void (await queryOn(pool)(deleteExpiry, [tenantId, checkoutId]))
  // It was paid, or nothing was opened at a provider.
  if (!ended || ended.environment === 'sandbox') return forget()
  const { session_id: sessionId, account } = ended
  const result =
    sessionId === null
      ? ({ outcome: 'failed', reason: 'session unknown', isRetryable: true } as const)
      : payment
        ? await payment.expire({ account, sessionId })
        : ({ outcome: 'failed', reason: 'no payment provider', isRetryable: true } as const)
  if (result.outcome !== 'failed') return forget()
  log.warn({ tenantId, checkoutId, reason: result.reason, attempts }, 'checkout not ended')
  if (!result.isRetryable || attempts >= attemptsMax) return forget()
}

/** Ends the sessions of checkouts whose invoice was settled otherwise; each is retried until the provider has answered. */
export function startCheckoutExpiry(
  context: CheckoutExpiryContext,
  pollMs: number,
): { stop(): Promise<void> } {
  const { pool, clock, log } = context
  return startPollLoop({
    pollMs,
    log,
    failure: 'ending checkouts failed; it is retried',
    async pass() {
      const due = await queryOn(pool)(claimExpiries, [iso(clock.wall())])
      const loop = {
        idsOf: ({ tenant_id, checkout_id }: Expiry) => ({ tenantId: tenant_id, checkoutId: checkout_id }),
        failure: 'checkout not ended',
      }
      await forEachTenant(log, due, loop, expiry => expireCheckout(context, expiry))
      return due.length === batchSize
    },
  })
}
