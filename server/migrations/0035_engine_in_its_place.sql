-- The engine runs tasks and the nights of tenants, and nothing else.

-- Since when a task waits or runs; null: it was there before this column.
alter table pending_tasks add column since timestamptz;

-- The loop that handed wake-ups to the engine is gone: nobody leads it any more.
delete from loop_leases where loop = 'scheduler';

-- ── platform: the night of each tenant ──

-- One row per tenant. What is done at night is done for one tenant after the other; the fault of one is its own.
create table tenant_nights (
  tenant_id uuid primary key references tenants (id) on delete cascade,
  -- When its night begins or goes on; a new tenant has one at once.
  due_at timestamptz not null default 'epoch',
  -- Somebody works at it, and has shown so.
  taken_until timestamptz,
  -- Of a night under way, the last debtor whose score is done; null between two nights.
  after_debtor_id uuid,
  -- Debtors scored in the last night, or so far in this one.
  scored bigint not null default 0,
  done_at timestamptz,
  -- How often it has failed since it was last done.
  failures integer not null default 0
);
create index tenant_nights_due on tenant_nights (due_at);
create index tenant_nights_taken on tenant_nights (taken_until) where taken_until is not null;
create index tenant_nights_failing on tenant_nights (tenant_id) where failures > 0;
insert into tenant_nights (tenant_id) select id from tenants;

create function give_tenant_a_night() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into tenant_nights (tenant_id) values (new.id);
  return null;
end $$;
revoke all on function give_tenant_a_night from public;
create trigger give_tenant_a_night after insert on tenants for each row execute function give_tenant_a_night();

grant select, update on tenant_nights to relance_worker;
grant select on tenant_nights to relance_operator;

-- One walk over all tenants did this before.
drop table score_walks;
