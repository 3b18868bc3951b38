import { expect, it } from 'vitest'
import { tables } from '../../src/features/tables.ts'
import { useClone } from './clone.ts'

const clone = useClone()

/**
 * Every column that can be read without entering a tenant. Only the company's name and its two addresses may be about a
 * person; a new column must be added here on purpose, because every loop can read it for all tenants.
 */
const known: Record<(typeof tables.platform)[number], string[]> = {
  agendas: [
    'tenant_id',
    'debtor_id',
    'wake_at',
    'wake_because',
    'wake_generation',
    'taken_generation',
    'taken_at',
    'taken_by',
    'attempts',
    'parked_because',
    'contact_at',
    'contact_slot',
    'contact_channel',
    'contact_because',
    'contact_invoice_id',
    'plan',
    'plan_generation',
    'quiet_until',
    'acted_at',
    'chain_head',
    'chain_length',
    'is_sandbox',
  ],
  alert_batches: ['tenant_id', 'kind', 'event_ids', 'waiting', 'due_at', 'mailed_at'],
  alert_links: [
    'token_hash',
    'tenant_id',
    'person_id',
    'kind',
    'event_ids',
    'total',
    'created_at',
    'expires_at',
  ],
  alerts: ['tenant_id', 'kind', 'subject_id', 'recorded_at'],
  api_keys: [
    'id',
    'tenant_id',
    'name',
    'lookup',
    'secret_mac',
    'prefix',
    'scopes',
    'ip_whitelist',
    'enabled',
    'version',
    'replaced_by',
    'made_by',
    'maker_role',
    'created_at',
    'expires_at',
    'last_used_at',
  ],
  card_accounts: ['tenant_id', 'account', 'source', 'created_at'],
  checkout_expiries: ['tenant_id', 'checkout_id', 'due_at', 'attempts'],
  companies: [
    'id',
    'name',
    'owner_email',
    'reply_email',
    'tier',
    'country',
    'time_zone',
    'language',
    'currency',
    'default_debtor_type',
    'requests_per_minute',
    'in_flight',
    'daily_limits',
    'storage_bytes',
    'mandate_signed_on',
    'mandate_reference',
    'enabled',
    'created_at',
  ],
  database_marker: ['only_row'],
  daily_sends: ['tenant_id', 'day', 'channel', 'part', 'sent'],
  // The person is an HMAC that no process can read.
  daily_contacts: ['person', 'day', 'contacts'],
  early_receipts: ['tenant_id', 'communication_id', 'outcome', 'at', 'received_at', 'retry_at'],
  installation: [
    'only_row',
    'cell',
    'clock_offset_ms',
    'maintenance_until',
    'audit_years',
    'missing_channels',
    'providers',
    'collector',
  ],
  late_payment_rates: [
    'kind',
    'starts_on',
    'rate_bps',
    'source',
    'verified_on',
    'added_by',
    'replaced_at',
    'replaced_by',
  ],
  // The sealed value is the link of a mail, and opens for that mail only. `about` has ids and masked values.
  account_mails: [
    'id',
    'tenant_id',
    'kind',
    'subject_id',
    'cause_id',
    'about',
    'secret_sealed',
    'due_at',
    'attempts',
    'created_at',
  ],
  last_heartbeat: ['only_row', 'heartbeat_at'],
  loop_leases: ['loop', 'worker_id'],
  message_codes: [
    'code',
    'tenant_id',
    'communication_id',
    'debtor_id',
    'letter_code',
    'expires_at',
    'disowned',
    'wrong_answers',
  ],
  provider_outages: ['channel', 'provider', 'since', 'failures', 'reason', 'until', 'probe_until'],
  provider_events: ['provider', 'event_id', 'received_at'],
  outbox: ['tenant_id', 'event_id', 'type', 'recorded_at'],
  pending_sends: ['tenant_id', 'communication_id', 'debtor_id', 'reclaim_at', 'attempts', 'taken_by'],
  pending_tasks: ['tenant_id', 'task_id', 'lane', 'rank', 'is_running', 'taken_at', 'since'],
  score_marks: ['tenant_id', 'debtor_id'],
  schema_migrations: ['name', 'applied_at'],
  sending_database: ['only_row', 'identity'],
  stored_bytes: ['tenant_id', 'kind', 'bytes'],
  stops: [
    'id',
    'scope',
    'target',
    'kind',
    'reason',
    'since',
    'stopped_by',
    'known_until',
    'ended_at',
    'ended_by',
  ],
  tenant_nights: ['tenant_id', 'due_at', 'taken_until', 'after_debtor_id', 'scored', 'done_at', 'failures'],
  tenants: [
    'id',
    'company_id',
    'environment',
    'clock_offset_ms',
    'subscribed_events',
    'enabled',
    'stale_plans_cursor',
    'created_at',
  ],
  unknown_messages: ['tenant_id', 'communication_id', 'since', 'seen_at'],
  webhook_endpoints: [
    'tenant_id',
    'webhook_id',
    'events',
    'enabled',
    'disabled_because',
    'wake_at',
    'busy_until',
    'generation',
    'failing',
    'warned_at',
    'last_triggered_at',
    'recover_from',
    'recover_to',
    'maker_kind',
    'maker_id',
    'maker_person',
    'needed_scopes',
  ],
  webhook_queue: ['tenant_id', 'webhook_id', 'event_id', 'due_at', 'attempts', 'deferrals', 'created_at'],
  workers: ['id', 'heartbeat_at'],
}

const processes = ['relance_api', 'relance_worker', 'relance_operator']

it.each(tables.platform)('platform table %s has the columns that were judged, and no other', async table => {
  const columns = await clone.query<{ attname: string }>(
    `select attname from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  )
  expect(columns.map(column => column.attname)).toEqual(known[table])
})

it.each(processes)('%s is a login without any power over the policies', async role => {
  const [facts] = await clone.query(
    `select rolcanlogin, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
            pg_has_role(oid, 'relance_owner', 'member') as is_owner,
            has_schema_privilege(oid, 'public', 'create') as may_create,
            array(select relname::text from pg_class where relowner = r.oid) as tables,
            array(select proname::text from pg_proc where proowner = r.oid) as functions
       from pg_roles r where rolname = $1`,
    [role],
  )
  expect(facts).toEqual({
    rolcanlogin: true,
    rolsuper: false,
    rolbypassrls: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolreplication: false,
    is_owner: false,
    may_create: false,
    tables: [],
    functions: [],
  })
})

it('every table has the owner nobody logs in as', async () => {
  const owners = await clone.query<{ rolname: string; rolcanlogin: boolean; rolsuper: boolean }>(
    `select distinct r.rolname, r.rolcanlogin, r.rolsuper from pg_class c join pg_roles r on r.oid = c.relowner
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
  )
  expect(owners).toEqual([{ rolname: 'relance_owner', rolcanlogin: false, rolsuper: false }])
})

it('no process may empty, reference or put triggers on a table, nor touch a partition past its table', async () => {
  expect(
    await clone.query(
      `select c.relname, r.rolname from pg_class c cross join pg_roles r
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and r.rolname = any ($1)
          and (has_table_privilege(r.oid, c.oid, 'truncate, references, trigger')
            or c.relispartition and has_table_privilege(r.oid, c.oid, 'select, insert, update, delete'))`,
      [processes],
    ),
  ).toEqual([])
})

it('everybody may execute nothing, and what runs with the owner’s rights looks up no name it was not given', async () => {
  const functions = await clone.query<{
    name: string
    is_public: boolean
    is_definer: boolean
    settings: string[]
  }>(
    `select p.proname as name, p.prosecdef as is_definer, coalesce(p.proconfig, '{}') as settings,
            exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) g where g.grantee = 0) as is_public
       from pg_proc p where p.pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`,
  )
  expect(functions.length).toBeGreaterThan(0)
  for (const { name, is_public, is_definer, settings } of functions) {
    expect(is_public, name).toBe(false)
    // How it is planned is its own affair; what its names mean is not.
    if (is_definer) expect(settings, name).toContain('search_path=public, pg_temp')
  }
})

it('a function in SQL that answers one value is put into the statement that calls it, and not planned at each call', async () => {
  const functions = await clone.query<{ name: string; types: string[] }>(
    `select p.proname as name, array(select format_type(t, null) from unnest(p.proargtypes) as t) as types
       from pg_proc p join pg_language l on l.oid = p.prolang
      where p.pronamespace = 'public'::regnamespace and l.lanname = 'sql' and not p.prosecdef and not p.proretset and p.proconfig is null
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`,
  )
  expect(functions.map(({ name }) => name)).toContain('standing_of')
  for (const { name, types } of functions) {
    const given = types.map((type, i) => `null::${type} as a${i}`)
    const plan = await clone.query<{ 'QUERY PLAN': string }>(
      `explain (verbose) select ${name}(${types.map((_, i) => `a${i}`)}) from (select ${given} offset 0) given`,
    )
    expect(plan.map(line => line['QUERY PLAN']).join('\n'), name).not.toContain(`${name}(`)
  }
})

it('the api makes companies, tenants and mails with the columns it fills, and none that the operator decides', async () => {
  const columns = await clone.query<{ table: string; columns: string[] }>(
    `select c.relname as table,
            array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                     and has_column_privilege('relance_api', c.oid, a.attnum, 'insert') order by a.attnum) as columns
       from pg_class c where c.oid = any ('{companies,tenants,account_mails}'::regclass[]) order by 1`,
  )
  expect(columns).toEqual([
    {
      table: 'account_mails',
      columns: ['id', 'kind', 'subject_id', 'about', 'secret_sealed', 'due_at', 'created_at'],
    },
    {
      table: 'companies',
      columns: known.companies.filter(
        column =>
          !['tier', 'requests_per_minute', 'in_flight', 'enabled', 'daily_limits', 'storage_bytes'].includes(
            column,
          ) && !column.startsWith('mandate_'),
      ),
    },
    { table: 'tenants', columns: ['id', 'company_id', 'environment', 'created_at'] },
  ])
})
