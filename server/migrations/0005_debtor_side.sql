-- Debtor side: telephone calls. What else a debtor does is written to the tables of the wings before.

-- ── debtor-side/calls ──

-- Never the conversation: its result, and a short note. A call under way has no end.
create table calls (
  tenant_id uuid not null,
  communication_id uuid not null,
  outcome text not null check (outcome in
    ('voicemail', 'unreachable', 'invoice_not_received', 'waiting_approval', 'dispute', 'promise', 'payment_sent', 'wrong_person',
     'opt_out', 'hand_over', 'nothing_agreed')),
  note text not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, communication_id),
  foreign key (tenant_id, communication_id) references communications (tenant_id, id) on delete cascade
);
comment on table calls is 'The result of a telephone call.';
alter table calls enable row level security;
alter table calls force row level security;
create policy one_tenant on calls using (tenant_id = current_setting('relance.tenant')::uuid);
grant select, insert, update on calls to relance_api;
grant select on calls to relance_worker;
