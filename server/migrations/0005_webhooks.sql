-- Webhooks, their deliveries and the notices owners get; keys made through the API; answers that carry a secret, kept sealed.

-- ── platform: who is to be told of what, and when; ids, event names and moments only ──

-- One row per endpoint: its subscriptions, and when to look at it next. `busy_until` is held by whoever works on it, or by
-- whom it was handed to; `gen` is what makes a hand-over stale. `failing` counts the attempts that failed since one succeeded.
create table webhook_pumps (
  tenant_id uuid not null references tenants,
  webhook_id uuid not null,
  events text[] not null check (cardinality(events) > 0),
  enabled boolean not null,
  disabled_because text check (disabled_because in ('failing', 'owner')),
  wake_at timestamptz,
  busy_until timestamptz,
  gen bigint not null default 1,
  failing integer not null default 0,
  warned_at timestamptz,
  last_triggered_at timestamptz,
  -- Events told again: everything after the first and up to the second, which stays to say how far it goes.
  recover_from uuid,
  recover_to uuid,
  primary key (tenant_id, webhook_id)
) with (fillfactor = 70);
create index webhook_pumps_due on webhook_pumps (wake_at) where wake_at is not null and enabled;
create index webhook_pumps_busy on webhook_pumps (busy_until) where busy_until is not null;
create index webhook_pumps_recovering on webhook_pumps (recover_from) where recover_from is not null and enabled;

-- What still has to reach an endpoint; gone as soon as it has, or is given up. Once per event and webhook.
create table webhook_queue (
  tenant_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  due_at timestamptz not null,
  attempts integer not null default 0,
  -- How often it was put off by a fault of ours, which is nobody's attempt.
  put_off integer not null default 0,
  created_at timestamptz not null,
  primary key (tenant_id, webhook_id, event_id),
  foreign key (tenant_id, webhook_id) references webhook_pumps (tenant_id, webhook_id) on delete cascade
) with (fillfactor = 80);
create index webhook_queue_due on webhook_queue (tenant_id, webhook_id, due_at, event_id);

-- What an owner has to be told by mail; the words are made when it is sent. Gone when it was.
create table notices (
  id uuid primary key,
  tenant_id uuid not null,
  kind text not null check (kind in ('webhook_failing', 'webhook_disabled')),
  subject_id uuid not null,
  -- What brought it about: of a webhook, the event that did not arrive.
  cause_id uuid,
  due_at timestamptz not null,
  attempts integer not null default 0,
  created_at timestamptz not null
);
create index notices_due on notices (due_at);

-- Whom an event concerns is decided without entering its tenant. Nobody could subscribe before, so there is nothing in it.
alter table outbox add column type text not null default '';

-- ── tenant ──

create table webhooks (
  tenant_id uuid not null references tenants,
  id uuid not null,
  url text not null,
  description text,
  secret_sealed text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);

-- What came of it, from the first attempt on. A delivery is known by its event: there is one per event and webhook.
create table webhook_deliveries (
  tenant_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  status text not null check (status in ('delivered', 'failed')),
  attempts integer not null,
  response_status integer,
  error text,
  duration_ms integer,
  is_test boolean not null default false,
  last_attempt_at timestamptz not null,
  created_at timestamptz not null,
  primary key (tenant_id, webhook_id, event_id)
) partition by range (event_id);
create index webhook_deliveries_failed on webhook_deliveries (tenant_id, webhook_id, event_id) where status = 'failed';

alter table idempotency_keys add column is_sealed boolean not null default false;

do $$
declare t text;
begin
  foreach t in array array['webhooks', 'webhook_deliveries']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy one_tenant on %I using (tenant_id = current_setting(''relance.tenant'')::uuid)', t);
  end loop;
end $$;

-- ── what must never be forgotten ──

-- Only what somebody subscribes to is written to the outbox: no path that changes a subscription forgets to say so.
create function know_subscriptions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare mine uuid := coalesce(new.tenant_id, old.tenant_id);
begin
  -- First the lock, then the look: of two changes at once the second sees the first.
  perform from tenants where id = mine for no key update;
  update tenants set subscribed_events = coalesce(
    (select array_agg(distinct e order by e) from webhook_pumps p cross join unnest(p.events) e where p.tenant_id = mine and p.enabled), '{}')
   where id = mine;
  return null;
end $$;
create trigger know_subscriptions after insert or delete or update of enabled, events on webhook_pumps
  for each row execute function know_subscriptions();

-- ── weeks ──

create or replace function ensure_event_partitions(p_wall timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  week date;
  whole text;
  part text;
  made integer := 0;
begin
  -- Events a week back too: what happened on Sunday may be written on Monday, on a database that is new. Deliveries as far back
  -- as they are kept: what is told again after a month has its week, also where nobody was told anything before.
  for whole, week in
    select 'events', d::date from generate_series(date_trunc('week', p_wall at time zone 'UTC') - interval '1 week',
      date_trunc('week', p_wall at time zone 'UTC') + interval '4 weeks', interval '1 week') d
    union all
    select 'webhook_deliveries', d::date from generate_series(date_trunc('week', (p_wall - interval '30 days') at time zone 'UTC'),
      date_trunc('week', p_wall at time zone 'UTC') + interval '4 weeks', interval '1 week') d
  loop
    part := whole || '_' || to_char(week, 'IYYY"w"IW');
    continue when to_regclass(part) is not null;
    execute format('create table %I partition of %I for values from (%L) to (%L)', part, whole,
      (lpad(to_hex((extract(epoch from week::timestamp at time zone 'UTC') * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid,
      (lpad(to_hex((extract(epoch from (week + 7)::timestamp at time zone 'UTC') * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid);
    execute format('alter table %I enable row level security', part);
    execute format('alter table %I force row level security', part);
    execute format('create policy one_tenant on %I using (tenant_id = current_setting(''relance.tenant'')::uuid)', part);
    made := made + 1;
  end loop;
  return made;
end $$;

create function drop_old_deliveries(p_before timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  part text;
  dropped integer := 0;
begin
  for part in select c.relname from pg_inherits h join pg_class c on c.oid = h.inhrelid
     where h.inhparent = 'webhook_deliveries'::regclass and c.relname ~ '^webhook_deliveries_\d{4}w\d{2}$'
       and to_date(substr(c.relname, 20), 'IYYY"w"IW') + 7 <= (p_before at time zone 'UTC')::date
  loop
    execute format('drop table %I', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

-- A sandbox keeps its webhooks, and forgets what they were told.
create or replace function reset_sandbox() returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mine uuid := current_setting('relance.tenant')::uuid;
  t text;
begin
  if not exists (select from tenants where id = mine and environment = 'sandbox') then return false; end if;
  foreach t in array array['sandbox_messages', 'contact_slots', 'pending_sends', 'communication_invoices', 'extra_messages', 'communications',
    'anr_documents', 'promises', 'disputes', 'postings', 'credits', 'payments', 'actions', 'recoveries', 'invoices', 'contact_ledger',
    'contact_salts', 'agendas', 'closed_points', 'debtors', 'outbox', 'webhook_queue', 'webhook_deliveries', 'count_deltas',
    'count_totals', 'count_days', 'count_debtor_invoices', 'count_magnitudes']
  loop
    execute format('delete from %I where tenant_id = $1', t) using mine;
  end loop;
  -- Who made which key, and who changed which webhook, is not the sandbox's to forget.
  delete from events where tenant_id = mine and type not like 'api\_key.%' and type not like 'webhook.%';
  -- The triggers have counted what just went: there is nothing left to count.
  delete from count_deltas where tenant_id = mine;
  return true;
end $$;

-- ── who may do what ──

revoke all on function know_subscriptions, drop_old_deliveries from public;
grant execute on function drop_old_deliveries to relance_worker;

grant insert, update (enabled, version) on api_keys to relance_api;
grant delete on idempotency_keys to relance_api;

grant select, insert, update, delete on webhook_pumps to relance_api;
grant select, update on webhook_pumps to relance_worker;
grant select, insert, update, delete on webhook_queue to relance_api, relance_worker;
grant select, insert, update, delete on webhooks to relance_api;
grant select on webhooks to relance_worker;
grant select, insert, update on webhook_deliveries to relance_api, relance_worker;
grant select, insert, update, delete on notices to relance_worker;
grant select on webhook_pumps, webhook_queue, notices to relance_operator;
