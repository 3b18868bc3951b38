import type { Ask } from '../../../kit/db/plain.ts'
import type { Site } from '../../../kit/http/site.ts'
import { planMail } from '../../platform/notices/plan-mail.ts'

/** Whoever changed how one signs in, its owner hears of it: uncounted, because nobody but who is signed in brings it about. */
export const tellPerson = (
  { clock, keyring, newId }: Site,
  ask: Ask,
  personId: string,
  kind: 'passkey_added' | 'password_changed',
): Promise<unknown> => {
  const wall = clock.wall()
  return planMail(ask, { id: newId(wall), kind, subjectId: personId, token: null, keyring, wall })
}
