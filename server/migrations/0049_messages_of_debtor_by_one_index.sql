-- no-transaction
-- The index before has the same columns but for the id.
drop index concurrently communications_by_debtor;
