import type { PaymentNews } from '../../../adapters/payment/payment.ts'
import type { PaymentStatus } from '../../../domain/money/payment-state.ts'
import { localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { sqlState, transact } from '../../../kit/db/transaction.ts'
import { uuid } from '../../../kit/fields.ts'
import type { Site } from '../../../kit/http/site.ts'
import { findCompany } from '../../access/companies/company.ts'
import { findProviderEvent, insertProviderEvent } from '../../platform/callbacks/provider-events.ts'
import { openCase, type World } from '../../recovery/case/case.ts'
import { planExtra } from '../../recovery/case/extra-message.ts'
import { byOldCode, debtorOf, readOldCode } from '../../recovery/messages/code.ts'
import { changePayment } from './change-payment.ts'
import { type PaymentRow, paymentColumns } from './payment.ts'
import { bookPayment } from './record-payment.ts'

const findCheckout = sql(
  'payments.find-checkout',
  'select invoice_id, amount_cents, currency, account from checkouts where id = $1 and communication_id = $2',
)
const findByReference = sql(
  'payments.find-by-reference',
  `select ${paymentColumns} from payments p where p.external_reference = $1`,
).as<PaymentRow>()
// What was paid stays paid in the story of the checkout, whatever is heard after it.
const settleCheckout = sql(
  'payments.settle-checkout',
  `update checkouts set payment_id = coalesce(payment_id, $2),
     status = case when status = 'completed' or (status = 'failed' and $3 in ('open', 'expired')) then status else $3 end,
     settled_at = case when $3 = 'open' then settled_at else coalesce(settled_at, $4) end
   where id = $1`,
)
const checkoutAfter: Record<PaymentNews['what'], 'open' | 'completed' | 'failed' | 'expired'> = {
  pending: 'open',
  paid: 'completed',
  refunded: 'completed',
  reversed: 'completed',
  failed: 'failed',
  expired: 'expired',
}

type Step =
  | { do: 'nothing' }
  | { do: 'book'; to: 'completed' | 'pending' }
  | { do: 'change'; to: 'completed' | 'failed' | 'refunded' }

/**
 * The next step from what is written down towards what was said. News overtakes news: what went back had arrived before, and
 * what failed had been under way; so whatever came first, the end is the same.
 */
function nextStep(known: PaymentStatus | null, what: PaymentNews['what']): Step {
  if (what === 'expired') return { do: 'nothing' }
  const hadArrived = what === 'paid' || what === 'refunded' || what === 'reversed'
  if (known === null) return { do: 'book', to: hadArrived ? 'completed' : 'pending' }
  if (known === 'pending' && hadArrived) return { do: 'change', to: 'completed' }
  if (known === 'pending' && what === 'failed') return { do: 'change', to: 'failed' }
  if (known === 'completed' && what === 'refunded') return { do: 'change', to: 'refunded' }
  if (known === 'completed' && what === 'reversed') return { do: 'change', to: 'failed' }
  return { do: 'nothing' }
}

const reasons = {
  completed: null,
  failed: 'The payment did not go through, or the bank took it back',
  refunded: 'Given back by card',
}

type Seen = 'done' | 'more' | 'known' | 'unknown_code' | 'unknown_checkout' | 'part_refund' | 'other_account'

async function oneStep(site: Site, provider: string, news: PaymentNews, requestId: string): Promise<Seen> {
  const wall = site.clock.wall()
  const { code, checkoutId, what } = news
  const opening = [
    [readOldCode, [code]],
    [findProviderEvent, [provider, news.eventId]],
  ] as const
  return transact(site.pool, byOldCode(code), opening, async ({ tx, offsetMs, first }) => {
    const [[coded], heard] = first
    if (!coded) return 'unknown_code'
    if (heard.length > 0) return 'known'
    const now = wall + offsetMs
    const newId = () => site.newId(wall)
    const world: World = { tx, actor: debtorOf(coded), now, wall, requestId, newId }
    const [checkout] = uuid.safeParse(checkoutId).success
      ? await tx.rows(findCheckout, [checkoutId, coded.communication_id])
      : []
    const [company, account] = await Promise.all([
      findCompany(tx, coded.company_id),
      checkout ? openCase(tx, coded.tenant_id, checkout.invoice_id) : null,
    ])
    if (!checkout || !account) return 'unknown_checkout'
    // Whoever has an account at the provider can name our checkout there; the money is then theirs, and not the creditor's.
    if (news.account !== checkout.account) return 'other_account'
    const externalReference = `${provider}:${news.reference}`
    const [known] = await tx.rows(findByReference, [externalReference])
    if (
      what === 'refunded' &&
      known?.status === 'completed' &&
      news.currency === known.currency &&
      news.amountCents < known.amount_cents
    ) {
      tx.atCommit(insertProviderEvent, [provider, news.eventId, iso(wall)])
      return 'part_refund'
    }
    const isSameCurrency = news.currency === account.row.currency
    // What a bank gives back may be less than was paid; what was paid is what the checkout says, if not told in its currency.
    const amountCents = what === 'refunded' || !isSameCurrency ? checkout.amount_cents : news.amountCents
    let status = (known?.status ?? null) as PaymentStatus | null
    let paymentId = known?.id ?? null
    const step = nextStep(status, what)
    if (step.do === 'book') {
      const booked = await bookPayment(world, company, account, {
        amountCents,
        method: 'payment_link',
        status: step.to,
        paidAt: step.to === 'completed' ? Math.min(news.at + offsetMs, now) : null,
        externalReference,
      })
      paymentId = booked!.id
    } else if (step.do === 'change') await changePayment(world, known!.id, step.to, reasons[step.to])
    if (step.do !== 'nothing') status = step.to
    // Who pays with a card waits for the receipt; of what went back at once there is nothing to confirm.
    if (what === 'paid' && step.do !== 'nothing' && status === 'completed')
      planExtra(world, account, {
        step: 'payment_receipt',
        channel: 'email',
        at: now,
        because: null,
        about: {
          amountCents,
          on: localTime(company.time_zone, Math.min(news.at + offsetMs, now)).date,
        },
      })
    if (nextStep(status, what).do !== 'nothing') return 'more'
    tx.atCommit(settleCheckout, [checkoutId, paymentId, checkoutAfter[what], iso(now)])
    tx.atCommit(insertProviderEvent, [provider, news.eventId, iso(wall)])
    return 'done'
  })
}

/** Written down, arrived, gone back. */
const stepsMost = 3

/**
 * What a payment provider tells, heard once however often it is told. One step to a transaction, since each reads what the
 * one before has written; the event counts as heard with the last. Money that arrived is never refused, whatever the invoice
 * says by then. A refund of a part has no place in a payment, which is whole or not: a person records it.
 */
export async function takePaymentNews(
  site: Site,
  provider: string,
  news: PaymentNews,
  requestId: string,
): Promise<'done' | 'ignored'> {
  for (let step = 0; step < stepsMost; step++) {
    const seen = await oneStep(site, provider, news, requestId).catch(error => {
      // Another installation's, or made up by whoever owns the account at the provider.
      if (sqlState(error) === 'RL001') return 'unknown_code' as const
      throw error
    })
    if (seen === 'more') continue
    if (seen === 'done' || seen === 'known') return 'done'
    const { eventId, checkoutId, what } = news
    site.log.warn({ requestId, provider, eventId, checkoutId, what, because: seen }, 'payment news ignored')
    return 'ignored'
  }
  throw new Error(`payment news ${news.eventId} comes to no end`)
}
