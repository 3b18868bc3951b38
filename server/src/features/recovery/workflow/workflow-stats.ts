import { z } from 'zod'
import { sql } from '../../../kit/db/statement.ts'
import { operation } from '../../../kit/operation.ts'
import { percent } from '../../platform/counts/percent.ts'

const WorkflowStats = z
  .object({
    active: z.int().meta({ description: 'in_recovery' }),
    paused: z.int(),
    completed: z.int(),
    cancelled: z.int(),
    pending: z.int(),
    judicial: z.int(),
    averageDaysToPayment: z.number().meta({
      description: 'From the start of a recovery to its payment in full, one decimal; 0 when none is',
    }),
    recoveryRate: z
      .number()
      .meta({ description: 'Percent of the recoveries ever started that ended paid, two decimals' }),
  })
  .meta({ id: 'WorkflowStats' })

// One query per kind: for several kinds at once the planner would read every line of the tenant.
const linesOf = (table: string) =>
  [
    `select 'invoice' as kind, '' as status, n, amount_cents from ${table} where kind = 'invoice'`,
    `select 'recovery', status, n, amount_cents from ${table} where kind = 'recovery'`,
    `select 'paid_recovery', '', n, amount_cents from ${table} where kind = 'paid_recovery'`,
  ].join(' union all ')

// Sums are float8, which cannot overflow. Totals and deltas are read in one statement: in one snapshot a line is in exactly one
// of them.
const selectSums = sql(
  'workflow.sum-by-status',
  `select kind, status, sum(n)::bigint as n, sum(amount_cents)::float8 as amount_cents
     from (${linesOf('count_totals')} union all ${linesOf('count_deltas')}) counted
    group by kind, status`,
).as<{ kind: string; status: string; n: number; amount_cents: number }>()

export const workflowStats = operation({
  id: 'workflow.stats',
  method: 'GET',
  path: '/api/v1/workflow/stats',
  summary: 'Recovery statistics: counts by status, time to payment, and success rate',
  description:
    'Over all time. The rate counts recoveries, not money: of all that were ever started, running, paused and cancelled ones included, the share that ended paid. A rate over ended ones alone would look best just after an import; how much money came back is in the summary of invoices.',
  scopes: ['reports:read'],
  status: 200,
  reply: WorkflowStats,
  errors: [],
  assistant: 'read',
  async run({ tx }) {
    const rows = await tx.rows(selectSums, [])
    const lineOf = (kind: string, status = '') =>
      rows.find(row => row.kind === kind && row.status === status) ?? { n: 0, amount_cents: 0 }
    const all = lineOf('invoice').n
    const pending = lineOf('recovery', 'pending').n
    // Running recoveries are not counted directly: every invoice counts as running, and deviations are stored as negative
    // counts.
    const paid = lineOf('paid_recovery')
    return {
      active: all + lineOf('recovery', 'in_recovery').n,
      paused: lineOf('recovery', 'paused').n,
      completed: lineOf('recovery', 'completed').n,
      cancelled: lineOf('recovery', 'cancelled').n,
      pending,
      judicial: lineOf('recovery', 'judicial').n,
      averageDaysToPayment: paid.n === 0 ? 0 : Math.round(paid.amount_cents / paid.n / 10) / 10,
      recoveryRate: percent(paid.n, all - pending),
    }
  },
})
