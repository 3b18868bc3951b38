-- no-transaction
-- The messages of a tenant by the moment at which each was decided, which never changes: an index on what a message is given later,
-- as `sent_at`, would cost every message a new entry in every index.
create index concurrently communications_in_order on communications (tenant_id, reserved_at, id);
