import { type LocalDate, localTime } from '../../../domain/time.ts'
import type { Clock } from '../../../kit/clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, type Tx, transact } from '../../../kit/db/transaction.ts'
import type { EventContext } from '../../platform/events/record-events.ts'

export interface NightWork {
  readonly pool: Pool
  readonly clock: Pick<Clock, 'wall'>
  readonly newId: () => string
}

/** What an event of the program needs: it names itself as the actor, and there is no request. */
export type ProgramContext = Omit<EventContext, 'actor' | 'requestId'> & { readonly tx: Tx }

const selectZone = sql(
  'debtors.get-zone-of-tenant',
  'select c.time_zone from tenants t join companies c on c.id = t.company_id where t.id = $1',
)

/** Works in a transaction of the tenant, on the day it is for its company. */
export const onDayOfTenant = <Result>(
  { pool, clock, newId }: NightWork,
  tenantId: string,
  work: (context: ProgramContext, today: LocalDate) => Promise<Result>,
): Promise<Result> =>
  transact(pool, asWorker(tenantId), [[selectZone, [tenantId]]], ({ tx, offsetMs, openingRows }) => {
    const wall = clock.wall()
    const now = wall + offsetMs
    return work({ tx, now, wall, newId }, localTime(openingRows[0][0]!.time_zone, now).date)
  })
