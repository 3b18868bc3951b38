import { iso } from '../../../kit/clock.ts'
import { sha256 } from '../../../kit/crypto.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { randomWord } from '../../../kit/random-word.ts'
import type { Language } from './language.ts'

/** One thing to be done, exactly as it will be asked for. */
export interface Deed {
  readonly operation: string
  readonly args: Readonly<Record<string, unknown>>
  /** As the person was shown it. */
  readonly words: string
}

export interface TakenPlan {
  readonly id: string
  readonly plan: readonly Deed[]
  readonly language: Language
}

type PlanRow = Omit<TakenPlan, 'plan'> & { plan: string }

const standsForMs = 10 * 60_000
/** Longer than a plan takes; whoever holds it longer has died. */
const leaseMs = 2 * 60_000

const isOpen = `done_at is null and dropped_at is null and (taken_until is null or taken_until <= $2)`

const insert = sql(
  'assistant.insert-plan',
  `insert into confirmations (tenant_id, id, conversation_id, token_hash, caller, language, plan, summary, created_at, expires_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)
// An update waits for whoever has the row and then looks again: of many at once one takes it.
const take = sql(
  'assistant.take-plan',
  `update confirmations set taken_until = $4
    where conversation_id = $1 and ${isOpen} and caller = $3 and expires_at > $2 and token_hash = $5
    returning id, plan, language`,
).as<PlanRow>()
const takeOpen = sql(
  'assistant.take-open-plan',
  `update confirmations set taken_until = $4
    where conversation_id = $1 and ${isOpen} and caller = $3 and expires_at > $2
    returning id, plan, language`,
).as<PlanRow>()
const drop = sql(
  'assistant.drop-open-plans',
  `update confirmations set dropped_at = $2 where conversation_id = $1 and ${isOpen}`,
)
const dropOne = sql('assistant.drop-plan', 'update confirmations set dropped_at = $2 where id = $1')
const finish = sql('assistant.finish-plan', 'update confirmations set done_at = $2 where id = $1')
const release = sql(
  'assistant.release-plan',
  'update confirmations set taken_until = null where id = $1 and done_at is null',
)

export interface NewConfirmation {
  readonly id: string
  readonly conversationId: string
  readonly caller: string
  readonly language: Language
  readonly plan: readonly Deed[]
  readonly summary: string
}

const hashOf = (token: string) => sha256('confirmation', token)

/** 256 random bits, of which only the hash is kept. */
export function ask(tx: Tx, asked: NewConfirmation, wall: number): { token: string; expiresAt: string } {
  const token = `cf_${randomWord(43)}`
  const expiresAt = iso(wall + standsForMs)
  tx.atCommit(insert, [
    asked.id,
    asked.conversationId,
    hashOf(token),
    asked.caller,
    asked.language,
    JSON.stringify(asked.plan),
    asked.summary,
    iso(wall),
    expiresAt,
  ])
  return { token, expiresAt }
}

export interface Taking {
  readonly conversationId: string
  readonly caller: string
  /** Null: the one that is open, for a plain yes. */
  readonly token: string | null
}

export async function takePlan(tx: Tx, taking: Taking, wall: number): Promise<TakenPlan | null> {
  const common = [taking.conversationId, iso(wall), taking.caller, iso(wall + leaseMs)] as const
  const taken =
    taking.token === null
      ? await tx.rows(takeOpen, common)
      : await tx.rows(take, [...common, hashOf(taking.token)])
  // Two turns at once may have prepared two: a yes that could mean either means none.
  if (taken.length > 1) for (const { id } of taken) dropPlan(tx, id, wall)
  const [row] = taken.length === 1 ? taken : []
  return row ? { ...row, plan: JSON.parse(row.plan) as Deed[] } : null
}

const dropPlan = (tx: Tx, id: string, wall: number): void => tx.atCommit(dropOne, [id, iso(wall)])

/** Whatever else is said next: what was prepared is not done. */
export const dropPlans = (tx: Tx, conversationId: string, wall: number): void =>
  tx.atCommit(drop, [conversationId, iso(wall)])

export const finishPlan = (tx: Tx, id: string, wall: number): void => tx.atCommit(finish, [id, iso(wall)])

/** Whoever confirms it again may go on with it. */
export const releasePlan = (tx: Tx, id: string): void => tx.atCommit(release, [id])
