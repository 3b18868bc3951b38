import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Language } from './texts/page-texts.ts'

/** Email addresses are compared without case, although the RFC allows case-sensitive mailboxes. */
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
const selectByEmail = sql(
  'people.find-by-email',
  `select ${columns} from people where email_key = $1`,
).as<PersonRow>()
const selectById = sql('people.get', `select ${columns} from people where id = $1`).as<PersonRow>()

export const findPersonByEmail = async (query: Query, email: string): Promise<PersonRow | undefined> =>
  (await query(selectByEmail, [emailKey(email)]))[0]

export const findPerson = async (query: Query, id: string): Promise<PersonRow | undefined> =>
  (await query(selectById, [id]))[0]

const insertPerson = sql(
  'people.insert',
  `insert into people (id, email, email_key, name, language, password_hash, email_verified_at, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (email_key) do nothing returning id`,
)

export interface NewPerson {
  id: string
  email: string
  name: string
  language: Language
  /** Null until it is chosen through the link in the mail. */
  passwordHash: string | null
  /** Null: the address is not verified yet. */
  verifiedAt: string | null
  createdAt: string
}

/** False when the address is already taken, also by a concurrent request. */
export async function addPerson(query: Query, person: NewPerson): Promise<boolean> {
  const { id, email, name, language, passwordHash, verifiedAt, createdAt } = person
  const rows = await query(insertPerson, [
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
/** A link or a session proves that the address is theirs, so it is marked as verified. */
export const changePassword = (
  query: Query,
  id: string,
  passwordHash: string,
  verifiedAt: string,
): Promise<unknown> => query(setPassword, [id, passwordHash, verifiedAt])

const setProfile = sql('people.set-profile', 'update people set name = $2, language = $3 where id = $1')
export const changeProfile = (query: Query, id: string, name: string, language: Language): Promise<unknown> =>
  query(setProfile, [id, name, language])

const insertMembership = sql(
  'people.insert-membership',
  `insert into memberships (person_id, company_id, role, role_since, created_at) values ($1, $2, $3, $4, $4) on conflict do nothing`,
)
export const addMembership = (
  query: Query,
  personId: string,
  companyId: string,
  role: string,
  createdAt: string,
): Promise<unknown> => query(insertMembership, [personId, companyId, role, createdAt])

const updateToOwner = sql(
  'people.make-owner',
  `update memberships set role = 'owner', role_since = $3 where person_id = $1 and company_id = $2`,
)

export const makeOwner = (
  query: Query,
  personId: string,
  companyId: string,
  since: string,
): Promise<unknown> => query(updateToOwner, [personId, companyId, since])
