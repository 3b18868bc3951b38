-- The whole recovery: what holds it, what was promised and disputed, messages beside the cascade, cascades and settings of one's own, the ledger of contacts, the counts of recoveries.

-- ── where a recovery stands ──

alter table recoveries
  -- The days of the cascade are counted from here; a pause moves it by its length.
  add column anchor_at timestamptz,
  -- Why it is paused, each reason for itself: it goes on when the last one is gone.
  add column holds text[] not null default '{}',
  add column paused_at timestamptz,
  -- The formal notice: when it was given, and what was heard of it since.
  add column notice_at timestamptz,
  add column notice_news text check (notice_news in ('presented', 'signed', 'refused', 'unclaimed')),
  add column notice_news_at timestamptz,
  -- A part payment or a promise starts the time of limitation again.
  add column acknowledged_at timestamptz,
  add column ended_at timestamptz,
  add column outcome text check (outcome in ('paid', 'written_off', 'cancelled'));

update recoveries set anchor_at = started_at where started_at is not null;
update recoveries set holds = '{reopened}', paused_at = created_at where status = 'paused';
update recoveries r set outcome = 'paid', ended_at = coalesce(i.paid_at, r.created_at)
  from invoices i where r.status = 'completed' and i.tenant_id = r.tenant_id and i.id = r.invoice_id;

alter table recoveries drop constraint recoveries_check1;
alter table recoveries
  -- A paused one may be due too: that is when its pause ends by itself.
  add constraint due_only_while_open check (due_at is null or status in ('in_recovery', 'paused')),
  add constraint paused_means_held check ((status = 'paused') = (cardinality(holds) > 0)),
  add constraint holds_are_known check (holds <@ array['asked', 'promise', 'dispute', 'upheld', 'reopened', 'insolvency', 'wrong_person']),
  add constraint started_has_anchor check ((started_at is null) = (anchor_at is null));

-- ── the agenda: quiet after a sign of life, the moment last acted on, the head of the chain of contacts ──

alter table agendas
  add column quiet_until timestamptz,
  add column acted_at timestamptz,
  add column chain_head bytea,
  add column chain_length integer not null default 0,
  -- Months pass in a sandbox in seconds: its agendas queue apart, so that nobody else waits for them.
  add column is_sandbox boolean not null default false;
update agendas a set is_sandbox = true from tenants t where t.id = a.tenant_id and t.environment = 'sandbox';
drop index agendas_to_arm;
create index agendas_to_arm on agendas (is_sandbox, wake_at) where armed_gen <> wake_gen and wake_at is not null;
drop index agendas_armed;
create index agendas_armed on agendas (is_sandbox, armed_at) where armed_gen = wake_gen and wake_at is not null;

-- A sandbox may pass over months for many debtors at once: the newest message is that of the latest day, not the last written.
create index sandbox_messages_by_time on sandbox_messages (tenant_id, created_at, communication_id);
create index sandbox_messages_by_channel on sandbox_messages (tenant_id, channel, created_at, communication_id);

-- A formal notice is one only for the invoices whose own was due; the others it serves are mentioned.
alter table communication_invoices add column as_notice boolean not null default false;
-- The invoice a message was sent for; the others it serves are grouped with it.
alter table communications add column lead_invoice_id uuid, add column delivered_at timestamptz;

-- Channels for which this installation has no provider; written by its workers, read wherever something is planned.
alter table installation add column missing_channels text[] not null default '{}';

-- ── what the debtor said ──

create table promises (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  debtor_id uuid not null,
  pay_on date not null,
  amount_cents bigint not null check (amount_cents > 0),
  paid_before_cents bigint not null,
  status text not null check (status in ('open', 'kept', 'broken', 'replaced')),
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id)
);
create unique index promises_one_open on promises (tenant_id, invoice_id) where status = 'open';
create index promises_by_invoice on promises (tenant_id, invoice_id, id);

create table disputes (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  debtor_id uuid not null,
  reason text not null,
  amount_cents bigint check (amount_cents > 0),
  status text not null check (status in ('open', 'upheld', 'rejected', 'partly')),
  note text,
  opened_at timestamptz not null,
  resolved_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id)
);
create unique index disputes_one_open on disputes (tenant_id, invoice_id) where status = 'open';
create index disputes_by_invoice on disputes (tenant_id, invoice_id, id);

alter table debtors
  add column insolvency_kind text check (insolvency_kind in ('safeguard', 'receivership', 'liquidation', 'over_indebtedness', 'other')),
  add column insolvency_opened_on date,
  -- One of its points belongs to somebody else; kept here because every list shows it.
  add column wrong_person boolean not null default false,
  add constraint insolvency_whole check ((insolvency_kind is null) = (insolvency_opened_on is null));
-- Who else is reached at a number that belongs to somebody else; by email the index of identities finds them.
create index debtors_by_phone on debtors (tenant_id, phone) where phone is not null;

-- A channel closed at a point: the person opted out, or is not the person meant. Two records with one address share it.
create table closed_points (
  tenant_id uuid not null references tenants,
  point bytea not null,
  channel text not null check (channel in ('email', 'sms', 'lrar', 'voice')),
  because text not null check (because in ('opt_out', 'wrong_person')),
  created_at timestamptz not null,
  primary key (tenant_id, point, channel)
);

-- A new record, or a new address of an old one, may be one that is known to be somebody else's.
create function know_wrong_person() returns trigger language plpgsql as $$
begin
  new.wrong_person := exists (
    select from unnest(contact_points(new.tenant_id, new.id, new.email_key, new.phone)) as own(point)
     cross join lateral (
       select from closed_points x where x.tenant_id = new.tenant_id and x.point = own.point and x.because = 'wrong_person' offset 0) shut);
  return new;
end $$;
create trigger know_wrong_person_by_new_record before insert on debtors for each row execute function know_wrong_person();
create trigger know_wrong_person_by_new_address before update on debtors for each row
  when (old.email_key <> new.email_key or old.phone is distinct from new.phone) execute function know_wrong_person();

-- ── messages beside the cascade: asked for by the company, or the notice that a recovery is closed ──

create table extra_messages (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  debtor_id uuid not null,
  step text not null,
  channel text not null check (channel in ('email', 'sms', 'lrar', 'voice')),
  status text not null check (status in ('planned', 'sent', 'failed', 'unknown', 'cancelled')),
  attempt integer not null default 0,
  due_at timestamptz,
  due_because text,
  communication_id uuid,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id) on delete cascade,
  constraint due_only_while_planned check (due_at is null or status = 'planned')
);
create index extra_messages_due on extra_messages (tenant_id, debtor_id, due_at)
  where due_at is not null and communication_id is null;
create index extra_messages_by_invoice on extra_messages (tenant_id, invoice_id, id);
create index extra_messages_by_communication on extra_messages (tenant_id, communication_id) where communication_id is not null;

-- ── settings of a company in one environment ──

create table company_settings (
  tenant_id uuid primary key references tenants,
  legal_name text,
  address text,
  postal_code text,
  city text,
  iban text,
  reply_email text,
  contract_rate_bps integer check (contract_rate_bps between 0 and 10000),
  collector_mode boolean not null default false,
  court_consent boolean not null default false,
  contacts_per_week integer not null default 2 check (contacts_per_week between 1 and 6),
  contacts_per_month integer not null default 8 check (contacts_per_month between 1 and 26),
  updated_at timestamptz not null
);

-- A version never changes once it is written: running recoveries name it.
create table cascades (
  tenant_id uuid not null references tenants,
  name text not null check (name ~ '^[a-z][a-z0-9_]{0,39}$'),
  version integer not null check (version > 0),
  steps jsonb not null,
  applies jsonb not null,
  enabled boolean not null,
  is_current boolean not null,
  created_at timestamptz not null,
  primary key (tenant_id, name, version)
);
create unique index cascades_current on cascades (tenant_id, name) where is_current;

-- ── proof per contact ──

-- Each entry carries the hash of the one before it. Nobody may change or delete one: no role has the right to.
create table contact_ledger (
  tenant_id uuid not null,
  debtor_id uuid not null,
  position integer not null check (position > 0),
  entry text not null,
  hash bytea not null,
  primary key (tenant_id, debtor_id, position),
  foreign key (tenant_id, debtor_id) references debtors (tenant_id, id)
);
-- The salt of the digests of personal data: without it they say nothing.
create table contact_salts (
  tenant_id uuid not null,
  debtor_id uuid not null,
  salt bytea not null,
  primary key (tenant_id, debtor_id),
  foreign key (tenant_id, debtor_id) references debtors (tenant_id, id)
);

create table anr_documents (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  basis text not null check (basis in ('amicable_failed', 'liquidation', 'untraceable', 'enforcement_failed', 'time_barred')),
  note text,
  pdf bytea not null,
  sha256 bytea not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id)
);
create unique index anr_documents_by_invoice on anr_documents (tenant_id, invoice_id);

do $$
declare t text;
begin
  foreach t in array array['promises', 'disputes', 'closed_points', 'extra_messages', 'company_settings', 'cascades', 'contact_ledger',
    'contact_salts', 'anr_documents']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy one_tenant on %I using (tenant_id = current_setting(''relance.tenant'')::uuid)', t);
  end loop;
end $$;

-- ── counting recoveries ──

-- Only what leaves the usual way is written down: a recovery is taken to run from its first moment, so creating one costs
-- nothing here. Running = invoices + this noun's `in_recovery`. A paid one also leaves the days it took, in hundredths.
alter table count_deltas drop constraint count_deltas_noun_check;
alter table count_deltas add constraint count_deltas_noun_check
  check (noun in ('invoice', 'payment', 'debtor', 'recovery', 'paid_recovery'));

create function count_recovery() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into count_deltas (tenant_id, noun, status, n)
    values (new.tenant_id, 'recovery', 'in_recovery', -1), (new.tenant_id, 'recovery', new.status, 1);
    return null;
  end if;
  if tg_op = 'DELETE' then
    -- Its invoice goes with it and takes away what counts as running.
    insert into count_deltas (tenant_id, noun, status, n)
    values (old.tenant_id, 'recovery', old.status, -1), (old.tenant_id, 'recovery', 'in_recovery', 1);
    return null;
  end if;
  if old.status <> new.status then
    insert into count_deltas (tenant_id, noun, status, n)
    values (new.tenant_id, 'recovery', old.status, -1), (new.tenant_id, 'recovery', new.status, 1);
  end if;
  if (old.outcome = 'paid') is distinct from (new.outcome = 'paid') and old.outcome = 'paid' then
    insert into count_deltas (tenant_id, noun, n, amount_cents)
    values (old.tenant_id, 'paid_recovery', -1, -round(extract(epoch from old.ended_at - old.started_at) / 864));
  elsif (old.outcome = 'paid') is distinct from (new.outcome = 'paid') and new.outcome = 'paid' then
    insert into count_deltas (tenant_id, noun, n, amount_cents)
    values (new.tenant_id, 'paid_recovery', 1, round(extract(epoch from new.ended_at - new.started_at) / 864));
  end if;
  return null;
end $$;
create trigger count_new_recovery after insert on recoveries for each row when (new.status <> 'in_recovery')
  execute function count_recovery();
create trigger count_changed_recovery after update on recoveries for each row
  when (old.status <> new.status or old.outcome is distinct from new.outcome) execute function count_recovery();
create trigger count_gone_recovery after delete on recoveries for each row when (old.status <> 'in_recovery')
  execute function count_recovery();

insert into count_deltas (tenant_id, noun, status, n)
  select tenant_id, 'recovery', status, count(*) from recoveries where status <> 'in_recovery' group by 1, 3
  union all select tenant_id, 'recovery', 'in_recovery', -count(*) from recoveries where status <> 'in_recovery' group by 1;
insert into count_deltas (tenant_id, noun, n, amount_cents)
  select tenant_id, 'paid_recovery', count(*), sum(round(extract(epoch from ended_at - started_at) / 864))
    from recoveries where outcome = 'paid' group by 1;

-- ── the sandbox's clock ──

-- Whoever enters a sandbox shares it until the end of the transaction, and reads its clock after that; whoever moves the clock
-- or empties the sandbox has it alone. So nobody writes down a wall moment counted from a clock that is no more.
create function share_sandbox(p_tenant uuid) returns bigint language plpgsql as $$
declare offset_ms bigint;
begin
  perform pg_advisory_xact_lock_shared(1919710050, hashtext(p_tenant::text));
  select t.clock_offset_ms + i.clock_offset_ms into strict offset_ms
    from tenants t cross join installation i where t.id = p_tenant;
  return offset_ms;
end $$;

-- False: somebody else is about to have it alone. Waits for those who share it.
create function have_sandbox_alone() returns boolean language plpgsql as $$
declare mine integer := hashtext(current_setting('relance.tenant'));
begin
  if not pg_try_advisory_xact_lock(1919710051, mine) then return false; end if;
  perform pg_advisory_xact_lock(1919710050, mine);
  return true;
end $$;

create or replace function enter_by_key(p_key uuid, p_version integer, p_wall timestamptz) returns bigint
language plpgsql as $$
declare found_key record;
begin
  select k.tenant_id, k.enabled, k.version, k.expires_at, c.enabled as company_enabled, t.environment,
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
  if found_key.environment = 'sandbox' then return share_sandbox(found_key.tenant_id); end if;
  return found_key.offset_ms;
end $$;

create or replace function enter_tenant(p_tenant uuid) returns bigint
language plpgsql as $$
declare found_tenant record;
begin
  select t.environment, t.clock_offset_ms + i.clock_offset_ms as offset_ms into strict found_tenant
    from tenants t cross join installation i where t.id = p_tenant;
  perform set_config('relance.tenant', p_tenant::text, true);
  if found_tenant.environment = 'sandbox' then return share_sandbox(p_tenant); end if;
  return found_tenant.offset_ms;
end $$;

-- Moves the clock of the tenant one is in, forward, and only a sandbox's. Agendas keep wall time, so what was planned for a
-- day that has passed is due now; each is then looked at as if at its own moment.
create function advance_clock(p_ms bigint) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare mine uuid := current_setting('relance.tenant')::uuid;
begin
  if p_ms < 0 then raise exception 'a clock never goes back' using errcode = '22023'; end if;
  update tenants set clock_offset_ms = clock_offset_ms + p_ms where id = mine and environment = 'sandbox';
  if not found then return false; end if;
  update agendas set wake_at = wake_at - p_ms * interval '1 millisecond' where tenant_id = mine and wake_at is not null;
  return true;
end $$;

-- Everything a sandbox holds but its keys, settings and clock, gone in one statement's time.
create function reset_sandbox() returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mine uuid := current_setting('relance.tenant')::uuid;
  t text;
begin
  if not exists (select from tenants where id = mine and environment = 'sandbox') then return false; end if;
  foreach t in array array['sandbox_messages', 'contact_slots', 'pending_sends', 'communication_invoices', 'extra_messages', 'communications',
    'anr_documents', 'promises', 'disputes', 'postings', 'credits', 'payments', 'actions', 'recoveries', 'invoices', 'contact_ledger',
    'contact_salts', 'agendas', 'closed_points', 'debtors', 'events', 'outbox', 'count_deltas', 'count_totals', 'count_days',
    'count_debtor_invoices', 'count_magnitudes']
  loop
    execute format('delete from %I where tenant_id = $1', t) using mine;
  end loop;
  -- The triggers have counted what just went: there is nothing left to count.
  delete from count_deltas where tenant_id = mine;
  return true;
end $$;

-- ── who may do what ──

revoke all on function count_recovery, know_wrong_person, advance_clock, reset_sandbox, share_sandbox, have_sandbox_alone from public;
grant execute on function advance_clock, reset_sandbox, have_sandbox_alone, contact_points to relance_api;
grant execute on function share_sandbox to relance_api, relance_worker, relance_operator;

grant select, insert, update on promises, disputes, extra_messages to relance_api;
grant select, update on promises, extra_messages to relance_worker;
grant select, insert, delete on closed_points to relance_api;
grant select on closed_points, company_settings, cascades to relance_worker;
grant select, insert, update on company_settings to relance_api;
grant select, insert, update (is_current, enabled) on cascades to relance_api;
grant select, insert on contact_ledger, contact_salts to relance_api, relance_worker;
grant select, insert on anr_documents to relance_api;
grant update (missing_channels) on installation to relance_worker;
-- A stop takes its invoice off a message that goes on without it.
grant delete on communication_invoices to relance_api, relance_worker;
-- A receipt that arrives later changes the line of the history in place.
grant update on actions to relance_api;
