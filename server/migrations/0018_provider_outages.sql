-- Providers that fail. A row appears with the first failure and goes with the first answer; from the third failure in a row on
-- nothing is sent before `until`, and then one message tries.
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
grant select on provider_outages to relance_api, relance_operator;
grant select, insert, update, delete on provider_outages to relance_worker;

-- The provider of each channel, by name; written by the workers, read wherever something is planned.
alter table installation add column providers jsonb not null default '{}';
grant update (providers) on installation to relance_worker;
