-- People pause a debtor, and stop the sending of their company.

-- ── a paused debtor ──

-- Held like an insolvent one: every recovery, also one that is started later. It ends by itself at `paused_until`, if there is one.
alter table debtors
  add column paused_at timestamptz,
  add column paused_until timestamptz;
alter table debtors add constraint debtors_pause_check check (paused_at is not null or paused_until is null) not valid;

alter table recoveries drop constraint holds_are_known;
alter table recoveries add constraint holds_are_known
  check (holds <@ array['asked', 'promise', 'dispute', 'upheld', 'reopened', 'insolvency', 'wrong_person', 'reply', 'debtor']) not valid;

-- ── a stop by the company itself ──

-- `by_company` is asked for by people of the company, of sending alone, and ended by them. The operator's stops are other kinds:
-- nobody ends them from here.
alter table stops
  drop constraint stops_kind_check,
  add constraint stops_kind_check check (kind in ('close', 'stop', 'maintenance', 'quarantine', 'by_company'));

-- Nothing more is sent for the tenant that was entered. Returns the stop that is open then, an earlier one if there was one.
create function stop_own_sending(p_id uuid, p_reason text, p_wall timestamptz, p_by text)
returns table (since timestamptz, reason text, is_new boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mine text := current_setting('relance.tenant');
begin
  insert into stops (id, scope, target, kind, reason, since, stopped_by)
    values (p_id, 'tenant', mine, 'by_company', p_reason, p_wall, p_by)
    on conflict (target, kind) where ended_at is null do nothing;
  return query select s.since, s.reason, s.id = p_id from stops s
    where s.target = mine and s.kind = 'by_company' and s.ended_at is null;
end $$;

-- Ends it. Returns no row if there was none.
create function end_own_stop(p_wall timestamptz, p_by text) returns table (since timestamptz, reason text)
language sql security definer set search_path = public, pg_temp as $$
  update stops s set ended_at = p_wall, ended_by = p_by
   where s.target = current_setting('relance.tenant') and s.kind = 'by_company' and s.ended_at is null
  returning s.since, s.reason
$$;

revoke all on function stop_own_sending, end_own_stop from public;
grant execute on function stop_own_sending, end_own_stop to relance_api;
