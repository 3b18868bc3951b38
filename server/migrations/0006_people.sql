-- People, the companies they belong to, how they sign in; OAuth clients, grants, codes, tokens and the keys that sign them.
--
-- All of this is global by design: a person belongs to companies of several cells. So nothing in here refers to a table of a
-- cell by a foreign key, and nothing of a cell refers to it.

-- ── people ──

create table people (
  id uuid primary key,
  email text not null,
  email_key text not null unique,
  name text not null,
  language text not null check (language in ('fr', 'en')),
  password_hash text,
  email_verified_at timestamptz,
  created_at timestamptz not null,
  -- Chosen by who reads the mail, never by who typed the address.
  constraint password_of_confirmed check (password_hash is null or email_verified_at is not null)
);
create index people_unconfirmed on people (created_at) where email_verified_at is null;

create table memberships (
  person_id uuid not null references people on delete cascade,
  company_id uuid not null,
  role text not null check (role in ('owner', 'manager', 'agent', 'viewer', 'developer')),
  created_at timestamptz not null,
  primary key (person_id, company_id)
);
create index memberships_of_company on memberships (company_id, person_id);

-- Somebody is asked to join; `token_hash` is what the link in the mail is known by.
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
create index invitations_of_company on invitations (company_id, id);
create index invitations_by_age on invitations (expires_at);

-- A link that works once: to confirm an address, or to choose a new password.
create table mail_links (
  token_hash bytea primary key,
  person_id uuid not null references people on delete cascade,
  purpose text not null check (purpose in ('verify_email', 'reset_password')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mail_links_of_person on mail_links (person_id);
create index mail_links_by_age on mail_links (expires_at);

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
create index passkeys_of_person on passkeys (person_id);

-- A question put to an authenticator, answered once or never.
create table passkey_challenges (
  challenge text primary key,
  person_id uuid references people on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_of_person on passkey_challenges (person_id);
create index passkey_challenges_by_age on passkey_challenges (expires_at);

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
create index sessions_of_person on sessions (person_id);
create index sessions_by_age on sessions (expires_at);

-- Failures of one address or one account, counted in windows: guessing is slow whichever process is asked.
create table sign_in_failures (
  subject bytea primary key,
  failures integer not null,
  since timestamptz not null
);
create index sign_in_failures_by_age on sign_in_failures (since);

-- ── OAuth ──

create table oauth_clients (
  id text primary key,
  tenant_id uuid not null,
  company_id uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  name text not null,
  redirect_uris text[] not null,
  scopes text[] not null,
  grant_types text[] not null,
  secret_hash bytea not null,
  enabled boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index oauth_clients_of_tenant on oauth_clients (tenant_id, created_at, id);
create index oauth_clients_enabled on oauth_clients (tenant_id) where enabled;

-- One consent is one family of tokens. Withdrawn by its date, never deleted before its tokens are dead.
create table oauth_grants (
  id uuid primary key,
  client_id text not null references oauth_clients,
  person_id uuid not null references people on delete cascade,
  environment text not null check (environment in ('production', 'sandbox')),
  scopes text[] not null,
  company_ids uuid[] not null check (cardinality(company_ids) > 0),
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoked_because text check (revoked_because in ('person', 'client', 'code_reuse', 'refresh_reuse', 'token', 'replaced', 'membership'))
);
create index oauth_grants_of_person on oauth_grants (person_id, id) where revoked_at is null;
create index oauth_grants_of_client on oauth_grants (client_id, id) where revoked_at is null;

create table oauth_codes (
  code_hash bytea primary key,
  grant_id uuid not null references oauth_grants on delete cascade,
  redirect_uri text not null,
  challenge text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index oauth_codes_of_grant on oauth_codes (grant_id);
create index oauth_codes_by_age on oauth_codes (expires_at);

create table oauth_refresh_tokens (
  token_hash bytea primary key,
  grant_id uuid not null references oauth_grants on delete cascade,
  scopes text[] not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index oauth_refresh_tokens_of_grant on oauth_refresh_tokens (grant_id);
create index oauth_refresh_tokens_by_age on oauth_refresh_tokens (expires_at);

-- Access tokens that were called back before their hour was over.
create table oauth_revoked_tokens (
  jti uuid primary key,
  expires_at timestamptz not null
);
create index oauth_revoked_tokens_by_age on oauth_revoked_tokens (expires_at);

create table signing_keys (
  kid text primary key,
  state text not null check (state in ('next', 'active', 'retired')),
  public_jwk jsonb not null,
  private_sealed text not null,
  created_at timestamptz not null,
  activated_at timestamptz,
  retired_at timestamptz
);
-- One signs; one is published beforehand.
create unique index signing_keys_one_each on signing_keys (state) where state in ('next', 'active');

-- ── mail to people ──

alter table notices alter column tenant_id drop not null;
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check
  check (kind in ('webhook_failing', 'webhook_disabled', 'verify_email', 'reset_password', 'invitation', 'account_exists',
    'passkey_added', 'password_changed'));
-- The link that is in the mail and nowhere else, sealed; gone with the notice.
alter table notices add column secret_sealed text;
alter table notices add constraint notices_tenant_check check ((kind in ('webhook_failing', 'webhook_disabled')) = (tenant_id is not null));

-- ── the opening statement of a transaction that came with a token ──

-- Everything a token rests on, asked by primary key whenever a transaction is opened, and believed of nobody: it was not called
-- back, its client stands and acts in its own tenant or by a grant that opens this company, and the person still has this role
-- here. So whatever was withdrawn is refused at once, on every process.
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
  select t.environment, t.company_id, t.clock_offset_ms + i.clock_offset_ms as offset_ms, c.enabled as company_enabled into found_tenant
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
  -- The company acted for, and the one whose application acts: it may be at home in another cell, which then judges it.
  if not found_tenant.company_enabled or not coalesce(found_client.home_enabled, true) then
    raise exception 'company disabled' using errcode = 'RL002';
  end if;
  perform set_config('relance.tenant', p_tenant::text, true);
  if found_tenant.environment = 'sandbox' then return share_sandbox(p_tenant); end if;
  return found_tenant.offset_ms;
end $$;

-- ── acts ──

-- What concerns security stands in the same book as the events, and is looked for among all of them.
alter table events add column is_act boolean not null default false;
create index events_acts on events (tenant_id, id) where is_act;
update events set is_act = true where type like 'api\_key.%' or type like 'webhook.%';

-- Who made which credential is not the sandbox's to forget, whatever kind of act there will be.
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
  delete from events where tenant_id = mine and not is_act;
  -- The triggers have counted what just went: there is nothing left to count.
  delete from count_deltas where tenant_id = mine;
  return true;
end $$;

-- An act that concerns the security of a company, kept in the events of its production: written from pages and OAuth, where
-- nobody has entered a tenant, and from another tenant whose deed it was, which is entered again; and good for nothing else.
create function keep_act(p_company uuid, p_act jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mine uuid;
  entered text := coalesce(current_setting('relance.tenant', true), '');
begin
  select id into mine from tenants where company_id = p_company and environment = 'production';
  if mine is null then return; end if;
  perform set_config('relance.tenant', mine::text, true);
  insert into events (tenant_id, id, type, schema_version, subject_id, sequence, data, actor, request_id, occurred_at, recorded_at, is_act)
  select mine, x.id, x.type, x.schema_version, x.subject_id,
         1 + (select coalesce(max(e.sequence), 0) from events e where e.tenant_id = mine and e.subject_id = x.subject_id),
         x.data, x.actor, x.request_id, x.occurred_at, x.recorded_at, true
    from jsonb_to_record(p_act) as x(id uuid, type text, schema_version integer, subject_id uuid, data jsonb, actor jsonb,
      request_id text, occurred_at timestamptz, recorded_at timestamptz);
  perform set_config('relance.tenant', entered, true);
end $$;

-- The latest acts of the production of the companies a person owns, and who did them: for that person's own page.
create function acts_seen_by(p_owner uuid, p_most integer)
  returns table (id uuid, type text, company_name text, actor_kind text, actor_name text, recorded_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.id, a.type, c.name, a.actor->>'kind', p.name, a.recorded_at
    from memberships m
    join companies c on c.id = m.company_id
    join tenants t on t.company_id = c.id and t.environment = 'production'
   cross join lateral (select e.id, e.type, e.actor, e.recorded_at from events e
                        where e.tenant_id = t.id and e.is_act order by e.id desc limit p_most) a
    left join people p on p.id = (case when a.actor->>'kind' = 'person' then a.actor->>'id' else a.actor->>'onBehalfOf' end)::uuid
   where m.person_id = p_owner and m.role = 'owner'
   order by a.id desc limit p_most
$$;

-- What nobody needs any more, so much of each at a time; says how many went of what most went of. A grant goes after all its
-- codes and refresh tokens, each of which outlived every access token it brought.
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

-- Who never opened the mail, after a week, and the company that was made with them, in which nobody can have done anything:
-- it has no other member and no credential.
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
  delete from events where tenant_id = any (rooms);
  delete from tenants where id = any (rooms);
  delete from companies where id = any (homes);
  return cardinality(strangers);
end $$;

-- ── who may do what ──

revoke all on function enter_by_token, keep_act, acts_seen_by, purge_identity, purge_unconfirmed from public;
grant execute on function enter_by_token, keep_act, acts_seen_by to relance_api;
grant execute on function purge_identity, purge_unconfirmed to relance_worker;
-- What the api does and no more: it forgets nobody, and what was agreed to, signed or registered it ends without deleting it.
grant select, insert on people, memberships, invitations, mail_links, passkeys, passkey_challenges, sessions, sign_in_failures,
  oauth_clients, oauth_grants, oauth_codes, oauth_refresh_tokens, oauth_revoked_tokens, signing_keys to relance_api;
grant delete on memberships, mail_links, passkeys, passkey_challenges, sessions, sign_in_failures to relance_api;
grant update (name, language, password_hash, email_verified_at) on people to relance_api;
grant update (role) on memberships to relance_api;
grant update (accepted_at, withdrawn_at) on invitations to relance_api;
grant update (used_at) on mail_links, oauth_codes, oauth_refresh_tokens to relance_api;
grant update (counter, last_used_at) on passkeys to relance_api;
grant update (seen_at) on sessions to relance_api;
grant update (failures, since) on sign_in_failures to relance_api;
grant update (name, redirect_uris, scopes, grant_types, secret_hash, enabled, updated_at) on oauth_clients to relance_api;
grant update (company_ids, last_used_at, revoked_at, revoked_because) on oauth_grants to relance_api;
grant update (state, activated_at, retired_at) on signing_keys to relance_api;
-- Who signs up gets what everybody gets: the tier and its figures are the operator's.
alter table companies alter column tier set default 'starter';
grant insert (id, name, owner_email, reply_email, country, time_zone, language, currency, default_debtor_type, created_at)
  on companies to relance_api;
grant insert (id, company_id, environment, created_at) on tenants to relance_api;
grant insert (id, kind, subject_id, secret_sealed, due_at, created_at) on notices to relance_api;
grant select (id, email, name, language) on people to relance_worker;
grant select (id, company_id, email, role, language, accepted_at, withdrawn_at, expires_at) on invitations to relance_worker;
