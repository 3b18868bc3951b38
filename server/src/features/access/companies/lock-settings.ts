import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { readCompany } from './company-store.ts'
import type { CompanyRow, Settings } from './settings.ts'

// Inserts a row to lock, so that concurrent changes run one after the other and none is lost.
const insertEmptySettings = sql(
  'companies.ensure-settings',
  `insert into company_settings (tenant_id, updated_at) values (current_setting('relance.tenant')::uuid, $1) on conflict do nothing`,
)
const lockRow = sql(
  'companies.lock-settings',
  'select tenant_id from company_settings where tenant_id = $1 for no key update',
)
const updateSettings = sql(
  'companies.save-settings',
  `update company_settings s
      set legal_name = x.legal_name, address = x.address, postal_code = x.postal_code, city = x.city, siren = x.siren, legal_form = x.legal_form, rcs = x.rcs,
          mediator_name = x.mediator_name, mediator_address = x.mediator_address, mediator_website = x.mediator_website, telephone = x.telephone, iban = x.iban,
          account_holder = x.account_holder, reply_email = x.reply_email, contract_rate_bps = x.contract_rate_bps,
          collector_mode = x.collector_mode, court_consent = x.court_consent, claims_late_payment = x.claims_late_payment,
          payment_account = x.payment_account, default_debtor_type = x.default_debtor_type, contacts_per_week = x.contacts_per_week, contacts_per_month = x.contacts_per_month, keep_months = x.keep_months,
          keep_months_consumers = x.keep_months_consumers, keep_reply_days = x.keep_reply_days,
          updated_at = $3
     from jsonb_to_record($2::jsonb) as x(legal_name text, address text, postal_code text, city text, siren text, legal_form text, rcs text,
       mediator_name text, mediator_address text, mediator_website text, telephone text, iban text, account_holder text,
       reply_email text, contract_rate_bps integer, collector_mode boolean, court_consent boolean, claims_late_payment boolean,
       payment_account text, default_debtor_type text, contacts_per_week integer, contacts_per_month integer, keep_months integer, keep_months_consumers integer, keep_reply_days integer)
    where s.tenant_id = $1`,
)

export interface TenantRef {
  readonly tenantId: string
  readonly companyId: string
}

/** Locks the settings of the tenant, and then reads them with the pending changes. */
export async function lockSettings(
  tx: Tx,
  { tenantId, companyId }: TenantRef,
  now: number,
): Promise<CompanyRow> {
  const [, , [row]] = await Promise.all([
    tx.rows(insertEmptySettings, [iso(now)]),
    tx.rows(lockRow, [tenantId]),
    tx.rows(readCompany, [companyId, tenantId]),
  ])
  return row!
}

const releaseTenant = sql('companies.release-tenant', 'select release_tenant($1, $2, 1000) as released')

/** Saves the settings and wakes debtors that waited because they were incomplete: the first at once, the rest within the hour. */
export function saveSettings(
  { tx, wall, now }: { tx: Tx; wall: number; now: number },
  { tenantId }: TenantRef,
  settings: Settings,
): void {
  tx.atCommit(updateSettings, [tenantId, JSON.stringify(settings), iso(now)])
  tx.atCommit(releaseTenant, [tenantId, iso(wall)])
}
