import { iso } from '../../../kit/clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { inTransaction, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { OperatorContext } from './operate.ts'
import { endStops, everything, stopSending, wakeReleased } from './stops.ts'

const saveMaintenance = sql('companies.set-maintenance', 'update installation set maintenance_until = $1')

/** Nothing is sent during maintenance: its links would not work. Workers end it at its moment. */
export const startMaintenance = ({ pool, wall, newId, by }: OperatorContext, until: number): Promise<void> =>
  inTransaction(pool, async query => {
    await query(saveMaintenance, [iso(until)])
    const place = { id: newId(), scope: 'installation', target: everything, kind: 'maintenance' } as const
    await stopSending(query, wall, { ...place, reason: 'maintenance', by })
  })

export async function endMaintenance({ pool, wall, by }: OperatorContext): Promise<void> {
  await inTransaction(pool, async query => {
    await query(saveMaintenance, [null])
    await endStops(query, wall, [everything], ['maintenance'], by)
  })
  await wakeReleased(queryOn(pool), wall)
}

/** Processes without adapters plan with the channels that the workers have, and know their providers by name. */
export const setChannels = async (
  pool: Pool,
  missing: readonly string[],
  providers: Readonly<Record<string, string>>,
): Promise<void> =>
  void (await pool.query(
    'update installation set missing_channels = $1, providers = $2 where missing_channels <> $1 or providers <> $2',
    [missing, JSON.stringify(providers)],
  ))

/** For how many years audit events are kept. */
export const setAuditYears = async (pool: Pool, years: number): Promise<void> =>
  void (await pool.query('update installation set audit_years = $1', [years]))
