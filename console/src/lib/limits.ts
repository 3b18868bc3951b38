import { useQuery } from '@tanstack/react-query'
import { clockQuery, usePlace } from './api.ts'
import { limits } from './limits.generated.ts'
import { addDays, localTime } from './zone.ts'

/** What the contract says of a field: how long its text, how much its sum, and which days, counted from today. */
export interface Limit {
  readonly maxLength?: number
  readonly maxCents?: number
  readonly fromDay?: number
  readonly toDay?: number
  /** A day stands for its first minute. */
  readonly isMoment?: boolean
}

const known: Readonly<Record<string, Readonly<Record<string, Limit>>>> = limits

export const limitOf = (operation: string, field: string): Limit => known[operation]?.[field] ?? {}

/** The first and the last day of a field. The first minute of today has passed. */
export const daysOf = ({ fromDay, toDay, isMoment }: Limit, today: string) => ({
  min: fromDay === undefined ? undefined : addDays(today, fromDay + (isMoment ? 1 : 0)),
  max: toDay === undefined ? undefined : addDays(today, toDay),
})

/** The day where the debtor is, by the clock of the environment. */
export function useToday(timeZone: string): string {
  const { api, environment } = usePlace()
  const { data, dataUpdatedAt } = useQuery({ ...clockQuery(api), enabled: environment === 'sandbox' })
  const passed = data === undefined ? 0 : Date.now() - dataUpdatedAt
  return localTime(data === undefined ? Date.now() : Date.parse(data.now) + passed, timeZone).date
}
