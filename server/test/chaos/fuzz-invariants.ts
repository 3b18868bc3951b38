import { keptCounts } from '../harness/kept-counts.ts'

type RunQuery = (text: string) => Promise<object[]>

/** Invariants of the database, whatever was sent to the API. Each query finds the rows that break one. */
const promises: Record<string, string> = {
  'every entry of the ledger sums to zero': `
    select tenant_id, entry_id, sum(amount_cents) from postings group by 1, 2 having sum(amount_cents) <> 0 or count(*) <> 2`,
  'every balance is what the ledger says': `
    select i.id, i.paid_cents, i.credited_cents, p.bank, p.credit from invoices i
      left join (select tenant_id, invoice_id, sum(amount_cents) filter (where account = 'bank') as bank,
                        sum(amount_cents) filter (where account = 'credit') as credit
                   from postings group by 1, 2) p on p.tenant_id = i.tenant_id and p.invoice_id = i.id
     where (i.paid_cents, i.credited_cents) <> (coalesce(p.bank, 0), coalesce(p.credit, 0))`,
  'what is paid is the sum of the payments that arrived, what is credited that of the credits': `
    select i.id from invoices i
     where i.paid_cents <> (select coalesce(sum(amount_cents), 0) from payments p
                             where p.tenant_id = i.tenant_id and p.invoice_id = i.id and p.status = 'completed')
        or i.credited_cents <> (select coalesce(sum(amount_cents), 0) from credits c
                                 where c.tenant_id = i.tenant_id and c.invoice_id = i.id)`,
  'the counters count what is there': `
    select tenant_id, kind, status, currency, sum(n), sum(amount), sum(paid) from (
      select tenant_id, kind, status, currency, n, amount_cents as amount, paid_cents as paid from count_totals where kind <> 'slot'
      union all select tenant_id, kind, status, currency, n, amount_cents, paid_cents from count_deltas where kind not in ('open', 'slot', 'bytes')
      union all select tenant_id, 'invoice', status, currency, -1, -amount_cents, -least(paid_cents, amount_cents - credited_cents) from invoices
      union all select tenant_id, 'payment', status, currency, -1, -amount_cents, 0 from payments
      union all select tenant_id, 'debtor', '', '', -1, 0, 0 from debtors
      union all select tenant_id, 'recovery', status, '', -1, 0, 0 from recoveries where status <> 'in_recovery'
      union all select tenant_id, 'recovery', 'in_recovery', '', 1, 0, 0 from recoveries where status <> 'in_recovery'
      union all select tenant_id, 'paid_recovery', '', '', -1, -round(extract(epoch from ended_at - started_at) / 864), 0
        from recoveries where outcome = 'paid') c
     group by 1, 2, 3, 4 having sum(n) <> 0 or sum(amount) <> 0 or sum(paid) <> 0`,
  'the counters of each day count what is there': `
    select tenant_id, kind, status, day, currency, method, sum(n), sum(amount) from (
      select tenant_id, kind, status, day, currency, method, n, amount_cents as amount from count_days
      union all select tenant_id, kind, status, day, currency, method, n, amount_cents from count_deltas where day is not null
      union all select tenant_id, 'invoice', status, issue_date, currency, '', -1, -amount_cents from invoices
      union all select tenant_id, 'payment', status, day, currency, method, -1, -amount_cents from payments) c
     group by 1, 2, 3, 4, 5, 6 having sum(n) <> 0 or sum(amount) <> 0`,
  'the counters of each debtor count what is there': `
    select tenant_id, debtor_id, sum(n) from (
      select tenant_id, debtor_id, n from count_debtor_invoices
      union all select tenant_id, debtor_id, n from count_deltas where kind = 'invoice' and debtor_id is not null
      union all select tenant_id, debtor_id, -1 from invoices) c
     group by 1, 2 having sum(n) <> 0`,
  ...keptCounts,
  'every invoice has its recovery, and every recovery its invoice': `
    select i.id, r.invoice_id from invoices i
      full join recoveries r on r.tenant_id = i.tenant_id and r.invoice_id = i.id
     where i.id is null or r.invoice_id is null`,
  'no paid invoice is still being recovered': `
    select i.id from invoices i join recoveries r on r.tenant_id = i.tenant_id and r.invoice_id = i.id
     where i.status = 'paid' and r.status = 'in_recovery'`,
  'the events of every invoice are counted without a gap': `
    select i.id, i.event_seq, count(e.id), max(e.sequence) from invoices i
      left join events e on e.tenant_id = i.tenant_id and e.subject_id = i.id
     group by i.tenant_id, i.id, i.event_seq having count(e.id) <> i.event_seq or coalesce(max(e.sequence), 0) <> i.event_seq`,
}

export async function checkInvariants(query: RunQuery): Promise<{ promise: string; broken: object[] }[]> {
  const results = []
  for (const [promise, statement] of Object.entries(promises))
    results.push({ promise, broken: await query(`select * from (${statement}) broken limit 5`) })
  return results
}
