-- Receivables: debtors, their scores, invoices with what was promised, disputed and credited, payments and their ledger.

-- ── receivables/debtors ──

create table debtors (
  tenant_id uuid not null references tenants,
  id uuid not null,
  name text not null,
  name_key text not null,
  email text not null,
  email_key text not null,
  phone text,
  siret text check (siret ~ '^[0-9]{14}$'),
  address text,
  city text,
  postal_code text,
  country text not null check (country ~ '^[A-Z]{2}$'),
  type text not null check (type in ('business', 'consumer', 'public_body')),
  language text not null check (language in ('fr', 'en')),
  notes text,
  search_text text not null,
  -- The hashed three-letter pieces of search_text. The tenant is inside each hash.
  search_grams integer[] not null,
  insolvency_kind text check (insolvency_kind in ('safeguard', 'receivership', 'liquidation', 'over_indebtedness', 'other')),
  insolvency_opened_on date,
  insolvency_published_on date,
  insolvency_court text,
  insolvency_practitioner text,
  -- The last day to declare the claim, and how many days before it the creditor was warned last.
  insolvency_declare_by date,
  insolvency_warned_days integer,
  -- Since when that declaration waits for a person.
  insolvency_recorded_at timestamptz,
  insolvency_declared_on date,
  insolvency_proof text,
  -- The person of the company who follows this debtor. Somebody who left the company counts as nobody: see `person_in_charge`.
  in_charge_id uuid,
  -- An address or number of this record belongs to somebody else. Kept here because every list shows it.
  wrong_person boolean not null default false,
  -- Every recovery is held, also one that is started later, until `paused_until` if there is such a moment.
  paused_at timestamptz,
  paused_until timestamptz,
  -- A request about personal data stops every reminder until it is decided, and while it is granted; a pause does not end it.
  restricted_at timestamptz,
  -- From this moment no invoice finds the record, and nothing is sent for it.
  erased_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint insolvency_whole check (
    (insolvency_kind is null) = (insolvency_opened_on is null)
    and (insolvency_kind is not null or num_nonnulls(insolvency_published_on, insolvency_court, insolvency_practitioner,
      insolvency_declare_by, insolvency_warned_days, insolvency_recorded_at, insolvency_declared_on, insolvency_proof) = 0)),
  constraint debtors_pause_check check (paused_at is not null or paused_until is null)
);
comment on table debtors is 'A person or company that owes.';
-- Claims that are still to be declared.
create index debtors_to_declare on debtors (tenant_id, insolvency_declare_by)
  where insolvency_declare_by is not null and insolvency_declared_on is null;
create unique index debtors_by_siret on debtors (tenant_id, siret) where siret is not null;
create index debtors_by_identity on debtors (tenant_id, email_key, name_key);
create index debtors_by_gram on debtors using gin (search_grams) with (fastupdate = on, gin_pending_list_limit = 4096);
-- Who else has a number that belongs to somebody else; by email the index of identities finds them.
create index debtors_by_phone on debtors (tenant_id, phone) where phone is not null;
create index debtors_by_name on debtors (tenant_id, name_key, id);
alter table debtors enable row level security;
alter table debtors force row level security;
create policy one_tenant on debtors using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update on debtors to relance_api;
grant select, insert on debtors to relance_worker;
grant update (insolvency_warned_days) on debtors to relance_worker;
-- Messages go to the next person when an address refuses one.
grant update (email, email_key, phone, language, search_text, search_grams, updated_at) on debtors to relance_worker;

-- A new record, or a new address of an old one, may be known to be somebody else's.
create function set_wrong_person() returns trigger language plpgsql as $$
begin
  new.wrong_person := exists (
    select from unnest(contact_points(new.tenant_id, new.id, new.email_key, new.phone)) as own(point)
     cross join lateral (
       select from closed_points x where x.tenant_id = new.tenant_id and x.point = own.point and x.because = 'wrong_person' offset 0) shut);
  return new;
end $$;
create trigger set_wrong_person_of_new_record before insert on debtors for each row execute function set_wrong_person();
create trigger set_wrong_person_of_new_address before update on debtors for each row
  when (old.email_key <> new.email_key or old.phone is distinct from new.phone) execute function set_wrong_person();

-- Who is in charge of a debtor: somebody who left the company is not.
create function person_in_charge(p_person uuid) returns uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select m.person_id from tenants t join memberships m on m.company_id = t.company_id and m.person_id = p_person
   where t.id = current_setting('relance.tenant')::uuid
$$;
grant execute on function person_in_charge to relance_api, relance_worker;

create function count_new_debtors() returns trigger language plpgsql as $$
begin
  insert into count_deltas (tenant_id, kind, n) select tenant_id, 'debtor', count(*) from fresh group by tenant_id;
  return null;
end $$;
create trigger count_new_debtors after insert on debtors
  referencing new table as fresh for each statement execute function count_new_debtors();

-- Who can be spoken to. The addresses of a main person are `email` and `phone` of the debtor, and nowhere else; its language is that of
-- the debtor while it is the main one for email.
create table debtor_people (
  tenant_id uuid not null,
  id uuid not null,
  debtor_id uuid not null,
  name text not null,
  role text not null check (role in ('accounting', 'buyer', 'manager', 'other', 'guardian', 'heir', 'lawyer', 'debtor')),
  -- Why this person is spoken to about the debt of a consumer.
  ground text,
  is_main_email boolean not null,
  email text,
  email_key text,
  is_main_phone boolean not null,
  phone text,
  language text check (language in ('fr', 'en')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, debtor_id) references debtors (tenant_id, id) on delete cascade,
  constraint debtor_people_ground_check check ((role in ('guardian', 'heir', 'lawyer')) = (ground is not null)),
  constraint debtor_people_email_check check ((email is null) = (email_key is null)),
  constraint debtor_people_main_check check (
    (not is_main_email or num_nonnulls(email, language) = 0) and (not is_main_phone or phone is null))
);
comment on table debtor_people is 'A person who can be spoken to about what a debtor owes.';
create index debtor_people_of_debtor on debtor_people (tenant_id, debtor_id, id);
create unique index debtor_people_main_email on debtor_people (tenant_id, debtor_id) where is_main_email;
create unique index debtor_people_main_phone on debtor_people (tenant_id, debtor_id) where is_main_phone;
-- An invoice that names an address which was the main one finds the same debtor.
create index debtor_people_by_email on debtor_people (tenant_id, email_key) where email_key is not null;
alter table debtor_people enable row level security;
alter table debtor_people force row level security;
create policy one_tenant on debtor_people using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, delete on debtor_people to relance_api;
grant update (name, role, ground, is_main_email, email, email_key, is_main_phone, phone, language, updated_at) on debtor_people to relance_api;
grant select, insert on debtor_people to relance_worker;
grant update (name, role, ground, is_main_email, email, email_key, is_main_phone, phone, language, updated_at) on debtor_people to relance_worker;

create table data_requests (
  tenant_id uuid not null,
  id uuid not null,
  debtor_id uuid not null,
  kind text not null check (kind in ('objection', 'restriction')),
  received_on date not null,
  due_on date not null,
  decision text check (decision in ('granted', 'refused', 'lifted')),
  decided_on date,
  -- When the creditor was told that the answer is due soon.
  alerted_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, debtor_id) references debtors (tenant_id, id) on delete cascade,
  constraint data_requests_decided_whole check ((decision is null) = (decided_on is null)),
  constraint data_requests_due_check check (due_on > received_on)
);
comment on table data_requests is 'A person objected to the use of their data, or asked to restrict it; the answer is due within a month.';
create index data_requests_of_debtor on data_requests (tenant_id, debtor_id, id);
create index data_requests_open on data_requests (tenant_id, debtor_id) where decision is null;
create index data_requests_to_alert on data_requests (tenant_id, due_on) where decision is null and alerted_at is null;
alter table data_requests enable row level security;
alter table data_requests force row level security;
create policy one_tenant on data_requests using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update on data_requests to relance_api;
grant select, update on data_requests to relance_worker;

-- ── receivables/scoring ──

create table debtor_scores (
  tenant_id uuid not null,
  debtor_id uuid not null,
  formula integer not null,
  inputs jsonb not null,
  -- In the order of the criteria.
  points integer[] not null,
  score integer not null check (score between 0 and 195),
  computed_at timestamptz not null,
  -- The first day on which the inputs themselves change: an invoice is overdue, or something leaves the window.
  stale_on date,
  primary key (tenant_id, debtor_id),
  foreign key (tenant_id, debtor_id) references debtors (tenant_id, id) on delete cascade
) with (fillfactor = 80);
comment on table debtor_scores is
  'The risk score of a debtor, and the inputs from which what changes with time alone is computed again.';
create index debtor_scores_by_score on debtor_scores (tenant_id, score, debtor_id);
alter table debtor_scores enable row level security;
alter table debtor_scores force row level security;
create policy one_tenant on debtor_scores using (tenant_id = current_setting('relance.tenant')::uuid);
grant select on debtor_scores to relance_api;
grant select, insert, update on debtor_scores to relance_worker;

-- Rows are only added, and deleted by who computes the score: one row per debtor would make a payment wait for an import of the same
-- debtor, and the import for the payment.
create table score_marks (
  tenant_id uuid not null,
  debtor_id uuid not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
comment on table score_marks is 'A debtor whose score must be computed again.';
create index score_marks_by_debtor on score_marks (tenant_id, debtor_id);
grant select, insert on score_marks to relance_api;
grant select, insert, delete on score_marks to relance_worker;
grant select on score_marks to relance_operator;

-- These functions mark the debtor of a changed row. The conditions of their triggers leave out what does not concern the score.
create function mark_debtor() returns trigger language plpgsql as $$
begin
  insert into score_marks (tenant_id, debtor_id) values (new.tenant_id, new.debtor_id);
  return null;
end $$;

create function mark_debtor_itself() returns trigger language plpgsql as $$
begin
  insert into score_marks (tenant_id, debtor_id) values (new.tenant_id, new.id);
  return null;
end $$;
create trigger mark_wrong_person after update on debtors for each row
  when (old.wrong_person <> new.wrong_person) execute function mark_debtor_itself();

create function mark_debtor_of_action() returns trigger language plpgsql as $$
begin
  insert into score_marks (tenant_id, debtor_id)
  select i.tenant_id, i.debtor_id from invoices i where i.tenant_id = new.tenant_id and i.id = new.invoice_id;
  return null;
end $$;

create function mark_new_invoices() returns trigger language plpgsql as $$
begin
  insert into score_marks (tenant_id, debtor_id) select distinct tenant_id, debtor_id from fresh;
  return null;
end $$;

-- Without a join: a debtor who is held changes all their invoices in one statement.
create function mark_changed_invoices() returns trigger language plpgsql as $$
begin
  insert into score_marks (tenant_id, debtor_id)
  select distinct tenant_id, debtor_id
    from (select tenant_id, debtor_id, id, status, paid_cents, credited_cents from fresh
          except select tenant_id, debtor_id, id, status, paid_cents, credited_cents from old_rows) changed;
  return null;
end $$;

-- ── receivables/invoices ──

-- An index answers alone only where vacuum has been. By default a table of ten million rows that only grows is vacuumed after two million
-- more; after two hundred thousand it costs little, because vacuum skips the pages it has seen.
create table invoices (
  tenant_id uuid not null,
  id uuid not null,
  debtor_id uuid not null,
  number text not null,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  issue_date date not null,
  due_date date not null,
  -- When the supply was completed, and a special time of the law in months: what the time bar is counted by. Null: the issue date, and the
  -- time of this kind of debtor.
  supplied_on date,
  limitation_months integer check (limitation_months between 1 and 360),
  description text,
  metadata jsonb not null default '{}',
  notes text,
  number_search text not null,
  -- The hashed three-letter pieces of number_search. The tenant is inside each hash.
  number_grams integer[] not null,
  -- Computed from the facts below.
  status text not null check (status in
    ('draft', 'imported', 'lrar_sent', 'in_recovery', 'paid', 'partial', 'disputed', 'written_off', 'judicial', 'cancelled')),
  contacted_at timestamptz,
  last_action_is_letter boolean not null default false,
  disputed_at timestamptz,
  judicial_at timestamptz,
  written_off_at timestamptz,
  cancelled_at timestamptz,
  paid_at timestamptz,
  paid_cents bigint not null default 0,
  credited_cents bigint not null default 0,
  -- What is still to be paid of the principal.
  open_cents bigint,
  -- The 40 € and the interest as last claimed in a message: what is paid beyond the principal goes there first.
  claimed_cents bigint not null default 0 check (claimed_cents >= 0),
  -- The company gave up the 40 € and the interest: {cents, at, by, reason}. `claimed_cents` is then what was paid of them, and nothing more
  -- is claimed.
  late_payment_waiver jsonb,
  event_seq integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, debtor_id) references debtors (tenant_id, id),
  check (due_date >= issue_date)
) with (autovacuum_vacuum_insert_scale_factor = 0.02, fillfactor = 85);
comment on table invoices is 'What a debtor owes: one invoice.';
create unique index invoices_by_number on invoices (tenant_id, number);
-- Each order of the list has its own index; the id breaks ties and continues a page.
create index invoices_by_due_date on invoices (tenant_id, due_date, id);
-- Written to a pending list first: an insert costs little, autovacuum does the rest.
create index invoices_by_gram on invoices using gin (number_grams) with (fastupdate = on, gin_pending_list_limit = 4096);
-- The columns that a filter is combined with are included in its index, so that counting reads the index alone.
create index invoices_by_debtor on invoices (tenant_id, debtor_id, id) include (amount_cents, issue_date, status);
create index invoices_by_amount on invoices (tenant_id, amount_cents, id) include (issue_date, status);
create index invoices_by_status on invoices (tenant_id, status, id) include (amount_cents);
create index invoices_by_issue_date on invoices (tenant_id, issue_date, id) include (amount_cents);
-- What is owed today; the nightly scores go from debtor to debtor by it. By the facts a status is computed from, not by the status: a list
-- of one status would otherwise use these indexes and read all of them.
create index invoices_open_by_debtor on invoices (tenant_id, debtor_id, due_date)
  where paid_at is null and written_off_at is null and judicial_at is null and cancelled_at is null;
create index invoices_paid_by_debtor on invoices (tenant_id, debtor_id, paid_at) where paid_at is not null;
create index invoices_lost_by_debtor on invoices (tenant_id, debtor_id) where written_off_at is not null or judicial_at is not null;
create index invoices_by_open_sum on invoices (tenant_id, open_cents, id);
alter table invoices enable row level security;
alter table invoices force row level security;
create policy one_tenant on invoices using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update, delete on invoices to relance_api;
grant select, insert, update on invoices to relance_worker;

-- The conditions are false for a statement that writes the right sum, as the insert does.
create function set_open_cents() returns trigger language plpgsql as $$
begin
  new.open_cents := case when new.status in ('paid', 'written_off', 'cancelled') then 0
                         else greatest(new.amount_cents - new.paid_cents - new.credited_cents, 0) end;
  return new;
end $$;
create trigger set_open_cents_of_new before insert on invoices for each row
  when (new.open_cents is distinct from case when new.status in ('paid', 'written_off', 'cancelled') then 0
          else greatest(new.amount_cents - new.paid_cents - new.credited_cents, 0) end) execute function set_open_cents();
create trigger set_open_cents before update on invoices for each row
  when (new.open_cents is distinct from case when new.status in ('paid', 'written_off', 'cancelled') then 0
          else greatest(new.amount_cents - new.paid_cents - new.credited_cents, 0) end) execute function set_open_cents();

-- The recovery of a deleted invoice is deleted first, while the sum it owes can still be read.
create function remove_recovery() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from recoveries where tenant_id = old.tenant_id and invoice_id = old.id;
  return old;
end $$;
create trigger remove_recovery before delete on invoices for each row execute function remove_recovery();

/*
 * What `count_due` adds up is in two tables: the sums are of the invoice, the standing is of its recovery. A change of one of them reads
 * the other as it is. So no statement may change what is open of an invoice and the standing of its recovery together.
 *
 * A new invoice is counted as running. Its recovery corrects that if it begins otherwise, and is deleted before its invoice.
 */
create function count_new_invoices() returns trigger language plpgsql as $$
begin
  insert into count_deltas (tenant_id, kind, status, currency, day, debtor_id, magnitude, n, amount_cents, paid_cents, due_day, standing,
    open_n, open_cents)
  select tenant_id, 'invoice', status, currency, issue_date, debtor_id, magnitude_of(amount_cents), count(*), sum(amount_cents),
         sum(least(paid_cents, amount_cents - credited_cents)), due_date, 'running', count(*) filter (where open_cents > 0), sum(open_cents)
    from fresh group by tenant_id, status, currency, issue_date, debtor_id, magnitude_of(amount_cents), due_date;
  return null;
end $$;
create trigger count_new_invoices after insert on invoices
  referencing new table as fresh for each statement execute function count_new_invoices();

-- A second kind of row for what is open, only where a sum, the due date or the debtor changed: a message changes the status alone, and
-- writes no row per debtor.
create function count_changed_invoices() returns trigger language plpgsql as $$
begin
  insert into count_deltas (tenant_id, kind, status, currency, day, n, amount_cents, paid_cents, debtor_id, due_day, standing, open_n,
    open_cents)
  with change as (
    select 1 as n, tenant_id, id, status, currency, issue_date, amount_cents, least(paid_cents, amount_cents - credited_cents) as paid, debtor_id, due_date,
           open_cents from fresh
    union all
    select -1, tenant_id, id, status, currency, issue_date, amount_cents, least(paid_cents, amount_cents - credited_cents), debtor_id, due_date,
           open_cents from old_rows),
  moved as (
    select tenant_id, id, currency, debtor_id, due_date, open_cents, sum(n) as n from change
     group by tenant_id, id, currency, debtor_id, due_date, open_cents having sum(n) <> 0),
  placed as (
    select m.*, coalesce((select coalesce(r.standing, standing_of(r.status, r.holds, r.due_at is not null)) from recoveries r
                           where r.tenant_id = m.tenant_id and r.invoice_id = m.id), 'running') as standing
      from moved m)
  select tenant_id, 'invoice', status, currency, issue_date, sum(n), sum(n * amount_cents), sum(n * paid), null::uuid, null::date, null, 0, 0
    from change group by tenant_id, status, currency, issue_date
  having sum(n) <> 0 or sum(n * paid) <> 0
  union all
  select tenant_id, 'open', '', currency, null, 0, 0, 0, debtor_id, due_date, standing,
         coalesce(sum(n) filter (where open_cents > 0), 0), sum(n * open_cents)
    from placed group by tenant_id, currency, debtor_id, due_date, standing
  having coalesce(sum(n) filter (where open_cents > 0), 0) <> 0 or sum(n * open_cents) <> 0;
  return null;
end $$;
create trigger count_changed_invoices after update on invoices
  referencing new table as fresh old table as old_rows for each statement execute function count_changed_invoices();

create function count_deleted_invoices() returns trigger language plpgsql as $$
begin
  insert into count_deltas (tenant_id, kind, status, currency, day, debtor_id, magnitude, n, amount_cents, paid_cents, due_day, standing,
    open_n, open_cents)
  select tenant_id, 'invoice', status, currency, issue_date, debtor_id, magnitude_of(amount_cents), -count(*), -sum(amount_cents),
         -sum(least(paid_cents, amount_cents - credited_cents)), due_date, 'running', -count(*) filter (where open_cents > 0), -coalesce(sum(open_cents), 0)
    from old_rows group by tenant_id, status, currency, issue_date, debtor_id, magnitude_of(amount_cents), due_date;
  return null;
end $$;
create trigger count_deleted_invoices after delete on invoices
  referencing old table as old_rows for each statement execute function count_deleted_invoices();

create trigger mark_new_invoices after insert on invoices
  referencing new table as fresh for each statement execute function mark_new_invoices();
create trigger mark_changed_invoices after update on invoices
  referencing new table as fresh old table as old_rows for each statement execute function mark_changed_invoices();
create trigger mark_deleted_invoices after delete on invoices
  referencing old table as fresh for each statement execute function mark_new_invoices();

create table promises (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  debtor_id uuid not null,
  pay_on date not null,
  amount_cents bigint not null check (amount_cents > 0),
  paid_before_cents bigint not null,
  -- Made by the debtor, on the page or in a call, and not noted by the creditor: these are limited in number.
  by_debtor boolean not null default false,
  status text not null check (status in ('open', 'kept', 'broken', 'replaced', 'void')),
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id)
);
comment on table promises is 'A promise of the debtor to pay an invoice by a day.';
create unique index promises_one_open on promises (tenant_id, invoice_id) where status = 'open';
create index promises_by_invoice on promises (tenant_id, invoice_id, id);
create index promises_open_by_day on promises (tenant_id, pay_on) where status = 'open';
create index promises_settled on promises (tenant_id, settled_at) where status in ('kept', 'broken');
create index promises_by_debtor on promises (tenant_id, debtor_id, created_at);
alter table promises enable row level security;
alter table promises force row level security;
create policy one_tenant on promises using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update on promises to relance_api;
grant select, update on promises to relance_worker;
create trigger mark_changed_promise after update on promises for each row when (old.status <> new.status) execute function mark_debtor();

create table debtor_notes (
  tenant_id uuid not null,
  id uuid not null,
  debtor_id uuid not null,
  invoice_id uuid,
  text text not null,
  -- The day on which the debtor is work again. Ended by a person, or by a later note.
  come_back_on date,
  come_back_ended_at timestamptz,
  actor jsonb not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, debtor_id) references debtors (tenant_id, id) on delete cascade,
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id) on delete set null (invoice_id),
  constraint debtor_notes_come_back_check check (come_back_on is not null or come_back_ended_at is null)
);
comment on table debtor_notes is 'What somebody of the company noted about a debtor, never changed, perhaps with a day to come back.';
create index debtor_notes_of_debtor on debtor_notes (tenant_id, debtor_id, created_at, id);
create index debtor_notes_of_invoice on debtor_notes (tenant_id, invoice_id, created_at, id) where invoice_id is not null;
create unique index debtor_notes_to_come_back on debtor_notes (tenant_id, debtor_id)
  where come_back_on is not null and come_back_ended_at is null;
alter table debtor_notes enable row level security;
alter table debtor_notes force row level security;
create policy one_tenant on debtor_notes using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert on debtor_notes to relance_api;
grant update (come_back_ended_at) on debtor_notes to relance_api;
grant select on debtor_notes to relance_worker;

create table disputes (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  debtor_id uuid not null,
  reason text not null,
  -- What it is about; null: nobody said.
  category text check (category in ('not_received', 'not_as_agreed', 'wrong_quantity', 'wrong_amount', 'already_paid', 'not_owed', 'other')),
  amount_cents bigint check (amount_cents > 0),
  status text not null check (status in ('open', 'upheld', 'rejected', 'partly')),
  note text,
  -- What the debtor is told: why the dispute was not accepted, and what was credited.
  answer text,
  credited_cents bigint check (credited_cents > 0),
  opened_at timestamptz not null,
  resolved_at timestamptz,
  constraint partly_credits check ((status = 'partly') = (credited_cents is not null)),
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id)
);
comment on table disputes is 'A dispute of the debtor about an invoice.';
create unique index disputes_one_open on disputes (tenant_id, invoice_id) where status = 'open';
create index disputes_by_invoice on disputes (tenant_id, invoice_id, id);
create index disputes_by_debtor on disputes (tenant_id, debtor_id, opened_at);
alter table disputes enable row level security;
alter table disputes force row level security;
create policy one_tenant on disputes using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update on disputes to relance_api;
grant select on disputes to relance_worker;
create trigger mark_new_dispute after insert on disputes for each row execute function mark_debtor();
create trigger mark_changed_dispute after update on disputes for each row when (old.status <> new.status) execute function mark_debtor();

create table credits (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  number text not null,
  amount_cents bigint not null check (amount_cents > 0),
  issued_on date not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id)
);
comment on table credits is 'A credit note for an invoice.';
create unique index credits_by_number on credits (tenant_id, number);
create index credits_by_invoice on credits (tenant_id, invoice_id, id);
alter table credits enable row level security;
alter table credits force row level security;
create policy one_tenant on credits using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert on credits to relance_api;
grant select on credits to relance_worker;

-- ── receivables/invoices: search ──

-- "Contains" needs operators that are not leakproof, and row-level security keeps such operators from using an index. So these functions
-- read past the policy and compare the tenant themselves. They return ids only.

-- The index of pieces has a list of rows for each piece. A piece that most rows have narrows nothing down, and its list is as long as the
-- table. So a search leaves out the pieces that half of the newest fifty rows have, if two others or more are left. What they would have
-- excluded is excluded by comparing the text.
create function rare_grams_of_debtors(p_grams integer[]) returns integer[]
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

create function rare_grams_of_invoices(p_grams integer[]) returns integer[]
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

create function search_debtors(p_grams integer[], p_like text, p_most integer) returns setof uuid
language plpgsql stable security definer
set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set jit = off as $$
declare
  mine uuid := current_setting('relance.tenant')::uuid;
  rare integer[] := rare_grams_of_debtors(p_grams);
begin
  return query select id from debtors where tenant_id = mine and search_grams @> rare and search_text like p_like order by id desc limit p_most;
end $$;
grant execute on function search_debtors to relance_api, relance_worker;

-- Invoices whose number or debtor's name contains the text, in the order of the list, at most `p_most` of them. A text that many match is
-- found by walking the index of the list, one that few match by its pieces. The first two hundred rows tell which.
create function search_invoices(p_grams integer[], p_like text, p_order text, p_most integer) returns setof uuid
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
    using mine, p_like, rare_grams_of_invoices(p_grams), p_most, rare_grams_of_debtors(p_grams);
end $$;
grant execute on function search_invoices(integer[], text, text, integer) to relance_api;

-- The same by the pieces of the text, in no order.
create function search_invoices_by_grams(p_grams integer[], p_like text, p_most integer) returns setof uuid
language plpgsql stable security definer
set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set jit = off as $$
declare
  mine uuid := current_setting('relance.tenant')::uuid;
  of_numbers integer[] := rare_grams_of_invoices(p_grams);
  of_names integer[] := rare_grams_of_debtors(p_grams);
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
grant execute on function search_invoices_by_grams to relance_api;

-- The same invoices where they are fewer than `p_most`: all of them. Otherwise no ids, and `n` is `p_most`.
--
-- The newest two hundred tell whether many match. If so, that is proved and not counted: by the stored counts of the first debtors, or
-- by numbers alone. What cannot be proved so is found by its pieces. Texts of one or two letters have none, and are looked for among the
-- newest 200,000.
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
    -- Folded counts may still contain what was deleted since: so they must reach that much more.
    are_many := exists (
      select from (
        select sum(c.n) over (order by d.id rows unbounded preceding) as owned
          from (select id, search_text from debtors where tenant_id = mine order by id limit 30000) d
          join count_debtor_invoices c on c.tenant_id = mine and c.debtor_id = d.id
         where split_part(d.search_text, E'\n', 1) like p_like) met
       where owned >= p_most - (
         select coalesce(sum(g.n), 0) from count_deltas g
          where g.tenant_id = mine and g.kind = 'invoice' and g.debtor_id is not null and g.n < 0));
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
    ids := array(select search_invoices_by_grams(p_grams, p_like, p_most));
  end if;
  n := cardinality(ids);
  if n >= p_most then ids := null; end if;
end $$;
grant execute on function search_invoices(integer[], text, integer) to relance_api;

-- ── receivables/payments ──

create table payments (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  -- That of the invoice.
  debtor_id uuid,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  status text not null check (status in ('pending', 'completed', 'failed', 'refunded')),
  method text not null check (method in ('card', 'bank_transfer', 'sepa_debit', 'payment_link')),
  -- What was handed over, where the method does not say it. A cheque is credited to the account like a transfer.
  instrument text check (instrument in ('cheque')),
  -- Payments of one sum that was received for several invoices have the same.
  receipt_id uuid,
  paid_at timestamptz,
  -- The payment had arrived and was taken back.
  reversed_at timestamptz,
  -- The day it counts for, in the time zone of the company: of the payment, else of the creation.
  day date not null,
  external_reference text,
  -- The reference is that of a payment provider, and not one that the company typed.
  by_provider boolean not null default false,
  failure_reason text,
  refund_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id),
  constraint cheques_are_banked check (instrument is null or method = 'bank_transfer')
);
comment on table payments is 'A payment of an invoice: completed, pending, failed or refunded.';
-- A cheque may pay several invoices, so its number comes once per invoice; what a provider reports comes once.
create unique index payments_by_reference on payments (tenant_id, invoice_id, external_reference)
  where external_reference is not null and not by_provider;
create unique index payments_by_provider_reference on payments (tenant_id, external_reference)
  where external_reference is not null and by_provider;
create index payments_by_receipt on payments (tenant_id, receipt_id, id) where receipt_id is not null;
create index payments_by_invoice on payments (tenant_id, invoice_id, id);
create index payments_by_status on payments (tenant_id, status, id);
create index payments_by_day on payments (tenant_id, day, id);
create index payments_by_debtor on payments (tenant_id, debtor_id, status, paid_at);
alter table payments enable row level security;
alter table payments force row level security;
create policy one_tenant on payments using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update on payments to relance_api;
grant select on payments to relance_worker;

-- Every payment gets its debtor and the moment it was taken back, whichever statement writes it.
create function set_payment_facts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.debtor_id := (select i.debtor_id from invoices i where i.tenant_id = new.tenant_id and i.id = new.invoice_id);
  elsif old.status = 'completed' and new.status = 'failed' then
    new.reversed_at := new.updated_at;
  end if;
  return new;
end $$;
create trigger set_debtor_of_payment before insert on payments for each row execute function set_payment_facts();
create trigger set_reversal_of_payment before update on payments for each row
  when (old.status <> new.status) execute function set_payment_facts();

create function count_new_payments() returns trigger language plpgsql as $$
begin
  insert into count_deltas (tenant_id, kind, status, currency, method, day, n, amount_cents)
  select tenant_id, 'payment', status, currency, method, day, count(*), sum(amount_cents)
    from fresh group by tenant_id, status, currency, method, day;
  return null;
end $$;
create trigger count_new_payments after insert on payments
  referencing new table as fresh for each statement execute function count_new_payments();

create function count_changed_payments() returns trigger language plpgsql as $$
begin
  insert into count_deltas (tenant_id, kind, status, currency, method, day, n, amount_cents)
  select tenant_id, 'payment', status, currency, method, day, sum(n), sum(n * amount_cents)
    from (select 1 as n, tenant_id, status, currency, method, day, amount_cents from fresh
          union all
          select -1, tenant_id, status, currency, method, day, amount_cents from old_rows) change
   group by tenant_id, status, currency, method, day
  having sum(n) <> 0;
  return null;
end $$;
create trigger count_changed_payments after update on payments
  referencing new table as fresh old table as old_rows for each statement execute function count_changed_payments();

create trigger mark_new_payment after insert on payments for each row when (new.status <> 'pending') execute function mark_debtor();
create trigger mark_changed_payment after update on payments for each row when (old.status <> new.status) execute function mark_debtor();

-- Double entry: what leaves one account enters another. An entry that does not sum to zero cannot be stored.
create table postings (
  tenant_id uuid not null,
  entry_id uuid not null,
  account text not null check (account in ('receivable', 'bank', 'credit')),
  invoice_id uuid not null,
  debtor_id uuid,
  source_id uuid not null,
  kind text not null check (kind in ('payment', 'refund', 'reversal', 'credit')),
  amount_cents bigint not null check (amount_cents <> 0),
  -- Who entered it.
  actor jsonb,
  posted_at timestamptz not null,
  primary key (tenant_id, entry_id, account),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id)
);
comment on table postings is 'Half of a movement of money; the halves of an entry sum to zero.';
create index postings_by_invoice on postings (tenant_id, invoice_id, entry_id);
create index postings_by_debtor on postings (tenant_id, debtor_id, posted_at, entry_id) where account = 'receivable';
alter table postings enable row level security;
alter table postings force row level security;
create policy one_tenant on postings using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert on postings to relance_api;
grant select on postings to relance_worker;

create function postings_sum_to_zero() returns trigger language plpgsql as $$
begin
  if exists (select from fresh group by tenant_id, entry_id having sum(amount_cents) <> 0) then
    raise exception 'an entry does not sum to zero' using errcode = '23514';
  end if;
  return null;
end $$;
create trigger postings_sum_to_zero after insert on postings
  referencing new table as fresh for each statement execute function postings_sum_to_zero();

create table checkouts (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  communication_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null,
  -- The account of the creditor at the provider: a payment to another account is not of this checkout.
  account text not null,
  session_id text,
  -- Where the payer was sent; the next message sends them there too.
  session_url text,
  payment_id uuid,
  status text not null check (status in ('open', 'completed', 'failed', 'expired')),
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id) on delete cascade
);
comment on table checkouts is 'A card payment that was started.';
create index checkouts_by_invoice on checkouts (tenant_id, invoice_id, id);
alter table checkouts enable row level security;
alter table checkouts force row level security;
create policy one_tenant on checkouts using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update on checkouts to relance_api;
grant select, update on checkouts to relance_worker;

create table checkout_expiries (
  tenant_id uuid not null,
  checkout_id uuid not null,
  due_at timestamptz not null,
  attempts integer not null,
  primary key (tenant_id, checkout_id),
  foreign key (tenant_id, checkout_id) references checkouts (tenant_id, id) on delete cascade
);
comment on table checkout_expiries is
  'A checkout whose session at the provider has to be ended: the invoice was settled otherwise, or another amount is due.';
create index checkout_expiries_due on checkout_expiries (due_at);
grant select, insert on checkout_expiries to relance_api;
grant select, update, delete on checkout_expiries to relance_worker;

-- A change of what an invoice owes ends its open checkouts, in the same transaction.
create function end_checkouts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into checkout_expiries (tenant_id, checkout_id, due_at, attempts)
  select c.tenant_id, c.id, '-infinity', 0 from checkouts c
   where c.tenant_id = new.tenant_id and c.invoice_id = new.id and c.status = 'open' and c.payment_id is null
  on conflict do nothing;
  return null;
end $$;
create trigger invoices_end_checkouts after update of status, paid_cents, credited_cents on invoices
  for each row when (
    (old.status is distinct from new.status and new.status in ('paid', 'cancelled', 'written_off', 'disputed', 'judicial'))
    or old.paid_cents is distinct from new.paid_cents or old.credited_cents is distinct from new.credited_cents)
  execute function end_checkouts();

-- An opening that is recorded ends the open checkouts and promises of the debtor: earlier claims may not be paid any more.
create function end_payments_of_insolvent() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into checkout_expiries (tenant_id, checkout_id, due_at, attempts)
  select c.tenant_id, c.id, '-infinity', 0
    from invoices i join checkouts c on c.tenant_id = i.tenant_id and c.invoice_id = i.id
   where i.tenant_id = new.tenant_id and i.debtor_id = new.id and c.status = 'open' and c.payment_id is null
  on conflict do nothing;
  update promises set status = 'void', settled_at = new.updated_at
   where tenant_id = new.tenant_id and debtor_id = new.id and status = 'open';
  return null;
end $$;
create trigger debtors_end_payments after update of insolvency_kind on debtors
  for each row when (old.insolvency_kind is null and new.insolvency_kind is not null)
  execute function end_payments_of_insolvent();

-- ── receivables/reports ──

-- What was true on a day cannot be computed later, so each night writes it.
create table day_figures (
  tenant_id uuid not null references tenants,
  day date not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  overdue_cents bigint not null,
  overdue_invoices bigint not null,
  old_cents bigint not null,
  old_invoices bigint not null,
  primary key (tenant_id, day)
);
comment on table day_figures is 'What was overdue on a day, and for more than 60 days, in the currency of the company.';
alter table day_figures enable row level security;
alter table day_figures force row level security;
create policy one_tenant on day_figures using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update on day_figures to relance_api;
grant select, insert, update, delete on day_figures to relance_worker;
grant select on count_due, count_deltas to relance_worker;

revoke all on all functions in schema public from public;
