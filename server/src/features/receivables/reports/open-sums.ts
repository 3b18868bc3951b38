/**
 * SQL: the open sums by currency, due day and standing, folded and not yet folded. One query per kind: for several at once the
 * planner would read every line of the tenant.
 */
export const openSums = `
  select currency, due_date, standing, n, open_cents from count_due
  union all
  select currency, due_day, standing, open_n, open_cents from count_deltas where kind = 'invoice' and due_day is not null
  union all
  select currency, due_day, standing, open_n, open_cents from count_deltas where kind = 'open'`
