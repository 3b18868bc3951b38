-- The command line relance signs people in as a built-in public client; the program of operators is called relance-server.

create or replace function refuse_switching() returns trigger language plpgsql as $$
begin
  raise exception 'enabled follows the table stops; use relance-server company close or open' using errcode = '42501';
end $$;

-- A public client cannot keep a secret, so it has none. Its proof is PKCE, and it belongs to no company.
set local lock_timeout = '2s';
alter table oauth_clients alter column secret_hash drop not null;
insert into oauth_clients (id, tenant_id, company_id, environment, name, redirect_uris, scopes, grant_types, secret_hash, created_at, updated_at)
select id, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', environment, 'Relance CLI',
       '{http://127.0.0.1/callback,"http://[::1]/callback"}',
       '{invoices:read,invoices:write,invoices:delete,debtors:read,debtors:write,payments:read,payments:write,workflow:read,workflow:trigger,webhooks:manage,reports:read,agent:chat,lrar:send,notifications:send,scoring:read}',
       '{authorization_code,refresh_token}', null, '2026-11-17T00:00:00Z', '2026-11-17T00:00:00Z'
  from (values ('oc_relance_cli_production', 'production'), ('oc_relance_cli_in_sandbox', 'sandbox')) client (id, environment);
