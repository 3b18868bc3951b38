import { z } from 'zod'
import type { Query } from '../../../kit/db/query.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { enqueueMail } from '../../platform/account-mail/enqueue-mail.ts'

/** The facts of a mail about a consent; stored sealed with it, and deleted with it. */
export const AccessMailFacts = z.object({ application: z.string(), companies: z.array(z.string()) })

type News =
  | { kind: 'passkey_added' | 'password_changed' }
  | { kind: 'access_granted'; facts: z.input<typeof AccessMailFacts> }

/**
 * Notifies a person by mail that their sign-in was changed, or that an application may act for them. Not limited, because only a
 * signed-in person can cause it.
 */
export function notifyPerson(
  { clock, keyring, newId }: PageContext,
  query: Query,
  personId: string,
  news: News,
): Promise<unknown> {
  const wall = clock.wall()
  const token = news.kind === 'access_granted' ? JSON.stringify(news.facts) : null
  return enqueueMail(query, { id: newId(wall), kind: news.kind, subjectId: personId, token, keyring, wall })
}
