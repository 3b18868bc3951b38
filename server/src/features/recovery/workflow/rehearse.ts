import { z } from 'zod'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { optional } from '../../../kit/fields.ts'
import { type Answer, type Call, WithWarnings } from '../../../kit/operation.ts'
import { plansOf } from './get-plan.ts'

export const dryRun = optional(z.boolean()).meta({
  default: false,
  description: 'Does everything, answers with the old and the new `plan`, and undoes all of it',
})

/**
 * Answers a dry run with the plans of some invoices of one debtor, before and after, and of its other invoices whose plan would
 * change.
 */
export async function withPlans<Reply extends object>(
  { tx, actor, now }: Pick<Call<unknown, unknown, unknown>, 'tx' | 'actor' | 'now'>,
  invoiceIds: readonly string[],
  perform: () => Promise<Answer<Reply>>,
): Promise<Answer<Reply>> {
  if (!actor.scopes.includes('workflow:read')) return perform()
  const others = await otherPlannedOf(tx, invoiceIds)
  const before = await plansOf(tx, [...invoiceIds, ...others], now)
  const answer = await perform()
  const after = await plansOf(tx, [...invoiceIds, ...others], now)
  const planOf = (plans: typeof before, id: string) => plans.find(({ invoiceId }) => invoiceId === id)
  const isChanged = (id: string) =>
    JSON.stringify(planOf(before, id)?.actions) !== JSON.stringify(planOf(after, id)?.actions)
  const shown = [...invoiceIds, ...others.filter(isChanged)]
  const inOrder = (plans: typeof before) => shown.flatMap(id => planOf(plans, id) ?? [])
  const plan = { before: inOrder(before), after: inOrder(after) }
  return answer instanceof WithWarnings
    ? new WithWarnings({ ...answer.data, plan }, answer.warnings)
    : { ...answer, plan }
}

const selectFirstPlanned = sql(
  'workflow.list-first-planned',
  `select invoice_id from recoveries
    where debtor_id = $1 and ended_at is null and due_at is not null and communication_id is null
    order by due_at limit 20`,
)

const selectOthersPlanned = sql(
  'workflow.list-other-planned',
  `select invoice_id from recoveries
    where debtor_id = (select debtor_id from invoices where id = $1) and invoice_id <> all ($2::uuid[])
      and ended_at is null and due_at is not null and communication_id is null
    order by due_at limit 20`,
)

/** The other invoices of the same debtor whose action comes first. */
const otherPlannedOf = async (tx: Tx, invoiceIds: readonly string[]): Promise<string[]> =>
  invoiceIds[0] === undefined
    ? []
    : (await tx.rows(selectOthersPlanned, [invoiceIds[0], invoiceIds])).map(row => row.invoice_id)

/** The invoices of a debtor whose action comes first. */
export const firstPlannedOf = async (tx: Tx, debtorId: string): Promise<string[]> =>
  (await tx.rows(selectFirstPlanned, [debtorId])).map(row => row.invoice_id)
