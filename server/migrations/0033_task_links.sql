-- The file of a finished task is opened by a link, without a credential.

-- The link names the tenant and is signed by us; a company that was closed since is refused.
create function enter_by_task_link(p_tenant uuid) returns bigint
language plpgsql as $$
declare found_tenant record;
begin
  select c.enabled and t.enabled as is_open, t.clock_offset_ms + i.clock_offset_ms as offset_ms into found_tenant
    from tenants t join companies c on c.id = t.company_id cross join installation i where t.id = p_tenant;
  if not found then raise exception 'link is dead' using errcode = 'RL001'; end if;
  if not found_tenant.is_open then raise exception 'company closed' using errcode = 'RL002'; end if;
  perform set_config('relance.tenant', p_tenant::text, true);
  return found_tenant.offset_ms;
end $$;

-- The list of tasks of one kind, however many there are of others.
create index tasks_by_kind on tasks (tenant_id, kind, id);

-- ── who may do what ──

revoke all on function enter_by_task_link from public;
grant execute on function enter_by_task_link to relance_api;
-- The day of a file counts from the end of the task that made it.
grant update (created_at) on task_files to relance_worker;
