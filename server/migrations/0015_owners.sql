-- One list of the owners of a company, for everybody who mails them; and no function that reads card accounts with the rights of
-- the schema's owner: a person reads those of a company in its tenant, by their session.

-- The operator and the worker may mail owners without reading who they are.
create function owners_of(p_company uuid) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select person_id from memberships where company_id = p_company and role = 'owner'
$$;
revoke all on function owners_of from public;
grant execute on function owners_of to relance_api, relance_worker, relance_operator;

drop function owners_of_company();
drop function card_accounts_of(uuid);
