import { z } from 'zod'
import type { Keyring } from '../../../kit/crypto.ts'
import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { enqueueMail } from '../../platform/account-mail/enqueue-mail.ts'
import { readOwners } from '../companies/owners.ts'

/** The facts of a mail to an owner; stored sealed with it, and deleted with it. */
export const OwnerMailFacts = z.object({ company: z.string(), email: z.string() })

const selectName = sql('people.get-company-name', 'select name from companies where id = $1')

export interface OwnerMailContext {
  keyring: Keyring
  wall: number
  newId: () => string
}

/** Mails every owner of a company that an owner was added or removed. */
export async function mailOwners(
  query: Query,
  { keyring, wall, newId }: OwnerMailContext,
  companyId: string,
  kind: 'owner_added' | 'owner_removed',
  email: string,
): Promise<void> {
  const [company] = await query(selectName, [companyId])
  const facts: z.input<typeof OwnerMailFacts> = { company: company!.name, email }
  const token = JSON.stringify(facts)
  for (const subjectId of await readOwners(query, companyId))
    await enqueueMail(query, { id: newId(), kind, subjectId, token, keyring, wall })
}
