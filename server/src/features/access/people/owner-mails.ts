import { z } from 'zod'
import type { Keyring } from '../../../kit/crypto.ts'
import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { enqueueMail } from '../../platform/notices/enqueue-mail.ts'

/** What a mail to an owner is about; sealed with it, and gone with it. */
export const OwnerMailFacts = z.object({ company: z.string(), email: z.string() })

const selectOwners = sql(
  'people.list-owners',
  `select m.person_id, c.name as company_name from memberships m join companies c on c.id = m.company_id
    where m.company_id = $1 and m.role = 'owner' order by m.person_id`,
)

export interface OwnerMailContext {
  keyring: Keyring
  wall: number
  newId: () => string
}

/** Mails every owner of a company that somebody became one, or is one no more. */
export async function mailOwners(
  query: Query,
  { keyring, wall, newId }: OwnerMailContext,
  companyId: string,
  kind: 'owner_added' | 'owner_removed',
  email: string,
): Promise<void> {
  for (const { person_id: subjectId, company_name: company } of await query(selectOwners, [companyId])) {
    const token = JSON.stringify({ company, email } satisfies z.input<typeof OwnerMailFacts>)
    await enqueueMail(query, { id: newId(), kind, subjectId, token, keyring, wall })
  }
}
