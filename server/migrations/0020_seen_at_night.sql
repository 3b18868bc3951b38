-- What an operator is shown: parked debtors, messages whose outcome nobody knows, and which migrations ran.

create index agendas_parked on agendas (is_sandbox, tenant_id, debtor_id) where parked_because is not null;

-- Messages of production in state `unknown`, kept by a trigger. An index on the state itself would be written with every step
-- of every message.
create table unknown_messages (
  tenant_id uuid not null,
  communication_id uuid not null,
  since timestamptz not null,
  primary key (tenant_id, communication_id)
);
create index unknown_messages_by_age on unknown_messages (since);

create function follow_unknown() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.state = 'unknown' then
    insert into unknown_messages (tenant_id, communication_id, since)
    select new.tenant_id, new.id, new.settled_at from tenants t where t.id = new.tenant_id and t.environment = 'production'
    on conflict do nothing;
  else
    delete from unknown_messages where tenant_id = new.tenant_id and communication_id = new.id;
  end if;
  return null;
end $$;
create trigger follow_unknown after update on communications for each row
  when (old.state <> new.state and 'unknown' in (old.state, new.state)) execute function follow_unknown();
insert into unknown_messages (tenant_id, communication_id, since)
select c.tenant_id, c.id, c.settled_at from communications c join tenants t on t.id = c.tenant_id and t.environment = 'production'
 where c.state = 'unknown';

create function purge_unknown_messages(p_before timestamptz, p_most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gone integer;
begin
  delete from unknown_messages where ctid = any (array(
    select ctid from unknown_messages where since < p_before order by since limit p_most));
  get diagnostics gone = row_count;
  return gone;
end $$;

revoke all on function follow_unknown, purge_unknown_messages from public;
grant execute on function purge_unknown_messages to relance_worker;
grant select on unknown_messages to relance_worker, relance_operator;
grant select on schema_migrations to relance_operator;
