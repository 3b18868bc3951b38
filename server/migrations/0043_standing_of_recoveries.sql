-- Where an invoice stands is kept in its recovery: a change of standing writes no row of invoices. The next migration fills the rows from
-- before, those after it build the indexes, so that filling writes no index entry.

-- Null: a row from before. Who starts as usual runs. The due date never changes after the import; it is
-- here so that what stands so and was due in a month is read from one index.
alter table recoveries add column standing text, add column due_date date;
alter table recoveries alter column standing set default 'running';
alter table recoveries add constraint standing_is_known
  check (standing in ('pending', 'running', 'decide', 'judicial', 'ended') or starts_with(standing, 'held:')) not valid;

drop trigger keep_standing_of_new on recoveries;
drop trigger keep_standings on recoveries;
drop function keep_standing_of_new, keep_standings;

-- A send moves the moment and changes none of the three, so that the row is still updated in its page (HOT).
create function know_standing() returns trigger language plpgsql as $$
begin
  new.standing := standing_of(new.status, new.holds, new.due_at is not null);
  return new;
end $$;
create trigger know_standing_of_new before insert on recoveries for each row
  when (new.status <> 'in_recovery' or new.due_at is null or new.standing is distinct from 'running') execute function know_standing();
create trigger know_standing before update on recoveries for each row
  when (old.status <> new.status or old.holds <> new.holds or (old.due_at is null) <> (new.due_at is null)) execute function know_standing();

-- The insert of an invoice writes it. Whoever inserts without it, or changes it later, finds it kept all the same.
create function keep_due_date() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_table_name = 'invoices' then
    update recoveries set due_date = new.due_date where tenant_id = new.tenant_id and invoice_id = new.id;
  else
    update recoveries r set due_date = i.due_date from invoices i
     where r.tenant_id = new.tenant_id and r.invoice_id = new.invoice_id and i.tenant_id = new.tenant_id and i.id = new.invoice_id;
  end if;
  return null;
end $$;
create trigger keep_due_date_of_new after insert on recoveries for each row when (new.due_date is null) execute function keep_due_date();
create trigger keep_due_date after update of due_date on invoices for each row
  when (old.due_date <> new.due_date) execute function keep_due_date();

drop index invoices_by_standing;

-- ── what is open, by due day and standing ──

/*
 * Two tables know what `count_due` adds up: the sums are of the invoice, the standing is of its recovery. Whichever changes takes the other
 * as it is. So no statement may change what is open of an invoice and the standing of its recovery together.
 *
 * A new invoice is counted as one that runs. Its recovery corrects that if it begins otherwise, and goes before its invoice.
 */
create or replace function count_new_invoices() returns trigger language plpgsql as $$
begin
  insert into count_deltas (tenant_id, noun, status, currency, day, debtor_id, magnitude, n, amount_cents, paid_cents, due_day, standing,
    open_n, open_cents)
  select tenant_id, 'invoice', status, currency, issue_date, debtor_id, magnitude_of(amount_cents), count(*), sum(amount_cents),
         sum(least(paid_cents, amount_cents)), due_date, 'running', count(*) filter (where open_cents > 0), sum(open_cents)
    from fresh group by tenant_id, status, currency, issue_date, debtor_id, magnitude_of(amount_cents), due_date;
  return null;
end $$;

create or replace function count_gone_invoices() returns trigger language plpgsql as $$
begin
  insert into count_deltas (tenant_id, noun, status, currency, day, debtor_id, magnitude, n, amount_cents, paid_cents, due_day, standing,
    open_n, open_cents)
  select tenant_id, 'invoice', status, currency, issue_date, debtor_id, magnitude_of(amount_cents), -count(*), -sum(amount_cents),
         -sum(least(paid_cents, amount_cents)), due_date, 'running', -count(*) filter (where open_cents > 0), -coalesce(sum(open_cents), 0)
    from old_rows group by tenant_id, status, currency, issue_date, debtor_id, magnitude_of(amount_cents), due_date;
  return null;
end $$;

-- As before, with the standing looked up, and only where a sum, the due date or the debtor changed.
create or replace function count_changed_invoices() returns trigger language plpgsql as $$
begin
  insert into count_deltas (tenant_id, noun, status, currency, day, n, amount_cents, paid_cents, debtor_id, due_day, standing, open_n,
    open_cents)
  with change as (
    select 1 as n, tenant_id, id, status, currency, issue_date, amount_cents, least(paid_cents, amount_cents) as paid, debtor_id, due_date,
           open_cents from fresh
    union all
    select -1, tenant_id, id, status, currency, issue_date, amount_cents, least(paid_cents, amount_cents), debtor_id, due_date,
           open_cents from old_rows),
  moved as (
    select tenant_id, id, currency, debtor_id, due_date, open_cents, sum(n) as n from change
     group by tenant_id, id, currency, debtor_id, due_date, open_cents having sum(n) <> 0),
  placed as (
    select m.*, coalesce((select coalesce(r.standing, standing_of(r.status, r.holds, r.due_at is not null)) from recoveries r
                           where r.tenant_id = m.tenant_id and r.invoice_id = m.id), 'running') as standing
      from moved m)
  select tenant_id, 'invoice', status, currency, issue_date, sum(n), sum(n * amount_cents), sum(n * paid), null::uuid, null::date, null, 0, 0
    from change group by tenant_id, status, currency, issue_date
  having sum(n) <> 0 or sum(n * paid) <> 0
  union all
  select tenant_id, 'open', '', currency, null, 0, 0, 0, debtor_id, due_date, standing,
         coalesce(sum(n) filter (where open_cents > 0), 0), sum(n * open_cents)
    from placed group by tenant_id, currency, debtor_id, due_date, standing
  having coalesce(sum(n) filter (where open_cents > 0), 0) <> 0 or sum(n * open_cents) <> 0;
  return null;
end $$;

-- Its recovery goes first, while what it owes is still to be seen.
create function remove_recovery() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from recoveries where tenant_id = old.tenant_id and invoice_id = old.id;
  return old;
end $$;
create trigger remove_recovery before delete on invoices for each row execute function remove_recovery();

-- ── counting recoveries: by the statement, for ten thousand recoveries of a debtor are held by a few statements ──

drop trigger count_new_recovery on recoveries;
drop trigger count_changed_recovery on recoveries;
drop trigger count_gone_recovery on recoveries;

create or replace function count_recovery() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  -- What it is taken for from its first moment, and again when its invoice goes and takes that away.
  usual constant integer := case tg_op when 'INSERT' then -1 else 1 end;
  it recoveries := case tg_op when 'INSERT' then new else old end;
  stands text := standing_of(it.status, it.holds, it.due_at is not null);
begin
  insert into count_deltas (tenant_id, noun, status, n)
  select it.tenant_id, 'recovery', x.status, x.n from (values ('in_recovery', usual), (it.status, -usual)) x(status, n)
   where it.status <> 'in_recovery';
  insert into count_deltas (tenant_id, noun, currency, n, debtor_id, due_day, standing, open_n, open_cents)
  select i.tenant_id, 'open', i.currency, 0, i.debtor_id, i.due_date, x.standing, x.n, x.n * i.open_cents
    from invoices i cross join (values ('running', usual), (stands, -usual)) x(standing, n)
   where i.tenant_id = it.tenant_id and i.id = it.invoice_id and i.open_cents > 0;
  return null;
end $$;
create trigger count_new_recovery after insert on recoveries for each row
  when (new.status <> 'in_recovery' or new.due_at is null) execute function count_recovery();
create trigger count_gone_recovery after delete on recoveries for each row
  when (old.status <> 'in_recovery' or old.due_at is null) execute function count_recovery();

create function count_changed_recoveries() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Looked at first: a message changes none of these. By what is in one table and not in the other: a join of the two would be planned for few rows.
  if not exists (
    select tenant_id, invoice_id, status, standing, outcome from fresh
    except select tenant_id, invoice_id, status, standing, outcome from old_rows)
  then return null; end if;
  insert into count_deltas (tenant_id, noun, status, currency, n, amount_cents, debtor_id, due_day, standing, open_n, open_cents)
  with change as (
    select 1 as n, tenant_id, invoice_id, status, coalesce(standing, standing_of(status, holds, due_at is not null)) as stands, outcome,
           round(extract(epoch from ended_at - started_at) / 864) as took from fresh
    union all
    select -1, tenant_id, invoice_id, status, coalesce(standing, standing_of(status, holds, due_at is not null)), outcome,
           round(extract(epoch from ended_at - started_at) / 864) from old_rows),
  moved as (
    select tenant_id, invoice_id, stands, sum(n) as n from change group by tenant_id, invoice_id, stands having sum(n) <> 0)
  select tenant_id, 'recovery', status, '', sum(n), 0, null::uuid, null::date, null, 0, 0
    from change group by tenant_id, status having sum(n) <> 0
  union all
  -- A paid one leaves the days it took, in hundredths.
  select tenant_id, 'paid_recovery', '', '', sum(n), coalesce(sum(n * took), 0), null, null, null, 0, 0
    from change where outcome = 'paid' group by tenant_id having sum(n) <> 0
  union all
  select m.tenant_id, 'open', '', i.currency, 0, 0, i.debtor_id, i.due_date, m.stands, sum(m.n), sum(m.n * i.open_cents)
    from moved m
   cross join lateral (
     select currency, debtor_id, due_date, open_cents from invoices
      where tenant_id = m.tenant_id and id = m.invoice_id and open_cents > 0 offset 0) i
   group by m.tenant_id, i.currency, i.debtor_id, i.due_date, m.stands having sum(m.n) <> 0 or sum(m.n * i.open_cents) <> 0;
  return null;
end $$;
create trigger count_changed_recoveries after update on recoveries
  referencing new table as fresh old table as old_rows for each statement execute function count_changed_recoveries();

-- Nothing reads it any more, and no release did.
alter table invoices drop constraint standing_is_known;
alter table invoices drop column standing;

-- ── who may do what ──

revoke all on function know_standing, keep_due_date, remove_recovery, count_recovery, count_changed_recoveries from public;
grant execute on function standing_of to relance_api, relance_worker;
