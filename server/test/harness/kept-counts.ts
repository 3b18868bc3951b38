const counted = `('sent', 'delivered', 'bounced', 'failed', 'unknown')`
const openSql = `case when i.status in ('paid', 'written_off', 'cancelled') then 0
                      else greatest(i.amount_cents - i.paid_cents - i.credited_cents, 0) end`
const slotSql = (at: string) => `floor(extract(epoch from ${at}) / 900)::integer`

/** What is kept equals what its rows count, folded or not. Each query finds what differs. */
export const keptCounts: Record<string, string> = {
  'every recovery has its standing, and the due date of its invoice': `
    select r.invoice_id, r.standing, r.status, r.holds, r.due_at, r.due_date, i.due_date as due from recoveries r
      join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
     where r.standing is distinct from standing_of(r.status, r.holds, r.due_at is not null) or r.due_date is distinct from i.due_date`,
  'the open sum of every invoice is what its sums say': `
    select i.id, i.open_cents from invoices i where i.open_cents is distinct from ${openSql}`,
  'what is open by due day and standing is what is there': `
    select tenant_id, currency, due_date, standing, sum(n) as n, sum(cents) as cents from (
      select tenant_id, currency, due_date, standing, n, open_cents as cents from count_due
      union all select tenant_id, currency, due_day, standing, open_n, open_cents from count_deltas where due_day is not null
      union all
      select i.tenant_id, i.currency, i.due_date, coalesce(standing_of(r.status, r.holds, r.due_at is not null), 'running'), -1, -(${openSql})
        from invoices i left join recoveries r on r.tenant_id = i.tenant_id and r.invoice_id = i.id where ${openSql} > 0) c
     group by 1, 2, 3, 4 having sum(n) <> 0 or sum(cents) <> 0`,
  'what is open by debtor is what is there': `
    select tenant_id, debtor_id, currency, sum(n) as n, sum(cents) as cents from (
      select tenant_id, debtor_id, currency, n, open_cents as cents from count_debtor_open
      union all select tenant_id, debtor_id, currency, open_n, open_cents from count_deltas where due_day is not null
      union all select i.tenant_id, i.debtor_id, i.currency, -1, -(${openSql}) from invoices i where ${openSql} > 0) c
     group by 1, 2, 3 having sum(n) <> 0 or sum(cents) <> 0`,
  'recoveries by status are what is there': `
    select tenant_id, status, sum(n) as n from (
      select tenant_id, status, n from count_totals where kind = 'recovery'
      union all select tenant_id, status, n from count_deltas where kind = 'recovery'
      union all select tenant_id, x.status, x.n from recoveries r cross join lateral (values (r.status, -1), ('in_recovery', 1)) x(status, n)) c
     group by 1, 2 having sum(n) <> 0`,
  'what is planned and sent by quarter hour is what is there': `
    select tenant_id, slot, channel, state, sum(n) as n from (
      select tenant_id, slot, channel, state, n from count_slots
      union all select tenant_id, slot, method, status, n from count_deltas where kind = 'slot'
      union all select tenant_id, contact_slot, contact_channel, 'planned', -1 from agendas where contact_channel is not null
      union all select tenant_id, ${slotSql('coalesce(sent_at, reserved_at)')}, channel, state, -1 from communications
       where state in ${counted}) c
     group by 1, 2, 3, 4 having sum(n) <> 0`,
  'how many debtors have a planned message is what is there': `
    select tenant_id, sum(n) as n from (
      select tenant_id, n from count_totals where kind = 'slot'
      union all select tenant_id, n from count_deltas where kind = 'slot' and status = 'planned'
      union all select tenant_id, -1 from agendas where contact_channel is not null) c
     group by 1 having sum(n) <> 0`,
  'no message is announced before anything waits': `
    select a.tenant_id, a.debtor_id, a.contact_slot, a.wake_because, waiting.slot from agendas a
     cross join lateral (
       select ${slotSql('due_at')} as slot, channel from (
         select due_at, due_channel as channel from recoveries r
          where r.tenant_id = a.tenant_id and r.debtor_id = a.debtor_id and r.due_at is not null and r.communication_id is null
         union all
         select due_at, channel from extra_messages e
          where e.tenant_id = a.tenant_id and e.debtor_id = a.debtor_id and e.due_at is not null and e.communication_id is null) w
        order by due_at limit 1) waiting
     where a.wake_at is not null and a.wake_because is distinct from 'message_on_its_way' and waiting.channel is not null
       and a.contact_slot < waiting.slot`,
  'how many debtors have a standing is what is there': `
    select tenant_id, standing, sum(n) as n from (
      select tenant_id, standing, debtors as n from count_standings
      union all
      select tenant_id, standing, (sum(n) > 0)::integer - (coalesce(sum(n) filter (where is_folded), 0) > 0)::integer as n
        from (
          select true as is_folded, tenant_id, debtor_id, standing, n from count_debtor_standings
          union all select false, tenant_id, debtor_id, standing, open_n from count_deltas
           where due_day is not null and (standing = 'decide' or standing like 'held:%')) d
       group by tenant_id, debtor_id, standing
      union all
      select i.tenant_id, standing_of(r.status, r.holds, r.due_at is not null), -count(distinct i.debtor_id)
        from invoices i join recoveries r on r.tenant_id = i.tenant_id and r.invoice_id = i.id
       where ${openSql} > 0 and standing_of(r.status, r.holds, r.due_at is not null) ~ '^(decide$|held:)'
       group by 1, 2) c
     group by 1, 2 having sum(n) <> 0`,
  'what runs or is held is open, so that the list by standing may take its total from what is open': `
    select r.invoice_id, r.standing, i.status, i.open_cents from recoveries r
      join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
     where (r.standing in ('running', 'decide') or r.standing like 'held:%') and i.open_cents = 0`,
  'the bytes that a tenant stores are what is there': `
    select tenant_id, kind, sum(bytes) as bytes from (
      select tenant_id, kind, bytes from stored_bytes
      union all select tenant_id, status, amount_cents from count_deltas where kind = 'bytes'
      union all select tenant_id, 'task_file_parts', -octet_length(bytes) from task_file_parts
      union all select tenant_id, 'imports', -octet_length(plan::text) from imports
      union all select tenant_id, 'import_rows', -stored_bytes from import_rows) c
     group by 1, 2 having sum(bytes) <> 0`,
}
