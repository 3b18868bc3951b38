-- no-transaction
-- The messages of a debtor in the order of its timeline. Without the id in it every message of the debtor would be read and sorted.
create index concurrently communications_of_debtor on communications (tenant_id, debtor_id, reserved_at, id);
