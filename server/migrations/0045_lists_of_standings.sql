-- What stands so and was due in a month, in the order of its due date; and whether a debtor has an invoice that stands so. Without these,
-- everything that stands so was read for the first, and every invoice of the debtor for the second.
create index invoices_by_standing_and_due_date on invoices (tenant_id, standing, due_date, id);
create index invoices_of_debtor_by_standing on invoices (tenant_id, debtor_id, standing, id);
