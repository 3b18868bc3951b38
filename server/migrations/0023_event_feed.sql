-- A list of events that can be followed: each event says which transaction wrote it, so that a reader never passes one that may still commit.

-- Events of before have 0 and come first, in the order of their ids. A constant first, then the default: no row is rewritten.
alter table events add column xact bigint not null default 0;
alter table events alter column xact set default pg_current_xact_id()::text::bigint;
create index events_by_xact on events (tenant_id, xact, id);
