-- no-transaction
-- Whether a debtor has an invoice that stands so. Without it every invoice of the debtor would be read.
create index concurrently recoveries_of_debtor_by_standing on recoveries (tenant_id, debtor_id, standing, invoice_id);
