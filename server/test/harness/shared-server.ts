import { join } from 'node:path'
import { createDatabase, rolePasswords } from '../../dev/database.ts'
import { bootstrapRoles } from '../../src/kit/db/bootstrap.ts'
import { migrate } from '../../src/kit/db/migrate.ts'

const migrations = join(import.meta.dirname, '../../migrations')

/** A PostgreSQL that several programs use, each with databases of its own. They clone `template`, which is migrated. */
export interface SharedServer {
  adminUrl: string
  template: string
}

export async function makeTemplate(adminUrl: string, template: string): Promise<SharedServer> {
  await bootstrapRoles(adminUrl, rolePasswords)
  const database = await createDatabase(adminUrl, template)
  await migrate(database.adminUrl, migrations, new Date().toISOString())
  return { adminUrl, template }
}

/** How the check passes it to its stages. */
export const sharedServerEnv = ({ adminUrl, template }: SharedServer): Record<string, string> => ({
  DATABASE_URL: adminUrl,
  TEMPLATE_DATABASE: template,
})

export function sharedServer(): SharedServer | null {
  const { DATABASE_URL: adminUrl, TEMPLATE_DATABASE: template } = process.env
  return adminUrl && template ? { adminUrl, template } : null
}
