import { HOUR } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { OperationContext } from '../../recovery/case/open-recovery.ts'

/** A card payment that was started. */
export interface CheckoutState {
  id: string
  invoice_id: string
  amount_cents: number
  currency: string
  account: string
  status: 'open' | 'completed' | 'failed' | 'expired'
  payment_id: string | null
}

const columns = 'id, invoice_id, amount_cents, currency, account, status, payment_id'
const insertCheckout = sql(
  'payments.insert-checkout',
  `insert into checkouts (tenant_id, id, invoice_id, communication_id, amount_cents, currency, account, status, created_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, $6, 'open', $7)`,
)
const lockInvoice = sql('payments.lock-invoice', 'select id from invoices where id = $1 for no key update')
// For a session of another message only the URL is returned: its code and its payer are not those of this message.
const findOpenCheckout = sql(
  'payments.find-open-checkout',
  `select c.id, case when c.communication_id <> $2 then c.session_url end as url from checkouts c
    where c.invoice_id = $1 and (c.communication_id = $2 or c.session_url is not null) and c.amount_cents = $3 and c.account = $5
      and c.status = 'open' and c.payment_id is null and c.created_at > $4
      and not exists (select from checkout_expiries e where e.tenant_id = c.tenant_id and e.checkout_id = c.id)
    order by c.communication_id = $2 desc, c.id desc limit 1`,
).as<{ id: string; url: string | null }>()
const saveCheckoutSession = sql(
  'payments.save-checkout-session',
  'update checkouts set session_id = $2, session_url = $3 where id = $1',
)
// An invoice has one open checkout at most.
const endOtherCheckouts = sql(
  'payments.end-other-checkouts',
  `insert into checkout_expiries (tenant_id, checkout_id, due_at, attempts)
   select tenant_id, id, '-infinity', 0 from checkouts where invoice_id = $1 and id <> $2 and status in ('open', 'failed') and payment_id is null and created_at > $3
   on conflict do nothing`,
)
const markCheckoutFailed = sql(
  'payments.give-up-checkout',
  `update checkouts set status = 'failed', settled_at = $2 where id = $1 and status = 'open' and payment_id is null`,
)
const selectCheckout = sql(
  'payments.get-checkout',
  `select ${columns} from checkouts where id = $1 and communication_id = $2`,
).as<CheckoutState>()

interface CheckoutRequest {
  invoiceId: string
  communicationId: string
  amountCents: number
  currency: string
  account: string
}

/** An open checkout is reused for this long; providers keep sessions and idempotent replies for a day. */
const reuseCheckoutMs = HOUR

/** After this long a session has ended by itself. */
const sessionMs = 24 * HOUR

/**
 * The checkout to open: a recent open one, if there is one. So a second click, or a click in the next message, leads to the
 * same session, and a debtor does not pay twice in two windows. `url`: the session of another message.
 */
export async function beginCheckout(
  { tx, now, newId }: OperationContext,
  request: CheckoutRequest,
): Promise<{ id: string; isNew: boolean; url: string | null }> {
  const { invoiceId, communicationId, amountCents, currency, account } = request
  const since = iso(now - reuseCheckoutMs)
  // Lock first, then read: of two requests at the same time the second finds the checkout of the first.
  await tx.rows(lockInvoice, [invoiceId])
  const [open] = await tx.rows(findOpenCheckout, [invoiceId, communicationId, amountCents, since, account])
  if (open) return { ...open, isNew: false }
  const id = newId()
  tx.atCommit(endOtherCheckouts, [invoiceId, id, iso(now - sessionMs)])
  tx.atCommit(insertCheckout, [id, invoiceId, communicationId, amountCents, currency, account, iso(now)])
  return { id, isNew: true, url: null }
}

export const saveSession = (
  tx: Tx,
  id: string,
  { sessionId, url }: { sessionId: string; url: string },
): void => tx.atCommit(saveCheckoutSession, [id, sessionId, url])

export const abandonCheckout = ({ tx, now }: OperationContext, id: string): void =>
  tx.atCommit(markCheckoutFailed, [id, iso(now)])

export const findCheckout = async (
  tx: Tx,
  id: string,
  communicationId: string,
): Promise<CheckoutState | null> => (await tx.rows(selectCheckout, [id, communicationId]))[0] ?? null
