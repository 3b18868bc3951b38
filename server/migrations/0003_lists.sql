-- Lists at ten million: counts up to 10,000 that read an index and not the table, and a search that knows early when many match.

-- ── counting combinations ──

-- What a filter is combined with stands in the filter's own index, so that counting never leaves it. No index is added,
-- and no update touches more of them: status is in one already, amount and issue date never change.
drop index invoices_by_debtor, invoices_by_amount, invoices_by_status, invoices_by_issue_date;
create index invoices_by_debtor on invoices (tenant_id, debtor_id, id) include (amount_cents, issue_date, status);
create index invoices_by_amount on invoices (tenant_id, amount_cents, id) include (issue_date, status);
create index invoices_by_status on invoices (tenant_id, status, id) include (amount_cents);
create index invoices_by_issue_date on invoices (tenant_id, issue_date, id) include (amount_cents);

-- An index answers alone only where vacuum has been. By default a table of ten million that only grows is visited after two
-- million more; a visit passes over what earlier ones have seen, so two hundred thousand cost little.
alter table invoices set (autovacuum_vacuum_insert_scale_factor = 0.02);

-- ── search ──

-- Invoices whose number or debtor's name contains the text, by its pieces, at most `p_most` of them, in no order.
create function search_invoices_by_pieces(p_grams integer[], p_like text, p_most integer) returns setof uuid
language plpgsql stable security definer
set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set jit = off as $$
declare
  mine uuid := current_setting('relance.tenant')::uuid;
begin
  return query
    (select i.id from invoices i
      where i.tenant_id = mine and i.number_grams @> p_grams and i.number_search like p_like limit p_most)
    union
    (select i.id from debtors d
      cross join lateral (select b.id from invoices b where b.tenant_id = mine and b.debtor_id = d.id limit p_most) i
      where d.tenant_id = mine and d.search_grams @> p_grams and split_part(d.search_text, E'\n', 1) like p_like limit p_most)
    limit p_most;
end $$;

-- The same invoices where they are fewer than `p_most`: all of them. Otherwise no ids, and `n` is `p_most`.
--
-- The newest two hundred tell whether many match. If so, that is proved rather than counted: by what is kept of the debtors
-- met first, or by numbers alone. What cannot be proved so is gathered by its pieces. Texts of one or two letters have none,
-- and are looked for among the newest 200,000.
--
-- The search_invoices with four arguments stays for programs of the former release.
create function search_invoices(p_grams integer[], p_like text, p_most integer, out ids uuid[], out n integer)
language plpgsql stable security definer
set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set jit = off as $$
declare
  mine uuid := current_setting('relance.tenant')::uuid;
  by_number integer;
  by_debtor integer;
  are_many boolean := false;
begin
  select count(*) filter (where i.number_search like p_like), count(*) filter (where split_part(d.search_text, E'\n', 1) like p_like)
    into by_number, by_debtor
    from (select number_search, debtor_id from invoices where tenant_id = mine order by id desc limit 200) i
    join debtors d on d.tenant_id = mine and d.id = i.debtor_id;

  if by_debtor > 20 and by_debtor >= by_number then
    -- Folded counts may still hold what was deleted since: that much more is asked of them.
    are_many := exists (
      select from (
        select sum(c.n) over (order by d.id rows unbounded preceding) as owned
          from (select id, search_text from debtors where tenant_id = mine order by id limit 30000) d
          join count_debtor_invoices c on c.tenant_id = mine and c.debtor_id = d.id
         where split_part(d.search_text, E'\n', 1) like p_like) met
       where owned >= p_most - (
         select coalesce(sum(g.n), 0) from count_deltas g
          where g.tenant_id = mine and g.noun = 'invoice' and g.debtor_id is not null and g.n < 0));
  elsif by_number > 20 then
    are_many := p_most = (
      select count(*) from (
        select from (select number_search from invoices where tenant_id = mine order by id desc limit 200000) i
         where i.number_search like p_like limit p_most) met);
  end if;

  if are_many then
    n := p_most;
    return;
  end if;
  if cardinality(p_grams) = 0 then
    ids := array(
      select i.id from (select id, number_search, debtor_id from invoices where tenant_id = mine order by id desc limit 200000) i
        join debtors d on d.tenant_id = mine and d.id = i.debtor_id
       where i.number_search like p_like or split_part(d.search_text, E'\n', 1) like p_like limit p_most);
  else
    ids := array(select search_invoices_by_pieces(p_grams, p_like, p_most));
  end if;
  n := cardinality(ids);
  if n >= p_most then ids := null; end if;
end $$;

revoke all on function search_invoices_by_pieces, search_invoices(integer[], text, integer) from public;
grant execute on function search_invoices_by_pieces, search_invoices(integer[], text, integer) to relance_api;
