import { MINUTE } from '../../../domain/time.ts'
import type { Conditions } from '../../../kit/list.ts'

/** Quarter hours since 1970. */
export interface Slots {
  from: number | null
  to: number | null
}

const slotMs = 15 * MINUTE
export const slotOf = (at: number): number => Math.floor(at / slotMs)

/** The quarter hours between two moments of a query. */
export const slotsBetween = (from: string | undefined, to: string | undefined): Slots => ({
  from: from === undefined ? null : slotOf(Date.parse(from)),
  to: to === undefined ? null : slotOf(Date.parse(to)),
})

/** Agendas have no row-level policy, so the tenant is a condition. */
export const slotCondition = (filter: Conditions, { from, to }: Slots, tenantId: string, a = 'a'): string =>
  [
    `${a}.tenant_id = ${filter.bind(tenantId)}::uuid and ${a}.contact_channel is not null`,
    ...(from === null ? [] : [`${a}.contact_slot >= ${filter.bind(from)}::integer`]),
    ...(to === null ? [] : [`${a}.contact_slot <= ${filter.bind(to)}::integer`]),
  ].join(' and ')
