import { sql } from '../../kit/db/statement.ts'
import type { Tx } from '../../kit/db/transaction.ts'
import type { IdKind } from '../../kit/http/http-context.ts'

const kinds: Readonly<Record<string, IdKind>> = {
  invoice: { what: 'an invoice', path: '/api/v1/invoices/:id' },
  debtor: { what: 'a debtor', path: '/api/v1/debtors/:id' },
  payment: { what: 'a payment', path: '/api/v1/payments/:id' },
  communication: { what: 'a message or call', path: '/api/v1/communications/:id' },
}

const selectKind = sql(
  'platform.kind-of-id',
  `select 'invoice' as kind from invoices where id = $1
   union all select 'debtor' from debtors where id = $1 and erased_at is null
   union all select 'payment' from payments where id = $1
   union all select 'communication' from communications where id = $1`,
)

/** What an id of the tenant is the id of. */
export async function kindOfId(tx: Tx, id: string): Promise<IdKind | undefined> {
  const [row] = await tx.rows(selectKind, [id])
  return row?.kind ? kinds[row.kind] : undefined
}
