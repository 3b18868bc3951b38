-- no-transaction
-- What stands so, in the order of its creation.
create index concurrently recoveries_by_standing on recoveries (tenant_id, standing, invoice_id);
