import pg from 'pg'
import { advisoryLocks } from './advisory-locks.ts'

/** Roles belong to the whole server, so they are made here and not in a migration. Safe to run again. */
export async function bootstrapRoles(
  adminUrl: string,
  passwords: Record<'api' | 'worker' | 'operator', string>,
): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    // Two bootstraps at once would update the same catalogue rows.
    await client.query('select pg_advisory_lock($1, $2)', [...advisoryLocks.bootstrap])
    const existing = new Set(
      (await client.query<{ rolname: string }>('select rolname from pg_roles')).rows.map(row => row.rolname),
    )
    const ensureRole = async (name: string, options: string) => {
      await client.query(`${existing.has(name) ? 'alter' : 'create'} role ${name} ${options}`)
    }
    // Owns every table and cannot log in. It bypasses row-level security; otherwise a migration would silently change no row.
    await ensureRole('relance_owner', 'nologin bypassrls')
    for (const role of ['api', 'worker', 'operator'] as const)
      await ensureRole(
        `relance_${role}`,
        `login nosuperuser nobypassrls password ${pg.escapeLiteral(passwords[role])}`,
      )
  } finally {
    await client.end()
  }
}
