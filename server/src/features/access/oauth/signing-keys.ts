import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import { type Clock, iso } from '../../../kit/clock.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import { advisoryLocks } from '../../../kit/db/advisory-locks.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { inTransaction, type Query, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Log } from '../../../kit/log.ts'

export const algorithm = 'RS256'

const hour = 3_600_000
/** How long a key signs. Its successor is published during all that time. */
const activeForMs = 30 * 24 * hour
/** Tokens are valid for an hour: a retired key stays published a little longer than that. */
const publishedAfterMs = 2 * hour

const purpose = (kid: string) => `signing key ${kid}`

// Changing keys takes the exclusive lock; signing takes the shared one, so the active key is not retired before the commit.
const lock = advisoryLocks.signingKeys.join(', ')
const lockExclusive = sql('oauth.lock-signing-keys', `select pg_advisory_xact_lock(${lock})`)
const lockShared = sql('oauth.share-signing-keys', `select pg_advisory_xact_lock_shared(${lock})`)
const findKeys = sql('oauth.list-signing-keys', 'select state, activated_at from signing_keys').as<{
  state: 'next' | 'active' | 'retired'
  activated_at: number | null
}>()
const retireActive = sql(
  'oauth.retire-signing-key',
  `update signing_keys set state = 'retired', retired_at = $1 where state = 'active'`,
)
const retireAll = sql(
  'oauth.retire-all-signing-keys',
  `update signing_keys set state = 'retired', retired_at = $1`,
)
const activateNext = sql(
  'oauth.activate-signing-key',
  `update signing_keys set state = 'active', activated_at = $1 where state = 'next'`,
)
const insertKey = sql(
  'oauth.insert-signing-key',
  `insert into signing_keys (kid, state, public_jwk, private_sealed, created_at, activated_at) values ($1, $2, $3, $4, $5, $6)`,
)
const findPublished = sql(
  'oauth.list-published-keys',
  `select public_jwk from signing_keys where state <> 'retired' or retired_at > $1 order by created_at desc`,
).as<{ public_jwk: JWK }>()
// Without the next key: nothing is signed with it yet.
const findSigner = sql(
  'oauth.find-verification-key',
  `select public_jwk from signing_keys where kid = $1 and (state = 'active' or retired_at > $2)`,
).as<{ public_jwk: JWK }>()
const findActive = sql(
  'oauth.find-active-key',
  `select kid, private_sealed from signing_keys where state = 'active'`,
)

export interface KeyContext {
  pool: Pool
  keyring: Keyring
  clock: Clock
}

interface KeyPair {
  kid: string
  publicJwk: JWK
  privateJwk: JWK
}

async function newKeyPair(): Promise<KeyPair> {
  const pair = await generateKeyPair(algorithm, { modulusLength: 2048, extractable: true })
  const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)])
  return { kid: await calculateJwkThumbprint(publicJwk), publicJwk, privateJwk }
}

const saveKey = (
  query: Query,
  { keyring }: KeyContext,
  pair: KeyPair,
  state: 'next' | 'active',
  wall: number,
) =>
  query(insertKey, [
    pair.kid,
    state,
    JSON.stringify({ ...pair.publicJwk, kid: pair.kid, alg: algorithm, use: 'sig' }),
    keyring.seal(purpose(pair.kid), JSON.stringify(pair.privateJwk)),
    iso(wall),
    state === 'active' ? iso(wall) : null,
  ])

const isOld = (activatedAt: number | null, wall: number) => (activatedAt ?? 0) <= wall - activeForMs

/** Ensures one active and one next key. The active key is replaced when it is old, or on request. */
async function arrangeKeys(keys: KeyContext, mode: 'if old' | 'change' | 'discard'): Promise<void> {
  // Generated before the lock is taken.
  const newPairs = await Promise.all([newKeyPair(), newKeyPair()])
  await inTransaction(keys.pool, async query => {
    await query(lockExclusive, [])
    const wall = keys.clock.wall()
    // Retired at time zero: they are not used for verification, not published, and purged.
    if (mode === 'discard') await query(retireAll, [iso(0)])
    const known = await query(findKeys, [])
    const active = known.find(key => key.state === 'active')
    let hasNext = known.some(key => key.state === 'next')
    if (!active || mode === 'change' || isOld(active.activated_at, wall)) {
      await query(retireActive, [iso(wall)])
      if (hasNext) await query(activateNext, [iso(wall)])
      else await saveKey(query, keys, newPairs[0]!, 'active', wall)
      hasNext = false
    }
    if (!hasNext) await saveKey(query, keys, newPairs[1]!, 'next', wall)
  })
}

/** The next key becomes active and a new next key is published. Issued tokens stay valid. */
export const rotateKeys = (keys: KeyContext): Promise<void> => arrangeKeys(keys, 'change')

/** For stolen keys: all keys, the next one included, are discarded and two new ones take over. Issued tokens become invalid. */
export const discardKeys = (keys: KeyContext): Promise<void> => arrangeKeys(keys, 'discard')

const pendingByPool = new WeakMap<Pool, Promise<void>>()

/** Creates keys when there are none, and rotates them when they are old. */
export async function ensureKeys(keys: KeyContext): Promise<void> {
  const known = await queryOn(keys.pool)(findKeys, [])
  const active = known.find(key => key.state === 'active')
  const isFine = active && known.some(key => key.state === 'next')
  if (isFine && !isOld(active.activated_at, keys.clock.wall())) return
  const pending = pendingByPool.get(keys.pool) ?? arrangeKeys(keys, 'if old')
  pendingByPool.set(keys.pool, pending)
  await pending.finally(() => pendingByPool.delete(keys.pool))
}

/** A new installation has no key yet. */
class NoKeyYet extends Error {}

/** Runs `work`, and creates the first keys if there are none. */
export async function withKeys<T>(keys: KeyContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof NoKeyYet)) throw error
    await ensureKeys(keys)
    return work()
  }
}

/** The published verification keys, the next key included. */
export async function publishedKeys({ pool, clock }: Pick<KeyContext, 'pool' | 'clock'>): Promise<JWK[]> {
  const rows = await queryOn(pool)(findPublished, [iso(clock.wall() - publishedAfterMs)])
  if (rows.length === 0) throw new NoKeyYet()
  return rows.map(row => row.public_jwk)
}

/** The verification key with this id, if a valid token can be signed with it. */
export async function findVerificationKey(
  { pool, clock }: Pick<KeyContext, 'pool' | 'clock'>,
  kid: string,
): Promise<JWK | null> {
  // A key id is a thumbprint (RFC 7638): anything else is refused without a query.
  if (!/^[\w-]{43}$/.test(kid)) return null
  const [row] = await queryOn(pool)(findSigner, [kid, iso(clock.wall() - publishedAfterMs)])
  return row?.public_jwk ?? null
}

/** The active key; it stays active until this transaction ends. */
export async function activeKey(query: Query, keyring: Keyring): Promise<{ kid: string; privateJwk: JWK }> {
  const [, [row]] = await Promise.all([query(lockShared, []), query(findActive, [])])
  if (!row) throw new NoKeyYet()
  return { kid: row.kid, privateJwk: JSON.parse(keyring.open(purpose(row.kid), row.private_sealed)) as JWK }
}

/** Why the active key cannot be opened; null if it can, or if there is none yet. */
export async function signingKeyFault(query: Query, keyring: Keyring): Promise<string | null> {
  const [row] = await query(findActive, [])
  if (!row) return null
  try {
    keyring.open(purpose(row.kid), row.private_sealed)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** Runs at the start and every hour, sooner after a failure. Several processes may run it; a lock makes them take turns. */
export function startKeyMaintenance(context: KeyContext & { log: Log }): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const maintain = async (): Promise<void> => {
    const isDone = await ensureKeys(context).then(
      () => true,
      error => {
        context.log.warn({ err: error }, 'maintenance of signing keys failed; it is retried')
        return false
      },
    )
    if (isStopped) return
    timer = setTimeout(
      () => {
        running = maintain()
      },
      isDone ? hour : 5_000,
    )
  }
  let running = maintain()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
