import type { Tables } from '../kit/db/schema.generated.ts'

/**
 * Each table, with the folder whose statements write it.
 * `tenant`: every row belongs to one tenant, and row-level security closes it. `platform`: read across tenants, so it holds no
 * personal data. `identity`: people and the applications that act for them; they belong to no cell, so nothing refers to a
 * tenant table or back. A new table is added here, and the guards check what its kind and its owner promise.
 */
export const owners = {
  tenant: {
    actions: 'recovery/case',
    anr_documents: 'recovery/workflow/attestation',
    audit_log: 'platform/events',
    calls: 'debtor-side/calls',
    cascades: 'recovery/workflow/cascades',
    checkouts: 'receivables/payments',
    closed_points: 'recovery/holds',
    communication_invoices: 'recovery/messages',
    communications: 'recovery/messages',
    company_settings: 'access/companies',
    confirmations: 'integrations/assistant',
    contact_ledger: 'recovery/messages',
    contact_salts: 'recovery/messages',
    contact_slots: 'recovery/messages',
    conversation_messages: 'integrations/assistant',
    conversation_tokens: 'integrations/assistant',
    conversations: 'integrations/assistant',
    count_days: 'platform/counts',
    count_debtor_invoices: 'platform/counts',
    count_deltas: 'platform/counts',
    count_magnitudes: 'platform/counts',
    count_totals: 'platform/counts',
    credits: 'receivables/invoices',
    debtor_scores: 'receivables/scoring',
    debtors: 'receivables/debtors',
    disputes: 'receivables/invoices',
    events: 'platform/events',
    extra_messages: 'recovery/case',
    idempotency_keys: 'kit/http',
    invoices: 'receivables/invoices',
    own_words: 'recovery/templates',
    payments: 'receivables/payments',
    payout_changes: 'access/companies',
    postings: 'receivables/payments',
    promises: 'receivables/invoices',
    recoveries: 'recovery/case',
    sandbox_messages: 'recovery/messages',
    webhook_deliveries: 'integrations/webhooks',
    webhooks: 'integrations/webhooks',
  },
  platform: {
    agendas: 'recovery/agenda',
    api_keys: 'access/api-keys',
    card_accounts: 'access/companies',
    checkout_expiries: 'receivables/payments',
    companies: 'access/companies',
    daily_sends: 'recovery/messages',
    early_receipts: 'recovery/receipts',
    installation: 'access/companies',
    message_codes: 'recovery/messages',
    notices: 'platform/notices',
    outbox: 'platform/events',
    pending_sends: 'recovery/messages',
    person_days: 'recovery/messages',
    provider_events: 'platform/callbacks',
    schema_migrations: 'kit/db',
    score_marks: 'receivables/scoring',
    score_walks: 'receivables/scoring',
    stops: 'access/companies',
    tenants: 'access/companies',
    webhook_pumps: 'integrations/webhooks',
    webhook_queue: 'integrations/webhooks',
  },
  identity: {
    invitations: 'access/people',
    mail_links: 'access/people',
    memberships: 'access/people',
    oauth_clients: 'access/oauth',
    oauth_codes: 'access/oauth',
    oauth_grants: 'access/oauth',
    oauth_refresh_tokens: 'access/oauth',
    oauth_revoked_tokens: 'access/oauth',
    passkey_challenges: 'access/people',
    passkeys: 'access/people',
    people: 'access/people',
    sessions: 'access/people',
    sign_in_failures: 'access/people',
    signing_keys: 'access/oauth',
  },
} as const satisfies Record<string, Partial<Record<keyof Tables, string>>>

const namesOf = <Names extends object>(tablesOfKind: Names) =>
  Object.keys(tablesOfKind) as (keyof Names & string)[]

export const tables = {
  tenant: namesOf(owners.tenant),
  platform: namesOf(owners.platform),
  identity: namesOf(owners.identity),
}
