-- A message changes its recoveries twice. No index names what changes then, so that the row is updated in its page (HOT): a wake
-- reads the open recoveries of its debtor, and what a message serves is found by its invoices.
create index recoveries_open on recoveries (tenant_id, debtor_id) where ended_at is null;
drop index recoveries_due;
drop index recoveries_by_communication;

alter table recoveries set (fillfactor = 80);
alter table communications set (fillfactor = 85);
alter table invoices set (fillfactor = 85);

-- Tables whose rows change or go many times a second: vacuumed after so many dead rows, however large the table is.
alter table agendas set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
alter table recoveries set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
alter table communications set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
alter table contact_slots set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
alter table pending_sends set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
alter table outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
alter table webhook_queue set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
alter table count_deltas set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
alter table score_marks set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
