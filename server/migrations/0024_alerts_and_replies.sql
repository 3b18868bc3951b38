-- The creditor is mailed about what debtors, providers and time did, with a link to act on it; and a reply holds a debtor until it was read.

-- ── who is mailed ──

-- Null: owners are, others are not.
alter table memberships add column hears_alerts boolean;

-- The worker mails people without reading who belongs to which company. Without an owner who is a person there is one row, with
-- null: the address the company was opened with.
create function alert_recipients(p_company uuid) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select person_id from memberships where company_id = p_company and coalesce(hears_alerts, role = 'owner')
  union all
  select null where not exists (select from memberships where company_id = p_company and role = 'owner')
$$;

-- The same for one of them, null included.
create function hears_alerts(p_company uuid, p_person uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from alert_recipients(p_company) r where r is not distinct from p_person)
$$;

-- ── platform: ids and moments only ──

-- Something a creditor has to hear of; gone as soon as it is in the batch of its tenant and kind.
create table alerts (
  tenant_id uuid not null,
  kind text not null,
  -- The event; of a provider that is away, the tenant.
  subject_id uuid not null,
  recorded_at timestamptz not null,
  primary key (tenant_id, kind, subject_id)
);
create index alerts_by_age on alerts (recorded_at);

-- What waits to be mailed, and when the last mail of this kind was written: a storm becomes one mail in ten minutes.
create table alert_batches (
  tenant_id uuid not null,
  kind text not null,
  -- The first of them, which the mail names.
  event_ids uuid[] not null default '{}',
  waiting integer not null default 0,
  due_at timestamptz,
  mailed_at timestamptz,
  primary key (tenant_id, kind)
);
create index alert_batches_due on alert_batches (due_at) where due_at is not null;
create index alert_batches_by_age on alert_batches (mailed_at) where due_at is null;

-- The link in a mail, known by the hash of its token. Without a person it belongs to the address the company was opened with.
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
create index alert_links_by_age on alert_links (expires_at);

-- Who holds the link acts as its person, while that person belongs to the company; or as its owner, while it has no other.
create function enter_by_alert_link(p_hash bytea, p_wall timestamptz) returns bigint
language plpgsql as $$
declare found_link record;
begin
  select l.tenant_id, l.person_id, t.company_id, c.enabled as company_enabled, t.clock_offset_ms + i.clock_offset_ms as offset_ms
    into found_link
    from alert_links l join tenants t on t.id = l.tenant_id join companies c on c.id = t.company_id cross join installation i
   where l.token_hash = p_hash and l.expires_at > p_wall;
  if not found or not hears_alerts(found_link.company_id, found_link.person_id) then
    raise exception 'link is dead' using errcode = 'RL001';
  end if;
  if not found_link.company_enabled then
    raise exception 'company disabled' using errcode = 'RL002';
  end if;
  perform set_config('relance.tenant', found_link.tenant_id::text, true);
  return found_link.offset_ms;
end $$;

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

-- ── tenant ──

-- A person answered; never what they wrote. While one is unread, its debtor is reminded of nothing.
create table replies (
  tenant_id uuid not null,
  id uuid not null,
  debtor_id uuid not null,
  communication_id uuid not null,
  channel text not null check (channel in ('email', 'sms', 'lrar', 'voice')),
  received_at timestamptz not null,
  read_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, debtor_id) references debtors (tenant_id, id) on delete cascade
);
create index replies_of_debtor on replies (tenant_id, debtor_id, id);
create index replies_unread on replies (tenant_id, debtor_id) where read_at is null;
create index replies_read on replies (tenant_id, read_at) where read_at is not null;
alter table replies enable row level security;
alter table replies force row level security;
create policy one_tenant on replies using (tenant_id = current_setting('relance.tenant')::uuid);

create function purge_replies(p_tenant uuid, p_before timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from replies where tenant_id = p_tenant and read_at is not null and read_at < p_before
$$;

alter table recoveries drop constraint holds_are_known;
alter table recoveries add constraint holds_are_known
  check (holds <@ array['asked', 'promise', 'dispute', 'upheld', 'reopened', 'insolvency', 'wrong_person', 'reply']) not valid;

-- ── who may do what ──

revoke all on function alert_recipients, hears_alerts, enter_by_alert_link, purge_alerts, purge_replies from public;
grant execute on function alert_recipients, hears_alerts to relance_api, relance_worker;
grant execute on function enter_by_alert_link to relance_api;
grant execute on function purge_alerts, purge_replies to relance_worker;
grant insert on alerts to relance_api, relance_worker, relance_operator;
-- With update, since reading them for update needs it.
grant select, update, delete on alerts to relance_worker;
grant select, insert, update on alert_batches to relance_worker;
grant select, insert on alert_links to relance_worker;
grant select on alert_links to relance_api;
grant select, insert, update on replies to relance_api;
grant select on replies to relance_worker;
grant update (hears_alerts) on memberships to relance_api;
