import type { Query } from '../../../kit/db/query.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { enqueueMail } from '../../platform/account-mail/enqueue-mail.ts'

/** Notifies a person by mail that their sign-in was changed. Not limited, because only a signed-in person can cause it. */
export const notifyPerson = (
  { clock, keyring, newId }: PageContext,
  query: Query,
  personId: string,
  kind: 'passkey_added' | 'password_changed',
): Promise<unknown> => {
  const wall = clock.wall()
  return enqueueMail(query, { id: newId(wall), kind, subjectId: personId, token: null, keyring, wall })
}
