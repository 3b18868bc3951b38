import type { Tables } from './schema.generated.ts'

/**
 * Which table is whose. In a tenant table every row belongs to one tenant and is closed by policy; a platform table is read
 * across tenants and therefore holds nobody's personal data. A new table is written down here, and the guards hold it to
 * what the word means.
 */
export const tables = {
  tenant: [
    'actions',
    'promises',
    'extra_messages',
    'disputes',
    'contact_salts',
    'contact_ledger',
    'company_settings',
    'closed_points',
    'cascades',
    'anr_documents',
    'communication_invoices',
    'communications',
    'contact_slots',
    'count_days',
    'count_debtor_invoices',
    'count_deltas',
    'count_magnitudes',
    'count_totals',
    'credits',
    'debtors',
    'events',
    'idempotency_keys',
    'invoices',
    'payments',
    'postings',
    'recoveries',
    'sandbox_messages',
  ],
  platform: [
    'agendas',
    'api_keys',
    'companies',
    'installation',
    'outbox',
    'pending_sends',
    'schema_migrations',
    'tenants',
  ],
} as const satisfies Record<'tenant' | 'platform', readonly (keyof Tables)[]>
