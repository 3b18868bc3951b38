-- no-transaction
-- Fills what 0043_standing_of_recoveries keeps for the rows from before, a few thousand rows a transaction. A row whose standing changes
-- meanwhile is filled by its trigger. What is counted does not change. One statement, because only such a one may commit on its way.
do $$
declare
  rows_at_once constant integer := 5000;
  nil constant uuid := '00000000-0000-0000-0000-000000000000';
  last record;
begin
  select nil as tenant_id, nil as id into last;
  loop
    with batch as (
      select tenant_id, invoice_id from recoveries where (tenant_id, invoice_id) > (last.tenant_id, last.id)
       order by tenant_id, invoice_id limit rows_at_once),
    filled as (
      update recoveries r set standing = standing_of(r.status, r.holds, r.due_at is not null), due_date = i.due_date
        from batch b join invoices i on i.tenant_id = b.tenant_id and i.id = b.invoice_id
       where r.tenant_id = b.tenant_id and r.invoice_id = b.invoice_id and (r.standing is null or r.due_date is null))
    select tenant_id, invoice_id as id into last from batch order by tenant_id desc, invoice_id desc limit 1;
    exit when not found;
    commit;
  end loop;
end $$;
