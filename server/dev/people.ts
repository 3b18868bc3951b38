import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { type Role, roles } from '../src/features/access/roles.ts'
import { plainSha256 } from '../src/kit/crypto.ts'
import { asAdmin } from './database.ts'

const sessionMs = 12 * 3_600_000

/** One person for each role, without a password. */
export type DevPeople = Readonly<Record<Role, string>>

export async function addPeople(adminUrl: string, companyId: string): Promise<DevPeople> {
  const wall = new Date().toISOString()
  const people = roles.map(role => [role, randomUUIDv7()] as const)
  await asAdmin(adminUrl, async client => {
    for (const [role, id] of people) {
      await client.query(
        `insert into people (id, email, email_key, name, language, email_verified_at, created_at)
         values ($1, $2, $2, $3, 'fr', $4, $4)`,
        [id, `${role}@atelier-martin.example`, `Exemple (${role})`, wall],
      )
      await client.query(
        `insert into memberships (person_id, company_id, role, created_at) values ($1, $2, $3, $4)`,
        [id, companyId, role, wall],
      )
    }
  })
  return Object.fromEntries(people) as DevPeople
}

/** The cookie of a person who has just signed in. Only the owner of the database may write a session without a sign-in. */
export async function signInCookie(adminUrl: string, personId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const wall = Date.now()
  await asAdmin(adminUrl, client =>
    client.query(
      `insert into sessions (token_hash, person_id, method, address, agent, created_at, seen_at, expires_at)
       values ($1, $2, 'link', '127.0.0.1', 'npm run dev', $3, $3, $4)`,
      [plainSha256(token), personId, new Date(wall).toISOString(), new Date(wall + sessionMs).toISOString()],
    ),
  )
  return `__Host-relance=${token}; Path=/; Max-Age=${sessionMs / 1000}; HttpOnly; Secure; SameSite=Lax`
}
