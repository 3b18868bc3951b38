-- More kinds of tasks, and files that belong to them.

alter table tasks drop constraint tasks_kind_check;
alter table tasks add constraint tasks_kind_check check (kind in ('bulk', 'import', 'undo', 'export', 'erase', 'access'));
-- Nothing ever wrote it.
alter table task_items drop column cause;

-- A file that was sent to a task, or made by one, in parts of 1 MB at most. It may arrive before its task is made; without one it
-- is deleted after a day.
create table task_files (
  tenant_id uuid not null,
  id uuid not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
alter table task_files enable row level security;
alter table task_files force row level security;
create policy one_tenant on task_files using (tenant_id = current_setting('relance.tenant')::uuid);

create table task_file_parts (
  tenant_id uuid not null,
  file_id uuid not null,
  part integer not null,
  bytes bytea not null,
  primary key (tenant_id, file_id, part),
  foreign key (tenant_id, file_id) references task_files (tenant_id, id) on delete cascade
);
alter table task_file_parts alter column bytes set storage external;
alter table task_file_parts enable row level security;
alter table task_file_parts force row level security;
create policy one_tenant on task_file_parts using (tenant_id = current_setting('relance.tenant')::uuid);

alter table tasks add column file_id uuid;
create index tasks_by_file on tasks (tenant_id, file_id) where file_id is not null;
-- What a kind of task tells beside its counts.
alter table tasks add column report jsonb;

create function purge_task_files(p_tenant uuid, p_before timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from task_files f
   where f.tenant_id = p_tenant and f.created_at < p_before
     and not exists (select from tasks t where t.tenant_id = p_tenant and t.file_id = f.id and t.ended_at is null)
$$;

-- ── who may do what ──

revoke all on function purge_task_files from public;
grant execute on function purge_task_files to relance_worker;
grant select, insert, delete on task_files, task_file_parts to relance_api, relance_worker;
