-- The first tables: companies and their credentials, debtors, invoices and their recoveries, the agenda that wakes them, what was sent, what happened.
--
-- Every time in here is written by the program (the tenant's clock or the wall), never by the database:
-- a sandbox lives months in seconds, and a default of now() would tear its story apart.

create extension if not exists btree_gist;

-- ── platform: no personal data beyond the owner's address, no row-level security, granted column by column ──

create table installation (
  only_row boolean primary key default true check (only_row),
  cell text not null check (cell ~ '^[a-z0-9]{2}$'),
  clock_offset_ms bigint not null default 0
);
insert into installation (cell) values ('e1');

create table companies (
  id uuid primary key,
  name text not null,
  owner_email text not null,
  reply_email text not null,
  tier text not null check (tier in ('starter', 'pro', 'enterprise')),
  country text not null,
  time_zone text not null,
  language text not null check (language in ('fr', 'en')),
  currency text not null,
  default_debtor_type text not null check (default_debtor_type in ('business', 'consumer', 'public_body')),
  requests_per_minute integer check (requests_per_minute > 0),
  in_flight integer check (in_flight > 0),
  enabled boolean not null default true,
  created_at timestamptz not null
);

create table tenants (
  id uuid primary key,
  company_id uuid not null references companies,
  environment text not null check (environment in ('production', 'sandbox')),
  clock_offset_ms bigint not null default 0 check (clock_offset_ms >= 0),
  subscribed_events text[] not null default '{}',
  created_at timestamptz not null,
  unique (company_id, environment),
  check (environment = 'sandbox' or clock_offset_ms = 0)
);

create table api_keys (
  id uuid primary key,
  tenant_id uuid not null references tenants,
  name text not null,
  lookup text not null unique,
  secret_mac text not null,
  prefix text not null,
  scopes text[] not null,
  ip_whitelist text[] not null default '{}',
  enabled boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_by_tenant on api_keys (tenant_id, id);

-- ── tenant: every row belongs to one tenant, enforced by type, by key and by policy ──

create table debtors (
  tenant_id uuid not null references tenants,
  id uuid not null,
  name text not null,
  name_key text not null,
  email text not null,
  email_key text not null,
  phone text,
  siret text check (siret ~ '^[0-9]{14}$'),
  address text,
  city text,
  postal_code text,
  country text not null check (country ~ '^[A-Z]{2}$'),
  type text not null check (type in ('business', 'consumer', 'public_body')),
  language text not null check (language in ('fr', 'en')),
  notes text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create unique index debtors_by_siret on debtors (tenant_id, siret) where siret is not null;
create index debtors_by_identity on debtors (tenant_id, email_key, name_key);

create table invoices (
  tenant_id uuid not null,
  id uuid not null,
  debtor_id uuid not null,
  number text not null,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  issue_date date not null,
  due_date date not null,
  description text,
  metadata jsonb not null default '{}',
  notes text,
  status text not null check (status in
    ('draft', 'imported', 'lrar_sent', 'in_recovery', 'paid', 'partial', 'disputed', 'written_off', 'judicial', 'cancelled')),
  paid_cents bigint not null default 0,
  credited_cents bigint not null default 0,
  event_seq integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, debtor_id) references debtors (tenant_id, id),
  check (due_date >= issue_date)
);
create unique index invoices_by_number on invoices (tenant_id, number);
create index invoices_by_debtor on invoices (tenant_id, debtor_id, id);

create table recoveries (
  tenant_id uuid not null,
  invoice_id uuid not null,
  debtor_id uuid not null,
  status text not null check (status in ('pending', 'in_recovery', 'paused', 'completed', 'cancelled', 'judicial')),
  cascade text not null,
  cascade_version integer not null,
  step integer not null default 0,
  attempt integer not null default 0,
  generation integer not null default 0,
  started_at timestamptz,
  due_at timestamptz,
  due_because text,
  communication_id uuid,
  last_action text,
  last_executed_at timestamptz,
  actions_completed integer not null default 0,
  created_at timestamptz not null,
  primary key (tenant_id, invoice_id),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id) on delete cascade,
  check ((status = 'pending') = (started_at is null)),
  check (due_at is null or status = 'in_recovery')
);
-- What a wake loads: the steps of one debtor that wait for their moment and are not already on their way.
create index recoveries_due on recoveries (tenant_id, debtor_id, due_at)
  where due_at is not null and communication_id is null;

create table communications (
  tenant_id uuid not null,
  id uuid not null,
  debtor_id uuid not null,
  channel text not null check (channel in ('email', 'sms', 'lrar', 'voice')),
  step text not null,
  state text not null check (state in
    ('reserved', 'sending', 'sent', 'delivered', 'bounced', 'failed', 'unknown', 'lapsed', 'cancelled')),
  wake_gen bigint not null,
  token uuid,
  -- Only a claim moves the lease; the armer moves pending_sends.redrive_at. One column for both left messages stuck.
  lease_until timestamptz,
  committing_at timestamptz,
  not_after timestamptz not null,
  provider text,
  provider_id text,
  reason text,
  verdict jsonb not null,
  reserved_at timestamptz not null,
  sent_at timestamptz,
  settled_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, debtor_id) references debtors (tenant_id, id)
);
create index communications_by_debtor on communications (tenant_id, debtor_id, reserved_at);

create table communication_invoices (
  tenant_id uuid not null,
  communication_id uuid not null,
  invoice_id uuid not null,
  primary key (tenant_id, communication_id, invoice_id),
  foreign key (tenant_id, communication_id) references communications (tenant_id, id) on delete cascade,
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id) on delete cascade
);
create index communication_invoices_by_invoice on communication_invoices (tenant_id, invoice_id);

-- The law as a constraint: whatever the program believes, two contacts of one person on one day cannot be stored.
-- One row per point of the person (the debtor record, its email, its phone), so two records with one address are one person.
create table contact_slots (
  tenant_id uuid not null,
  point bytea not null,
  channel text not null check (channel in ('email', 'sms', 'lrar', 'voice')),
  local_day date not null,
  at timestamptz not null,
  zone text not null,
  cool tstzrange not null,
  counts boolean not null,
  communication_id uuid not null,
  constraint slot_on_its_day check (local_day = (at at time zone zone)::date),
  constraint slot_in_hours check (extract(hour from at at time zone zone) between 8 and 19),
  constraint slot_not_on_sunday check (extract(isodow from at at time zone zone) <> 7),
  constraint slot_cools_three_days check (cool = tstzrange(at, at + interval '72 hours 15 minutes')),
  constraint slot_once_a_cooldown exclude using gist
    (tenant_id with =, point with =, channel with =, cool with &&) where (counts),
  -- Judged at commit: a reservation that finds one point taken leaves slots without a message, and is then undone.
  foreign key (tenant_id, communication_id) references communications (tenant_id, id) on delete cascade deferrable initially deferred
);
create unique index slot_once_a_day on contact_slots (tenant_id, point, local_day) where counts;
create index contact_slots_by_communication on contact_slots (tenant_id, communication_id);

create table actions (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  action text not null,
  channel text check (channel in ('email', 'sms', 'lrar', 'voice')),
  status text not null check (status in
    ('sent', 'delivered', 'bounced', 'failed', 'unknown', 'refused', 'unclaimed', 'skipped', 'cancelled', 'done')),
  details text not null,
  communication_id uuid,
  executed_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id) on delete cascade
);
create index actions_by_invoice on actions (tenant_id, invoice_id, executed_at, id);
create unique index actions_once on actions (tenant_id, communication_id, invoice_id) where communication_id is not null;

-- What the sandbox would have sent; production never writes here.
create table sandbox_messages (
  tenant_id uuid not null,
  communication_id uuid not null,
  channel text not null,
  recipient text not null,
  subject text,
  body text not null,
  created_at timestamptz not null,
  primary key (tenant_id, communication_id),
  foreign key (tenant_id, communication_id) references communications (tenant_id, id) on delete cascade
);

create table idempotency_keys (
  tenant_id uuid not null references tenants,
  key_hash bytea not null,
  request_hash bytea not null,
  status integer not null,
  body text not null,
  created_at timestamptz not null,
  primary key (tenant_id, key_hash)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table events (
  tenant_id uuid not null,
  id uuid not null,
  type text not null,
  schema_version integer not null,
  subject_id uuid not null,
  sequence integer not null,
  data jsonb not null,
  actor jsonb not null,
  request_id text,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (tenant_id, id)
) partition by range (id);
create index events_by_subject on events (tenant_id, subject_id, sequence);

-- ── platform again: what the loops poll across tenants, ids and moments only ──

create table agendas (
  tenant_id uuid not null,
  debtor_id uuid not null,
  wake_at timestamptz,
  wake_because text,
  wake_gen bigint not null default 1,
  armed_gen bigint not null default 0,
  armed_at timestamptz,
  attempts integer not null default 0,
  parked_because text,
  primary key (tenant_id, debtor_id),
  foreign key (tenant_id, debtor_id) references debtors (tenant_id, id)
) with (fillfactor = 80);
create index agendas_to_arm on agendas (wake_at) where armed_gen <> wake_gen and wake_at is not null;
create index agendas_armed on agendas (armed_at) where armed_gen = wake_gen and wake_at is not null;

-- One row per message between its reservation and its settlement: what the armer re-drives when a sender was lost.
create table pending_sends (
  tenant_id uuid not null,
  communication_id uuid not null,
  debtor_id uuid not null,
  redrive_at timestamptz not null,
  attempts integer not null default 0,
  primary key (tenant_id, communication_id)
);
create index pending_sends_due on pending_sends (redrive_at);

create table outbox (
  tenant_id uuid not null,
  event_id uuid not null,
  recorded_at timestamptz not null,
  primary key (tenant_id, event_id)
);
create index outbox_by_age on outbox (recorded_at);

-- ── policies ──

do $$
declare t text;
begin
  foreach t in array array['debtors', 'invoices', 'recoveries', 'communications', 'communication_invoices', 'contact_slots',
    'actions', 'sandbox_messages', 'idempotency_keys', 'events']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    -- No second argument to current_setting: outside a tenant's transaction every query raises.
    execute format('create policy one_tenant on %I using (tenant_id = current_setting(''relance.tenant'')::uuid)', t);
  end loop;
end $$;

-- ── the opening statement of every tenant transaction ──

-- A request: proves that the credential still stands, by primary key, and enters its tenant. Revocation is thus
-- immediate on every process, whatever a cache believes. Returns the tenant's clock offset.
create function enter_by_key(p_key uuid, p_version integer, p_wall timestamptz) returns bigint
language plpgsql as $$
declare found_key record;
begin
  select k.tenant_id, k.enabled, k.version, k.expires_at, c.enabled as company_enabled,
         t.clock_offset_ms + i.clock_offset_ms as offset_ms
    into found_key
    from api_keys k
    join tenants t on t.id = k.tenant_id
    join companies c on c.id = t.company_id
    cross join installation i
   where k.id = p_key;
  if not found or not found_key.enabled or found_key.version <> p_version or found_key.expires_at <= p_wall then
    raise exception 'credential refused' using errcode = 'RL001';
  end if;
  if not found_key.company_enabled then
    raise exception 'company disabled' using errcode = 'RL002';
  end if;
  perform set_config('relance.tenant', found_key.tenant_id::text, true);
  return found_key.offset_ms;
end $$;

-- A worker: enters a tenant by its id.
create function enter_tenant(p_tenant uuid) returns bigint
language plpgsql as $$
declare offset_ms bigint;
begin
  select t.clock_offset_ms + i.clock_offset_ms into strict offset_ms
    from tenants t cross join installation i where t.id = p_tenant;
  perform set_config('relance.tenant', p_tenant::text, true);
  return offset_ms;
end $$;

-- The points of one person. Both the reading and the reserving of slots go through here, so they cannot disagree.
create function contact_points(p_tenant uuid, p_debtor uuid, p_email_key text, p_phone text) returns bytea[]
language sql immutable parallel safe as $$
  select array_remove(array[
    sha256(convert_to(p_tenant || ' debtor ' || p_debtor, 'UTF8')),
    sha256(convert_to(p_tenant || ' email ' || p_email_key, 'UTF8')),
    sha256(convert_to(p_tenant || ' phone ' || p_phone, 'UTF8'))], null)
$$;

-- ── housekeeping: the few things that cross tenants on tenant tables, each with exactly one purpose ──

-- Weekly partitions by the time inside the UUIDv7: old events are dropped by the week, not deleted by the row.
create function ensure_event_partitions(p_wall timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  week date;
  part text;
  made integer := 0;
begin
  for week in select d::date from generate_series(date_trunc('week', p_wall at time zone 'UTC'),
    date_trunc('week', p_wall at time zone 'UTC') + interval '4 weeks', interval '1 week') d
  loop
    part := 'events_' || to_char(week, 'IYYY"w"IW');
    continue when to_regclass(part) is not null;
    execute format('create table %I partition of events for values from (%L) to (%L)', part,
      (lpad(to_hex((extract(epoch from week::timestamp at time zone 'UTC') * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid,
      (lpad(to_hex((extract(epoch from (week + 7)::timestamp at time zone 'UTC') * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid);
    execute format('alter table %I enable row level security', part);
    execute format('alter table %I force row level security', part);
    execute format('create policy one_tenant on %I using (tenant_id = current_setting(''relance.tenant'')::uuid)', part);
    made := made + 1;
  end loop;
  return made;
end $$;

create function drop_old_events(p_before timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  part text;
  dropped integer := 0;
begin
  for part in select c.relname from pg_inherits h join pg_class c on c.oid = h.inhrelid
     where h.inhparent = 'events'::regclass and c.relname ~ '^events_\d{4}w\d{2}$'
       and to_date(substr(c.relname, 8), 'IYYY"w"IW') + 7 <= (p_before at time zone 'UTC')::date
  loop
    execute format('drop table %I', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

create function purge_idempotency_keys(p_before timestamptz, p_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with old as (select tenant_id, key_hash from idempotency_keys where created_at < p_before order by created_at limit p_most),
  gone as (delete from idempotency_keys k using old where k.tenant_id = old.tenant_id and k.key_hash = old.key_hash returning 1)
  select count(*)::integer from gone
$$;

create function purge_contact_slots(p_tenant uuid, p_before timestamptz) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with gone as (delete from contact_slots where tenant_id = p_tenant and upper(cool) < p_before returning 1)
  select count(*)::integer from gone
$$;

-- ── who may do what ──

revoke all on all functions in schema public from public;
grant execute on function enter_by_key to relance_api;
grant execute on function enter_tenant to relance_worker, relance_operator;
grant execute on function contact_points to relance_worker;
grant execute on function ensure_event_partitions, drop_old_events, purge_idempotency_keys, purge_contact_slots to relance_worker;

grant select on installation, companies, tenants to relance_api, relance_worker, relance_operator;
grant insert on companies, tenants, api_keys to relance_operator;
grant select on api_keys to relance_operator;
grant update (tier, enabled, requests_per_minute, in_flight) on companies to relance_operator;
grant update (clock_offset_ms) on installation to relance_operator;
grant update (clock_offset_ms, subscribed_events) on tenants to relance_operator;
grant select on api_keys to relance_api;
grant update (last_used_at) on api_keys to relance_api;

grant select, insert, update on debtors, invoices, recoveries to relance_api;
grant select, insert on actions to relance_api;
grant select, insert, update on idempotency_keys to relance_api;
grant select on communications, communication_invoices, sandbox_messages to relance_api;
grant select, insert on events to relance_api, relance_worker;
grant select, insert on outbox to relance_api, relance_worker;
grant delete on outbox to relance_worker;
grant select, insert, update on agendas to relance_api, relance_worker;

grant select on debtors to relance_worker;
grant select, update on invoices, recoveries to relance_worker;
grant select, insert, update on communications, actions to relance_worker;
grant select, insert on communication_invoices, sandbox_messages to relance_worker;
grant select, insert, update, delete on contact_slots, pending_sends to relance_worker;

-- The operator's commands read, for reports and the demonstration clock; they change no tenant's data.
grant select on agendas, pending_sends, outbox to relance_operator;
