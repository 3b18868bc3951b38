-- Who may write to strangers: stops of sending, companies that are closed or not yet opened, daily limits per tenant and channel, and a limit of contacts per person over all tenants.

-- ── stops ──

-- What may not be sent for, since when, by whom and why. A row is never deleted: ended, it is part of the record.
-- `target`: the id of the company or tenant, `*` for the whole installation. A later release may widen the scopes.
create table stops (
  id uuid primary key,
  scope text not null,
  target text not null,
  reason text not null,
  since timestamptz not null,
  stopped_by text not null,
  ended_at timestamptz,
  ended_by text,
  constraint stops_scope_check check (scope in ('installation', 'company', 'tenant')),
  constraint stops_target_check check ((scope = 'installation') = (target = '*')),
  check ((ended_at is null) = (ended_by is null))
);
-- The one probe of every send. Ids of companies and tenants never collide, so the target alone is enough.
create unique index stops_open on stops (target) where ended_at is null;
create index stops_by_target on stops (target, since);

-- Requests read these two columns beside the credential. They follow the stops and nothing else.
alter table tenants add column enabled boolean not null default true;
insert into stops (id, scope, target, reason, since, stopped_by)
  select gen_random_uuid(), 'company', id::text, 'switched off before stops were recorded', created_at, 'migration'
    from companies where not enabled;
-- Nobody has vetted a company that signed itself up and has no production credential yet.
insert into stops (id, scope, target, reason, since, stopped_by)
  select gen_random_uuid(), 'tenant', t.id::text, 'not opened by the operator', t.created_at, 'sign-up'
    from tenants t
   where t.environment = 'production'
     and exists (select from memberships m join people p on p.id = m.person_id
                  where m.company_id = t.company_id and m.role = 'owner' and m.created_at = t.created_at)
     and not exists (select from api_keys k where k.tenant_id = t.id)
     and not exists (select from oauth_clients o where o.tenant_id = t.id)
     and not exists (select from invoices i where i.tenant_id = t.id);
update tenants t set enabled = false where exists (select from stops s where s.target = t.id::text);

create function follow_stop() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.scope = 'company' then update companies set enabled = new.ended_at is not null where id = new.target::uuid; end if;
  if new.scope = 'tenant' then update tenants set enabled = new.ended_at is not null where id = new.target::uuid; end if;
  return null;
end $$;
create trigger follow_stop after insert or update of ended_at on stops for each row execute function follow_stop();

create function refuse_switching() returns trigger language plpgsql as $$
begin
  raise exception 'enabled follows the table stops; use relance company close or open' using errcode = '42501';
end $$;
create trigger switched_by_stops before update of enabled on companies for each row
  when (old.enabled is distinct from new.enabled and pg_trigger_depth() = 0) execute function refuse_switching();
create trigger switched_by_stops before update of enabled on tenants for each row
  when (old.enabled is distinct from new.enabled and pg_trigger_depth() = 0) execute function refuse_switching();

-- The debtors that wait for the end of a stop.
create index agendas_stopped on agendas (tenant_id, debtor_id) where wake_because = 'sending_stopped';

-- Wakes the debtors whose stop is over, one every 20 ms, so that they do not all come at once. Each wake-up judges everything
-- again. Safe to run at any time, and run every hour: a wake-up that read a stop while it was being ended is found here.
create function release_stopped(p_wall timestamptz, p_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with waiting as (
    select a.tenant_id, a.debtor_id
      from agendas a join tenants t on t.id = a.tenant_id
     where a.wake_because = 'sending_stopped' and a.wake_at is null
       and not exists (select from stops s where s.ended_at is null
             and s.target = any (array[case when t.environment = 'production' then '*' end, t.company_id::text, t.id::text]))
     order by a.tenant_id, a.debtor_id limit p_most for no key update of a skip locked),
  numbered as (select tenant_id, debtor_id, row_number() over (order by tenant_id, debtor_id) as n from waiting),
  released as (
    update agendas a set wake_at = p_wall + n * interval '20 milliseconds', wake_because = 'cascade', wake_gen = a.wake_gen + 1, attempts = 0
      from numbered x where a.tenant_id = x.tenant_id and a.debtor_id = x.debtor_id returning 1)
  select count(*)::integer from released
$$;

-- ── requests ──

create or replace function enter_by_key(p_key uuid, p_version integer, p_wall timestamptz) returns bigint
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
  if found_key.environment = 'sandbox' then return share_sandbox(found_key.tenant_id); end if;
  return found_key.offset_ms;
end $$;

create or replace function enter_by_token(p_jti uuid, p_client text, p_grant uuid, p_person uuid, p_role text, p_tenant uuid, p_wall timestamptz)
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
  -- The company acted for, and the one whose application acts: it may be at home in another cell, which then judges it.
  if not found_tenant.company_enabled or not coalesce(found_client.home_enabled, true) then
    raise exception 'company closed' using errcode = 'RL002';
  end if;
  if not found_tenant.enabled then
    raise exception 'company not opened' using errcode = 'RL003';
  end if;
  perform set_config('relance.tenant', p_tenant::text, true);
  if found_tenant.environment = 'sandbox' then return share_sandbox(p_tenant); end if;
  return found_tenant.offset_ms;
end $$;

-- ── what leaves in a day ──

-- What the operator set for a company instead of its tier's daily limits: {"sms": {"messages": 50, "cents": 500}}.
alter table companies add column daily_limits jsonb not null default '{}';

-- Messages claimed for sending, per tenant, UTC day and channel, in eight parts so that senders of one tenant rarely wait for
-- each other. Production only.
create table daily_sends (
  tenant_id uuid not null references tenants,
  day date not null,
  channel text not null,
  part integer not null,
  sent integer not null,
  primary key (tenant_id, day, channel, part)
);
create index daily_sends_by_day on daily_sends (day);

-- Contacts of a person in a UTC day, over all production tenants. The person is an HMAC of an email address or a telephone number
-- under a key of the installation: no tenant and no address is in it. No process reads it; only the functions below do.
create table person_days (
  person bytea not null,
  day date not null,
  contacts integer not null,
  primary key (person, day)
);
create index person_days_by_day on person_days (day);

-- Counts a message in the transaction that claims it, or raises and undoes the claim. Each person comes with its digests under all
-- keys of the ring, the active one first; persons are sorted, so that two claims never wait for each other in a circle.
create function count_send(p_tenant uuid, p_day date, p_channel text, p_allowed integer, p_part integer, p_persons bytea[],
  p_keys integer, p_person_day integer, p_person_month integer) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mine integer;
  share integer;
  is_counted boolean := false;
  digests bytea[];
  counted record;
begin
  for i in 0..7 loop
    mine := (p_part + i) % 8;
    share := p_allowed / 8 + case when mine < p_allowed % 8 then 1 else 0 end;
    continue when share = 0;
    -- A part that is full is not locked, so it is safe to look at several.
    update daily_sends set sent = sent + 1
     where tenant_id = p_tenant and day = p_day and channel = p_channel and part = mine and sent < share;
    is_counted := found;
    exit when is_counted;
    insert into daily_sends values (p_tenant, p_day, p_channel, mine, 1) on conflict do nothing;
    is_counted := found;
    exit when is_counted;
    update daily_sends set sent = sent + 1
     where tenant_id = p_tenant and day = p_day and channel = p_channel and part = mine and sent < share;
    is_counted := found;
    exit when is_counted;
  end loop;
  if not is_counted then raise exception 'daily limit' using errcode = 'RL010'; end if;
  for i in 1..coalesce(cardinality(p_persons), 0) / p_keys loop
    digests := p_persons[(i - 1) * p_keys + 1 : i * p_keys];
    insert into person_days as d values (digests[1], p_day, 1) on conflict (person, day) do update set contacts = d.contacts + 1;
    select coalesce(sum(contacts) filter (where day = p_day), 0) as today, sum(contacts) as month into counted
      from person_days where person = any (digests) and day > p_day - 30;
    if counted.today > p_person_day or counted.month > p_person_month then
      raise exception 'person limit' using errcode = 'RL011';
    end if;
  end loop;
end $$;

-- The provider refused the message, or it was never handed over: nobody was contacted and nothing was paid for.
create function uncount_send(p_tenant uuid, p_day date, p_channel text, p_persons bytea[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update daily_sends set sent = sent - 1
   where tenant_id = p_tenant and day = p_day and channel = p_channel
     and part = (select part from daily_sends where tenant_id = p_tenant and day = p_day and channel = p_channel and sent > 0
                  order by sent desc, part limit 1);
  update person_days set contacts = contacts - 1 where day = p_day and person = any (p_persons) and contacts > 0;
end $$;

create function purge_send_counts(p_before timestamptz, p_most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gone integer;
  most integer;
begin
  delete from daily_sends where ctid = any (array(
    select ctid from daily_sends where day < (p_before at time zone 'UTC')::date order by day limit p_most));
  get diagnostics most = row_count;
  delete from person_days where ctid = any (array(
    select ctid from person_days where day < (p_before at time zone 'UTC')::date order by day limit p_most));
  get diagnostics gone = row_count;
  return greatest(most, gone);
end $$;

-- ── whom a company sells to ──

-- What it says for this environment; null: what it was made with.
alter table company_settings add column default_debtor_type text
  check (default_debtor_type in ('business', 'consumer', 'public_body'));

-- ── who may do what ──

revoke all on function follow_stop, refuse_switching, release_stopped, count_send, uncount_send, purge_send_counts from public;
grant execute on function count_send, uncount_send, purge_send_counts to relance_worker;
grant execute on function release_stopped to relance_worker, relance_operator;
grant select on stops to relance_api, relance_worker, relance_operator;
grant insert (id, scope, target, reason, since, stopped_by) on stops to relance_operator;
grant update (ended_at, ended_by) on stops to relance_operator;
-- A sign-up stops its own production; it can stop nobody's sending any other way, and end no stop.
grant insert (id, scope, target, reason, since, stopped_by) on stops to relance_api;
revoke update (enabled) on companies from relance_operator;
grant update (default_debtor_type, daily_limits) on companies to relance_operator;
