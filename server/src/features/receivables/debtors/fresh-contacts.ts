import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { Conditions } from '../../../kit/list.ts'
import { type Slots, slotCondition, slotOf } from '../../recovery/agenda/contact-slots.ts'
import { computePlans, isUnplannedSql, unplannedMax } from '../../recovery/case/debtor-plan.ts'

const selectUnplanned = sql(
  'debtors.list-unplanned',
  `select debtor_id from agendas a where tenant_id = $1 and ${isUnplannedSql} order by debtor_id limit ${unplannedMax}`,
)
const selectStop = sql('debtors.find-stop', 'select stop_reason($1::uuid) as stop_reason')

/** What a filter by the next contact has to know beside the stored moments, so that it finds what the answer then says. */
export interface FreshContacts {
  /** Whose stored moment does not count, because their facts have just changed. */
  readonly debtorIds: readonly string[]
  /** Those of them with a message in these quarter hours; nobody while sending is stopped. */
  readonly planned: readonly { readonly id: string; readonly slot: number }[]
}

export async function readFreshContacts(
  tx: Tx,
  tenantId: string,
  { from, to }: Slots,
  tenantTime: () => number,
): Promise<FreshContacts> {
  const [unplanned, [stop]] = await Promise.all([
    tx.rows(selectUnplanned, [tenantId]),
    tx.rows(selectStop, [tenantId]),
  ])
  const debtorIds = unplanned.map(row => row.debtor_id)
  const plans = debtorIds.length === 0 ? [] : await computePlans(tx, tenantId, debtorIds, tenantTime())
  const planned = [...plans].flatMap(([id, { message }]) => {
    const slot = message === null ? null : slotOf(message.at)
    return slot === null || (from !== null && slot < from) || (to !== null && slot > to) ? [] : [{ id, slot }]
  })
  return { debtorIds, planned: stop!.stop_reason === null ? planned : [] }
}

/** SQL: the stored message of agenda `a` is its next one, and in these quarter hours. */
export const storedContact = (
  filter: Conditions,
  { debtorIds }: FreshContacts,
  slots: Slots,
  tenantId: string,
): string =>
  `${slotCondition(filter, slots, tenantId)} and ${isStored(filter, debtorIds, 'a.debtor_id')} and ${isSending(filter, tenantId)}`

/** SQL: sending is not stopped, so there is a next contact. */
export const isSending = (filter: Conditions, tenantId: string): string =>
  `(select stop_reason(${filter.bind(tenantId)}::uuid)) is null`

export const isStored = (filter: Conditions, debtorIds: readonly string[], id: string): string =>
  `${id} <> all (${filter.bind(debtorIds)}::uuid[])`

/** SQL: the debtors with a message as it is planned now. */
export const freshIds = (filter: Conditions, { planned }: FreshContacts): string =>
  `${filter.bind(planned.map(({ id }) => id))}::uuid[]`

/** SQL: the same, with the columns of an agenda that the order by the next contact reads. */
export const freshAgendas = (filter: Conditions, fresh: FreshContacts, tenantId: string): string =>
  `(select ${filter.bind(tenantId)}::uuid as tenant_id, f.id as debtor_id, f.slot as contact_slot, 'planned' as contact_channel
      from unnest(${freshIds(filter, fresh)}, ${filter.bind(fresh.planned.map(({ slot }) => slot))}::integer[]) as f(id, slot))`
