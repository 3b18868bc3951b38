-- Recovery: the agenda that wakes debtors, recoveries and their history, messages from reservation to proof, holds, cascades and texts.

-- ── functions of the whole wing ──

-- The digests by which a person is recognised: the debtor record, the email address, the phone number. Two records with one address are one
-- person. Slots are read and reserved by this function, so both use the same digests. In plpgsql: a function in SQL that cannot be put
-- into its caller (`convert_to` is only stable) is planned again by each statement that calls it.
create function contact_points(p_tenant uuid, p_debtor uuid, p_email_key text, p_phone text) returns bytea[]
language plpgsql immutable parallel safe as $$
begin
  return array_remove(array[
    sha256(convert_to(p_tenant || ' debtor ' || p_debtor, 'UTF8')),
    sha256(convert_to(p_tenant || ' email ' || p_email_key, 'UTF8')),
    sha256(convert_to(p_tenant || ' phone ' || p_phone, 'UTF8'))], null);
end $$;
grant execute on function contact_points to relance_api, relance_worker;

-- The standing of an invoice, by its recovery alone. The first of the holds in this order names the pause. `decide`: it runs and has no
-- moment, so a person has to act. Kept equal with domain/recovery/standing.ts by a test.
create function standing_of(p_status text, p_holds text[], p_has_moment boolean) returns text
language sql immutable parallel safe as $$
  select case p_status
    when 'pending' then case when 'dispute' = any (p_holds) then 'held:dispute' else 'pending' end
    when 'judicial' then case when 'dispute' = any (p_holds) then 'held:dispute' else 'judicial' end
    when 'in_recovery' then case when p_has_moment then 'running' else 'decide' end
    when 'paused' then 'held:' || case
      when 'situation' = any (p_holds) then 'situation'
      when 'dispute' = any (p_holds) then 'dispute'
      when 'wrong_person' = any (p_holds) then 'wrong_person'
      when 'address_refused' = any (p_holds) then 'address_refused'
      when 'insolvency' = any (p_holds) then 'insolvency'
      when 'reply' = any (p_holds) then 'reply'
      when 'upheld' = any (p_holds) then 'upheld'
      when 'reopened' = any (p_holds) then 'reopened'
      when 'promise' = any (p_holds) then 'promise'
      when 'asked' = any (p_holds) then 'asked'
      else 'debtor' end
    else 'ended' end
$$;
grant execute on function standing_of to relance_api, relance_worker;

-- ── recovery/agenda ──

-- Rows change many times a second: vacuumed after so many dead rows, however large the table is.
create table agendas (
  tenant_id uuid not null,
  debtor_id uuid not null,
  -- Wall time.
  wake_at timestamptz,
  wake_because text,
  -- Grows with each change of the wake-up; a wake-up with an older generation is stale.
  wake_generation bigint not null default 1,
  -- The generation that a worker took last, when, and which worker.
  taken_generation bigint not null default 0,
  taken_at timestamptz,
  taken_by uuid,
  attempts integer not null default 0,
  parked_because text,
  -- The next message, by the clock of the tenant: advancing a sandbox moves `wake_at` and nothing here. It may be later than the
  -- wake-up: a wake-up may only skip a step, or end a pause.
  contact_at timestamptz,
  contact_slot integer,
  contact_channel text,
  contact_because text,
  -- The invoice that leads it.
  contact_invoice_id uuid,
  -- The other invoices of that message, and the next thing of each recovery that is not its own moment alone (`case/debtor-plan.ts`).
  plan jsonb,
  -- The generation that the plan was made for. With another one, the plan is computed when it is read, and stored by a loop.
  plan_generation bigint not null default 0,
  -- No message after a debtor response until then.
  quiet_until timestamptz,
  -- The moment that was handled last.
  acted_at timestamptz,
  -- The head of the contact ledger of the debtor.
  chain_head bytea,
  chain_length integer not null default 0,
  -- Months pass in a sandbox in seconds: its agendas have a queue of their own, so that production does not wait for them.
  is_sandbox boolean not null default false,
  primary key (tenant_id, debtor_id),
  foreign key (tenant_id, debtor_id) references debtors (tenant_id, id),
  constraint contact_has_moment check (contact_channel is null or (contact_slot is not null and contact_at is not null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
comment on table agendas is 'The next wake-up of a debtor; also the lock of the debtor.';
create index agendas_due on agendas (is_sandbox, wake_at) where taken_generation <> wake_generation and wake_at is not null;
create index agendas_taken on agendas (is_sandbox, taken_at) where taken_generation = wake_generation and wake_at is not null;
-- The debtors that wait for the end of a stop.
create index agendas_stopped on agendas (tenant_id, debtor_id) where wake_because = 'sending_stopped';
-- The next debtors of one tenant, so that others do not wait for a tenant with many due.
create index agendas_due_by_tenant on agendas (is_sandbox, tenant_id, wake_at) where taken_generation <> wake_generation and wake_at is not null;
create index agendas_parked on agendas (is_sandbox, tenant_id, debtor_id) where parked_because is not null;
create index agendas_by_slot on agendas (tenant_id, contact_slot, debtor_id) where contact_channel is not null;
-- The debtors whose plan is to be made.
create index agendas_unplanned on agendas (tenant_id, debtor_id) where plan_generation <> wake_generation;
grant select, insert, update on agendas to relance_api, relance_worker;
grant select on agendas to relance_operator;

create function count_new_agendas() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into count_deltas (tenant_id, kind, status, method, slot, n)
  select tenant_id, 'slot', 'planned', contact_channel, contact_slot, count(*)
    from fresh where contact_channel is not null group by tenant_id, contact_channel, contact_slot;
  return null;
end $$;
create trigger count_new_agendas after insert on agendas
  referencing new table as fresh for each statement execute function count_new_agendas();

-- Security definer: workers that are in no tenant change agendas too, when they park what failed.
create function count_changed_agenda() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if old.contact_channel is not null then
    insert into count_deltas (tenant_id, kind, status, method, slot, n)
    values (old.tenant_id, 'slot', 'planned', old.contact_channel, old.contact_slot, -1);
  end if;
  if tg_op = 'UPDATE' then
    if new.contact_channel is not null then
      insert into count_deltas (tenant_id, kind, status, method, slot, n)
      values (new.tenant_id, 'slot', 'planned', new.contact_channel, new.contact_slot, 1);
    end if;
  end if;
  return null;
end $$;
create trigger count_changed_agenda after update on agendas for each row
  when ((old.contact_slot, old.contact_channel) is distinct from (new.contact_slot, new.contact_channel)) execute function count_changed_agenda();
create trigger count_deleted_agenda after delete on agendas for each row when (old.contact_channel is not null)
  execute function count_changed_agenda();

-- Every debtor response is written to `quiet_until`.
create trigger mark_debtor_response after update on agendas for each row
  when (new.quiet_until is distinct from old.quiet_until) execute function mark_debtor();

-- After a rule of a company has changed, the plans of its debtors are made again: marks the next debtors of the next tenant after the given
-- one, in the order of their ids, and returns the tenant. Null: there is nothing to mark.
create function mark_stale_plans(p_most integer, p_after uuid) returns uuid
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_tenant uuid;
  v_after uuid;
  v_ids uuid[];
begin
  select id, stale_plans_cursor into v_tenant, v_after from tenants
   where stale_plans_cursor is not null and id > p_after order by id limit 1 for no key update skip locked;
  if v_tenant is null then
    select id, stale_plans_cursor into v_tenant, v_after from tenants
     where stale_plans_cursor is not null order by id limit 1 for no key update skip locked;
  end if;
  v_ids := array(select debtor_id from agendas where tenant_id = v_tenant and debtor_id > v_after order by debtor_id limit p_most for no key update);
  update agendas set plan_generation = 0 where tenant_id = v_tenant and debtor_id = any (v_ids) and wake_at is not null;
  update tenants set stale_plans_cursor = case when cardinality(v_ids) = p_most then v_ids[p_most] end where id = v_tenant;
  return v_tenant;
end $$;
grant execute on function mark_stale_plans to relance_worker;

-- Wakes the debtors whose stop is over, one every 20 ms, so that they do not all come at once. Each wake-up decides everything again. It is
-- safe at any time and runs every hour, so it finds a wake-up that read a stop while the stop was ended. By tenant: one that waits for
-- months does not make the others wait until its debtors are read.
create function release_stopped(p_wall timestamptz, p_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with recursive waiting_tenant as (
    (select tenant_id from agendas where wake_because = 'sending_stopped' and wake_at is null order by tenant_id limit 1)
    union all
    select (select a.tenant_id from agendas a where a.wake_because = 'sending_stopped' and a.wake_at is null and a.tenant_id > w.tenant_id
             order by a.tenant_id limit 1)
      from waiting_tenant w where w.tenant_id is not null),
  released_tenant as (
    select tenant_id from waiting_tenant where tenant_id is not null and stop_reason(tenant_id) is null),
  waiting as (
    select a.tenant_id, a.debtor_id
      from agendas a join released_tenant r on r.tenant_id = a.tenant_id
     where a.wake_because = 'sending_stopped' and a.wake_at is null
     order by a.tenant_id, a.debtor_id limit p_most for no key update of a skip locked),
  numbered as (select tenant_id, debtor_id, row_number() over (order by tenant_id, debtor_id) as n from waiting),
  released as (
    update agendas a set wake_at = p_wall + n * interval '20 milliseconds', wake_because = 'cascade', wake_generation = a.wake_generation + 1, attempts = 0
      from numbered x where a.tenant_id = x.tenant_id and a.debtor_id = x.debtor_id returning 1)
  select count(*)::integer from released
$$;
grant execute on function release_stopped to relance_worker, relance_operator;

-- The same for one tenant, in the transaction that completed it: its first debtors, a bounded number. The others are found by the
-- hourly run of `release_stopped`.
create function release_tenant(p_tenant uuid, p_wall timestamptz, p_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with waiting as (
    select a.debtor_id from agendas a
     where a.tenant_id = p_tenant and a.wake_because = 'sending_stopped' and a.wake_at is null and stop_reason(p_tenant) is null
     order by a.debtor_id limit p_most for no key update of a),
  numbered as (select debtor_id, row_number() over (order by debtor_id) as n from waiting),
  released as (
    update agendas a set wake_at = p_wall + n * interval '20 milliseconds', wake_because = 'cascade', wake_generation = a.wake_generation + 1, attempts = 0
      from numbered x where a.tenant_id = p_tenant and a.debtor_id = x.debtor_id returning 1)
  select count(*)::integer from released
$$;
grant execute on function release_tenant to relance_api, relance_worker, relance_operator;

-- Debtors whose wake-up failed eight times wait for a person: when the cause is repaired, an operator releases them.
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
           wake_generation = a.wake_generation + 1
      from numbered x where a.tenant_id = x.tenant_id and a.debtor_id = x.debtor_id returning 1)
  select count(*)::integer from released
$$;
grant execute on function release_parked to relance_operator;

-- ── recovery/case ──

-- A message changes its recoveries twice. No index has the columns that change then, so the row is updated in its page (HOT): a wake-up
-- reads the open recoveries of its debtor, and the recoveries of a message are found by its invoices.
create table recoveries (
  tenant_id uuid not null,
  invoice_id uuid not null,
  debtor_id uuid not null,
  status text not null check (status in ('pending', 'in_recovery', 'paused', 'completed', 'cancelled', 'judicial')),
  cascade text not null,
  cascade_version integer not null,
  step integer not null default 0,
  attempt integer not null default 0,
  generation integer not null default 0,
  started_at timestamptz,
  -- The days of the cascade are counted from here; a pause moves it by its length.
  anchor_at timestamptz,
  -- When the step wants to go, and the moment last decided by the contact rules.
  wish_at timestamptz,
  due_at timestamptz,
  due_because text,
  -- The channel of the waiting step, as it was planned; null where nothing would be sent.
  due_channel text,
  -- A message of it was announced for this moment when a person acted on another invoice: it does not leave earlier.
  not_before timestamptz,
  communication_id uuid,
  -- Why it is paused, each reason for itself: it goes on when the last one ends.
  holds text[] not null default '{}',
  paused_at timestamptz,
  -- The formal notice: when it was given, on which channel, and what its provider reported since.
  notice_at timestamptz,
  notice_channel text check (notice_channel in ('email', 'lrar')),
  notice_receipt text check (notice_receipt in ('presented', 'signed', 'refused', 'unclaimed')),
  notice_receipt_at timestamptz,
  -- The time bar: its estimated last day, the day and the fact it is counted from.
  limitation_ends_on date not null,
  limitation_from date not null,
  limitation_because text not null
    check (limitation_because in ('issue_date', 'supply', 'acknowledgement', 'written_demand', 'served', 'declared')),
  -- The day of the next alert before its end, and the months before it that the creditor was alerted of last.
  limitation_alert_on date,
  limitation_alerted_months integer,
  -- The letter with which a collector began, art. R124-4 C. pr. civ. d'exécution: its message, and when a provider accepted it. A message
  -- without a moment went by email and came back.
  collector_letter_id uuid,
  collector_letter_at timestamptz,
  -- What the creditor recorded of the court, each day with its proof.
  filed_on date,
  filing_proof text,
  served_on date,
  service_proof text,
  -- Since when a broken promise waits for a person; ended by `end_broken_promise`, by a person, and by a message that one asks for.
  promise_broken_at timestamptz,
  last_action text,
  last_executed_at timestamptz,
  actions_completed integer not null default 0,
  -- Kept here, so that a change of standing writes no row of invoices.
  standing text default 'running',
  -- That of the invoice: what has a standing and was due in a month is read from one index.
  due_date date,
  ended_at timestamptz,
  outcome text check (outcome in ('paid', 'written_off', 'cancelled')),
  created_at timestamptz not null,
  primary key (tenant_id, invoice_id),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id) on delete cascade,
  check ((status = 'pending') = (started_at is null)),
  constraint started_has_anchor check ((started_at is null) = (anchor_at is null)),
  -- A paused one may be due too: that is when its pause ends.
  constraint due_only_while_open check (due_at is null or status in ('in_recovery', 'paused')),
  constraint wish_with_due check ((wish_at is null) = (due_at is null)),
  constraint due_channel_is_known check (due_channel in ('email', 'sms', 'lrar', 'voice')),
  -- Before the start and after the end of the reminders only a dispute is noted, because a person has to decide about it.
  constraint paused_means_held
    check ((status = 'paused') = (cardinality(holds) > 0) or (status in ('pending', 'judicial') and holds <@ array['dispute'])),
  constraint holds_are_known
    check (holds <@ array['asked', 'promise', 'dispute', 'upheld', 'reopened', 'insolvency', 'wrong_person', 'address_refused', 'situation', 'reply', 'debtor']),
  constraint standing_is_known
    check (standing in ('pending', 'running', 'decide', 'judicial', 'ended') or starts_with(standing, 'held:'))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
comment on table recoveries is 'The recovery of one invoice: its status, its step and its next moment.';
create index recoveries_open on recoveries (tenant_id, debtor_id) where ended_at is null;
-- Whose creditor is to be alerted before the time bar. Without it every open recovery would be read each night.
create index recoveries_by_limitation_alert on recoveries (tenant_id, limitation_alert_on, invoice_id)
  where limitation_alert_on is not null and ended_at is null;
-- What has a standing, in the order of its creation.
create index recoveries_by_standing on recoveries (tenant_id, standing, invoice_id);
-- What has a standing and was due in a month, in the order of its due date. Without it everything with that standing would be read.
create index recoveries_by_standing_and_due_date on recoveries (tenant_id, standing, due_date, invoice_id);
-- Whether a debtor has an invoice with a standing. Without it every invoice of the debtor would be read.
create index recoveries_of_debtor_by_standing on recoveries (tenant_id, debtor_id, standing, invoice_id);
-- Whether any dispute is outside a running recovery. Without it every disputed recovery would be read.
create index recoveries_disputed_not_running on recoveries (tenant_id, invoice_id)
  where standing = 'held:dispute' and status in ('pending', 'judicial');
-- The debtors about whom a person has to decide, one after the other, however many invoices each has.
create index recoveries_to_settle on recoveries (tenant_id, standing, debtor_id)
  where standing in ('decide', 'held:upheld', 'held:reopened', 'held:wrong_person', 'held:address_refused');
-- The disputes to be decided, also those that a situation hides from the standing.
create index recoveries_disputed on recoveries (tenant_id, debtor_id, invoice_id) where 'dispute' = any (holds);
-- The broken promises that nobody has looked at.
create index recoveries_promise_broken on recoveries (tenant_id, debtor_id, invoice_id) where promise_broken_at is not null;
alter table recoveries enable row level security;
alter table recoveries force row level security;
create policy one_tenant on recoveries using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update, delete on recoveries to relance_api;
grant select, insert, update on recoveries to relance_worker;

-- A send moves the moment and changes none of the three columns of the condition, so the row is still updated in its page (HOT).
create function set_standing() returns trigger language plpgsql as $$
begin
  new.standing := standing_of(new.status, new.holds, new.due_at is not null);
  return new;
end $$;
create trigger set_standing_of_new before insert on recoveries for each row
  when (new.status <> 'in_recovery' or new.due_at is null or new.standing is distinct from 'running') execute function set_standing();
create trigger set_standing before update on recoveries for each row
  when (old.status <> new.status or old.holds <> new.holds or (old.due_at is null) <> (new.due_at is null)) execute function set_standing();

-- A broken promise is not work any more once there is a new promise, a dispute, a pause, or an end.
create function end_broken_promise() returns trigger language plpgsql as $$
begin
  new.promise_broken_at := null;
  return new;
end $$;
create trigger end_broken_promise before update on recoveries for each row
  when (new.promise_broken_at is not null
    and (new.status not in ('in_recovery', 'paused') or new.holds && array['promise', 'dispute', 'insolvency', 'asked', 'debtor']))
  execute function end_broken_promise();

-- The insert of an invoice writes the due date. If a statement inserts without it, or changes it later, these triggers copy it.
create function set_due_date() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_table_name = 'invoices' then
    update recoveries set due_date = new.due_date where tenant_id = new.tenant_id and invoice_id = new.id;
  else
    update recoveries r set due_date = i.due_date from invoices i
     where r.tenant_id = new.tenant_id and r.invoice_id = new.invoice_id and i.tenant_id = new.tenant_id and i.id = new.invoice_id;
  end if;
  return null;
end $$;
create trigger set_due_date_of_new after insert on recoveries for each row when (new.due_date is null) execute function set_due_date();
create trigger set_due_date after update of due_date on invoices for each row
  when (old.due_date <> new.due_date) execute function set_due_date();

-- A recovery that begins as usual writes nothing: see count_deltas.
create function count_recovery() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  -- What it counts as from its first moment, and again when its invoice is deleted and that is taken away.
  usual constant integer := case tg_op when 'INSERT' then -1 else 1 end;
  it recoveries := case tg_op when 'INSERT' then new else old end;
  stands text := standing_of(it.status, it.holds, it.due_at is not null);
begin
  insert into count_deltas (tenant_id, kind, status, n)
  select it.tenant_id, 'recovery', x.status, x.n from (values ('in_recovery', usual), (it.status, -usual)) x(status, n)
   where it.status <> 'in_recovery';
  insert into count_deltas (tenant_id, kind, currency, n, debtor_id, due_day, standing, open_n, open_cents)
  select i.tenant_id, 'open', i.currency, 0, i.debtor_id, i.due_date, x.standing, x.n, x.n * i.open_cents
    from invoices i cross join (values ('running', usual), (stands, -usual)) x(standing, n)
   where i.tenant_id = it.tenant_id and i.id = it.invoice_id and i.open_cents + 0 > 0;
  return null;
end $$;
create trigger count_new_recovery after insert on recoveries for each row
  when (new.status <> 'in_recovery' or new.due_at is null) execute function count_recovery();
create trigger count_deleted_recovery after delete on recoveries for each row
  when (old.status <> 'in_recovery' or old.due_at is null) execute function count_recovery();

-- By statement: ten thousand recoveries of a debtor are held by a few statements.
create function count_changed_recoveries() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Checked first: a message changes none of these. By what is in one table and not in the other: a join would be planned for few rows.
  if not exists (
    select tenant_id, invoice_id, status, standing, outcome from fresh
    except select tenant_id, invoice_id, status, standing, outcome from old_rows)
  then return null; end if;
  insert into count_deltas (tenant_id, kind, status, currency, n, amount_cents, debtor_id, due_day, standing, open_n, open_cents)
  with change as (
    select 1 as n, tenant_id, invoice_id, status, coalesce(standing, standing_of(status, holds, due_at is not null)) as stands, outcome,
           round(extract(epoch from ended_at - started_at) / 864) as took from fresh
    union all
    select -1, tenant_id, invoice_id, status, coalesce(standing, standing_of(status, holds, due_at is not null)), outcome,
           round(extract(epoch from ended_at - started_at) / 864) from old_rows),
  moved as (
    select tenant_id, invoice_id, stands, sum(n) as n from change group by tenant_id, invoice_id, stands having sum(n) <> 0)
  select tenant_id, 'recovery', status, '', sum(n), 0, null::uuid, null::date, null, 0, 0
    from change group by tenant_id, status having sum(n) <> 0
  union all
  -- A paid one adds the days it took, in hundredths.
  select tenant_id, 'paid_recovery', '', '', sum(n), coalesce(sum(n * took), 0), null, null, null, 0, 0
    from change where outcome = 'paid' group by tenant_id having sum(n) <> 0
  union all
  select m.tenant_id, 'open', '', i.currency, 0, 0, i.debtor_id, i.due_date, m.stands, sum(m.n), sum(m.n * i.open_cents)
    from moved m
   -- By its id alone: with old statistics the planner would rather walk through all that are open.
   cross join lateral (
     select currency, debtor_id, due_date, open_cents from invoices where tenant_id = m.tenant_id and id = m.invoice_id offset 0) i
   where i.open_cents > 0
   group by m.tenant_id, i.currency, i.debtor_id, i.due_date, m.stands having sum(m.n) <> 0 or sum(m.n * i.open_cents) <> 0;
  return null;
end $$;
create trigger count_changed_recoveries after update on recoveries
  referencing new table as fresh old table as old_rows for each statement execute function count_changed_recoveries();

create table actions (
  tenant_id uuid not null,
  id uuid not null,
  -- Null: the line is about the debtor, whatever their invoices.
  invoice_id uuid,
  -- The debtor whose timeline shows the line. Lines of messages have none: the timeline shows them from communications.
  debtor_id uuid,
  action text not null,
  channel text check (channel in ('email', 'sms', 'lrar', 'voice')),
  status text not null check (status in
    ('sent', 'delivered', 'bounced', 'failed', 'unknown', 'refused', 'unclaimed', 'skipped', 'cancelled', 'done')),
  details text not null,
  -- Who did it, and what in codes.
  actor jsonb,
  code text,
  params jsonb,
  communication_id uuid,
  executed_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id) on delete cascade,
  constraint actions_say_who check (code is null or (actor is not null and params is not null)),
  constraint actions_of_somebody check (invoice_id is not null or debtor_id is not null)
);
comment on table actions is 'A line of the history of a recovery or a debtor.';
create index actions_by_invoice on actions (tenant_id, invoice_id, executed_at, id);
create unique index actions_once on actions (tenant_id, communication_id, invoice_id) where communication_id is not null;
create index actions_by_debtor on actions (tenant_id, debtor_id, executed_at, id) where debtor_id is not null;
alter table actions enable row level security;
alter table actions force row level security;
create policy one_tenant on actions using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update on actions to relance_api, relance_worker;

-- What became of a letter is in the history alone.
create trigger mark_returned_letter after update on actions for each row
  when (old.status <> new.status and new.status in ('refused', 'unclaimed', 'bounced')) execute function mark_debtor_of_action();

create table extra_messages (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  debtor_id uuid not null,
  step text not null,
  channel text not null check (channel in ('email', 'sms', 'lrar', 'voice')),
  -- What an answer to the debtor is about: the payment it is the receipt of, the day that was promised.
  about jsonb,
  status text not null check (status in ('planned', 'sent', 'failed', 'unknown', 'cancelled')),
  attempt integer not null default 0,
  wish_at timestamptz,
  due_at timestamptz,
  due_because text,
  communication_id uuid,
  created_at timestamptz not null,
  -- What a person wrote in it, sealed while it waits; once it has left, the message is kept as it was sent.
  written_sealed text,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id) on delete cascade,
  constraint due_only_while_planned check (due_at is null or status = 'planned'),
  constraint written_only_while_planned check (written_sealed is null or status = 'planned'),
  constraint wish_with_due check ((wish_at is null) = (due_at is null))
);
comment on table extra_messages is
  'A message that is no step of a cascade: requested by the company, an answer to the debtor, or the closing notice.';
create index extra_messages_due on extra_messages (tenant_id, debtor_id, due_at)
  where due_at is not null and communication_id is null;
create index extra_messages_by_invoice on extra_messages (tenant_id, invoice_id, id);
create index extra_messages_by_communication on extra_messages (tenant_id, communication_id) where communication_id is not null;
alter table extra_messages enable row level security;
alter table extra_messages force row level security;
create policy one_tenant on extra_messages using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update on extra_messages to relance_api, relance_worker;

-- ── recovery/messages ──

create table communications (
  tenant_id uuid not null,
  id uuid not null,
  debtor_id uuid not null,
  -- The invoice it is sent for; the others are grouped with it.
  lead_invoice_id uuid,
  channel text not null check (channel in ('email', 'sms', 'lrar', 'voice')),
  step text not null,
  state text not null check (state in
    ('reserved', 'sending', 'sent', 'delivered', 'bounced', 'failed', 'unknown', 'lapsed', 'cancelled')),
  wake_generation bigint not null,
  token uuid,
  -- Only a claim moves the lease; a worker that takes a lost message moves pending_sends.reclaim_at. One column for both left messages
  -- stuck.
  lease_until timestamptz,
  committing_at timestamptz,
  not_after timestamptz not null,
  provider text,
  provider_id text,
  -- The digest of the email address or the number it was claimed for, as `contact_points` makes it. Null for a letter, and after a
  -- failure that says nothing of the address.
  recipient_point bytea,
  -- Of the letter as it was printed.
  document_sha256 bytea,
  -- When its provider was last asked for an outcome that is not known.
  looked_up_at timestamptz,
  reason text,
  verdict jsonb not null,
  reserved_at timestamptz not null,
  sent_at timestamptz,
  delivered_at timestamptz,
  settled_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, debtor_id) references debtors (tenant_id, id)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
comment on table communications is 'One message to a debtor on one channel.';
-- The messages of a debtor in the order of its timeline. Without the id in it every message of the debtor would be read and sorted.
create index communications_of_debtor on communications (tenant_id, debtor_id, reserved_at, id);
-- The messages of a tenant by the moment at which each was decided, which never changes: an index on a column that is written later, such
-- as `sent_at`, would cost every message a new entry in every index.
create index communications_in_order on communications (tenant_id, reserved_at, id);
alter table communications enable row level security;
alter table communications force row level security;
create policy one_tenant on communications using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, update on communications to relance_api;
grant select, insert, update on communications to relance_worker;

-- A message has the quarter hour in which it was sent; one that was not sent, or perhaps not, that of its reservation.
create function count_message() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    if old.state in ('sent', 'delivered', 'bounced', 'failed', 'unknown') then
      insert into count_deltas (tenant_id, kind, status, method, slot, n)
      values (old.tenant_id, 'slot', old.state, old.channel, slot_of(coalesce(old.sent_at, old.reserved_at)), -1);
    end if;
  end if;
  if tg_op <> 'DELETE' then
    if new.state in ('sent', 'delivered', 'bounced', 'failed', 'unknown') then
      insert into count_deltas (tenant_id, kind, status, method, slot, n)
      values (new.tenant_id, 'slot', new.state, new.channel, slot_of(coalesce(new.sent_at, new.reserved_at)), 1);
    end if;
  end if;
  return null;
end $$;
create trigger count_new_message after insert on communications for each row
  when (new.state in ('sent', 'delivered', 'bounced', 'failed', 'unknown')) execute function count_message();
create trigger count_changed_message after update on communications for each row
  when ((old.state, old.sent_at) is distinct from (new.state, new.sent_at)
    and (old.state in ('sent', 'delivered', 'bounced', 'failed', 'unknown') or new.state in ('sent', 'delivered', 'bounced', 'failed', 'unknown')))
  execute function count_message();
create trigger count_deleted_message after delete on communications for each row
  when (old.state in ('sent', 'delivered', 'bounced', 'failed', 'unknown')) execute function count_message();

create trigger mark_settled_message after update on communications for each row
  when (old.state <> new.state and new.state in ('sent', 'delivered', 'bounced', 'failed', 'unknown')) execute function mark_debtor();

create table communication_invoices (
  tenant_id uuid not null,
  communication_id uuid not null,
  invoice_id uuid not null,
  -- A formal notice is one only for the invoices whose own notice was due; the others are mentioned in it.
  as_notice boolean not null default false,
  primary key (tenant_id, communication_id, invoice_id),
  foreign key (tenant_id, communication_id) references communications (tenant_id, id) on delete cascade,
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id) on delete cascade
);
comment on table communication_invoices is 'An invoice of a message, and whether the message is its formal notice.';
create index communication_invoices_by_invoice on communication_invoices (tenant_id, invoice_id);
alter table communication_invoices enable row level security;
alter table communication_invoices force row level security;
create policy one_tenant on communication_invoices using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, delete on communication_invoices to relance_api;
grant select, insert, delete on communication_invoices to relance_worker;

-- The law as a constraint: whatever the program decides, two contacts of one person on one day cannot be stored.
create table contact_slots (
  tenant_id uuid not null,
  point bytea not null,
  channel text not null check (channel in ('email', 'sms', 'lrar', 'voice')),
  local_day date not null,
  at timestamptz not null,
  zone text not null,
  cooldown tstzrange not null,
  counts boolean not null,
  communication_id uuid not null,
  constraint slot_on_its_day check (local_day = (at at time zone zone)::date),
  constraint slot_in_hours check (extract(hour from at at time zone zone) between 8 and 19),
  constraint slot_not_on_sunday check (extract(isodow from at at time zone zone) <> 7),
  constraint slot_cooldown_is_three_days check (cooldown = tstzrange(at, at + interval '72 hours 15 minutes')),
  constraint slot_once_a_cooldown exclude using gist
    (tenant_id with =, point with =, channel with =, cooldown with &&) where (counts),
  -- Checked at commit: a reservation that finds one point taken leaves slots without a message, and is then rolled back.
  foreign key (tenant_id, communication_id) references communications (tenant_id, id) on delete cascade deferrable initially deferred
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
comment on table contact_slots is 'A point of a person, taken for one day and for the cool-down of a channel.';
create unique index slot_once_a_day on contact_slots (tenant_id, point, local_day) where counts;
create index contact_slots_by_communication on contact_slots (tenant_id, communication_id);
alter table contact_slots enable row level security;
alter table contact_slots force row level security;
create policy one_tenant on contact_slots using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, delete on contact_slots to relance_api;
grant select, insert, update, delete on contact_slots to relance_worker;

create function purge_contact_slots(p_tenant uuid, p_before timestamptz) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with gone as (delete from contact_slots where tenant_id = p_tenant and upper(cooldown) < p_before returning 1)
  select count(*)::integer from gone
$$;
grant execute on function purge_contact_slots to relance_worker;

create table pending_sends (
  tenant_id uuid not null,
  communication_id uuid not null,
  debtor_id uuid not null,
  -- From then on the message counts as lost, and another worker takes it.
  reclaim_at timestamptz not null,
  attempts integer not null default 0,
  -- The worker that has the message.
  taken_by uuid,
  primary key (tenant_id, communication_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
comment on table pending_sends is 'A message between its reservation and its settlement.';
create index pending_sends_due on pending_sends (reclaim_at);
create index pending_sends_by_worker on pending_sends (taken_by);
grant select, delete on pending_sends to relance_api;
grant select, insert, update, delete on pending_sends to relance_worker;
grant select on pending_sends to relance_operator;

-- How many messages that a stop covers have passed the fence since then and have no outcome yet.
create function count_in_flight(p_target text, p_since timestamptz) returns integer
language sql security definer set search_path = public, pg_temp as $$
  select count(*)::integer
    from pending_sends p
    join communications c on c.tenant_id = p.tenant_id and c.id = p.communication_id
    join tenants t on t.id = p.tenant_id and t.environment = 'production'
   where c.state = 'sending' and c.committing_at > p_since
     and p_target in ('*', t.company_id::text, t.id::text, c.provider)
$$;
grant execute on function count_in_flight to relance_operator;

-- By a trigger: an index on the state itself would be written with every step of every message.
create table unknown_messages (
  tenant_id uuid not null,
  communication_id uuid not null,
  since timestamptz not null,
  -- When a person of the company has looked at it.
  seen_at timestamptz,
  primary key (tenant_id, communication_id)
);
comment on table unknown_messages is 'A message of production whose outcome is unknown.';
create index unknown_messages_by_age on unknown_messages (since);
grant select on unknown_messages to relance_api, relance_worker, relance_operator;
grant update (seen_at) on unknown_messages to relance_api;

create function track_unknown_message() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.state = 'unknown' then
    insert into unknown_messages (tenant_id, communication_id, since)
    select new.tenant_id, new.id, new.settled_at from tenants t where t.id = new.tenant_id and t.environment = 'production'
    on conflict do nothing;
  else
    delete from unknown_messages where tenant_id = new.tenant_id and communication_id = new.id;
  end if;
  return null;
end $$;
create trigger track_unknown_message after update on communications for each row
  when (old.state <> new.state and 'unknown' in (old.state, new.state)) execute function track_unknown_message();

create function purge_unknown_messages(p_before timestamptz, p_most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gone integer;
begin
  delete from unknown_messages where ctid = any (array(
    select ctid from unknown_messages where since < p_before order by since limit p_most));
  get diagnostics gone = row_count;
  return gone;
end $$;
grant execute on function purge_unknown_messages to relance_worker;

-- It leads to the tenant, and no further: the rest is closed by the policy.
create table message_codes (
  code text primary key,
  tenant_id uuid not null references tenants,
  communication_id uuid not null,
  debtor_id uuid not null,
  -- A letter has a code that a person can type, besides its link.
  letter_code text,
  expires_at timestamptz not null,
  -- The holder said that they are not the debtor: it shows nothing any more, whatever the address of the debtor becomes.
  disowned boolean not null default false,
  -- The link may ask who opens it; five wrong answers close it.
  wrong_answers integer not null default 0
);
comment on table message_codes is
  'The code of a message, for its provider and in the link of the debtor, and the tenant it leads to.';
create index message_codes_by_age on message_codes (expires_at);
create index message_codes_by_debtor on message_codes (tenant_id, debtor_id);
create index message_codes_by_letter_code on message_codes (letter_code) where letter_code is not null;
grant select, delete on message_codes to relance_api;
grant select, insert, delete on message_codes to relance_worker;
grant update (disowned, wrong_answers) on message_codes to relance_api;
grant update (disowned) on message_codes to relance_worker;

-- The holder of the code of a message acts for its debtor until it expires, also when the company was closed: the rights of the debtor
-- do not end with it. Without a valid code there is no tenant, and every query raises an error.
create function enter_by_code(p_code text, p_wall timestamptz) returns bigint
language plpgsql as $$
declare found_code record;
begin
  select m.tenant_id, t.environment, t.clock_offset_ms + i.clock_offset_ms as offset_ms into found_code
    from message_codes m
    join tenants t on t.id = m.tenant_id
    cross join installation i
   where m.code = p_code and m.expires_at > p_wall;
  if not found then raise exception 'code is dead' using errcode = 'RL001'; end if;
  perform set_config('relance.tenant', found_code.tenant_id::text, true);
  if found_code.environment = 'sandbox' then return lock_sandbox_shared(found_code.tenant_id); end if;
  return found_code.offset_ms;
end $$;
grant execute on function enter_by_code to relance_api;

-- For provider events about money alone: a card payment may be taken back months after the page was closed, and money that arrived is never
-- refused.
create function enter_by_old_code(p_code text) returns bigint
language plpgsql as $$
declare found_code record;
begin
  select m.tenant_id, t.environment, t.clock_offset_ms + i.clock_offset_ms as offset_ms into found_code
    from message_codes m join tenants t on t.id = m.tenant_id cross join installation i where m.code = p_code;
  if not found then raise exception 'code is unknown' using errcode = 'RL001'; end if;
  perform set_config('relance.tenant', found_code.tenant_id::text, true);
  if found_code.environment = 'sandbox' then return lock_sandbox_shared(found_code.tenant_id); end if;
  return found_code.offset_ms;
end $$;
grant execute on function enter_by_old_code to relance_api;

create function purge_message_codes(p_before timestamptz, p_most integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with old as (select code from message_codes where expires_at < p_before order by expires_at limit p_most),
  gone as (delete from message_codes m using old where m.code = old.code returning 1)
  select count(*)::integer from gone
$$;
grant execute on function purge_message_codes to relance_worker;

-- A reply by text message names only a phone number. It goes to every tenant that wrote to that number: the code of the last text
-- message of each, and nothing else.
create function codes_by_phone(p_phone text, p_since timestamptz) returns setof text
language sql stable security definer set search_path = public, pg_temp as $$
  select last.code
    from tenants t
   cross join lateral (
     select d.id from debtors d where d.tenant_id = t.id and d.phone = p_phone offset 0) person
   cross join lateral (
     select m.code from communications c
       join message_codes m on m.tenant_id = t.id and m.debtor_id = person.id and m.communication_id = c.id
      where c.tenant_id = t.id and c.debtor_id = person.id and c.channel = 'sms' and c.reserved_at > p_since
        and c.state in ('sending', 'sent', 'delivered', 'bounced', 'unknown')
      order by c.reserved_at desc limit 1) last
   where t.environment = 'production'
$$;
grant execute on function codes_by_phone to relance_api;

-- In eight parts, so that senders of one tenant rarely wait for each other. Production only.
create table daily_sends (
  tenant_id uuid not null references tenants,
  day date not null,
  channel text not null,
  part integer not null,
  sent integer not null,
  primary key (tenant_id, day, channel, part)
);
comment on table daily_sends is
  'How many messages of a tenant were claimed for sending on a channel and UTC day, in one of eight parts.';
create index daily_sends_by_day on daily_sends (day);

-- Over all production tenants. The person is an HMAC of an email address or a phone number under a key of the installation: there is no
-- tenant and no address in it. No process reads it; only the functions below do.
create table daily_contacts (
  person bytea not null,
  day date not null,
  contacts integer not null,
  primary key (person, day)
);
comment on table daily_contacts is 'How many contacts a person had on a UTC day, over all tenants.';
create index daily_contacts_by_day on daily_contacts (day);

-- Counts a message in the transaction that claims it, or raises an error, which rolls the claim back. Each person comes with their digests
-- under all keys of the keyring, the active one first; persons are sorted, so that two claims never wait for each other in a circle.
--
-- One digest after the other: a list of unknown length was planned again at each call, this is one plan by the primary key. There are one
-- or two digests.
create function count_send(p_tenant uuid, p_day date, p_channel text, p_allowed integer, p_part integer, p_persons bytea[],
  p_keys integer, p_person_day integer, p_person_month integer) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mine integer;
  share integer;
  is_counted boolean := false;
  digest bytea;
  counted record;
  today bigint;
  month bigint;
begin
  for i in 0..7 loop
    mine := (p_part + i) % 8;
    share := p_allowed / 8 + case when mine < p_allowed % 8 then 1 else 0 end;
    continue when share = 0;
    -- A part that is full is not locked, so it is safe to look at several.
    update daily_sends set sent = sent + 1
     where tenant_id = p_tenant and day = p_day and channel = p_channel and part = mine and sent < share;
    is_counted := found;
    exit when is_counted;
    insert into daily_sends values (p_tenant, p_day, p_channel, mine, 1) on conflict do nothing;
    is_counted := found;
    exit when is_counted;
    update daily_sends set sent = sent + 1
     where tenant_id = p_tenant and day = p_day and channel = p_channel and part = mine and sent < share;
    is_counted := found;
    exit when is_counted;
  end loop;
  if not is_counted then raise exception 'daily limit' using errcode = 'RL010'; end if;
  for i in 1..coalesce(cardinality(p_persons), 0) / p_keys loop
    insert into daily_contacts as d values (p_persons[(i - 1) * p_keys + 1], p_day, 1)
    on conflict (person, day) do update set contacts = d.contacts + 1;
    today := 0;
    month := 0;
    foreach digest in array p_persons[(i - 1) * p_keys + 1 : i * p_keys] loop
      select coalesce(sum(contacts) filter (where day = p_day), 0) as today, coalesce(sum(contacts), 0) as month into counted
        from daily_contacts where person = digest and day > p_day - 30;
      today := today + counted.today;
      month := month + counted.month;
    end loop;
    if today > p_person_day or month > p_person_month then
      raise exception 'person limit' using errcode = 'RL011';
    end if;
  end loop;
end $$;
grant execute on function count_send to relance_worker;

-- The provider refused the message, or it was not handed over: nobody was contacted and nothing was paid for.
create function uncount_send(p_tenant uuid, p_day date, p_channel text, p_persons bytea[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update daily_sends set sent = sent - 1
   where tenant_id = p_tenant and day = p_day and channel = p_channel
     and part = (select part from daily_sends where tenant_id = p_tenant and day = p_day and channel = p_channel and sent > 0
                  order by sent desc, part limit 1);
  update daily_contacts set contacts = contacts - 1 where day = p_day and person = any (p_persons) and contacts > 0;
end $$;
grant execute on function uncount_send to relance_worker;

create function purge_send_counts(p_before timestamptz, p_most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gone integer;
  most integer;
begin
  delete from daily_sends where ctid = any (array(
    select ctid from daily_sends where day < (p_before at time zone 'UTC')::date order by day limit p_most));
  get diagnostics most = row_count;
  delete from daily_contacts where ctid = any (array(
    select ctid from daily_contacts where day < (p_before at time zone 'UTC')::date order by day limit p_most));
  get diagnostics gone = row_count;
  return greatest(most, gone);
end $$;
grant execute on function purge_send_counts to relance_worker;

-- A row is inserted with the first failure and deleted with the first answer. From the third failure in a row on nothing is sent before
-- `until`, and then one message tries.
create table provider_outages (
  channel text primary key,
  provider text not null,
  since timestamptz not null,
  failures integer not null,
  reason text not null,
  until timestamptz,
  -- Until when the one message that tries is waited for.
  probe_until timestamptz
);
comment on table provider_outages is 'A provider that failed and has not answered since.';
grant select on provider_outages to relance_api, relance_operator;
grant select, insert, update, delete on provider_outages to relance_worker;

-- Written by no production tenant. A sandbox may pass over months for many debtors at once: the newest message is that of the latest day,
-- not the last written.
create table sandbox_messages (
  tenant_id uuid not null,
  communication_id uuid not null,
  channel text not null,
  recipient text not null,
  subject text,
  body text not null,
  created_at timestamptz not null,
  primary key (tenant_id, communication_id),
  foreign key (tenant_id, communication_id) references communications (tenant_id, id) on delete cascade
);
comment on table sandbox_messages is 'What a sandbox would have sent.';
create index sandbox_messages_by_time on sandbox_messages (tenant_id, created_at, communication_id);
create index sandbox_messages_by_channel on sandbox_messages (tenant_id, channel, created_at, communication_id);
alter table sandbox_messages enable row level security;
alter table sandbox_messages force row level security;
create policy one_tenant on sandbox_messages using (tenant_id = current_setting('relance.tenant')::uuid);
grant select on sandbox_messages to relance_api;
grant select, insert on sandbox_messages to relance_worker;

-- The contact ledger has a salted digest of `sha256`.
create table sent_messages (
  tenant_id uuid not null,
  communication_id uuid not null,
  subject text,
  text text not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  primary key (tenant_id, communication_id),
  foreign key (tenant_id, communication_id) references communications (tenant_id, id) on delete cascade
);
comment on table sent_messages is 'A message as the person got to read it.';
alter table sent_messages enable row level security;
alter table sent_messages force row level security;
create policy one_tenant on sent_messages using (tenant_id = current_setting('relance.tenant')::uuid);
grant select on sent_messages to relance_api;
grant select, insert on sent_messages to relance_worker;

-- Each entry contains the hash of the one before it. No role may change or delete one.
create table contact_ledger (
  tenant_id uuid not null,
  debtor_id uuid not null,
  position integer not null check (position > 0),
  entry text not null,
  hash bytea not null,
  primary key (tenant_id, debtor_id, position),
  foreign key (tenant_id, debtor_id) references debtors (tenant_id, id)
);
comment on table contact_ledger is 'The proof of a contact, hash-chained per debtor.';
alter table contact_ledger enable row level security;
alter table contact_ledger force row level security;
create policy one_tenant on contact_ledger using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert on contact_ledger to relance_api, relance_worker;

-- Without the salt the digests say nothing.
create table contact_salts (
  tenant_id uuid not null,
  debtor_id uuid not null,
  salt bytea not null,
  primary key (tenant_id, debtor_id),
  foreign key (tenant_id, debtor_id) references debtors (tenant_id, id)
);
comment on table contact_salts is 'The salt of the digests of the personal data of a debtor.';
alter table contact_salts enable row level security;
alter table contact_salts force row level security;
create policy one_tenant on contact_salts using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert on contact_salts to relance_api, relance_worker;

-- ── recovery/receipts ──

create table early_receipts (
  tenant_id uuid not null references tenants,
  communication_id uuid not null,
  outcome text not null,
  at timestamptz not null,
  received_at timestamptz not null,
  retry_at timestamptz not null,
  primary key (tenant_id, communication_id, outcome)
);
comment on table early_receipts is 'A receipt of a message that came before the message was settled, and is tried again.';
create index early_receipts_due on early_receipts (retry_at);
grant select, insert on early_receipts to relance_api;
grant select, update, delete on early_receipts to relance_worker;

-- ── recovery/holds ──

-- Two records with one address share it.
create table closed_points (
  tenant_id uuid not null references tenants,
  point bytea not null,
  channel text not null check (channel in ('email', 'sms', 'lrar', 'voice')),
  because text not null check (because in ('opt_out', 'wrong_person', 'erased', 'refused')),
  created_at timestamptz not null,
  primary key (tenant_id, point, channel)
);
comment on table closed_points is 'A channel that is closed at a point: the person opted out, is the wrong one, or was erased, or the address refused a message.';
alter table closed_points enable row level security;
alter table closed_points force row level security;
create policy one_tenant on closed_points using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, delete on closed_points to relance_api;
grant select, insert on closed_points to relance_worker;

-- While one is unread, its debtor is reminded of nothing.
create table replies (
  tenant_id uuid not null,
  id uuid not null,
  debtor_id uuid not null,
  -- Null: a person recorded what they were told.
  communication_id uuid,
  channel text not null check (channel in ('email', 'sms', 'lrar', 'voice')),
  received_at timestamptz not null,
  -- What was chosen on the page or understood on the telephone; null for what was written.
  said text check (said in ('payment_sent', 'invoice_not_received', 'waiting_approval', 'hand_over',
    'insolvency', 'deceased', 'identity_theft', 'protected_person')),
  -- Of a reported situation: when it was decided.
  read_at timestamptz,
  -- How a reported situation ended.
  decision text check (decision in ('insolvency', 'representative', 'identity_theft', 'not_confirmed')),
  -- What was written, sealed: JSON with from, subject, text and attachments (name, type and size, never their content).
  content_sealed text,
  -- `none`: nothing was written, or its provider does not give it to us.
  text_state text not null default 'none' check (text_state in ('kept', 'none', 'erased')),
  -- What a person found in it; null: it was only read.
  outcome text check (outcome in ('promise', 'says_paid', 'dispute', 'wrong_person', 'other')),
  -- The message that answers it, in `extra_messages`; once it was tried, in `communications`.
  answer_id uuid,
  answer_communication_id uuid,
  -- What a person wrote in it, sealed; gone once it has left, because the message is kept as it was sent.
  answer_sealed text,
  primary key (tenant_id, id),
  foreign key (tenant_id, debtor_id) references debtors (tenant_id, id) on delete cascade,
  constraint kept_texts_are_there check ((text_state = 'kept') = (content_sealed is not null)),
  constraint closed_when_read check (outcome is null or read_at is not null),
  constraint situations_are_decided check (
    (read_at is not null and said in ('insolvency', 'deceased', 'identity_theft', 'protected_person')) = (decision is not null))
);
comment on table replies is 'A reply of a person to a message, which holds the debtor until it is read; a reported situation until it is decided.';
create index replies_of_debtor on replies (tenant_id, debtor_id, id);
create index replies_unread on replies (tenant_id, debtor_id) where read_at is null;
create index replies_read on replies (tenant_id, read_at) where read_at is not null;
create index replies_kept on replies (tenant_id, received_at) where content_sealed is not null;
create index replies_kept_read on replies (tenant_id, read_at) where content_sealed is not null and read_at is not null;
alter table replies enable row level security;
alter table replies force row level security;
create policy one_tenant on replies using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update on replies to relance_api;
grant select on replies to relance_worker;
grant update (answer_sealed, answer_communication_id) on replies to relance_worker;

create function purge_replies(p_tenant uuid, p_before timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from replies where tenant_id = p_tenant and read_at is not null and read_at < p_before
$$;
grant execute on function purge_replies to relance_worker;

-- Erases the texts that were read the days of the company ago, and those that came 400 days ago.
create function erase_reply_texts(p_tenant uuid, p_now timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update replies set content_sealed = null, text_state = 'erased'
   where tenant_id = p_tenant and content_sealed is not null
     and (read_at <= p_now - make_interval(hours => 24 * coalesce((select keep_reply_days from company_settings where tenant_id = p_tenant), 30))
       or received_at <= p_now - interval '9600 hours')
$$;
grant execute on function erase_reply_texts to relance_worker;

-- ── recovery/workflow ──

-- A version never changes once it is written: running recoveries name it.
create table cascades (
  tenant_id uuid not null references tenants,
  name text not null check (name ~ '^[a-z][a-z0-9_]{0,39}$'),
  version integer not null check (version > 0),
  steps jsonb not null,
  applies jsonb not null,
  enabled boolean not null,
  is_current boolean not null,
  created_at timestamptz not null,
  primary key (tenant_id, name, version)
);
comment on table cascades is 'A version of the cascade of a company.';
create unique index cascades_current on cascades (tenant_id, name) where is_current;
alter table cascades enable row level security;
alter table cascades force row level security;
create policy one_tenant on cascades using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert on cascades to relance_api;
grant select on cascades to relance_worker;
grant update (enabled, is_current) on cascades to relance_api;

create table anr_documents (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  basis text not null check (basis in ('amicable_failed', 'liquidation', 'untraceable', 'enforcement_failed', 'time_barred')),
  note text,
  pdf bytea not null,
  sha256 bytea not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id)
);
comment on table anr_documents is 'The attestation that a debt is irrecoverable, with its PDF.';
create unique index anr_documents_by_invoice on anr_documents (tenant_id, invoice_id);
alter table anr_documents enable row level security;
alter table anr_documents force row level security;
create policy one_tenant on anr_documents using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert on anr_documents to relance_api, relance_worker;

-- ── recovery/workflow/claim-lists ──

-- The sums that a mandate covers, art. R124-3 C. pr. civ. d'exécution. A list never changes: a later one is added to it.
create table claim_lists (
  tenant_id uuid not null references tenants,
  id uuid not null,
  -- Its day, where the company is: a mandate covers the lists from the day it was signed.
  accepted_on date not null,
  accepted_by text not null,
  created_at timestamptz not null,
  -- Who sent the request, as in events.
  actor jsonb not null,
  primary key (tenant_id, id)
);
comment on table claim_lists is 'A dated list of the claims that a company gave to its collector, and who accepted it.';
alter table claim_lists enable row level security;
alter table claim_lists force row level security;
create policy one_tenant on claim_lists using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert on claim_lists to relance_api;
grant select on claim_lists to relance_worker;

create table listed_claims (
  tenant_id uuid not null,
  list_id uuid not null,
  invoice_id uuid not null,
  -- The day of its list.
  accepted_on date not null,
  currency text not null,
  principal_cents bigint not null,
  indemnity_cents bigint not null,
  interest_cents bigint not null,
  primary key (tenant_id, list_id, invoice_id),
  foreign key (tenant_id, list_id) references claim_lists (tenant_id, id) on delete cascade,
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id) on delete cascade
);
comment on table listed_claims is 'An invoice in a list of claims, with its sums as they were on the day of the list.';
create index listed_claims_by_invoice on listed_claims (tenant_id, invoice_id, accepted_on);
alter table listed_claims enable row level security;
alter table listed_claims force row level security;
create policy one_tenant on listed_claims using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert on listed_claims to relance_api;
grant select on listed_claims to relance_worker;

-- Once the mandate of a company is over, what waited for a list of claims is due again, and its debtors are woken.
create function release_unlisted(p_company uuid, p_wall timestamptz) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with mine as (
    select t.id, p_wall + (t.clock_offset_ms + i.clock_offset_ms) * interval '1 millisecond' as now
      from tenants t cross join installation i where t.company_id = p_company),
  due as (
    update recoveries r set due_at = mine.now, wish_at = mine.now, due_because = 'cascade', generation = r.generation + 1
      from mine
     where r.tenant_id = mine.id and r.standing = 'decide' and r.status = 'in_recovery' and r.due_at is null
       and r.due_because = 'claim_unlisted' and r.communication_id is null
    returning r.tenant_id, r.debtor_id),
  woken as (
    update agendas a set wake_at = p_wall, wake_because = 'cascade', wake_generation = a.wake_generation + 1, attempts = 0
      from (select distinct tenant_id, debtor_id from due) d
     where a.tenant_id = d.tenant_id and a.debtor_id = d.debtor_id and a.parked_because is null)
  select count(*)::integer from due
$$;
grant execute on function release_unlisted to relance_operator;

-- ── recovery/templates ──

create table company_texts (
  tenant_id uuid not null references tenants,
  step text not null,
  channel text not null check (channel in ('email', 'sms', 'lrar', 'voice')),
  language text not null check (language in ('fr', 'en')),
  subject text,
  opening text,
  updated_at timestamptz not null,
  primary key (tenant_id, step, channel, language)
);
comment on table company_texts is 'The text of a company for a step, in one channel and language.';
alter table company_texts enable row level security;
alter table company_texts force row level security;
create policy one_tenant on company_texts using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update, delete on company_texts to relance_api;
grant select on company_texts to relance_worker;

revoke all on all functions in schema public from public;
