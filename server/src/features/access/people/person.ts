import type { Ask } from '../../../kit/db/plain.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Language } from './texts/words.ts'

/** Upper and lower case are one mailbox, whatever the RFC allows. */
export const emailKey = (email: string): string => email.trim().toLowerCase()

export interface PersonRow {
  id: string
  email: string
  email_key: string
  name: string
  language: Language
  password_hash: string | null
  email_verified_at: number | null
}
const columns = 'id, email, email_key, name, language, password_hash, email_verified_at'
const byEmail = sql(
  'people.find-by-email',
  `select ${columns} from people where email_key = $1`,
).as<PersonRow>()
const byId = sql('people.get', `select ${columns} from people where id = $1`).as<PersonRow>()

export const findPersonByEmail = async (ask: Ask, email: string): Promise<PersonRow | undefined> =>
  (await ask(byEmail, [emailKey(email)]))[0]

export const findPerson = async (ask: Ask, id: string): Promise<PersonRow | undefined> =>
  (await ask(byId, [id]))[0]

const insert = sql(
  'people.insert',
  `insert into people (id, email, email_key, name, language, password_hash, email_verified_at, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (email_key) do nothing returning id`,
)

export interface NewPerson {
  id: string
  email: string
  name: string
  language: Language
  /** Null until who opens the mail has chosen one. */
  passwordHash: string | null
  /** Null: still to be shown that the address is theirs. */
  verifiedAt: string | null
  createdAt: string
}

/** False when somebody has this address already, also when they came in the same moment. */
export async function addPerson(ask: Ask, person: NewPerson): Promise<boolean> {
  const { id, email, name, language, passwordHash, verifiedAt, createdAt } = person
  const rows = await ask(insert, [
    id,
    email,
    emailKey(email),
    name,
    language,
    passwordHash,
    verifiedAt,
    createdAt,
  ])
  return rows.length === 1
}

const setPassword = sql(
  'people.set-password',
  'update people set password_hash = $2, email_verified_at = coalesce(email_verified_at, $3) where id = $1',
)
/** Who holds a link or a session has shown that the address is theirs. */
export const changePassword = (
  ask: Ask,
  id: string,
  passwordHash: string,
  verifiedAt: string,
): Promise<unknown> => ask(setPassword, [id, passwordHash, verifiedAt])

const setProfile = sql('people.set-profile', 'update people set name = $2, language = $3 where id = $1')
export const changeProfile = (ask: Ask, id: string, name: string, language: Language): Promise<unknown> =>
  ask(setProfile, [id, name, language])

const join = sql(
  'people.insert-membership',
  `insert into memberships (person_id, company_id, role, created_at) values ($1, $2, $3, $4) on conflict do nothing`,
)
export const addMembership = (
  ask: Ask,
  personId: string,
  companyId: string,
  role: string,
  createdAt: string,
): Promise<unknown> => ask(join, [personId, companyId, role, createdAt])
