-- The engine runs tasks and nothing else.

-- Since when a task waits or runs; null: it was there before this column.
alter table pending_tasks add column since timestamptz;

-- The loop that handed wake-ups to the engine is gone: nobody leads it any more.
delete from loop_leases where loop = 'scheduler';
