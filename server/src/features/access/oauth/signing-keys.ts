import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import { type Clock, iso } from '../../../kit/clock.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import { type Ask, asking, together } from '../../../kit/db/plain.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Log } from '../../../kit/log.ts'

export const algorithm = 'RS256'

const hour = 3_600_000
/** How long a key signs. Its successor has been published all that time. */
const activeForMs = 30 * 24 * hour
/** Tokens live an hour: a retired key is shown a little longer than the last of them. */
const shownAfterMs = 2 * hour

const purpose = (kid: string) => `signing key ${kid}`

// Whoever changes keys is alone with them; whoever signs keeps the one it signs with from being retired until it has committed.
const alone = sql('oauth.lock-signing-keys', 'select pg_advisory_xact_lock(1919710052, 0)')
const beside = sql('oauth.share-signing-keys', 'select pg_advisory_xact_lock_shared(1919710052, 0)')
const findAll = sql('oauth.list-signing-keys', 'select state, activated_at from signing_keys').as<{
  state: 'next' | 'active' | 'retired'
  activated_at: number | null
}>()
const retire = sql(
  'oauth.retire-signing-key',
  `update signing_keys set state = 'retired', retired_at = $1 where state = 'active'`,
)
const discardAll = sql(
  'oauth.retire-all-signing-keys',
  `update signing_keys set state = 'retired', retired_at = $1`,
)
const activate = sql(
  'oauth.activate-signing-key',
  `update signing_keys set state = 'active', activated_at = $1 where state = 'next'`,
)
const insert = sql(
  'oauth.insert-signing-key',
  `insert into signing_keys (kid, state, public_jwk, private_sealed, created_at, activated_at) values ($1, $2, $3, $4, $5, $6)`,
)
const findShown = sql(
  'oauth.list-published-keys',
  `select public_jwk from signing_keys where state <> 'retired' or retired_at > $1 order by created_at desc`,
).as<{ public_jwk: JWK }>()
// Not with the next one: nothing is signed with it yet.
const findSigner = sql(
  'oauth.find-verification-key',
  `select public_jwk from signing_keys where kid = $1 and (state = 'active' or retired_at > $2)`,
).as<{ public_jwk: JWK }>()
const findActive = sql(
  'oauth.find-active-key',
  `select kid, private_sealed from signing_keys where state = 'active'`,
)

export interface Keys {
  pool: Pool
  keyring: Keyring
  clock: Clock
}

interface Pair {
  kid: string
  publicJwk: JWK
  privateJwk: JWK
}

async function newPair(): Promise<Pair> {
  const pair = await generateKeyPair(algorithm, { modulusLength: 2048, extractable: true })
  const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)])
  return { kid: await calculateJwkThumbprint(publicJwk), publicJwk, privateJwk }
}

const keep = (ask: Ask, { keyring }: Keys, pair: Pair, state: 'next' | 'active', wall: number) =>
  ask(insert, [
    pair.kid,
    state,
    JSON.stringify({ ...pair.publicJwk, kid: pair.kid, alg: algorithm, use: 'sig' }),
    keyring.seal(purpose(pair.kid), JSON.stringify(pair.privateJwk)),
    iso(wall),
    state === 'active' ? iso(wall) : null,
  ])

const isOld = (activatedAt: number | null, wall: number) => (activatedAt ?? 0) <= wall - activeForMs

/** One key that signs and one that will, whatever was there; the first is changed when it is old, or when it is asked for. */
async function arrange(keys: Keys, asked: 'if old' | 'change' | 'discard'): Promise<void> {
  // Made before anybody has to wait for it.
  const spare = await Promise.all([newPair(), newPair()])
  await together(keys.pool, async ask => {
    await ask(alone, [])
    const wall = keys.clock.wall()
    // As if they had retired long ago: nothing is verified with them, nobody is shown them, and they are purged.
    if (asked === 'discard') await ask(discardAll, [iso(0)])
    const known = await ask(findAll, [])
    const active = known.find(key => key.state === 'active')
    let hasNext = known.some(key => key.state === 'next')
    if (!active || asked === 'change' || isOld(active.activated_at, wall)) {
      await ask(retire, [iso(wall)])
      if (hasNext) await ask(activate, [iso(wall)])
      else await keep(ask, keys, spare[0]!, 'active', wall)
      hasNext = false
    }
    if (!hasNext) await keep(ask, keys, spare[1]!, 'next', wall)
  })
}

/** The successor, published long before, takes over; a new successor is published. Tokens in flight stay good. */
export const rotateKeys = (keys: Keys): Promise<void> => arrange(keys, 'change')

/** For keys in wrong hands: none there was verifies a token any more, the published successor included; two new ones take over. */
export const discardKeys = (keys: Keys): Promise<void> => arrange(keys, 'discard')

const arranging = new WeakMap<Pool, Promise<void>>()

/** Keys are made when there are none, and changed when they are old. */
export async function keepKeys(keys: Keys): Promise<void> {
  const known = await asking(keys.pool)(findAll, [])
  const active = known.find(key => key.state === 'active')
  const isFine = active && known.some(key => key.state === 'next')
  if (isFine && !isOld(active.activated_at, keys.clock.wall())) return
  const underWay = arranging.get(keys.pool) ?? arrange(keys, 'if old')
  arranging.set(keys.pool, underWay)
  await underWay.finally(() => arranging.delete(keys.pool))
}

/** The first moment of an installation: nobody has made a key yet. */
class NoKeyYet extends Error {}

/** Does what needs a key, and makes the first ones for it if there are none. */
export async function withKeys<T>(keys: Keys, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof NoKeyYet)) throw error
    await keepKeys(keys)
    return work()
  }
}

/** What anybody may check tokens with, the one that will sign next included. */
export async function shownKeys({ pool, clock }: Pick<Keys, 'pool' | 'clock'>): Promise<JWK[]> {
  const rows = await asking(pool)(findShown, [iso(clock.wall() - shownAfterMs)])
  if (rows.length === 0) throw new NoKeyYet()
  return rows.map(row => row.public_jwk)
}

/** The key of that name, if a living token can have been signed with it. */
export async function signerNamed(
  { pool, clock }: Pick<Keys, 'pool' | 'clock'>,
  kid: string,
): Promise<JWK | null> {
  // A name is a thumbprint (RFC 7638): anything else is none of ours, and no question to the database.
  if (!/^[\w-]{43}$/.test(kid)) return null
  const [row] = await asking(pool)(findSigner, [kid, iso(clock.wall() - shownAfterMs)])
  return row?.public_jwk ?? null
}

/** The key that signs at this moment, and until the transaction that issues is over. */
export async function activeKey(ask: Ask, keyring: Keyring): Promise<{ kid: string; privateJwk: JWK }> {
  const [, [row]] = await Promise.all([ask(beside, []), ask(findActive, [])])
  if (!row) throw new NoKeyYet()
  return { kid: row.kid, privateJwk: JSON.parse(keyring.open(purpose(row.kid), row.private_sealed)) as JWK }
}

/** At the start and every hour, sooner after a failure; several processes may try, and one at a time does. */
export function startKeyKeeping(site: Keys & { log: Log }): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const keepOn = async (): Promise<void> => {
    const isDone = await keepKeys(site).then(
      () => true,
      error => {
        site.log.warn({ err: error }, 'signing keys not looked after')
        return false
      },
    )
    if (isStopped) return
    timer = setTimeout(
      () => {
        running = keepOn()
      },
      isDone ? hour : 5_000,
    )
  }
  let running = keepOn()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
