-- One tenant as large as it takes, beside small ones: $tenant is replaced by its id, $many by how many invoices it has.
-- Keys and references are not checked while it is written: the rows only have to be distributed as real ones are.
set session_replication_role = replica;
set default_statistics_target = 30;

insert into companies (id, name, owner_email, reply_email, tier, country, time_zone, language, currency, default_debtor_type, created_at)
select md5('company' || i)::uuid, 'Company ' || i, 'owner@example.org', 'owner@example.org', 'pro', 'FR', 'Europe/Paris', 'fr', 'EUR',
       'business', timestamptz '2026-01-01' from generate_series(1, greatest(102, $many / 16)) i;
insert into tenants (id, company_id, environment, created_at)
select case when i = 1 then '$tenant' else md5('tenant' || i) end::uuid, md5('company' || i)::uuid, 'production', timestamptz '2026-01-01'
  from generate_series(1, greatest(102, $many / 16)) i;
insert into tenant_nights (tenant_id, due_at, taken_until, failures)
select t.id, timestamptz '2026-01-01' + t.n * interval '4 seconds', case when t.n <= 8 then timestamptz '2026-01-01' end,
       case when t.n <= 5 then 1 else 0 end
  from (select id, row_number() over (order by id) as n from tenants) t;
-- Stops are never deleted: most of them are over.
insert into stops (id, scope, target, reason, since, stopped_by, ended_at, ended_by)
select md5('stop' || i)::uuid, 'company', md5('company' || i)::uuid::text, 'r', timestamptz '2026-01-01', 'o', timestamptz '2026-01-02', 'o'
  from generate_series(2, greatest(102, $many / 16) + 2) i;
insert into daily_sends (tenant_id, day, channel, part, sent)
select md5('tenant' || i)::uuid, date '2026-01-01', 'email', 0, 1 from generate_series(2, greatest(102, $many / 16)) i;
insert into daily_sends (tenant_id, day, channel, part, sent)
select '$tenant', date '2026-01-01' + d, 'email', p, 1 from generate_series(1, 31) d, generate_series(0, 7) p;
insert into daily_contacts (person, day, contacts)
select sha256(i::text::bytea), date '2026-01-01', 1 from generate_series(1, greatest(102, $many / 16)) i;
insert into api_keys (id, tenant_id, name, lookup, secret_mac, prefix, scopes, created_at)
select md5('key' || i)::uuid, md5('tenant' || i)::uuid, 'First', md5(i::text), 'mac', 'fk', '{}', timestamptz '2026-01-01'
  from generate_series(1, greatest(102, $many / 16)) i;

create temporary table crowd as
select case when i <= $many then '$tenant' else md5('tenant' || i % 100 + 2) end::uuid as tenant_id, i,
       md5('invoice' || i)::uuid as invoice_id, md5('debtor' || i / 2)::uuid as debtor_id, md5('message' || i)::uuid as communication_id,
       timestamptz '2026-11-16 08:00Z' + (i - 500) * interval '3 minutes' as at
  from generate_series(1, $many + 2000) i;

insert into debtors (tenant_id, id, name, name_key, email, email_key, phone, siret, country, type, language, created_at, updated_at,
  search_text, search_grams)
select distinct on (debtor_id) tenant_id, debtor_id, 'Debtor ' || i / 2, 'debtor ' || i / 2, i / 2 || '@example.org', i / 2 || '@example.org',
       '+336' || lpad((i / 2)::text, 8, '0'), lpad((i / 2)::text, 14, '0'), 'FR', 'business', 'fr', at, at, 'debtor ' || i / 2,
       array[i % 1000, i % 7000, i] from crowd;
insert into invoices (tenant_id, id, debtor_id, number, amount_cents, currency, issue_date, due_date, status, paid_at, written_off_at, created_at,
  updated_at, number_search, number_grams, open_cents)
select tenant_id, invoice_id, debtor_id, 'F-' || i, 1000 + i, 'EUR', date '2026-09-01' - i % 300, date '2026-10-01' - i % 300,
       case when i % 10 = 0 then 'paid' when i % 50 = 7 then 'written_off' else 'imported' end, case when i % 10 = 0 then at end,
       case when i % 50 = 7 then at end, at, at, 'f-' || i, array[i % 1000, i % 7000, i],
       case when i % 10 = 0 or i % 50 = 7 then 0 else 1000 + i end from crowd;
insert into recoveries (tenant_id, invoice_id, debtor_id, status, cascade, cascade_version, started_at, anchor_at, wish_at, due_at,
  due_channel, communication_id, created_at, standing, due_date, limitation_ends_on, limitation_from, limitation_because, limitation_alert_on)
select tenant_id, invoice_id, debtor_id, 'in_recovery', 'fr_b2b_standard', 1, at, at, at, at, 'email', case when i % 5 = 0 then communication_id end, at,
       case when i % 10 = 0 or i % 50 = 7 then 'ended' when i % 30 = 1 then 'held:promise' when i % 30 = 2 then 'decide' else 'running' end,
       date '2026-10-01' - i % 300, date '2031-09-01' - i % 300, date '2026-09-01' - i % 300, 'issue_date', date '2030-09-01' - i % 300 from crowd;
insert into debtor_people (tenant_id, id, debtor_id, name, role, is_main_email, email, email_key, is_main_phone, created_at, updated_at)
select tenant_id, md5('person' || i)::uuid, debtor_id, 'Person ' || i, 'other', false, 'p' || i || '@example.org', 'p' || i || '@example.org',
       false, at, at from crowd;
insert into debtor_notes (tenant_id, id, debtor_id, text, come_back_on, come_back_ended_at, actor, created_at)
select tenant_id, md5('note' || i)::uuid, debtor_id, 'Note ' || i, date '2026-12-01', at, '{}', at from crowd;
insert into debtor_scores (tenant_id, debtor_id, formula, inputs, points, score, computed_at)
select distinct tenant_id, debtor_id, 0, '{}'::jsonb, '{}'::integer[], 0, timestamptz '2026-11-16' from crowd;
insert into score_marks (tenant_id, debtor_id) select tenant_id, debtor_id from crowd where i % 3 = 0;
insert into agendas (tenant_id, debtor_id, wake_at, contact_at, contact_slot, contact_channel, wake_generation, plan_generation, taken_generation, taken_at)
select distinct on (debtor_id) tenant_id, debtor_id, at, at, slot_of(at), 'email', 1, case when i % 400 = 1 then 0 else 1 end, case when i % 40 = 0 then 1 else 0 end,
       case when i % 40 = 0 then at end from crowd;

create temporary table message as select * from crowd where i % 5 = 0;
insert into communications (tenant_id, id, debtor_id, channel, step, state, wake_generation, not_after, verdict, reserved_at)
select tenant_id, communication_id, debtor_id, 'email', 'email_prise_en_charge', 'sent', 1, at, '{}', at from message;
insert into unknown_messages (tenant_id, communication_id, since) select tenant_id, communication_id, at from message;
insert into communication_invoices (tenant_id, communication_id, invoice_id)
select tenant_id, communication_id, invoice_id from message;
insert into contact_slots (tenant_id, point, channel, local_day, at, zone, cooldown, counts, communication_id)
select tenant_id, sha256(convert_to(i::text, 'UTF8')), 'email', day, day + time '10:00', 'UTC',
       tstzrange((day + time '10:00') at time zone 'UTC', (day + time '10:00') at time zone 'UTC' + interval '72 hours 15 minutes'), true, communication_id
  from message cross join lateral (select date '2026-11-16' + (i / 10 % 5)::integer as day) d where i % 10 = 0;
insert into extra_messages (tenant_id, id, invoice_id, debtor_id, step, channel, status, wish_at, due_at, communication_id, created_at)
select tenant_id, md5('extra' || i)::uuid, invoice_id, debtor_id, 'extra_message', 'email', 'planned', at, at,
       case when i % 2 = 0 then communication_id end, at from message;
insert into tasks (tenant_id, id, kind, status, input, actor, scopes, request_id, is_dry_run, file_id, created_at, ended_at)
select tenant_id, md5('task' || i)::uuid, 'bulk', 'finished', '{}', '{}', array['workflow:trigger'], 'r', false, md5('task' || i)::uuid, at, at from message;
insert into task_files (tenant_id, id, created_at) select tenant_id, md5('task' || i)::uuid, at from message;
insert into task_file_parts (tenant_id, file_id, part, bytes) select tenant_id, id, 0, '\x00' from task_files;
insert into task_items (tenant_id, task_id, is_dry_run, subject_id, chunk, code, message)
select tenant_id, md5('task' || (i / 500 + 1) * 5)::uuid, false, invoice_id, i / 50, case when i % 10 = 0 then 'BIZ_004' end, case when i % 10 = 0 then 'm' end
  from message;
insert into imports (tenant_id, task_id, plan) select tenant_id, id, '{}' from tasks limit 4000;
insert into import_rows (tenant_id, task_id, line, is_hidden, cells, state, code, invoice_id)
select tenant_id, md5('task' || (i / 500 + 1) * 5)::uuid, i, false, '[]', 'done', case when i % 10 = 0 then 'total_row' end, invoice_id from message;
insert into import_mappings (tenant_id, signature, mapping, used_at) select tenant_id, md5('signature' || i), '{}', at from message;
insert into task_files (tenant_id, id, created_at) select tenant_id, md5('file' || i)::uuid, at from message;
insert into task_file_parts (tenant_id, file_id, part, bytes) select tenant_id, md5('file' || i)::uuid, 0, 'x' from message;
insert into blocked_records (tenant_id, id, debtor_id, because, ends_on, content, blocked_at)
select tenant_id, invoice_id, debtor_id, 'accounting', date '2036-12-31', '{}', at from message;
insert into pending_tasks (tenant_id, task_id, lane, rank, since) select id, md5('task' || id)::uuid, 'act', 1, timestamptz '2026-01-01' from tenants;
insert into promises (tenant_id, id, invoice_id, debtor_id, pay_on, amount_cents, paid_before_cents, status, created_at)
select tenant_id, md5('promise' || i)::uuid, invoice_id, debtor_id, date '2026-12-01', 100, 0, 'open', at from message;
insert into disputes (tenant_id, id, invoice_id, debtor_id, reason, status, opened_at)
select tenant_id, md5('dispute' || i)::uuid, invoice_id, debtor_id, 'broken', 'open', at from message;
insert into closed_points (tenant_id, point, channel, because, created_at)
select tenant_id, sha256(convert_to('point' || i, 'UTF8')), 'email', 'opt_out', at from message;
insert into contact_ledger (tenant_id, debtor_id, position, entry, hash)
select tenant_id, debtor_id, i, '{}', sha256(convert_to(i::text, 'UTF8')) from message;
insert into contact_salts (tenant_id, debtor_id, salt)
select distinct tenant_id, debtor_id, '\x00'::bytea from message;
insert into anr_documents (tenant_id, id, invoice_id, basis, pdf, sha256, created_at)
select tenant_id, md5('anr' || i)::uuid, invoice_id, 'amicable_failed', '', '', at from message;
insert into claim_lists (tenant_id, id, accepted_on, accepted_by, created_at, actor)
select tenant_id, md5('list' || i)::uuid, date '2026-11-01', 'Claire Lambert', at, '{}' from message;
insert into listed_claims (tenant_id, list_id, invoice_id, accepted_on, currency, principal_cents, indemnity_cents, interest_cents)
select tenant_id, md5('list' || i)::uuid, invoice_id, date '2026-11-01', 'EUR', 1000, 0, 0 from message;
insert into cascades (tenant_id, name, version, steps, applies, enabled, is_current, created_at)
select t.id, 'own_' || i, 1, '[]', '{}', true, true, timestamptz '2026-01-01' from tenants t cross join generate_series(1, 10) i;
insert into company_settings (tenant_id, updated_at)
select id, timestamptz '2026-01-01' from tenants;
insert into company_logos (tenant_id, media_type, bytes, updated_at)
select id, 'image/png', '\x00', timestamptz '2026-01-01' from tenants;
insert into payout_changes (tenant_id, field, value, requested_by, requested_at, effective_at)
select id, 'legalName', 'Other', '{"kind": "operator", "id": "operator"}', timestamptz '2026-01-01', timestamptz '2026-01-02' from tenants;
insert into pending_sends (tenant_id, communication_id, debtor_id, reclaim_at)
select tenant_id, communication_id, debtor_id, at from crowd;
insert into message_codes (code, tenant_id, communication_id, debtor_id, expires_at)
select 'e1' || substr(md5(i::text), 1, 18), tenant_id, communication_id, debtor_id, at from message;
insert into provider_events (provider, event_id, received_at) select 'mail', md5(i::text), at from message;
insert into early_receipts (tenant_id, communication_id, outcome, at, received_at, retry_at)
select tenant_id, communication_id, 'delivered', at, at, at from message;
insert into company_texts (tenant_id, step, channel, language, subject, updated_at)
select t.id, 'step_' || i, 'email', 'fr', 'words', timestamptz '2026-01-01' from tenants t cross join generate_series(1, 10) i;
insert into calls (tenant_id, communication_id, outcome, note, began_at, ended_at)
select tenant_id, communication_id, 'promise', '', at, at from message;
insert into checkouts (tenant_id, id, invoice_id, communication_id, amount_cents, currency, account, status, created_at)
select tenant_id, md5('checkout' || i)::uuid, invoice_id, communication_id, 1000, 'EUR', 'acct_1', 'open', at from message;
insert into checkout_expiries (tenant_id, checkout_id, due_at, attempts)
select tenant_id, md5('checkout' || i)::uuid, at, 0 from message;
insert into card_accounts (tenant_id, account, source, created_at)
select id, 'acct_' || md5(id::text), 'onboarding', timestamptz '2026-01-01' from tenants;
insert into sandbox_messages (tenant_id, communication_id, channel, recipient, body, created_at)
select tenant_id, communication_id, 'email', 'someone@example.org', 'text', at from message;
insert into actions (tenant_id, id, invoice_id, action, channel, status, details, communication_id, executed_at)
select tenant_id, md5('action' || i)::uuid, invoice_id, 'email_prise_en_charge', 'email', 'sent', '', communication_id, at from message;
insert into actions (tenant_id, id, invoice_id, debtor_id, action, status, details, executed_at, actor, code, params)
select tenant_id, md5('line' || i)::uuid, invoice_id, debtor_id, 'pause', 'done', '', at, '{"kind": "worker", "id": "x"}', 'paused', '{}' from message;
insert into sent_messages (tenant_id, communication_id, subject, text, sha256)
select tenant_id, communication_id, 'subject', 'text', sha256('text') from message;
insert into idempotency_keys (tenant_id, key_hash, request_hash, status, body, created_at)
select tenant_id, sha256(convert_to(i::text, 'UTF8')), '', 201, '{}', at from message;
insert into payments (tenant_id, id, invoice_id, debtor_id, amount_cents, currency, status, method, paid_at, day, external_reference, receipt_id, created_at,
  updated_at)
select tenant_id, md5('payment' || i)::uuid, invoice_id, debtor_id, 1000, 'EUR', case when i % 10 = 0 then 'pending' else 'completed' end,
       'bank_transfer', case when i % 10 > 0 then at end, date '2026-11-01' - i % 300, 'R-' || i,
       case when i % 3 = 0 then md5('receipt' || i / 6)::uuid end, at, at from message;
insert into credits (tenant_id, id, invoice_id, number, amount_cents, issued_on, created_at)
select tenant_id, md5('credit' || i)::uuid, invoice_id, 'A-' || i, 100, date '2026-11-01', at from message;
insert into postings (tenant_id, entry_id, account, invoice_id, source_id, kind, amount_cents, posted_at, debtor_id)
select tenant_id, md5('entry' || i)::uuid, account, invoice_id, md5('payment' || i)::uuid, 'payment',
       case account when 'bank' then 1000 else -1000 end, at, debtor_id
  from message cross join unnest(array['bank', 'receivable']) account;

-- The stored counts are correct, because lists use them; zeros stand for the many other tenants.
insert into count_due (tenant_id, currency, due_date, standing, n, open_cents)
select i.tenant_id, i.currency, i.due_date, r.standing, count(*), sum(i.open_cents)
  from invoices i join recoveries r on r.tenant_id = i.tenant_id and r.invoice_id = i.id where i.open_cents > 0 group by 1, 2, 3, 4
union all select t.id, 'EUR', date '2020-01-01' + i, 'running', 0, 0 from tenants t cross join generate_series(1, 5) i;
insert into day_figures (tenant_id, day, currency, overdue_cents, overdue_invoices, old_cents, old_invoices)
select t.id, date '2026-11-15' - i, 'EUR', 0, 0, 0, 0 from tenants t cross join lateral generate_series(1, case when t.id = '$tenant' then 800 else 20 end) i;
insert into count_debtor_open (tenant_id, debtor_id, currency, n, open_cents)
select tenant_id, debtor_id, currency, count(*), sum(open_cents) from invoices where open_cents > 0 group by 1, 2, 3;
insert into count_debtor_standings (tenant_id, debtor_id, standing, n)
select i.tenant_id, i.debtor_id, r.standing, count(*)
  from invoices i join recoveries r on r.tenant_id = i.tenant_id and r.invoice_id = i.id
 where i.open_cents > 0 and (r.standing = 'decide' or r.standing like 'held:%') group by 1, 2, 3
union all select t.id, md5('none' || i)::uuid, 'held:debtor', 0 from tenants t cross join generate_series(1, 5) i;
insert into count_standings (tenant_id, standing, debtors)
select tenant_id, standing, count(*) filter (where n > 0) from count_debtor_standings group by 1, 2
union all select t.id, 'none ' || i, 0 from tenants t cross join generate_series(1, 5) i;
insert into count_slots (tenant_id, slot, channel, state, n)
select tenant_id, contact_slot, contact_channel, 'planned', count(*) from agendas group by 1, 2, 3
union all select t.id, i, 'email', 'planned', 0 from tenants t cross join generate_series(1, 5) i;
insert into stored_bytes (tenant_id, kind, bytes)
select t.id, kind, 0 from tenants t cross join unnest(array['task_file_parts', 'imports', 'import_rows']) kind;
insert into count_totals (tenant_id, kind, status, currency, n, amount_cents, paid_cents)
select tenant_id, 'invoice', status, currency, count(*), sum(amount_cents), 0 from invoices group by 1, 2, 3, 4
union all select tenant_id, 'payment', status, currency, count(*), sum(amount_cents), 0 from payments group by 1, 2, 3, 4
union all select tenant_id, 'debtor', '', '', count(*), 0, 0 from debtors group by 1
union all select tenant_id, 'slot', 'planned', '', count(*), 0, 0 from agendas where contact_channel is not null group by 1
union all select t.id, kind, 'status ' || i, 'EUR', 0, 0, 0
  from tenants t cross join generate_series(1, 3) i cross join unnest(array['invoice', 'payment']) kind;
insert into count_days (tenant_id, kind, status, day, currency, method, n, amount_cents)
select tenant_id, 'invoice', status, issue_date, currency, '', count(*), sum(amount_cents) from invoices group by 1, 2, 3, 4, 5
union all select tenant_id, 'payment', status, day, currency, method, count(*), sum(amount_cents) from payments group by 1, 2, 3, 4, 5, 6
union all select t.id, 'invoice', 'imported', date '2020-01-01' + i, 'EUR', '', 0, 0 from tenants t cross join generate_series(1, 5) i;
insert into count_debtor_invoices (tenant_id, debtor_id, n)
select tenant_id, debtor_id, count(*) from invoices group by 1, 2;
insert into count_magnitudes (tenant_id, currency, magnitude, n)
select t.id, 'EUR', i, 0 from tenants t cross join generate_series(1, 5) i;
insert into count_deltas (tenant_id, kind, status, currency, day, debtor_id, magnitude, n)
select t.id, 'invoice', 'imported', 'EUR', date '2020-01-01' + i, md5('debtor' || i)::uuid, 1, 0
  from tenants t cross join generate_series(1, 5) i;
insert into count_deltas (tenant_id, kind, currency, debtor_id, n, due_day, standing)
select t.id, 'open', 'EUR', md5('debtor' || i)::uuid, 0, date '2026-10-01', 'running' from tenants t cross join generate_series(1, 5) i;

-- Events live in partitions by the moment in their id: as many of them in each as make an index worth its while.
insert into events (tenant_id, id, type, schema_version, subject_id, sequence, data, actor, occurred_at, recorded_at)
select '$tenant', (left(replace(p.low::text, '-', ''), 12) || right(md5('event' || i), 20))::uuid, 'invoice.created', 1,
       md5('invoice' || i % $many)::uuid, i, '{}', '{}', timestamptz '2026-11-16', timestamptz '2026-11-16'
  from (select substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \(''([^'']+)''\)') as low
          from pg_inherits h join pg_class c on c.oid = h.inhrelid where h.inhparent = 'events'::regclass) p
 cross join generate_series(1, greatest(1, $many / 16)) i;
insert into audit_log (tenant_id, id, type, schema_version, subject_id, data, actor, occurred_at, recorded_at)
select t.id, md5('act' || t.id || i)::uuid, 'api_key.created', 1, md5('key' || i), '{}', '{}', timestamptz '2026-11-16',
       timestamptz '2026-11-16'
  from tenants t cross join generate_series(1, case when t.id = '$tenant' then $many else 5 end) i;
insert into outbox (tenant_id, event_id, recorded_at)
select tenant_id, md5('event' || i)::uuid, at from message;

-- Alerts of a storm, the batches and links of all tenants, and replies of many debtors.
insert into alerts (tenant_id, kind, subject_id, recorded_at) select tenant_id, 'message.bounced', md5('event' || i)::uuid, at from message;
insert into alert_batches (tenant_id, kind, mailed_at, due_at)
select md5('tenant' || i)::uuid, 'message.bounced', timestamptz '2026-11-16', case when i % 50 = 0 then timestamptz '2026-11-16' end
  from generate_series(1, $many) i;
insert into alert_links (token_hash, tenant_id, kind, event_ids, total, created_at, expires_at)
select sha256(('link' || i)::bytea), '$tenant', 'message.bounced', '{}', 1, timestamptz '2026-11-16', timestamptz '2026-11-16' + i * interval '1 minute'
  from generate_series(1, $many) i;
insert into data_requests (tenant_id, id, debtor_id, kind, received_on, due_on, created_at)
select tenant_id, md5('request' || id)::uuid, id, 'objection', '2026-11-02', '2026-12-02', timestamptz '2026-11-02' from debtors;
insert into replies (tenant_id, id, debtor_id, communication_id, channel, received_at, read_at)
select tenant_id, md5('reply' || id)::uuid, id, id, 'email', timestamptz '2026-11-16', case when random() < 0.9 then timestamptz '2026-11-16' end
  from debtors;

-- Ten webhooks each, of which two of the large tenant were told as many events as there are; one in twenty failed.
insert into webhooks (tenant_id, id, url, secret_sealed, created_at, updated_at)
select t.id, md5('webhook' || i || t.id)::uuid, 'https://example.org/', '', timestamptz '2026-01-01', timestamptz '2026-01-01'
  from tenants t cross join generate_series(1, 10) i;
insert into webhook_endpoints (tenant_id, webhook_id, events, enabled, wake_at, recover_from, recover_to)
select t.id, md5('webhook' || i || t.id)::uuid, '{invoice.created}', true, case when i = 1 then timestamptz '2026-11-16' + i * interval '1 minute' end,
       case when i = 2 then md5('event' || i)::uuid end, case when i = 2 then md5('event' || i)::uuid end
  from tenants t cross join generate_series(1, 10) i;
insert into webhook_queue (tenant_id, webhook_id, event_id, due_at, created_at)
select tenant_id, md5('webhook' || i % 10 + 1 || tenant_id)::uuid, md5('event' || i)::uuid, at, at from crowd;
insert into webhook_deliveries (tenant_id, webhook_id, event_id, event_type, status, attempts, last_attempt_at, created_at)
select '$tenant', md5('webhook' || w || '$tenant')::uuid, (left(replace(p.low::text, '-', ''), 12) || right(md5('event' || i), 20))::uuid,
       'invoice.created', case when i % 20 = 0 then 'failed' else 'delivered' end, 1, timestamptz '2026-11-16', timestamptz '2026-11-16'
  from (select substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \(''([^'']+)''\)') as low
          from pg_inherits h join pg_class c on c.oid = h.inhrelid where h.inhparent = 'webhook_deliveries'::regclass) p
 cross join generate_series(1, greatest(1, $many / 16)) i cross join generate_series(1, 2) w;
insert into account_mails (id, tenant_id, kind, subject_id, due_at, created_at)
select md5('notice' || i)::uuid, tenant_id, 'webhook_failing', md5('webhook' || i)::uuid, at, at from message;

-- People, each a member of a company and of the first, which is the large tenant's; applications, and what was granted to them.
create temporary table crowd_of_people as
select i, md5('person' || i)::uuid as person_id, md5('company' || i)::uuid as company_id, md5('grant' || i)::uuid as grant_id,
       'oc_e1' || lpad(i::text, 20, '0') as client_id, timestamptz '2026-11-16 08:00Z' + (i - 500) * interval '3 minutes' as at
  from generate_series(1, greatest(102, $many / 16)) i;
insert into people (id, email, email_key, name, language, created_at)
select person_id, i || '@example.org', i || '@example.org', 'Person ' || i, 'fr', at from crowd_of_people;
insert into memberships (person_id, company_id, role, created_at)
select person_id, company_id, 'viewer', at from crowd_of_people
union all select person_id, md5('company1')::uuid, 'viewer', at from crowd_of_people where i between 2 and 400;
insert into invitations (id, company_id, email, email_key, role, language, token_hash, invited_by, created_at, expires_at)
select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || right(md5('invitation' || i), 20))::uuid,
       case when i % 3 = 0 then md5('company1')::uuid else company_id end, i || '@example.org', i || '@example.org', 'viewer', 'fr',
       sha256(convert_to(i::text, 'UTF8')), 'api_key', at, at + interval '7 days' from crowd_of_people;
insert into mail_links (token_hash, person_id, purpose, created_at, expires_at)
select sha256(convert_to(i::text, 'UTF8')), person_id, 'verify_email', at, at from crowd_of_people;
insert into passkeys (id, person_id, name, public_key, counter, created_at)
select 'passkey' || i, person_id, 'Phone', '', 0, at from crowd_of_people;
insert into passkey_challenges (challenge, person_id, expires_at)
select 'challenge' || i, person_id, at from crowd_of_people;
insert into sessions (token_hash, person_id, method, address, agent, created_at, seen_at, expires_at)
select sha256(convert_to(i::text, 'UTF8')), person_id, 'password', '192.0.2.1', '', at, at, at from crowd_of_people;
insert into sign_in_failures (subject, failures, since)
select sha256(convert_to(i::text, 'UTF8')), 1, at from crowd_of_people;
insert into oauth_clients (id, tenant_id, company_id, environment, name, redirect_uris, scopes, grant_types, secret_hash, enabled, created_at,
  updated_at)
select 'oc_e1' || lpad(i::text, 20, '0'), case when i <= 300 then '$tenant' else md5('tenant' || i) end::uuid, md5('company' || i)::uuid,
       'production', 'Client', '{}', '{}', '{}', '', i % 5 = 0, timestamptz '2026-01-01' + i * interval '1 minute',
       timestamptz '2026-01-01' from generate_series(1, greatest(102, $many / 4)) i;
insert into oauth_grants (id, client_id, person_id, environment, scopes, company_ids, created_at, auth_time)
select grant_id, client_id, person_id, 'production', '{}', array[company_id], at, at from crowd_of_people;
insert into oauth_codes (code_hash, grant_id, redirect_uri, challenge, expires_at)
select sha256(convert_to(i::text, 'UTF8')), grant_id, '', '', at from crowd_of_people;
insert into oauth_refresh_tokens (token_hash, grant_id, scopes, expires_at)
select sha256(convert_to(i::text, 'UTF8')), grant_id, '{}', at from crowd_of_people;
insert into oauth_revoked_tokens (jti, expires_at)
select md5('jti' || i)::uuid, at from crowd_of_people;
insert into signing_keys (kid, state, public_jwk, private_sealed, created_at) values
  ('active', 'active', '{}', '', timestamptz '2026-01-01'), ('next', 'next', '{}', '', timestamptz '2026-01-01');

-- Most of the large tenant's were opened by one key, whose id the guard of reads leaves empty.
insert into conversations (tenant_id, id, opener, last_message, message_count, created_at, updated_at, used_at)
select tenant_id, md5('conversation' || i)::uuid, 'api_key ' || case when i % 5 = 0 then i::text else '' end, 'Yes.', 2, at, at, at from crowd;
insert into conversation_messages (tenant_id, conversation_id, id, role, text, tools_called, created_at)
select tenant_id, md5('conversation' || i)::uuid, md5('said' || i || role)::uuid, role, 'Yes.', '{}', at
  from crowd cross join unnest(array['user', 'assistant']) role;
insert into confirmations (tenant_id, id, conversation_id, token_hash, caller, language, plan, summary, created_at, expires_at)
select tenant_id, md5('confirmation' || i)::uuid, md5('conversation' || i)::uuid, sha256(convert_to(i::text, 'UTF8')), 'api_key ', 'fr', '[]',
       '', at, at from crowd;
insert into conversation_tokens (tenant_id, day, tokens) select tenant_id, date '1900-01-01' + i, 1000 from crowd;

insert into company_texts (tenant_id, step, channel, language, opening, updated_at)
select tenant_id, 'step' || i, 'email', 'fr', 'Bonjour.', at from crowd;

analyze;
reset session_replication_role;
reset default_statistics_target;
