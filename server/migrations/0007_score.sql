-- The risk score: what is kept of it, which debtors it has to be worked out for again, and how far the nightly walk has come.

-- ── what the inputs are gathered from, each found by its debtor ──

-- Whose money it is, and whether it was taken back after it had come: known by every payment, whoever writes it.
alter table payments add column debtor_id uuid, add column reversed_at timestamptz;

create function know_payment() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.debtor_id := (select i.debtor_id from invoices i where i.tenant_id = new.tenant_id and i.id = new.invoice_id);
  elsif old.status = 'completed' and new.status = 'failed' then
    new.reversed_at := new.updated_at;
  end if;
  return new;
end $$;
create trigger know_payment_by_its_invoice before insert on payments for each row execute function know_payment();
create trigger know_payment_taken_back before update on payments for each row
  when (old.status <> new.status) execute function know_payment();

update payments p set debtor_id = i.debtor_id,
       reversed_at = (select max(l.posted_at) from postings l
                       where l.tenant_id = p.tenant_id and l.invoice_id = p.invoice_id and l.source_id = p.id and l.kind = 'reversal')
  from invoices i where i.tenant_id = p.tenant_id and i.id = p.invoice_id;

create index payments_by_debtor on payments (tenant_id, debtor_id, status, paid_at);
create index promises_by_debtor on promises (tenant_id, debtor_id, created_at);
create index disputes_by_debtor on disputes (tenant_id, debtor_id, opened_at);
-- By the facts a status is computed from, not by the status: a list of one status would otherwise walk all of them.
-- What is owed today; the nightly walk goes from debtor to debtor by it.
create index invoices_open_by_debtor on invoices (tenant_id, debtor_id, due_date)
  where paid_at is null and written_off_at is null and judicial_at is null and cancelled_at is null;
create index invoices_paid_by_debtor on invoices (tenant_id, debtor_id, paid_at) where paid_at is not null;
create index invoices_lost_by_debtor on invoices (tenant_id, debtor_id) where written_off_at is not null or judicial_at is not null;

-- ── tenant ──

-- The inputs are kept, not only what came of them: what time alone changes is worked out again from them whenever it is read.
create table debtor_scores (
  tenant_id uuid not null,
  debtor_id uuid not null,
  formula integer not null,
  inputs jsonb not null,
  -- In the order of the criteria.
  points integer[] not null,
  score integer not null check (score between 0 and 195),
  computed_at timestamptz not null,
  -- The first day on which the inputs themselves are others: an invoice falls due, or something leaves the window.
  stale_on date,
  primary key (tenant_id, debtor_id),
  foreign key (tenant_id, debtor_id) references debtors (tenant_id, id) on delete cascade
) with (fillfactor = 80);

alter table debtor_scores enable row level security;
alter table debtor_scores force row level security;
create policy one_tenant on debtor_scores using (tenant_id = current_setting('relance.tenant')::uuid);

-- ── platform: ids only ──

-- Something about this debtor has changed. Only ever added to, and taken away by whoever works the score out: one row per debtor
-- would make a payment wait for an import of the same debtor, and the import for the payment.
create table score_marks (
  tenant_id uuid not null,
  debtor_id uuid not null
);
create index score_marks_by_debtor on score_marks (tenant_id, debtor_id);

-- How far the walk of a night has come, written with every batch: whoever leads next goes on from here.
create table score_walks (
  only_row boolean primary key default true check (only_row),
  night date not null,
  -- The last debtor that is done; of the tenant, none yet when null.
  after_tenant_id uuid,
  after_debtor_id uuid,
  scored bigint not null default 0,
  started_at timestamptz not null,
  finished_at timestamptz
);

-- ── what must never be forgotten ──

create function mark_new_invoices() returns trigger language plpgsql as $$
begin
  insert into score_marks (tenant_id, debtor_id) select distinct tenant_id, debtor_id from fresh;
  return null;
end $$;
create trigger mark_new_invoices after insert on invoices
  referencing new table as fresh for each statement execute function mark_new_invoices();
create trigger mark_gone_invoices after delete on invoices
  referencing old table as fresh for each statement execute function mark_new_invoices();

create function mark_changed_invoices() returns trigger language plpgsql as $$
begin
  insert into score_marks (tenant_id, debtor_id)
  select distinct f.tenant_id, f.debtor_id from fresh f join old_rows o on o.tenant_id = f.tenant_id and o.id = f.id
   where (f.status, f.paid_cents, f.credited_cents) is distinct from (o.status, o.paid_cents, o.credited_cents);
  return null;
end $$;
create trigger mark_changed_invoices after update on invoices
  referencing new table as fresh old table as old_rows for each statement execute function mark_changed_invoices();

-- The rest is written row by row, and seldom concerns the score: the condition is cheaper than a look at what was changed.
create function mark_debtor() returns trigger language plpgsql as $$
begin
  insert into score_marks (tenant_id, debtor_id) values (new.tenant_id, new.debtor_id);
  return null;
end $$;
create trigger mark_new_payment after insert on payments for each row when (new.status <> 'pending') execute function mark_debtor();
create trigger mark_changed_payment after update on payments for each row when (old.status <> new.status) execute function mark_debtor();
create trigger mark_settled_message after update on communications for each row
  when (old.state <> new.state and new.state in ('sent', 'delivered', 'bounced', 'failed', 'unknown')) execute function mark_debtor();
create trigger mark_changed_promise after update on promises for each row when (old.status <> new.status) execute function mark_debtor();
create trigger mark_new_dispute after insert on disputes for each row execute function mark_debtor();
create trigger mark_changed_dispute after update on disputes for each row when (old.status <> new.status) execute function mark_debtor();
-- Any sign of life: whoever hears one writes it here.
create trigger mark_sign_of_life after update on agendas for each row
  when (new.quiet_until is distinct from old.quiet_until) execute function mark_debtor();

create function mark_debtor_itself() returns trigger language plpgsql as $$
begin
  insert into score_marks (tenant_id, debtor_id) values (new.tenant_id, new.id);
  return null;
end $$;
create trigger mark_wrong_person after update on debtors for each row
  when (old.wrong_person <> new.wrong_person) execute function mark_debtor_itself();

-- What became of a letter stands in the history alone.
create function mark_debtor_of_action() returns trigger language plpgsql as $$
begin
  insert into score_marks (tenant_id, debtor_id)
  select i.tenant_id, i.debtor_id from invoices i where i.tenant_id = new.tenant_id and i.id = new.invoice_id;
  return null;
end $$;
create trigger mark_letter_come_back after update on actions for each row
  when (old.status <> new.status and new.status in ('refused', 'unclaimed', 'bounced')) execute function mark_debtor_of_action();

-- ── who may do what ──

revoke all on function know_payment, mark_new_invoices, mark_changed_invoices, mark_debtor, mark_debtor_itself, mark_debtor_of_action
  from public;
grant select on debtor_scores to relance_api;
grant select, insert, update on debtor_scores to relance_worker;
grant select, insert on score_marks to relance_api;
grant select, insert, delete on score_marks to relance_worker;
grant select, insert, update on score_walks to relance_worker;
grant select on score_marks, score_walks to relance_operator;
grant select on payments, disputes, count_deltas, count_magnitudes to relance_worker;
