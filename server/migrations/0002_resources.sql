-- The resource API: payments, credits and the ledger behind them, lists that do not grow with the table, counts that are kept.

-- ── facts an invoice's status is computed from ──

alter table invoices
  add column number_search text not null default '',
  add column number_grams integer[] not null default '{}',
  add column contacted_at timestamptz,
  add column last_action_is_letter boolean not null default false,
  add column disputed_at timestamptz,
  add column judicial_at timestamptz,
  add column written_off_at timestamptz,
  add column cancelled_at timestamptz,
  add column paid_at timestamptz;
alter table invoices alter column number_search drop default, alter column number_grams drop default;

alter table debtors
  add column search_text text not null default '',
  add column search_grams integer[] not null default '{}';
alter table debtors alter column search_text drop default, alter column search_grams drop default;

-- Which recoveries a message serves, asked whenever one is stopped or given back.
create index recoveries_by_communication on recoveries (tenant_id, communication_id) where communication_id is not null;

-- Each sort of the list walks its own index; the id breaks ties and continues a page.
create index invoices_by_due_date on invoices (tenant_id, due_date, id);
create index invoices_by_issue_date on invoices (tenant_id, issue_date, id);
create index invoices_by_amount on invoices (tenant_id, amount_cents, id);
create index invoices_by_status on invoices (tenant_id, status, id);

-- "Contains" by hashed three-letter pieces. The tenant is inside each hash, so that one tenant's search never walks
-- another's pieces. Written to a pending list first: an insert pays little, autovacuum the rest.
create index invoices_by_gram on invoices using gin (number_grams) with (fastupdate = on, gin_pending_list_limit = 4096);
create index debtors_by_gram on debtors using gin (search_grams) with (fastupdate = on, gin_pending_list_limit = 4096);

-- ── money ──

create table payments (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  status text not null check (status in ('pending', 'completed', 'failed', 'refunded')),
  method text not null check (method in ('card', 'bank_transfer', 'sepa_debit', 'payment_link')),
  paid_at timestamptz,
  -- The day it counts for, in the company's zone: of payment, else of creation.
  day date not null,
  external_reference text,
  failure_reason text,
  refund_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id)
);
create unique index payments_by_reference on payments (tenant_id, external_reference) where external_reference is not null;
create index payments_by_invoice on payments (tenant_id, invoice_id, id);
create index payments_by_status on payments (tenant_id, status, id);
create index payments_by_day on payments (tenant_id, day, id);

create table credits (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  number text not null,
  amount_cents bigint not null check (amount_cents > 0),
  issued_on date not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id)
);
create unique index credits_by_number on credits (tenant_id, number);
create index credits_by_invoice on credits (tenant_id, invoice_id, id);

-- Double entry: what leaves one account enters another. An entry that does not sum to zero cannot be stored.
create table postings (
  tenant_id uuid not null,
  entry_id uuid not null,
  account text not null check (account in ('receivable', 'bank', 'credit')),
  invoice_id uuid not null,
  source_id uuid not null,
  kind text not null check (kind in ('payment', 'refund', 'reversal', 'credit')),
  amount_cents bigint not null check (amount_cents <> 0),
  posted_at timestamptz not null,
  primary key (tenant_id, entry_id, account),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id)
);
create index postings_by_invoice on postings (tenant_id, invoice_id, entry_id);

create function postings_sum_to_zero() returns trigger language plpgsql as $$
begin
  if exists (select from fresh group by tenant_id, entry_id having sum(amount_cents) <> 0) then
    raise exception 'an entry does not sum to zero' using errcode = '23514';
  end if;
  return null;
end $$;
create trigger postings_sum_to_zero after insert on postings
  referencing new table as fresh for each statement execute function postings_sum_to_zero();

-- ── counting without counting ──

-- One line per statement and group, written by triggers so that no path forgets; folded in the background.
-- Reading adds what is folded and what is not, in one statement: exact to the last committed row.
create table count_deltas (
  tenant_id uuid not null,
  noun text not null check (noun in ('invoice', 'payment', 'debtor')),
  status text not null default '',
  currency text not null default '',
  method text not null default '',
  day date,
  debtor_id uuid,
  magnitude integer,
  n integer not null,
  amount_cents bigint not null default 0,
  paid_cents bigint not null default 0
);
create index count_deltas_by_noun on count_deltas (tenant_id, noun);

create table count_totals (
  tenant_id uuid not null,
  noun text not null,
  status text not null,
  currency text not null,
  n bigint not null,
  amount_cents bigint not null,
  paid_cents bigint not null,
  primary key (tenant_id, noun, status, currency)
);
create table count_days (
  tenant_id uuid not null,
  noun text not null,
  status text not null,
  day date not null,
  currency text not null,
  method text not null,
  n bigint not null,
  amount_cents bigint not null,
  primary key (tenant_id, noun, status, day, currency, method)
);
create table count_debtor_invoices (
  tenant_id uuid not null,
  debtor_id uuid not null,
  n bigint not null,
  primary key (tenant_id, debtor_id)
);
create table count_magnitudes (
  tenant_id uuid not null,
  currency text not null,
  magnitude integer not null,
  n bigint not null,
  primary key (tenant_id, currency, magnitude)
);

-- Twelve steps to a doubling: a histogram of amounts from which a median can be read to within three percent.
create function magnitude_of(p_cents bigint) returns integer language sql immutable parallel safe as $$
  select floor(12 * ln(p_cents::double precision) / ln(2::double precision))::integer
$$;

create function count_new_invoices() returns trigger language plpgsql as $$
begin
  insert into count_deltas (tenant_id, noun, status, currency, day, debtor_id, magnitude, n, amount_cents, paid_cents)
  select tenant_id, 'invoice', status, currency, issue_date, debtor_id, magnitude_of(amount_cents), count(*), sum(amount_cents),
         sum(least(paid_cents, amount_cents))
    from fresh group by tenant_id, status, currency, issue_date, debtor_id, magnitude_of(amount_cents);
  return null;
end $$;
create trigger count_new_invoices after insert on invoices
  referencing new table as fresh for each statement execute function count_new_invoices();

create function count_changed_invoices() returns trigger language plpgsql as $$
begin
  insert into count_deltas (tenant_id, noun, status, currency, day, n, amount_cents, paid_cents)
  select tenant_id, 'invoice', status, currency, issue_date, sum(n), sum(n * amount_cents), sum(n * least(paid_cents, amount_cents))
    from (select 1 as n, tenant_id, status, currency, issue_date, amount_cents, paid_cents from fresh
          union all
          select -1, tenant_id, status, currency, issue_date, amount_cents, paid_cents from old_rows) change
   group by tenant_id, status, currency, issue_date
  having sum(n) <> 0 or sum(n * least(paid_cents, amount_cents)) <> 0;
  return null;
end $$;
create trigger count_changed_invoices after update on invoices
  referencing new table as fresh old table as old_rows for each statement execute function count_changed_invoices();

create function count_gone_invoices() returns trigger language plpgsql as $$
begin
  insert into count_deltas (tenant_id, noun, status, currency, day, debtor_id, magnitude, n, amount_cents, paid_cents)
  select tenant_id, 'invoice', status, currency, issue_date, debtor_id, magnitude_of(amount_cents), -count(*), -sum(amount_cents),
         -sum(least(paid_cents, amount_cents))
    from old_rows group by tenant_id, status, currency, issue_date, debtor_id, magnitude_of(amount_cents);
  return null;
end $$;
create trigger count_gone_invoices after delete on invoices
  referencing old table as old_rows for each statement execute function count_gone_invoices();

create function count_new_debtors() returns trigger language plpgsql as $$
begin
  insert into count_deltas (tenant_id, noun, n) select tenant_id, 'debtor', count(*) from fresh group by tenant_id;
  return null;
end $$;
create trigger count_new_debtors after insert on debtors
  referencing new table as fresh for each statement execute function count_new_debtors();

create function count_new_payments() returns trigger language plpgsql as $$
begin
  insert into count_deltas (tenant_id, noun, status, currency, method, day, n, amount_cents)
  select tenant_id, 'payment', status, currency, method, day, count(*), sum(amount_cents)
    from fresh group by tenant_id, status, currency, method, day;
  return null;
end $$;
create trigger count_new_payments after insert on payments
  referencing new table as fresh for each statement execute function count_new_payments();

create function count_changed_payments() returns trigger language plpgsql as $$
begin
  insert into count_deltas (tenant_id, noun, status, currency, method, day, n, amount_cents)
  select tenant_id, 'payment', status, currency, method, day, sum(n), sum(n * amount_cents)
    from (select 1 as n, tenant_id, status, currency, method, day, amount_cents from fresh
          union all
          select -1, tenant_id, status, currency, method, day, amount_cents from old_rows) change
   group by tenant_id, status, currency, method, day
  having sum(n) <> 0;
  return null;
end $$;
create trigger count_changed_payments after update on payments
  referencing new table as fresh old table as old_rows for each statement execute function count_changed_payments();

-- Folds up to `p_most` lines. What it takes it deletes in the same statement: no line is counted twice or never.
create function fold_counts(p_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with taken as (
    delete from count_deltas where ctid = any (array(select ctid from count_deltas limit p_most for update skip locked)) returning *),
  totals as (
    insert into count_totals as c (tenant_id, noun, status, currency, n, amount_cents, paid_cents)
    select tenant_id, noun, status, currency, sum(n), sum(amount_cents), sum(paid_cents)
      from taken group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (tenant_id, noun, status, currency) do update
      set n = c.n + excluded.n, amount_cents = c.amount_cents + excluded.amount_cents, paid_cents = c.paid_cents + excluded.paid_cents),
  days as (
    insert into count_days as c (tenant_id, noun, status, day, currency, method, n, amount_cents)
    select tenant_id, noun, status, day, currency, method, sum(n), sum(amount_cents)
      from taken where day is not null group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
    on conflict (tenant_id, noun, status, day, currency, method) do update
      set n = c.n + excluded.n, amount_cents = c.amount_cents + excluded.amount_cents),
  debtors as (
    insert into count_debtor_invoices as c (tenant_id, debtor_id, n)
    select tenant_id, debtor_id, sum(n) from taken where debtor_id is not null group by 1, 2 order by 1, 2
    on conflict (tenant_id, debtor_id) do update set n = c.n + excluded.n),
  magnitudes as (
    insert into count_magnitudes as c (tenant_id, currency, magnitude, n)
    select tenant_id, currency, magnitude, sum(n) from taken where magnitude is not null group by 1, 2, 3 order by 1, 2, 3
    on conflict (tenant_id, currency, magnitude) do update set n = c.n + excluded.n)
  select count(*)::integer from taken
$$;

-- ── search: "contains" needs operators that are not leakproof, which row-level security keeps away from indexes ──

-- So these two read past the policy and ask for the tenant themselves. They return ids, nothing else.
create function search_debtors(p_grams integer[], p_like text, p_most integer) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select id from debtors
   where tenant_id = current_setting('relance.tenant')::uuid and search_grams @> p_grams and search_text like p_like
   order by id desc limit p_most
$$;

-- Invoices whose number or debtor's name contains the text, in the order of the list, at most `p_most` of them.
-- A text that many match is found by walking the list's own index; one that few match by its pieces. A probe of the first
-- two hundred rows tells which, so that neither is ever asked to do the other's work.
create function search_invoices(p_grams integer[], p_like text, p_order text, p_most integer) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  mine uuid := current_setting('relance.tenant')::uuid;
  ordering text := case p_order
    when 'created_at asc' then 'i.id asc' when 'created_at desc' then 'i.id desc'
    when 'due_date asc' then 'i.due_date asc, i.id asc' when 'due_date desc' then 'i.due_date desc, i.id desc'
    when 'amount_cents asc' then 'i.amount_cents asc, i.id asc' when 'amount_cents desc' then 'i.amount_cents desc, i.id desc'
    when 'status asc' then 'i.status asc, i.id asc' when 'status desc' then 'i.status desc, i.id desc' end;
  walk text := format('select i.id from (select i.id, i.debtor_id, i.number_search, i.due_date, i.amount_cents, i.status
      from invoices i where i.tenant_id = $1 order by %1$s limit $3) i
    left join debtors d on d.tenant_id = $1 and d.id = i.debtor_id
    where i.number_search like $2 or split_part(d.search_text, E''\n'', 1) like $2
    order by %1$s limit $4', ordering);
  hits integer;
begin
  execute format('select count(*) from (%s) w', walk) into hits using mine, p_like, 200, 200;
  if hits > 4 or cardinality(p_grams) = 0 then
    return query execute walk using mine, p_like, 200000, p_most;
    return;
  end if;
  return query execute format('select i.id from invoices i where i.tenant_id = $1 and i.id in (
      select n.id from (select n.id from invoices n where n.tenant_id = $1 and n.number_grams @> $3 and n.number_search like $2
        limit $4) n
      union
      select b.id from (select b.id from (select d.id from debtors d where d.tenant_id = $1 and d.search_grams @> $3
          and split_part(d.search_text, E''\n'', 1) like $2 limit 1000) d
        cross join lateral (select b.id from invoices b where b.tenant_id = $1 and b.debtor_id = d.id order by b.id desc limit $4) b
        limit $4) b)
    order by %s limit $4', ordering) using mine, p_like, p_grams, p_most;
end $$;

do $$
declare t text;
begin
  foreach t in array array['payments', 'credits', 'postings', 'count_deltas', 'count_totals', 'count_days', 'count_debtor_invoices',
    'count_magnitudes']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy one_tenant on %I using (tenant_id = current_setting(''relance.tenant'')::uuid)', t);
  end loop;
end $$;

-- ── maintenance: the operator's switch, read by every process ──

alter table installation add column maintenance_until timestamptz;

-- ── who may do what ──

revoke all on function fold_counts, search_debtors, search_invoices, magnitude_of, postings_sum_to_zero, count_new_invoices, count_changed_invoices,
  count_gone_invoices, count_new_debtors, count_new_payments, count_changed_payments from public;
grant execute on function fold_counts to relance_worker;
grant execute on function search_debtors, search_invoices to relance_api;
grant execute on function magnitude_of to relance_api, relance_worker;
grant update (maintenance_until) on installation to relance_operator;
grant select, insert, update on payments to relance_api;
grant select, insert on credits, postings to relance_api;
grant insert on count_deltas to relance_api, relance_worker;
grant select on count_deltas, count_totals, count_days, count_debtor_invoices, count_magnitudes to relance_api;
grant delete on invoices, recoveries to relance_api;
-- A stop acts at once, on Postgres alone: it cancels what is reserved and frees its slot.
grant update on communications to relance_api;
grant select, delete on contact_slots, pending_sends to relance_api;
