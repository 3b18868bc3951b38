import type { Channel } from '../../../domain/contact/channel.ts'
import { isAnswer } from '../../../domain/recovery/cascade.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { sqlState, type Tx } from '../../../kit/db/transaction.ts'
import { dailyLimitOf, messagesWithin } from '../../access/daily-limits.ts'
import type { DebtorFile } from '../case/debtor-file-store.ts'
import type { Communication } from './communication-store.ts'
import type { WorkerContext } from './worker-context.ts'

/** The most contacts of one person, by all companies of the installation together. */
const perPerson = { day: 3, month: 12 } as const

const countStatement = sql('messages.count-send', 'select count_send($1, $2, $3, $4, $5, $6, $7, $8, $9)')
const uncountStatement = sql('messages.uncount-send', 'select uncount_send($1, $2, $3, $4)')

/** The counts of a claim, to be undone if there is no contact. */
export interface CountedSend {
  day: string
  channel: Channel
  persons: readonly Buffer[]
}

/** `person_cap` is never shown: a company must not learn what other companies send. */
export type Limit = 'daily_cap' | 'person_cap'

/** A sandbox sends nothing, and an answer to the debtor is no contact. */
export const isLimited = (
  { environment }: Pick<DebtorFile, 'environment'>,
  { step }: Pick<Communication, 'step'>,
): boolean => environment === 'production' && !isAnswer(step)

/** Counts a message with the commit of its claim. Beyond a limit the commit fails: see `exceededLimit`. */
export function countSend(
  tx: Tx,
  worker: Pick<WorkerContext, 'keyring' | 'prices'>,
  tenantId: string,
  file: Pick<DebtorFile, 'email' | 'phone' | 'tier' | 'daily_limits'>,
  { id, channel }: Pick<Communication, 'id' | 'channel'>,
  now: number,
): CountedSend {
  const day = iso(now).slice(0, 10)
  const limit = dailyLimitOf(file.tier, file.daily_limits, channel)
  const persons = personsOf(file)
    .map(point => worker.keyring.digests('person', point))
    .sort(([left], [right]) => Buffer.compare(left!, right!))
  tx.atCommit(countStatement, [
    tenantId,
    day,
    channel,
    messagesWithin(limit, worker.prices[channel]),
    Number.parseInt(id.slice(-1), 16) % 8,
    persons.flat(),
    persons[0]!.length,
    perPerson.day,
    perPerson.month,
  ])
  return { day, channel, persons: persons.map(([active]) => active!) }
}

export const uncountSend = (tx: Tx, tenantId: string, { day, channel, persons }: CountedSend): void =>
  tx.atCommit(uncountStatement, [tenantId, day, channel, persons])

// Without its token the claim is over, so that a repetition gives nothing back again.
const endClaim = sql('messages.end-claim', 'update communications set token = null where id = $1')

/** An act cancelled the message before its fence: gives back what the claim counted. */
export function giveBack(
  tx: Tx,
  communication: Pick<Communication, 'id' | 'state' | 'token'> | undefined,
  { tenantId, token, counted }: { tenantId: string; token: string | null; counted?: CountedSend | null },
): void {
  if (communication?.state !== 'cancelled' || token === null || communication.token !== token) return
  tx.atCommit(endClaim, [communication.id])
  if (counted) uncountSend(tx, tenantId, counted)
}

/** The limit that made a claim fail; null: it failed for another reason. */
export function exceededLimit(error: unknown): Limit | null {
  const state = sqlState(error)
  return state === 'RL010' ? 'daily_cap' : state === 'RL011' ? 'person_cap' : null
}

/** The points by which a person is recognised across companies. An address with a `+` suffix is the same mailbox. */
export const personsOf = ({ email, phone }: Pick<DebtorFile, 'email' | 'phone'>): string[] => [
  `email ${email.toLowerCase().replace(/^([^+]*)\+[^@]*@/, '$1@')}`,
  ...(phone === null ? [] : [`phone ${phone}`]),
]
