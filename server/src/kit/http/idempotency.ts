import { createHash } from 'node:crypto'
import type { Keyring } from '../crypto.ts'
import { sql } from '../db/statement.ts'
import type { RowsOf, Tx } from '../db/transaction.ts'
import { ApiError, type ErrorCode } from '../errors.ts'
import { followUpMostMs } from '../operation.ts'

/** A request that may come twice: where its answer is kept, and what it must equal to be the same request. */
export interface Once {
  readonly keyHash: Buffer
  readonly requestHash: Buffer
  readonly lock: string
  /** How long its first answer may be followed up. */
  readonly followUpMs: number
}

export interface StoredAnswer {
  status: number
  body: string
  /** The body is encrypted: it carries a secret that is shown once. */
  is_sealed?: boolean
}

const tryLockMany = sql(
  'idempotency.try-lock-many',
  'select k::text as lock, pg_try_advisory_xact_lock(k) as mine from unnest($1::bigint[]) k',
).as<{ lock: string; mine: boolean }>()
export const findMany = sql(
  'idempotency.find-many',
  `select key_hash, request_hash, status, body, is_sealed, created_at from idempotency_keys where key_hash = any ($1::bytea[]) and created_at > $2`,
)
const keep = sql(
  'idempotency.save-many',
  `insert into idempotency_keys (tenant_id, key_hash, request_hash, status, body, is_sealed, created_at)
   select current_setting('relance.tenant')::uuid, decode(key_hash, 'hex'), decode(request_hash, 'hex'), status, body,
          coalesce(is_sealed, false), $2
     from jsonb_to_recordset($1::jsonb) as x(key_hash text, request_hash text, status integer, body text, is_sealed boolean)
   on conflict (tenant_id, key_hash) do update
     set request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, is_sealed = excluded.is_sealed,
         created_at = excluded.created_at`,
)
const drop = sql('idempotency.delete', 'delete from idempotency_keys where key_hash = $1')

const keptForMs = 24 * 3_600_000

/** This long after its time nobody is following up any more: whoever was has died, and the first answer is the one that stays. */
const graceMs = 5_000

/** Committed, and still followed up: kept with its status below zero, so that nobody is given half an answer meanwhile. */
export const unfinished = (answer: StoredAnswer): StoredAnswer => ({ ...answer, status: -answer.status })

// Bound to its place: what was kept for one request opens for no other.
const purpose = ({ keyHash }: Once) => `idempotency ${keyHash.toString('hex')}`

export const sealed = (keyring: Keyring, once: Once, answer: StoredAnswer): StoredAnswer => ({
  ...answer,
  body: keyring.seal(purpose(once), answer.body),
  is_sealed: true,
})

export const opened = <Kept extends StoredAnswer>(keyring: Keyring, once: Once, kept: Kept): Kept =>
  kept.is_sealed ? { ...kept, body: keyring.open(purpose(once), kept.body), is_sealed: false } : kept

/** Scope: tenant, client, method, path, key. The path as sent, so that two resources never share an answer. */
export function onceFor(
  key: string,
  scope: { tenantId: string; clientId: string; method: string; path: string },
  body: string,
  followUpMs = followUpMostMs,
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
    followUpMs,
  }
}

/** Travels with the opening of the transaction: the lock first, so that the look-up sees what its former holder committed. */
export const openingCalls = (keyed: readonly Once[], oldest: string) =>
  [
    [tryLockMany, [keyed.map(once => once.lock)]],
    [findMany, [keyed.map(once => once.keyHash), oldest]],
  ] as const

export const oldestKept = (wall: number) => new Date(wall - keptForMs).toISOString()

/** What the opening found for one request: nothing yet, the answer of the first time, a conflict, or somebody at it. */
export function verdictOn(
  once: Once,
  [locks, stored]: RowsOf<ReturnType<typeof openingCalls>>,
  wall: number,
): Replayed | ApiError | 'busy' | null {
  if (!locks.some(({ lock, mine }) => lock === once.lock && mine)) return 'busy'
  const found = stored.find(({ key_hash }) => key_hash.equals(once.keyHash))
  if (!found) return null
  const { body, is_sealed } = found
  const verdict = replay(once, found.request_hash, { status: Math.abs(found.status), body, is_sealed })
  const isUnfinished = found.status < 0 && found.created_at > wall - once.followUpMs - graceMs
  return isUnfinished && !(verdict instanceof ApiError) ? 'busy' : verdict
}

export type Replayed = StoredAnswer & { replayed: true }

/** The first answer again, if it is the same request. */
export const replay = (once: Once, firstRequest: Buffer, answer: StoredAnswer): Replayed | ApiError =>
  firstRequest.equals(once.requestHash)
    ? { ...answer, replayed: true }
    : new ApiError(
        'RES_003',
        'This Idempotency-Key was already used with a different body; use a new key for a new request.',
      )

/** Business refusals are answers too; faults of form, permission, rate or ours are not, nor is "again in a second". */
export const isKept = (code: ErrorCode) =>
  (code.startsWith('RES_') && code !== 'RES_004') || code.startsWith('BIZ_')

export function keepMany(tx: Tx, kept: readonly { once: Once; answer: StoredAnswer }[], wall: string): void {
  if (kept.length === 0) return
  const rows = kept.map(({ once, answer }) => ({
    key_hash: once.keyHash.toString('hex'),
    request_hash: once.requestHash.toString('hex'),
    ...answer,
  }))
  tx.atCommit(keep, [JSON.stringify(rows), wall])
}

/** What was kept for the time of a follow-up that was refused: the request may be made again. */
export const dropKept = (tx: Tx, once: Once): void => tx.atCommit(drop, [once.keyHash])
