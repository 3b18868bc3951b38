-- Debtors whose wake-up failed eight times wait for a person: once the cause is mended, an operator lets them go on.

create function release_parked(p_wall timestamptz, p_tenant uuid, p_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with parked as (
    select tenant_id, debtor_id from agendas
     where parked_because is not null and (p_tenant is null or tenant_id = p_tenant)
     order by is_sandbox, tenant_id, debtor_id limit p_most for no key update skip locked),
  numbered as (select tenant_id, debtor_id, row_number() over (order by tenant_id, debtor_id) as n from parked),
  released as (
    update agendas a
       set parked_because = null, attempts = 0, wake_at = p_wall + n * interval '20 milliseconds', wake_because = 'cascade',
           wake_gen = a.wake_gen + 1
      from numbered x where a.tenant_id = x.tenant_id and a.debtor_id = x.debtor_id returning 1)
  select count(*)::integer from released
$$;

revoke all on function release_parked from public;
grant execute on function release_parked to relance_operator;
