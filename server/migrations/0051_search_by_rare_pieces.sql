-- A search leaves out the pieces that most texts have.

-- The index of pieces keeps a list of rows for each piece. A piece that most rows have narrows nothing down, and its list is as long as the
-- table. So a search leaves out the pieces that half of the newest fifty have, where two others or more are left. What they would have
-- excluded is excluded by comparing the text, as before.
create function rare_pieces_of_debtors(p_grams integer[]) returns integer[]
language plpgsql stable set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  rare integer[] := array(
    select unnest(p_grams)
    except
    select piece
      from (select search_grams from debtors where tenant_id = current_setting('relance.tenant')::uuid order by id desc limit 50) newest
     cross join lateral unnest(search_grams) piece
     where piece = any (p_grams) group by piece having count(*) >= 25);
begin
  return case when cardinality(rare) >= 2 then rare else p_grams end;
end $$;

create function rare_pieces_of_invoices(p_grams integer[]) returns integer[]
language plpgsql stable set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  rare integer[] := array(
    select unnest(p_grams)
    except
    select piece
      from (select number_grams from invoices where tenant_id = current_setting('relance.tenant')::uuid order by id desc limit 50) newest
     cross join lateral unnest(number_grams) piece
     where piece = any (p_grams) group by piece having count(*) >= 25);
begin
  return case when cardinality(rare) >= 2 then rare else p_grams end;
end $$;

create or replace function search_debtors(p_grams integer[], p_like text, p_most integer) returns setof uuid
language plpgsql stable security definer
set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set jit = off as $$
declare
  mine uuid := current_setting('relance.tenant')::uuid;
  rare integer[] := rare_pieces_of_debtors(p_grams);
begin
  return query select id from debtors where tenant_id = mine and search_grams @> rare and search_text like p_like order by id desc limit p_most;
end $$;

create or replace function search_invoices(p_grams integer[], p_like text, p_order text, p_most integer) returns setof uuid
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
      select b.id from (select b.id from (select d.id from debtors d where d.tenant_id = $1 and d.search_grams @> $5
          and split_part(d.search_text, E''\n'', 1) like $2 limit 1000) d
        cross join lateral (select b.id from invoices b where b.tenant_id = $1 and b.debtor_id = d.id order by b.id desc limit $4) b
        limit $4) b)
    order by %s limit $4', ordering)
    using mine, p_like, rare_pieces_of_invoices(p_grams), p_most, rare_pieces_of_debtors(p_grams);
end $$;

create or replace function search_invoices_by_pieces(p_grams integer[], p_like text, p_most integer) returns setof uuid
language plpgsql stable security definer
set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set jit = off as $$
declare
  mine uuid := current_setting('relance.tenant')::uuid;
  of_numbers integer[] := rare_pieces_of_invoices(p_grams);
  of_names integer[] := rare_pieces_of_debtors(p_grams);
begin
  return query
    (select i.id from invoices i
      where i.tenant_id = mine and i.number_grams @> of_numbers and i.number_search like p_like limit p_most)
    union
    (select i.id from debtors d
      cross join lateral (select b.id from invoices b where b.tenant_id = mine and b.debtor_id = d.id limit p_most) i
      where d.tenant_id = mine and d.search_grams @> of_names and split_part(d.search_text, E'\n', 1) like p_like limit p_most)
    limit p_most;
end $$;

revoke all on function rare_pieces_of_debtors, rare_pieces_of_invoices from public;
