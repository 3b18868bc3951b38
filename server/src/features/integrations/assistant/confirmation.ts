import { iso } from '../../../kit/clock.ts'
import { sha256 } from '../../../kit/crypto.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { randomAlphanumeric } from '../../../kit/random-alphanumeric.ts'
import type { Language } from './language.ts'

/** An operation of a plan, with its exact arguments. Stored as JSON. */
export interface PlannedOperation {
  readonly operation: string
  readonly args: Readonly<Record<string, unknown>>
  /** The description that was shown to the person. */
  readonly words: string
}

export interface ClaimedPlan {
  readonly id: string
  readonly plan: readonly PlannedOperation[]
  readonly language: Language
}

type PlanRow = Omit<ClaimedPlan, 'plan'> & { plan: string }

const validForMs = 10 * 60_000
/** Longer than a plan takes; after that its process is considered dead. */
const leaseMs = 2 * 60_000

const openCondition = `done_at is null and dropped_at is null and (taken_until is null or taken_until <= $2)`

const insertConfirmation = sql(
  'assistant.insert-plan',
  `insert into confirmations (tenant_id, id, conversation_id, token_hash, caller, language, plan, summary, created_at, expires_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)
// The update waits for the row lock and then checks again: of several at the same time, one claims the plan.
const claimByToken = sql(
  'assistant.take-plan',
  `update confirmations set taken_until = $4
    where conversation_id = $1 and ${openCondition} and caller = $3 and expires_at > $2 and token_hash = $5
    returning id, plan, language`,
).as<PlanRow>()
const claimOpen = sql(
  'assistant.take-open-plan',
  `update confirmations set taken_until = $4
    where conversation_id = $1 and ${openCondition} and caller = $3 and expires_at > $2
    returning id, plan, language`,
).as<PlanRow>()
const dropOpenPlans = sql(
  'assistant.drop-open-plans',
  `update confirmations set dropped_at = $2 where conversation_id = $1 and ${openCondition}`,
)
const dropPlanById = sql('assistant.drop-plan', 'update confirmations set dropped_at = $2 where id = $1')
const markPlanDone = sql('assistant.finish-plan', 'update confirmations set done_at = $2 where id = $1')
const releaseClaim = sql(
  'assistant.release-plan',
  'update confirmations set taken_until = null where id = $1 and done_at is null',
)

export interface NewConfirmation {
  readonly id: string
  readonly conversationId: string
  readonly caller: string
  readonly language: Language
  readonly plan: readonly PlannedOperation[]
  readonly summary: string
}

const hashOf = (token: string) => sha256('confirmation', token)

/** Saves a plan for confirmation. Of its token (256 random bits) only the hash is stored. */
export function saveConfirmation(
  tx: Tx,
  confirmation: NewConfirmation,
  wall: number,
): { token: string; expiresAt: string } {
  const token = `cf_${randomAlphanumeric(43)}`
  const expiresAt = iso(wall + validForMs)
  tx.atCommit(insertConfirmation, [
    confirmation.id,
    confirmation.conversationId,
    hashOf(token),
    confirmation.caller,
    confirmation.language,
    JSON.stringify(confirmation.plan),
    confirmation.summary,
    iso(wall),
    expiresAt,
  ])
  return { token, expiresAt }
}

export interface PlanClaim {
  readonly conversationId: string
  readonly caller: string
  /** Null claims the open plan, for a plain yes. */
  readonly token: string | null
}

export async function claimPlan(tx: Tx, claim: PlanClaim, wall: number): Promise<ClaimedPlan | null> {
  const common = [claim.conversationId, iso(wall), claim.caller, iso(wall + leaseMs)] as const
  const claimed =
    claim.token === null
      ? await tx.rows(claimOpen, common)
      : await tx.rows(claimByToken, [...common, hashOf(claim.token)])
  // Two concurrent turns may have prepared two plans: then a yes is ambiguous and confirms neither.
  if (claimed.length > 1) for (const { id } of claimed) dropPlan(tx, id, wall)
  const [row] = claimed.length === 1 ? claimed : []
  return row ? { ...row, plan: JSON.parse(row.plan) as PlannedOperation[] } : null
}

const dropPlan = (tx: Tx, id: string, wall: number): void => tx.atCommit(dropPlanById, [id, iso(wall)])

/** Any other message drops the prepared plans. */
export const dropPlans = (tx: Tx, conversationId: string, wall: number): void =>
  tx.atCommit(dropOpenPlans, [conversationId, iso(wall)])

export const finishPlan = (tx: Tx, id: string, wall: number): void =>
  tx.atCommit(markPlanDone, [id, iso(wall)])

/** The same confirmation can then be sent again to continue. */
export const releasePlan = (tx: Tx, id: string): void => tx.atCommit(releaseClaim, [id])
