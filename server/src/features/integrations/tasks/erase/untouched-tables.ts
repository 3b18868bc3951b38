import type { Tables } from '../../../../kit/db/schema.generated.ts'

const ids = 'ids, moments and codes'
const totals = 'totals of all debtors'
const company = 'what the company says of itself, to all its debtors'
const operator = 'the installation and its processes'
const people = 'members of companies and their applications; a debtor has no account'

/** The tables that hold nothing of a debtor but ids, why, and their columns. */
export const untouchedTables: Readonly<Partial<Record<keyof Tables, { because: string; columns: string }>>> =
  {
    alert_batches: { because: ids, columns: 'tenant_id kind event_ids waiting due_at mailed_at' },
    alert_links: {
      because: ids,
      columns: 'token_hash tenant_id person_id kind event_ids total created_at expires_at',
    },
    alerts: { because: ids, columns: 'tenant_id kind subject_id recorded_at' },
    api_keys: {
      because: company,
      columns:
        'id tenant_id name lookup secret_mac prefix scopes ip_whitelist enabled version created_at expires_at last_used_at replaced_by made_by maker_role',
    },
    card_accounts: { because: company, columns: 'tenant_id account source created_at' },
    cascades: {
      because: company,
      columns: 'tenant_id name version steps applies enabled is_current created_at',
    },
    checkout_expiries: { because: ids, columns: 'tenant_id checkout_id due_at attempts' },
    claim_lists: {
      because: company,
      columns: 'tenant_id id accepted_on accepted_by created_at actor',
    },
    communication_invoices: { because: ids, columns: 'tenant_id communication_id invoice_id as_notice' },
    companies: {
      because: company,
      columns:
        'id name owner_email reply_email tier country time_zone language currency default_debtor_type requests_per_minute in_flight enabled created_at daily_limits storage_bytes mandate_signed_on mandate_reference',
    },
    company_logos: { because: company, columns: 'tenant_id media_type bytes updated_at' },
    company_settings: {
      because: company,
      columns:
        'tenant_id legal_name address postal_code city iban reply_email contract_rate_bps collector_mode court_consent contacts_per_week contacts_per_month updated_at claims_late_payment payment_account default_debtor_type account_holder siren telephone mediator_name mediator_address mediator_website legal_form rcs keep_months keep_months_consumers keep_reply_days first_payout_at',
    },
    conversation_tokens: { because: totals, columns: 'tenant_id day tokens reserved' },
    count_days: { because: totals, columns: 'tenant_id kind status day currency method n amount_cents' },
    count_debtor_invoices: { because: totals, columns: 'tenant_id debtor_id n' },
    count_debtor_open: { because: totals, columns: 'tenant_id debtor_id currency n open_cents' },
    count_debtor_standings: { because: totals, columns: 'tenant_id debtor_id standing n' },
    count_deltas: {
      because: totals,
      columns:
        'tenant_id kind status currency method day debtor_id magnitude n amount_cents paid_cents due_day standing open_n open_cents slot',
    },
    count_due: { because: totals, columns: 'tenant_id currency due_date standing n open_cents' },
    count_magnitudes: { because: totals, columns: 'tenant_id currency magnitude n' },
    count_slots: { because: totals, columns: 'tenant_id slot channel state n' },
    count_standings: { because: totals, columns: 'tenant_id standing debtors' },
    day_figures: {
      because: totals,
      columns: 'tenant_id day currency overdue_cents overdue_invoices old_cents old_invoices',
    },
    count_totals: { because: totals, columns: 'tenant_id kind status currency n amount_cents paid_cents' },
    daily_sends: { because: totals, columns: 'tenant_id day channel part sent' },
    database_marker: { because: operator, columns: 'only_row' },
    early_receipts: { because: ids, columns: 'tenant_id communication_id outcome at received_at retry_at' },
    import_mappings: {
      because: 'titles of columns and what they mean',
      columns: 'tenant_id signature mapping used_at',
    },
    installation: {
      because: operator,
      columns:
        'only_row cell clock_offset_ms maintenance_until missing_channels audit_years providers collector',
    },
    invitations: {
      because: people,
      columns:
        'id company_id email email_key role language token_hash invited_by created_at expires_at accepted_at withdrawn_at',
    },
    last_heartbeat: { because: operator, columns: 'only_row heartbeat_at' },
    late_payment_rates: {
      because: operator,
      columns: 'kind starts_on rate_bps source verified_on added_by replaced_at replaced_by',
    },
    listed_claims: {
      because: ids,
      columns:
        'tenant_id list_id invoice_id accepted_on currency principal_cents indemnity_cents interest_cents',
    },
    loop_leases: { because: operator, columns: 'loop worker_id' },
    mail_links: { because: people, columns: 'token_hash person_id purpose created_at expires_at used_at' },
    memberships: {
      because: people,
      columns: 'person_id company_id role created_at role_since receives_alerts',
    },
    account_mails: {
      because: people,
      columns: 'id tenant_id kind subject_id cause_id due_at attempts created_at secret_sealed about',
    },
    oauth_clients: {
      because: company,
      columns:
        'id tenant_id company_id environment name redirect_uris scopes grant_types secret_hash made_by maker_role enabled created_at updated_at',
    },
    oauth_codes: { because: people, columns: 'code_hash grant_id redirect_uri challenge expires_at used_at' },
    oauth_grants: {
      because: people,
      columns:
        'id client_id person_id environment scopes company_ids created_at auth_time last_used_at revoked_at revoked_because',
    },
    oauth_refresh_tokens: { because: people, columns: 'token_hash grant_id scopes expires_at used_at' },
    oauth_revoked_tokens: { because: people, columns: 'jti expires_at' },
    outbox: { because: ids, columns: 'tenant_id event_id recorded_at type' },
    company_texts: {
      because: company,
      columns: 'tenant_id step channel language subject opening updated_at',
    },
    passkey_challenges: { because: people, columns: 'challenge person_id expires_at' },
    passkeys: {
      because: people,
      columns: 'id person_id name public_key counter transports created_at last_used_at',
    },
    payout_changes: {
      because: company,
      columns: 'tenant_id field value requested_by requested_at effective_at',
    },
    pending_sends: {
      because: ids,
      columns: 'tenant_id communication_id debtor_id reclaim_at attempts taken_by',
    },
    pending_tasks: { because: ids, columns: 'tenant_id task_id lane rank is_running taken_at since' },
    people: {
      because: people,
      columns: 'id email email_key name language password_hash email_verified_at created_at',
    },
    postings: {
      because: ids,
      columns: 'tenant_id entry_id account invoice_id debtor_id source_id kind amount_cents posted_at actor',
    },
    provider_events: { because: ids, columns: 'provider event_id received_at' },
    provider_outages: {
      because: operator,
      columns: 'channel provider since failures reason until probe_until',
    },
    schema_migrations: { because: operator, columns: 'name applied_at' },
    score_marks: { because: ids, columns: 'tenant_id debtor_id' },
    tenant_nights: {
      because: ids,
      columns: 'tenant_id due_at taken_until after_debtor_id scored done_at failures',
    },
    sending_database: { because: operator, columns: 'only_row identity' },
    sessions: {
      because: people,
      columns: 'token_hash person_id method address agent created_at seen_at expires_at',
    },
    sign_in_failures: { because: people, columns: 'subject failures since' },
    signing_keys: {
      because: operator,
      columns: 'kid state public_jwk private_sealed created_at activated_at retired_at',
    },
    stored_bytes: { because: ids, columns: 'tenant_id kind bytes' },
    stops: {
      because: operator,
      columns: 'id scope target reason since stopped_by ended_at ended_by kind known_until',
    },
    task_files: { because: ids, columns: 'tenant_id id created_at' },
    tenants: {
      because: ids,
      columns:
        'id company_id environment clock_offset_ms subscribed_events created_at enabled stale_plans_cursor',
    },
    unknown_messages: { because: ids, columns: 'tenant_id communication_id since seen_at' },
    webhook_deliveries: {
      because: ids,
      columns:
        'tenant_id webhook_id event_id event_type status attempts response_status error duration_ms is_test last_attempt_at created_at',
    },
    webhook_endpoints: {
      because: ids,
      columns:
        'tenant_id webhook_id events enabled disabled_because wake_at busy_until generation failing warned_at last_triggered_at recover_from recover_to maker_kind maker_id maker_person needed_scopes',
    },
    webhook_queue: {
      because: ids,
      columns: 'tenant_id webhook_id event_id due_at attempts deferrals created_at',
    },
    webhooks: {
      because: company,
      columns: 'tenant_id id url description secret_sealed created_at updated_at',
    },
    workers: { because: operator, columns: 'id heartbeat_at' },
  }
