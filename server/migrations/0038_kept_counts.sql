-- Where each invoice stands, what is open by due day and by debtor, and what is planned and sent by quarter hour: kept, not counted.

-- ── where an invoice stands ──

-- The first of the holds in this order names the pause. `decide`: it runs, and has no moment, so a person has to act.
-- Kept equal with domain/recovery/standing.ts by a test.
create function standing_of(p_status text, p_holds text[], p_has_moment boolean) returns text
language sql immutable parallel safe as $$
  select case p_status
    when 'pending' then 'pending'
    when 'judicial' then 'judicial'
    when 'in_recovery' then case when p_has_moment then 'running' else 'decide' end
    when 'paused' then 'held:' || case
      when 'dispute' = any (p_holds) then 'dispute'
      when 'wrong_person' = any (p_holds) then 'wrong_person'
      when 'insolvency' = any (p_holds) then 'insolvency'
      when 'reply' = any (p_holds) then 'reply'
      when 'upheld' = any (p_holds) then 'upheld'
      when 'reopened' = any (p_holds) then 'reopened'
      when 'promise' = any (p_holds) then 'promise'
      when 'asked' = any (p_holds) then 'asked'
      else 'debtor' end
    else 'ended' end
$$;

-- Null: a row from before, which the next migration fills. It is counted by its due day from then on.
alter table invoices add column standing text, add column open_cents bigint;
alter table invoices alter column standing set default 'running';
alter table invoices add constraint standing_is_known
  check (standing in ('pending', 'running', 'decide', 'judicial', 'ended') or starts_with(standing, 'held:')) not valid;

-- What is still to be paid of the principal. The condition is false for whoever writes it right, as the insert does.
create function know_open_cents() returns trigger language plpgsql as $$
begin
  new.open_cents := case when new.status in ('paid', 'written_off', 'cancelled') then 0
                         else greatest(new.amount_cents - new.paid_cents - new.credited_cents, 0) end;
  return new;
end $$;
create trigger know_open_cents_of_new before insert on invoices for each row
  when (new.open_cents is distinct from case when new.status in ('paid', 'written_off', 'cancelled') then 0
          else greatest(new.amount_cents - new.paid_cents - new.credited_cents, 0) end) execute function know_open_cents();
create trigger know_open_cents before update on invoices for each row
  when (new.open_cents is distinct from case when new.status in ('paid', 'written_off', 'cancelled') then 0
          else greatest(new.amount_cents - new.paid_cents - new.credited_cents, 0) end) execute function know_open_cents();

-- A recovery is taken to run from its first moment, as the default of the column says; of any other the insert wrote the standing.
create function keep_standing_of_new() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  stands text := standing_of(new.status, new.holds, new.due_at is not null);
begin
  -- Looked at first: an update of no row would still cost the triggers of invoices.
  if exists (select from invoices where tenant_id = new.tenant_id and id = new.invoice_id and standing is distinct from stands) then
    update invoices set standing = stands where tenant_id = new.tenant_id and id = new.invoice_id;
  end if;
  return null;
end $$;
create trigger keep_standing_of_new after insert on recoveries for each row
  when (new.status <> 'in_recovery' or new.due_at is null) execute function keep_standing_of_new();

-- A send moves the moment and changes no standing. By the statement: ten thousand recoveries of a debtor are held by a few statements.
create function keep_standings() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Looked at first, as above. By what is in one table and not in the other: a join of the two would be planned for few rows.
  if exists (
    select tenant_id, invoice_id, status, holds, due_at is not null from fresh
    except select tenant_id, invoice_id, status, holds, due_at is not null from old_rows)
  then
    update invoices i set standing = changed.stands
      from (select tenant_id, invoice_id, standing_of(status, holds, has_moment) as stands
              from (select tenant_id, invoice_id, status, holds, due_at is not null as has_moment from fresh
                    except select tenant_id, invoice_id, status, holds, due_at is not null from old_rows) x) changed
     where i.tenant_id = changed.tenant_id and i.id = changed.invoice_id and i.standing is distinct from changed.stands;
  end if;
  return null;
end $$;
create trigger keep_standings after update on recoveries
  referencing new table as fresh old table as old_rows for each statement execute function keep_standings();

create index invoices_by_standing on invoices (tenant_id, standing, id) include (due_date);
create index invoices_by_open_sum on invoices (tenant_id, open_cents, id);

-- ── what is open, by due day and standing, and by debtor ──

alter table count_deltas
  -- An open sum: of which day, and of the debtor in `debtor_id`.
  add column due_day date,
  add column standing text,
  add column open_n integer not null default 0,
  add column open_cents bigint not null default 0,
  -- A quarter hour, counted from 1970 by the tenant's clock; its channel is in `method`, its state in `status`.
  add column slot integer;
alter table count_deltas drop constraint count_deltas_noun_check;
alter table count_deltas add constraint count_deltas_noun_check
  check (noun in ('invoice', 'payment', 'debtor', 'recovery', 'paid_recovery', 'open', 'slot')) not valid;

create table count_due (
  tenant_id uuid not null,
  currency text not null,
  due_date date not null,
  standing text not null,
  n bigint not null,
  open_cents bigint not null,
  primary key (tenant_id, currency, due_date, standing)
);
create table count_debtor_open (
  tenant_id uuid not null,
  debtor_id uuid not null,
  currency text not null,
  n bigint not null,
  open_cents bigint not null,
  primary key (tenant_id, debtor_id, currency)
);
create index count_debtor_open_by_sum on count_debtor_open (tenant_id, currency, open_cents, debtor_id) where open_cents > 0;

create or replace function count_new_invoices() returns trigger language plpgsql as $$
begin
  insert into count_deltas (tenant_id, noun, status, currency, day, debtor_id, magnitude, n, amount_cents, paid_cents, due_day, standing,
    open_n, open_cents)
  select tenant_id, 'invoice', status, currency, issue_date, debtor_id, magnitude_of(amount_cents), count(*), sum(amount_cents),
         sum(least(paid_cents, amount_cents)), due_date, standing, count(*) filter (where open_cents > 0), sum(open_cents)
    from fresh group by tenant_id, status, currency, issue_date, debtor_id, magnitude_of(amount_cents), due_date, standing;
  return null;
end $$;

-- A second kind of line for what is open, so that a message, which changes the status alone, writes no line per debtor.
create or replace function count_changed_invoices() returns trigger language plpgsql as $$
begin
  insert into count_deltas (tenant_id, noun, status, currency, day, n, amount_cents, paid_cents, debtor_id, due_day, standing, open_n,
    open_cents)
  with change as (
    select 1 as n, tenant_id, status, currency, issue_date, amount_cents, least(paid_cents, amount_cents) as paid, debtor_id, due_date,
           standing, (open_cents > 0)::integer as open_n, open_cents from fresh
    union all
    select -1, tenant_id, status, currency, issue_date, amount_cents, least(paid_cents, amount_cents), debtor_id, due_date, standing,
           (open_cents > 0)::integer, open_cents from old_rows)
  select tenant_id, 'invoice', status, currency, issue_date, sum(n), sum(n * amount_cents), sum(n * paid), null::uuid, null::date, null, 0, 0
    from change group by tenant_id, status, currency, issue_date
  having sum(n) <> 0 or sum(n * paid) <> 0
  union all
  select tenant_id, 'open', '', currency, null, 0, 0, 0, debtor_id, due_date, standing, sum(n * open_n), sum(n * open_cents)
    from change where standing is not null group by tenant_id, currency, debtor_id, due_date, standing
  having sum(n * open_n) <> 0 or sum(n * open_cents) <> 0;
  return null;
end $$;

-- As in 0007, without a join: whoever is held changes the standing of all their invoices in one statement.
create or replace function mark_changed_invoices() returns trigger language plpgsql as $$
begin
  insert into score_marks (tenant_id, debtor_id)
  select distinct tenant_id, debtor_id
    from (select tenant_id, debtor_id, id, status, paid_cents, credited_cents from fresh
          except select tenant_id, debtor_id, id, status, paid_cents, credited_cents from old_rows) changed;
  return null;
end $$;

create or replace function count_gone_invoices() returns trigger language plpgsql as $$
begin
  insert into count_deltas (tenant_id, noun, status, currency, day, debtor_id, magnitude, n, amount_cents, paid_cents, due_day, standing,
    open_n, open_cents)
  select tenant_id, 'invoice', status, currency, issue_date, debtor_id, magnitude_of(amount_cents), -count(*), -sum(amount_cents),
         -sum(least(paid_cents, amount_cents)), case when standing is not null then due_date end, standing,
         -count(*) filter (where open_cents > 0), -coalesce(sum(open_cents), 0)
    from old_rows group by tenant_id, status, currency, issue_date, debtor_id, magnitude_of(amount_cents), due_date, standing;
  return null;
end $$;

-- ── what is planned and sent, by quarter hour and channel ──

-- The channel of the waiting step, as it was planned; null where nothing would be sent.
alter table recoveries add column due_channel text,
  add constraint due_channel_is_known check (due_channel in ('email', 'sms', 'lrar', 'voice')) not valid;
-- Of the next moment, by the tenant's clock: advancing a sandbox moves `wake_at` and nothing here.
alter table agendas add column wake_slot integer, add column wake_channel text,
  add constraint slot_with_channel check (wake_channel is null or wake_slot is not null) not valid;
create index agendas_by_slot on agendas (tenant_id, wake_slot, debtor_id) where wake_channel is not null;

create function slot_of(p_at timestamptz) returns integer language sql stable parallel safe as $$
  select floor(extract(epoch from p_at) / 900)::integer
$$;

create table count_slots (
  tenant_id uuid not null,
  slot integer not null,
  channel text not null,
  state text not null,
  n bigint not null,
  primary key (tenant_id, slot, channel, state)
);

create function count_new_agendas() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into count_deltas (tenant_id, noun, status, method, slot, n)
  select tenant_id, 'slot', 'planned', wake_channel, wake_slot, count(*)
    from fresh where wake_channel is not null group by tenant_id, wake_channel, wake_slot;
  return null;
end $$;
create trigger count_new_agendas after insert on agendas
  referencing new table as fresh for each statement execute function count_new_agendas();

-- Agendas are also changed by workers that are in no tenant, when they park what failed.
create function count_changed_agenda() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if old.wake_channel is not null then
    insert into count_deltas (tenant_id, noun, status, method, slot, n)
    values (old.tenant_id, 'slot', 'planned', old.wake_channel, old.wake_slot, -1);
  end if;
  if tg_op = 'UPDATE' then
    if new.wake_channel is not null then
      insert into count_deltas (tenant_id, noun, status, method, slot, n)
      values (new.tenant_id, 'slot', 'planned', new.wake_channel, new.wake_slot, 1);
    end if;
  end if;
  return null;
end $$;
create trigger count_changed_agenda after update on agendas for each row
  when ((old.wake_slot, old.wake_channel) is distinct from (new.wake_slot, new.wake_channel)) execute function count_changed_agenda();
create trigger count_gone_agenda after delete on agendas for each row when (old.wake_channel is not null)
  execute function count_changed_agenda();

-- A message has the quarter hour in which it was sent; one that was not, or perhaps, that of its reservation.
create function count_message() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    if old.state in ('sent', 'delivered', 'bounced', 'failed', 'unknown') then
      insert into count_deltas (tenant_id, noun, status, method, slot, n)
      values (old.tenant_id, 'slot', old.state, old.channel, slot_of(coalesce(old.sent_at, old.reserved_at)), -1);
    end if;
  end if;
  if tg_op <> 'DELETE' then
    if new.state in ('sent', 'delivered', 'bounced', 'failed', 'unknown') then
      insert into count_deltas (tenant_id, noun, status, method, slot, n)
      values (new.tenant_id, 'slot', new.state, new.channel, slot_of(coalesce(new.sent_at, new.reserved_at)), 1);
    end if;
  end if;
  return null;
end $$;
create trigger count_new_message after insert on communications for each row
  when (new.state in ('sent', 'delivered', 'bounced', 'failed', 'unknown')) execute function count_message();
create trigger count_changed_message after update on communications for each row
  when ((old.state, old.sent_at) is distinct from (new.state, new.sent_at)
    and (old.state in ('sent', 'delivered', 'bounced', 'failed', 'unknown') or new.state in ('sent', 'delivered', 'bounced', 'failed', 'unknown')))
  execute function count_message();
create trigger count_gone_message after delete on communications for each row
  when (old.state in ('sent', 'delivered', 'bounced', 'failed', 'unknown')) execute function count_message();

-- ── folding ──

create or replace function fold_counts(p_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with taken as (
    delete from count_deltas where ctid = any (array(select ctid from count_deltas limit p_most for update skip locked)) returning *),
  totals as (
    insert into count_totals as c (tenant_id, noun, status, currency, n, amount_cents, paid_cents)
    select tenant_id, noun, status, currency, sum(n), saturated(sum(amount_cents)), saturated(sum(paid_cents))
      from taken where noun not in ('open', 'slot') group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (tenant_id, noun, status, currency) do update
      set n = c.n + excluded.n, amount_cents = saturated(c.amount_cents::numeric + excluded.amount_cents),
          paid_cents = saturated(c.paid_cents::numeric + excluded.paid_cents)),
  days as (
    insert into count_days as c (tenant_id, noun, status, day, currency, method, n, amount_cents)
    select tenant_id, noun, status, day, currency, method, sum(n), saturated(sum(amount_cents))
      from taken where day is not null group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
    on conflict (tenant_id, noun, status, day, currency, method) do update
      set n = c.n + excluded.n, amount_cents = saturated(c.amount_cents::numeric + excluded.amount_cents)),
  debtors as (
    insert into count_debtor_invoices as c (tenant_id, debtor_id, n)
    select tenant_id, debtor_id, sum(n) from taken where noun = 'invoice' and debtor_id is not null group by 1, 2 order by 1, 2
    on conflict (tenant_id, debtor_id) do update set n = c.n + excluded.n),
  magnitudes as (
    insert into count_magnitudes as c (tenant_id, currency, magnitude, n)
    select tenant_id, currency, magnitude, sum(n) from taken where magnitude is not null group by 1, 2, 3 order by 1, 2, 3
    on conflict (tenant_id, currency, magnitude) do update set n = c.n + excluded.n),
  due as (
    insert into count_due as c (tenant_id, currency, due_date, standing, n, open_cents)
    select tenant_id, currency, due_day, standing, sum(open_n), saturated(sum(open_cents))
      from taken where due_day is not null group by 1, 2, 3, 4 having sum(open_n) <> 0 or sum(open_cents) <> 0 order by 1, 2, 3, 4
    on conflict (tenant_id, currency, due_date, standing) do update
      set n = c.n + excluded.n, open_cents = saturated(c.open_cents::numeric + excluded.open_cents)),
  debtors_open as (
    insert into count_debtor_open as c (tenant_id, debtor_id, currency, n, open_cents)
    select tenant_id, debtor_id, currency, sum(open_n), saturated(sum(open_cents))
      from taken where due_day is not null group by 1, 2, 3 having sum(open_n) <> 0 or sum(open_cents) <> 0 order by 1, 2, 3
    on conflict (tenant_id, debtor_id, currency) do update
      set n = c.n + excluded.n, open_cents = saturated(c.open_cents::numeric + excluded.open_cents)),
  slots as (
    insert into count_slots as c (tenant_id, slot, channel, state, n)
    select tenant_id, slot, method, status, sum(n) from taken where noun = 'slot' group by 1, 2, 3, 4 having sum(n) <> 0 order by 1, 2, 3, 4
    on conflict (tenant_id, slot, channel, state) do update set n = c.n + excluded.n)
  select count(*)::integer from taken
$$;

-- ── lists of debtors ──

create index debtors_by_name on debtors (tenant_id, name_key, id);
create index debtor_scores_by_score on debtor_scores (tenant_id, score, debtor_id);

-- ── a sandbox that is emptied ──

create or replace function reset_sandbox() returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mine uuid := current_setting('relance.tenant')::uuid;
  t text;
begin
  if not exists (select from tenants where id = mine and environment = 'sandbox') then return false; end if;
  foreach t in array array['sent_messages', 'pending_tasks', 'tasks', 'task_files', 'import_mappings', 'blocked_records', 'unknown_messages', 'score_marks',
    'message_codes', 'early_receipts', 'calls', 'checkouts', 'sandbox_messages', 'contact_slots', 'pending_sends',
    'communication_invoices', 'extra_messages', 'communications', 'anr_documents', 'promises', 'disputes', 'postings', 'credits',
    'payments', 'actions', 'recoveries', 'invoices', 'contact_ledger', 'contact_salts', 'agendas', 'closed_points', 'debtors',
    'outbox', 'webhook_queue', 'webhook_deliveries', 'count_deltas', 'count_totals', 'count_days', 'count_debtor_invoices',
    'count_magnitudes',
    'count_due', 'count_debtor_open', 'count_slots']
  loop
    execute format('delete from %I where tenant_id = $1', t) using mine;
  end loop;
  delete from events where tenant_id = mine and not is_act;
  -- The triggers have counted what just went: there is nothing left to count.
  delete from count_deltas where tenant_id = mine;
  return true;
end $$;

-- ── who may do what ──

do $$
declare t text;
begin
  foreach t in array array['count_due', 'count_debtor_open', 'count_slots']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy one_tenant on %I using (tenant_id = current_setting(''relance.tenant'')::uuid)', t);
  end loop;
end $$;

revoke all on function standing_of, know_open_cents, keep_standing_of_new, keep_standings, slot_of, count_new_agendas, count_changed_agenda, count_message from public;
grant execute on function slot_of to relance_api, relance_worker;
grant select on count_due, count_debtor_open, count_slots, unknown_messages to relance_api;
