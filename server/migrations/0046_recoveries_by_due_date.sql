-- no-transaction
-- What stands so and was due in a month, in the order of its due date. Without it everything that stands so would be read.
create index concurrently recoveries_by_standing_and_due_date on recoveries (tenant_id, standing, due_date, invoice_id);
