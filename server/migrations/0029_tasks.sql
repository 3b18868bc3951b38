-- Long work: a task is accepted, read and cancelled in the database; the engine runs it, one chunk after the other.

-- ── platform: ids and moments only ──

-- A task that waits or runs. Gone when it ends, or waits for a person.
create table pending_tasks (
  tenant_id uuid not null,
  task_id uuid not null,
  is_running boolean not null default false,
  -- When a chunk last showed that it is alive; of a waiting task, when the engine was last told of it, null if never.
  touched_at timestamptz,
  primary key (tenant_id, task_id)
);
-- One heavy task at a time per tenant.
create unique index pending_tasks_running on pending_tasks (tenant_id) where is_running;
create index pending_tasks_by_age on pending_tasks (touched_at nulls first);

-- When a worker last reached the engine.
alter table installation add column engine_seen_at timestamptz;

-- ── tenant ──

create table tasks (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('bulk')),
  status text not null check (status in ('waiting', 'running', 'review', 'finished', 'failed', 'cancelled')),
  -- What was asked for.
  input jsonb not null,
  -- Who asked, with the scopes that each item is judged by.
  actor jsonb not null,
  -- Whoever reads, starts or cancels it needs these.
  scopes text[] not null,
  request_id text not null,
  -- Judges and changes nothing; then it waits for a person.
  is_rehearsal boolean not null,
  -- Raised each time it is handed to the engine: a chunk of an earlier attempt does nothing.
  attempt integer not null default 0,
  -- Of the attempts, how many ended without a chunk of progress.
  stalled integer not null default 0,
  -- How many chunks are done, and where the next begins.
  chunk integer not null default 0,
  cursor jsonb,
  -- How many items there were when it was made; null if nobody knows.
  total bigint,
  succeeded bigint not null default 0,
  refused bigint not null default 0,
  -- Items per cause of refusal.
  refusals jsonb not null default '[]',
  -- What the rehearsal found.
  review jsonb,
  failure text,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (tenant_id, id)
);
create index tasks_by_status on tasks (tenant_id, status, id);
create index tasks_ended on tasks (tenant_id, ended_at) where ended_at is not null;
alter table tasks enable row level security;
alter table tasks force row level security;
create policy one_tenant on tasks using (tenant_id = current_setting('relance.tenant')::uuid);

-- One item, written in the transaction that does it: so that it is done once, however often its chunk is run.
create table task_items (
  tenant_id uuid not null,
  task_id uuid not null,
  -- The rehearsal and the run judge the same items.
  is_rehearsal boolean not null,
  subject_id uuid not null,
  chunk integer not null,
  -- Null: it succeeded.
  code text,
  cause text,
  message text,
  primary key (tenant_id, task_id, is_rehearsal, subject_id),
  foreign key (tenant_id, task_id) references tasks (tenant_id, id) on delete cascade
);
create index task_items_of_chunk on task_items (tenant_id, task_id, is_rehearsal, chunk);
create index task_items_refused on task_items (tenant_id, task_id, is_rehearsal, subject_id) where code is not null;
alter table task_items enable row level security;
alter table task_items force row level security;
create policy one_tenant on task_items using (tenant_id = current_setting('relance.tenant')::uuid);

create function purge_tasks(p_tenant uuid, p_before timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from tasks where tenant_id = p_tenant and ended_at < p_before
$$;

-- ── who may do what ──

revoke all on function purge_tasks from public;
grant execute on function purge_tasks to relance_worker;
grant select, insert, update, delete on pending_tasks to relance_api, relance_worker;
grant select on pending_tasks to relance_operator;
grant update (engine_seen_at) on installation to relance_worker;
grant select, insert, update on tasks to relance_api;
grant select, update on tasks to relance_worker;
grant select on task_items to relance_api;
grant select, insert on task_items to relance_worker;
-- What the acts of a bulk task write.
grant insert on extra_messages, anr_documents to relance_worker;
grant select on anr_documents to relance_worker;
