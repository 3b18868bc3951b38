import { z } from 'zod'
import type { Keyring } from '../../kit/crypto.ts'
import type { Query } from '../../kit/db/query.ts'
import { sql } from '../../kit/db/statement.ts'
import { enqueueMail } from '../platform/account-mail/enqueue-mail.ts'
import type { OwnerMailKind } from '../platform/account-mail/enqueue-notice.ts'
import { readOwners } from './owners.ts'

/** The facts of a mail to an owner; stored sealed with it, and deleted with it. */
export const OwnerMailFacts = z.object({
  company: z.string(),
  /** The person it is about. */
  email: z.string().default(''),
  /** The keys it is about: their names, and their first and last characters. */
  keys: z.array(z.object({ name: z.string(), prefix: z.string() })).default([]),
})
/** What a mail is about: a person, keys, or both. */
type About = Omit<z.input<typeof OwnerMailFacts>, 'company'>

const selectName = sql('people.get-company-name', 'select name from companies where id = $1')

export interface OwnerMailContext {
  keyring: Keyring
  wall: number
  newId: () => string
}

/** Mails every owner of a company what happened to its owners or its keys. */
export async function mailOwners(
  query: Query,
  { keyring, wall, newId }: OwnerMailContext,
  companyId: string,
  kind: OwnerMailKind,
  about: About,
): Promise<void> {
  const [company] = await query(selectName, [companyId])
  const facts: z.input<typeof OwnerMailFacts> = { company: company!.name, ...about }
  const token = JSON.stringify(facts)
  for (const subjectId of await readOwners(query, companyId))
    await enqueueMail(query, { id: newId(), kind, subjectId, token, keyring, wall })
}
