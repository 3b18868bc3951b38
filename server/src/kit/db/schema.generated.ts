// Made by `npm run generate` from the migrated schema.
export interface Tables {
  account_mails: {
    id: string
    tenant_id: string | null
    kind: string
    subject_id: string
    cause_id: string | null
    about: unknown
    secret_sealed: string | null
    due_at: number
    attempts: number
    created_at: number
  }
  actions: {
    tenant_id: string
    id: string
    invoice_id: string | null
    debtor_id: string | null
    action: string
    channel: string | null
    status: string
    details: string
    actor: unknown
    code: string | null
    params: unknown
    communication_id: string | null
    executed_at: number
  }
  agendas: {
    tenant_id: string
    debtor_id: string
    wake_at: number | null
    wake_because: string | null
    wake_generation: number
    taken_generation: number
    taken_at: number | null
    taken_by: string | null
    attempts: number
    parked_because: string | null
    contact_at: number | null
    contact_slot: number | null
    contact_channel: string | null
    contact_because: string | null
    contact_invoice_id: string | null
    plan: unknown
    plan_generation: number
    quiet_until: number | null
    acted_at: number | null
    chain_head: Buffer | null
    chain_length: number
    is_sandbox: boolean
  }
  alert_batches: {
    tenant_id: string
    kind: string
    event_ids: readonly string[]
    waiting: number
    due_at: number | null
    mailed_at: number | null
  }
  alert_links: {
    token_hash: Buffer
    tenant_id: string
    person_id: string | null
    kind: string
    event_ids: readonly string[]
    total: number
    created_at: number
    expires_at: number
  }
  alerts: {
    tenant_id: string
    kind: string
    subject_id: string
    recorded_at: number
  }
  anr_documents: {
    tenant_id: string
    id: string
    invoice_id: string
    basis: string
    note: string | null
    pdf: Buffer
    sha256: Buffer
    created_at: number
  }
  api_keys: {
    id: string
    tenant_id: string
    name: string
    lookup: string
    secret_mac: string
    prefix: string
    scopes: readonly string[]
    ip_whitelist: readonly string[]
    enabled: boolean
    version: number
    replaced_by: string | null
    made_by: string | null
    maker_role: string | null
    created_at: number
    expires_at: number | null
    last_used_at: number | null
  }
  audit_log: {
    tenant_id: string
    id: string
    type: string
    schema_version: number
    subject_id: string
    data: unknown
    actor: unknown
    request_id: string | null
    ip: string | null
    user_agent: string | null
    occurred_at: number
    recorded_at: number
  }
  blocked_records: {
    tenant_id: string
    id: string
    debtor_id: string
    because: string
    ends_on: string
    content: unknown
    document: Buffer | null
    blocked_at: number
  }
  calls: {
    tenant_id: string
    communication_id: string
    outcome: string
    note: string
    began_at: number
    ended_at: number | null
  }
  card_accounts: {
    tenant_id: string
    account: string
    source: string
    created_at: number
  }
  cascades: {
    tenant_id: string
    name: string
    version: number
    steps: unknown
    applies: unknown
    enabled: boolean
    is_current: boolean
    created_at: number
  }
  checkout_expiries: {
    tenant_id: string
    checkout_id: string
    due_at: number
    attempts: number
  }
  checkouts: {
    tenant_id: string
    id: string
    invoice_id: string
    communication_id: string
    amount_cents: number
    currency: string
    account: string
    session_id: string | null
    session_url: string | null
    payment_id: string | null
    status: string
    created_at: number
    settled_at: number | null
  }
  claim_lists: {
    tenant_id: string
    id: string
    accepted_on: string
    accepted_by: string
    created_at: number
    actor: unknown
  }
  closed_points: {
    tenant_id: string
    point: Buffer
    channel: string
    because: string
    created_at: number
  }
  communication_invoices: {
    tenant_id: string
    communication_id: string
    invoice_id: string
    as_notice: boolean
  }
  communications: {
    tenant_id: string
    id: string
    debtor_id: string
    lead_invoice_id: string | null
    channel: string
    step: string
    state: string
    wake_generation: number
    token: string | null
    lease_until: number | null
    committing_at: number | null
    not_after: number
    provider: string | null
    provider_id: string | null
    recipient_point: Buffer | null
    document_sha256: Buffer | null
    looked_up_at: number | null
    reason: string | null
    verdict: unknown
    reserved_at: number
    sent_at: number | null
    delivered_at: number | null
    settled_at: number | null
  }
  companies: {
    id: string
    name: string
    owner_email: string
    reply_email: string
    tier: string
    country: string
    time_zone: string
    language: string
    currency: string
    default_debtor_type: string
    requests_per_minute: number | null
    in_flight: number | null
    daily_limits: unknown
    storage_bytes: number | null
    mandate_signed_on: string | null
    mandate_reference: string | null
    enabled: boolean
    created_at: number
  }
  company_logos: {
    tenant_id: string
    media_type: string
    bytes: Buffer
    updated_at: number
  }
  company_settings: {
    tenant_id: string
    legal_name: string | null
    siren: string | null
    legal_form: string | null
    rcs: string | null
    address: string | null
    postal_code: string | null
    city: string | null
    telephone: string | null
    reply_email: string | null
    mediator_name: string | null
    mediator_address: string | null
    mediator_website: string | null
    iban: string | null
    account_holder: string | null
    payment_account: string | null
    first_payout_at: number | null
    default_debtor_type: string | null
    contract_rate_bps: number | null
    claims_late_payment: boolean
    collector_mode: boolean
    court_consent: boolean
    contacts_per_week: number
    contacts_per_month: number
    keep_months: number
    keep_months_consumers: number
    keep_reply_days: number
    updated_at: number
  }
  company_texts: {
    tenant_id: string
    step: string
    channel: string
    language: string
    subject: string | null
    opening: string | null
    updated_at: number
  }
  confirmations: {
    tenant_id: string
    id: string
    conversation_id: string
    token_hash: Buffer
    caller: string
    language: string
    plan: string
    summary: string
    created_at: number
    expires_at: number
    taken_until: number | null
    done_at: number | null
    dropped_at: number | null
  }
  contact_ledger: {
    tenant_id: string
    debtor_id: string
    position: number
    entry: string
    hash: Buffer
  }
  contact_salts: {
    tenant_id: string
    debtor_id: string
    salt: Buffer
  }
  contact_slots: {
    tenant_id: string
    point: Buffer
    channel: string
    local_day: string
    at: number
    zone: string
    cooldown: string
    counts: boolean
    communication_id: string
  }
  conversation_messages: {
    tenant_id: string
    conversation_id: string
    id: string
    role: string
    text: string
    tools_called: readonly string[]
    created_at: number
  }
  conversation_tokens: {
    tenant_id: string
    day: string
    tokens: number
    reserved: number
  }
  conversations: {
    tenant_id: string
    id: string
    opener: string
    last_message: string
    message_count: number
    created_at: number
    updated_at: number
    used_at: number
  }
  count_days: {
    tenant_id: string
    kind: string
    status: string
    day: string
    currency: string
    method: string
    n: number
    amount_cents: number
  }
  count_debtor_invoices: {
    tenant_id: string
    debtor_id: string
    n: number
  }
  count_debtor_open: {
    tenant_id: string
    debtor_id: string
    currency: string
    n: number
    open_cents: number
  }
  count_debtor_standings: {
    tenant_id: string
    debtor_id: string
    standing: string
    n: number
  }
  count_deltas: {
    tenant_id: string
    kind: string
    status: string
    currency: string
    method: string
    day: string | null
    debtor_id: string | null
    magnitude: number | null
    n: number
    amount_cents: number
    paid_cents: number
    due_day: string | null
    standing: string | null
    open_n: number
    open_cents: number
    slot: number | null
  }
  count_due: {
    tenant_id: string
    currency: string
    due_date: string
    standing: string
    n: number
    open_cents: number
  }
  count_magnitudes: {
    tenant_id: string
    currency: string
    magnitude: number
    n: number
  }
  count_slots: {
    tenant_id: string
    slot: number
    channel: string
    state: string
    n: number
  }
  count_standings: {
    tenant_id: string
    standing: string
    debtors: number
  }
  count_totals: {
    tenant_id: string
    kind: string
    status: string
    currency: string
    n: number
    amount_cents: number
    paid_cents: number
  }
  credits: {
    tenant_id: string
    id: string
    invoice_id: string
    number: string
    amount_cents: number
    issued_on: string
    created_at: number
  }
  daily_contacts: {
    person: Buffer
    day: string
    contacts: number
  }
  daily_sends: {
    tenant_id: string
    day: string
    channel: string
    part: number
    sent: number
  }
  data_requests: {
    tenant_id: string
    id: string
    debtor_id: string
    kind: string
    received_on: string
    due_on: string
    decision: string | null
    decided_on: string | null
    alerted_at: number | null
    created_at: number
  }
  database_marker: {
    only_row: boolean
  }
  day_figures: {
    tenant_id: string
    day: string
    currency: string
    overdue_cents: number
    overdue_invoices: number
    old_cents: number
    old_invoices: number
  }
  debtor_notes: {
    tenant_id: string
    id: string
    debtor_id: string
    invoice_id: string | null
    text: string
    come_back_on: string | null
    come_back_ended_at: number | null
    actor: unknown
    created_at: number
  }
  debtor_people: {
    tenant_id: string
    id: string
    debtor_id: string
    name: string
    role: string
    ground: string | null
    is_main_email: boolean
    email: string | null
    email_key: string | null
    is_main_phone: boolean
    phone: string | null
    language: string | null
    created_at: number
    updated_at: number
  }
  debtor_scores: {
    tenant_id: string
    debtor_id: string
    formula: number
    inputs: unknown
    points: readonly number[]
    score: number
    computed_at: number
    stale_on: string | null
  }
  debtors: {
    tenant_id: string
    id: string
    name: string
    name_key: string
    email: string
    email_key: string
    phone: string | null
    siret: string | null
    address: string | null
    city: string | null
    postal_code: string | null
    country: string
    type: string
    language: string
    notes: string | null
    search_text: string
    search_grams: readonly number[]
    insolvency_kind: string | null
    insolvency_opened_on: string | null
    insolvency_published_on: string | null
    insolvency_court: string | null
    insolvency_practitioner: string | null
    insolvency_declare_by: string | null
    insolvency_warned_days: number | null
    insolvency_recorded_at: number | null
    insolvency_declared_on: string | null
    insolvency_proof: string | null
    in_charge_id: string | null
    wrong_person: boolean
    paused_at: number | null
    paused_until: number | null
    restricted_at: number | null
    erased_at: number | null
    created_at: number
    updated_at: number
  }
  disputes: {
    tenant_id: string
    id: string
    invoice_id: string
    debtor_id: string
    reason: string
    category: string | null
    amount_cents: number | null
    status: string
    note: string | null
    answer: string | null
    credited_cents: number | null
    opened_at: number
    resolved_at: number | null
  }
  early_receipts: {
    tenant_id: string
    communication_id: string
    outcome: string
    at: number
    received_at: number
    retry_at: number
  }
  events: {
    tenant_id: string
    id: string
    type: string
    schema_version: number
    subject_id: string
    sequence: number
    data: unknown
    actor: unknown
    request_id: string | null
    is_audit: boolean
    xact: number
    occurred_at: number
    recorded_at: number
  }
  extra_messages: {
    tenant_id: string
    id: string
    invoice_id: string
    debtor_id: string
    step: string
    channel: string
    about: unknown
    status: string
    attempt: number
    wish_at: number | null
    due_at: number | null
    due_because: string | null
    communication_id: string | null
    created_at: number
    written_sealed: string | null
  }
  idempotency_keys: {
    tenant_id: string
    key_hash: Buffer
    request_hash: Buffer
    status: number
    body: string
    is_sealed: boolean
    created_at: number
  }
  import_mappings: {
    tenant_id: string
    signature: string
    mapping: unknown
    used_at: number
  }
  import_rows: {
    tenant_id: string
    task_id: string
    line: number
    is_hidden: boolean
    cells: unknown
    state: string
    code: string | null
    message: string | null
    healed: unknown
    invoice_id: string | null
    debtor_key: string | null
    is_new_debtor: boolean | null
    first_on: string | null
    first_channel: string | null
    stored_bytes: number
  }
  imports: {
    tenant_id: string
    task_id: string
    plan: unknown
    stored_bytes: number
  }
  installation: {
    only_row: boolean
    cell: string
    clock_offset_ms: number
    maintenance_until: number | null
    audit_years: number
    missing_channels: readonly string[]
    providers: unknown
    collector: unknown
  }
  invitations: {
    id: string
    company_id: string
    email: string
    email_key: string
    role: string
    language: string
    token_hash: Buffer
    invited_by: string
    created_at: number
    expires_at: number
    accepted_at: number | null
    withdrawn_at: number | null
  }
  invoices: {
    tenant_id: string
    id: string
    debtor_id: string
    number: string
    amount_cents: number
    currency: string
    issue_date: string
    due_date: string
    supplied_on: string | null
    limitation_months: number | null
    description: string | null
    metadata: unknown
    notes: string | null
    number_search: string
    number_grams: readonly number[]
    status: string
    contacted_at: number | null
    last_action_is_letter: boolean
    disputed_at: number | null
    judicial_at: number | null
    written_off_at: number | null
    cancelled_at: number | null
    paid_at: number | null
    paid_cents: number
    credited_cents: number
    open_cents: number | null
    claimed_cents: number
    late_payment_waiver: unknown
    event_seq: number
    created_at: number
    updated_at: number
  }
  last_heartbeat: {
    only_row: boolean
    heartbeat_at: number
  }
  late_payment_rates: {
    kind: string
    starts_on: string
    rate_bps: number
    source: string
    verified_on: string
    added_by: string
    replaced_at: number | null
    replaced_by: string | null
  }
  listed_claims: {
    tenant_id: string
    list_id: string
    invoice_id: string
    accepted_on: string
    currency: string
    principal_cents: number
    indemnity_cents: number
    interest_cents: number
  }
  loop_leases: {
    loop: string
    worker_id: string
  }
  mail_links: {
    token_hash: Buffer
    person_id: string
    purpose: string
    created_at: number
    expires_at: number
    used_at: number | null
  }
  memberships: {
    person_id: string
    company_id: string
    role: string
    role_since: number | null
    receives_alerts: boolean | null
    created_at: number
  }
  message_codes: {
    code: string
    tenant_id: string
    communication_id: string
    debtor_id: string
    letter_code: string | null
    expires_at: number
    disowned: boolean
    wrong_answers: number
  }
  oauth_clients: {
    id: string
    tenant_id: string
    company_id: string
    environment: string
    name: string
    redirect_uris: readonly string[]
    scopes: readonly string[]
    grant_types: readonly string[]
    secret_hash: Buffer | null
    made_by: string | null
    maker_role: string | null
    enabled: boolean
    created_at: number
    updated_at: number
  }
  oauth_codes: {
    code_hash: Buffer
    grant_id: string
    redirect_uri: string
    challenge: string
    expires_at: number
    used_at: number | null
  }
  oauth_grants: {
    id: string
    client_id: string
    person_id: string
    environment: string
    scopes: readonly string[]
    company_ids: readonly string[]
    created_at: number
    auth_time: number
    last_used_at: number | null
    revoked_at: number | null
    revoked_because: string | null
  }
  oauth_refresh_tokens: {
    token_hash: Buffer
    grant_id: string
    scopes: readonly string[]
    expires_at: number
    used_at: number | null
  }
  oauth_revoked_tokens: {
    jti: string
    expires_at: number
  }
  outbox: {
    tenant_id: string
    event_id: string
    type: string
    recorded_at: number
  }
  passkey_challenges: {
    challenge: string
    person_id: string | null
    expires_at: number
  }
  passkeys: {
    id: string
    person_id: string
    name: string
    public_key: Buffer
    counter: number
    transports: readonly string[]
    created_at: number
    last_used_at: number | null
  }
  payments: {
    tenant_id: string
    id: string
    invoice_id: string
    debtor_id: string | null
    amount_cents: number
    currency: string
    status: string
    method: string
    instrument: string | null
    receipt_id: string | null
    paid_at: number | null
    reversed_at: number | null
    day: string
    external_reference: string | null
    by_provider: boolean
    failure_reason: string | null
    refund_reason: string | null
    created_at: number
    updated_at: number
  }
  payout_changes: {
    tenant_id: string
    field: string
    value: string | null
    requested_by: unknown
    requested_at: number
    effective_at: number
  }
  pending_sends: {
    tenant_id: string
    communication_id: string
    debtor_id: string
    reclaim_at: number
    attempts: number
    taken_by: string | null
  }
  pending_tasks: {
    tenant_id: string
    task_id: string
    lane: string
    rank: number
    is_running: boolean
    taken_at: number | null
    since: number | null
  }
  people: {
    id: string
    email: string
    email_key: string
    name: string
    language: string
    password_hash: string | null
    email_verified_at: number | null
    created_at: number
  }
  postings: {
    tenant_id: string
    entry_id: string
    account: string
    invoice_id: string
    debtor_id: string | null
    source_id: string
    kind: string
    amount_cents: number
    actor: unknown
    posted_at: number
  }
  promises: {
    tenant_id: string
    id: string
    invoice_id: string
    debtor_id: string
    pay_on: string
    amount_cents: number
    paid_before_cents: number
    by_debtor: boolean
    status: string
    created_at: number
    settled_at: number | null
  }
  provider_events: {
    provider: string
    event_id: string
    received_at: number
  }
  provider_outages: {
    channel: string
    provider: string
    since: number
    failures: number
    reason: string
    until: number | null
    probe_until: number | null
  }
  recoveries: {
    tenant_id: string
    invoice_id: string
    debtor_id: string
    status: string
    cascade: string
    cascade_version: number
    step: number
    attempt: number
    generation: number
    started_at: number | null
    anchor_at: number | null
    wish_at: number | null
    due_at: number | null
    due_because: string | null
    due_channel: string | null
    not_before: number | null
    communication_id: string | null
    holds: readonly string[]
    paused_at: number | null
    notice_at: number | null
    notice_channel: string | null
    notice_receipt: string | null
    notice_receipt_at: number | null
    limitation_ends_on: string
    limitation_from: string
    limitation_because: string
    limitation_alert_on: string | null
    limitation_alerted_months: number | null
    collector_letter_id: string | null
    collector_letter_at: number | null
    filed_on: string | null
    filing_proof: string | null
    served_on: string | null
    service_proof: string | null
    promise_broken_at: number | null
    last_action: string | null
    last_executed_at: number | null
    actions_completed: number
    standing: string | null
    due_date: string | null
    ended_at: number | null
    outcome: string | null
    created_at: number
  }
  replies: {
    tenant_id: string
    id: string
    debtor_id: string
    communication_id: string | null
    channel: string
    received_at: number
    said: string | null
    read_at: number | null
    decision: string | null
    content_sealed: string | null
    text_state: string
    outcome: string | null
    answer_id: string | null
    answer_communication_id: string | null
    answer_sealed: string | null
  }
  sandbox_messages: {
    tenant_id: string
    communication_id: string
    channel: string
    recipient: string
    subject: string | null
    body: string
    created_at: number
  }
  schema_migrations: {
    name: string
    applied_at: number
  }
  score_marks: {
    tenant_id: string
    debtor_id: string
  }
  sending_database: {
    only_row: boolean
    identity: string
  }
  sent_messages: {
    tenant_id: string
    communication_id: string
    subject: string | null
    text: string
    sha256: Buffer
  }
  sessions: {
    token_hash: Buffer
    person_id: string
    method: string
    address: string
    agent: string
    created_at: number
    seen_at: number
    expires_at: number
  }
  sign_in_failures: {
    subject: Buffer
    failures: number
    since: number
  }
  signing_keys: {
    kid: string
    state: string
    public_jwk: unknown
    private_sealed: string
    created_at: number
    activated_at: number | null
    retired_at: number | null
  }
  stops: {
    id: string
    scope: string
    target: string
    kind: string
    reason: string
    since: number
    stopped_by: string
    known_until: number | null
    ended_at: number | null
    ended_by: string | null
  }
  stored_bytes: {
    tenant_id: string
    kind: string
    bytes: number
  }
  task_file_parts: {
    tenant_id: string
    file_id: string
    part: number
    bytes: Buffer
    stored_bytes: number
  }
  task_files: {
    tenant_id: string
    id: string
    created_at: number
  }
  task_items: {
    tenant_id: string
    task_id: string
    is_dry_run: boolean
    subject_id: string
    chunk: number
    code: string | null
    message: string | null
  }
  tasks: {
    tenant_id: string
    id: string
    kind: string
    status: string
    input: unknown
    file_id: string | null
    actor: unknown
    scopes: readonly string[]
    request_id: string
    is_dry_run: boolean
    attempt: number
    stalled: number
    chunk: number
    cursor: unknown
    total: number | null
    succeeded: number
    refused: number
    refusals: unknown
    review: unknown
    report: unknown
    failure: string | null
    created_at: number
    started_at: number | null
    ended_at: number | null
  }
  tenant_nights: {
    tenant_id: string
    due_at: number
    taken_until: number | null
    after_debtor_id: string | null
    scored: number
    done_at: number | null
    failures: number
  }
  tenants: {
    id: string
    company_id: string
    environment: string
    clock_offset_ms: number
    subscribed_events: readonly string[]
    enabled: boolean
    stale_plans_cursor: string | null
    created_at: number
  }
  unknown_messages: {
    tenant_id: string
    communication_id: string
    since: number
    seen_at: number | null
  }
  webhook_deliveries: {
    tenant_id: string
    webhook_id: string
    event_id: string
    event_type: string
    status: string
    attempts: number
    response_status: number | null
    error: string | null
    duration_ms: number | null
    is_test: boolean
    last_attempt_at: number
    created_at: number
  }
  webhook_endpoints: {
    tenant_id: string
    webhook_id: string
    events: readonly string[]
    enabled: boolean
    disabled_because: string | null
    wake_at: number | null
    busy_until: number | null
    generation: number
    failing: number
    warned_at: number | null
    last_triggered_at: number | null
    recover_from: string | null
    recover_to: string | null
    maker_kind: string | null
    maker_id: string | null
    maker_person: string | null
    needed_scopes: readonly string[]
  }
  webhook_queue: {
    tenant_id: string
    webhook_id: string
    event_id: string
    due_at: number
    attempts: number
    deferrals: number
    created_at: number
  }
  webhooks: {
    tenant_id: string
    id: string
    url: string
    description: string | null
    secret_sealed: string
    created_at: number
    updated_at: number
  }
  workers: {
    id: string
    heartbeat_at: number
  }
}
