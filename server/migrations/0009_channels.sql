-- What the debtor receives and answers: the code every message carries, news of messages from providers, a company's own words, calls, card payments under way, what is claimed for late payment.

-- ── one code per message: it names the message to its provider and opens the debtor's page ──

-- No personal data: it only leads to the tenant, where the rest is closed by policy.
create table message_codes (
  code text primary key,
  tenant_id uuid not null references tenants,
  communication_id uuid not null,
  debtor_id uuid not null,
  expires_at timestamptz not null,
  -- Whoever holds it said to be somebody else: it shows nothing any more, whatever becomes of the debtor's address.
  disowned boolean not null default false
);
create index message_codes_by_age on message_codes (expires_at);
create index message_codes_by_debtor on message_codes (tenant_id, debtor_id);

-- Whoever holds the code of a message may act for its debtor until it expires, also when the company was switched off: what
-- the debtor may do does not end with it. Returns the tenant's clock offset; without a
-- living code there is no tenant, and every question raises.
create function enter_by_code(p_code text, p_wall timestamptz) returns bigint
language plpgsql as $$
declare found_code record;
begin
  select m.tenant_id, t.environment, t.clock_offset_ms + i.clock_offset_ms as offset_ms into found_code
    from message_codes m
    join tenants t on t.id = m.tenant_id
    cross join installation i
   where m.code = p_code and m.expires_at > p_wall;
  if not found then raise exception 'code is dead' using errcode = 'RL001'; end if;
  perform set_config('relance.tenant', found_code.tenant_id::text, true);
  if found_code.environment = 'sandbox' then return share_sandbox(found_code.tenant_id); end if;
  return found_code.offset_ms;
end $$;

-- For news of money alone: a card payment may be taken back months after the page was closed, and what arrived is never refused.
create function enter_by_old_code(p_code text) returns bigint
language plpgsql as $$
declare found_code record;
begin
  select m.tenant_id, t.environment, t.clock_offset_ms + i.clock_offset_ms as offset_ms into found_code
    from message_codes m join tenants t on t.id = m.tenant_id cross join installation i where m.code = p_code;
  if not found then raise exception 'code is unknown' using errcode = 'RL001'; end if;
  perform set_config('relance.tenant', found_code.tenant_id::text, true);
  if found_code.environment = 'sandbox' then return share_sandbox(found_code.tenant_id); end if;
  return found_code.offset_ms;
end $$;

create function purge_message_codes(p_before timestamptz, p_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with old as (select code from message_codes where expires_at < p_before order by expires_at limit p_most),
  gone as (delete from message_codes m using old where m.code = old.code returning 1)
  select count(*)::integer from gone
$$;

-- ── what providers tell ──

-- An event is heard once. Ids of providers only.
create table provider_events (
  provider text not null,
  event_id text not null,
  heard_at timestamptz not null,
  primary key (provider, event_id)
);
create index provider_events_by_age on provider_events (heard_at);

create function purge_provider_events(p_before timestamptz, p_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with old as (select provider, event_id from provider_events where heard_at < p_before order by heard_at limit p_most),
  gone as (delete from provider_events e using old where e.provider = old.provider and e.event_id = old.event_id returning 1)
  select count(*)::integer from gone
$$;

-- News of a message that came before its sending was written down. It waits here and is told again.
create table early_receipts (
  tenant_id uuid not null references tenants,
  communication_id uuid not null,
  outcome text not null,
  at timestamptz not null,
  heard_at timestamptz not null,
  try_at timestamptz not null,
  primary key (tenant_id, communication_id, outcome)
);
create index early_receipts_due on early_receipts (try_at);

-- An answer by text message names nobody but a phone. Whoever wrote there, in whichever tenant, is answered: the code of the
-- last text message of each, and nothing else.
create function codes_by_phone(p_phone text, p_since timestamptz) returns setof text
language sql stable security definer set search_path = public, pg_temp as $$
  select last.code
    from tenants t
   cross join lateral (
     select d.id from debtors d where d.tenant_id = t.id and d.phone = p_phone offset 0) person
   cross join lateral (
     select m.code from communications c
       join message_codes m on m.tenant_id = t.id and m.debtor_id = person.id and m.communication_id = c.id
      where c.tenant_id = t.id and c.debtor_id = person.id and c.channel = 'sms' and c.reserved_at > p_since
        and c.state in ('sending', 'sent', 'delivered', 'bounced', 'unknown')
      order by c.reserved_at desc limit 1) last
   where t.environment = 'production'
$$;

-- ── what was sent ──

-- The letter as it was printed, and what is asked of a message that nobody is sure of.
alter table communications add column document_sha256 bytea, add column looked_up_at timestamptz;
-- What an answer to the debtor speaks of: the payment it is the receipt of, the day that was promised.
alter table extra_messages add column about jsonb;

-- ── words of one's own ──

create table own_words (
  tenant_id uuid not null references tenants,
  step text not null,
  channel text not null check (channel in ('email', 'sms', 'lrar', 'voice')),
  language text not null check (language in ('fr', 'en')),
  subject text,
  opening text,
  updated_at timestamptz not null,
  primary key (tenant_id, step, channel, language)
);

-- ── calls ──

-- Never the conversation itself: its result, and a short note. As long as it lasts it has no end.
create table calls (
  tenant_id uuid not null,
  communication_id uuid not null,
  outcome text not null check (outcome in
    ('voicemail', 'unreachable', 'invoice_not_received', 'waiting_approval', 'dispute', 'promise', 'payment_sent', 'wrong_person',
     'opt_out', 'hand_over', 'nothing_agreed')),
  note text not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, communication_id),
  foreign key (tenant_id, communication_id) references communications (tenant_id, id) on delete cascade
);

-- ── paying by card ──

create table checkouts (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  communication_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null,
  -- The creditor's at the provider: money elsewhere is none of this checkout's.
  account text not null,
  session_id text,
  payment_id uuid,
  status text not null check (status in ('open', 'completed', 'failed', 'expired')),
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id) on delete cascade
);
create index checkouts_by_invoice on checkouts (tenant_id, invoice_id, id);

-- ── what is claimed for late payment ──

-- The 40 € and the interest as last claimed in a message: what is paid beyond the principal goes there first.
alter table invoices add column claimed_cents bigint not null default 0 check (claimed_cents >= 0);
alter table company_settings
  add column claims_late_payment boolean not null default true,
  add column payment_account text;

do $$
declare t text;
begin
  foreach t in array array['own_words', 'calls', 'checkouts']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy one_tenant on %I using (tenant_id = current_setting(''relance.tenant'')::uuid)', t);
  end loop;
end $$;

-- Codes, news and what hangs on messages go with them.
create or replace function reset_sandbox() returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mine uuid := current_setting('relance.tenant')::uuid;
  t text;
begin
  if not exists (select from tenants where id = mine and environment = 'sandbox') then return false; end if;
  foreach t in array array['message_codes', 'early_receipts', 'calls', 'checkouts', 'sandbox_messages', 'contact_slots', 'pending_sends',
    'communication_invoices', 'extra_messages', 'communications', 'anr_documents', 'promises', 'disputes', 'postings', 'credits',
    'payments', 'actions', 'recoveries', 'invoices', 'contact_ledger', 'contact_salts', 'agendas', 'closed_points', 'debtors',
    'outbox', 'webhook_queue', 'webhook_deliveries', 'count_deltas', 'count_totals', 'count_days', 'count_debtor_invoices',
    'count_magnitudes']
  loop
    execute format('delete from %I where tenant_id = $1', t) using mine;
  end loop;
  delete from events where tenant_id = mine and not is_act;
  -- The triggers have counted what just went: there is nothing left to count.
  delete from count_deltas where tenant_id = mine;
  return true;
end $$;

-- Whoever comes after one who waits for a sandbox waits behind it: the one gives up long before the others would have to, and
-- asks again.
alter function have_sandbox_alone() set lock_timeout = '300ms';

-- ── who may do what ──

revoke all on function enter_by_code, enter_by_old_code, codes_by_phone, purge_message_codes, purge_provider_events from public;
grant execute on function enter_by_code, enter_by_old_code, codes_by_phone to relance_api;
grant execute on function purge_message_codes, purge_provider_events to relance_worker;
grant select, insert on message_codes to relance_worker;
grant select, update (disowned) on message_codes to relance_api;
grant select, insert on provider_events to relance_api;
grant select, insert on early_receipts to relance_api;
grant select, update, delete on early_receipts to relance_worker;
grant select, insert, update, delete on own_words to relance_api;
grant select on own_words, credits, postings to relance_worker;
grant select, insert, update on calls, checkouts to relance_api;
