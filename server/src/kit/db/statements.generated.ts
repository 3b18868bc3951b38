// Made by `npm run generate` from the statements and the migrated schema.
export interface StatementColumns {
  'account-mail.delete': object
  'account-mail.read-owner': {
    name: string
    owner_email: string
    language: string
  }
  'account-mail.take-due': {
    id: string
    tenant_id: string | null
    kind: string
    subject_id: string
    cause_id: string | null
    secret_sealed: string | null
    created_at: number
  }
  'api-keys.disable': object
  'api-keys.enter': {
    offset_ms: number | null
  }
  'api-keys.find-by-lookup': {
    id: string
    tenant_id: string
    company_id: string
    environment: string
    secret_mac: string
    scopes: readonly string[]
    ip_whitelist: readonly string[]
    enabled: boolean
    company_enabled: boolean
    version: number
    expires_at: number | null
    tier: string
    requests_per_minute: number | null
    in_flight: number | null
  }
  'api-keys.get': {
    id: string
    name: string
    prefix: string
    scopes: readonly string[]
    ip_whitelist: readonly string[]
    enabled: boolean
    created_at: number
    last_used_at: number | null
    expires_at: number | null
  }
  'api-keys.get-cell-and-keys': {
    cell: string
    enabled_keys: number | null
  }
  'api-keys.insert': object
  'api-keys.lock': {
    pg_advisory_xact_lock: string | null
  }
  'api-keys.share-client': {
    scopes: readonly string[]
  }
  'api-keys.share-grants': {
    id: string
  }
  'api-keys.share-key': {
    scopes: readonly string[]
    ip_whitelist: readonly string[]
    expires_at: number | null
  }
  'api-keys.share-role': {
    role: string
  }
  'api-keys.update-last-use': object
  'companies.ensure-settings': object
  'companies.get': {
    name: string
    reply_email: string
    country: string
    time_zone: string
    language: string
    currency: string
    default_debtor_type: string
  }
  'companies.get-cell': {
    cell: string
  }
  'companies.get-settings': {
    name: string
    country: string
    time_zone: string
    language: string
    currency: string
    tier: string
    settings: unknown
  }
  'companies.get-with-cascades': {
    name: string
    reply_email: string
    country: string
    time_zone: string
    language: string
    currency: string
    default_debtor_type: string
    own_cascades: unknown
  }
  'companies.insert': object
  'companies.insert-key': object
  'companies.insert-tenant': object
  'companies.lock-settings': {
    tenant_id: string
  }
  'companies.save-settings': object
  'companies.set-tier': object
  'counts.by-day': {
    n: number | null
  }
  'counts.by-debtor': {
    n: number | null
  }
  'counts.by-status': {
    n: number | null
  }
  'events.insert': {
    "?column?": number | null
  }
  'events.insert-audit': object
  'idempotency.delete': object
  'idempotency.find-many': {
    key_hash: Buffer
    request_hash: Buffer
    status: number
    body: string
    is_sealed: boolean
    created_at: number
  }
  'idempotency.save-many': object
  'idempotency.try-lock-many': {
    lock: string | null
    mine: boolean | null
  }
  'notices.insert': object
  'notices.insert-account-mail': object
  'oauth.activate-signing-key': object
  'oauth.disable-client': object
  'oauth.enter-by-token': {
    offset_ms: number | null
  }
  'oauth.find-active-key': {
    kid: string
    private_sealed: string
  }
  'oauth.find-client': {
    id: string | null
    tenant_id: string | null
    company_id: string | null
    environment: string | null
    name: string | null
    redirect_uris: readonly string[] | null
    scopes: readonly string[] | null
    grant_types: readonly string[] | null
    secret_hash: Buffer | null
  }
  'oauth.find-client-scopes': {
    scopes: readonly string[] | null
  }
  'oauth.find-refresh-token': {
    id: string
    client_id: string
    person_id: string
  }
  'oauth.find-token-standing': {
    is_revoked: boolean | null
    client_enabled: boolean | null
    client_scopes: readonly string[] | null
    environment: string | null
    home_enabled: boolean | null
    grant_stands: boolean | null
    company_ids: readonly string[] | null
    company_id: string | null
    tenant_id: string | null
    company_enabled: boolean | null
    tier: string | null
    requests_per_minute: number | null
    in_flight: number | null
    role: string | null
  }
  'oauth.find-verification-key': {
    public_jwk: unknown
  }
  'oauth.get-cell': {
    cell: string
  }
  'oauth.get-cell-and-clients': {
    cell: string
    enabled_clients: number | null
  }
  'oauth.get-client': {
    id: string
    name: string
    redirect_uris: readonly string[]
    scopes: readonly string[]
    grant_types: readonly string[]
    environment: string
    enabled: boolean
    created_at: number
  }
  'oauth.insert-audit': {
    keep_act: string | null
  }
  'oauth.insert-client': object
  'oauth.insert-code': object
  'oauth.insert-grant': object
  'oauth.insert-refresh-token': object
  'oauth.insert-signing-key': object
  'oauth.list-companies': {
    id: string
    name: string
    role: string
  }
  'oauth.list-current-companies': {
    company_id: string
  }
  'oauth.list-published-keys': {
    public_jwk: unknown
  }
  'oauth.list-signing-keys': {
    state: string
    activated_at: number | null
  }
  'oauth.lock-clients': {
    pg_advisory_xact_lock: string | null
  }
  'oauth.lock-code': {
    id: string
    client_id: string
    person_id: string
    environment: string
    scopes: readonly string[]
    revoked_at: number | null
    opens_any: boolean | null
    redirect_uri: string
    challenge: string
    expires_at: number
    used_at: number | null
  }
  'oauth.lock-consents': {
    pg_advisory_xact_lock: string | null
  }
  'oauth.lock-refresh-token': {
    id: string
    client_id: string
    person_id: string
    environment: string
    scopes: readonly string[]
    revoked_at: number | null
    opens_any: boolean | null
    token_scopes: readonly string[]
    expires_at: number
    used_at: number | null
  }
  'oauth.lock-signing-keys': {
    pg_advisory_xact_lock: string | null
  }
  'oauth.replace-grants': {
    id: string
    company_ids: readonly string[]
  }
  'oauth.retire-all-signing-keys': object
  'oauth.retire-signing-key': object
  'oauth.revoke-client-grants': {
    company_id: string | null
    consents: number | null
  }
  'oauth.revoke-grant': {
    company_ids: readonly string[]
    last_used_at: number | null
  }
  'oauth.revoke-token': object
  'oauth.rotate-client-secret': object
  'oauth.share-signing-keys': {
    pg_advisory_xact_lock_shared: string | null
  }
  'oauth.touch-grant': object
  'oauth.update-client': object
  'oauth.use-code': object
  'oauth.use-refresh-token': object
  'people.accept-invitation': {
    id: string
  }
  'people.advance-passkey-counter': {
    person_id: string
  }
  'people.count-failure': {
    failures: number
  }
  'people.delete-failures': object
  'people.delete-mail-links': object
  'people.delete-membership': object
  'people.delete-other-sessions': {
    method: string
  }
  'people.delete-passkey': {
    id: string
  }
  'people.delete-session': object
  'people.delete-session-of-person': {
    method: string
  }
  'people.find-by-email': {
    id: string
    email: string
    email_key: string
    name: string
    language: string
    password_hash: string | null
    email_verified_at: number | null
  }
  'people.find-by-mail-link': {
    id: string
    email: string
    name: string
  }
  'people.find-grant': {
    id: string
    client_id: string
    company_ids: readonly string[]
  }
  'people.find-invitation-by-token': {
    id: string
    company_id: string
    company_name: string
    email: string
    email_key: string
    role: string
    language: string
  }
  'people.find-passkey': {
    person_id: string
    public_key: Buffer
    counter: number
    transports: readonly string[]
  }
  'people.find-session': {
    id: string
    email: string
    name: string
    language: string
    email_verified_at: number | null
    created_at: number
    seen_at: number
  }
  'people.get': {
    id: string
    email: string
    email_key: string
    name: string
    language: string
    password_hash: string | null
    email_verified_at: number | null
  }
  'people.get-cell-and-language': {
    cell: string
    language: string
  }
  'people.get-invitation-recipient': {
    email: string
    language: string
    role: string
    company_name: string
  }
  'people.get-mail-recipient': {
    email: string
    language: string
  }
  'people.insert': {
    id: string
  }
  'people.insert-audit': {
    keep_act: string | null
  }
  'people.insert-invitation': object
  'people.insert-mail-link': object
  'people.insert-membership': object
  'people.insert-passkey': {
    id: string
  }
  'people.insert-passkey-challenge': object
  'people.insert-session': object
  'people.list-audit-events': {
    id: string | null
    type: string | null
    company_name: string | null
    actor_kind: string | null
    actor_name: string | null
    recorded_at: number | null
  }
  'people.list-companies': {
    id: string
    name: string
    role: string
    created_at: number
  }
  'people.list-company-ids': {
    company_id: string
  }
  'people.list-grants': {
    id: string
    client_name: string
    environment: string
    scopes: readonly string[]
    created_at: number
    last_used_at: number | null
    company_names: readonly string[] | null
  }
  'people.list-members': {
    person_id: string
    name: string
    email: string
    role: string
    created_at: number
  }
  'people.list-open-invitations': {
    id: string
    email: string
    role: string
    language: string
    created_at: number
    expires_at: number
  }
  'people.list-passkey-transports': {
    id: string
    transports: readonly string[]
  }
  'people.list-passkeys': {
    id: string
    name: string
    created_at: number
    last_used_at: number | null
  }
  'people.list-recent-invitations': {
    id: string
    email: string
    email_key: string
    role: string
    language: string
    created_at: number
    expires_at: number
    is_open: boolean | null
  }
  'people.list-sessions': {
    token_hash: Buffer
    method: string
    address: string
    agent: string
    created_at: number
    seen_at: number
  }
  'people.lock': {
    id: string
  }
  'people.lock-company-members': {
    pg_advisory_xact_lock: string | null
  }
  'people.lock-invitation': {
    role: string
    accepted_at: number | null
    withdrawn_at: number | null
  }
  'people.lock-members': {
    person_id: string
    name: string
    email: string
    role: string
    created_at: number
  }
  'people.remove-company-from-grants': object
  'people.set-password': object
  'people.set-profile': object
  'people.touch-session': object
  'people.uncount-failure': object
  'people.update-role': object
  'people.use-mail-link': {
    person_id: string
  }
  'people.use-passkey-challenge': {
    expires_at: number
  }
  'people.withdraw-invitations': object
  'tenants.enter': {
    offset_ms: number | null
  }
}
