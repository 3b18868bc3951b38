import { iso } from '../../../kit/clock.ts'
import { sha256 } from '../../../kit/crypto.ts'
import type { Ask } from '../../../kit/db/plain.ts'
import { sql } from '../../../kit/db/statement.ts'
import { placeOf } from '../../../kit/ip-block.ts'

const minute = 60_000

/** How often in which time. */
const windows = {
  /** Wrong passwords for one person. */
  account: { most: 10, ms: 15 * minute },
  /** Wrong answers from one place. */
  address: { most: 50, ms: 15 * minute },
  /** Mails of one kind to one mailbox: whoever asks for one kind uses up no other. */
  verify_email: { most: 5, ms: 60 * minute },
  reset_password: { most: 5, ms: 60 * minute },
  invitation: { most: 5, ms: 60 * minute },
  account_exists: { most: 1, ms: 60 * minute },
  /** Mails, to whomever, that one place may ask for. */
  postbox: { most: 30, ms: 60 * minute },
} as const
type Kind = keyof typeof windows

const count = sql(
  'people.count-failure',
  `insert into sign_in_failures as f (subject, failures, since) values ($1, 1, $2)
   on conflict (subject) do update
     set failures = case when f.since <= $3 then 1 else f.failures + 1 end, since = case when f.since <= $3 then $2 else f.since end
   returning failures`,
)
const uncount = sql(
  'people.uncount-failure',
  'update sign_in_failures set failures = failures - 1 where subject = $1 and failures > 0',
)
const forget = sql('people.delete-failures', 'delete from sign_in_failures where subject = $1')

const subjectOf = (kind: Kind, value: string) =>
  sha256(kind, kind === 'address' || kind === 'postbox' ? placeOf(value) : value)

export type Verdict = { allowed: true } | { allowed: false; isFirst: boolean }

/** Counted before it is tried, in one statement: however many try at once, on however many processes, no more get through. */
export async function countAttempt(ask: Ask, kind: Kind, value: string, wall: number): Promise<Verdict> {
  const { most, ms } = windows[kind]
  const [row] = await ask(count, [subjectOf(kind, value), iso(wall), iso(wall - ms)])
  const { failures } = row!
  return failures <= most ? { allowed: true } : { allowed: false, isFirst: failures === most + 1 }
}

/** It was no failure after all. */
export const takeBack = (ask: Ask, kind: Kind, value: string): Promise<unknown> =>
  ask(uncount, [subjectOf(kind, value)])

export const forgetFailures = (ask: Ask, kind: Kind, value: string): Promise<unknown> =>
  ask(forget, [subjectOf(kind, value)])
