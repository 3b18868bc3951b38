-- Integrations: webhooks and their deliveries, the assistant, tasks with their files, imports and erasure, links in alert mails, the sandbox.

-- ── integrations/webhooks ──

create table webhooks (
  tenant_id uuid not null references tenants,
  id uuid not null,
  url text not null,
  description text,
  secret_sealed text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
comment on table webhooks is 'The URL of a webhook, and its sealed secret.';
alter table webhooks enable row level security;
alter table webhooks force row level security;
create policy one_tenant on webhooks using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update, delete on webhooks to relance_api;
grant select on webhooks to relance_worker;

create table webhook_endpoints (
  tenant_id uuid not null references tenants,
  webhook_id uuid not null,
  events text[] not null check (cardinality(events) > 0),
  enabled boolean not null,
  disabled_because text check (disabled_because in ('failing', 'owner', 'maker_ended')),
  wake_at timestamptz,
  -- Until when the worker that delivers to it has it.
  busy_until timestamptz,
  -- Grows each time it is taken: what an earlier worker settles is stale.
  generation bigint not null default 1,
  -- The attempts that failed since one succeeded.
  failing integer not null default 0,
  warned_at timestamptz,
  last_triggered_at timestamptz,
  -- Events that are queued again: everything after the first id and up to the second, which stays to say how far it goes.
  recover_from uuid,
  recover_to uuid,
  -- Who saved it last: a key, an application, an application for a person, or a person.
  maker_kind text check (maker_kind in ('api_key', 'oauth_client', 'person')),
  maker_id text,
  maker_person uuid,
  -- The scopes that its events need.
  needed_scopes text[] not null default '{}',
  primary key (tenant_id, webhook_id)
) with (fillfactor = 70);
comment on table webhook_endpoints is 'The endpoint of a webhook: the events it asks for, and when it is due next.';
create index webhook_endpoints_due on webhook_endpoints (wake_at) where wake_at is not null and enabled;
create index webhook_endpoints_busy on webhook_endpoints (busy_until) where busy_until is not null;
create index webhook_endpoints_recovering on webhook_endpoints (recover_from) where recover_from is not null and enabled;
create index webhook_endpoints_by_maker on webhook_endpoints (maker_id) where maker_id is not null;
-- Ended, and the owners were not mailed yet: the program does that, because it has a clock.
create index webhook_endpoints_unannounced on webhook_endpoints (tenant_id, webhook_id)
  where disabled_because = 'maker_ended' and warned_at is null;
grant select, insert, update, delete on webhook_endpoints to relance_api;
grant select, update on webhook_endpoints to relance_worker;
grant select on webhook_endpoints to relance_operator;

-- The outbox gets only events that a webhook asks for: every statement that changes a subscription updates the tenant.
create function set_subscribed_events() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare mine uuid := coalesce(new.tenant_id, old.tenant_id);
begin
  -- The lock first, then the read: of two changes at once the second sees the first.
  perform from tenants where id = mine for no key update;
  update tenants set subscribed_events = coalesce(
    (select array_agg(distinct e order by e) from webhook_endpoints p cross join unnest(p.events) e where p.tenant_id = mine and p.enabled), '{}')
   where id = mine;
  return null;
end $$;
create trigger set_subscribed_events after insert or delete or update of enabled, events on webhook_endpoints
  for each row execute function set_subscribed_events();

create table webhook_queue (
  tenant_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  due_at timestamptz not null,
  attempts integer not null default 0,
  -- How often it waited because of a fault on our side, which is no attempt.
  deferrals integer not null default 0,
  created_at timestamptz not null,
  primary key (tenant_id, webhook_id, event_id),
  foreign key (tenant_id, webhook_id) references webhook_endpoints (tenant_id, webhook_id) on delete cascade
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
comment on table webhook_queue is 'An event that still has to be delivered to an endpoint.';
create index webhook_queue_due on webhook_queue (tenant_id, webhook_id, due_at, event_id);
grant select, insert, update, delete on webhook_queue to relance_api, relance_worker;
grant select on webhook_queue to relance_operator;

-- Written from the first attempt on. There is one delivery per event and webhook.
create table webhook_deliveries (
  tenant_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  status text not null check (status in ('delivered', 'failed')),
  attempts integer not null,
  response_status integer,
  error text,
  duration_ms integer,
  is_test boolean not null default false,
  last_attempt_at timestamptz not null,
  created_at timestamptz not null,
  primary key (tenant_id, webhook_id, event_id)
) partition by range (event_id);
comment on table webhook_deliveries is
  'The result of the delivery of an event to a webhook; one partition per week, dropped after 30 days.';
create index webhook_deliveries_failed on webhook_deliveries (tenant_id, webhook_id, event_id) where status = 'failed';
alter table webhook_deliveries enable row level security;
alter table webhook_deliveries force row level security;
create policy one_tenant on webhook_deliveries using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update on webhook_deliveries to relance_api, relance_worker;

create function drop_old_deliveries(p_before timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  part text;
  dropped integer := 0;
begin
  for part in select c.relname from pg_inherits h join pg_class c on c.oid = h.inhrelid
     where h.inhparent = 'webhook_deliveries'::regclass and c.relname ~ '^webhook_deliveries_\d{4}w\d{2}$'
       and to_date(substr(c.relname, 20), 'IYYY"w"IW') + 7 <= (p_before at time zone 'UTC')::date
  loop
    execute format('drop table %I', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
grant execute on function drop_old_deliveries to relance_worker;

-- A webhook ends with what made it: a key that is disabled, an application that is disabled or has fewer scopes, a consent that is
-- withdrawn, a person who leaves the company or gets a role without the scope webhooks:manage. The first function disables the webhooks
-- that this key, application or person saved and may have no longer, and deletes what was queued for them. The triggers call it.
create function end_webhooks_of(p_maker text) returns void
language sql security definer set search_path = public, pg_temp as $$
  with ended as (
    update webhook_endpoints p
       set enabled = false, disabled_because = 'maker_ended', warned_at = null, wake_at = null, busy_until = null,
           recover_from = null, recover_to = null
     where p.maker_id = p_maker and p.enabled and not case p.maker_kind
       when 'api_key' then exists (select from api_keys k where k.id = p.maker_id::uuid and k.enabled)
       when 'person' then exists (
         select from memberships m join tenants t on t.company_id = m.company_id
          where t.id = p.tenant_id and m.person_id = p.maker_id::uuid and m.role in ('owner', 'developer'))
       else exists (select from oauth_clients c where c.id = p.maker_id and c.enabled and c.scopes @> p.needed_scopes)
        and (p.maker_person is null or exists (
          select from oauth_grants g join tenants t on t.id = p.tenant_id
            join memberships m on m.company_id = t.company_id and m.person_id = p.maker_person
           where g.client_id = p.maker_id and g.person_id = p.maker_person and g.revoked_at is null and g.scopes @> p.needed_scopes
             and t.company_id = any (g.company_ids) and m.role in ('owner', 'developer')))
       end
    returning p.tenant_id, p.webhook_id)
  delete from webhook_queue q using ended where q.tenant_id = ended.tenant_id and q.webhook_id = ended.webhook_id
$$;

create function key_was_disabled() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.replaced_by is not null then
    update webhook_endpoints set maker_id = new.replaced_by::text where maker_kind = 'api_key' and maker_id = new.id::text;
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

-- At commit: a newer consent that replaces an older one is then there.
create function consent_was_changed() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- A client may have thousands of consents and has webhooks rarely: this query keeps its plan, the function would be planned each time.
  if exists (select from webhook_endpoints where maker_id = old.client_id and enabled) then
    perform end_webhooks_of(old.client_id);
  end if;
  return null;
end $$;
create constraint trigger consent_was_changed after delete or update of revoked_at, company_ids on oauth_grants
  deferrable initially deferred for each row execute function consent_was_changed();

create function membership_has_ended() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Most people have no webhook: this query keeps its plan, the function would be planned each time.
  if exists (select from webhook_endpoints where maker_id = old.person_id::text and enabled) then
    perform end_webhooks_of(old.person_id::text);
  end if;
  return null;
end $$;
create trigger membership_has_ended after delete on memberships
  for each row execute function membership_has_ended();

create function role_was_changed() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform end_webhooks_of(saved.maker_id) from (
    select distinct p.maker_id from tenants t join webhook_endpoints p on p.tenant_id = t.id
     where t.company_id = new.company_id and p.enabled and (p.maker_id = new.person_id::text or p.maker_person = new.person_id)) saved;
  return null;
end $$;
create trigger role_was_changed after update of role on memberships
  for each row when (old.role is distinct from new.role) execute function role_was_changed();

-- ── integrations/assistant ──

-- `opener` is a key, an application, or an application and the person it acts for. Nobody else sees it. `used_at` is wall time, so that
-- unused conversations are found; the other moments are by the clock of the tenant.
create table conversations (
  tenant_id uuid not null references tenants,
  id uuid not null,
  opener text not null,
  last_message text not null,
  message_count integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  used_at timestamptz not null,
  primary key (tenant_id, id)
);
comment on table conversations is 'A conversation with the assistant; deleted when nobody came back to it for 90 days.';
create index conversations_of_opener on conversations (tenant_id, opener, updated_at, id);
create index conversations_by_use on conversations (tenant_id, used_at);
alter table conversations enable row level security;
alter table conversations force row level security;
create policy one_tenant on conversations using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update, delete on conversations to relance_api;
grant select on conversations to relance_worker;

create table conversation_messages (
  tenant_id uuid not null,
  conversation_id uuid not null,
  id uuid not null,
  role text not null check (role in ('user', 'assistant')),
  text text not null,
  tools_called text[] not null,
  created_at timestamptz not null,
  primary key (tenant_id, conversation_id, id),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id) on delete cascade
);
comment on table conversation_messages is 'A message of a person to the assistant, or of the assistant.';
alter table conversation_messages enable row level security;
alter table conversation_messages force row level security;
create policy one_tenant on conversation_messages using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update, delete on conversation_messages to relance_api;
grant select on conversation_messages to relance_worker;

-- It is taken by one caller, and done or dropped once. If it was taken and is not done at `taken_until`, the process that took it died,
-- and it may be taken again.
create table confirmations (
  tenant_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  token_hash bytea not null,
  caller text not null,
  language text not null check (language in ('fr', 'en')),
  -- JSON as text, which is stored as it was written: the exact arguments, in their order.
  plan text not null,
  summary text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  taken_until timestamptz,
  done_at timestamptz,
  dropped_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, token_hash),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id) on delete cascade
);
comment on table confirmations is 'A plan of the assistant that waits for a person, with its exact arguments.';
create index confirmations_of_conversation on confirmations (tenant_id, conversation_id);
alter table confirmations enable row level security;
alter table confirmations force row level security;
create policy one_tenant on confirmations using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update, delete on confirmations to relance_api;

create table conversation_tokens (
  tenant_id uuid not null references tenants,
  day date not null,
  tokens bigint not null,
  -- Of turns under way, given back when they end. What a process that died had reserved ends with the day.
  reserved bigint not null default 0 check (reserved >= 0),
  primary key (tenant_id, day)
);
comment on table conversation_tokens is 'How many model tokens a tenant used in a day.';
alter table conversation_tokens enable row level security;
alter table conversation_tokens force row level security;
create policy one_tenant on conversation_tokens using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update, delete on conversation_tokens to relance_api;

-- Those nobody came back to, with their messages; and the token counts of old days.
create function purge_conversations(p_tenant uuid, p_before timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from conversations where tenant_id = p_tenant and used_at < p_before;
  delete from conversation_tokens where tenant_id = p_tenant and day < p_before::date
$$;
grant execute on function purge_conversations to relance_worker;

-- For a sandbox that is emptied.
create function forget_conversations() returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from conversations c using tenants t
   where c.tenant_id = current_setting('relance.tenant')::uuid and t.id = c.tenant_id and t.environment = 'sandbox'
$$;
grant execute on function forget_conversations to relance_api;

-- ── integrations/tasks ──

create table tasks (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('bulk', 'import', 'undo', 'export', 'erase', 'access')),
  status text not null check (status in ('waiting', 'running', 'review', 'finished', 'failed', 'cancelled')),
  -- What was asked for.
  input jsonb not null,
  -- The file that was sent to it, or made by it.
  file_id uuid,
  -- Who asked, with the scopes that each item is judged by.
  actor jsonb not null,
  -- What is needed to read, start or cancel it.
  scopes text[] not null,
  request_id text not null,
  -- Judges and changes nothing; then it waits for a person.
  is_dry_run boolean not null,
  -- Raised each time a worker takes it: a chunk of an earlier attempt does nothing.
  attempt integer not null default 0,
  -- Of the attempts, how many ended without a chunk of progress.
  stalled integer not null default 0,
  -- How many chunks are done, and where the next begins.
  chunk integer not null default 0,
  cursor jsonb,
  -- How many items there were when it was made; null if that is not known.
  total bigint,
  succeeded bigint not null default 0,
  refused bigint not null default 0,
  -- Items per cause of refusal.
  refusals jsonb not null default '[]',
  -- What the rehearsal found.
  review jsonb,
  -- What a kind of task reports besides its counts.
  report jsonb,
  failure text,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (tenant_id, id)
);
comment on table tasks is 'Long work on many items, run in chunks by the workers.';
create index tasks_by_status on tasks (tenant_id, status, id);
create index tasks_ended on tasks (tenant_id, ended_at) where ended_at is not null;
create index tasks_by_file on tasks (tenant_id, file_id) where file_id is not null;
-- The list of tasks of one kind, however many there are of others.
create index tasks_by_kind on tasks (tenant_id, kind, id);
alter table tasks enable row level security;
alter table tasks force row level security;
create policy one_tenant on tasks using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update on tasks to relance_api;
grant select, update on tasks to relance_worker;

-- A task ends with what made it: a key that is deleted or has expired, an application that is disabled or has fewer scopes, a consent that
-- is withdrawn, a person who leaves the company or has a role without the scopes of the task. A rotated key hands over to the new one.
-- Null: there is no such task.
create function task_maker_may(p_task uuid, p_roles text[], p_wall timestamptz) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select case t.actor ->> 'kind'
    when 'api_key' then exists (
      with recursive line as (
        select k.enabled, k.replaced_by, k.scopes, k.expires_at from api_keys k
         where k.id = (t.actor ->> 'id')::uuid and k.tenant_id = t.tenant_id
        union all
        select k.enabled, k.replaced_by, k.scopes, k.expires_at from line join api_keys k on k.id = line.replaced_by
         where not line.enabled)
      select from line where line.enabled and line.scopes @> t.scopes and (line.expires_at is null or line.expires_at > p_wall))
    when 'person' then exists (
      select from memberships m join tenants n on n.company_id = m.company_id
       where n.id = t.tenant_id and m.person_id = (t.actor ->> 'id')::uuid and m.role = any (p_roles))
    else exists (select from oauth_clients c where c.id = t.actor ->> 'id' and c.enabled and c.scopes @> t.scopes)
      and (t.actor ->> 'onBehalfOf' is null or exists (
        select from oauth_grants g join tenants n on n.id = t.tenant_id
          join memberships m on m.company_id = n.company_id and m.person_id = g.person_id
         where g.client_id = t.actor ->> 'id' and g.person_id = (t.actor ->> 'onBehalfOf')::uuid and g.revoked_at is null
           and g.scopes @> t.scopes and n.company_id = any (g.company_ids) and m.role = any (p_roles)))
    end
    from tasks t where t.tenant_id = current_setting('relance.tenant')::uuid and t.id = p_task
$$;
grant execute on function task_maker_may to relance_api, relance_worker;

create function require_task_maker(p_task uuid, p_roles text[], p_wall timestamptz) returns void
language plpgsql as $$
begin
  if not coalesce(task_maker_may(p_task, p_roles, p_wall), true) then
    raise exception 'the maker of the task may not do it any more' using errcode = 'RL012';
  end if;
end $$;
grant execute on function require_task_maker to relance_worker;

create function purge_tasks(p_tenant uuid, p_before timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from tasks where tenant_id = p_tenant and ended_at < p_before
$$;
grant execute on function purge_tasks to relance_worker;

create table pending_tasks (
  tenant_id uuid not null,
  task_id uuid not null,
  -- Of each lane one task runs at a time: what changes something, and what only reads.
  lane text not null check (lane in ('act', 'read')),
  -- Within its lane: what stops messages (0) goes before everything else (1).
  rank integer not null,
  -- An attempt is under way, or its worker was killed.
  is_running boolean not null default false,
  taken_at timestamptz,
  -- Since when it waits or runs.
  since timestamptz,
  primary key (tenant_id, task_id)
);
comment on table pending_tasks is 'A task that waits for its turn or runs; deleted when it ends, or waits for a person.';
create unique index pending_tasks_running on pending_tasks (tenant_id, lane) where is_running;
create index pending_tasks_in_turn on pending_tasks (tenant_id, lane, rank, task_id);
create index pending_tasks_by_age on pending_tasks (since);
grant select, insert, update, delete on pending_tasks to relance_api, relance_worker;
grant select on pending_tasks to relance_operator;

-- Queues the job that does the tasks of a lane, unless it is queued or runs: as pg-boss does it, in the transaction of the request.
create function queue_lane(p_tenant uuid, p_lane text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into jobs.job (name, data, singleton_key, policy, retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds,
    deletion_seconds, heartbeat_seconds)
  select q.name, jsonb_build_object('tenantId', p_tenant), p_tenant::text, q.policy, q.retry_limit, q.retry_delay, q.retry_backoff,
         q.retry_delay_max, q.expire_seconds, q.deletion_seconds, q.heartbeat_seconds
    from jobs.queue q where q.name = p_lane || 's'
  on conflict do nothing;
  if found then
    perform pg_notify('pgboss_' || left(encode(sha224('jobs'), 'hex'), 24), p_lane || 's');
  end if;
end
$$;
grant execute on function queue_lane to relance_worker;

-- The same for whoever may only do it for its own tenant.
create function queue_own_lane(p_lane text) returns void
language sql security definer set search_path = public, pg_temp as $$
  select queue_lane(current_setting('relance.tenant')::uuid, p_lane)
$$;
grant execute on function queue_own_lane to relance_api, relance_worker;

-- It may arrive before its task is made; without a task it is deleted after a day.
create table task_files (
  tenant_id uuid not null,
  id uuid not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
comment on table task_files is 'A file that was sent to a task, or made by one.';
alter table task_files enable row level security;
alter table task_files force row level security;
create policy one_tenant on task_files using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, delete on task_files to relance_api, relance_worker;
grant update (created_at) on task_files to relance_worker;

create table task_file_parts (
  tenant_id uuid not null,
  file_id uuid not null,
  part integer not null,
  bytes bytea not null,
  stored_bytes integer not null generated always as (octet_length(bytes)) stored,
  primary key (tenant_id, file_id, part),
  foreign key (tenant_id, file_id) references task_files (tenant_id, id) on delete cascade
);
alter table task_file_parts alter column bytes set storage external;
comment on table task_file_parts is 'A part of a file, of 1 MB at most.';
alter table task_file_parts enable row level security;
alter table task_file_parts force row level security;
create policy one_tenant on task_file_parts using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, delete on task_file_parts to relance_api, relance_worker;
call count_bytes_of('task_file_parts');

create function purge_task_files(p_tenant uuid, p_before timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from task_files f
   where f.tenant_id = p_tenant and f.created_at < p_before
     and not exists (select from tasks t where t.tenant_id = p_tenant and t.file_id = f.id and t.ended_at is null)
$$;
grant execute on function purge_task_files to relance_worker;

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
grant execute on function enter_by_task_link to relance_api;

-- ── integrations/tasks/bulk ──

-- Written in the transaction that does the item: so it is done once, however often its chunk runs.
create table task_items (
  tenant_id uuid not null,
  task_id uuid not null,
  -- The rehearsal and the run judge the same items.
  is_dry_run boolean not null,
  subject_id uuid not null,
  chunk integer not null,
  -- Null: it succeeded.
  code text,
  message text,
  primary key (tenant_id, task_id, is_dry_run, subject_id),
  foreign key (tenant_id, task_id) references tasks (tenant_id, id) on delete cascade
);
comment on table task_items is 'An item of a task that was done or refused.';
create index task_items_of_chunk on task_items (tenant_id, task_id, is_dry_run, chunk);
create index task_items_refused on task_items (tenant_id, task_id, is_dry_run, subject_id) where code is not null;
alter table task_items enable row level security;
alter table task_items force row level security;
create policy one_tenant on task_items using (tenant_id = current_setting('relance.tenant')::uuid);
grant select on task_items to relance_api;
grant select, insert, delete on task_items to relance_worker;

-- ── integrations/tasks/import ──

create table imports (
  tenant_id uuid not null,
  task_id uuid not null,
  -- How the rows are read: which column is what, in which order days and months are written, which numbers appear twice.
  plan jsonb not null,
  stored_bytes integer not null generated always as (octet_length(plan::text)) stored,
  primary key (tenant_id, task_id),
  foreign key (tenant_id, task_id) references tasks (tenant_id, id) on delete cascade
);
comment on table imports is 'How the file of an import is read.';
alter table imports enable row level security;
alter table imports force row level security;
create policy one_tenant on imports using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, delete on imports to relance_api;
grant select, insert, update, delete on imports to relance_worker;
call count_bytes_of('imports');

create table import_rows (
  tenant_id uuid not null,
  task_id uuid not null,
  -- As Excel numbers it.
  line integer not null,
  is_hidden boolean not null,
  -- As they are in the file; null once the invoice is created, or once the import was cancelled or has failed.
  cells jsonb,
  state text not null default 'read' check (state in ('read', 'judged', 'done')),
  -- Null: it succeeded, or would.
  code text,
  message text,
  -- What was changed to read it.
  healed jsonb,
  invoice_id uuid,
  -- The same for rows of the same debtor.
  debtor_key text,
  is_new_debtor boolean,
  -- The first message that would leave.
  first_on date,
  first_channel text,
  -- A row without texts takes about 200 bytes, with its place in the index.
  stored_bytes integer not null generated always as (
    200 + coalesce(octet_length(cells::text), 0) + coalesce(octet_length(message), 0) + coalesce(octet_length(healed::text), 0)) stored,
  primary key (tenant_id, task_id, line),
  foreign key (tenant_id, task_id) references tasks (tenant_id, id) on delete cascade
);
comment on table import_rows is 'A row of the file of an import, and what became of it.';
create index import_rows_refused on import_rows (tenant_id, task_id, line) where code is not null;
alter table import_rows enable row level security;
alter table import_rows force row level security;
create policy one_tenant on import_rows using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, update (cells, healed, debtor_key) on import_rows to relance_api;
grant select, insert, update, delete on import_rows to relance_worker;
call count_bytes_of('import_rows');

create table import_mappings (
  tenant_id uuid not null,
  signature text not null,
  mapping jsonb not null,
  used_at timestamptz not null,
  primary key (tenant_id, signature)
);
comment on table import_mappings is 'What a person said about the columns of files with the same titles.';
alter table import_mappings enable row level security;
alter table import_mappings force row level security;
create policy one_tenant on import_mappings using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update on import_mappings to relance_api;
grant select, update on import_mappings to relance_worker;

create function purge_import_mappings(p_tenant uuid, p_before timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from import_mappings where tenant_id = p_tenant and used_at < p_before
$$;
grant execute on function purge_import_mappings to relance_worker;

-- Undoing an import deletes the invoices it created, as long as no message about them has left or is leaving.
create function delete_uncontacted_invoice(p_invoice uuid) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with deleted as (
    delete from invoices i
     where i.tenant_id = current_setting('relance.tenant')::uuid and i.id = p_invoice
       and not exists (select from communication_invoices c where c.tenant_id = i.tenant_id and c.invoice_id = i.id)
    returning 1)
  select exists (select from deleted)
$$;
grant execute on function delete_uncontacted_invoice to relance_worker;

-- ── integrations/tasks/erase ──

-- With what the law requires on it. Written, counted and deleted by the functions below; no role of a running process may read it.
create table blocked_records (
  tenant_id uuid not null,
  -- That of the invoice.
  id uuid not null,
  debtor_id uuid not null,
  because text not null check (because in ('accounting')),
  ends_on date not null,
  content jsonb not null,
  -- The attestation of a loss.
  document bytea,
  blocked_at timestamptz not null,
  primary key (tenant_id, id)
);
comment on table blocked_records is 'An invoice of an erased person that accounting law requires to be kept.';
create index blocked_records_by_debtor on blocked_records (tenant_id, debtor_id);
create index blocked_records_by_end on blocked_records (tenant_id, ends_on);
alter table blocked_records enable row level security;
alter table blocked_records force row level security;
create policy one_tenant on blocked_records using (tenant_id = current_setting('relance.tenant')::uuid);

-- Art. L123-22 C. com.: accounting records are kept for ten years, counted here from the end of the year of the last of them.
create function accounting_end(p_tenant uuid, p_invoice uuid) returns date
language sql stable set search_path = public, pg_temp as $$
  select make_date(extract(year from greatest(i.issue_date, i.written_off_at::date,
           (select max(p.day) from payments p where p.tenant_id = p_tenant and p.invoice_id = p_invoice),
           (select max(c.issued_on) from credits c where c.tenant_id = p_tenant and c.invoice_id = p_invoice)))::integer + 10, 12, 31)
    from invoices i where i.tenant_id = p_tenant and i.id = p_invoice
$$;
grant execute on function accounting_end to relance_worker;

-- A draft was never issued, and a sandbox has no accounting.
create function block_invoices(p_tenant uuid, p_ids uuid[], p_wall timestamptz, p_today date) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into blocked_records (tenant_id, id, debtor_id, because, ends_on, content, document, blocked_at)
  select i.tenant_id, i.id, i.debtor_id, 'accounting', kept.until,
         jsonb_build_object(
           'customer', jsonb_build_object('name', d.name, 'siret', nullif(split_part(d.search_text, E'\n', 3), ''), 'address', d.address,
             'postalCode', d.postal_code, 'city', d.city, 'country', d.country),
           'invoice', jsonb_build_object('number', i.number, 'amountCents', i.amount_cents, 'currency', i.currency, 'issueDate', i.issue_date,
             'dueDate', i.due_date, 'description', i.description, 'status', i.status, 'writtenOffAt', i.written_off_at),
           'payments', (select coalesce(jsonb_agg(jsonb_build_object('day', p.day, 'amountCents', p.amount_cents, 'status', p.status,
               'method', p.method, 'reference', p.external_reference) order by p.id), '[]')
             from payments p where p.tenant_id = i.tenant_id and p.invoice_id = i.id),
           'credits', (select coalesce(jsonb_agg(jsonb_build_object('number', c.number, 'issuedOn', c.issued_on, 'amountCents',
               c.amount_cents) order by c.id), '[]')
             from credits c where c.tenant_id = i.tenant_id and c.invoice_id = i.id)),
         a.pdf, p_wall
    from invoices i
    join tenants t on t.id = i.tenant_id and t.environment = 'production'
    join debtors d on d.tenant_id = i.tenant_id and d.id = i.debtor_id
    left join anr_documents a on a.tenant_id = i.tenant_id and a.invoice_id = i.id
   cross join lateral (select accounting_end(i.tenant_id, i.id) as until offset 0) kept
   where i.tenant_id = p_tenant and i.id = any (p_ids) and i.status <> 'draft' and i.number <> 'erased-' || i.id
     and kept.until >= p_today
  on conflict do nothing
$$;
grant execute on function block_invoices to relance_worker;

-- How much is kept of these persons, and until when.
create function count_blocked(p_tenant uuid, p_debtors uuid[], out n integer, out first_end date, out last_end date)
language sql stable security definer set search_path = public, pg_temp as $$
  select count(*)::integer, min(ends_on), max(ends_on) from blocked_records where tenant_id = p_tenant and debtor_id = any (p_debtors)
$$;
grant execute on function count_blocked to relance_worker;

create function purge_blocked_records(p_tenant uuid, p_today date) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from blocked_records where tenant_id = p_tenant and ends_on < p_today
$$;
grant execute on function purge_blocked_records to relance_worker;

-- Whether a text mentions a person. Needles are in small letters; digits are the last nine of a phone number, however it is written. In
-- plpgsql, as contact_points: it reads no table, but has a `from`, and such a function cannot be put into its caller.
create function mentions(p_text text, p_needles text[], p_digits text[]) returns boolean
language plpgsql immutable parallel safe as $$
begin
  return (
    select exists (select from unnest(p_needles) needle where strpos(t.small, needle) > 0)
        or exists (select from unnest(p_digits) number where strpos(t.digits, number) > 0)
      from (select lower(p_text) as small, regexp_replace(p_text, '[^0-9]', '', 'g') as digits offset 0) t);
end $$;
grant execute on function mentions to relance_worker;

-- Takes the texts out of a JSON value: with needles those that mention one, else all but codes, ids, days, moments and digests.
create function erase_texts(p_data jsonb, p_needles text[] default null, p_digits text[] default '{}') returns jsonb
language plpgsql immutable set search_path = public, pg_temp as $$
declare stays boolean;
begin
  case jsonb_typeof(p_data)
  when 'object' then
    return (select coalesce(jsonb_object_agg(key, case when p_needles is null and key = 'metadata' then '{}'
              else erase_texts(value, p_needles, p_digits) end), '{}') from jsonb_each(p_data));
  when 'array' then
    return (select coalesce(jsonb_agg(erase_texts(value, p_needles, p_digits) order by place), '[]')
              from jsonb_array_elements(p_data) with ordinality x(value, place));
  when 'string' then
    stays := case when p_needles is null
      then p_data #>> '{}' ~ '^([a-z][a-z0-9_.]*|[A-Z]{3}|[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+Z)?|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64})$'
      else not mentions(p_data #>> '{}', p_needles, p_digits) end;
    if stays then return p_data; end if;
    return '"Erased"';
  else
    return p_data;
  end case;
end $$;

-- The rows of a person. The bodies are made from server/src/features/integrations/tasks/erase/personal-data.ts; a guard compares them.
create function erase_invoice_rows(p_tenant uuid, p_ids uuid[], p_wall timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update actions set
      details = 'Erased',
      params = params - '{reason,note,said,groupedWith,kind,on}'::text[]
    where tenant_id = p_tenant and invoice_id = any (p_ids);
  delete from anr_documents where tenant_id = p_tenant and invoice_id = any (p_ids);
  update checkouts set
      session_id = null,
      session_url = null
    where tenant_id = p_tenant and invoice_id = any (p_ids);
  update credits set
      number = 'erased-' || id
    where tenant_id = p_tenant and invoice_id = any (p_ids);
  update disputes set
      reason = 'Erased',
      note = null,
      answer = null
    where tenant_id = p_tenant and invoice_id = any (p_ids);
  update events set
      data = erase_texts(data)
    where tenant_id = p_tenant and subject_id = any (p_ids);
  update extra_messages set
      about = null,
      written_sealed = null
    where tenant_id = p_tenant and invoice_id = any (p_ids);
  update invoices set
      number = 'erased-' || id,
      number_search = '',
      number_grams = '{}',
      description = null,
      metadata = '{}',
      notes = null,
      late_payment_waiver = late_payment_waiver || '{"reason": "Erased"}'
    where tenant_id = p_tenant and id = any (p_ids);
  update payments set
      external_reference = null,
      failure_reason = null,
      refund_reason = null
    where tenant_id = p_tenant and invoice_id = any (p_ids);
  update recoveries set
      filing_proof = null,
      service_proof = null
    where tenant_id = p_tenant and invoice_id = any (p_ids);
$$;
grant execute on function erase_invoice_rows to relance_worker;

create function erase_communication_rows(p_tenant uuid, p_ids uuid[], p_wall timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update calls set
      note = ''
    where tenant_id = p_tenant and communication_id = any (p_ids);
  update communications set
      provider_id = null,
      recipient_point = null,
      reason = null,
      document_sha256 = null
    where tenant_id = p_tenant and id = any (p_ids);
  delete from sandbox_messages where tenant_id = p_tenant and communication_id = any (p_ids);
  delete from sent_messages where tenant_id = p_tenant and communication_id = any (p_ids);
$$;
grant execute on function erase_communication_rows to relance_worker;

create function erase_debtor_rows(p_tenant uuid, p_ids uuid[], p_wall timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update actions set
      details = 'Erased',
      params = params - '{reason,note,said,groupedWith,kind,on}'::text[]
    where tenant_id = p_tenant and debtor_id = any (p_ids);
  delete from contact_salts where tenant_id = p_tenant and debtor_id = any (p_ids);
  delete from debtor_notes where tenant_id = p_tenant and debtor_id = any (p_ids);
  delete from debtor_people where tenant_id = p_tenant and debtor_id = any (p_ids);
  update debtors set
      name = 'Erased',
      name_key = 'erased ' || id,
      email = id || '@erased.invalid',
      email_key = id || '@erased.invalid',
      phone = null,
      siret = null,
      address = null,
      city = null,
      postal_code = null,
      notes = null,
      search_text = '',
      search_grams = '{}',
      insolvency_kind = null,
      insolvency_opened_on = null,
      insolvency_published_on = null,
      insolvency_court = null,
      insolvency_practitioner = null,
      insolvency_declare_by = null,
      insolvency_warned_days = null,
      insolvency_recorded_at = null,
      insolvency_declared_on = null,
      insolvency_proof = null,
      wrong_person = false
    where tenant_id = p_tenant and id = any (p_ids);
  update events set
      data = erase_texts(data)
    where tenant_id = p_tenant and subject_id = any (p_ids);
  update message_codes set
      expires_at = least(expires_at, p_wall)
    where tenant_id = p_tenant and debtor_id = any (p_ids);
  update replies set
      said = null,
      decision = null,
      content_sealed = null,
      text_state = case text_state when 'kept' then 'erased' else text_state end,
      outcome = null,
      answer_sealed = null
    where tenant_id = p_tenant and debtor_id = any (p_ids);
$$;
grant execute on function erase_debtor_rows to relance_worker;

-- Looks through up to `p_most` rows of a table after a position, for texts that may name anybody, and erases the persons that are
-- mentioned. Returns the position of the last row, null at the end of the table.
create function erase_mentions(p_tenant uuid, p_table text, p_after text, p_most integer, p_needles text[], p_digits text[], p_ids text[])
  returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  batch uuid[];
  hashes bytea[];
  next_place text;
begin
  case p_table
  when 'idempotency_keys' then
    hashes := array(select key_hash from idempotency_keys
      where tenant_id = p_tenant and key_hash > decode(coalesce(p_after, ''), 'hex') order by key_hash limit p_most);
    update idempotency_keys set status = 404,
        body = '{"success":false,"error":{"code":"RES_001","message":"This answer was erased, with the person it was about."}}'
     where tenant_id = p_tenant and key_hash = any (hashes) and not is_sealed and mentions(body, p_needles || p_ids, p_digits);
    return case when cardinality(hashes) = p_most then encode(hashes[p_most], 'hex') end;
  when 'conversations' then
    batch := array(select id from conversations where tenant_id = p_tenant and (p_after is null or id > p_after::uuid) order by id limit p_most);
    delete from conversations c where c.tenant_id = p_tenant and c.id = any (batch) and (
      mentions(c.last_message, p_needles || p_ids, p_digits)
      or exists (select from conversation_messages m where m.tenant_id = p_tenant and m.conversation_id = c.id
                    and mentions(m.text, p_needles || p_ids, p_digits))
      or exists (select from confirmations f where f.tenant_id = p_tenant and f.conversation_id = c.id
                    and mentions(f.plan || f.summary, p_needles || p_ids, p_digits)));
  when 'audit_log' then
    batch := array(select id from audit_log where tenant_id = p_tenant and (p_after is null or id > p_after::uuid) order by id limit p_most);
    update audit_log a
       set data = case when a.subject_id = any (p_ids) then erase_texts(a.data) else erase_texts(a.data, p_needles, p_digits) end,
           -- Those of somebody who acted for the company are kept.
           ip = case when a.actor->>'kind' <> 'debtor' then a.ip end,
           user_agent = case when a.actor->>'kind' <> 'debtor' then a.user_agent end
     where a.tenant_id = p_tenant and a.id = any (batch)
       and (a.subject_id = any (p_ids) or mentions(a.data::text, p_needles || p_ids, p_digits));
  when 'tasks' then
    batch := array(select id from tasks where tenant_id = p_tenant and (p_after is null or id > p_after::uuid) order by id limit p_most);
    update tasks t
       set input = erase_texts(t.input, p_needles, p_digits), refusals = erase_texts(t.refusals, p_needles, p_digits),
           review = erase_texts(t.review, p_needles, p_digits), report = erase_texts(t.report, p_needles, p_digits),
           failure = case when mentions(t.failure, p_needles, p_digits) then 'Erased' else t.failure end
     where t.tenant_id = p_tenant and t.id = any (batch)
       and mentions(concat_ws(' ', t.input, t.refusals, t.review, t.report, t.failure), p_needles, p_digits);
    update imports i set plan = erase_texts(i.plan, p_needles, p_digits)
     where i.tenant_id = p_tenant and i.task_id = any (batch) and mentions(i.plan::text, p_needles, p_digits);
    update task_items set message = null
     where tenant_id = p_tenant and task_id = any (batch) and code is not null and message is not null
       and (subject_id::text = any (p_ids) or mentions(message, p_needles, p_digits));
  when 'task_files' then
    -- A file cannot be looked through, and none is kept for longer than a day. What was gathered about another person stays.
    delete from task_files f where f.tenant_id = p_tenant and not exists (
      select from tasks t where t.tenant_id = p_tenant and t.file_id = f.id
         and (t.ended_at is null or (t.kind = 'access' and not t.input->>'debtorId' = any (p_ids))));
    return null;
  when 'import_rows' then
    -- A row is of one person: if it names them, its cells are deleted.
    with looked as (
      select task_id, line from import_rows
       where tenant_id = p_tenant
         and (p_after is null or (task_id, line) > (split_part(p_after, ' ', 1)::uuid, split_part(p_after, ' ', 2)::integer))
       order by task_id, line limit p_most),
    erased as (
      update import_rows r set cells = null, message = null, healed = null, debtor_key = null
        from looked l
       where r.tenant_id = p_tenant and r.task_id = l.task_id and r.line = l.line
         and (r.invoice_id::text = any (p_ids) or mentions(concat_ws(' ', r.cells, r.message, r.healed), p_needles || p_ids, p_digits)))
    select case when count(*) = p_most then (array_agg(task_id || ' ' || line order by task_id desc, line desc))[1] end
      into next_place from looked;
    return next_place;
  end case;
  return case when cardinality(batch) = p_most then batch[p_most]::text end;
end $$;
grant execute on function erase_mentions to relance_worker;

-- The caller holds the lock of the debtor. The record is found by no new invoice, and nothing is sent for it; what names the person stays
-- until the end, because their texts are found by it.
create function begin_erasure(p_tenant uuid, p_ids uuid[], p_wall timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into closed_points (tenant_id, point, channel, because, created_at)
  select p_tenant, (contact_points(p_tenant, id, '', null))[1], channel, 'erased', p_wall
    from unnest(p_ids) id cross join unnest(array['email', 'sms', 'lrar', 'voice']) channel
  on conflict do nothing;
  update debtors
     set erased_at = coalesce(erased_at, p_wall), name_key = 'erased ' || id, email_key = id || '@erased.invalid', siret = null
   where tenant_id = p_tenant and id = any (p_ids)
$$;
grant execute on function begin_erasure to relance_worker;

-- ── integrations/alerts ──

create table alert_links (
  token_hash bytea primary key,
  tenant_id uuid not null,
  person_id uuid,
  kind text not null,
  event_ids uuid[] not null,
  total integer not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table alert_links is 'The link of an alert mail; of its token only the hash.';
create index alert_links_by_age on alert_links (expires_at);
grant select on alert_links to relance_api;
grant select, insert on alert_links to relance_worker;

-- The holder of the link acts as its person, while that person gets the alerts of the company; or as its owner, while it has no other.
create function enter_by_alert_link(p_hash bytea, p_wall timestamptz) returns bigint
language plpgsql as $$
declare found_link record;
begin
  select l.tenant_id, l.person_id, l.kind, t.company_id, c.enabled as company_enabled, t.clock_offset_ms + i.clock_offset_ms as offset_ms
    into found_link
    from alert_links l join tenants t on t.id = l.tenant_id join companies c on c.id = t.company_id cross join installation i
   where l.token_hash = p_hash and l.expires_at > p_wall;
  if not found or not receives_alerts(found_link.company_id, found_link.person_id, found_link.kind) then
    raise exception 'link is dead' using errcode = 'RL001';
  end if;
  if not found_link.company_enabled then
    raise exception 'company disabled' using errcode = 'RL002';
  end if;
  perform set_config('relance.tenant', found_link.tenant_id::text, true);
  return found_link.offset_ms;
end $$;
grant execute on function enter_by_alert_link to relance_api;

create function purge_alerts(p_wall timestamptz, p_most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gone integer;
  more integer;
begin
  delete from alerts where ctid = any (array(
    select ctid from alerts where recorded_at < p_wall - interval '7 days' order by recorded_at limit p_most));
  get diagnostics gone = row_count;
  delete from alert_batches where ctid = any (array(
    select ctid from alert_batches where due_at is null and mailed_at < p_wall - interval '2 days' order by mailed_at limit p_most));
  get diagnostics more = row_count;
  gone := greatest(gone, more);
  delete from alert_links where ctid = any (array(
    select ctid from alert_links where expires_at < p_wall order by expires_at limit p_most));
  get diagnostics more = row_count;
  return greatest(gone, more);
end $$;
grant execute on function purge_alerts to relance_worker;

-- ── integrations/sandbox ──

-- Takes the sandbox alone, until the end of the transaction. False: another transaction is about to have it alone. Waits for those that
-- share it, but not long: who comes later waits behind it, so it gives up before they would, and is tried again.
create function lock_sandbox_exclusive() returns boolean
language plpgsql set lock_timeout = '300ms' as $$
declare mine integer := hashtext(current_setting('relance.tenant'));
begin
  if not pg_try_advisory_xact_lock(1919710051, mine) then return false; end if;
  perform pg_advisory_xact_lock(1919710050, mine);
  return true;
end $$;
grant execute on function lock_sandbox_exclusive to relance_api;

-- Moves the clock of a sandbox forward. Agendas have wall time, so what was planned for a day that has passed is due now; each is then
-- handled as at its own moment.
create function advance_clock(p_ms bigint) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare mine uuid := current_setting('relance.tenant')::uuid;
begin
  if p_ms < 0 then raise exception 'a clock never goes back' using errcode = '22023'; end if;
  update tenants set clock_offset_ms = clock_offset_ms + p_ms where id = mine and environment = 'sandbox';
  if not found then return false; end if;
  update agendas set wake_at = wake_at - p_ms * interval '1 millisecond' where tenant_id = mine and wake_at is not null;
  return true;
end $$;
grant execute on function advance_clock to relance_api;

-- Sets the clock of an emptied sandbox back to real time; nothing that was planned by the old clock is left.
create function rewind_clock() returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare mine uuid := current_setting('relance.tenant')::uuid;
begin
  if exists (select from agendas where tenant_id = mine) then
    raise exception 'a sandbox that is not empty keeps its time' using errcode = '22023';
  end if;
  update tenants set clock_offset_ms = 0 where id = mine and environment = 'sandbox';
  return found;
end $$;
grant execute on function rewind_clock to relance_api;

-- Deletes everything of a sandbox but its keys, settings, webhooks and clock. Who made which credential is kept.
create function reset_sandbox() returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mine uuid := current_setting('relance.tenant')::uuid;
  t text;
begin
  if not exists (select from tenants where id = mine and environment = 'sandbox') then return false; end if;
  foreach t in array array['sent_messages', 'pending_tasks', 'tasks', 'task_files', 'import_mappings', 'blocked_records', 'unknown_messages', 'score_marks',
    'message_codes', 'early_receipts', 'calls', 'checkouts', 'sandbox_messages', 'contact_slots', 'pending_sends',
    'communication_invoices', 'extra_messages', 'communications', 'anr_documents', 'listed_claims', 'claim_lists', 'debtor_notes', 'promises', 'disputes', 'postings', 'credits',
    'payments', 'actions', 'recoveries', 'invoices', 'contact_ledger', 'contact_salts', 'agendas', 'closed_points', 'debtors',
    'outbox', 'webhook_queue', 'webhook_deliveries', 'count_deltas', 'count_totals', 'count_days', 'count_debtor_invoices',
    'count_magnitudes', 'count_due', 'count_debtor_open', 'count_debtor_standings', 'count_standings', 'count_slots',
    'day_figures']
  loop
    execute format('delete from %I where tenant_id = $1 %s', t, case t when 'count_deltas' then 'and kind <> ''bytes''' end) using mine;
  end loop;
  delete from events where tenant_id = mine and not is_audit;
  -- The triggers have counted what was just deleted: there is nothing left to count. An upload that arrives meanwhile goes on, so the
  -- bytes are counted on.
  delete from count_deltas where tenant_id = mine and kind <> 'bytes';
  return true;
end $$;
grant execute on function reset_sandbox to relance_api;

revoke all on all functions in schema public from public;
