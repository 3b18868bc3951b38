import { iso } from '../../../kit/clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { inTransaction, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { OperatorContext } from './operate.ts'
import { endStops, everything, stopSending, wakeReleased } from './stops.ts'

const saveMaintenance = sql('companies.set-maintenance', 'update installation set maintenance_until = $1')

/** Nothing is sent during maintenance: the links in messages would not work. Workers end it when its time is over. */
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

export interface CollectorIdentity {
  name: string
  /** On one line. */
  address: string
  siren: string
  /** Where it may collect: the countries of debtors. */
  countries: readonly string[]
}

/** Who runs an installation, and who hosts it: the legal notice names them, the notice about data too. */
export interface Publisher {
  operator: { name: string; address: string; telephone: string; registration: string; director: string }
  host: { name: string; address: string; telephone: string }
}

interface SendingAbilities {
  /** Channels without a provider. */
  missing: readonly string[]
  providers: Readonly<Record<string, string>>
  /** Null: the operator collects for no company. */
  collector: CollectorIdentity | null
}

/**
 * Stores the channels and providers of the workers, so that processes without adapters can plan with them. Messages and pages
 * take the collector's name from here.
 */
export const setSendingAbilities = async (
  pool: Pool,
  { missing, providers, collector }: SendingAbilities,
): Promise<void> =>
  void (await pool.query(
    `update installation set missing_channels = $1, providers = $2, collector = $3
      where missing_channels <> $1 or providers <> $2 or collector is distinct from $3`,
    [missing, JSON.stringify(providers), collector && JSON.stringify(collector)],
  ))

/** For how many years audit events are kept. */
export const setAuditYears = async (pool: Pool, years: number): Promise<void> =>
  void (await pool.query('update installation set audit_years = $1', [years]))
