import type { Pool } from '../../../kit/db/pool.ts'

/** Null ends the maintenance. */
export const setMaintenance = async (pool: Pool, until: string | null): Promise<void> =>
  void (await pool.query('update installation set maintenance_until = $1', [until]))

/** Processes without adapters plan with the channels that the workers have. */
export const setMissingChannels = async (pool: Pool, missing: readonly string[]): Promise<void> =>
  void (await pool.query('update installation set missing_channels = $1 where missing_channels <> $1', [
    missing,
  ]))

/** For how many years audit events are kept. */
export const setAuditYears = async (pool: Pool, years: number): Promise<void> =>
  void (await pool.query('update installation set audit_years = $1', [years]))
