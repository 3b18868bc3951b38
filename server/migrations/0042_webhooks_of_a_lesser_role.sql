-- A webhook rests on the right to have one. It ends when the person who saved it, or for whom an application saved it, gets a role
-- that has none.

-- As before, and the person must have one of the roles with the scope webhooks:manage.
create or replace function end_webhooks_of(p_maker text) returns void
language sql security definer set search_path = public, pg_temp as $$
  with ended as (
    update webhook_pumps p
       set enabled = false, disabled_because = 'maker_ended', warned_at = null, wake_at = null, busy_until = null,
           recover_from = null, recover_to = null
     where p.maker_id = p_maker and p.enabled and not case p.maker_kind
       when 'api_key' then exists (select from api_keys k where k.id = p.maker_id::uuid and k.enabled)
       when 'person' then exists (
         select from memberships m join tenants t on t.company_id = m.company_id
          where t.id = p.tenant_id and m.person_id = p.maker_id::uuid and m.role in ('owner', 'developer'))
       else exists (select from oauth_clients c where c.id = p.maker_id and c.enabled and c.scopes @> p.needs)
        and (p.maker_person is null or exists (
          select from oauth_grants g join tenants t on t.id = p.tenant_id
            join memberships m on m.company_id = t.company_id and m.person_id = p.maker_person
           where g.client_id = p.maker_id and g.person_id = p.maker_person and g.revoked_at is null and g.scopes @> p.needs
             and t.company_id = any (g.company_ids) and m.role in ('owner', 'developer')))
       end
    returning p.tenant_id, p.webhook_id)
  delete from webhook_queue q using ended where q.tenant_id = ended.tenant_id and q.webhook_id = ended.webhook_id
$$;

create function role_was_changed() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform end_webhooks_of(saved.maker_id) from (
    select distinct p.maker_id from tenants t join webhook_pumps p on p.tenant_id = t.id
     where t.company_id = new.company_id and p.enabled and (p.maker_id = new.person_id::text or p.maker_person = new.person_id)) saved;
  return null;
end $$;
create trigger role_was_changed after update of role on memberships
  for each row when (old.role is distinct from new.role) execute function role_was_changed();
revoke all on function role_was_changed from public;
