-- Imports of whole files: their rows, and what became of each.

create table imports (
  tenant_id uuid not null,
  task_id uuid not null,
  -- How the rows are read: which column is what, in which order days and months stand, which numbers appear twice.
  plan jsonb not null,
  primary key (tenant_id, task_id),
  foreign key (tenant_id, task_id) references tasks (tenant_id, id) on delete cascade
);
alter table imports enable row level security;
alter table imports force row level security;
create policy one_tenant on imports using (tenant_id = current_setting('relance.tenant')::uuid);

create table import_rows (
  tenant_id uuid not null,
  task_id uuid not null,
  -- As Excel numbers it.
  line integer not null,
  is_hidden boolean not null,
  -- As they stand in the file; null once the invoice is created.
  cells jsonb,
  state text not null default 'read' check (state in ('read', 'judged', 'done')),
  -- Null: it succeeded, or would.
  code text,
  message text,
  -- What was changed to read it.
  healed jsonb,
  invoice_id uuid,
  -- The same for rows of the same debtor.
  debtor_key text,
  is_new_debtor boolean,
  -- The first message that would leave.
  first_on date,
  first_channel text,
  primary key (tenant_id, task_id, line),
  foreign key (tenant_id, task_id) references tasks (tenant_id, id) on delete cascade
);
create index import_rows_refused on import_rows (tenant_id, task_id, line) where code is not null;
alter table import_rows enable row level security;
alter table import_rows force row level security;
create policy one_tenant on import_rows using (tenant_id = current_setting('relance.tenant')::uuid);

-- What a person said about the columns of files with the same titles.
create table import_mappings (
  tenant_id uuid not null,
  signature text not null,
  mapping jsonb not null,
  used_at timestamptz not null,
  primary key (tenant_id, signature)
);
alter table import_mappings enable row level security;
alter table import_mappings force row level security;
create policy one_tenant on import_mappings using (tenant_id = current_setting('relance.tenant')::uuid);

create function purge_import_mappings(p_tenant uuid, p_before timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from import_mappings where tenant_id = p_tenant and used_at < p_before
$$;

-- What an import created is deleted when it is undone, and only as long as no message about it has left or is leaving.
create function delete_uncontacted_invoice(p_invoice uuid) returns boolean
language sql security definer set search_path = public, pg_temp as $$
  with deleted as (
    delete from invoices i
     where i.tenant_id = current_setting('relance.tenant')::uuid and i.id = p_invoice
       and not exists (select from communication_invoices c where c.tenant_id = i.tenant_id and c.invoice_id = i.id)
    returning 1)
  select exists (select from deleted)
$$;

-- ── who may do what ──

revoke all on function delete_uncontacted_invoice from public;
grant execute on function delete_uncontacted_invoice to relance_worker;
revoke all on function purge_import_mappings from public;
grant execute on function purge_import_mappings to relance_worker;
grant select on import_rows to relance_api;
grant select, insert, update on import_mappings to relance_api;
grant select, insert, update on imports, import_rows to relance_worker;
grant select, update on import_mappings to relance_worker;
-- What an import writes.
grant insert on debtors, invoices, recoveries to relance_worker;
