import { iso } from '../../../kit/clock.ts'
import { sha256 } from '../../../kit/crypto.ts'
import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { networkOf } from '../../../kit/ip-block.ts'

const minute = 60_000

/** The maximum number of attempts per time window. */
const windows = {
  /** Wrong passwords for one person. */
  account: { max: 10, ms: 15 * minute },
  /** Failed attempts from one network. */
  address: { max: 50, ms: 15 * minute },
  /** Mails of one kind to one mailbox; each kind is counted by itself. */
  verify_email: { max: 5, ms: 60 * minute },
  reset_password: { max: 5, ms: 60 * minute },
  invitation: { max: 5, ms: 60 * minute },
  account_exists: { max: 1, ms: 60 * minute },
  /** Mails to any address that are requested from one network. */
  postbox: { max: 30, ms: 60 * minute },
} as const
type Kind = keyof typeof windows

const countFailure = sql(
  'people.count-failure',
  `insert into sign_in_failures as f (subject, failures, since) values ($1, 1, $2)
   on conflict (subject) do update
     set failures = case when f.since <= $3 then 1 else f.failures + 1 end, since = case when f.since <= $3 then $2 else f.since end
   returning failures`,
)
const decrementFailures = sql(
  'people.uncount-failure',
  'update sign_in_failures set failures = failures - 1 where subject = $1 and failures > 0',
)
const deleteFailures = sql('people.delete-failures', 'delete from sign_in_failures where subject = $1')

const mailKinds: ReadonlySet<Kind> = new Set([
  'verify_email',
  'reset_password',
  'invitation',
  'account_exists',
])

/** Most mail servers deliver `name+anything@` to `name@`. */
const mailboxOf = (address: string) => address.replace(/^([^+]*)\+[^@]*@/, '$1@')

const subjectOf = (kind: Kind, value: string) =>
  sha256(
    kind,
    kind === 'address' || kind === 'postbox'
      ? networkOf(value)
      : mailKinds.has(kind)
        ? mailboxOf(value)
        : value,
  )

export type Verdict = { allowed: true } | { allowed: false; isFirst: boolean }

/** Counts before the attempt, in one statement, so that the limit holds for concurrent attempts on several processes. */
export async function countAttempt(query: Query, kind: Kind, value: string, wall: number): Promise<Verdict> {
  const { max, ms } = windows[kind]
  const [row] = await query(countFailure, [subjectOf(kind, value), iso(wall), iso(wall - ms)])
  const { failures } = row!
  return failures <= max ? { allowed: true } : { allowed: false, isFirst: failures === max + 1 }
}

/** Removes a counted attempt that was no failure. */
export const uncountAttempt = (query: Query, kind: Kind, value: string): Promise<unknown> =>
  query(decrementFailures, [subjectOf(kind, value)])

export const resetFailures = (query: Query, kind: Kind, value: string): Promise<unknown> =>
  query(deleteFailures, [subjectOf(kind, value)])
