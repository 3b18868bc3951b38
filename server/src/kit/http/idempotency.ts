import { createHash } from 'node:crypto'
import { type Statement, sql } from '../db/statement.ts'
import type { Opened } from '../db/transaction.ts'
import { ApiError, type ErrorCode } from '../errors.ts'

/** A request that may come twice: where its answer is kept, and what it must equal to be the same request. */
export interface Once {
  readonly keyHash: Buffer
  readonly requestHash: Buffer
  readonly lock: string
}

export interface StoredAnswer {
  status: number
  body: string
}

const tryLock = sql<{ mine: boolean }>('select pg_try_advisory_xact_lock($1::bigint) as mine')
const find = sql<{ request_hash: Buffer; status: number; body: string }>(
  `select request_hash, status, body from idempotency_keys where key_hash = $1 and created_at > $2`,
)
const keep = sql(
  `insert into idempotency_keys (tenant_id, key_hash, request_hash, status, body, created_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5)
   on conflict (tenant_id, key_hash) do update
     set request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, created_at = excluded.created_at`,
)

const keptForMs = 24 * 3_600_000

/** Scope: tenant, client, method, path, key. The path as sent, so that two resources never share an answer. */
export function onceFor(
  key: string,
  scope: { tenantId: string; clientId: string; method: string; path: string },
  body: string,
): Once {
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw new ApiError('VAL_001', 'Idempotency-Key must be 1 to 255 printable ASCII characters.')
  const keyHash = createHash('sha256')
    .update([scope.tenantId, scope.clientId, scope.method, scope.path, key].join('\n'))
    .digest()
  return {
    keyHash,
    requestHash: createHash('sha256').update(body).digest(),
    lock: keyHash.readBigInt64BE(0).toString(),
  }
}

/** Travels with the opening of the transaction: the lock first, so that the look-up sees what its former holder committed. */
export const openingCalls = (
  once: Once,
  wall: string,
): readonly (readonly [Statement<unknown>, readonly (string | Buffer)[]])[] => [
  [tryLock, [once.lock]],
  [find, [once.keyHash, wall]],
]

export const oldestKept = (wall: number) => new Date(wall - keptForMs).toISOString()

/** What the opening found: somebody else is at it, the answer of the first time, or nothing yet. */
export function firstTime(once: Once, first: unknown[][]): 'busy' | StoredAnswer | null {
  const [lock, stored] = first as [
    { mine: boolean }[],
    { request_hash: Buffer; status: number; body: string }[],
  ]
  if (!lock[0]!.mine) return 'busy'
  const answer = stored[0]
  if (!answer) return null
  if (!answer.request_hash.equals(once.requestHash))
    throw new ApiError(
      'RES_003',
      'This Idempotency-Key was already used with a different body; use a new key for a new request.',
    )
  return { status: answer.status, body: answer.body }
}

/** Business refusals are answers too; faults of form, permission, rate or ours are not. */
export const isKept = (code: ErrorCode) => code.startsWith('RES_') || code.startsWith('BIZ_')

export function keepAnswer(opened: Opened, once: Once, answer: StoredAnswer, wall: string): void {
  opened.tx.atCommit(keep, [once.keyHash, once.requestHash, answer.status, answer.body, wall])
}
