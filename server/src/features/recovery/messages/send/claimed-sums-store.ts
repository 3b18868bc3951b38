import { sql } from '../../../../kit/db/statement.ts'

// The late-payment sums claimed with the latest message; a payment above the principal covers them first.
export const saveClaimedCents = sql(
  'messages.save-claimed-sums',
  `update invoices i set claimed_cents = x.cents
     from jsonb_to_recordset($1::jsonb) as x("invoiceId" uuid, cents bigint) where i.id = x."invoiceId"`,
)
