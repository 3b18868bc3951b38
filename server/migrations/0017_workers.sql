-- Workers that show they live: what a silent one had taken, and the loops it ran, are taken over by another.

create table workers (
  id uuid primary key,
  beat_at timestamptz not null
);
create table loop_leases (
  loop text primary key,
  worker_id uuid not null
);
grant select, insert, update, delete on workers, loop_leases to relance_worker;
grant select on workers, loop_leases to relance_operator;

-- Who took the wake-up; null if the engine carries it.
alter table agendas add column armed_by uuid;
-- Who has the message in hand.
alter table pending_sends add column held_by uuid;
create index pending_sends_by_worker on pending_sends (held_by);

-- The next debtors of one tenant, so that a tenant with many due does not keep others waiting.
create index agendas_due_by_tenant on agendas (is_sandbox, tenant_id, wake_at) where armed_gen <> wake_gen and wake_at is not null;
