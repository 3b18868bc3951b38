-- A person can be erased: from the rows of their own, from texts that name them; what accounting law wants kept is kept apart, closed.

-- From this moment no invoice finds the record, and nothing is sent for it.
alter table debtors add column erased_at timestamptz;
alter table closed_points drop constraint closed_points_because_check;
alter table closed_points add constraint closed_points_because_check check (because in ('opt_out', 'wrong_person', 'erased'));

-- How many months after their last case was closed debtors are erased by themselves.
alter table company_settings add column keep_months integer not null default 60 check (keep_months between 3 and 120);

-- Lists of one kind of task.
create index if not exists tasks_by_kind on tasks (tenant_id, kind, id);

-- ── what has to be kept ──

-- An invoice of an erased person, with what the law wants on it. Written, counted and deleted by the functions below; no role of a
-- running process may read it.
create table blocked_records (
  tenant_id uuid not null,
  -- That of the invoice.
  id uuid not null,
  debtor_id uuid not null,
  because text not null check (because in ('accounting')),
  ends_on date not null,
  content jsonb not null,
  -- The attestation that a loss was booked by.
  document bytea,
  blocked_at timestamptz not null,
  primary key (tenant_id, id)
);
create index blocked_records_by_debtor on blocked_records (tenant_id, debtor_id);
create index blocked_records_by_end on blocked_records (tenant_id, ends_on);
alter table blocked_records enable row level security;
alter table blocked_records force row level security;
create policy one_tenant on blocked_records using (tenant_id = current_setting('relance.tenant')::uuid);

-- Art. L123-22 C. com.: accounting records are kept for ten years, counted here from the end of the year of the last of them.
create function accounting_end(p_tenant uuid, p_invoice uuid) returns date
language sql stable set search_path = public, pg_temp as $$
  select make_date(extract(year from greatest(i.issue_date, i.written_off_at::date,
           (select max(p.day) from payments p where p.tenant_id = p_tenant and p.invoice_id = p_invoice),
           (select max(c.issued_on) from credits c where c.tenant_id = p_tenant and c.invoice_id = p_invoice)))::integer + 10, 12, 31)
    from invoices i where i.tenant_id = p_tenant and i.id = p_invoice
$$;

-- A draft was never issued, and a sandbox has no books.
create function block_invoices(p_tenant uuid, p_ids uuid[], p_wall timestamptz, p_today date) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into blocked_records (tenant_id, id, debtor_id, because, ends_on, content, document, blocked_at)
  select i.tenant_id, i.id, i.debtor_id, 'accounting', kept.until,
         jsonb_build_object(
           'customer', jsonb_build_object('name', d.name, 'siret', nullif(split_part(d.search_text, E'\n', 3), ''), 'address', d.address,
             'postalCode', d.postal_code, 'city', d.city, 'country', d.country),
           'invoice', jsonb_build_object('number', i.number, 'amountCents', i.amount_cents, 'currency', i.currency, 'issueDate', i.issue_date,
             'dueDate', i.due_date, 'description', i.description, 'status', i.status, 'writtenOffAt', i.written_off_at),
           'payments', (select coalesce(jsonb_agg(jsonb_build_object('day', p.day, 'amountCents', p.amount_cents, 'status', p.status,
               'method', p.method, 'reference', p.external_reference) order by p.id), '[]')
             from payments p where p.tenant_id = i.tenant_id and p.invoice_id = i.id),
           'credits', (select coalesce(jsonb_agg(jsonb_build_object('number', c.number, 'issuedOn', c.issued_on, 'amountCents',
               c.amount_cents) order by c.id), '[]')
             from credits c where c.tenant_id = i.tenant_id and c.invoice_id = i.id)),
         a.pdf, p_wall
    from invoices i
    join tenants t on t.id = i.tenant_id and t.environment = 'production'
    join debtors d on d.tenant_id = i.tenant_id and d.id = i.debtor_id
    left join anr_documents a on a.tenant_id = i.tenant_id and a.invoice_id = i.id
   cross join lateral (select accounting_end(i.tenant_id, i.id) as until offset 0) kept
   where i.tenant_id = p_tenant and i.id = any (p_ids) and i.status <> 'draft' and i.number <> 'erased-' || i.id
     and kept.until >= p_today
  on conflict do nothing
$$;

-- How much is kept of these persons, and until when.
create function count_blocked(p_tenant uuid, p_debtors uuid[], out n integer, out first_end date, out last_end date)
language sql stable security definer set search_path = public, pg_temp as $$
  select count(*)::integer, min(ends_on), max(ends_on) from blocked_records where tenant_id = p_tenant and debtor_id = any (p_debtors)
$$;

create function purge_blocked_records(p_tenant uuid, p_today date) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from blocked_records where tenant_id = p_tenant and ends_on < p_today
$$;

-- ── texts ──

-- Needles are in small letters; digits are the last nine of a telephone number, however it is written.
create function mentions(p_text text, p_needles text[], p_digits text[]) returns boolean
language sql immutable parallel safe as $$
  select exists (select from unnest(p_needles) needle where strpos(t.small, needle) > 0)
      or exists (select from unnest(p_digits) number where strpos(t.digits, number) > 0)
    from (select lower(p_text) as small, regexp_replace(p_text, '[^0-9]', '', 'g') as digits offset 0) t
$$;

-- Takes the texts out of a JSON value: with needles those that mention one, else all but codes, ids, days, moments and digests.
create function erase_texts(p_data jsonb, p_needles text[] default null, p_digits text[] default '{}') returns jsonb
language plpgsql immutable set search_path = public, pg_temp as $$
declare stays boolean;
begin
  case jsonb_typeof(p_data)
  when 'object' then
    return (select coalesce(jsonb_object_agg(key, case when p_needles is null and key = 'metadata' then '{}'
              else erase_texts(value, p_needles, p_digits) end), '{}') from jsonb_each(p_data));
  when 'array' then
    return (select coalesce(jsonb_agg(erase_texts(value, p_needles, p_digits) order by place), '[]')
              from jsonb_array_elements(p_data) with ordinality x(value, place));
  when 'string' then
    stays := case when p_needles is null
      then p_data #>> '{}' ~ '^([a-z][a-z0-9_.]*|[A-Z]{3}|[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+Z)?|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64})$'
      else not mentions(p_data #>> '{}', p_needles, p_digits) end;
    if stays then return p_data; end if;
    return '"Erased"';
  else
    return p_data;
  end case;
end $$;

-- ── the rows of a person: written from server/src/features/integrations/tasks/erase/personal-data.ts, as a guard checks ──

create function erase_invoice_rows(p_tenant uuid, p_ids uuid[], p_wall timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update actions set
      details = 'Erased'
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

create function erase_communication_rows(p_tenant uuid, p_ids uuid[], p_wall timestamptz) returns void
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
$$;

create function erase_debtor_rows(p_tenant uuid, p_ids uuid[], p_wall timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
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

-- ── texts that may name anybody ──

-- Looks through so many rows of a table after a position, and erases the persons that are mentioned. Returns the position of the
-- last row, null at the end of the table.
create function erase_mentions(p_tenant uuid, p_table text, p_after text, p_most integer, p_needles text[], p_digits text[], p_ids text[])
  returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  batch uuid[];
  hashes bytea[];
  next_place text;
begin
  case p_table
  when 'idempotency_keys' then
    hashes := array(select key_hash from idempotency_keys
      where tenant_id = p_tenant and key_hash > decode(coalesce(p_after, ''), 'hex') order by key_hash limit p_most);
    update idempotency_keys set status = 404,
        body = '{"success":false,"error":{"code":"RES_001","message":"This answer was erased, with the person it was about."}}'
     where tenant_id = p_tenant and key_hash = any (hashes) and not is_sealed and mentions(body, p_needles || p_ids, p_digits);
    return case when cardinality(hashes) = p_most then encode(hashes[p_most], 'hex') end;
  when 'conversations' then
    batch := array(select id from conversations where tenant_id = p_tenant and (p_after is null or id > p_after::uuid) order by id limit p_most);
    delete from conversations c where c.tenant_id = p_tenant and c.id = any (batch) and (
      mentions(c.last_message, p_needles || p_ids, p_digits)
      or exists (select from conversation_messages m where m.tenant_id = p_tenant and m.conversation_id = c.id
                    and mentions(m.text, p_needles || p_ids, p_digits))
      or exists (select from confirmations f where f.tenant_id = p_tenant and f.conversation_id = c.id
                    and mentions(f.plan || f.summary, p_needles || p_ids, p_digits)));
  when 'audit_log' then
    batch := array(select id from audit_log where tenant_id = p_tenant and (p_after is null or id > p_after::uuid) order by id limit p_most);
    update audit_log a
       set data = case when a.subject_id = any (p_ids) then erase_texts(a.data) else erase_texts(a.data, p_needles, p_digits) end,
           -- Those of whoever acted for the company stay.
           ip = case when a.actor->>'kind' <> 'debtor' then a.ip end,
           user_agent = case when a.actor->>'kind' <> 'debtor' then a.user_agent end
     where a.tenant_id = p_tenant and a.id = any (batch)
       and (a.subject_id = any (p_ids) or mentions(a.data::text, p_needles || p_ids, p_digits));
  when 'tasks' then
    batch := array(select id from tasks where tenant_id = p_tenant and (p_after is null or id > p_after::uuid) order by id limit p_most);
    update tasks t
       set input = erase_texts(t.input, p_needles, p_digits), refusals = erase_texts(t.refusals, p_needles, p_digits),
           review = erase_texts(t.review, p_needles, p_digits), report = erase_texts(t.report, p_needles, p_digits),
           failure = case when mentions(t.failure, p_needles, p_digits) then 'Erased' else t.failure end
     where t.tenant_id = p_tenant and t.id = any (batch)
       and mentions(concat_ws(' ', t.input, t.refusals, t.review, t.report, t.failure), p_needles, p_digits);
    update imports i set plan = erase_texts(i.plan, p_needles, p_digits)
     where i.tenant_id = p_tenant and i.task_id = any (batch) and mentions(i.plan::text, p_needles, p_digits);
    update task_items set message = null
     where tenant_id = p_tenant and task_id = any (batch) and code is not null and message is not null
       and (subject_id::text = any (p_ids) or mentions(message, p_needles, p_digits));
  when 'task_files' then
    -- A file cannot be looked through, and none is kept for longer than a day. What was gathered about another person stays.
    delete from task_files f where f.tenant_id = p_tenant and not exists (
      select from tasks t where t.tenant_id = p_tenant and t.file_id = f.id
         and (t.ended_at is null or (t.kind = 'access' and not t.input->>'debtorId' = any (p_ids))));
    return null;
  when 'import_rows' then
    -- A row is of one person: if it names them, its cells go.
    with looked as (
      select task_id, line from import_rows
       where tenant_id = p_tenant
         and (p_after is null or (task_id, line) > (split_part(p_after, ' ', 1)::uuid, split_part(p_after, ' ', 2)::integer))
       order by task_id, line limit p_most),
    erased as (
      update import_rows r set cells = null, message = null, healed = null, debtor_key = null
        from looked l
       where r.tenant_id = p_tenant and r.task_id = l.task_id and r.line = l.line
         and (r.invoice_id::text = any (p_ids) or mentions(concat_ws(' ', r.cells, r.message, r.healed), p_needles || p_ids, p_digits)))
    select case when count(*) = p_most then (array_agg(task_id || ' ' || line order by task_id desc, line desc))[1] end
      into next_place from looked;
    return next_place;
  end case;
  return case when cardinality(batch) = p_most then batch[p_most]::text end;
end $$;

-- ── the beginning ──

-- The caller holds the debtor's lock. The record is found by no new invoice, and nothing is sent for it; what names the person
-- stays until the end, because their texts are found by it.
create function begin_erasure(p_tenant uuid, p_ids uuid[], p_wall timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into closed_points (tenant_id, point, channel, because, created_at)
  select p_tenant, (contact_points(p_tenant, id, '', null))[1], channel, 'erased', p_wall
    from unnest(p_ids) id cross join unnest(array['email', 'sms', 'lrar', 'voice']) channel
  on conflict do nothing;
  update debtors
     set erased_at = coalesce(erased_at, p_wall), name_key = 'erased ' || id, email_key = id || '@erased.invalid', siret = null
   where tenant_id = p_tenant and id = any (p_ids)
$$;

-- ── who may do what ──

revoke all on function accounting_end, block_invoices, count_blocked, purge_blocked_records, mentions, erase_texts, erase_invoice_rows,
  erase_communication_rows, erase_debtor_rows, erase_mentions, begin_erasure from public;
grant execute on function block_invoices, count_blocked, purge_blocked_records, erase_invoice_rows, erase_communication_rows,
  erase_debtor_rows, erase_mentions, begin_erasure to relance_worker;
-- What the copy for a person is gathered from.
grant select on calls, conversations, conversation_messages to relance_worker;
grant execute on function mentions, accounting_end, search_debtors to relance_worker;
