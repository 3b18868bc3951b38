import { recountedClaim } from '../../../../domain/money/late-payment.ts'
import { owedOf } from '../../../../domain/recovery/account.ts'
import { localTime } from '../../../../domain/time.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { ratesSql } from '../../../access/companies/late-payment-rates.ts'
import type { DebtorFile } from '../../case/debtor-file-store.ts'
import type { OperationContext } from '../../case/open-recovery.ts'
import { type ContentRow, movementsSql } from '../compose/content-store.ts'
import { lateTermsOf } from '../compose/write-message.ts'
import { saveClaimedCents } from './claimed-sums-store.ts'

// A waived claim is what was paid of it, and stays.
const listClaimed = sql(
  'messages.list-claimed',
  'select id from invoices where debtor_id = $1 and claimed_cents > 0 and late_payment_waiver is null order by id',
)
const selectClaimed = sql(
  'messages.list-claim-facts',
  `select i.id, i.due_date, i.amount_cents, i.paid_cents, i.credited_cents, i.claimed_cents, i.currency, ${movementsSql('i', '$2')} as movements
     from invoices i where i.id = any ($1::uuid[]) order by i.id`,
).as<ClaimedRow>()
const selectRates = sql('messages.get-rates', `select ${ratesSql} as rates`).as<Pick<ContentRow, 'rates'>>()

interface ClaimedRow {
  id: string
  due_date: string
  amount_cents: number
  paid_cents: number
  credited_cents: number
  claimed_cents: number
  currency: string
  movements: { on: string; cents: number }[]
}

/** A statement of the API may take two seconds; a batch of this size takes a fraction of that. */
const batchSize = 250

/**
 * Counts again what messages claimed of a debtor for late payment, now that its proceedings are on record: no interest from the
 * day of the opening on (art. L622-28 C. com.). The agenda is locked by the caller. A claim only becomes lower, and never less
 * than what was paid of it.
 */
export async function recountClaims(
  { tx, now }: Pick<OperationContext, 'tx' | 'now'>,
  file: DebtorFile,
  zone: string,
): Promise<void> {
  const claimed = (await tx.rows(listClaimed, [file.id])).map(({ id }) => id)
  if (claimed.length === 0) return
  const [facts] = await tx.rows(selectRates, [])
  const terms = lateTermsOf(file, facts!)
  const today = localTime(zone, now).date
  for (let from = 0; from < claimed.length; from += batchSize) {
    const rows = await tx.rows(selectClaimed, [claimed.slice(from, from + batchSize), zone])
    const sums = rows.flatMap(row => {
      const { id, currency, movements, claimed_cents: before } = row
      const invoice = { dueDate: row.due_date, amountCents: row.amount_cents, currency, movements }
      const paid = { paid: row.paid_cents, credited: row.credited_cents }
      const { paidAccessories } = owedOf({ amount: row.amount_cents, ...paid, claimed: before })
      const cents = Math.max(recountedClaim(before, invoice, terms, today), paidAccessories)
      return cents < before ? [{ invoiceId: id, cents }] : []
    })
    if (sums.length > 0) tx.atCommit(saveClaimedCents, [JSON.stringify(sums)])
  }
}
