import { createHash } from 'node:crypto'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type InvoiceDebtor, isExistingDebtor } from './input-schema.ts'
import { type DebtorRow, emailKey, nameKey } from './schema.ts'

const lockIdentities = sql(
  'debtors.lock-identities',
  'select pg_advisory_xact_lock(k) from (select k from unnest($1::bigint[]) k order by k) ordered',
)

const columns = `d.id, d.name, d.name_key, d.email, d.email_key, d.phone, d.siret, d.address, d.city, d.postal_code, d.country,
  d.type, d.language, d.created_at`

export type MatchedDebtor = Pick<
  DebtorRow,
  | 'id'
  | 'name'
  | 'name_key'
  | 'email'
  | 'email_key'
  | 'phone'
  | 'siret'
  | 'address'
  | 'city'
  | 'postal_code'
  | 'country'
  | 'type'
  | 'language'
  | 'created_at'
> & {
  /** The last stored risk score; it helps to choose a cascade. */
  score: number | null
  /** Other invoices of it have a plan, so a new one has no moment of its own. */
  has_agenda: boolean
}

// The address of a person at the debtor, such as one that was the main one, finds it too: a second record would have limits of its own.
const selectMatchingDebtors = sql(
  'debtors.match-many',
  `with input as (
     select * from jsonb_to_recordset($1::jsonb) as x(i integer, id uuid, siret text, email_key text, name_key text))
   select input.i, ${columns}, s.score, a.debtor_id is not null as has_agenda
     from input cross join lateral (
       select d.*, 1 as preference from debtors d where input.id is not null and d.id = input.id and d.erased_at is null
       union all
       select d.*, 2 from debtors d where input.id is null and d.siret = input.siret
       union all
       (select d.*, 3 from debtors d
         where input.id is null and d.email_key = input.email_key and d.name_key = input.name_key
           and (input.siret is null or d.siret is null)
         order by d.siret nulls first, d.created_at, d.id limit 1)
       union all
       (select d.*, 4 from debtor_people p join debtors d on d.tenant_id = p.tenant_id and d.id = p.debtor_id
         where input.id is null and p.email_key = input.email_key and d.name_key = input.name_key
           and (input.siret is null or d.siret is null)
         order by d.siret nulls first, d.created_at, d.id limit 1)
       order by preference limit 1) d
     left join debtor_scores s on s.tenant_id = d.tenant_id and s.debtor_id = d.id
     left join agendas a on a.tenant_id = d.tenant_id and a.debtor_id = d.id`,
).as<MatchedDebtor & { i: number }>()

const lockKeyOf = (tenantId: string, identity: string) =>
  createHash('sha256').update(`${tenantId}\n${identity}`).digest().readBigInt64BE(0).toString()

/**
 * The existing debtor of each input, by position; null where there is none yet. The identities stay locked until the
 * transaction ends, so that two requests with the same new debtor create one record.
 */
export async function matchDebtors(
  tx: Tx,
  tenantId: string,
  inputs: readonly InvoiceDebtor[],
): Promise<(MatchedDebtor | null)[]> {
  const lookups = inputs.map((debtor, i) =>
    isExistingDebtor(debtor)
      ? { i, id: debtor.id, siret: null, email_key: null, name_key: null }
      : {
          i,
          id: null,
          siret: debtor.siret ?? null,
          email_key: emailKey(debtor.email),
          name_key: nameKey(debtor.name),
        },
  )
  const locks = new Set<string>()
  for (const debtor of lookups) {
    if (debtor.siret) locks.add(lockKeyOf(tenantId, debtor.siret))
    if (debtor.email_key) locks.add(lockKeyOf(tenantId, `${debtor.email_key}\n${debtor.name_key}`))
  }
  // Pipelined; the second statement sees what earlier holders of the locks committed.
  const [, found] = await Promise.all([
    tx.rows(lockIdentities, [[...locks]]),
    tx.rows(selectMatchingDebtors, [JSON.stringify(lookups)]),
  ])
  const byPosition = new Map(found.map(row => [row.i, row]))
  return lookups.map(({ i }) => byPosition.get(i) ?? null)
}
