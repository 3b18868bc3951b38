import { asAdmin } from './database.ts'

/** The account of the companies of tests, benches and development. */
export const companyIban = 'FR1420041010050500013M02606'

/** Gives tenants what production wants before anything is sent: a postal address and an account. */
export const completeTenants = (adminUrl: string, tenantIds: readonly string[]): Promise<unknown> =>
  asAdmin(adminUrl, client =>
    client.query(
      `insert into company_settings (tenant_id, address, postal_code, city, iban, updated_at)
       select unnest($1::uuid[]), '4 rue des Tanneurs', '69005', 'Lyon', $2, '2026-01-01' on conflict do nothing`,
      [tenantIds, companyIban],
    ),
  )
