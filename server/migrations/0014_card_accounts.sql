-- Card accounts that are known to be the creditor's, checkouts that end with their invoice, tokens that
-- turns reserve, whose promise it is, and sandbox clocks that can be set back.

-- ── accounts at the payment provider ──

-- The one account of a company at the payment provider: opened for it by the provider's onboarding, or entered by the operator.
-- No other account is ever charged for it, and no account is two companies'.
create table card_accounts (
  tenant_id uuid primary key references tenants,
  account text not null unique,
  source text not null check (source in ('onboarding', 'operator')),
  created_at timestamptz not null
);

-- The companies somebody owns, and how cards are paid to them: for that person's own page.
create function card_accounts_of(p_owner uuid)
  returns table (company_id uuid, name text, country text, tenant_id uuid, account text, source text, in_use boolean)
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  entered text := coalesce(current_setting('relance.tenant', true), '');
  owned record;
begin
  for owned in
    select c.id, c.name, c.country, t.id as tenant, a.account, a.source
      from memberships m
      join companies c on c.id = m.company_id
      join tenants t on t.company_id = c.id and t.environment = 'production'
      left join card_accounts a on a.tenant_id = t.id
     where m.person_id = p_owner and m.role = 'owner' and c.enabled
     order by c.name, c.id limit 200
  loop
    perform set_config('relance.tenant', owned.tenant::text, true);
    return query select owned.id, owned.name, owned.country, owned.tenant, owned.account, owned.source,
      coalesce((select s.payment_account = owned.account from company_settings s where s.tenant_id = owned.tenant), false);
  end loop;
  perform set_config('relance.tenant', entered, true);
end $$;

-- ── checkouts that end with their invoice ──

-- Where the payer was sent; the next message sends them there too.
alter table checkouts add column session_url text;

-- Checkouts whose session at the provider has to be ended: the invoice was settled otherwise, or another amount is due.
create table checkout_expiries (
  tenant_id uuid not null,
  checkout_id uuid not null,
  due_at timestamptz not null,
  attempts integer not null,
  primary key (tenant_id, checkout_id),
  foreign key (tenant_id, checkout_id) references checkouts (tenant_id, id) on delete cascade
);
create index checkout_expiries_due on checkout_expiries (due_at);

-- Whatever changes what an invoice owes ends its open checkouts, in the same transaction.
create function end_checkouts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into checkout_expiries (tenant_id, checkout_id, due_at, attempts)
  select c.tenant_id, c.id, '-infinity', 0 from checkouts c
   where c.tenant_id = new.tenant_id and c.invoice_id = new.id and c.status = 'open' and c.payment_id is null
  on conflict do nothing;
  return null;
end $$;
create trigger invoices_end_checkouts after update of status, paid_cents, credited_cents on invoices
  for each row when (
    (old.status is distinct from new.status and new.status in ('paid', 'cancelled', 'written_off', 'disputed', 'judicial'))
    or old.paid_cents is distinct from new.paid_cents or old.credited_cents is distinct from new.credited_cents)
  execute function end_checkouts();

-- ── tokens of the assistant ──

-- Held by turns under way, and given back when they end. What a process that died held is given back with the day.
alter table conversation_tokens add column reserved bigint not null default 0 check (reserved >= 0);

-- ── promises ──

-- Made by the debtor, on the page or in a call, and not noted by the creditor: these are limited.
alter table promises add column by_debtor boolean not null default false;

-- ── the clock of a sandbox ──

-- Sets the clock of an emptied sandbox back to real time; nothing is left that was planned by the old one.
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

-- ── who may do what ──

revoke all on function card_accounts_of, end_checkouts, rewind_clock from public;
grant execute on function card_accounts_of, rewind_clock to relance_api;
grant select, insert on card_accounts to relance_api;
grant select, insert, update on card_accounts to relance_operator;
grant select, insert on checkout_expiries to relance_api;
grant select, update, delete on checkout_expiries to relance_worker;
grant select, update on checkouts to relance_worker;
