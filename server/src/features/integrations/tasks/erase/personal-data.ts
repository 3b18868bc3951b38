import { untouchedTables } from './untouched-tables.ts'

/**
 * A column of the person's rows is replaced by an SQL expression over the row. `p_wall` is the moment of the erasure.
 * A text that may name any person is searched by `erase_mentions` instead, in the rows of all persons.
 */
export const lookedThrough = 'looked through'

/** How the rows of one table are treated when a person is erased. Every column is in exactly one of its lists. */
export interface TableRule {
  /** The column by which the rows of the person are found. */
  rows?: { debtor?: string; invoice?: string; communication?: string }
  /** Everything in these rows is about the person: they are deleted. */
  isDeleted?: true
  erase?: Readonly<Record<string, string>>
  /** Kept although it is about a person: why this is allowed, and until when. */
  keep?: Readonly<Record<string, string>>
  /** Ids, moments, sums and codes: once the rest is erased they identify no person. */
  plain: string
}

const digests = 'salted digests, which nobody can check once the salt is deleted'

/** The tables that hold data of debtors. */
export const personalTables: Readonly<Record<string, TableRule>> = {
  actions: {
    rows: { invoice: 'invoice_id', debtor: 'debtor_id' },
    // The words of people, names of providers' answers, and what is known of an insolvency.
    erase: { details: `'Erased'`, params: `params - '{reason,note,said,groupedWith,kind,on}'::text[]` },
    plain: 'tenant_id id invoice_id debtor_id action channel status communication_id executed_at actor code',
  },
  agendas: {
    rows: { debtor: 'debtor_id' },
    plain:
      'tenant_id debtor_id wake_at wake_because wake_generation taken_generation taken_at attempts parked_because quiet_until acted_at chain_head chain_length is_sandbox taken_by contact_at contact_slot contact_channel contact_because contact_invoice_id plan plan_generation',
  },
  anr_documents: {
    rows: { invoice: 'invoice_id' },
    isDeleted: true,
    plain: 'tenant_id id invoice_id basis note pdf sha256 created_at',
  },
  audit_log: {
    erase: { data: lookedThrough, ip: lookedThrough, user_agent: lookedThrough },
    plain: 'tenant_id id type schema_version subject_id actor request_id occurred_at recorded_at',
  },
  blocked_records: {
    keep: {
      content: 'what accounting law wants kept, until ends_on; no role of a running process may read it',
      document: 'the same: the attestation that a loss was booked by',
    },
    plain: 'tenant_id id debtor_id because ends_on blocked_at',
  },
  calls: {
    rows: { communication: 'communication_id' },
    erase: { note: `''` },
    plain: 'tenant_id communication_id outcome began_at ended_at',
  },
  checkouts: {
    rows: { invoice: 'invoice_id' },
    erase: { session_id: 'null', session_url: 'null' },
    plain:
      'tenant_id id invoice_id communication_id amount_cents currency account payment_id status created_at settled_at',
  },
  closed_points: {
    keep: { point: 'a digest of the address: who said stop is never written to again, by this creditor' },
    plain: 'tenant_id channel because created_at',
  },
  communications: {
    rows: { communication: 'id' },
    erase: { provider_id: 'null', recipient_point: 'null', reason: 'null', document_sha256: 'null' },
    plain:
      'tenant_id id debtor_id channel step state wake_generation token lease_until committing_at not_after provider verdict reserved_at sent_at settled_at lead_invoice_id delivered_at looked_up_at',
  },
  confirmations: {
    erase: { plan: lookedThrough, summary: lookedThrough },
    plain:
      'tenant_id id conversation_id token_hash caller language created_at expires_at taken_until done_at dropped_at',
  },
  contact_ledger: {
    rows: { debtor: 'debtor_id' },
    keep: { entry: `the proof of each contact, a chain: ids, moments, and ${digests}` },
    plain: 'tenant_id debtor_id position hash',
  },
  contact_salts: { rows: { debtor: 'debtor_id' }, isDeleted: true, plain: 'tenant_id debtor_id salt' },
  contact_slots: {
    keep: { point: 'a digest of the address: it protects from a second contact; deleted after five days' },
    plain: 'tenant_id channel local_day at zone cooldown counts communication_id',
  },
  conversation_messages: {
    erase: { text: lookedThrough },
    plain: 'tenant_id conversation_id id role tools_called created_at',
  },
  conversations: {
    erase: { last_message: lookedThrough },
    plain: 'tenant_id id opener message_count created_at updated_at used_at',
  },
  credits: {
    rows: { invoice: 'invoice_id' },
    erase: { number: `'erased-' || id` },
    plain: 'tenant_id id invoice_id amount_cents issued_on created_at',
  },
  debtor_notes: {
    rows: { debtor: 'debtor_id' },
    isDeleted: true,
    plain: 'tenant_id id debtor_id invoice_id text come_back_on come_back_ended_at actor created_at',
  },
  debtor_people: {
    rows: { debtor: 'debtor_id' },
    isDeleted: true,
    plain:
      'tenant_id id debtor_id name role ground is_main_email email email_key is_main_phone phone language created_at updated_at',
  },
  debtor_scores: {
    rows: { debtor: 'debtor_id' },
    plain: 'tenant_id debtor_id formula inputs points score computed_at stale_on',
  },
  debtors: {
    rows: { debtor: 'id' },
    erase: {
      name: `'Erased'`,
      name_key: `'erased ' || id`,
      email: `id || '@erased.invalid'`,
      email_key: `id || '@erased.invalid'`,
      phone: 'null',
      siret: 'null',
      address: 'null',
      city: 'null',
      postal_code: 'null',
      notes: 'null',
      search_text: `''`,
      search_grams: `'{}'`,
      insolvency_kind: 'null',
      insolvency_opened_on: 'null',
      insolvency_published_on: 'null',
      insolvency_court: 'null',
      insolvency_practitioner: 'null',
      insolvency_declare_by: 'null',
      insolvency_warned_days: 'null',
      insolvency_recorded_at: 'null',
      insolvency_declared_on: 'null',
      insolvency_proof: 'null',
      wrong_person: 'false',
    },
    plain:
      'tenant_id id country type language in_charge_id paused_at paused_until restricted_at created_at updated_at erased_at',
  },
  disputes: {
    rows: { invoice: 'invoice_id' },
    erase: { reason: `'Erased'`, note: 'null', answer: 'null' },
    plain:
      'tenant_id id invoice_id debtor_id category amount_cents credited_cents status opened_at resolved_at',
  },
  events: {
    rows: { invoice: 'subject_id', debtor: 'subject_id' },
    erase: { data: 'erase_texts(data)' },
    plain:
      'tenant_id id type schema_version subject_id sequence actor request_id occurred_at recorded_at is_audit xact',
  },
  extra_messages: {
    rows: { invoice: 'invoice_id' },
    erase: { about: 'null', written_sealed: 'null' },
    plain:
      'tenant_id id invoice_id debtor_id step channel status attempt due_at due_because communication_id created_at wish_at',
  },
  idempotency_keys: {
    erase: { body: lookedThrough },
    keep: { request_hash: 'a digest of the whole request; deleted after a day' },
    plain: 'tenant_id key_hash status created_at is_sealed',
  },
  import_rows: {
    erase: {
      cells: lookedThrough,
      message: lookedThrough,
      healed: lookedThrough,
      debtor_key: lookedThrough,
    },
    plain:
      'tenant_id task_id line is_hidden state code invoice_id is_new_debtor first_on first_channel stored_bytes',
  },
  imports: { erase: { plan: lookedThrough }, plain: 'tenant_id task_id stored_bytes' },
  invoices: {
    rows: { invoice: 'id' },
    erase: {
      number: `'erased-' || id`,
      number_search: `''`,
      number_grams: `'{}'`,
      description: 'null',
      metadata: `'{}'`,
      notes: 'null',
      late_payment_waiver: `late_payment_waiver || '{"reason": "Erased"}'`,
    },
    plain:
      'tenant_id id debtor_id amount_cents currency issue_date due_date status paid_cents credited_cents event_seq created_at updated_at contacted_at last_action_is_letter disputed_at judicial_at written_off_at cancelled_at paid_at claimed_cents open_cents supplied_on limitation_months',
  },
  message_codes: {
    rows: { debtor: 'debtor_id' },
    // The link expires; a payment that a provider reports later is still matched to its invoice.
    erase: { expires_at: 'least(expires_at, p_wall)' },
    plain: 'code tenant_id communication_id debtor_id disowned wrong_answers letter_code',
  },
  payments: {
    rows: { invoice: 'invoice_id' },
    erase: { external_reference: 'null', failure_reason: 'null', refund_reason: 'null' },
    plain:
      'tenant_id id invoice_id amount_cents currency status method instrument receipt_id by_provider paid_at day created_at updated_at debtor_id reversed_at',
  },
  daily_contacts: {
    keep: { person: 'a digest: it counts contacts of a day; deleted after 31 days' },
    plain: 'day contacts',
  },
  data_requests: {
    rows: { debtor: 'debtor_id' },
    plain: 'tenant_id id debtor_id kind received_on due_on decision decided_on alerted_at created_at',
  },
  promises: {
    rows: { invoice: 'invoice_id' },
    plain:
      'tenant_id id invoice_id debtor_id pay_on amount_cents paid_before_cents status created_at settled_at by_debtor',
  },
  recoveries: {
    rows: { invoice: 'invoice_id' },
    erase: { filing_proof: 'null', service_proof: 'null' },
    plain:
      'tenant_id invoice_id debtor_id status cascade cascade_version step attempt generation started_at due_at due_because communication_id last_action last_executed_at actions_completed created_at anchor_at holds paused_at promise_broken_at notice_at notice_channel filed_on served_on notice_receipt notice_receipt_at limitation_ends_on limitation_from limitation_because limitation_alert_on limitation_alerted_months ended_at outcome wish_at due_channel not_before standing due_date collector_letter_id collector_letter_at',
  },
  replies: {
    rows: { debtor: 'debtor_id' },
    plain:
      'tenant_id id debtor_id communication_id channel received_at read_at answer_id answer_communication_id',
    erase: {
      said: 'null',
      decision: 'null',
      content_sealed: 'null',
      text_state: `case text_state when 'kept' then 'erased' else text_state end`,
      outcome: 'null',
      answer_sealed: 'null',
    },
  },
  sandbox_messages: {
    rows: { communication: 'communication_id' },
    isDeleted: true,
    plain: 'tenant_id communication_id channel recipient subject body created_at',
  },
  sent_messages: {
    rows: { communication: 'communication_id' },
    isDeleted: true,
    plain: 'tenant_id communication_id subject text sha256',
  },
  task_file_parts: { erase: { bytes: lookedThrough }, plain: 'tenant_id file_id part stored_bytes' },
  task_items: {
    erase: { message: lookedThrough },
    plain: 'tenant_id task_id is_dry_run subject_id chunk code',
  },
  tasks: {
    erase: {
      input: lookedThrough,
      refusals: lookedThrough,
      review: lookedThrough,
      failure: lookedThrough,
      report: lookedThrough,
    },
    plain:
      'tenant_id id kind status actor scopes request_id is_dry_run attempt stalled chunk cursor total succeeded refused created_at started_at ended_at file_id',
  },
}

export const personalData: Readonly<Record<string, TableRule>> = {
  ...personalTables,
  ...Object.fromEntries(
    Object.entries(untouchedTables).map(([name, { columns }]) => [name, { plain: columns }]),
  ),
}

const groups = ['invoice', 'communication', 'debtor'] as const
const functionNames = {
  invoice: 'erase_invoice_rows',
  communication: 'erase_communication_rows',
  debtor: 'erase_debtor_rows',
}

function statementFor(table: string, column: string, { isDeleted, erase = {} }: TableRule): string | null {
  const mine = `where tenant_id = p_tenant and ${column} = any (p_ids);`
  if (isDeleted) return `  delete from ${table} ${mine}`
  const changes = Object.entries(erase).filter(([, value]) => value !== lookedThrough)
  if (changes.length === 0) return null
  const set = changes.map(([name, value]) => `${name} = ${value}`).join(',\n      ')
  return `  update ${table} set\n      ${set}\n    ${mine}`
}

/**
 * The SQL functions that erase the rows of a person, written from the table above. A migration holds this text; a guard compares
 * it with what the database has.
 */
export const eraseFunctions = () =>
  groups.map(group => {
    const statements = Object.entries(personalTables).flatMap(([table, rule]) => {
      const column = rule.rows?.[group]
      const statement = column === undefined ? null : statementFor(table, column, rule)
      return statement === null ? [] : [statement]
    })
    return { name: functionNames[group], body: `\n${statements.join('\n')}\n` }
  })
