-- Platform: events and the audit log, alerts that wait, stored counts, nights of tenants, account mail, provider events; and the tables of server/src/kit.

-- ── platform/events ──

-- Partitioned by week, by the time inside the UUIDv7: old events are dropped with their week, not deleted one by one.
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
  -- An audit event from before the table audit_log. An emptied sandbox keeps it.
  is_audit boolean not null default false,
  -- The transaction that wrote it: a reader of the feed does not pass an event whose transaction may still commit.
  xact bigint not null default pg_current_xact_id()::text::bigint,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (tenant_id, id)
) partition by range (id);
comment on table events is 'A fact that never changes; one partition per week.';
create index events_by_subject on events (tenant_id, subject_id, sequence);
create index events_audit on events (tenant_id, id) where is_audit;
create index events_by_xact on events (tenant_id, xact, id);
alter table events enable row level security;
alter table events force row level security;
create policy one_tenant on events using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert on events to relance_api, relance_worker, relance_operator;

-- The partitions of the coming weeks, also those of webhook_deliveries. Events a week back too: what happened on Sunday may be written
-- on Monday, in a database that is new. Deliveries as far back as they are kept: an event that is replayed after a month has its week, also
-- where nothing was delivered before.
create function ensure_event_partitions(p_wall timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  week date;
  whole text;
  part text;
  made integer := 0;
begin
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
grant execute on function ensure_event_partitions to relance_worker;

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
grant execute on function drop_old_events to relance_worker;

-- Written only if a webhook of the tenant asks for the type of the event.
create table outbox (
  tenant_id uuid not null,
  event_id uuid not null,
  -- Which webhooks are concerned is decided by the type, without entering the tenant.
  type text not null default '',
  recorded_at timestamptz not null,
  primary key (tenant_id, event_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
comment on table outbox is 'An event that was committed and is not yet in the queues of its webhooks.';
create index outbox_by_age on outbox (recorded_at);
grant select, insert on outbox to relance_api;
grant select, insert, delete on outbox to relance_worker;
grant select on outbox to relance_operator;

-- No reference to a tenant, and not part of reset_sandbox: it says what was done, also where the rest was deleted. Personal data is in it
-- only as digests, with a salt per debtor in contact_salts: without the salt they say nothing.
create table audit_log (
  tenant_id uuid not null,
  id uuid not null,
  type text not null,
  schema_version integer not null,
  subject_id text not null,
  data jsonb not null,
  actor jsonb not null,
  request_id text,
  ip text,
  user_agent text,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (tenant_id, id)
);
comment on table audit_log is
  'Who changed money, texts, rights or the data of a debtor, and from where; rows are only inserted.';
-- Rows are inserted in the order of their moment, so the smallest kind of index finds what is too old.
create index audit_log_by_age on audit_log using brin (recorded_at);
-- What the page of an owner shows, however many payments and debtors were changed in between.
create index audit_log_security on audit_log (tenant_id, id)
  where split_part(type, '.', 1) in ('api_key', 'company', 'member', 'oauth_client', 'oauth_grant', 'person', 'webhook');
alter table audit_log enable row level security;
alter table audit_log force row level security;
create policy one_tenant on audit_log using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert on audit_log to relance_api, relance_worker;
grant insert on audit_log to relance_operator;

-- The only way to delete from it, for the operator alone.
create function purge_audit_log(p_wall timestamptz, p_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from audit_log where ctid = any (array(
      select ctid from audit_log
       where recorded_at < p_wall - make_interval(years => (select audit_years from installation)) limit p_most))
    returning 1)
  select count(*)::integer from gone
$$;
grant execute on function purge_audit_log to relance_operator;

-- Writes an audit event to the production of a company: from pages and OAuth, which have entered no tenant, and from another tenant,
-- which is entered again afterwards.
create function record_company_audit(p_company uuid, p_act jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mine uuid;
  entered text := coalesce(current_setting('relance.tenant', true), '');
begin
  select id into mine from tenants where company_id = p_company and environment = 'production';
  if mine is null then return; end if;
  perform set_config('relance.tenant', mine::text, true);
  insert into audit_log (tenant_id, id, type, schema_version, subject_id, data, actor, request_id, ip, user_agent, occurred_at,
    recorded_at)
  select mine, x.* from jsonb_to_record(p_act) as x(id uuid, type text, schema_version integer, subject_id text, data jsonb,
    actor jsonb, request_id text, ip text, user_agent text, occurred_at timestamptz, recorded_at timestamptz);
  perform set_config('relance.tenant', entered, true);
end $$;
grant execute on function record_company_audit to relance_api, relance_operator;

-- The latest audit events about security in the production of the companies that a person owns, and who caused them: for the account
-- page of that person.
create function audit_events_of_owner(p_owner uuid, p_most integer)
  returns table (id uuid, type text, company_name text, actor_kind text, actor_name text, recorded_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.id, a.type, c.name, a.actor->>'kind', p.name, a.recorded_at
    from memberships m
    join companies c on c.id = m.company_id
    join tenants t on t.company_id = c.id and t.environment = 'production'
   cross join lateral (select e.id, e.type, e.actor, e.recorded_at from audit_log e
                        where e.tenant_id = t.id and split_part(e.type, '.', 1) in
                          ('api_key', 'company', 'member', 'oauth_client', 'oauth_grant', 'person', 'webhook')
                        order by e.id desc limit p_most) a
    left join people p on p.id = (case when a.actor->>'kind' = 'person' then a.actor->>'id' else a.actor->>'onBehalfOf' end)::uuid
   where m.person_id = p_owner and m.role = 'owner'
   order by a.id desc limit p_most
$$;
grant execute on function audit_events_of_owner to relance_api;

create table alerts (
  tenant_id uuid not null,
  kind text not null,
  -- The event; of a provider that cannot be reached, the tenant.
  subject_id uuid not null,
  recorded_at timestamptz not null,
  primary key (tenant_id, kind, subject_id)
);
comment on table alerts is 'Something a creditor will be mailed about, until it is in the batch of its tenant and kind.';
create index alerts_by_age on alerts (recorded_at);
grant insert on alerts to relance_api, relance_operator;
grant select, insert, update, delete on alerts to relance_worker;

create table alert_batches (
  tenant_id uuid not null,
  kind text not null,
  -- The first of them, which the mail names.
  event_ids uuid[] not null default '{}',
  waiting integer not null default 0,
  due_at timestamptz,
  mailed_at timestamptz,
  primary key (tenant_id, kind)
);
comment on table alert_batches is
  'What waits to be mailed to a tenant about one kind of alert, and when the last such mail was written: one mail in ten minutes at most.';
create index alert_batches_due on alert_batches (due_at) where due_at is not null;
create index alert_batches_by_age on alert_batches (mailed_at) where due_at is null;
grant select, insert, update on alert_batches to relance_worker;

-- ── platform/counts ──

-- Written by triggers, so that no change is forgotten: one row per statement and group. fold_counts adds the rows to the tables below.
-- A reader adds what is folded and what is not, in one statement: exact to the last committed row.
--
-- `recovery`: a recovery counts as running from its first moment, so creating one costs nothing here. Running = invoices + the rows
-- `in_recovery` of this kind. `paid_recovery` has the days it took in `amount_cents`, in hundredths. `open` has an open sum. `slot` has a
-- quarter hour, its channel in `method` and its state in `status`. `bytes` has a table in `status` and a number of bytes in `amount_cents`.
create table count_deltas (
  tenant_id uuid not null,
  kind text not null check (kind in ('invoice', 'payment', 'debtor', 'recovery', 'paid_recovery', 'open', 'slot', 'bytes')),
  status text not null default '',
  currency text not null default '',
  method text not null default '',
  day date,
  debtor_id uuid,
  magnitude integer,
  n integer not null,
  amount_cents bigint not null default 0,
  paid_cents bigint not null default 0,
  -- Of an open sum: its due day and standing. Its debtor is in `debtor_id`.
  due_day date,
  standing text,
  open_n integer not null default 0,
  open_cents bigint not null default 0,
  -- A quarter hour, counted from 1970 by the clock of the tenant.
  slot integer
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
comment on table count_deltas is 'A change of a count that is not yet folded into the stored totals.';
create index count_deltas_by_kind on count_deltas (tenant_id, kind);
alter table count_deltas enable row level security;
alter table count_deltas force row level security;
create policy one_tenant on count_deltas using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert on count_deltas to relance_api, relance_worker;

create table count_totals (
  tenant_id uuid not null,
  kind text not null,
  status text not null,
  currency text not null,
  n bigint not null,
  amount_cents bigint not null,
  paid_cents bigint not null,
  primary key (tenant_id, kind, status, currency)
);
comment on table count_totals is
  'How many invoices, payments, debtors or recoveries have a status, and their sums; how many debtors have a planned message.';
alter table count_totals enable row level security;
alter table count_totals force row level security;
create policy one_tenant on count_totals using (tenant_id = current_setting('relance.tenant')::uuid);
grant select on count_totals to relance_api;

create table count_days (
  tenant_id uuid not null,
  kind text not null,
  status text not null,
  day date not null,
  currency text not null,
  method text not null,
  n bigint not null,
  amount_cents bigint not null,
  primary key (tenant_id, kind, status, day, currency, method)
);
comment on table count_days is 'How many invoices or payments of a status belong to a day, and their sum.';
alter table count_days enable row level security;
alter table count_days force row level security;
create policy one_tenant on count_days using (tenant_id = current_setting('relance.tenant')::uuid);
grant select on count_days to relance_api;

create table count_debtor_invoices (
  tenant_id uuid not null,
  debtor_id uuid not null,
  n bigint not null,
  primary key (tenant_id, debtor_id)
);
comment on table count_debtor_invoices is 'How many invoices a debtor has.';
alter table count_debtor_invoices enable row level security;
alter table count_debtor_invoices force row level security;
create policy one_tenant on count_debtor_invoices using (tenant_id = current_setting('relance.tenant')::uuid);
grant select on count_debtor_invoices to relance_api;

create table count_magnitudes (
  tenant_id uuid not null,
  currency text not null,
  magnitude integer not null,
  n bigint not null,
  primary key (tenant_id, currency, magnitude)
);
comment on table count_magnitudes is 'How many invoices have an amount of this size; a median is read from these rows.';
alter table count_magnitudes enable row level security;
alter table count_magnitudes force row level security;
create policy one_tenant on count_magnitudes using (tenant_id = current_setting('relance.tenant')::uuid);
grant select on count_magnitudes to relance_api, relance_worker;

create table count_due (
  tenant_id uuid not null,
  currency text not null,
  due_date date not null,
  standing text not null,
  n bigint not null,
  open_cents bigint not null,
  primary key (tenant_id, currency, due_date, standing)
);
comment on table count_due is 'How many invoices with this due date and standing are open, and their sum.';
alter table count_due enable row level security;
alter table count_due force row level security;
create policy one_tenant on count_due using (tenant_id = current_setting('relance.tenant')::uuid);
grant select on count_due to relance_api;

create table count_debtor_open (
  tenant_id uuid not null,
  debtor_id uuid not null,
  currency text not null,
  n bigint not null,
  open_cents bigint not null,
  primary key (tenant_id, debtor_id, currency)
);
comment on table count_debtor_open is 'How many invoices of a debtor are open, and their sum.';
create index count_debtor_open_by_sum on count_debtor_open (tenant_id, currency, open_cents, debtor_id) where open_cents > 0;
alter table count_debtor_open enable row level security;
alter table count_debtor_open force row level security;
create policy one_tenant on count_debtor_open using (tenant_id = current_setting('relance.tenant')::uuid);
grant select on count_debtor_open to relance_api;

-- Only what is held or waits for a decision: most invoices run, and creating one costs nothing here.
create table count_debtor_standings (
  tenant_id uuid not null,
  debtor_id uuid not null,
  standing text not null,
  n bigint not null,
  primary key (tenant_id, debtor_id, standing)
);
comment on table count_debtor_standings is 'How many open invoices of a debtor are held by a cause, or wait for a decision.';
alter table count_debtor_standings enable row level security;
alter table count_debtor_standings force row level security;
create policy one_tenant on count_debtor_standings using (tenant_id = current_setting('relance.tenant')::uuid);
grant select on count_debtor_standings to relance_api;

create table count_standings (
  tenant_id uuid not null,
  standing text not null,
  debtors bigint not null,
  primary key (tenant_id, standing)
);
comment on table count_standings is 'How many debtors have open invoices that are held by a cause, or wait for a decision.';
alter table count_standings enable row level security;
alter table count_standings force row level security;
create policy one_tenant on count_standings using (tenant_id = current_setting('relance.tenant')::uuid);
grant select on count_standings to relance_api;

create table count_slots (
  tenant_id uuid not null,
  slot integer not null,
  channel text not null,
  state text not null,
  n bigint not null,
  primary key (tenant_id, slot, channel, state)
);
comment on table count_slots is 'How many messages of a channel are planned or were sent in a quarter hour.';
alter table count_slots enable row level security;
alter table count_slots force row level security;
create policy one_tenant on count_slots using (tenant_id = current_setting('relance.tenant')::uuid);
grant select on count_slots to relance_api;

-- Read without a tenant by the operator, so it is no table of a tenant.
create table stored_bytes (
  tenant_id uuid not null,
  -- The table that stores them.
  kind text not null,
  bytes bigint not null,
  primary key (tenant_id, kind)
);
comment on table stored_bytes is 'How many bytes of a kind a tenant stores.';
grant select on stored_bytes to relance_api, relance_worker, relance_operator;

create function count_stored_bytes() returns trigger language plpgsql as $$
begin
  case tg_op
  when 'INSERT' then
    insert into count_deltas (tenant_id, kind, status, n, amount_cents)
    select tenant_id, 'bytes', tg_table_name, 0, sum(stored_bytes) from fresh group by tenant_id;
  when 'DELETE' then
    insert into count_deltas (tenant_id, kind, status, n, amount_cents)
    select tenant_id, 'bytes', tg_table_name, 0, -sum(stored_bytes) from gone group by tenant_id;
  else
    insert into count_deltas (tenant_id, kind, status, n, amount_cents)
    select tenant_id, 'bytes', tg_table_name, 0, sum(bytes)
      from (select tenant_id, stored_bytes as bytes from fresh union all select tenant_id, -stored_bytes from gone) changed
     group by tenant_id having sum(bytes) <> 0;
  end case;
  return null;
end $$;

-- Counts the bytes of a table from its first row on. The table has a column `stored_bytes`.
create procedure count_bytes_of(p_table text) language plpgsql as $$
begin
  execute format('create trigger count_bytes_of_new_rows after insert on %I
    referencing new table as fresh for each statement execute function count_stored_bytes()', p_table);
  execute format('create trigger count_bytes_of_changed_rows after update on %I
    referencing old table as gone new table as fresh for each statement execute function count_stored_bytes()', p_table);
  execute format('create trigger count_bytes_of_deleted_rows after delete on %I
    referencing old table as gone for each statement execute function count_stored_bytes()', p_table);
end $$;
revoke all on procedure count_bytes_of from public;

-- Twelve sizes to a doubling: a histogram of amounts from which a median can be read to within three percent.
create function magnitude_of(p_cents bigint) returns integer language sql immutable parallel safe as $$
  select floor(12 * ln(p_cents::double precision) / ln(2::double precision))::integer
$$;
grant execute on function magnitude_of to relance_api, relance_worker;

-- The number of a quarter hour.
create function slot_of(p_at timestamptz) returns integer language sql stable parallel safe as $$
  select floor(extract(epoch from p_at) / 900)::integer
$$;
grant execute on function slot_of to relance_api, relance_worker;

-- Folding is one statement over all tenants, so nothing in it may fail for one of them: a sum ends at the limits of its type. Only sums
-- without meaning get there: 2^63 cents are more money than there is.
create function saturated(p_sum numeric) returns bigint
language sql immutable parallel safe as $$
  select greatest(least(p_sum, 9223372036854775807), -9223372036854775808)::bigint
$$;

-- Folds up to `p_most` rows. It deletes them in the same statement: no row is counted twice or never.
create function fold_counts(p_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with taken as (
    delete from count_deltas where ctid = any (array(select ctid from count_deltas limit p_most for update skip locked)) returning *),
  totals as (
    insert into count_totals as c (tenant_id, kind, status, currency, n, amount_cents, paid_cents)
    select tenant_id, kind, status, currency, sum(n), saturated(sum(amount_cents)), saturated(sum(paid_cents))
      from taken where kind not in ('open', 'slot', 'bytes') or (kind = 'slot' and status = 'planned')
     group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (tenant_id, kind, status, currency) do update
      set n = c.n + excluded.n, amount_cents = saturated(c.amount_cents::numeric + excluded.amount_cents),
          paid_cents = saturated(c.paid_cents::numeric + excluded.paid_cents)),
  days as (
    insert into count_days as c (tenant_id, kind, status, day, currency, method, n, amount_cents)
    select tenant_id, kind, status, day, currency, method, sum(n), saturated(sum(amount_cents))
      from taken where day is not null group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
    on conflict (tenant_id, kind, status, day, currency, method) do update
      set n = c.n + excluded.n, amount_cents = saturated(c.amount_cents::numeric + excluded.amount_cents)),
  debtors as (
    insert into count_debtor_invoices as c (tenant_id, debtor_id, n)
    select tenant_id, debtor_id, sum(n) from taken where kind = 'invoice' and debtor_id is not null group by 1, 2 order by 1, 2
    on conflict (tenant_id, debtor_id) do update set n = c.n + excluded.n),
  magnitudes as (
    insert into count_magnitudes as c (tenant_id, currency, magnitude, n)
    select tenant_id, currency, magnitude, sum(n) from taken where magnitude is not null group by 1, 2, 3 order by 1, 2, 3
    on conflict (tenant_id, currency, magnitude) do update set n = c.n + excluded.n),
  due as (
    insert into count_due as c (tenant_id, currency, due_date, standing, n, open_cents)
    select tenant_id, currency, due_day, standing, sum(open_n), saturated(sum(open_cents))
      from taken where due_day is not null group by 1, 2, 3, 4 having sum(open_n) <> 0 or sum(open_cents) <> 0 order by 1, 2, 3, 4
    on conflict (tenant_id, currency, due_date, standing) do update
      set n = c.n + excluded.n, open_cents = saturated(c.open_cents::numeric + excluded.open_cents)),
  debtors_open as (
    insert into count_debtor_open as c (tenant_id, debtor_id, currency, n, open_cents)
    select tenant_id, debtor_id, currency, sum(open_n), saturated(sum(open_cents))
      from taken where due_day is not null group by 1, 2, 3 having sum(open_n) <> 0 or sum(open_cents) <> 0 order by 1, 2, 3
    on conflict (tenant_id, debtor_id, currency) do update
      set n = c.n + excluded.n, open_cents = saturated(c.open_cents::numeric + excluded.open_cents)),
  standing_changes as (
    select tenant_id, debtor_id, standing, sum(open_n) as n
      from taken where due_day is not null and (standing = 'decide' or starts_with(standing, 'held:'))
     group by 1, 2, 3 having sum(open_n) <> 0),
  debtor_standings as (
    insert into count_debtor_standings as c (tenant_id, debtor_id, standing, n)
    select tenant_id, debtor_id, standing, n from standing_changes order by 1, 2, 3
    on conflict (tenant_id, debtor_id, standing) do update set n = c.n + excluded.n
    returning tenant_id, debtor_id, standing, n),
  -- A debtor is counted from its first such invoice to its last. The row is locked, so it had its new number less the change.
  standings as (
    insert into count_standings as c (tenant_id, standing, debtors)
    select tenant_id, standing, sum((s.n > 0)::integer - (s.n - g.n > 0)::integer)
      from debtor_standings s join standing_changes g using (tenant_id, debtor_id, standing)
     group by 1, 2 having sum((s.n > 0)::integer - (s.n - g.n > 0)::integer) <> 0 order by 1, 2
    on conflict (tenant_id, standing) do update set debtors = c.debtors + excluded.debtors),
  slots as (
    insert into count_slots as c (tenant_id, slot, channel, state, n)
    select tenant_id, slot, method, status, sum(n) from taken where kind = 'slot' group by 1, 2, 3, 4 having sum(n) <> 0 order by 1, 2, 3, 4
    on conflict (tenant_id, slot, channel, state) do update set n = c.n + excluded.n),
  bytes as (
    insert into stored_bytes as s (tenant_id, kind, bytes)
    select tenant_id, status, sum(amount_cents) from taken where kind = 'bytes' group by 1, 2 having sum(amount_cents) <> 0 order by 1, 2
    on conflict (tenant_id, kind) do update set bytes = s.bytes + excluded.bytes)
  select count(*)::integer from taken
$$;
grant execute on function fold_counts to relance_worker;

-- ── platform/nights ──

create table tenant_nights (
  tenant_id uuid primary key references tenants (id) on delete cascade,
  -- When its night begins or goes on; that of a new tenant is due at once.
  due_at timestamptz not null default 'epoch',
  -- A process works at it, and has shown so.
  taken_until timestamptz,
  -- Of a night under way, the last debtor whose score is done; null between two nights.
  after_debtor_id uuid,
  -- Debtors scored in the last night, or so far in this one.
  scored bigint not null default 0,
  done_at timestamptz,
  -- How often it has failed since it was last done.
  failures integer not null default 0
);
comment on table tenant_nights is 'When the nightly work of a tenant is due, how far it is, and how often it failed.';
create index tenant_nights_due on tenant_nights (due_at);
create index tenant_nights_taken on tenant_nights (taken_until) where taken_until is not null;
create index tenant_nights_failing on tenant_nights (tenant_id) where failures > 0;
grant select, update on tenant_nights to relance_worker;
grant select on tenant_nights to relance_operator;

create function create_tenant_night() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into tenant_nights (tenant_id) values (new.id);
  return null;
end $$;
create trigger create_tenant_night after insert on tenants for each row execute function create_tenant_night();

-- ── platform/account-mail ──

-- The text is written when it is sent. Which kinds there are is a closed list in the program.
create table account_mails (
  id uuid primary key,
  tenant_id uuid,
  kind text not null check (kind ~ '^[a-z_]+$'),
  subject_id uuid not null,
  -- What caused it: of a webhook, the event that did not arrive.
  cause_id uuid,
  -- What the mail says, masked.
  about jsonb,
  -- The link that is in the mail and nowhere else, sealed.
  secret_sealed text,
  due_at timestamptz not null,
  attempts integer not null default 0,
  created_at timestamptz not null
);
comment on table account_mails is 'An account mail that is not sent yet.';
create index account_mails_due on account_mails (due_at);
grant select, insert, update, delete on account_mails to relance_worker;
grant select on account_mails to relance_operator;
grant insert (id, kind, subject_id, due_at, created_at, secret_sealed, about) on account_mails to relance_api;
grant insert (id, kind, subject_id, due_at, created_at, about) on account_mails to relance_operator;

-- ── platform/callbacks ──

create table provider_events (
  provider text not null,
  event_id text not null,
  received_at timestamptz not null,
  primary key (provider, event_id)
);
comment on table provider_events is 'The id of a provider event that was handled: each is handled once.';
create index provider_events_by_age on provider_events (received_at);
grant select, insert on provider_events to relance_api;

create function purge_provider_events(p_before timestamptz, p_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with old as (select provider, event_id from provider_events where received_at < p_before order by received_at limit p_most),
  gone as (delete from provider_events e using old where e.provider = old.provider and e.event_id = old.event_id returning 1)
  select count(*)::integer from gone
$$;
grant execute on function purge_provider_events to relance_worker;

-- ── kit ──

create table workers (
  id uuid primary key,
  heartbeat_at timestamptz not null
);
comment on table workers is 'A worker process, and its last heartbeat.';
grant select, insert, update, delete on workers to relance_worker;
grant select on workers to relance_operator;

create table loop_leases (
  loop text primary key,
  worker_id uuid not null
);
comment on table loop_leases is 'Which worker runs a loop that only one may run.';
grant select, insert, update, delete on loop_leases to relance_worker;
grant select on loop_leases to relance_operator;

create table idempotency_keys (
  tenant_id uuid not null references tenants,
  key_hash bytea not null,
  request_hash bytea not null,
  status integer not null,
  body text not null,
  -- The body contains a secret and is encrypted.
  is_sealed boolean not null default false,
  created_at timestamptz not null,
  primary key (tenant_id, key_hash)
);
comment on table idempotency_keys is 'The stored answer to a request with an idempotency key; deleted after a day.';
create index idempotency_keys_by_age on idempotency_keys (created_at);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy one_tenant on idempotency_keys using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update, delete on idempotency_keys to relance_api;

create function purge_idempotency_keys(p_before timestamptz, p_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with old as (select tenant_id, key_hash from idempotency_keys where created_at < p_before order by created_at limit p_most),
  gone as (delete from idempotency_keys k using old where k.tenant_id = old.tenant_id and k.key_hash = old.key_hash returning 1)
  select count(*)::integer from gone
$$;
grant execute on function purge_idempotency_keys to relance_worker;

-- Created by the program that applies the migrations.
comment on table schema_migrations is 'A migration that was applied.';
grant select on schema_migrations to relance_operator;

revoke all on all functions in schema public from public;
