-- Where money goes: the name of the account holder, changes that wait before they count, and transactions of a signed-in person.

alter table company_settings add column account_holder text;

-- A change of where money goes, until it takes effect or is withdrawn: one per field, in production only.
create table payout_changes (
  tenant_id uuid not null references tenants,
  field text not null check (field in ('legalName', 'iban', 'accountHolder', 'replyEmail', 'paymentAccount')),
  -- Null clears the field.
  value text,
  requested_by jsonb not null,
  requested_at timestamptz not null,
  effective_at timestamptz not null,
  primary key (tenant_id, field)
);
create index payout_changes_due on payout_changes (effective_at);
alter table payout_changes enable row level security;
alter table payout_changes force row level security;
create policy one_tenant on payout_changes using (tenant_id = current_setting('relance.tenant')::uuid);

-- Whose changes are due. Ids only: the rest is read in the tenant.
create function tenants_with_due_changes(p_wall timestamptz, p_most integer) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct tenant_id from (
    select tenant_id from payout_changes where effective_at <= p_wall order by effective_at limit p_most) due
$$;

-- The owners of the company whose tenant was entered. The operator may mail them without reading who they are.
create function owners_of_company() returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select m.person_id from tenants t join memberships m on m.company_id = t.company_id and m.role = 'owner'
   where t.id = current_setting('relance.tenant')::uuid
$$;

-- Since when a member has this role; null: since they joined. Who was made an owner a moment ago confirms nothing.
alter table memberships add column role_since timestamptz;

-- The opening statement of a transaction of a signed-in person, all by primary key: the session lives and is theirs, they still
-- have this role in the company, and the company is enabled.
create function enter_by_session(p_hash bytea, p_person uuid, p_role text, p_tenant uuid, p_wall timestamptz) returns bigint
language plpgsql as $$
declare found_tenant record;
begin
  select t.environment, t.company_id, t.clock_offset_ms + i.clock_offset_ms as offset_ms, c.enabled as company_enabled into found_tenant
    from tenants t join companies c on c.id = t.company_id cross join installation i where t.id = p_tenant;
  if not found
     or not exists (select from sessions where token_hash = p_hash and person_id = p_person and expires_at > p_wall)
     or not exists (
       select from memberships where person_id = p_person and company_id = found_tenant.company_id and role = p_role) then
    raise exception 'credential refused' using errcode = 'RL001';
  end if;
  if not found_tenant.company_enabled then
    raise exception 'company disabled' using errcode = 'RL002';
  end if;
  perform set_config('relance.tenant', p_tenant::text, true);
  if found_tenant.environment = 'sandbox' then return share_sandbox(p_tenant); end if;
  return found_tenant.offset_ms;
end $$;

-- ── mail about it ──

-- What the mail says, masked.
alter table notices add column about jsonb;
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check
  check (kind in ('webhook_failing', 'webhook_disabled', 'verify_email', 'reset_password', 'invitation', 'account_exists',
    'passkey_added', 'password_changed', 'payout_change'));

-- ── who may do what ──

revoke all on function tenants_with_due_changes, owners_of_company, enter_by_session from public;
grant execute on function tenants_with_due_changes to relance_worker;
grant execute on function owners_of_company to relance_api, relance_worker, relance_operator;
grant execute on function enter_by_session to relance_api;
grant select, insert, update, delete on payout_changes to relance_api, relance_operator;
grant select, delete on payout_changes to relance_worker;
-- A change is applied by the worker; the operator sets where money goes for a company that cannot.
grant insert, update on company_settings to relance_worker;
grant select, insert, update on company_settings to relance_operator;
grant select, insert on events to relance_operator;
grant insert (id, kind, subject_id, about, due_at, created_at) on notices to relance_api, relance_operator;
grant update (role_since) on memberships to relance_api;
