import { iso } from '../../../kit/clock.ts'
import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { accountNotOpened } from './errors.ts'

/** How cards are paid to the company of a tenant. */
export interface CardAccount {
  country: string
  /** Null: none was opened yet. */
  account: string | null
  source: 'onboarding' | 'operator' | null
  in_use: boolean
}

const selectAccount = sql(
  'companies.get-card-account',
  `select c.country, a.account, a.source, coalesce(s.payment_account = a.account, false) as in_use
     from tenants t join companies c on c.id = t.company_id
     left join card_accounts a on a.tenant_id = t.id
     left join company_settings s on s.tenant_id = t.id
    where t.id = current_setting('relance.tenant')::uuid`,
).as<CardAccount>()
const insertAccount = sql(
  'companies.insert-card-account',
  `insert into card_accounts (tenant_id, account, source, created_at) values ($1, $2, 'onboarding', $3) on conflict (tenant_id) do nothing`,
)
const findOwnAccount = sql(
  'companies.find-card-account',
  `select account from card_accounts where tenant_id = current_setting('relance.tenant')::uuid and account = $1`,
)
const upsertByOperator = sql(
  'companies.set-card-account',
  `insert into card_accounts (tenant_id, account, source, created_at) values ($1, $2, 'operator', $3)
   on conflict (tenant_id) do update set account = excluded.account, source = excluded.source`,
)

export async function readCardAccount(tx: Tx): Promise<CardAccount> {
  const [found] = await tx.rows(selectAccount, [])
  return found!
}

/** Stores the account that the provider opened for a company. An account that is already stored is not replaced. */
export const keepOpenedAccount = async (query: Query, tenantId: string, account: string, wall: number) =>
  void (await query(insertAccount, [tenantId, account, iso(wall)]))

/** The operator has checked by other means that the account belongs to the company. */
export const setAccountByOperator = (tx: Tx, tenantId: string, account: string, wall: number): void =>
  tx.atCommit(upsertByOperator, [tenantId, account, iso(wall)])

/** Refuses an account that was not opened for this company: it may belong to another one. */
export async function requireOwnAccount(tx: Tx, account: string | null | undefined): Promise<void> {
  if (typeof account !== 'string') return
  const [own] = await tx.rows(findOwnAccount, [account])
  if (!own) throw accountNotOpened.make()
}
