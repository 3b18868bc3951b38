import { expect } from 'vitest'
import { keptCounts } from './kept-counts.ts'
import { eventsIn, type MoneyEvent, stateAfter } from './money-model.ts'
import type { TestInstallation } from './use-installation.ts'

/** Compares each stored total with the total of the rows it counts. Returns only those that differ. */
const storedAgainstCounted = `
  with kept as (
    select 'total' as book, kind, status, currency, '' as method, null::date as day, null::uuid as debtor_id,
           sum(n) as n, sum(amount_cents) as amount, sum(paid_cents) as paid
      from (select kind, status, currency, n, amount_cents, paid_cents from count_totals where kind <> 'slot'
            union all
            select kind, status, currency, n, amount_cents, paid_cents from count_deltas where kind not in ('open', 'slot', 'bytes')) c
     group by kind, status, currency
    union all
    select 'day', kind, status, currency, method, day, null, sum(n), sum(amount_cents), 0
      from (select kind, status, currency, method, day, n, amount_cents from count_days
            union all
            select kind, status, currency, method, day, n, amount_cents from count_deltas where day is not null) c
     group by kind, status, currency, method, day
    union all
    select 'debtor', 'invoice', '', '', '', null, debtor_id, sum(n), 0, 0
      from (select debtor_id, n from count_debtor_invoices
            union all
            select debtor_id, n from count_deltas where kind = 'invoice' and debtor_id is not null) c
     group by debtor_id),
  counted as (
    select 'total' as book, 'invoice' as kind, status, currency, '' as method, null::date as day, null::uuid as debtor_id,
           count(*) as n, sum(amount_cents) as amount, sum(least(paid_cents, amount_cents - credited_cents)) as paid
      from invoices group by status, currency
    union all
    select 'total', 'payment', status, currency, '', null, null, count(*), sum(amount_cents), 0
      from payments group by status, currency
    union all
    select 'total', 'debtor', '', '', '', null, null, count(*), 0, 0 from debtors
    union all
    select 'total', 'recovery', status, '', '', null, null, count(*), 0, 0
      from recoveries where status <> 'in_recovery' group by status
    union all
    select 'total', 'recovery', 'in_recovery', '', '', null, null, -count(*), 0, 0 from recoveries where status <> 'in_recovery'
    union all
    select 'total', 'paid_recovery', '', '', '', null, null, count(*),
           coalesce(sum(round(extract(epoch from ended_at - started_at) / 864)), 0), 0
      from recoveries where outcome = 'paid'
    union all
    select 'day', 'invoice', status, currency, '', issue_date, null, count(*), sum(amount_cents), 0
      from invoices group by status, currency, issue_date
    union all
    select 'day', 'payment', status, currency, method, day, null, count(*), sum(amount_cents), 0
      from payments group by status, currency, method, day
    union all
    select 'debtor', 'invoice', '', '', '', null, debtor_id, count(*), 0, 0 from invoices group by debtor_id)
  select book, kind, status, currency, method, day, debtor_id, sum(n) as n, sum(amount) as amount, sum(paid) as paid
    from (select * from kept
          union all
          select book, kind, status, currency, method, day, debtor_id, -n, -amount, -paid from counted) both_sides
   group by 1, 2, 3, 4, 5, 6, 7
  having sum(n) <> 0 or sum(amount) <> 0 or sum(paid) <> 0
   order by 1, 2, 3, 4, 5, 6, 7`

const unbalanced = `
  select entry_id, sum(amount_cents) as sum from postings group by entry_id having sum(amount_cents) <> 0 or count(*) <> 2
  union all
  select null, sum(amount_cents) from postings having sum(amount_cents) <> 0
  order by 1`

/** Counters that do not count what is there, and entries that do not sum to zero. One company, one environment. */
export const disagreements = async (installation: TestInstallation): Promise<object[]> => [
  ...(await installation.sql(storedAgainstCounted)),
  ...(await installation.sql(unbalanced)),
  ...(await Promise.all(Object.values(keptCounts).map(query => installation.sql(query)))).flat(),
]

type EventRow = { type: string; sequence: number; data: { paidAt?: string } }

/** Everything stored about an invoice agrees with the model's state after these events. */
export async function expectModelState(
  installation: TestInstallation,
  amount: number,
  story: readonly MoneyEvent[],
  { id, paymentIds }: { id: string; paymentIds: readonly string[] },
): Promise<void> {
  const expected = stateAfter(amount, story)
  const [invoice, workflow, payments, [row], events, postings] = await Promise.all([
    installation.call('GET', `/api/v1/invoices/${id}`),
    installation.call('GET', `/api/v1/workflow/invoice/${id}`),
    installation.call<Record<string, unknown>[]>('GET', `/api/v1/payments/invoice/${id}`),
    installation.sql<{ paid_at: Date | null }>('select paid_at from invoices where id = $1', [id]),
    installation.sql<EventRow>(
      'select type, sequence, data from events where subject_id = $1 order by sequence',
      [id],
    ),
    installation.sql<{ account: string; n: string; sum: string }>(
      'select account, count(*) as n, sum(amount_cents) as sum from postings where invoice_id = $1 group by 1 order by 1',
      [id],
    ),
  ])
  expect(invoice.body.data).toMatchObject({
    amountCents: amount,
    paidCents: expected.paid - expected.overpaid,
    creditedCents: expected.credited,
    balanceCents: expected.balance,
    overpaidCents: expected.overpaid,
    status: expected.status,
  })
  expect(workflow.body.data.status).toBe(expected.recovery)
  expect(workflow.body.data.nextActionAt === null).toBe(expected.recovery !== 'in_recovery')
  expect(payments.body.data).toMatchObject(
    expected.payments.map(({ cents, status }, i) => ({ id: paymentIds[i], amountCents: cents, status })),
  )
  expect(payments.body.pagination.total).toBe(expected.payments.length)
  expect(events.map(event => event.type)).toEqual([
    'invoice.created',
    ...(story[0]?.what === 'started' ? ['workflow.started'] : []),
    ...eventsIn(amount, story),
  ])
  expect(events.map(event => event.sequence)).toEqual(events.map((_, i) => i + 1))
  const becamePaid = events.findLast(event => event.type === 'debt.paid')?.data.paidAt
  expect(row!.paid_at?.toISOString()).toBe(expected.status === 'paid' ? becamePaid : undefined)
  const moved = story.filter(event => ['arrived', 'taken back', 'given back'].includes(event.what)).length
  const credited = story.filter(event => event.what === 'credited').length
  expect(postings.map(({ account, n, sum }) => [account, Number(n), Number(sum)])).toEqual(
    [
      ['bank', moved, expected.paid],
      ['credit', credited, expected.credited],
      ['receivable', moved + credited, 0 - expected.paid - expected.credited],
    ].filter(([, n]) => n !== 0),
  )
}
