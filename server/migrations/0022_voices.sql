-- The two voices of a message: what a creditor shows of itself, the mandate of a collector, and when nothing is sent because one of them is missing.

-- ── what a creditor shows of itself ──

-- R123-237 C. com.: the SIREN on every letter written in the name of a company.
alter table company_settings
  add column siren text check (siren ~ '^[0-9]{9}$'),
  add column telephone text;
-- Where debtors call is where they can be told another account: changed like the address for replies.
alter table payout_changes
  drop constraint payout_changes_field_check,
  add constraint payout_changes_field_check
    check (field in ('legalName', 'iban', 'accountHolder', 'replyEmail', 'telephone', 'paymentAccount'));

-- Apart from the settings, which are read with every message; it is read only by the messages and pages that show it.
create table company_logos (
  tenant_id uuid primary key references tenants,
  media_type text not null check (media_type in ('image/png', 'image/jpeg')),
  bytes bytea not null check (octet_length(bytes) between 1 and 204800),
  updated_at timestamptz not null
);
alter table company_logos enable row level security;
alter table company_logos force row level security;
create policy one_tenant on company_logos using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update, delete on company_logos to relance_api;
grant select on company_logos to relance_worker, relance_operator;

-- ── the mandate of a collector ──

-- The written convention of R124-3 C. pr. civ. d'exécution: the day it was signed, and where the operator keeps it. With it the
-- operator collects for the company; without it the company writes in its own voice. Earlier mandates are in the audit log.
alter table companies
  add column mandate_signed_on date,
  add column mandate_reference text,
  add constraint companies_mandate_check check ((mandate_signed_on is null) = (mandate_reference is null));
grant update (mandate_signed_on, mandate_reference) on companies to relance_operator;

-- Who collects, {name, address, siren}: written by the workers, like their channels, if they have everything that R124-2 wants of a
-- collector. Null: nobody is collected for.
alter table installation add column collector jsonb;
grant update (collector) on installation to relance_worker;

-- ── when nothing is sent ──

-- Why nothing may be sent for a tenant; null if it may. The only place where this is judged: by every wake-up, claim and fence.
-- `company_settings.collector_mode` was set by API keys before there were mandates; alone it allows nothing.
create function stop_reason(p_tenant uuid, p_provider text default null) returns text
language plpgsql stable as $$
declare
  found_reason text;
begin
  select case
           when exists (select from stops o where o.ended_at is null
                 and o.target = any (array[case when t.environment = 'production' then '*' end, t.company_id::text, t.id::text, p_provider]))
             then 'sending_stopped'
           when c.mandate_signed_on is null and s.collector_mode then 'mandate_missing'
           when c.mandate_signed_on is not null and i.collector is null then 'collector_unconfigured'
           when t.environment = 'production' and (s.address is null or s.postal_code is null or s.city is null
                 or coalesce(s.iban, s.payment_account) is null) then 'company_incomplete'
         end
    into found_reason
    from tenants t
    join companies c on c.id = t.company_id
    cross join installation i
    left join company_settings s on s.tenant_id = t.id
   where t.id = p_tenant;
  return found_reason;
end $$;

-- As in 0011, and by tenant: one that waits for months does not make the others wait for its debtors to be read.
create or replace function release_stopped(p_wall timestamptz, p_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with recursive waiting_tenant as (
    (select tenant_id from agendas where wake_because = 'sending_stopped' and wake_at is null order by tenant_id limit 1)
    union all
    select (select a.tenant_id from agendas a where a.wake_because = 'sending_stopped' and a.wake_at is null and a.tenant_id > w.tenant_id
             order by a.tenant_id limit 1)
      from waiting_tenant w where w.tenant_id is not null),
  released_tenant as (
    select tenant_id from waiting_tenant where tenant_id is not null and stop_reason(tenant_id) is null),
  waiting as (
    select a.tenant_id, a.debtor_id
      from agendas a join released_tenant r on r.tenant_id = a.tenant_id
     where a.wake_because = 'sending_stopped' and a.wake_at is null
     order by a.tenant_id, a.debtor_id limit p_most for no key update of a skip locked),
  numbered as (select tenant_id, debtor_id, row_number() over (order by tenant_id, debtor_id) as n from waiting),
  released as (
    update agendas a set wake_at = p_wall + n * interval '20 milliseconds', wake_because = 'cascade', wake_gen = a.wake_gen + 1, attempts = 0
      from numbered x where a.tenant_id = x.tenant_id and a.debtor_id = x.debtor_id returning 1)
  select count(*)::integer from released
$$;

-- The same for one tenant, in the transaction that completed it: its first debtors, a bounded number. The others are found by the
-- hourly run of `release_stopped`.
create function release_tenant(p_tenant uuid, p_wall timestamptz, p_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with waiting as (
    select a.debtor_id from agendas a
     where a.tenant_id = p_tenant and a.wake_because = 'sending_stopped' and a.wake_at is null and stop_reason(p_tenant) is null
     order by a.debtor_id limit p_most for no key update of a),
  numbered as (select debtor_id, row_number() over (order by debtor_id) as n from waiting),
  released as (
    update agendas a set wake_at = p_wall + n * interval '20 milliseconds', wake_because = 'cascade', wake_gen = a.wake_gen + 1, attempts = 0
      from numbered x where a.tenant_id = p_tenant and a.debtor_id = x.debtor_id returning 1)
  select count(*)::integer from released
$$;

revoke all on function stop_reason, release_tenant from public;
grant execute on function stop_reason to relance_api, relance_worker, relance_operator;
grant execute on function release_tenant to relance_api, relance_worker, relance_operator;
