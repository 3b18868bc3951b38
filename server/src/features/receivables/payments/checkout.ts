import { HOUR } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { World } from '../../recovery/case/case.ts'

/** A card payment that was begun. */
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
const insert = sql(
  'payments.insert-checkout',
  `insert into checkouts (tenant_id, id, invoice_id, communication_id, amount_cents, currency, account, status, created_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, $6, 'open', $7)`,
)
const lockInvoice = sql('payments.lock-invoice', 'select id from invoices where id = $1 for no key update')
const findOpen = sql(
  'payments.find-open-checkout',
  `select id from checkouts
    where invoice_id = $1 and communication_id = $2 and amount_cents = $3 and account = $5 and status = 'open' and payment_id is null and created_at > $4
    order by id desc limit 1`,
)
const keep = sql('payments.save-checkout-session', 'update checkouts set session_id = $2 where id = $1')
const giveUp = sql(
  'payments.give-up-checkout',
  `update checkouts set status = 'failed', settled_at = $2 where id = $1 and status = 'open' and payment_id is null`,
)
const find = sql(
  'payments.get-checkout',
  `select ${columns} from checkouts where id = $1 and communication_id = $2`,
).as<CheckoutState>()

interface Wanted {
  invoiceId: string
  communicationId: string
  amountCents: number
  currency: string
  account: string
}

/** Providers keep an answer for a day, and a session open as long; well within both, the same checkout is taken up again. */
const sameCheckoutFor = HOUR

/**
 * The checkout to open: the one begun a moment ago, if there is one. So a second press of the button leads to the same
 * session, and nobody pays in two windows.
 */
export async function beginCheckout(
  { tx, now, newId }: World,
  wanted: Wanted,
): Promise<{ id: string; isNew: boolean }> {
  const { invoiceId, communicationId, amountCents, currency, account } = wanted
  const since = iso(now - sameCheckoutFor)
  // Lock in one statement, read in the next: of two presses at once the second finds what the first began.
  await tx.rows(lockInvoice, [invoiceId])
  const [begun] = await tx.rows(findOpen, [invoiceId, communicationId, amountCents, since, account])
  if (begun) return { id: begun.id, isNew: false }
  const id = newId()
  tx.atCommit(insert, [id, invoiceId, communicationId, amountCents, currency, account, iso(now)])
  return { id, isNew: true }
}

export const keepSession = (tx: Tx, id: string, sessionId: string): void => tx.atCommit(keep, [id, sessionId])

export const giveUpCheckout = ({ tx, now }: World, id: string): void => tx.atCommit(giveUp, [id, iso(now)])

export const findCheckout = async (
  tx: Tx,
  id: string,
  communicationId: string,
): Promise<CheckoutState | null> => (await tx.rows(find, [id, communicationId]))[0] ?? null
