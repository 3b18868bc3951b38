-- The door for people: operations by a session, and webhooks that end with the membership of the person who saved them.

-- The opening statement of an operation of a signed-in person. The pages of the account reach a production that the operator has
-- not opened, to prepare it; operations do not.
create function enter_at_door(p_hash bytea, p_person uuid, p_role text, p_tenant uuid, p_wall timestamptz) returns bigint
language plpgsql as $$
declare offset_ms bigint;
begin
  offset_ms := enter_by_session(p_hash, p_person, p_role, p_tenant, p_wall);
  if not exists (select from tenants where id = p_tenant and enabled) then
    raise exception 'company not opened' using errcode = 'RL003';
  end if;
  return offset_ms;
end $$;
revoke all on function enter_at_door from public;
grant execute on function enter_at_door to relance_api;

-- ── webhooks that a person saved ──

alter table webhook_pumps drop constraint webhook_pumps_maker_kind_check;
alter table webhook_pumps add constraint webhook_pumps_maker_kind_check check (maker_kind in ('api_key', 'oauth_client', 'person'));

-- As before, and a person's webhooks end with their membership.
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
          where t.id = p.tenant_id and m.person_id = p.maker_id::uuid)
       else exists (select from oauth_clients c where c.id = p.maker_id and c.enabled and c.scopes @> p.needs)
        and (p.maker_person is null or exists (
          select from oauth_grants g join tenants t on t.id = p.tenant_id
           where g.client_id = p.maker_id and g.person_id = p.maker_person and g.revoked_at is null and g.scopes @> p.needs
             and t.company_id = any (g.company_ids)))
       end
    returning p.tenant_id, p.webhook_id)
  delete from webhook_queue q using ended where q.tenant_id = ended.tenant_id and q.webhook_id = ended.webhook_id
$$;

create function membership_has_ended() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Most people have no webhook: this look-up keeps its plan, the function would be planned each time.
  if exists (select from webhook_pumps where maker_id = old.person_id::text and enabled) then
    perform end_webhooks_of(old.person_id::text);
  end if;
  return null;
end $$;
create trigger membership_has_ended after delete on memberships
  for each row execute function membership_has_ended();
revoke all on function membership_has_ended from public;
