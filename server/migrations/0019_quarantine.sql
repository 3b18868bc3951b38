-- Stops of a provider and of sending alone, maintenance that stops sending, and the quarantine of a database that may have forgotten what was sent.

-- ── kinds of stops ──

-- `close` also refuses the credentials of its company or tenant; `stop` is the operator's, of sending alone; `maintenance` lasts as
-- long as it; `quarantine` is found by a worker. One of each kind may be open for a target. A provider's target is its name.
alter table stops
  add column kind text not null default 'close',
  -- Of a quarantine: up to when this database knows what was sent.
  add column known_until timestamptz,
  add constraint stops_kind_check check (kind in ('close', 'stop', 'maintenance', 'quarantine')),
  drop constraint stops_scope_check,
  add constraint stops_scope_check check (scope in ('installation', 'company', 'tenant', 'provider'));
update stops set kind = 'stop' where scope = 'installation';
drop index stops_open;
create unique index stops_open on stops (target, kind) where ended_at is null;

create or replace function follow_stop() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.kind <> 'close' then return null; end if;
  if new.scope = 'company' then update companies set enabled = new.ended_at is not null where id = new.target::uuid; end if;
  if new.scope = 'tenant' then update tenants set enabled = new.ended_at is not null where id = new.target::uuid; end if;
  return null;
end $$;

-- ── messages that a stop cannot hold any more ──

-- How many messages have passed the fence since then and have no outcome yet, of those that a stop covers. `pending_sends` has a
-- row for each message between its reservation and its outcome.
create function count_leaving(p_target text, p_since timestamptz) returns integer
language sql security definer set search_path = public, pg_temp as $$
  select count(*)::integer
    from pending_sends p
    join communications c on c.tenant_id = p.tenant_id and c.id = p.communication_id
    join tenants t on t.id = p.tenant_id and t.environment = 'production'
   where c.state = 'sending' and c.committing_at > p_since
     and p_target in ('*', t.company_id::text, t.id::text, c.provider)
$$;

-- ── maintenance ──

create function end_maintenance(p_wall timestamptz) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with ended as (
    update stops set ended_at = p_wall, ended_by = 'relance'
     where target = '*' and kind = 'maintenance' and ended_at is null
       and not exists (select from installation where maintenance_until > p_wall)
    returning 1)
  select exists (select from ended)
$$;

-- ── quarantine ──

-- A row that is never updated: the transaction that wrote it is part of the identity of a database. A restored dump writes it again,
-- `vacuum full` does not.
create table database_marker (only_row boolean primary key default true check (only_row));
insert into database_marker default values;

-- The database that messages are sent from. No row: none was sent from any yet.
create table sending_database (
  only_row boolean primary key default true check (only_row),
  identity text not null
);
-- Apart from `sending_database`, which is read with every message: this row is written all the time.
create table last_beat (
  only_row boolean primary key default true check (only_row),
  beat_at timestamptz not null
);

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

-- Notes that this database is in use, or that it is not the one messages were sent from: then nothing is sent until the operator
-- has looked. Returns the stop if this call made it.
create function watch_database(p_stop uuid, p_now timestamptz) returns table (is_same boolean, is_new boolean, known_until timestamptz)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  found_identity text := database_identity();
begin
  insert into sending_database (identity) select found_identity where not exists (select from sending_database) on conflict do nothing;
  is_same := (select s.identity = found_identity from sending_database s);
  is_new := false;
  if is_same then
    update last_beat b set beat_at = p_now where b.beat_at < p_now - interval '1 second';
    if not found then insert into last_beat (beat_at) values (p_now) on conflict do nothing; end if;
    return next;
    return;
  end if;
  insert into stops (id, scope, target, kind, reason, since, stopped_by, known_until)
    select p_stop, 'installation', '*', 'quarantine', 'quarantine', p_now, 'relance', b.beat_at from last_beat b
    on conflict do nothing;
  is_new := found;
  select s.known_until into known_until from stops s where s.target = '*' and s.kind = 'quarantine' and s.ended_at is null;
  return next;
end $$;

-- The operator says that messages may be sent from this database.
create function accept_database() returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into sending_database (identity) values (database_identity()) on conflict (only_row) do update set identity = excluded.identity
$$;

-- ── who may do what ──

revoke all on function count_leaving, end_maintenance, database_identity, watch_database, accept_database from public;
grant execute on function count_leaving, accept_database to relance_operator;
grant execute on function end_maintenance, watch_database, database_identity to relance_worker;
grant select on sending_database to relance_worker;
grant insert (kind) on stops to relance_operator, relance_api;
