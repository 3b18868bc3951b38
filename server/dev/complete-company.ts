import { asAdmin } from './database.ts'

/** The bank account of companies in tests, benchmarks and development. */
export const companyIban = 'FR1420041010050500013M02606'

/** Gives tenants the data that production requires before it sends anything: a postal address, a bank account and a SIREN. */
export const completeTenants = (adminUrl: string, tenantIds: readonly string[]): Promise<unknown> =>
  asAdmin(adminUrl, client =>
    client.query(
      `insert into company_settings (tenant_id, address, postal_code, city, siren, iban, updated_at)
       select unnest($1::uuid[]), '4 rue des Tanneurs', '69005', 'Lyon', '732829320', $2, '2026-01-01' on conflict do nothing`,
      [tenantIds, companyIban],
    ),
  )
