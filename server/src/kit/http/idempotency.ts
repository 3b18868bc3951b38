import { createHash } from 'node:crypto'
import type { Keyring } from '../crypto.ts'
import type { Pool } from '../db/pool.ts'
import { reader } from '../db/reader.ts'
import { sql } from '../db/statement.ts'
import type { Entry, RowsOf, Tx } from '../db/transaction.ts'
import { ApiError, type ErrorCode } from '../errors.ts'
import { followUpMaxMs } from '../operation.ts'

/** A request with an Idempotency-Key: the hash under which its answer is stored, and the hash of its body. */
export interface IdempotencyKey {
  readonly keyHash: Buffer
  readonly requestHash: Buffer
  readonly lock: string
  /** How long the follow-up of the initial reply may take. */
  readonly followUpMs: number
}

export interface StoredAnswer {
  status: number
  body: string
  /** The body is encrypted, because it contains a secret that is shown once. */
  is_sealed?: boolean
}

const tryLockKeys = sql(
  'idempotency.try-lock-many',
  'select k::text as lock, pg_try_advisory_xact_lock(k) as mine from unnest($1::bigint[]) k',
).as<{ lock: string; mine: boolean }>()
const findStoredAnswers = sql(
  'idempotency.find-many',
  `select key_hash, request_hash, status, body, is_sealed, created_at from idempotency_keys where key_hash = any ($1::bytea[]) and created_at > $2`,
)
const insertAnswers = sql(
  'idempotency.save-many',
  `insert into idempotency_keys (tenant_id, key_hash, request_hash, status, body, is_sealed, created_at)
   select current_setting('relance.tenant')::uuid, decode(key_hash, 'hex'), decode(request_hash, 'hex'), status, body,
          coalesce(is_sealed, false), $2
     from jsonb_to_recordset($1::jsonb) as x(key_hash text, request_hash text, status integer, body text, is_sealed boolean)
   on conflict (tenant_id, key_hash) do update
     set request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, is_sealed = excluded.is_sealed,
         created_at = excluded.created_at`,
)
const deleteAnswer = sql('idempotency.delete', 'delete from idempotency_keys where key_hash = $1')

const retentionMs = 24 * 3_600_000

/** If a follow-up is this much overdue, its process has died, and the initial reply is final. */
const graceMs = 5_000

/** Committed, but its follow-up is still running: stored with a negative status, so that the initial reply is not replayed yet. */
export const unfinished = (answer: StoredAnswer): StoredAnswer => ({ ...answer, status: -answer.status })

// Bound to the key hash: an answer sealed for one request cannot be opened for another.
const sealPurpose = ({ keyHash }: IdempotencyKey) => `idempotency ${keyHash.toString('hex')}`

export const sealAnswer = (
  keyring: Keyring,
  idempotency: IdempotencyKey,
  answer: StoredAnswer,
): StoredAnswer => ({
  ...answer,
  body: keyring.seal(sealPurpose(idempotency), answer.body),
  is_sealed: true,
})

export const openAnswer = <Stored extends StoredAnswer>(
  keyring: Keyring,
  idempotency: IdempotencyKey,
  stored: Stored,
): Stored =>
  stored.is_sealed
    ? { ...stored, body: keyring.open(sealPurpose(idempotency), stored.body), is_sealed: false }
    : stored

/** Scope: tenant, client, method, path, key. The path as sent, so that two resources never share an answer. */
export function idempotencyKeyFor(
  key: string,
  scope: { tenantId: string; clientId: string; method: string; path: string },
  body: string,
  followUpMs = followUpMaxMs,
): IdempotencyKey {
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

/** Sent with the opening of the transaction: the lock first, so that the look-up sees what the previous holder committed. */
export const openingStatements = (keyed: readonly IdempotencyKey[], oldest: string) =>
  [
    [tryLockKeys, [keyed.map(idempotency => idempotency.lock)]],
    [findStoredAnswers, [keyed.map(idempotency => idempotency.keyHash), oldest]],
  ] as const

export const oldestStored = (wall: number) => new Date(wall - retentionMs).toISOString()

/** The stored answer of an earlier request with this key, read without its lock. */
export const findStoredAnswer = async (pool: Pool, entry: Entry, { keyHash }: IdempotencyKey, wall: number) =>
  (await reader(pool, entry).rows(findStoredAnswers, [[keyHash], oldestStored(wall)]))[0]

/** The result of the opening statements for one request: null (new), the stored answer, a conflict, or 'busy' (still running). */
export function verdictOn(
  idempotency: IdempotencyKey,
  [locks, stored]: RowsOf<ReturnType<typeof openingStatements>>,
  wall: number,
): Replayed | ApiError | 'busy' | null {
  if (!locks.some(({ lock, mine }) => lock === idempotency.lock && mine)) return 'busy'
  const found = stored.find(({ key_hash }) => key_hash.equals(idempotency.keyHash))
  if (!found) return null
  const { body, is_sealed } = found
  const verdict = replay(idempotency, found.request_hash, { status: Math.abs(found.status), body, is_sealed })
  const isUnfinished = found.status < 0 && found.created_at > wall - idempotency.followUpMs - graceMs
  return isUnfinished && !(verdict instanceof ApiError) ? 'busy' : verdict
}

export type Replayed = StoredAnswer & { replayed: true }

/** The stored answer, if it is the same request; else an error. */
export const replay = (
  idempotency: IdempotencyKey,
  firstRequest: Buffer,
  answer: StoredAnswer,
): Replayed | ApiError =>
  firstRequest.equals(idempotency.requestHash)
    ? { ...answer, replayed: true }
    : new ApiError(
        'RES_003',
        'This Idempotency-Key was already used with a different body; use a new key for a new request.',
      )

/** Business errors are stored as answers; validation, permission, rate and server errors are not, nor is RES_004. */
export const isStorable = (code: ErrorCode) =>
  (code.startsWith('RES_') && code !== 'RES_004') || code.startsWith('BIZ_')

export function storeAnswers(
  tx: Tx,
  answers: readonly { idempotency: IdempotencyKey; answer: StoredAnswer }[],
  wall: string,
): void {
  if (answers.length === 0) return
  const rows = answers.map(({ idempotency, answer }) => ({
    key_hash: idempotency.keyHash.toString('hex'),
    request_hash: idempotency.requestHash.toString('hex'),
    ...answer,
  }))
  tx.atCommit(insertAnswers, [JSON.stringify(rows), wall])
}

/** Deletes the stored initial reply when its follow-up failed, so that the request can be repeated. */
export const discardStoredAnswer = (tx: Tx, idempotency: IdempotencyKey): void =>
  tx.atCommit(deleteAnswer, [idempotency.keyHash])
