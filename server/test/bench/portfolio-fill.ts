import type pg from 'pg'
import { trigrams } from '../../src/kit/search-text.ts'

/** Spread over the whole range, the same every time. */
const mix = (column: string, prime: number, modulus: string | number) =>
  `((${column})::bigint * ${prime} % (${modulus}))`

/** Ids that are alike in every tenant but for its tag. */
const idOf = (tag: number, kind: string, i: number) =>
  `${(1760000000000 + i).toString(16).padStart(12, '0')}7${tag}${kind}8${i.toString(16).padStart(15, '0')}`.replace(
    /^(.{8})(.{4})(.{4})(.{4})/,
    '$1-$2-$3-$4-',
  )

/**
 * Whom the bench asks about: the debtor with a hundredth of all, another one, and an invoice of the first; all of them paid something.
 * And an invoice that is still being recovered.
 */
export const askedOf = (tag: number, invoices: number) => ({
  largest: idOf(tag, 'd0', 1),
  debtor: idOf(tag, 'd0', 1 + ((10 * 7919) % Math.floor(invoices / 5))),
  invoice: idOf(tag, '10', 100),
  running: idOf(tag, '10', 4),
})

/** SQL: the pieces of a number behind a beginning of two characters or more, by which it is found. */
function gramsSql(tenantId: string, beginning: string, number: string): string {
  const piece = (text: string) => trigrams(tenantId, text)[0] ?? 0
  const table = (before: string, digits: number) =>
    `('{${Array.from({ length: 10 ** digits }, (_, n) => piece(before + String(n).padStart(digits, '0'))).join()}}'::integer[])`
  const digits = (from: string, length: number) => `[1 + substr(${number}, ${from}, ${length})::integer]`
  return `'{${trigrams(tenantId, beginning).join()}}'::integer[] || ${table(beginning.slice(-2), 1)}${digits('1', 1)}
    || case when length(${number}) > 1 then array[${table(beginning.slice(-1), 2)}${digits('1', 2)}] else '{}' end
    || array(select ${table('', 3)}${digits('k', 3)} from generate_series(1, length(${number}) - 2) k)`
}

/**
 * A portfolio: five invoices a debtor, and one debtor with a hundredth of all; half of the invoices paid, one in twelve held, a quarter
 * of the debtors due on the first day; a fifth of the invoices with a line in the history, a tenth with a payment. The largest debtor has
 * as many messages as invoices. Rows are written without their triggers; `countAll` counts them afterwards.
 */
export async function fillPortfolio(
  client: pg.Client,
  tenantId: string,
  /** Tells the ids of several tenants apart. */
  tag: number,
  invoices: number,
): Promise<void> {
  const debtors = Math.max(1, Math.floor(invoices / 5))
  const id = (kind: string, i: string) =>
    `(lpad(to_hex(1760000000000 + (${i})::bigint), 12, '0') || '7${tag}${kind}8' || lpad(to_hex((${i})::bigint), 15, '0'))::uuid`
  const debtorId = (i: string) => id('d0', i)
  const stands = (i: string) =>
    `case when ${i} * 13 % 100 < 50 then 'ended' when ${i} * 13 % 100 < 84 then 'running' when ${i} * 13 % 100 < 87 then 'held:promise'
       when ${i} * 13 % 100 < 90 then 'held:dispute' when ${i} * 13 % 100 < 92 then 'held:asked' when ${i} * 13 % 100 < 94 then 'decide'
       when ${i} * 13 % 100 < 96 then 'judicial' else 'pending' end`
  const run = (text: string) => client.query(text.replaceAll(':tenant', `'${tenantId}'::uuid`))
  await run('set session_replication_role = replica')
  await run(`
    insert into debtors (tenant_id, id, name, name_key, email, email_key, phone, address, city, postal_code, country, type, language,
      search_text, search_grams, created_at, updated_at)
    select :tenant, ${debtorId('d')}, 'Debtor ' || d, 'debtor ' || d, d || '@bench.example', d || '@bench.example',
           '+336' || lpad(d::text, 8, '0'), '1 rue', 'Lyon', '69002', 'FR', case when d % 5 = 0 then 'consumer' else 'business' end, 'fr',
           'debtor ' || d, ${gramsSql(tenantId, 'debtor ', 'd::text')}, timestamptz '2026-01-01', timestamptz '2026-01-01'
      from generate_series(1, ${debtors}) d`)
  await run(`
    insert into invoices (tenant_id, id, debtor_id, number, number_search, number_grams, amount_cents, currency, issue_date, due_date, status,
      paid_cents, open_cents, created_at, updated_at, paid_at, disputed_at, judicial_at)
    select :tenant, ${id('10', 'i')}, ${debtorId('d')}, 'F-' || i, 'f-' || i, ${gramsSql(tenantId, 'f-', 'i::text')}, cents, 'EUR', due - 30, due,
           case stands when 'ended' then 'paid' when 'judicial' then 'judicial' when 'held:dispute' then 'disputed' when 'pending' then 'imported'
             else 'in_recovery' end,
           case when stands = 'ended' then cents else 0 end, case when stands = 'ended' then 0 else cents end,
           timestamptz '2026-01-01' + i * interval '1 second', timestamptz '2026-11-01',
           case when stands = 'ended' then due + interval '40 days' end, case when stands = 'held:dispute' then timestamptz '2026-10-01' end,
           case when stands = 'judicial' then timestamptz '2026-10-01' end
      from (select i, case when i % 100 = 0 then 1 else 1 + (i::bigint * 7919 + i / 100) % ${debtors} end as d, 1000 + ${mix('i', 104729, 500000)} as cents,
                   date '2026-11-10' - (${mix('i', 31337, 900)})::integer as due,
                   ${stands('i')} as stands
              from generate_series(1, ${invoices}) i) made`)
  await run(`
    insert into recoveries (tenant_id, invoice_id, debtor_id, status, cascade, cascade_version, step, started_at, anchor_at, wish_at, due_at,
      due_because, due_channel, holds, paused_at, ended_at, outcome, actions_completed, created_at, standing, due_date, limitation_ends_on, limitation_from,
      limitation_because, limitation_alert_on)
    select tenant_id, id, debtor_id,
           case when standing = 'ended' then 'completed' when standing like 'held:%' then 'paused' when standing in ('running', 'decide') then 'in_recovery'
             else standing end,
           'fr_b2b_standard', 1, case when standing = 'pending' then 0 else n % 9 end, started, started, due, due,
           case when due is not null then (array['cascade', 'channel_cooldown', 'one_contact_a_day', 'sunday', 'weekly_cap'])[1 + n % 5]
             when standing = 'decide' then 'awaiting_decision' end,
           case when due is not null then (array['email', 'email', 'sms', 'email', 'voice', 'email', 'lrar', 'voice', 'email'])[1 + n % 9] end,
           case when standing like 'held:%' then array[substr(standing, 6)] else '{}' end,
           case when standing like 'held:%' then timestamptz '2026-11-01' end,
           case when standing = 'ended' then timestamptz '2026-11-01' end, case when standing = 'ended' then 'paid' end, 3, created_at, standing, due_date,
           issue_date + 1826, issue_date, 'issue_date', issue_date + 1461
      from (select i.*, case when standing <> 'pending' then timestamptz '2026-10-01' end as started,
                   case when standing = 'running' then timestamptz '2026-11-16 07:00Z'
                     + (case when place % 11 < 4 then 0 else 1 + place % 39 end) * interval '1 day' + (${mix('place', 7919, 39600)}) * interval '1 second' end as due
              from (select i.*, ('x' || right(i.debtor_id::text, 12))::bit(48)::bigint as place, ${stands('n')} as standing
                      from (select i.*, substr(number, 3)::integer as n from invoices i where tenant_id = :tenant) i) i) made`)
  await run(`
    insert into agendas (tenant_id, debtor_id, wake_at, wake_because, contact_at, contact_slot, contact_channel, contact_invoice_id, plan,
      plan_generation)
    select tenant_id, debtor_id, due_at, because, due_at, slot_of(due_at), channel, ids[1],
           case when cardinality(ids) > 1 then jsonb_build_object('invoices', to_jsonb(ids),
             'next', (select jsonb_object_agg(x, jsonb_build_object('kind', 'send', 'step', 'relance_email_1', 'because', null,
               'at', extract(epoch from due_at)::bigint * 1000, 'channel', channel, 'leadInvoiceId', ids[1], 'skipped', '[]'::jsonb))
                        from unnest(ids) x)) end, 1
      from (select tenant_id, debtor_id, min(due_at) as due_at, (array_agg(due_because order by invoice_id))[1] as because,
                   (array_agg(due_channel order by invoice_id))[1] as channel, (array_agg(invoice_id order by invoice_id))[1:500] as ids
              from recoveries where tenant_id = :tenant and due_at is not null group by 1, 2) made`)
  await run(`
    insert into communications (tenant_id, id, debtor_id, channel, step, state, wake_generation, not_after, verdict, reserved_at, sent_at, settled_at)
    select :tenant, ${id('c0', 'd * 4 + k')}, ${debtorId('d')}, (array['email', 'email', 'sms', 'voice', 'lrar'])[1 + (d + k) % 5],
           'relance_email_1', (array['sent', 'delivered', 'delivered', 'bounced', 'unknown'])[1 + (d * k) % 5], 1, at, '{}', at, at, at
      from generate_series(1, ${debtors}) d
     cross join generate_series(1, 3) k
     cross join lateral (select timestamptz '2026-11-16 07:00Z' - (case when d % 10 = 0 and k = 1 then 0 else k * 9 end) * interval '1 day'
                                + (${mix('d', 31, 10800)}) * interval '1 second' as at) moment`)
  await run(`
    insert into communications (tenant_id, id, debtor_id, channel, step, state, wake_generation, not_after, verdict, reserved_at, sent_at, settled_at)
    select :tenant, ${id('c1', 'k')}, ${debtorId('1')}, 'email', 'relance_email_1', 'delivered', 1, at, '{}', at, at, at
      from generate_series(1, ${invoices / 100}) k cross join lateral (select timestamptz '2026-10-01' - k * interval '1 minute' as at) moment`)
  await run(`
    insert into actions (tenant_id, id, invoice_id, debtor_id, action, status, details, executed_at, actor, code, params)
    select tenant_id, ${id('a0', 'n')}, id, debtor_id, 'pause', 'done', '', timestamptz '2026-11-01' - n * interval '1 second',
           '{"kind": "worker", "id": "x"}', 'paused', '{}'
      from (select i.*, substr(number, 3)::integer as n from invoices i where tenant_id = :tenant) i where n % 5 = 0`)
  await run(`
    insert into payments (tenant_id, id, invoice_id, debtor_id, amount_cents, currency, status, method, paid_at, day, created_at, updated_at)
    select tenant_id, ${id('e0', 'n')}, id, debtor_id, amount_cents, 'EUR', 'completed', 'bank_transfer', paid_at, paid_at::date, paid_at, paid_at
      from (select i.*, substr(number, 3)::integer as n from invoices i where tenant_id = :tenant) i where n % 10 = 0 and paid_at is not null`)
  await run(`
    insert into postings (tenant_id, entry_id, account, invoice_id, source_id, kind, amount_cents, posted_at, debtor_id)
    select tenant_id, id, account, invoice_id, id, 'payment', case account when 'bank' then amount_cents else -amount_cents end, paid_at, debtor_id
      from payments cross join unnest(array['bank', 'receivable']) account where tenant_id = :tenant`)
  // They have no inputs: whoever reads a score gathers them.
  await run(`
    insert into debtor_scores (tenant_id, debtor_id, formula, inputs, points, score, computed_at, stale_on)
    select :tenant, ${debtorId('d')}, 1, '{}', '{}', ${mix('d', 104729, 196)}, timestamptz '2026-11-15', date '2026-11-15'
      from generate_series(1, ${debtors}) d`)
  await run('set session_replication_role = origin')
}
