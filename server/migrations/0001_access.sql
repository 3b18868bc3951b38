-- Access: the installation, companies and their tenants, keys, people and how they sign in, applications.
--
-- The files 0001 to 0006 are the baseline: the whole schema, one file per wing of server/src/features. The order of the files is that of
-- the foreign keys. docs/schema.md lists and draws all tables.
--
-- Rules of all files:
-- - Every moment is written by the program, by the clock of the tenant or by wall time. No default and no function asks the database for
--   the time: months pass in a sandbox in seconds.
-- - A tenant table begins its keys with tenant_id and has the policy one_tenant. The policy reads the setting relance.tenant without a
--   second argument: outside of a transaction of a tenant every query raises an error.
-- - A table without a policy is read across tenants. It has ids and moments, and no personal data.
-- - A function that crosses tenants on tenant tables is security definer, and has one purpose.
-- - A function is called by the roles that are named after it. The last statement of each file takes the right from everybody else.
-- - A trigger is with its table, unless its function belongs to a later file.

create extension if not exists btree_gist;

-- ── access/companies: the installation ──

create table installation (
  only_row boolean primary key default true check (only_row),
  cell text not null check (cell ~ '^[a-z0-9]{2}$'),
  -- For development; zero in production.
  clock_offset_ms bigint not null default 0,
  -- Maintenance, set by the operator and read by every process.
  maintenance_until timestamptz,
  audit_years integer not null default 6 check (audit_years between 1 and 30),
  -- The next three are written by the workers, and read where messages are planned.
  -- Channels without a provider.
  missing_channels text[] not null default '{}',
  -- The provider of each channel, by name.
  providers jsonb not null default '{}',
  -- Who collects, {name, address, siren, countries}, if the workers have everything that R124-2 requires of a collector. Null: this installation
  -- collects for nobody.
  collector jsonb
);
comment on table installation is 'This installation: its code, its clock, its maintenance, its providers; there is one row.';
grant select on installation to relance_api, relance_worker, relance_operator;
grant update (missing_channels, providers, collector) on installation to relance_worker;
grant update (clock_offset_ms, maintenance_until, audit_years) on installation to relance_operator;
insert into installation (cell) values ('e1');

-- The transaction that wrote this row is part of the identity of a database, so the row is never updated. A restored dump writes it
-- again, `vacuum full` does not.
create table database_marker (only_row boolean primary key default true check (only_row));
comment on table database_marker is 'One row that is never updated; the transaction that wrote it identifies this database.';
insert into database_marker default values;

create table sending_database (
  only_row boolean primary key default true check (only_row),
  identity text not null
);
comment on table sending_database is 'The database that messages are sent from; no row before the first message.';
grant select on sending_database to relance_worker;

-- Not a column of `sending_database`, which is read with every message: this row is written all the time.
create table last_heartbeat (
  only_row boolean primary key default true check (only_row),
  heartbeat_at timestamptz not null
);
comment on table last_heartbeat is 'When a worker last saw the database that messages are sent from.';

-- Timeline, server, database and marker. The timeline is the one that is written now: `pg_control_checkpoint` shows that of the
-- last checkpoint, which is the old one for a while after a promotion.
create function database_identity() returns text
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if pg_is_in_recovery() then return 'standby'; end if;
  return left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
    || '/' || (select system_identifier from pg_control_system())
    || '/' || (select oid from pg_database where datname = current_database())
    || '/' || (select xmin from database_marker);
end $$;
grant execute on function database_identity to relance_worker;

-- Records that this database is in use, or that it is not the one messages were sent from: then nothing is sent until the operator
-- has decided. Returns the stop if this call made it.
create function watch_database(p_stop uuid, p_now timestamptz) returns table (is_same boolean, is_new boolean, known_until timestamptz)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  found_identity text := database_identity();
begin
  insert into sending_database (identity) select found_identity where not exists (select from sending_database) on conflict do nothing;
  is_same := (select s.identity = found_identity from sending_database s);
  is_new := false;
  if is_same then
    update last_heartbeat b set heartbeat_at = p_now where b.heartbeat_at < p_now - interval '1 second';
    if not found then insert into last_heartbeat (heartbeat_at) values (p_now) on conflict do nothing; end if;
    return next;
    return;
  end if;
  insert into stops (id, scope, target, kind, reason, since, stopped_by, known_until)
    select p_stop, 'installation', '*', 'quarantine', 'quarantine', p_now, 'relance', b.heartbeat_at from last_heartbeat b
    on conflict do nothing;
  is_new := found;
  select s.known_until into known_until from stops s where s.target = '*' and s.kind = 'quarantine' and s.ended_at is null;
  return next;
end $$;
grant execute on function watch_database to relance_worker;

-- The operator says that messages may be sent from this database.
create function accept_database() returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into sending_database (identity) values (database_identity()) on conflict (only_row) do update set identity = excluded.identity
$$;
grant execute on function accept_database to relance_operator;

-- `ecb`: the main refinancing rate of the European Central Bank on the first day. `legal`: the legal interest rate of professionals.
-- Nothing is claimed for a half-year that is missing. A rate that was wrong stays here, with who replaced it and when.
create table late_payment_rates (
  kind text not null check (kind in ('ecb', 'legal')),
  starts_on date not null check (to_char(starts_on, 'MM-DD') in ('01-01', '07-01')),
  rate_bps integer not null check (rate_bps between 0 and 1000),
  source text not null,
  verified_on date not null,
  added_by text not null,
  replaced_at timestamptz,
  replaced_by text,
  check ((replaced_at is null) = (replaced_by is null))
);
comment on table late_payment_rates is 'A rate of interest for late payment, for one half-year.';
create unique index late_payment_rates_current on late_payment_rates (kind, starts_on) where replaced_at is null;
grant select on late_payment_rates to relance_api, relance_worker, relance_operator;
grant insert (kind, starts_on, rate_bps, source, verified_on, added_by) on late_payment_rates to relance_operator;
grant update (replaced_at, replaced_by) on late_payment_rates to relance_operator;

insert into late_payment_rates (kind, starts_on, rate_bps, source, verified_on, added_by)
  select 'ecb', starts_on::date, rate_bps, 'European Central Bank, main refinancing operations, rate in effect from ' || since,
         verified_on::date, 'migration'
    from (values ('2021-01-01', 0, '18 September 2019', '2026-11-16'), ('2021-07-01', 0, '18 September 2019', '2026-11-16'),
                 ('2022-01-01', 0, '18 September 2019', '2026-11-16'), ('2022-07-01', 0, '18 September 2019', '2026-11-16'),
                 ('2023-01-01', 250, '21 December 2022', '2026-11-16'), ('2023-07-01', 400, '21 June 2023', '2026-11-16'),
                 ('2024-01-01', 450, '20 September 2023', '2026-11-16'), ('2024-07-01', 425, '12 June 2024', '2026-11-16'),
                 ('2025-01-01', 315, '18 December 2024', '2026-11-16'), ('2025-07-01', 215, '11 June 2025', '2026-11-14'),
                 ('2026-01-01', 215, '11 June 2025', '2026-11-14')) as known (starts_on, rate_bps, since, verified_on);
insert into late_payment_rates (kind, starts_on, rate_bps, source, verified_on, added_by)
  values ('legal', '2026-01-01', 262,
          'Legal interest rate of professionals, first half of 2026, order published in the Journal officiel', '2026-11-14', 'migration');

-- ── access/companies: companies and tenants ──

create table companies (
  id uuid primary key,
  name text not null,
  owner_email text not null,
  reply_email text not null,
  -- A company that signs itself up gets the default. Tiers and limits are set by the operator.
  tier text not null default 'starter' check (tier in ('starter', 'pro', 'enterprise')),
  country text not null,
  time_zone text not null,
  language text not null check (language in ('fr', 'en')),
  currency text not null,
  default_debtor_type text not null check (default_debtor_type in ('business', 'consumer', 'public_body')),
  requests_per_minute integer check (requests_per_minute > 0),
  in_flight integer check (in_flight > 0),
  -- What the operator set instead of the daily limits of the tier: {"sms": {"messages": 50, "cents": 500}}.
  daily_limits jsonb not null default '{}',
  -- How many bytes of files and imports each environment may store, where the operator set another quota than that of the tier.
  storage_bytes bigint check (storage_bytes >= 0),
  -- The written mandate of R124-3 C. pr. civ. d'exécution: the day it was signed, and where the operator keeps it. With it the operator
  -- collects for the company; without it the company writes in its own name. Earlier mandates are in the audit log.
  mandate_signed_on date,
  mandate_reference text,
  -- Requests read it with the credential. It follows the table stops.
  enabled boolean not null default true,
  created_at timestamptz not null,
  constraint companies_mandate_check check ((mandate_signed_on is null) = (mandate_reference is null))
);
comment on table companies is 'A creditor that uses the service.';
grant select on companies to relance_api, relance_worker;
grant select, insert on companies to relance_operator;
grant insert (id, name, owner_email, reply_email, country, time_zone, language, currency, default_debtor_type, created_at)
  on companies to relance_api;
grant update (tier, default_debtor_type, requests_per_minute, in_flight, daily_limits, storage_bytes, mandate_signed_on, mandate_reference)
  on companies to relance_operator;

create table tenants (
  id uuid primary key,
  company_id uuid not null references companies,
  environment text not null check (environment in ('production', 'sandbox')),
  clock_offset_ms bigint not null default 0 check (clock_offset_ms >= 0),
  -- The types of events that an enabled webhook asks for.
  subscribed_events text[] not null default '{}',
  -- Requests read it with the credential. It follows the table stops.
  enabled boolean not null default true,
  -- A rule for all debtors of the company has changed: the plans of debtors with a higher id are to be made again; null: of none.
  stale_plans_cursor uuid,
  created_at timestamptz not null,
  unique (company_id, environment),
  check (environment = 'sandbox' or clock_offset_ms = 0)
);
comment on table tenants is 'A company in one environment: production or sandbox.';
grant select on tenants to relance_api, relance_worker;
grant select, insert on tenants to relance_operator;
grant insert (id, company_id, environment, created_at) on tenants to relance_api;
create index tenants_with_stale_plans on tenants (id) where stale_plans_cursor is not null;
grant update (clock_offset_ms, subscribed_events) on tenants to relance_operator;

create table company_settings (
  tenant_id uuid primary key references tenants,
  legal_name text,
  -- R123-237 C. com.: the SIREN on every letter written in the name of a company, with its legal form and the town of the trade register.
  siren text check (siren ~ '^[0-9]{9}$'),
  legal_form text,
  rcs text,
  address text,
  postal_code text,
  city text,
  telephone text,
  reply_email text,
  -- L616-1 and R616-1 C. conso.: the mediator of a company that sells to consumers, with its website, and its address where it is known.
  mediator_name text,
  mediator_address text,
  mediator_website text,
  iban text,
  account_holder text,
  payment_account text,
  -- When debtors could pay for the first time: to an account, or by card. A trigger writes it, and nothing clears it.
  first_payout_at timestamptz,
  -- What the company says for this environment; null: what it was created with.
  default_debtor_type text check (default_debtor_type in ('business', 'consumer', 'public_body')),
  contract_rate_bps integer check (contract_rate_bps between 0 and 10000),
  claims_late_payment boolean not null default true,
  -- Set by API keys before there were mandates; alone it allows nothing.
  collector_mode boolean not null default false,
  court_consent boolean not null default false,
  contacts_per_week integer not null default 2 check (contacts_per_week between 1 and 6),
  contacts_per_month integer not null default 8 check (contacts_per_month between 1 and 26),
  -- How many months after their last case was closed debtors are erased without a request.
  keep_months integer not null default 60 check (keep_months between 3 and 120),
  -- The same for consumers.
  keep_months_consumers integer not null default 24 check (keep_months_consumers between 3 and 120),
  -- How many days after it was read the text of a reply is erased.
  keep_reply_days integer not null default 30 check (keep_reply_days between 0 and 90),
  updated_at timestamptz not null,
  constraint company_settings_mediator_check check ((mediator_name is null) = (mediator_website is null) and (mediator_address is null or mediator_name is not null))
);
comment on table company_settings is 'The settings of a company in one environment.';
alter table company_settings enable row level security;
alter table company_settings force row level security;
create policy one_tenant on company_settings using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update on company_settings to relance_api, relance_worker, relance_operator;

create function keep_first_payout() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  new.first_payout_at := case when tg_op = 'UPDATE' then old.first_payout_at end;
  if new.first_payout_at is null and (new.iban is not null or new.payment_account is not null) then
    new.first_payout_at := new.updated_at;
  end if;
  return new;
end $$;
create trigger keep_first_payout before insert or update on company_settings
  for each row execute function keep_first_payout();

create function mark_plans_stale() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update tenants set stale_plans_cursor = '00000000-0000-0000-0000-000000000000' where id = new.tenant_id;
  return null;
end $$;
create trigger mark_plans_stale after update on company_settings for each row
  when ((old.contacts_per_week, old.contacts_per_month) is distinct from (new.contacts_per_week, new.contacts_per_month))
  execute function mark_plans_stale();
-- A channel that gets a provider, or has none any more, changes what is planned for everybody.
create function mark_all_plans_stale() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update tenants set stale_plans_cursor = '00000000-0000-0000-0000-000000000000' where environment = 'production';
  return null;
end $$;
create trigger mark_all_plans_stale after update on installation for each row
  when (old.missing_channels is distinct from new.missing_channels)
  execute function mark_all_plans_stale();

-- Not part of the settings, which are read with every message: it is read only by the messages and pages that show it.
create table company_logos (
  tenant_id uuid primary key references tenants,
  media_type text not null check (media_type in ('image/png', 'image/jpeg')),
  bytes bytea not null check (octet_length(bytes) between 1 and 204800),
  updated_at timestamptz not null
);
comment on table company_logos is 'The logo of a company in one environment.';
alter table company_logos enable row level security;
alter table company_logos force row level security;
create policy one_tenant on company_logos using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update, delete on company_logos to relance_api, relance_worker;
grant select on company_logos to relance_operator;

-- One change per field, in production only. `telephone` too: where debtors call is where they can be told another account.
create table payout_changes (
  tenant_id uuid not null references tenants,
  field text not null check (field in ('legalName', 'iban', 'accountHolder', 'replyEmail', 'telephone', 'paymentAccount', 'mediator', 'logo')),
  -- Null clears the field. A mediator is JSON, a logo base64.
  value text,
  requested_by jsonb not null,
  requested_at timestamptz not null,
  effective_at timestamptz not null,
  primary key (tenant_id, field)
);
comment on table payout_changes is 'A change of where money goes that waits until it takes effect or is withdrawn.';
create index payout_changes_due on payout_changes (effective_at);
alter table payout_changes enable row level security;
alter table payout_changes force row level security;
create policy one_tenant on payout_changes using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update, delete on payout_changes to relance_api, relance_operator;
grant select, delete on payout_changes to relance_worker;

-- The tenants whose changes are due. Ids only: the rest is read in the tenant.
create function tenants_with_due_changes(p_wall timestamptz, p_most integer) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct tenant_id from (
    select tenant_id from payout_changes where effective_at <= p_wall order by effective_at limit p_most) due
$$;
grant execute on function tenants_with_due_changes to relance_worker;

-- Opened for the company by the onboarding of the provider, or entered by the operator. No other account is charged for it, and no account
-- belongs to two companies.
create table card_accounts (
  tenant_id uuid primary key references tenants,
  account text not null unique,
  source text not null check (source in ('onboarding', 'operator')),
  created_at timestamptz not null
);
comment on table card_accounts is 'The account of a company at the payment provider.';
grant select, insert on card_accounts to relance_api;
grant select, insert, update on card_accounts to relance_operator;

-- ── access/companies: stops ──

-- A row is never deleted: an ended stop is part of the record. `target` is the id of the company or tenant, the name of the provider, or
-- `*` for the whole installation.
--
-- `close` also refuses the credentials of its company or tenant. `stop` is the operator's, of sending alone. `maintenance` lasts as long as
-- it does. `quarantine` is found by a worker. `by_company` is asked for and ended by people of the company, of sending alone.
-- One of each kind may be open for a target.
create table stops (
  id uuid primary key,
  scope text not null check (scope in ('installation', 'company', 'tenant', 'provider')),
  target text not null,
  kind text not null default 'close' check (kind in ('close', 'stop', 'maintenance', 'quarantine', 'by_company')),
  reason text not null,
  since timestamptz not null,
  stopped_by text not null,
  -- Of a quarantine: up to when this database knows what was sent.
  known_until timestamptz,
  ended_at timestamptz,
  ended_by text,
  constraint stops_target_check check ((scope = 'installation') = (target = '*')),
  check ((ended_at is null) = (ended_by is null))
);
comment on table stops is 'An order to send nothing for a target: since when, by whom and why.';
create index stops_by_target on stops (target, since);
-- Read with every message.
create unique index stops_open on stops (target, kind) where ended_at is null;
grant select on stops to relance_api, relance_worker, relance_operator;
grant insert (id, scope, target, reason, since, stopped_by, kind) on stops to relance_api, relance_operator;
grant update (ended_at, ended_by) on stops to relance_operator;

create function apply_stop() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.kind <> 'close' then return null; end if;
  if new.scope = 'company' then update companies set enabled = new.ended_at is not null where id = new.target::uuid; end if;
  if new.scope = 'tenant' then update tenants set enabled = new.ended_at is not null where id = new.target::uuid; end if;
  return null;
end $$;
create trigger apply_stop after insert or update of ended_at on stops for each row execute function apply_stop();

create function refuse_enabled_change() returns trigger language plpgsql as $$
begin
  raise exception 'enabled follows the table stops; use relance-server company close or open' using errcode = '42501';
end $$;
create trigger refuse_enabled_change before update of enabled on companies for each row
  when (old.enabled is distinct from new.enabled and pg_trigger_depth() = 0) execute function refuse_enabled_change();
create trigger refuse_enabled_change before update of enabled on tenants for each row
  when (old.enabled is distinct from new.enabled and pg_trigger_depth() = 0) execute function refuse_enabled_change();

-- Why nothing may be sent for a tenant; null if it may. The only place where this is decided: by every wake-up, claim and fence.
create function stop_reason(p_tenant uuid, p_provider text default null) returns text
language plpgsql stable as $$
declare
  found_reason text;
begin
  select case
           when exists (select from stops o where o.ended_at is null
                 and o.target = any (array[case when t.environment = 'production' then '*' end, t.company_id::text, t.id::text, p_provider]))
             then 'sending_stopped'
           when c.mandate_signed_on is null and s.collector_mode then 'mandate_missing'
           when c.mandate_signed_on is not null and i.collector is null then 'collector_unconfigured'
           when t.environment = 'production' and (s.address is null or s.postal_code is null or s.city is null
                 or coalesce(s.iban, s.payment_account) is null or (c.country = 'FR' and s.siren is null)) then 'company_incomplete'
         end
    into found_reason
    from tenants t
    join companies c on c.id = t.company_id
    cross join installation i
    left join company_settings s on s.tenant_id = t.id
   where t.id = p_tenant;
  return found_reason;
end $$;
grant execute on function stop_reason to relance_api, relance_worker, relance_operator;

-- Nothing more is sent for the tenant of the transaction. Returns the stop that is open then, an earlier one if there was one.
create function stop_own_sending(p_id uuid, p_reason text, p_wall timestamptz, p_by text)
returns table (since timestamptz, reason text, is_new boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mine text := current_setting('relance.tenant');
begin
  insert into stops (id, scope, target, kind, reason, since, stopped_by)
    values (p_id, 'tenant', mine, 'by_company', p_reason, p_wall, p_by)
    on conflict (target, kind) where ended_at is null do nothing;
  return query select s.since, s.reason, s.id = p_id from stops s
    where s.target = mine and s.kind = 'by_company' and s.ended_at is null;
end $$;
grant execute on function stop_own_sending to relance_api;

-- Ends that stop, unless a person set it and somebody else asks. Returns no row if there was none.
create function end_own_stop(p_wall timestamptz, p_by text) returns table (since timestamptz, has_ended boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  found_stop stops;
begin
  select * into found_stop from stops s
   where s.target = current_setting('relance.tenant') and s.kind = 'by_company' and s.ended_at is null for update;
  if not found then
    return;
  end if;
  since := found_stop.since;
  has_ended := p_by like 'person %' or found_stop.stopped_by not like 'person %';
  if has_ended then
    update stops s set ended_at = p_wall, ended_by = p_by where s.id = found_stop.id;
  end if;
  return next;
end $$;
grant execute on function end_own_stop to relance_api;

create function end_maintenance(p_wall timestamptz) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with ended as (
    update stops set ended_at = p_wall, ended_by = 'relance'
     where target = '*' and kind = 'maintenance' and ended_at is null
       and not exists (select from installation where maintenance_until > p_wall)
    returning 1)
  select exists (select from ended)
$$;
grant execute on function end_maintenance to relance_worker;

-- ── access/api-keys ──

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
  -- The key that took the place of a rotated one.
  replaced_by uuid,
  -- The person who made it, or who made the key or application that made it, and their role then. Null: the operator made it.
  made_by uuid,
  maker_role text check (maker_role in ('owner', 'manager', 'agent', 'viewer', 'developer')),
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz
);
comment on table api_keys is 'A key of a tenant: its public part, and an HMAC of the whole key.';
create index api_keys_by_tenant on api_keys (tenant_id, id);
create index api_keys_made_by on api_keys (made_by) where enabled;
grant select, insert on api_keys to relance_api, relance_operator;
grant update (enabled, version, last_used_at, replaced_by) on api_keys to relance_api;

-- ── access/people ──

-- People and applications are of no tenant: a person belongs to companies of several installations. So no foreign key leads from here to a
-- table of companies or tenants, or back.

create table people (
  id uuid primary key,
  email text not null,
  email_key text not null unique,
  name text not null,
  language text not null check (language in ('fr', 'en')),
  password_hash text,
  email_verified_at timestamptz,
  created_at timestamptz not null,
  -- A password is chosen by who reads the mail, never by who typed the address.
  constraint password_of_confirmed check (password_hash is null or email_verified_at is not null)
);
comment on table people is 'A person who can sign in.';
create index people_unconfirmed on people (created_at) where email_verified_at is null;
grant select, insert on people to relance_api;
grant update (name, language, password_hash, email_verified_at) on people to relance_api;
grant select (id, email, name, language) on people to relance_worker;

create table memberships (
  person_id uuid not null references people on delete cascade,
  company_id uuid not null,
  role text not null check (role in ('owner', 'manager', 'agent', 'viewer', 'developer')),
  -- Null: since they joined. Somebody who was made an owner a moment ago confirms nothing.
  role_since timestamptz,
  -- Null: owners get alerts, others do not.
  receives_alerts boolean,
  created_at timestamptz not null,
  primary key (person_id, company_id)
);
comment on table memberships is 'The role of a person in a company.';
create index memberships_of_company on memberships (company_id, person_id);
grant select, insert, delete on memberships to relance_api;
grant update (role, role_since, receives_alerts) on memberships to relance_api;

-- The operator and the worker mail owners without reading who they are.
create function company_owners(p_company uuid) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select person_id from memberships where company_id = p_company and role = 'owner'
$$;
grant execute on function company_owners to relance_api, relance_worker, relance_operator;

-- The worker mails people without reading who belongs to which company. If no person owns the company there is one row, with null:
-- the address the company was opened with.
create function alert_recipients(p_company uuid, p_kind text) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select person_id from memberships where company_id = p_company and (
      coalesce(receives_alerts, role = 'owner')
      -- A claim that is not declared in time is lost, so owners cannot switch this off.
      or (role = 'owner' and p_kind = 'insolvency.declaration_due'))
  union all
  select null where not exists (select from memberships where company_id = p_company and role = 'owner')
$$;
grant execute on function alert_recipients to relance_api, relance_worker;

-- The same for one of them, null included.
create function receives_alerts(p_company uuid, p_person uuid, p_kind text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from alert_recipients(p_company, p_kind) r where r is not distinct from p_person)
$$;
grant execute on function receives_alerts to relance_api, relance_worker;

create table invitations (
  id uuid primary key,
  company_id uuid not null,
  email text not null,
  email_key text not null,
  role text not null check (role in ('owner', 'manager', 'agent', 'viewer', 'developer')),
  language text not null check (language in ('fr', 'en')),
  token_hash bytea not null unique,
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz
);
comment on table invitations is 'An invitation of somebody to a company; of the token of its link only the hash.';
create index invitations_of_company on invitations (company_id, id);
create index invitations_by_age on invitations (expires_at);
grant select, insert on invitations to relance_api;
grant update (accepted_at, withdrawn_at) on invitations to relance_api;
grant select (id, company_id, email, role, language, expires_at, accepted_at, withdrawn_at) on invitations to relance_worker;

create table mail_links (
  token_hash bytea primary key,
  person_id uuid not null references people on delete cascade,
  purpose text not null check (purpose in ('verify_email', 'reset_password')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
comment on table mail_links is 'A link that works once: to confirm an address, or to choose a new password.';
create index mail_links_of_person on mail_links (person_id);
create index mail_links_by_age on mail_links (expires_at);
grant select, insert, delete on mail_links to relance_api;
grant update (used_at) on mail_links to relance_api;

create table passkeys (
  id text primary key,
  person_id uuid not null references people on delete cascade,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  created_at timestamptz not null,
  last_used_at timestamptz
);
comment on table passkeys is 'A passkey of a person.';
create index passkeys_of_person on passkeys (person_id);
grant select, insert, delete on passkeys to relance_api;
grant update (counter, last_used_at) on passkeys to relance_api;

create table passkey_challenges (
  challenge text primary key,
  person_id uuid references people on delete cascade,
  expires_at timestamptz not null
);
comment on table passkey_challenges is 'A challenge for an authenticator that was not answered yet.';
create index passkey_challenges_of_person on passkey_challenges (person_id);
create index passkey_challenges_by_age on passkey_challenges (expires_at);
grant select, insert, delete on passkey_challenges to relance_api;

create table sessions (
  token_hash bytea primary key,
  person_id uuid not null references people on delete cascade,
  method text not null check (method in ('password', 'passkey', 'link')),
  address text not null,
  agent text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table sessions is 'A signed-in person in one browser; of the token only the hash.';
create index sessions_of_person on sessions (person_id);
create index sessions_by_age on sessions (expires_at);
grant select, insert, delete on sessions to relance_api;
grant update (seen_at) on sessions to relance_api;

create table sign_in_failures (
  subject bytea primary key,
  failures integer not null,
  since timestamptz not null
);
comment on table sign_in_failures is
  'Failed sign-ins of one address or account in a window of time, which make guessing slow in every process.';
create index sign_in_failures_by_age on sign_in_failures (since);
grant select, insert, delete on sign_in_failures to relance_api;
grant update (failures, since) on sign_in_failures to relance_api;

-- ── access/oauth ──

create table oauth_clients (
  id text primary key,
  tenant_id uuid not null,
  company_id uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  name text not null,
  redirect_uris text[] not null,
  scopes text[] not null,
  grant_types text[] not null,
  -- Null: a public client, which cannot keep a secret. Its proof is PKCE, and it belongs to no company.
  secret_hash bytea,
  -- The person who registered it or changed it last, and their role then, as for a key.
  made_by uuid,
  maker_role text check (maker_role in ('owner', 'manager', 'agent', 'viewer', 'developer')),
  enabled boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table oauth_clients is 'An application that may act for people or for its own tenant.';
create index oauth_clients_of_tenant on oauth_clients (tenant_id, created_at, id);
create index oauth_clients_enabled on oauth_clients (tenant_id) where enabled;
grant select, insert on oauth_clients to relance_api;
grant update (name, redirect_uris, scopes, grant_types, secret_hash, made_by, maker_role, enabled, updated_at) on oauth_clients to relance_api;

-- The command line relance signs people in as a built-in public client.
insert into oauth_clients (id, tenant_id, company_id, environment, name, redirect_uris, scopes, grant_types, secret_hash, created_at, updated_at)
select id, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', environment, 'Relance CLI',
       '{http://127.0.0.1/callback,"http://[::1]/callback"}',
       '{invoices:read,invoices:write,invoices:delete,debtors:read,debtors:write,payments:read,payments:write,workflow:read,workflow:trigger,webhooks:manage,reports:read,agent:chat,lrar:send,notifications:send,scoring:read,company:manage,texts:manage}',
       '{authorization_code,refresh_token}', null, '2026-11-17T00:00:00Z', '2026-11-17T00:00:00Z'
  from (values ('oc_relance_cli_production', 'production'), ('oc_relance_cli_in_sandbox', 'sandbox')) client (id, environment);

-- One consent is one family of tokens. It is withdrawn by its date, and not deleted before its tokens have expired.
create table oauth_grants (
  id uuid primary key,
  client_id text not null references oauth_clients,
  person_id uuid not null references people on delete cascade,
  environment text not null check (environment in ('production', 'sandbox')),
  scopes text[] not null,
  company_ids uuid[] not null check (cardinality(company_ids) > 0),
  created_at timestamptz not null,
  -- When the person had signed in who allowed it.
  auth_time timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoked_because text check (revoked_because in
    ('person', 'client', 'code_reuse', 'refresh_reuse', 'token', 'replaced', 'membership', 'password'))
);
comment on table oauth_grants is 'The consent of a person to an application, for some companies.';
create index oauth_grants_of_person on oauth_grants (person_id, id) where revoked_at is null;
create index oauth_grants_of_client on oauth_grants (client_id, id) where revoked_at is null;
grant select, insert on oauth_grants to relance_api;
grant update (company_ids, last_used_at, revoked_at, revoked_because) on oauth_grants to relance_api;

create table oauth_codes (
  code_hash bytea primary key,
  grant_id uuid not null references oauth_grants on delete cascade,
  redirect_uri text not null,
  challenge text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
comment on table oauth_codes is 'An authorization code that is exchanged once for tokens; only its hash.';
create index oauth_codes_of_grant on oauth_codes (grant_id);
create index oauth_codes_by_age on oauth_codes (expires_at);
grant select, insert on oauth_codes to relance_api;
grant update (used_at) on oauth_codes to relance_api;

create table oauth_refresh_tokens (
  token_hash bytea primary key,
  grant_id uuid not null references oauth_grants on delete cascade,
  scopes text[] not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
comment on table oauth_refresh_tokens is 'A refresh token that is used once; only its hash.';
create index oauth_refresh_tokens_of_grant on oauth_refresh_tokens (grant_id);
create index oauth_refresh_tokens_by_age on oauth_refresh_tokens (expires_at);
grant select, insert on oauth_refresh_tokens to relance_api;
grant update (used_at) on oauth_refresh_tokens to relance_api;

create table oauth_revoked_tokens (
  jti uuid primary key,
  expires_at timestamptz not null
);
comment on table oauth_revoked_tokens is 'An access token that was revoked before it expired.';
create index oauth_revoked_tokens_by_age on oauth_revoked_tokens (expires_at);
grant select, insert on oauth_revoked_tokens to relance_api;

create table signing_keys (
  kid text primary key,
  state text not null check (state in ('next', 'active', 'retired')),
  public_jwk jsonb not null,
  private_sealed text not null,
  created_at timestamptz not null,
  activated_at timestamptz,
  retired_at timestamptz
);
comment on table signing_keys is 'A key that signs access tokens: the next, the active or a retired one.';
-- One key signs, one is published before it signs.
create unique index signing_keys_one_each on signing_keys (state) where state in ('next', 'active');
grant select, insert on signing_keys to relance_api;
grant update (state, activated_at, retired_at) on signing_keys to relance_api;

-- ── the opening statement of a transaction ──

-- Each function proves a right, enters a tenant by setting relance.tenant until the end of the transaction, and returns the offset of the
-- clock of the tenant. Others are with what they read: enter_by_code, enter_by_alert_link, enter_by_task_link.

-- A transaction in a sandbox shares it until its end, and reads the clock after that. Moving the clock or emptying the sandbox takes it
-- alone (lock_sandbox_exclusive). So no wall time is written that was computed from a clock that has moved since.
create function lock_sandbox_shared(p_tenant uuid) returns bigint language plpgsql as $$
declare offset_ms bigint;
begin
  perform pg_advisory_xact_lock_shared(1919710050, hashtext(p_tenant::text));
  select t.clock_offset_ms + i.clock_offset_ms into strict offset_ms
    from tenants t cross join installation i where t.id = p_tenant;
  return offset_ms;
end $$;
grant execute on function lock_sandbox_shared to relance_api, relance_worker, relance_operator;

-- A worker or an operator: by the id of the tenant.
create function enter_tenant(p_tenant uuid) returns bigint
language plpgsql as $$
declare found_tenant record;
begin
  select t.environment, t.clock_offset_ms + i.clock_offset_ms as offset_ms into strict found_tenant
    from tenants t cross join installation i where t.id = p_tenant;
  perform set_config('relance.tenant', p_tenant::text, true);
  if found_tenant.environment = 'sandbox' then return lock_sandbox_shared(p_tenant); end if;
  return found_tenant.offset_ms;
end $$;
grant execute on function enter_tenant to relance_worker, relance_operator;

-- A request with a key: proves by primary key that the key is still valid. So a revoked key is refused at once by every process, whatever a
-- cache says.
create function enter_by_key(p_key uuid, p_version integer, p_wall timestamptz) returns bigint
language plpgsql as $$
declare found_key record;
begin
  select k.tenant_id, k.enabled, k.version, k.expires_at, c.enabled as company_enabled, t.enabled as tenant_enabled, t.environment,
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
    raise exception 'company closed' using errcode = 'RL002';
  end if;
  if not found_key.tenant_enabled then
    raise exception 'company not opened' using errcode = 'RL003';
  end if;
  perform set_config('relance.tenant', found_key.tenant_id::text, true);
  if found_key.environment = 'sandbox' then return lock_sandbox_shared(found_key.tenant_id); end if;
  return found_key.offset_ms;
end $$;
grant execute on function enter_by_key to relance_api;

-- A request with a token. Everything it depends on is read by primary key: it was not revoked, its client is enabled and acts in its own
-- tenant or by a grant for this company, and the person still has this role here. So what was withdrawn is refused at once by every
-- process.
create function enter_by_token(p_jti uuid, p_client text, p_grant uuid, p_person uuid, p_role text, p_tenant uuid, p_wall timestamptz)
  returns bigint
language plpgsql as $$
declare
  found_client record;
  found_tenant record;
begin
  select c.tenant_id, c.environment, home.enabled as home_enabled into found_client
    from oauth_clients c left join companies home on home.id = c.company_id where c.id = p_client and c.enabled;
  if not found or exists (select from oauth_revoked_tokens where jti = p_jti) then
    raise exception 'credential refused' using errcode = 'RL001';
  end if;
  select t.environment, t.company_id, t.enabled, t.clock_offset_ms + i.clock_offset_ms as offset_ms, c.enabled as company_enabled into found_tenant
    from tenants t join companies c on c.id = t.company_id cross join installation i where t.id = p_tenant;
  if not found or found_tenant.environment <> found_client.environment or (p_grant is null) <> (p_person is null)
     or (p_grant is null and found_client.tenant_id <> p_tenant)
     or (p_grant is not null and not exists (
       select from oauth_grants where id = p_grant and client_id = p_client and person_id = p_person and revoked_at is null
         and found_tenant.company_id = any (company_ids)))
     or (p_person is not null and not exists (
       select from memberships where person_id = p_person and company_id = found_tenant.company_id and role = p_role)) then
    raise exception 'credential refused' using errcode = 'RL001';
  end if;
  -- The company acted for, and the one whose application acts. The second may be of another installation, which then checks it.
  if not found_tenant.company_enabled or not coalesce(found_client.home_enabled, true) then
    raise exception 'company closed' using errcode = 'RL002';
  end if;
  if not found_tenant.enabled then
    raise exception 'company not opened' using errcode = 'RL003';
  end if;
  perform set_config('relance.tenant', p_tenant::text, true);
  if found_tenant.environment = 'sandbox' then return lock_sandbox_shared(p_tenant); end if;
  return found_tenant.offset_ms;
end $$;
grant execute on function enter_by_token to relance_api;

-- A signed-in person, all by primary key: the session is valid and theirs, they still have this role in the company, and the company is
-- enabled. The pages of the account use it: they reach a production that the operator has not opened, to prepare it.
create function enter_by_session(p_hash bytea, p_person uuid, p_role text, p_tenant uuid, p_wall timestamptz) returns bigint
language plpgsql as $$
declare found_tenant record;
begin
  select t.environment, t.company_id, t.clock_offset_ms + i.clock_offset_ms as offset_ms, c.enabled as company_enabled into found_tenant
    from tenants t join companies c on c.id = t.company_id cross join installation i where t.id = p_tenant;
  if not found
     or not exists (select from sessions where token_hash = p_hash and person_id = p_person and expires_at > p_wall)
     or not exists (
       select from memberships where person_id = p_person and company_id = found_tenant.company_id and role = p_role) then
    raise exception 'credential refused' using errcode = 'RL001';
  end if;
  if not found_tenant.company_enabled then
    raise exception 'company disabled' using errcode = 'RL002';
  end if;
  perform set_config('relance.tenant', p_tenant::text, true);
  if found_tenant.environment = 'sandbox' then return lock_sandbox_shared(p_tenant); end if;
  return found_tenant.offset_ms;
end $$;
grant execute on function enter_by_session to relance_api;

-- An operation of a signed-in person: the same, and the production must have been opened.
create function enter_console(p_hash bytea, p_person uuid, p_role text, p_tenant uuid, p_wall timestamptz) returns bigint
language plpgsql as $$
declare offset_ms bigint;
begin
  offset_ms := enter_by_session(p_hash, p_person, p_role, p_tenant, p_wall);
  if not exists (select from tenants where id = p_tenant and enabled) then
    raise exception 'company not opened' using errcode = 'RL003';
  end if;
  return offset_ms;
end $$;
grant execute on function enter_console to relance_api;

-- ── housekeeping ──

-- Deletes what nobody needs any more, up to `p_most` rows of each table, and returns the largest number of them. A grant goes after all its
-- codes and refresh tokens, each of which lived longer than every access token made from it.
create function purge_identity(p_wall timestamptz, p_most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  old record;
  gone integer;
  most integer := 0;
begin
  for old in select * from (values
      ('oauth_codes', 'expires_at', interval '1 day'), ('oauth_refresh_tokens', 'expires_at', '1 day'),
      ('oauth_revoked_tokens', 'expires_at', '1 day'), ('sessions', 'expires_at', '0'), ('mail_links', 'expires_at', '1 day'),
      ('passkey_challenges', 'expires_at', '0'), ('sign_in_failures', 'since', '1 day'), ('invitations', 'expires_at', '30 days'))
      as x(name, ends, kept)
  loop
    execute format('delete from %1$I where ctid = any (array(
      select ctid from %1$I where %2$I < $1 order by %2$I limit $2 for update skip locked))', old.name, old.ends)
      using p_wall - old.kept, p_most;
    get diagnostics gone = row_count;
    most := greatest(most, gone);
  end loop;
  delete from oauth_grants where id = any (array(
    select g.id from oauth_grants g
     where g.created_at < p_wall - interval '1 day' and not exists (select from oauth_codes where grant_id = g.id)
       and not exists (select from oauth_refresh_tokens where grant_id = g.id)
     limit p_most for update skip locked));
  get diagnostics gone = row_count;
  delete from signing_keys where state = 'retired' and retired_at < p_wall - interval '1 day';
  return greatest(most, gone);
end $$;
grant execute on function purge_identity to relance_worker;

-- Deletes people who did not open the mail within a week, with the company that was created with them: it has no other member and no
-- credential, so nobody can have done anything in it. Its audit log goes too.
create function purge_unconfirmed(p_wall timestamptz, p_most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  strangers uuid[];
  homes uuid[];
  rooms uuid[];
begin
  strangers := array(
    select p.id from people p
     where p.email_verified_at is null and p.created_at < p_wall - interval '7 days'
       and not exists (
         select from memberships m
          where m.person_id = p.id and (
            exists (select from memberships o where o.company_id = m.company_id and o.person_id <> p.id)
            or exists (select from tenants t join api_keys k on k.tenant_id = t.id where t.company_id = m.company_id)
            or exists (select from tenants t join oauth_clients c on c.tenant_id = t.id where t.company_id = m.company_id)))
     order by p.created_at limit p_most for update skip locked);
  homes := array(select company_id from memberships where person_id = any (strangers));
  rooms := array(select id from tenants where company_id = any (homes));
  delete from people where id = any (strangers);
  delete from audit_log where tenant_id = any (rooms);
  delete from events where tenant_id = any (rooms);
  delete from stops where target = any (homes::text[]) or target = any (rooms::text[]);
  delete from tenants where id = any (rooms);
  delete from companies where id = any (homes);
  return cardinality(strangers);
end $$;
grant execute on function purge_unconfirmed to relance_worker;

revoke all on all functions in schema public from public;
