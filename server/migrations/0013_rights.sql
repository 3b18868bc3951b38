-- An audit log that outlives the events: who changed money, words, rights or a debtor's data, from where; kept for years.

-- ── the audit log ──

-- No reference to a tenant, and not part of reset_sandbox: it says what was done, also where the rest is gone. A person's data
-- stands in it as digests only, salted per debtor in contact_salts: without the salt they say nothing.
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
-- Rows come in the order of their moment, so the smallest kind of index finds what is past its years.
create index audit_log_by_age on audit_log using brin (recorded_at);
-- What an owner's page shows, however many payments and debtors are changed in between.
create index audit_log_security on audit_log (tenant_id, id)
  where split_part(type, '.', 1) in ('api_key', 'company', 'member', 'oauth_client', 'oauth_grant', 'person', 'webhook');
alter table audit_log enable row level security;
alter table audit_log force row level security;
create policy one_tenant on audit_log using (tenant_id = current_setting('relance.tenant')::uuid);

-- What was kept among the events until now. The old rows stay there for programs of the release before, and go after 90 days.
insert into audit_log (tenant_id, id, type, schema_version, subject_id, data, actor, request_id, occurred_at, recorded_at)
select tenant_id, id, type, schema_version, subject_id::text, data, actor, request_id, occurred_at, recorded_at from events where is_act;

alter table installation add column audit_years integer not null default 6 check (audit_years between 1 and 30);

-- The only way to delete from it, and the operator's alone.
create function purge_audit_log(p_wall timestamptz, p_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from audit_log where ctid = any (array(
      select ctid from audit_log
       where recorded_at < p_wall - make_interval(years => (select audit_years from installation)) limit p_most))
    returning 1)
  select count(*)::integer from gone
$$;

-- As before, into the audit log.
create or replace function keep_act(p_company uuid, p_act jsonb) returns void
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

create or replace function acts_seen_by(p_owner uuid, p_most integer)
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

-- A company nobody ever confirmed goes with its audit log: there is nobody left whose acts it could prove.
create or replace function purge_unconfirmed(p_wall timestamptz, p_most integer) returns integer
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

revoke all on function purge_audit_log from public;
grant execute on function purge_audit_log to relance_operator;
grant select, insert on audit_log to relance_api, relance_worker;
grant insert on audit_log to relance_operator;
grant execute on function keep_act to relance_operator;
grant update (audit_years) on installation to relance_operator;

-- ── webhooks end with what made them ──

-- Who saved a webhook last: a key, an application, or an application for a person; and the scopes its events need. Webhooks
-- from before this have no maker and stay until somebody saves them.
alter table webhook_pumps
  add column maker_kind text check (maker_kind in ('api_key', 'oauth_client')),
  add column maker_id text,
  add column maker_person uuid,
  add column needs text[] not null default '{}',
  drop constraint webhook_pumps_disabled_because_check,
  add constraint webhook_pumps_disabled_because_check check (disabled_because in ('failing', 'owner', 'maker_ended'));
create index webhook_pumps_by_maker on webhook_pumps (maker_id) where maker_id is not null;
-- Ended, and the owners were not told yet: the program tells them, which has a clock.
create index webhook_pumps_unannounced on webhook_pumps (tenant_id, webhook_id)
  where disabled_because = 'maker_ended' and warned_at is null;

-- The key that took the place of a rotated one.
alter table api_keys add column replaced_by uuid;

-- Switches off what this key or application made and may have no longer, and drops what was queued for it.
create function end_webhooks_of(p_maker text) returns void
language sql security definer set search_path = public, pg_temp as $$
  with ended as (
    update webhook_pumps p
       set enabled = false, disabled_because = 'maker_ended', warned_at = null, wake_at = null, busy_until = null,
           recover_from = null, recover_to = null
     where p.maker_id = p_maker and p.enabled and not case p.maker_kind
       when 'api_key' then exists (select from api_keys k where k.id = p.maker_id::uuid and k.enabled)
       else exists (select from oauth_clients c where c.id = p.maker_id and c.enabled and c.scopes @> p.needs)
        and (p.maker_person is null or exists (
          select from oauth_grants g join tenants t on t.id = p.tenant_id
           where g.client_id = p.maker_id and g.person_id = p.maker_person and g.revoked_at is null and g.scopes @> p.needs
             and t.company_id = any (g.company_ids)))
       end
    returning p.tenant_id, p.webhook_id)
  delete from webhook_queue q using ended where q.tenant_id = ended.tenant_id and q.webhook_id = ended.webhook_id
$$;

create function key_was_disabled() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.replaced_by is not null then
    update webhook_pumps set maker_id = new.replaced_by::text where maker_kind = 'api_key' and maker_id = new.id::text;
  else
    perform end_webhooks_of(new.id::text);
  end if;
  return null;
end $$;
create trigger key_was_disabled after update of enabled on api_keys
  for each row when (old.enabled and not new.enabled) execute function key_was_disabled();

create function client_was_changed() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform end_webhooks_of(new.id);
  return null;
end $$;
create trigger client_was_changed after update of enabled, scopes on oauth_clients
  for each row when (old.enabled and (not new.enabled or old.scopes is distinct from new.scopes)) execute function client_was_changed();

-- Judged at commit: a newer consent that takes the place of an older one is then there.
create function consent_was_changed() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- A client may have thousands of consents and has webhooks rarely: this look-up keeps its plan, the function would be planned each time.
  if exists (select from webhook_pumps where maker_id = old.client_id and enabled) then
    perform end_webhooks_of(old.client_id);
  end if;
  return null;
end $$;
create constraint trigger consent_was_changed after delete or update of revoked_at, company_ids on oauth_grants
  deferrable initially deferred for each row execute function consent_was_changed();

revoke all on function end_webhooks_of, key_was_disabled, client_was_changed, consent_was_changed from public;
grant update (replaced_by) on api_keys to relance_api;

-- ── mail to owners ──

-- Which kinds there are is a closed list in the program.
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (kind ~ '^[a-z_]+$');
alter table notices drop constraint notices_tenant_check;

-- ── a new password ends consents ──

alter table oauth_grants drop constraint oauth_grants_revoked_because_check;
alter table oauth_grants add constraint oauth_grants_revoked_because_check check (revoked_because in
  ('person', 'client', 'code_reuse', 'refresh_reuse', 'token', 'replaced', 'membership', 'password'));
