// Made by `npm run generate` from the statements and the migrated schema.
export interface StatementColumns {
  'access.copy-calls': {
    began_at: number
    note: string
  }
  'access.copy-closed': {
    channel: string
    because: string
  }
  'access.copy-disputes': {
    number: string
    reason: string
    opened_at: number
    status: string
  }
  'access.copy-invoices': {
    id: string
    number: string
    due_date: string
    amount_cents: number
    paid_cents: number
    credited_cents: number
    currency: string
    status: string
  }
  'access.copy-people': {
    name: string
    role: string
    ground: string | null
    email: string | null
    phone: string | null
  }
  'access.copy-person': {
    name: string | null
    email: string | null
    phone: string | null
    siret: string | null
    address: string | null
    postal_code: string | null
    city: string | null
    country: string | null
    type: string | null
    language: string | null
    notes: string | null
    insolvency_opened_on: string | null
    creditor: string | null
    contact: string | null
    time_zone: string | null
    keep_months: number | null
    providers: unknown
  }
  'access.copy-promises': {
    number: string
    currency: string
    amount_cents: number
    pay_on: string
    status: string
  }
  'access.copy-replies': {
    id: string
    received_at: number
    content_sealed: string | null
  }
  'access.copy-requests': {
    kind: string
    received_on: string
    due_on: string
    decision: string | null
  }
  'access.find-communications': {
    id: string
  }
  'access.find-documents': {
    id: string
    number: string
  }
  'access.find-invoices': {
    id: string
  }
  'access.read-closed': {
    channel: string
    because: string
    created_at: number
  }
  'access.read-conversations': {
    conversation_id: string | null
    role: string | null
    text: string | null
    created_at: number | null
    last: string | null
  }
  'access.read-document': {
    pdf: Buffer
  }
  'account-mail.delete': object
  'account-mail.get-reply-address': {
    language: string | null
    address: string | null
  }
  'account-mail.insert': object
  'account-mail.insert-account-mail': object
  'account-mail.insert-company-mail': object
  'account-mail.read-addressee': {
    company_id: string | null
    name: string | null
    language: string | null
    address: string | null
  }
  'account-mail.split': object
  'account-mail.take-due': {
    id: string
    tenant_id: string | null
    kind: string
    subject_id: string
    cause_id: string | null
    secret_sealed: string | null
    about: unknown
    created_at: number
  }
  'account.find-member': {
    person_id: string
    role: string
    email: string
  }
  'account.list-memberships': {
    companyId: string
    name: string
    role: string
    receivesAlerts: boolean | null
    tenants: unknown
  }
  'account.lock-company-members': {
    pg_advisory_xact_lock: string | null
  }
  'agenda.count-pending-sends': {
    count: number | null
    stuck: number | null
    oldest: string | null
  }
  'agenda.count-taken': {
    count: number | null
  }
  'agenda.count-unknown': {
    under_1h: number | null
    under_48h: number | null
    over_48h: number | null
  }
  'agenda.give-back': object
  'agenda.list-away-providers': {
    channel: string
    provider: string
    since: number
    reason: string
  }
  'agenda.list-due-of-tenants': {
    tenant_id: string
    debtor_id: string
    wake_generation: number
  }
  'agenda.list-due-tenants': {
    tenant_id: string | null
  }
  'agenda.list-oldest-due': {
    tenant_id: string
    debtor_id: string
    wake_generation: number
    wake_at: number | null
  }
  'agenda.list-parked': {
    tenant_id: string
    debtor_id: string
    parked_because: string | null
  }
  'agenda.list-stops-of-all': {
    reason: string
    since: number
    stopped_by: string
  }
  'agenda.oldest-due': {
    wake_at: number | null
  }
  'agenda.oldest-taken': {
    taken_at: number | null
  }
  'agenda.release-late': {
    tenant_id: string
    debtor_id: string
    parked_because: string | null
  }
  'agenda.release-taken-by': {
    one: number | null
  }
  'agenda.schedule': object
  'agenda.take': {
    tenant_id: string
    debtor_id: string
    wake_generation: number
  }
  'agenda.wait-for-stop': object
  'alerts.enter-by-link': {
    offset_ms: number | null
  }
  'alerts.get-link': {
    tenant_id: string | null
    company_id: string | null
    company_name: string | null
    person_id: string | null
    role: string | null
    kind: string | null
    event_ids: readonly string[] | null
    total: number | null
  }
  'alerts.get-mail-recipient': {
    tenant_id: string | null
    kind: string | null
    event_ids: readonly string[] | null
    total: number | null
    language: string | null
    address: string | null
  }
  'alerts.insert-link': object
  'alerts.list-items': {
    id: string
    type: string
    data: unknown
    invoice_id: string
    number: string
    currency: string
    balance_cents: number | null
    workflow_status: string
    holds: readonly string[]
    due_because: string | null
    debtor_id: string
    name: string
    email: string
    phone: string | null
    is_unread: boolean | null
    is_request_open: boolean | null
    is_undecided: boolean | null
    next_person: string | null
    dispute: string | null
  }
  'alerts.list-mailed-events': {
    data: unknown
    number: string
    currency: string
    balance_cents: number | null
    name: string
    next_person: string | null
  }
  'alerts.list-recipients': {
    company_id: string
    person_id: string | null
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
    tenant_enabled: boolean
    version: number
    expires_at: number | null
    maker_role: string | null
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
    made_by: string | null
    maker_role: string | null
  }
  'api-keys.get-cell-and-keys': {
    cell: string
    is_open: boolean | null
    enabled_keys: number | null
  }
  'api-keys.insert': object
  'api-keys.list-enabled': {
    id: string
    name: string
    prefix: string
    scopes: readonly string[]
    ip_whitelist: readonly string[]
    enabled: boolean
    created_at: number
    last_used_at: number | null
    expires_at: number | null
    made_by: string | null
    maker_role: string | null
  }
  'api-keys.lock': {
    pg_advisory_xact_lock: string | null
  }
  'api-keys.share-client': {
    scopes: readonly string[]
    made_by: string | null
    maker_role: string | null
  }
  'api-keys.share-grants': {
    id: string
  }
  'api-keys.share-key': {
    scopes: readonly string[]
    ip_whitelist: readonly string[]
    expires_at: number | null
    made_by: string | null
    maker_role: string | null
  }
  'api-keys.share-role': {
    role: string
  }
  'api-keys.update-last-use': object
  'assistant.delete-empty-conversation': object
  'assistant.delete-old-conversations': {
    forget_conversations: string | null
  }
  'assistant.drop-open-plans': object
  'assistant.drop-plan': object
  'assistant.find-conversation': {
    id: string
    last_message: string
    message_count: number
    created_at: number
    updated_at: number
  }
  'assistant.finish-plan': object
  'assistant.get-company': {
    time_zone: string
    language: string
  }
  'assistant.insert-conversation': object
  'assistant.insert-messages': object
  'assistant.insert-plan': object
  'assistant.list-latest-messages': {
    role: string
    text: string
  }
  'assistant.list-messages': {
    id: string
    role: string
    text: string
    tools_called: readonly string[]
    created_at: number
  }
  'assistant.lock-day': {
    tokens: number
    reserved: number
  }
  'assistant.release-plan': object
  'assistant.reserve-tokens': object
  'assistant.settle-tokens': object
  'assistant.start-day': object
  'assistant.take-open-plan': {
    id: string
    plan: string
    language: string
  }
  'assistant.take-plan': {
    id: string
    plan: string
    language: string
  }
  'attestation.get': {
    number: string | null
    pdf: Buffer | null
  }
  'attestation.get-siret': {
    siret: string | null
  }
  'attestation.insert': object
  'attestation.list-actions': {
    action: string
    channel: string | null
    status: string
    executed_at: number
    communication_id: string | null
    grouped_with: string | null
    total: number | null
    contacts: number | null
  }
  'attestation.list-proofs': {
    position: number
    hash: Buffer
    communication_id: string | null
  }
  'callbacks.find-codes-by-phone': {
    code: string | null
  }
  'callbacks.get-channel': {
    channel: string
  }
  'calls.close': {
    outcome: string
    note: string
  }
  'calls.get-end': {
    is_over: boolean | null
    is_stopped: boolean | null
  }
  'calls.list-served': {
    invoice_id: string
    debtor_id: string
  }
  'calls.list-served-invoices': {
    id: string
    number: string
    currency: string
    balance_cents: number | null
    accessories_cents: number | null
  }
  'calls.save': {
    is_over: boolean | null
  }
  'cascades.count': {
    n: number | null
  }
  'cascades.get-current': {
    name: string
    version: number
    steps: unknown
    applies: unknown
    enabled: boolean
    created_at: number
  }
  'cascades.insert': {
    name: string
  }
  'cascades.insert-version': object
  'cascades.list-current': {
    name: string
    version: number
    steps: unknown
    applies: unknown
    enabled: boolean
    created_at: number
  }
  'cascades.list-versions': {
    name: string
    version: number
    steps: unknown
    applies: unknown
    enabled: boolean
    created_at: number
    is_current: boolean
  }
  'cascades.lock': {
    name: string
  }
  'cascades.retire-current': object
  'cascades.set-enabled': object
  'case.break-promises': {
    id: string
    invoice_id: string
    pay_on: string
    amount_cents: number
  }
  'case.detach-from-messages': {
    held: number | null
    cancelled: readonly string[] | null
    extras: readonly string[] | null
  }
  'case.find-debtor': {
    debtor_id: string
  }
  'case.find-debtor-to-lock': {
    id: string
  }
  'case.find-debtors': {
    id: string
    debtor_id: string
  }
  'case.find-requested-message': {
    step: string
    channel: string
    status: string
    communication_id: string | null
  }
  'case.forget-broken-promise': {
    debtor_id: string
  }
  'case.get': {
    debtor_id: string
    started_at: number | null
    notice_channel: string | null
    filed_on: string | null
    filing_proof: string | null
    service_proof: string | null
    invoice_id: string
    status: string
    holds: readonly string[]
    step: number
    attempt: number
    cascade: string
    cascade_version: number
    anchor_at: number | null
    wish_at: number | null
    due_at: number | null
    due_because: string | null
    due_channel: string | null
    not_before: number | null
    paused_at: number | null
    notice_at: number | null
    notice_receipt_at: number | null
    limitation_ends_on: string
    last_action: string | null
    last_executed_at: number | null
    actions_completed: number
    cascade_steps: unknown
    collector_letter_id: string | null
    collector_letter_at: number | null
    listed_on: string | null
    number: string
    currency: string
    issue_date: string
    due_date: string
    claimed_cents: number
    invoice_status: string
    amount_cents: number
    paid_cents: number
    credited_cents: number
    contacted_at: number | null
    last_action_is_letter: boolean
    disputed_at: number | null
    judicial_at: number | null
    written_off_at: number | null
    cancelled_at: number | null
    supplied_on: string | null
    limitation_months: number | null
    limitation_from: string
    limitation_because: string
    limitation_alerted_months: number | null
    served_on: string | null
    declared_on: string | null
    received: unknown
    own_promises_at: unknown
    payment_ids: readonly string[] | null
    has_messages: boolean | null
    promise: unknown
  }
  'case.get-debtor-file': {
    id: string | null
    name: string | null
    email: string | null
    phone: string | null
    address: string | null
    postal_code: string | null
    city: string | null
    country: string | null
    type: string | null
    language: string | null
    insolvency_kind: string | null
    insolvency_opened_on: string | null
    paused_at: number | null
    paused_until: number | null
    environment: string | null
    stop_reason: string | null
    tier: string | null
    daily_limits: unknown
    missing: readonly string[] | null
    creditor: unknown
    points: readonly Buffer[] | null
    contacts: unknown
    month: unknown
    closed: unknown
    failures: unknown
    stopped: unknown
    has_unread_reply: boolean | null
    has_situation: boolean | null
  }
  'case.get-debtor-files': {
    id: string | null
    name: string | null
    email: string | null
    phone: string | null
    address: string | null
    postal_code: string | null
    city: string | null
    country: string | null
    type: string | null
    language: string | null
    insolvency_kind: string | null
    insolvency_opened_on: string | null
    paused_at: number | null
    paused_until: number | null
    environment: string | null
    stop_reason: string | null
    tier: string | null
    daily_limits: unknown
    missing: readonly string[] | null
    creditor: unknown
    points: readonly Buffer[] | null
    contacts: unknown
    month: unknown
    closed: unknown
    failures: unknown
    stopped: unknown
    has_unread_reply: boolean | null
    has_situation: boolean | null
  }
  'case.get-many': {
    debtor_id: string
    started_at: number | null
    notice_channel: string | null
    filed_on: string | null
    filing_proof: string | null
    service_proof: string | null
    invoice_id: string
    status: string
    holds: readonly string[]
    step: number
    attempt: number
    cascade: string
    cascade_version: number
    anchor_at: number | null
    wish_at: number | null
    due_at: number | null
    due_because: string | null
    due_channel: string | null
    not_before: number | null
    paused_at: number | null
    notice_at: number | null
    notice_receipt_at: number | null
    limitation_ends_on: string
    last_action: string | null
    last_executed_at: number | null
    actions_completed: number
    cascade_steps: unknown
    collector_letter_id: string | null
    collector_letter_at: number | null
    listed_on: string | null
    number: string
    currency: string
    issue_date: string
    due_date: string
    claimed_cents: number
    invoice_status: string
    amount_cents: number
    paid_cents: number
    credited_cents: number
    contacted_at: number | null
    last_action_is_letter: boolean
    disputed_at: number | null
    judicial_at: number | null
    written_off_at: number | null
    cancelled_at: number | null
    supplied_on: string | null
    limitation_months: number | null
    limitation_from: string
    limitation_because: string
    limitation_alerted_months: number | null
    served_on: string | null
    declared_on: string | null
    received: unknown
    own_promises_at: unknown
    payment_ids: readonly string[] | null
    has_messages: boolean | null
    promise: unknown
  }
  'case.insert-actions': object
  'case.insert-extra-message': object
  'case.keep-announced': object
  'case.list-being-sent': {
    communicationId: string
    channel: string
    action: string
  }
  'case.list-being-sent-of-many': {
    invoice_id: string
    communicationId: string
    channel: string
    action: string
  }
  'case.list-due-limitation-alerts': {
    invoice_id: string
    debtor_id: string
    number: string
    type: string
    limitation_ends_on: string
    limitation_alerted_months: number | null
  }
  'case.list-invoices-of-debtor': {
    id: string
  }
  'case.list-limited': {
    invoice_id: string
    status: string
    holds: readonly string[]
    step: number
    attempt: number
    cascade: string
    cascade_version: number
    anchor_at: number | null
    wish_at: number | null
    due_at: number | null
    due_because: string | null
    due_channel: string | null
    not_before: number | null
    paused_at: number | null
    notice_at: number | null
    notice_receipt_at: number | null
    limitation_ends_on: string
    last_action: string | null
    last_executed_at: number | null
    actions_completed: number
    cascade_steps: unknown
    collector_letter_id: string | null
    collector_letter_at: number | null
    listed_on: string | null
    number: string
    currency: string
    issue_date: string
    due_date: string
    claimed_cents: number
    invoice_status: string
    amount_cents: number
    paid_cents: number
    credited_cents: number
    contacted_at: number | null
    last_action_is_letter: boolean
    disputed_at: number | null
    judicial_at: number | null
    written_off_at: number | null
    cancelled_at: number | null
    supplied_on: string | null
    limitation_months: number | null
    limitation_from: string
    limitation_because: string
    limitation_alerted_months: number | null
    served_on: string | null
    declared_on: string | null
    received: unknown
    own_promises_at: unknown
  }
  'case.list-quiet-periods': {
    debtor_id: string
    quiet_until: number | null
  }
  'case.list-served': {
    communication_id: string | null
    invoice_id: string
    status: string
    holds: readonly string[]
    step: number
    attempt: number
    cascade: string
    cascade_version: number
    anchor_at: number | null
    wish_at: number | null
    due_at: number | null
    due_because: string | null
    due_channel: string | null
    not_before: number | null
    paused_at: number | null
    notice_at: number | null
    notice_receipt_at: number | null
    limitation_ends_on: string
    last_action: string | null
    last_executed_at: number | null
    actions_completed: number
    cascade_steps: unknown
    collector_letter_id: string | null
    collector_letter_at: number | null
    listed_on: string | null
    number: string
    currency: string
    issue_date: string
    due_date: string
    claimed_cents: number
    invoice_status: string
    amount_cents: number
    paid_cents: number
    credited_cents: number
    contacted_at: number | null
    last_action_is_letter: boolean
    disputed_at: number | null
    judicial_at: number | null
    written_off_at: number | null
    cancelled_at: number | null
  }
  'case.list-served-extra-messages': {
    communication_id: string | null
    id: string
    invoice_id: string
    step: string
    attempt: number
    wish_at: number | null
    due_at: number | null
    due_because: string | null
    created_at: number
    channel: string
    due_date: string
    number: string
    limitation_ends_on: string
    recovery_status: string
    collector_letter_id: string | null
    collector_letter_at: number | null
    listed_on: string | null
  }
  'case.list-waiting': {
    invoice_id: string
    status: string
    holds: readonly string[]
    step: number
    attempt: number
    cascade: string
    cascade_version: number
    anchor_at: number | null
    wish_at: number | null
    due_at: number | null
    due_because: string | null
    due_channel: string | null
    not_before: number | null
    paused_at: number | null
    notice_at: number | null
    notice_receipt_at: number | null
    limitation_ends_on: string
    last_action: string | null
    last_executed_at: number | null
    actions_completed: number
    cascade_steps: unknown
    collector_letter_id: string | null
    collector_letter_at: number | null
    listed_on: string | null
    number: string
    currency: string
    issue_date: string
    due_date: string
    claimed_cents: number
    invoice_status: string
    amount_cents: number
    paid_cents: number
    credited_cents: number
    contacted_at: number | null
    last_action_is_letter: boolean
    disputed_at: number | null
    judicial_at: number | null
    written_off_at: number | null
    cancelled_at: number | null
  }
  'case.list-waiting-extra-messages': {
    id: string
    invoice_id: string
    step: string
    attempt: number
    wish_at: number | null
    due_at: number | null
    due_because: string | null
    created_at: number
    channel: string
    due_date: string
    number: string
    limitation_ends_on: string
    recovery_status: string
    collector_letter_id: string | null
    collector_letter_at: number | null
    listed_on: string | null
  }
  'case.list-waiting-extra-messages-of-debtors': {
    debtor_id: string
    id: string
    invoice_id: string
    step: string
    attempt: number
    wish_at: number | null
    due_at: number | null
    due_because: string | null
    created_at: number
    channel: string
    due_date: string
    number: string
    limitation_ends_on: string
    recovery_status: string
    collector_letter_id: string | null
    collector_letter_at: number | null
    listed_on: string | null
  }
  'case.list-waiting-of-debtors': {
    debtor_id: string
    invoice_id: string
    status: string
    holds: readonly string[]
    step: number
    attempt: number
    cascade: string
    cascade_version: number
    anchor_at: number | null
    wish_at: number | null
    due_at: number | null
    due_because: string | null
    due_channel: string | null
    not_before: number | null
    paused_at: number | null
    notice_at: number | null
    notice_receipt_at: number | null
    limitation_ends_on: string
    last_action: string | null
    last_executed_at: number | null
    actions_completed: number
    cascade_steps: unknown
    collector_letter_id: string | null
    collector_letter_at: number | null
    listed_on: string | null
    number: string
    currency: string
    issue_date: string
    due_date: string
    claimed_cents: number
    invoice_status: string
    amount_cents: number
    paid_cents: number
    credited_cents: number
    contacted_at: number | null
    last_action_is_letter: boolean
    disputed_at: number | null
    judicial_at: number | null
    written_off_at: number | null
    cancelled_at: number | null
  }
  'case.lock-agenda': {
    wake_generation: number
    wake_at: number | null
    parked_because: string | null
    quiet_until: number | null
    acted_at: number | null
    chain_head: Buffer | null
    chain_length: number
    has_plan: boolean | null
    is_unplanned: boolean | null
  }
  'case.lock-agendas': {
    debtor_id: string
    wake_generation: number
    wake_at: number | null
    parked_because: string | null
    quiet_until: number | null
    acted_at: number | null
    chain_head: Buffer | null
    chain_length: number
    has_plan: boolean | null
    is_unplanned: boolean | null
  }
  'case.lock-free-agendas': {
    debtor_id: string
    wake_generation: number
    wake_at: number | null
    parked_because: string | null
    quiet_until: number | null
    acted_at: number | null
    chain_head: Buffer | null
    chain_length: number
    has_plan: boolean | null
    is_unplanned: boolean | null
  }
  'case.lock-invoice': {
    id: string
  }
  'case.lock-invoices': {
    id: string
  }
  'case.lock-limited': {
    invoice_id: string
  }
  'case.lock-recoveries': {
    invoice_id: string
  }
  'case.lock-recovery': {
    invoice_id: string
  }
  'case.look-at-sharing': object
  'case.mark-all-same-persons': object
  'case.mark-same-persons': {
    left_out: number | null
  }
  'case.plan-listed': object
  'case.refresh-agenda': {
    wake_generation: number | null
    wake_at: number | null
  }
  'case.refresh-agendas': {
    debtor_id: string | null
    wake_generation: number | null
    wake_at: number | null
  }
  'case.save-limitation-alerts': object
  'case.save-recoveries': object
  'case.start-quiet-period': object
  'case.store-plans': object
  'case.take-back-message': {
    held: number | null
    is_taken_back: boolean | null
  }
  'case.update-invoice-facts': object
  'claim-lists.find-debtors': {
    debtor_id: string
  }
  'claim-lists.get': {
    id: string
    accepted_on: string
    accepted_by: string
    created_at: number
  }
  'claim-lists.get-terms': {
    rates: unknown
    country: string | null
    contract_rate_bps: number | null
    is_claimed: boolean | null
  }
  'claim-lists.get-to-print': {
    id: string | null
    accepted_on: string | null
    accepted_by: string | null
    created_at: number | null
    environment: string | null
    language: string | null
    name: string | null
    address: string | null
    siren: string | null
    legal_form: string | null
    rcs: string | null
    collector: unknown
    mandate_signed_on: string | null
    mandate_reference: string | null
  }
  'claim-lists.insert': object
  'claim-lists.insert-claims': object
  'claim-lists.list-claims': {
    invoice_id: string
    number: string
    currency: string
    principal_cents: number
    indemnity_cents: number
    interest_cents: number
  }
  'claim-lists.list-invoices': {
    id: string | null
    number: string | null
    currency: string | null
    due_date: string | null
    amount_cents: number | null
    balance_cents: number | null
    is_waived: boolean | null
    debtor_type: string | null
    insolvency_opened_on: string | null
    movements: unknown
  }
  'claim-lists.list-to-print': {
    number: string
    debtor: string
    dueOn: string
    currency: string
    principalCents: number
    indemnityCents: number
    interestCents: number
  }
  'companies.accept-database': {
    accept_database: string | null
  }
  'companies.add-late-payment-rate': {
    rate_bps: number
  }
  'companies.change': object
  'companies.clear-collector-mode': object
  'companies.count-by-environment': {
    environment: string
    keys: number | null
    stored_bytes: number | null
  }
  'companies.count-in-flight': {
    leaving: number | null
  }
  'companies.delete-logo': object
  'companies.delete-payout-changes': object
  'companies.end-maintenance': {
    is_ended: boolean | null
  }
  'companies.end-stops': {
    kind: string
  }
  'companies.ensure-settings': object
  'companies.find-card-account': {
    account: string
  }
  'companies.find-for-operator': {
    id: string
    name: string
    enabled: boolean
    production: string
    sandbox: string
    is_opened: boolean
  }
  'companies.find-new-password': {
    found: number | null
  }
  'companies.find-stopper-name': {
    name: string | null
  }
  'companies.find-tenant': {
    id: string
    name: string
    environment: string
  }
  'companies.get': {
    name: string
    reply_email: string
    country: string
    time_zone: string
    language: string
    currency: string
    default_debtor_type: string | null
  }
  'companies.get-card-account': {
    country: string | null
    account: string | null
    source: string | null
    in_use: boolean | null
  }
  'companies.get-cell': {
    cell: string
  }
  'companies.get-for-operator': {
    id: string
    name: string
    tier: string
    sells_to: string
    daily_limits: unknown
    storage_bytes: number | null
    created_at: number
    mandate_signed_on: string | null
    mandate_reference: string | null
    state: string | null
  }
  'companies.get-late-payment-rate': {
    rate_bps: number
    source: string
  }
  'companies.get-logo': {
    bytes: Buffer
  }
  'companies.get-payout-recipient': {
    name: string | null
    language: string | null
    time_zone: string | null
    address: string | null
    actor_email: string | null
  }
  'companies.get-settings': {
    name: string
    country: string
    time_zone: string
    language: string
    currency: string
    tier: string
    default_debtor_type: string
    has_mandate: boolean | null
    has_logo: boolean | null
    settings: unknown
    pending: unknown
    own_stop: unknown
  }
  'companies.get-with-cascades': {
    name: string
    reply_email: string
    country: string
    time_zone: string
    language: string
    currency: string
    default_debtor_type: string | null
    is_collected: boolean | null
    own_cascades: unknown
    settings: unknown
  }
  'companies.insert': object
  'companies.insert-card-account': object
  'companies.insert-key': object
  'companies.insert-stop': object
  'companies.insert-tenant': object
  'companies.list-due-payout-changes': {
    id: string
    company_id: string
  }
  'companies.list-for-operator': {
    id: string
    name: string
    tier: string
    sells_to: string
    daily_limits: unknown
    storage_bytes: number | null
    created_at: number
    mandate_signed_on: string | null
    mandate_reference: string | null
    state: string | null
  }
  'companies.list-late-payment-rates': {
    kind: string
    starts_on: string
    rate_bps: number
    source: string
    verified_on: string
    added_by: string
  }
  'companies.list-lock-holders': {
    holder: string | null
  }
  'companies.list-open-stops': {
    scope: string
    kind: string
    target: string
    reason: string
    since: number
    stopped_by: string
    known_until: number | null
  }
  'companies.list-owners': {
    id: string | null
  }
  'companies.list-stops': {
    scope: string
    kind: string
    reason: string
    since: number
    stopped_by: string
    ended_at: number | null
    ended_by: string | null
  }
  'companies.list-stops-of-everybody': {
    kind: string
    known_until: number | null
  }
  'companies.lock-open-stop': {
    id: string
  }
  'companies.lock-settings': {
    tenant_id: string
  }
  'companies.release-parked': {
    released: number | null
  }
  'companies.release-stopped': {
    released: number | null
  }
  'companies.release-tenant': {
    released: number | null
  }
  'companies.release-unlisted': {
    released: number | null
  }
  'companies.replace-late-payment-rate': object
  'companies.save-daily-limit': object
  'companies.save-mandate': object
  'companies.save-settings': object
  'companies.save-storage-quota': object
  'companies.set-card-account': object
  'companies.set-maintenance': object
  'companies.set-tier': object
  'companies.share-owner': {
    role: string
    owner_since: number | null
  }
  'companies.upsert-logo': object
  'companies.upsert-payout-change': object
  'companies.watch-database': {
    is_same: boolean | null
    is_new: boolean | null
    known_until: number | null
  }
  'console.list-companies': {
    id: string
    name: string
    role: string
    production_open: boolean | null
    sandbox_open: boolean | null
  }
  'counts.by-day': {
    n: number | null
  }
  'counts.by-debtor': {
    n: number | null
  }
  'counts.by-status': {
    n: number | null
  }
  'db.list-migrations': {
    name: string
  }
  'db.read-clock': {
    now: number | null
  }
  'debtor-page.count-recent-confirmations': {
    n: number | null
  }
  'debtor-page.get-parties': {
    channel: string | null
    state: string | null
    sent_at: number | null
    rates: unknown
    providers: unknown
    debtor: unknown
    creditor: unknown
    closed: unknown
  }
  'debtor-page.list-invoices': {
    id: string
    number: string
    issueDate: string
    dueDate: string
    currency: string
    amountCents: number
    paidCents: number
    creditedCents: number
    claimedCents: number
    status: string
    description: string | null
    recovery: string
    holds: readonly string[]
    dueAt: number | null
    limitationEndsOn: string
    promise: unknown
    ownPromises: unknown
    dispute: unknown
    decision: unknown
    inFlight: readonly string[] | null
    movements: unknown
  }
  'debtors.decide-data-request': {
    id: string
    debtor_id: string
    kind: string
    received_on: string
    due_on: string
    decision: string | null
    decided_on: string | null
    created_at: number
  }
  'debtors.delete-person': object
  'debtors.end-come-back': {
    id: string
  }
  'debtors.end-come-backs': object
  'debtors.find-for-replies': {
    id: string
  }
  'debtors.find-invoice-of-note': {
    id: string
  }
  'debtors.find-person-in-charge': {
    id: string | null
  }
  'debtors.find-promise-hold': {
    invoice_id: string
  }
  'debtors.find-stop': {
    stop_reason: string | null
  }
  'debtors.get': {
    id: string
    name: string
    email: string
    phone: string | null
    siret: string | null
    address: string | null
    city: string | null
    postal_code: string | null
    country: string
    type: string
    language: string
    insolvency_kind: string | null
    insolvency_opened_on: string | null
    insolvency_published_on: string | null
    insolvency_court: string | null
    insolvency_practitioner: string | null
    insolvency_declare_by: string | null
    insolvency_declared_on: string | null
    insolvency_proof: string | null
    wrong_person: boolean
    paused_at: number | null
    paused_until: number | null
    notes: string | null
    created_at: number
    in_charge_id: string | null
    is_erased: boolean | null
    reported: unknown
  }
  'debtors.get-agenda': {
    quiet_until: number | null
    parked_because: string | null
  }
  'debtors.get-creditor-place': {
    country: string | null
    postalCode: string | null
  }
  'debtors.get-note': {
    id: string
    debtor_id: string
    invoice_id: string | null
    text: string
    come_back_on: string | null
    come_back_ended_at: number | null
    actor: unknown
    created_at: number
  }
  'debtors.get-of-people': {
    id: string
    name: string
    type: string
    country: string
    email: string
    phone: string | null
    language: string
    is_erased: boolean | null
  }
  'debtors.get-open-invoices': {
    zone: string
    open: unknown
  }
  'debtors.get-sums': {
    n: number | null
    buckets: unknown
    next_due_date: string | null
    promised_cents: number | null
    promised_on: string | null
    disputed_cents: number | null
    disputed_n: number | null
  }
  'debtors.get-zone-of-tenant': {
    time_zone: string
  }
  'debtors.insert': {
    id: string
  }
  'debtors.insert-data-request': {
    id: string
    debtor_id: string
    kind: string
    received_on: string
    due_on: string
    decision: string | null
    decided_on: string | null
    created_at: number
  }
  'debtors.insert-note': {
    id: string
    debtor_id: string
    invoice_id: string | null
    text: string
    come_back_on: string | null
    come_back_ended_at: number | null
    actor: unknown
    created_at: number
  }
  'debtors.insert-person': object
  'debtors.list-accounts': {
    debtor_id: string | null
    n: number | null
    open_cents: number | null
    oldest_due_date: string | null
    contact_at: number | null
    contact_channel: string | null
    contact_because: string | null
    contact_invoice_id: string | null
    contact_invoices: unknown
    contact_step: string | null
    cascade: string | null
    cascade_version: number | null
    step: number | null
    cascade_steps: unknown
    is_unplanned: boolean | null
    is_stopped: boolean | null
    score: number | null
    holds: readonly string[] | null
    notice_at: number | null
    promise_broken_at: number | null
    response_at: number | null
    is_address_refused: boolean | null
  }
  'debtors.list-calls': {
    communication_id: string
    outcome: string
    note: string
  }
  'debtors.list-closed-points': {
    kind: string | null
    address: string | null
    channel: string
    because: string
    at: number
  }
  'debtors.list-contacts': {
    chain_head: Buffer | null
    chain_length: number | null
    position: number | null
    entry: string | null
    hash: Buffer | null
  }
  'debtors.list-contacts-between': {
    id: string | null
    debtor_id: string | null
    channel: string | null
    step: string | null
    state: string | null
    at: number | null
  }
  'debtors.list-data-requests': {
    id: string
    debtor_id: string
    kind: string
    received_on: string
    due_on: string
    decision: string | null
    decided_on: string | null
    created_at: number
  }
  'debtors.list-invoices': {
    id: string | null
    number: string | null
    amount_cents: number | null
    status: string | null
    due_date: string | null
  }
  'debtors.list-notes': {
    total: number | null
    id: string | null
    debtor_id: string | null
    invoice_id: string | null
    text: string | null
    come_back_on: string | null
    come_back_ended_at: number | null
    actor: unknown
    created_at: number | null
  }
  'debtors.list-open-invoices': {
    id: string
  }
  'debtors.list-open-recoveries': {
    status: string
    holds: readonly string[]
    is_waiting: boolean | null
    because: string | null
    is_on_its_way: boolean | null
  }
  'debtors.list-own-invoices': {
    id: string
  }
  'debtors.list-people': {
    id: string
    name: string
    role: string
    ground: string | null
    is_main_email: boolean
    email: string | null
    is_main_phone: boolean
    phone: string | null
    language: string | null
    created_at: number
  }
  'debtors.list-same-address': {
    id: string | null
    name: string | null
    shares: readonly string[] | null
  }
  'debtors.list-unplanned': {
    debtor_id: string
  }
  'debtors.list-used-points': {
    kind: string | null
    address: string | null
    channel: string
    state: string
    at: number | null
  }
  'debtors.lock': {
    id: string
    name: string
    email: string
    phone: string | null
    siret: string | null
    address: string | null
    city: string | null
    postal_code: string | null
    country: string
    type: string
    language: string
    insolvency_kind: string | null
    insolvency_opened_on: string | null
    insolvency_published_on: string | null
    insolvency_court: string | null
    insolvency_practitioner: string | null
    insolvency_declare_by: string | null
    insolvency_declared_on: string | null
    insolvency_proof: string | null
    wrong_person: boolean
    paused_at: number | null
    paused_until: number | null
    notes: string | null
    created_at: number
    in_charge_id: string | null
    is_erased: boolean | null
    reported: unknown
  }
  'debtors.lock-for-note': {
    is_erased: boolean | null
  }
  'debtors.lock-identities': {
    pg_advisory_xact_lock: string | null
  }
  'debtors.lock-of-people': {
    id: string
    name: string
    type: string
    country: string
    email: string
    phone: string | null
    language: string
    is_erased: boolean | null
  }
  'debtors.lock-pause': {
    paused_at: number | null
    paused_until: number | null
    is_restricted: boolean | null
    is_erased: boolean | null
  }
  'debtors.lock-restriction': {
    paused_at: number | null
    paused_until: number | null
    is_erased: boolean | null
  }
  'debtors.lock-to-declare': {
    id: string
    insolvency_kind: string | null
    insolvency_declare_by: string | null
    insolvency_warned_days: number | null
  }
  'debtors.mark-requests-alerted': {
    id: string
    debtor_id: string
    kind: string
    received_on: string
    due_on: string
  }
  'debtors.match-many': {
    i: number | null
    id: string | null
    name: string | null
    name_key: string | null
    email: string | null
    email_key: string | null
    phone: string | null
    siret: string | null
    address: string | null
    city: string | null
    postal_code: string | null
    country: string | null
    type: string | null
    language: string | null
    created_at: number | null
    score: number | null
    has_agenda: boolean | null
  }
  'debtors.save-declaration-warning': object
  'debtors.save-pause': object
  'debtors.save-restriction': object
  'debtors.update': {
    id: string
  }
  'debtors.update-addresses': object
  'debtors.update-person': object
  'doctor.count-overdue': {
    count: number | null
  }
  'doctor.count-taken-before': {
    count: number | null
  }
  'doctor.list-mac-names': {
    name: string | null
  }
  'erase.begin': {
    begin_erasure: string | null
  }
  'erase.block-invoices': {
    block_invoices: string | null
  }
  'erase.communication-rows': {
    erase_communication_rows: string | null
  }
  'erase.count-blocked': {
    n: number | null
    first_end: string | null
    last_end: string | null
  }
  'erase.count-opt-outs': {
    n: number | null
  }
  'erase.count-to-block': {
    n: number | null
    first_end: string | null
    last_end: string | null
  }
  'erase.debtor-rows': {
    erase_debtor_rows: string | null
  }
  'erase.find-communications': {
    id: string
  }
  'erase.find-expired': {
    id: string
    is_expired: boolean | null
  }
  'erase.find-invoices': {
    id: string
  }
  'erase.find-other-records': {
    id: string
  }
  'erase.find-sharers': {
    id: string | null
  }
  'erase.invoice-rows': {
    erase_invoice_rows: string | null
  }
  'erase.is-running': {
    id: string
  }
  'erase.look-through': {
    next: string | null
  }
  'erase.purge-blocked': {
    purge_blocked_records: string | null
  }
  'erase.read-identities': {
    name: string
    email: string
    phone: string | null
    address: string | null
    siret: string | null
  }
  'erase.read-keep-months': {
    keep_months: number
    keep_months_consumers: number
  }
  'erase.read-numbers': {
    id: string
    number: string
  }
  'erase.read-obstacles': {
    open_invoices: number | null
    is_sending: boolean | null
    has_open_file: boolean | null
  }
  'erase.read-people': {
    name: string
    email: string | null
    phone: string | null
  }
  'events.claim-alerts': {
    event_ids: readonly string[]
    waiting: number
  }
  'events.fold-alerts': {
    taken: number | null
  }
  'events.insert': {
    "?column?": number | null
  }
  'events.insert-audit': object
  'events.insert-company-audit': {
    record_company_audit: string | null
  }
  'events.insert-provider-alert': object
  'events.list-due-alerts': {
    tenant_id: string
    kind: string
  }
  'exports.list-audit': {
    id: string
    type: string
    subject_id: string
    data: unknown
    actor: unknown
    request_id: string | null
    ip: string | null
    user_agent: string | null
    recorded_at: number
  }
  'exports.list-contacts': {
    debtor_id: string
    position: number
    entry: string
    hash: Buffer
    name: string
  }
  'exports.list-debtors': {
    id: string
    name: string
    email: string
    phone: string | null
    siret: string | null
    address: string | null
    city: string | null
    postal_code: string | null
    country: string
    type: string
    language: string
    insolvency_kind: string | null
    insolvency_opened_on: string | null
    insolvency_published_on: string | null
    insolvency_court: string | null
    insolvency_practitioner: string | null
    insolvency_declare_by: string | null
    insolvency_declared_on: string | null
    insolvency_proof: string | null
    wrong_person: boolean
    paused_at: number | null
    paused_until: number | null
    notes: string | null
    created_at: number
    in_charge_id: string | null
    is_erased: boolean | null
    reported: unknown
  }
  'exports.list-invoices': {
    id: string
    debtor_id: string
    number: string
    amount_cents: number
    currency: string
    issue_date: string
    due_date: string
    supplied_on: string | null
    description: string | null
    metadata: unknown
    notes: string | null
    status: string
    paid_cents: number
    credited_cents: number
    created_at: number
    name: string
    email: string
    phone: string | null
    siret: string | null
    address: string | null
    postal_code: string | null
    city: string | null
    country: string
    type: string
    language: string
  }
  'exports.list-payments': {
    id: string
    invoice_id: string
    amount_cents: number
    currency: string
    status: string
    method: string
    instrument: string | null
    receipt_id: string | null
    paid_at: number | null
    day: string
    external_reference: string | null
    failure_reason: string | null
    created_at: number
    number: string
    name: string
  }
  'exports.list-postings': {
    entry_id: string | null
    source_id: string | null
    kind: string | null
    cents: number | null
    posted_at: number | null
    number: string | null
    currency: string | null
    debtor_id: string | null
    name: string | null
    payment_day: string | null
    external_reference: string | null
    credit_number: string | null
    issued_on: string | null
  }
  'exports.list-write-offs': {
    id: string
    created_at: number
    number: string
    currency: string
    debtor_id: string
    name: string
    cents: number | null
  }
  'heartbeat.beat': object
  'heartbeat.count-living': {
    count: number | null
  }
  'heartbeat.end': object
  'heartbeat.leave-loop': object
  'heartbeat.list-loops': {
    loop: string
    is_led: boolean | null
  }
  'heartbeat.remove-silent': {
    id: string
  }
  'heartbeat.take-loop': {
    loop: string
  }
  'holds.close-channel': object
  'holds.find-by-email': {
    id: string
  }
  'holds.find-by-phone': {
    id: string
  }
  'holds.find-latest-invoice': {
    id: string
    number: string
  }
  'holds.find-same-replies': {
    id: string
    content_sealed: string | null
  }
  'holds.find-unread-reply': {
    id: string
  }
  'holds.get-addresses': {
    email: string
    phone: string | null
  }
  'holds.get-reply': {
    id: string
    debtor_id: string
    communication_id: string | null
    channel: string
    received_at: number
    read_at: number | null
    said: string | null
    outcome: string | null
  }
  'holds.get-situation': {
    id: string
    debtor_id: string
    communication_id: string | null
    said: string | null
    received_at: number
    read_at: number | null
    decision: string | null
  }
  'holds.hold': object
  'holds.insert-actions': object
  'holds.insert-reply': object
  'holds.list-answers': {
    id: string | null
    outcome: string | null
    answer_id: string | null
    answer_sealed: string | null
    answer_communication_id: string | null
    planned: string | null
    tried: string | null
    sent_text: string | null
  }
  'holds.list-being-sent': {
    communicationId: string
    channel: string
    action: string
  }
  'holds.list-closed-channels': {
    channel: string
    because: string
  }
  'holds.list-held': {
    invoice_id: string
    status: string
    holds: readonly string[]
    step: number
    attempt: number
    cascade: string
    cascade_version: number
    anchor_at: number | null
    wish_at: number | null
    due_at: number | null
    due_because: string | null
    due_channel: string | null
    not_before: number | null
    paused_at: number | null
    notice_at: number | null
    notice_receipt_at: number | null
    limitation_ends_on: string
    last_action: string | null
    last_executed_at: number | null
    actions_completed: number
    cascade_steps: unknown
    collector_letter_id: string | null
    collector_letter_at: number | null
    listed_on: string | null
    number: string
    currency: string
    issue_date: string
    due_date: string
    claimed_cents: number
    invoice_status: string
    amount_cents: number
    paid_cents: number
    credited_cents: number
    contacted_at: number | null
    last_action_is_letter: boolean
    disputed_at: number | null
    judicial_at: number | null
    written_off_at: number | null
    cancelled_at: number | null
  }
  'holds.list-invoices': {
    id: string
  }
  'holds.list-numbers': {
    id: string
    number: string
    debtor_id: string
  }
  'holds.list-open-situations': {
    id: string
    debtor_id: string
    communication_id: string | null
    said: string | null
    received_at: number
    read_at: number | null
    decision: string | null
  }
  'holds.lock-agendas': {
    debtor_id: string
  }
  'holds.lock-running': {
    invoice_id: string
    status: string
  }
  'holds.lock-to-hold': {
    invoice_id: string
    status: string
  }
  'holds.mark-reply-read': {
    id: string
  }
  'holds.mark-wrong-email': object
  'holds.mark-wrong-phone': object
  'holds.move-end': object
  'holds.note-answer-tried': object
  'holds.refuse-address': object
  'holds.reopen-channel': object
  'holds.save-answer': object
  'holds.save-decision': object
  'holds.stop-messages': {
    held: number | null
  }
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
  'import-mappings.save': object
  'import-mappings.use': {
    mapping: unknown
  }
  'import-rows.claim': {
    line: number
  }
  'import-rows.clear-cells': {
    last: number | null
    n: number | null
  }
  'import-rows.count': {
    n: number | null
  }
  'import-rows.count-debtors': {
    new: number | null
    matched: number | null
  }
  'import-rows.count-first-messages': {
    date: string | null
    channel: string | null
    count: number | null
  }
  'import-rows.count-healed': {
    code: string | null
    title: string | null
    value: string | null
    count: number | null
  }
  'import-rows.count-imported': {
    n: number | null
  }
  'import-rows.count-outcomes': {
    code: string | null
    message: string | null
    count: number | null
  }
  'import-rows.delete': {
    line: number
  }
  'import-rows.find': {
    line: number
    is_hidden: boolean
    cells: unknown
  }
  'import-rows.find-last-line': {
    line: number
  }
  'import-rows.insert': object
  'import-rows.list': {
    line: number
    is_hidden: boolean
    cells: string | null
  }
  'import-rows.list-imported': {
    line: number | null
    id: string | null
    debtor_id: string | null
  }
  'import-rows.save-outcomes': object
  'imports.delete': object
  'imports.find-plan': {
    plan: string | null
  }
  'imports.find-status': {
    status: string
  }
  'imports.save-plan': object
  'invoices.close-dispute': object
  'invoices.count-own-promises': {
    made: number | null
    first_at: number | null
  }
  'invoices.delete': object
  'invoices.delete-uncontacted': {
    is_deleted: boolean | null
  }
  'invoices.find-disputed-not-running': {
    invoice_id: string
  }
  'invoices.find-open-dispute': {
    id: string
    invoice_id: string
    reason: string
    category: string | null
    amount_cents: number | null
    status: string
    note: string | null
    answer: string | null
    credited_cents: number | null
    opened_at: number
    resolved_at: number | null
    credited_since: number | null
  }
  'invoices.get': {
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
    status: string
    paid_cents: number
    credited_cents: number
    claimed_cents: number
    late_payment_waiver: unknown
    created_at: number
    updated_at: number
    open_cents: number | null
    workflow_started: boolean | null
    debtor: unknown
  }
  'invoices.get-claim-facts': {
    rates: unknown
    movements: unknown
  }
  'invoices.get-contact-caps': {
    contacts_per_week: number
    contacts_per_month: number
  }
  'invoices.get-promise': {
    id: string
    invoice_id: string
    debtor_id: string
    pay_on: string
    amount_cents: number
    status: string
  }
  'invoices.get-quiet-period': {
    quiet_until: number | null
  }
  'invoices.get-score': {
    score: number
  }
  'invoices.insert-credit': {
    id: string
  }
  'invoices.insert-dispute': object
  'invoices.insert-many': {
    id: string
  }
  'invoices.insert-promise': object
  'invoices.inspect-before-delete': {
    status: string
    number: string
    debtor_id: string
    amount_cents: number
    currency: string
    has_records: boolean | null
    has_messages: boolean | null
  }
  'invoices.list-open-to-promise': {
    id: string
  }
  'invoices.list-statuses-by-number': {
    number: string
    status: string
  }
  'invoices.lock': {
    id: string
  }
  'invoices.lower-claim': object
  'invoices.replace-promise': {
    id: string
    pay_on: string
    amount_cents: number
    status: string
  }
  'invoices.sum-by-status': {
    status: string | null
    currency: string | null
    n: number | null
    amount_cents: number | null
    paid_cents: number | null
  }
  'invoices.sum-open-by-standing': {
    n: number | null
  }
  'invoices.update': object
  'invoices.waive-late-payment': object
  'live.find-happenings': {
    id: string | null
    type: string | null
    subject: string | null
    invoice_id: string | null
    debtor_id: string | null
    payment_id: string | null
    communication_id: string | null
    task_id: string | null
  }
  'messages.advance-recoveries': object
  'messages.append-to-ledger': object
  'messages.claim': object
  'messages.claim-for-lookup': object
  'messages.commit-to-sending': {
    id: string
  }
  'messages.commit-to-sending-alone': {
    id: string
  }
  'messages.count-action': object
  'messages.count-send': {
    count_send: string | null
  }
  'messages.count-wrong-answer': {
    wrong_answers: number
  }
  'messages.delete-pending': object
  'messages.disown-codes': object
  'messages.end-claim': object
  'messages.end-provider-outage': {
    since: number
    until: number | null
  }
  'messages.enter-by-code': {
    offset_ms: number | null
  }
  'messages.enter-by-old-code': {
    offset_ms: number | null
  }
  'messages.expire': object
  'messages.find-codes': {
    code: string
    tenant_id: string
    debtor_id: string
    communication_id: string
  }
  'messages.find-debtors-by-email': {
    debtor_id: string
    recipient: string
  }
  'messages.find-debtors-by-phone': {
    debtor_id: string
    recipient: string | null
  }
  'messages.find-debtors-by-reference': {
    debtor_id: string
    recipient: string
  }
  'messages.free-extra-messages': object
  'messages.free-slots': object
  'messages.free-steps': object
  'messages.get': {
    id: string | null
    debtor_id: string | null
    channel: string | null
    step: string | null
    state: string | null
    token: string | null
    lease_until: number | null
    committing_at: number | null
    provider: string | null
    not_after: number | null
    reserved_at: number | null
    lead_invoice_id: string | null
    verdict: unknown
    lead_number: string | null
    code: string | null
    points: readonly Buffer[] | null
    is_extra: boolean | null
    is_stopped: boolean | null
  }
  'messages.get-as-sent': {
    id: string | null
    debtor_id: string | null
    channel: string | null
    step: string | null
    state: string | null
    reserved_at: number | null
    sent_at: number | null
    delivered_at: number | null
    reason: string | null
    verdict: unknown
    subject: string | null
    text: string | null
    sha256: Buffer | null
    salt: Buffer | null
    invoice_count: number | null
    invoices: unknown
    lead: unknown
    recipient: string | null
  }
  'messages.get-by-letter-code': {
    code: string | null
  }
  'messages.get-code': {
    tenant_id: string
    communication_id: string
    debtor_id: string
    company_id: string
    environment: string
    disowned: boolean
    wrong_answers: number
  }
  'messages.get-content': {
    zone: string | null
    invoices: unknown
    alsoOpen: unknown
    own: unknown
    rates: unknown
    logo: unknown
    about: unknown
    answer: unknown
    written: unknown
    open: unknown
    cascades: unknown
  }
  'messages.get-old-code': {
    tenant_id: string
    communication_id: string
    debtor_id: string
    company_id: string
    environment: string
    disowned: boolean
    wrong_answers: number
  }
  'messages.get-provider-outage': {
    until: number | null
  }
  'messages.get-rates': {
    rates: unknown
  }
  'messages.get-served-wish': {
    wish_at: number | null
  }
  'messages.get-shown-content': {
    zone: string | null
    invoices: unknown
    alsoOpen: unknown
    own: unknown
    rates: unknown
    logo: unknown
    about: unknown
    answer: unknown
    written: unknown
    open: unknown
    cascades: unknown
  }
  'messages.get-state': {
    id: string
    debtor_id: string
    state: string
  }
  'messages.insert-code': object
  'messages.insert-ledger-salts': object
  'messages.insert-lost-contact': {
    id: string
  }
  'messages.insert-lost-slots': object
  'messages.list': {
    id: string | null
    debtor_id: string | null
    debtor_name: string | null
    channel: string | null
    step: string | null
    state: string | null
    reserved_at: number | null
    sent_at: number | null
    reason: string | null
    invoice_id: string | null
    invoice_number: string | null
    invoice_count: number | null
  }
  'messages.list-claim-facts': {
    id: string | null
    due_date: string | null
    amount_cents: number | null
    paid_cents: number | null
    credited_cents: number | null
    claimed_cents: number | null
    currency: string | null
    movements: unknown
  }
  'messages.list-claimed': {
    id: string
  }
  'messages.list-ledger-of-message': {
    position: number
    entry: string
    hash: Buffer
  }
  'messages.list-ledger-salts': {
    debtor_id: string
    salt: Buffer
  }
  'messages.list-overdue-debtors': {
    tenant_id: string
    debtor_id: string
    wake_at: number | null
  }
  'messages.list-pending': {
    tenant_id: string
    debtor_id: string
    communication_id: string
  }
  'messages.list-production-tenants': {
    id: string
  }
  'messages.list-sent': {
    id: string | null
    debtor_id: string | null
    channel: string | null
    step: string | null
    state: string | null
    token: string | null
    lease_until: number | null
    committing_at: number | null
    provider: string | null
    not_after: number | null
    reserved_at: number | null
    lead_invoice_id: string | null
    verdict: unknown
    lead_number: string | null
  }
  'messages.list-states': {
    id: string
    state: string
  }
  'messages.list-stopped-debtors': {
    tenant_id: string
    debtor_id: string
  }
  'messages.list-unknown': {
    id: string | null
    debtor_id: string | null
    debtor_name: string | null
    channel: string | null
    step: string | null
    state: string | null
    reserved_at: number | null
    sent_at: number | null
    reason: string | null
    invoice_id: string | null
    invoice_number: string | null
    invoice_count: number | null
  }
  'messages.mark-left': {
    id: string
  }
  'messages.mark-sent-late': object
  'messages.mark-unknown-seen': {
    communication_id: string
  }
  'messages.move-chain-head': object
  'messages.note-provider-failure': {
    failures: number
    until: number | null
  }
  'messages.postpone-served': object
  'messages.record-contact': {
    "?column?": number | null
  }
  'messages.release-held-by': {
    one: number | null
  }
  'messages.reserve': {
    is_free: boolean | null
  }
  'messages.save-claimed-sums': object
  'messages.save-in-sandbox': object
  'messages.save-sent-texts': object
  'messages.settle': object
  'messages.settle-extra-message': object
  'messages.stop-waiting-for-standby': {
    is_cancelled: boolean | null
  }
  'messages.take-lost-sends': {
    tenant_id: string
    debtor_id: string
    communication_id: string
    is_orphaned: boolean | null
  }
  'messages.take-probe': {
    channel: string
  }
  'messages.uncount-send': {
    uncount_send: string | null
  }
  'messages.wait-for-standby': {
    synchronous_commit: string | null
    pid: number | null
  }
  'metrics.oldest-snapshot': {
    transactions: number | null
  }
  'night.read-clock': {
    offset_ms: number | null
    is_catching_up: boolean | null
  }
  'nights.advance': {
    tenant_id: string
  }
  'nights.begin-scores': object
  'nights.count-taken': {
    count: number | null
  }
  'nights.fail': {
    failures: number
  }
  'nights.find': {
    after_debtor_id: string | null
  }
  'nights.finish': {
    tenant_id: string
  }
  'nights.give-back': object
  'nights.list-failing': {
    tenant_id: string
    failures: number
  }
  'nights.oldest-due': {
    due_at: number
  }
  'nights.take-due': {
    tenant_id: string
  }
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
    maker_role: string | null
    home_enabled: boolean | null
    grant_stands: boolean | null
    company_ids: readonly string[] | null
    auth_time: number | null
    company_id: string | null
    tenant_id: string | null
    tenant_enabled: boolean | null
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
  'oauth.list-company-names': {
    name: string
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
    created_at: number
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
    created_at: number
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
  'page.find-stop': {
    is_stopped: boolean | null
  }
  'payments.claim-expiries': {
    tenant_id: string
    checkout_id: string
    attempts: number
  }
  'payments.delete-expiry': object
  'payments.end-other-checkouts': object
  'payments.expire-checkout': object
  'payments.find-by-reference': {
    id: string
    invoice_id: string
    amount_cents: number
    currency: string
    status: string
    method: string
    instrument: string | null
    receipt_id: string | null
    paid_at: number | null
    day: string
    external_reference: string | null
    failure_reason: string | null
    created_at: number
  }
  'payments.find-checkout': {
    invoice_id: string
    amount_cents: number
    currency: string
    account: string
  }
  'payments.find-open-checkout': {
    id: string
    url: string | null
  }
  'payments.get': {
    id: string
    invoice_id: string
    amount_cents: number
    currency: string
    status: string
    method: string
    instrument: string | null
    receipt_id: string | null
    paid_at: number | null
    day: string
    external_reference: string | null
    failure_reason: string | null
    created_at: number
  }
  'payments.get-checkout': {
    id: string
    invoice_id: string
    amount_cents: number
    currency: string
    account: string
    status: string
    payment_id: string | null
  }
  'payments.get-ended-checkout': {
    session_id: string | null
    account: string
    environment: string
  }
  'payments.give-up-checkout': object
  'payments.insert': {
    id: string
  }
  'payments.insert-checkout': object
  'payments.insert-postings': object
  'payments.list-by-invoice': {
    id: string | null
    invoice_id: string | null
    amount_cents: number | null
    currency: string | null
    status: string | null
    method: string | null
    instrument: string | null
    receipt_id: string | null
    paid_at: number | null
    day: string | null
    external_reference: string | null
    failure_reason: string | null
    created_at: number | null
    total: number | null
  }
  'payments.list-open-invoices': {
    id: string
    number: string
    due_date: string
    balance: number | null
    is_disputed: boolean | null
    accessories: number | null
  }
  'payments.lock-invoice': {
    id: string
  }
  'payments.mark-promise-kept': object
  'payments.save-checkout-session': object
  'payments.settle-checkout': object
  'payments.sum-by-status': {
    status: string | null
    method: string | null
    n: number | null
    amount_cents: number | null
  }
  'payments.update': object
  'payments.update-invoice-sums': object
  'people.accept-invitation': {
    id: string
  }
  'people.advance-passkey-counter': {
    person_id: string
  }
  'people.count-failure': {
    failures: number
  }
  'people.count-invitations-of-day': {
    sent: number | null
    is_opened: boolean | null
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
  'people.enter-by-session': {
    offset_ms: number | null
  }
  'people.enter-console': {
    offset_ms: number | null
  }
  'people.find-at-door': {
    person_id: string | null
    created_at: number | null
    seen_at: number | null
    role: string | null
    tenant_id: string | null
    tenant_enabled: boolean | null
    company_enabled: boolean | null
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
  'people.get-company-name': {
    name: string
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
  'people.insert-invitation': object
  'people.insert-mail-link': object
  'people.insert-membership': object
  'people.insert-owner-invitation': object
  'people.insert-passkey': {
    id: string
  }
  'people.insert-passkey-challenge': object
  'people.insert-session': object
  'people.list-actor-names': {
    id: string | null
    name: string | null
  }
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
  'people.list-ended-sessions': {
    token_hash: Buffer | null
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
  'people.list-keys-of-member': {
    name: string
    prefix: string
  }
  'people.list-members': {
    person_id: string
    name: string
    email: string
    role: string
    created_at: number
    receives_alerts: boolean | null
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
  'people.list-team': {
    id: string
    name: string
    role: string
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
    receives_alerts: boolean | null
  }
  'people.make-owner': object
  'people.remove-company-from-grants': object
  'people.revoke-grants': {
    id: string
  }
  'people.set-hears-alerts': {
    person_id: string
  }
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
  'people.withdraw-older-invitations': object
  'platform.kind-of-id': {
    kind: string | null
  }
  'provider-events.find': {
    "?column?": number | null
  }
  'provider-events.insert': {
    event_id: string
  }
  'receipts.delete-early': object
  'receipts.find-debtor': {
    debtor_id: string
  }
  'receipts.get-message': {
    id: string
    debtor_id: string
    channel: string
    step: string
    state: string
    provider_id: string | null
    reserved_at: number
    recipient_point: Buffer | null
    invoices: number | null
    has_unsettled_recoveries: boolean | null
  }
  'receipts.keep-letter': object
  'receipts.list-due-early': {
    tenant_id: string
    communication_id: string
    outcome: string
    at: number
    received_at: number
    company_id: string
    environment: string
  }
  'receipts.list-invoices': {
    id: string
    number: string
  }
  'receipts.list-ledger': {
    position: number
    entry: string
    hash: Buffer
  }
  'receipts.list-served-steps': {
    as_notice: boolean
    is_on_its_way: boolean | null
    invoice_id: string
    status: string
    holds: readonly string[]
    step: number
    attempt: number
    cascade: string
    cascade_version: number
    anchor_at: number | null
    wish_at: number | null
    due_at: number | null
    due_because: string | null
    due_channel: string | null
    not_before: number | null
    paused_at: number | null
    notice_at: number | null
    notice_receipt_at: number | null
    limitation_ends_on: string
    last_action: string | null
    last_executed_at: number | null
    actions_completed: number
    cascade_steps: unknown
    collector_letter_id: string | null
    collector_letter_at: number | null
    listed_on: string | null
    number: string
    currency: string
    issue_date: string
    due_date: string
    claimed_cents: number
    invoice_status: string
    amount_cents: number
    paid_cents: number
    credited_cents: number
    contacted_at: number | null
    last_action_is_letter: boolean
    disputed_at: number | null
    judicial_at: number | null
    written_off_at: number | null
    cancelled_at: number | null
  }
  'receipts.lose-letter': object
  'receipts.postpone-early': object
  'receipts.save-early': object
  'receipts.update-actions': object
  'receipts.update-invoices': object
  'receipts.update-message': object
  'receipts.update-recoveries': object
  'reports.aged-balance': {
    currency: string | null
    bucket: number | null
    standing: string | null
    n: number | null
    open_cents: number | null
  }
  'reports.count-kept-promises': {
    status: string
    n: number | null
  }
  'reports.count-waiting': {
    parked: number | null
    unknown: number | null
    replies: number | null
    situations: number | null
    addresses: number | null
    refused_addresses: number | null
  }
  'reports.find-begun': {
    invoice: boolean | null
    message: boolean | null
    payment: boolean | null
  }
  'reports.find-stop': {
    stop_reason: string | null
    stopped_since: number | null
  }
  'reports.get-currency-of-tenant': {
    currency: string
  }
  'reports.list-collected-days': {
    day: string | null
    cents: number | null
  }
  'reports.list-day-figures': {
    day: string | null
    overdue_cents: number | null
    old_cents: number | null
  }
  'reports.list-leaving': {
    debtor_id: string
    contact_at: number | null
  }
  'reports.list-names': {
    id: string
    name: string
    city: string | null
    postal_code: string | null
    country: string
  }
  'reports.list-slots': {
    slot: number | null
    channel: string | null
    state: string | null
    n: number | null
    debtor_id: string | null
  }
  'reports.purge-day-figures': object
  'reports.save-day-figures': object
  'reports.sum-by-standing': {
    standing: string | null
    currency: string | null
    n: number | null
    open_cents: number | null
    debtors: number | null
  }
  'reports.sum-collected': {
    cents: number | null
  }
  'reports.sum-overdue': {
    overdue_cents: number | null
    overdue_invoices: number | null
    old_cents: number | null
    old_invoices: number | null
  }
  'reports.sum-promised': {
    day: string | null
    n: number | null
    cents: number | null
  }
  'sandbox.advance-clock': {
    is_moved: boolean | null
  }
  'sandbox.count-due': {
    n: number | null
  }
  'sandbox.find-invoice': {
    id: string
  }
  'sandbox.find-last-message': {
    id: string
    debtor_id: string
    channel: string
    step: string
    invoice_ids: readonly string[] | null
  }
  'sandbox.find-message': {
    id: string
    debtor_id: string
    channel: string
    step: string
    invoice_ids: readonly string[] | null
  }
  'sandbox.find-next-contact': {
    contact_at: number | null
    contact_channel: string | null
    debtor_id: string
  }
  'sandbox.get-balance': {
    balance_cents: number | null
  }
  'sandbox.get-clock-offset': {
    clock_offset_ms: number
  }
  'sandbox.get-installation-offset': {
    clock_offset_ms: number
  }
  'sandbox.list-happened': {
    executed_at: number
    invoice_id: string | null
    number: string | null
    action: string
    channel: string | null
    status: string
    details: string
    code: string | null
    params: unknown
  }
  'sandbox.lock': {
    mine: boolean | null
  }
  'sandbox.reset': {
    is_empty: boolean | null
  }
  'sandbox.rewind-clock': {
    is_rewound: boolean | null
  }
  'scoring.find-stored': {
    inputs: unknown
    formula: number | null
    computed_at: number | null
    computed_on: string | null
    is_stale: boolean | null
    today: string | null
    language: string | null
    is_marked: boolean | null
  }
  'scoring.gather-inputs': {
    debtor_id: string | null
    today: string | null
    inputs: unknown
    stale_on: string | null
  }
  'scoring.list-marked-tenants': {
    tenant_id: string | null
  }
  'scoring.list-next-debtors': {
    debtor_id: string | null
  }
  'scoring.lock': {
    pg_advisory_xact_lock: string | null
  }
  'scoring.save-many': object
  'scoring.take-marks': {
    debtor_id: string
  }
  'stored-bytes.get': {
    tier: string
    own_quota: number | null
    used: number | null
  }
  'stored-bytes.lock': {
    pg_advisory_xact_lock: string | null
  }
  'task-files.delete': object
  'task-files.delete-earlier': object
  'task-files.delete-unused': object
  'task-files.enter-by-link': {
    offset_ms: number | null
  }
  'task-files.find-next-part': {
    part: number
    bytes: Buffer
  }
  'task-files.find-other': {
    has_other: boolean | null
  }
  'task-files.find-part': {
    bytes: Buffer
  }
  'task-files.find-under-way': {
    is_under_way: boolean | null
  }
  'task-files.insert': object
  'task-files.insert-part': object
  'task-files.restart-day': object
  'task-files.set-file': object
  'tasks.cancel': {
    id: string
    kind: string
    status: string
    input: unknown
    actor: unknown
    scopes: readonly string[]
    request_id: string
    is_dry_run: boolean
    attempt: number
    chunk: number
    cursor: unknown
    total: number | null
    succeeded: number
    refused: number
    refusals: unknown
    review: unknown
    failure: string | null
    file_id: string | null
    report: unknown
    created_at: number
    started_at: number | null
    ended_at: number | null
    file_at: number | null
  }
  'tasks.claim-items': {
    subject_id: string
  }
  'tasks.count-backlog': {
    pending: number | null
    under_1m: number | null
    under_15m: number | null
    over_15m: number | null
  }
  'tasks.count-items': {
    code: string | null
    message: string | null
    count: number | null
  }
  'tasks.count-jobs': {
    queue: string
    state: string | null
    count: number | null
  }
  'tasks.count-pending': {
    n: number | null
  }
  'tasks.delete-pending': object
  'tasks.drop-claims': object
  'tasks.find': {
    id: string
    kind: string
    status: string
    input: unknown
    actor: unknown
    scopes: readonly string[]
    request_id: string
    is_dry_run: boolean
    attempt: number
    chunk: number
    cursor: unknown
    total: number | null
    succeeded: number
    refused: number
    refusals: unknown
    review: unknown
    failure: string | null
    file_id: string | null
    report: unknown
    created_at: number
    started_at: number | null
    ended_at: number | null
    file_at: number | null
  }
  'tasks.find-debtor': {
    id: string
  }
  'tasks.find-invoices': {
    id: string
    debtor_id: string
  }
  'tasks.give-back': object
  'tasks.insert': {
    id: string
    kind: string
    status: string
    input: unknown
    actor: unknown
    scopes: readonly string[]
    request_id: string
    is_dry_run: boolean
    attempt: number
    chunk: number
    cursor: unknown
    total: number | null
    succeeded: number
    refused: number
    refusals: unknown
    review: unknown
    failure: string | null
    file_id: string | null
    report: unknown
    created_at: number
    started_at: number | null
    ended_at: number | null
    file_at: number | null
  }
  'tasks.insert-event': {
    "?column?": number | null
  }
  'tasks.insert-outcomes': object
  'tasks.insert-pending': {
    queue_own_lane: string | null
  }
  'tasks.list-lanes': {
    tenant_id: string
    lane: string
  }
  'tasks.list-pending': {
    task_id: string
    has_stalled: boolean | null
  }
  'tasks.lock': {
    id: string
    kind: string
    status: string
    input: unknown
    actor: unknown
    scopes: readonly string[]
    request_id: string
    is_dry_run: boolean
    attempt: number
    chunk: number
    cursor: unknown
    total: number | null
    succeeded: number
    refused: number
    refusals: unknown
    review: unknown
    failure: string | null
    file_id: string | null
    report: unknown
    created_at: number
    started_at: number | null
    ended_at: number | null
    file_at: number | null
  }
  'tasks.maker-may': {
    may: boolean | null
  }
  'tasks.mark-ended': object
  'tasks.mark-in-review': object
  'tasks.mark-stopped': object
  'tasks.mark-taken': {
    attempt: number
    chunk: number
    stalled: number
  }
  'tasks.queue-lane': {
    queue_lane: string | null
  }
  'tasks.resume': {
    id: string
    kind: string
    status: string
    input: unknown
    actor: unknown
    scopes: readonly string[]
    request_id: string
    is_dry_run: boolean
    attempt: number
    chunk: number
    cursor: unknown
    total: number | null
    succeeded: number
    refused: number
    refusals: unknown
    review: unknown
    failure: string | null
    file_id: string | null
    report: unknown
    created_at: number
    started_at: number | null
    ended_at: number | null
    file_at: number | null
  }
  'tasks.rewind': {
    id: string
    kind: string
    status: string
    input: unknown
    actor: unknown
    scopes: readonly string[]
    request_id: string
    is_dry_run: boolean
    attempt: number
    chunk: number
    cursor: unknown
    total: number | null
    succeeded: number
    refused: number
    refusals: unknown
    review: unknown
    failure: string | null
    file_id: string | null
    report: unknown
    created_at: number
    started_at: number | null
    ended_at: number | null
    file_at: number | null
  }
  'tasks.save-progress': object
  'tasks.save-report': {
    id: string
    kind: string
    status: string
    input: unknown
    actor: unknown
    scopes: readonly string[]
    request_id: string
    is_dry_run: boolean
    attempt: number
    chunk: number
    cursor: unknown
    total: number | null
    succeeded: number
    refused: number
    refusals: unknown
    review: unknown
    failure: string | null
    file_id: string | null
    report: unknown
    created_at: number
    started_at: number | null
    ended_at: number | null
    file_at: number | null
  }
  'tasks.share': {
    pg_advisory_xact_lock_shared: string | null
    require_task_maker: string | null
  }
  'tasks.start': {
    id: string
    kind: string
    status: string
    input: unknown
    actor: unknown
    scopes: readonly string[]
    request_id: string
    is_dry_run: boolean
    attempt: number
    chunk: number
    cursor: unknown
    total: number | null
    succeeded: number
    refused: number
    refusals: unknown
    review: unknown
    failure: string | null
    file_id: string | null
    report: unknown
    created_at: number
    started_at: number | null
    ended_at: number | null
    file_at: number | null
  }
  'tasks.take-alone': {
    pg_advisory_xact_lock: string | null
  }
  'templates.delete': object
  'templates.delete-empty': object
  'templates.get': {
    step: string
    channel: string
    language: string
    subject: string | null
    opening: string | null
    updated_at: number
  }
  'templates.get-invoice': {
    debtor_id: string | null
    zone: string | null
    rates: unknown
    cascades: unknown
    invoice: unknown
  }
  'templates.list': {
    step: string
    channel: string
    language: string
    subject: string | null
    opening: string | null
    updated_at: number
  }
  'templates.save': {
    step: string
    channel: string
    language: string
    subject: string | null
    opening: string | null
    updated_at: number
  }
  'tenants.enter': {
    offset_ms: number | null
  }
  'timeline.list-of-debtor': {
    id: string | null
    at: number | null
    kind: string | null
    code: string | null
    params: unknown
    details: string | null
    actor: unknown
    action: string | null
    channel: string | null
    status: string | null
    invoice_id: string | null
    communication_id: string | null
  }
  'timeline.list-of-invoice': {
    id: string | null
    at: number | null
    kind: string | null
    code: string | null
    params: unknown
    details: string | null
    actor: unknown
    action: string | null
    channel: string | null
    status: string | null
    invoice_id: string | null
    communication_id: string | null
  }
  'wake.attach-remaining': object
  'wake.cancel-extra-messages': object
  'wake.count-attached': {
    n: number | null
  }
  'wake.find-reserved': {
    id: string
  }
  'wake.list-unplanned-tenants': {
    tenant_id: string | null
  }
  'wake.lock-unplanned': {
    debtor_id: string
    wake_generation: number
  }
  'wake.mark-stale-plans': {
    marked: string | null
  }
  'wake.park-agenda': object
  'wake.postpone-extra-messages': object
  'wake.postpone-steps': object
  'wake.wait-for-outcome': object
  'webhooks.advance-replay': object
  'webhooks.claim-endpoint': {
    generation: number
  }
  'webhooks.clear-queue': object
  'webhooks.count': {
    n: number | null
  }
  'webhooks.count-busy': {
    tenant_id: string
    is_failing: boolean | null
    busy: number | null
  }
  'webhooks.defer-queued': object
  'webhooks.delete': object
  'webhooks.delete-endpoint': object
  'webhooks.delete-queued': object
  'webhooks.disable': object
  'webhooks.disable-failing': object
  'webhooks.enable': object
  'webhooks.extend-lease': {
    warned_at: number | null
  }
  'webhooks.fan-out': {
    taken: number | null
  }
  'webhooks.find-delivery': {
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
  'webhooks.find-endpoint': {
    url: string
    secret_sealed: string
    environment: string
    is_closed: boolean | null
  }
  'webhooks.find-next-due': {
    next: string | null
  }
  'webhooks.find-test-endpoint': {
    url: string
    secret_sealed: string
  }
  'webhooks.finish-test-delivery': object
  'webhooks.get': {
    id: string
    url: string
    description: string | null
    created_at: number
    events: readonly string[]
    enabled: boolean
    disabled_because: string | null
    failing: number
    last_triggered_at: number | null
    recover_from: string | null
    recover_to: string | null
    maker_kind: string | null
    maker_id: string | null
    maker_person: string | null
  }
  'webhooks.get-event-horizon': {
    xact: number | null
  }
  'webhooks.get-notice-facts': {
    url: string | null
    environment: string | null
    event_type: string | null
    response_status: number | null
    error: string | null
  }
  'webhooks.get-subscribed-events': {
    subscribed_events: readonly string[]
  }
  'webhooks.insert': object
  'webhooks.insert-deliveries': object
  'webhooks.insert-endpoint': object
  'webhooks.insert-test-delivery': object
  'webhooks.list': {
    id: string
    url: string
    description: string | null
    created_at: number
    events: readonly string[]
    enabled: boolean
    disabled_because: string | null
    failing: number
    last_triggered_at: number | null
    recover_from: string | null
    recover_to: string | null
    maker_kind: string | null
    maker_id: string | null
    maker_person: string | null
  }
  'webhooks.list-due': {
    event_id: string | null
    attempts: number | null
    deferrals: number | null
    queued_at: number | null
    type: string | null
    data: unknown
    sequence: number | null
    occurred_at: number | null
  }
  'webhooks.list-due-endpoints': {
    tenant_id: string | null
    webhook_id: string | null
    generation: number | null
    is_failing: boolean | null
  }
  'webhooks.list-events': {
    environment: string | null
    scanned: number | null
    last: unknown
    event: unknown
  }
  'webhooks.list-events-of-invoice': {
    environment: string | null
    scanned: number | null
    last: unknown
    event: unknown
  }
  'webhooks.list-replaying': {
    tenant_id: string
    webhook_id: string
  }
  'webhooks.list-unannounced': {
    tenant_id: string
    webhook_id: string
  }
  'webhooks.lock': {
    id: string
    url: string
    description: string | null
    created_at: number
    events: readonly string[]
    enabled: boolean
    disabled_because: string | null
    failing: number
    last_triggered_at: number | null
    recover_from: string | null
    recover_to: string | null
    maker_kind: string | null
    maker_id: string | null
    maker_person: string | null
  }
  'webhooks.lock-replay': {
    recover_from: string | null
    recover_to: string | null
  }
  'webhooks.mark-announced': {
    webhook_id: string
  }
  'webhooks.queue-again': object
  'webhooks.queue-replayed': {
    walked: number | null
    last: string | null
  }
  'webhooks.record-warning': object
  'webhooks.release-endpoint': object
  'webhooks.rotate-secret': object
  'webhooks.save-maker': object
  'webhooks.start-replay': {
    recover_from: string | null
    recover_to: string | null
  }
  'webhooks.take-endpoints': {
    webhook_id: string
  }
  'webhooks.update': object
  'webhooks.update-events': object
  'webhooks.wake-endpoint': object
  'work.list': {
    total: number | null
    debtor_id: string | null
    name: string | null
    in_charge_id: string | null
    come_back_on: string | null
    open_cents: number | null
    oldest_due_date: string | null
    n: number | null
    comes_back: boolean | null
    weight: number | null
  }
  'work.list-tasks': {
    debtor_id: string | null
    kind: string | null
    since: number | null
    id: string | null
    invoice_id: string | null
    invoice_number: string | null
    invoices: number | null
    amount_cents: number | null
    channel: string | null
    said: string | null
    because: string | null
    due_on: string | null
  }
  'work.summarize': {
    debtors: number | null
    open_cents: number | null
    later: number | null
    mine: number | null
    by_group: unknown
  }
  'workflow.end-own-stop': {
    since: number | null
    has_ended: boolean | null
  }
  'workflow.find-debtor-of-plan': {
    debtor_id: string
  }
  'workflow.find-facts-for-acts': {
    invoice_id: string | null
    status: string | null
    holds: readonly string[] | null
    step: number | null
    attempt: number | null
    cascade: string | null
    cascade_version: number | null
    anchor_at: number | null
    wish_at: number | null
    due_at: number | null
    due_because: string | null
    due_channel: string | null
    not_before: number | null
    paused_at: number | null
    notice_at: number | null
    notice_receipt_at: number | null
    limitation_ends_on: string | null
    last_action: string | null
    last_executed_at: number | null
    actions_completed: number | null
    cascade_steps: unknown
    collector_letter_id: string | null
    collector_letter_at: number | null
    listed_on: string | null
    number: string | null
    currency: string | null
    issue_date: string | null
    due_date: string | null
    claimed_cents: number | null
    invoice_status: string | null
    amount_cents: number | null
    paid_cents: number | null
    credited_cents: number | null
    contacted_at: number | null
    last_action_is_letter: boolean | null
    disputed_at: number | null
    judicial_at: number | null
    written_off_at: number | null
    cancelled_at: number | null
    is_waived: boolean | null
    is_leaving: boolean | null
    has_payment: boolean | null
    has_request: boolean | null
  }
  'workflow.find-own-message': {
    id: string
    state: string
    is_over: boolean | null
  }
  'workflow.find-score': {
    score: number
  }
  'workflow.get': {
    invoice_id: string | null
    debtor_id: string | null
    status: string | null
    holds: readonly string[] | null
    cascade: string | null
    cascade_version: number | null
    step: number | null
    started_at: number | null
    due_at: number | null
    due_because: string | null
    due_channel: string | null
    actions_completed: number | null
    last_action: string | null
    cascade_steps: unknown
    is_sending: boolean | null
    planned: unknown
    is_unplanned: boolean | null
    look_because: string | null
    parked_because: string | null
    stop_reason: string | null
  }
  'workflow.get-plan': {
    invoice_id: string | null
    status: string | null
    holds: readonly string[] | null
    step: number | null
    attempt: number | null
    cascade: string | null
    cascade_version: number | null
    anchor_at: number | null
    wish_at: number | null
    due_at: number | null
    due_because: string | null
    due_channel: string | null
    not_before: number | null
    paused_at: number | null
    notice_at: number | null
    notice_receipt_at: number | null
    limitation_ends_on: string | null
    last_action: string | null
    last_executed_at: number | null
    actions_completed: number | null
    cascade_steps: unknown
    collector_letter_id: string | null
    collector_letter_at: number | null
    listed_on: string | null
    number: string | null
    currency: string | null
    issue_date: string | null
    due_date: string | null
    claimed_cents: number | null
    invoice_status: string | null
    amount_cents: number | null
    paid_cents: number | null
    credited_cents: number | null
    contacted_at: number | null
    last_action_is_letter: boolean | null
    disputed_at: number | null
    judicial_at: number | null
    written_off_at: number | null
    cancelled_at: number | null
    debtor_id: string | null
    started_at: number | null
    communication_id: string | null
    quiet_until: number | null
    parked_because: string | null
  }
  'workflow.get-stop-reason': {
    stop_reason: string | null
  }
  'workflow.list-first-planned': {
    invoice_id: string
  }
  'workflow.list-history': {
    action: string | null
    channel: string | null
    status: string | null
    details: string | null
    code: string | null
    params: unknown
    actor: unknown
    executed_at: number | null
    communication_id: string | null
    total: number | null
  }
  'workflow.list-leaving': {
    communicationId: string
    debtorId: string
    channel: string
    action: string
  }
  'workflow.list-of-invoices': {
    invoice_id: string | null
    debtor_id: string | null
    status: string | null
    holds: readonly string[] | null
    cascade: string | null
    cascade_version: number | null
    step: number | null
    started_at: number | null
    due_at: number | null
    due_because: string | null
    due_channel: string | null
    actions_completed: number | null
    last_action: string | null
    cascade_steps: unknown
    is_sending: boolean | null
    planned: unknown
    is_unplanned: boolean | null
    look_because: string | null
    parked_because: string | null
    stop_reason: string | null
    limitation_ends_on: string | null
    limitation_from: string | null
    limitation_because: string | null
    filed_on: string | null
    served_on: string | null
    due_date: string | null
    claimed_cents: number | null
    type: string | null
    disputed_cents: number | null
  }
  'workflow.list-other-planned': {
    invoice_id: string
  }
  'workflow.list-pauses': {
    status: string
    holds: readonly string[]
    paused_at: number | null
    due_at: number | null
    ended_at: number | null
    lines: unknown
  }
  'workflow.list-to-forecast': {
    invoice_id: string
    status: string
    holds: readonly string[]
    step: number
    attempt: number
    cascade: string
    cascade_version: number
    anchor_at: number | null
    wish_at: number | null
    due_at: number | null
    due_because: string | null
    due_channel: string | null
    not_before: number | null
    paused_at: number | null
    notice_at: number | null
    notice_receipt_at: number | null
    limitation_ends_on: string
    last_action: string | null
    last_executed_at: number | null
    actions_completed: number
    cascade_steps: unknown
    collector_letter_id: string | null
    collector_letter_at: number | null
    listed_on: string | null
    number: string
    currency: string
    issue_date: string
    due_date: string
    claimed_cents: number
    invoice_status: string
    amount_cents: number
    paid_cents: number
    credited_cents: number
    contacted_at: number | null
    last_action_is_letter: boolean
    disputed_at: number | null
    judicial_at: number | null
    written_off_at: number | null
    cancelled_at: number | null
    started_at: number | null
  }
  'workflow.release-tenant': {
    released: number | null
  }
  'workflow.stop-sending': {
    since: number | null
    reason: string | null
    is_new: boolean | null
  }
  'workflow.sum-by-status': {
    kind: string | null
    status: string | null
    n: number | null
    amount_cents: number | null
  }
}
