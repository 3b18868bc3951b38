-- A sandbox that is emptied loses its tasks and imports as well.

create or replace function reset_sandbox() returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mine uuid := current_setting('relance.tenant')::uuid;
  t text;
begin
  if not exists (select from tenants where id = mine and environment = 'sandbox') then return false; end if;
  foreach t in array array['pending_tasks', 'tasks', 'task_files', 'import_mappings', 'blocked_records', 'unknown_messages', 'score_marks',
    'message_codes', 'early_receipts', 'calls', 'checkouts', 'sandbox_messages', 'contact_slots', 'pending_sends',
    'communication_invoices', 'extra_messages', 'communications', 'anr_documents', 'promises', 'disputes', 'postings', 'credits',
    'payments', 'actions', 'recoveries', 'invoices', 'contact_ledger', 'contact_salts', 'agendas', 'closed_points', 'debtors',
    'outbox', 'webhook_queue', 'webhook_deliveries', 'count_deltas', 'count_totals', 'count_days', 'count_debtor_invoices',
    'count_magnitudes']
  loop
    execute format('delete from %I where tenant_id = $1', t) using mine;
  end loop;
  delete from events where tenant_id = mine and not is_act;
  -- The triggers have counted what just went: there is nothing left to count.
  delete from count_deltas where tenant_id = mine;
  return true;
end $$;
