-- Who did what and why, in codes: the history with its actors, the timeline of a debtor, and messages as they were sent.

-- ── the history ──

-- `debtor_id` says whose timeline shows the line. Lines of messages have none: the timeline shows them from communications.
-- A line without an invoice is about the debtor, whatever their invoices.
alter table actions
  add column debtor_id uuid,
  add column actor jsonb,
  add column code text,
  add column params jsonb,
  alter column invoice_id drop not null;
-- Lines that are older than the codes have none of the three. Not validated: there is nothing to find in old rows.
alter table actions
  add constraint actions_say_who check (code is null or (actor is not null and params is not null)) not valid,
  add constraint actions_of_somebody check (invoice_id is not null or debtor_id is not null) not valid;

-- What was said of a debtor was written once for each running recovery: one of the lines is theirs.
update actions a set debtor_id = told.debtor_id
  from (select distinct on (a.tenant_id, i.debtor_id, a.executed_at, a.action,
               case when a.action in ('opt_out', 'wrong_person', 'insolvency', 'reply') then null else a.id end)
               a.tenant_id, a.id, i.debtor_id
          from actions a join invoices i on i.tenant_id = a.tenant_id and i.id = a.invoice_id
         where a.communication_id is null
         order by a.tenant_id, i.debtor_id, a.executed_at, a.action,
               case when a.action in ('opt_out', 'wrong_person', 'insolvency', 'reply') then null else a.id end, a.id) told
 where a.tenant_id = told.tenant_id and a.id = told.id;
create index actions_by_debtor on actions (tenant_id, debtor_id, executed_at, id) where debtor_id is not null;

-- ── money ──

-- Whose money it is and who entered it, known by every posting.
alter table postings add column debtor_id uuid, add column actor jsonb;
update postings p set debtor_id = i.debtor_id from invoices i where i.tenant_id = p.tenant_id and i.id = p.invoice_id;
create index postings_by_debtor on postings (tenant_id, debtor_id, posted_at, entry_id) where account = 'receivable';

-- ── messages as they were sent ──

-- What the person got to read. The contact ledger has a salted digest of `sha256`.
create table sent_messages (
  tenant_id uuid not null,
  communication_id uuid not null,
  subject text,
  text text not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  primary key (tenant_id, communication_id),
  foreign key (tenant_id, communication_id) references communications (tenant_id, id) on delete cascade
);
alter table sent_messages enable row level security;
alter table sent_messages force row level security;
create policy one_tenant on sent_messages using (tenant_id = current_setting('relance.tenant')::uuid);
grant select on sent_messages to relance_api;
grant select, insert on sent_messages to relance_worker;

-- ── the rows of a person: written from server/src/features/integrations/tasks/erase/personal-data.ts, as a guard checks ──

create or replace function erase_invoice_rows(p_tenant uuid, p_ids uuid[], p_wall timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update actions set
      details = 'Erased',
      params = params - '{reason,note,said,groupedWith,kind,on}'::text[]
    where tenant_id = p_tenant and invoice_id = any (p_ids);
  delete from anr_documents where tenant_id = p_tenant and invoice_id = any (p_ids);
  update checkouts set
      session_id = null,
      session_url = null
    where tenant_id = p_tenant and invoice_id = any (p_ids);
  update credits set
      number = 'erased-' || id
    where tenant_id = p_tenant and invoice_id = any (p_ids);
  update disputes set
      reason = 'Erased',
      note = null
    where tenant_id = p_tenant and invoice_id = any (p_ids);
  update events set
      data = erase_texts(data)
    where tenant_id = p_tenant and subject_id = any (p_ids);
  update extra_messages set
      about = null
    where tenant_id = p_tenant and invoice_id = any (p_ids);
  update invoices set
      number = 'erased-' || id,
      number_search = '',
      number_grams = '{}',
      description = null,
      metadata = '{}',
      notes = null,
      late_payment_waiver = late_payment_waiver || '{"reason": "Erased"}'
    where tenant_id = p_tenant and id = any (p_ids);
  update payments set
      external_reference = null,
      failure_reason = null,
      refund_reason = null
    where tenant_id = p_tenant and invoice_id = any (p_ids);
$$;

create or replace function erase_communication_rows(p_tenant uuid, p_ids uuid[], p_wall timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update calls set
      note = ''
    where tenant_id = p_tenant and communication_id = any (p_ids);
  update communications set
      provider_id = null,
      reason = null,
      document_sha256 = null
    where tenant_id = p_tenant and id = any (p_ids);
  delete from sandbox_messages where tenant_id = p_tenant and communication_id = any (p_ids);
  delete from sent_messages where tenant_id = p_tenant and communication_id = any (p_ids);
$$;

create or replace function erase_debtor_rows(p_tenant uuid, p_ids uuid[], p_wall timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update actions set
      details = 'Erased',
      params = params - '{reason,note,said,groupedWith,kind,on}'::text[]
    where tenant_id = p_tenant and debtor_id = any (p_ids);
  delete from contact_salts where tenant_id = p_tenant and debtor_id = any (p_ids);
  update debtors set
      name = 'Erased',
      name_key = 'erased ' || id,
      email = id || '@erased.invalid',
      email_key = id || '@erased.invalid',
      phone = null,
      siret = null,
      address = null,
      city = null,
      postal_code = null,
      notes = null,
      search_text = '',
      search_grams = '{}',
      insolvency_kind = null,
      insolvency_opened_on = null,
      wrong_person = false
    where tenant_id = p_tenant and id = any (p_ids);
  update events set
      data = erase_texts(data)
    where tenant_id = p_tenant and subject_id = any (p_ids);
  update message_codes set
      expires_at = least(expires_at, p_wall)
    where tenant_id = p_tenant and debtor_id = any (p_ids);
$$;
