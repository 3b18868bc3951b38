-- Sums of money cannot overflow: one tenant's total beyond 2^63 stopped the folding of counts for all tenants.

-- Folding is one statement over all tenants, so nothing in it may fail for one of them. A sum stops at the end of its type. Only
-- figures without meaning get there: 2^63 cents are more money than there is.
create function saturated(p_sum numeric) returns bigint
language sql immutable parallel safe as $$
  select greatest(least(p_sum, 9223372036854775807), -9223372036854775808)::bigint
$$;
revoke all on function saturated from public;

create or replace function fold_counts(p_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with taken as (
    delete from count_deltas where ctid = any (array(select ctid from count_deltas limit p_most for update skip locked)) returning *),
  totals as (
    insert into count_totals as c (tenant_id, noun, status, currency, n, amount_cents, paid_cents)
    select tenant_id, noun, status, currency, sum(n), saturated(sum(amount_cents)), saturated(sum(paid_cents))
      from taken group by 1, 2, 3, 4 order by 1, 2, 3, 4
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
    select tenant_id, debtor_id, sum(n) from taken where debtor_id is not null group by 1, 2 order by 1, 2
    on conflict (tenant_id, debtor_id) do update set n = c.n + excluded.n),
  magnitudes as (
    insert into count_magnitudes as c (tenant_id, currency, magnitude, n)
    select tenant_id, currency, magnitude, sum(n) from taken where magnitude is not null group by 1, 2, 3 order by 1, 2, 3
    on conflict (tenant_id, currency, magnitude) do update set n = c.n + excluded.n)
  select count(*)::integer from taken
$$;
