import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type Installation, startInstallation } from '../../../../dev/installation.ts'
import { inheritedEnv } from '../../../../dev/relance-args.ts'
import {
  activeKey,
  ensureKeys,
  type KeyContext,
  rotateKeys,
} from '../../../../src/features/access/oauth/signing-keys.ts'
import { runChild } from '../../../../src/kit/child-process.ts'
import { systemClock } from '../../../../src/kit/clock.ts'
import { keyring } from '../../../../src/kit/crypto.ts'
import { createPool } from '../../../../src/kit/db/pool.ts'
import { inTransaction } from '../../../../src/kit/db/query.ts'
import { type OAuthServer, ownToken, send, useToken } from './oauth-calls.ts'
import { useOAuthFixture } from './use-oauth-fixture.ts'

const first = useOAuthFixture()
let second: OAuthServer
let secondServer: Installation
/** Two more, that change keys and do nothing else. */
let keyManagers: KeyContext[]
beforeAll(async () => {
  const { installation } = first
  const ring = installation.server.config.KEYRING!
  secondServer = await startInstallation({
    database: installation.database,
    redisUrl: inject('redisUrl') || undefined,
    hasWorker: false,
    logLevel: 'silent',
    env: { KEYRING: ring, PUBLIC_URL: first.issuer, TRUSTED_PROXIES: '127.0.0.1' },
  })
  second = { url: secondServer.baseUrl, issuer: first.issuer, sql: first.sql }
  const url = installation.database.env.API_DATABASE_URL
  keyManagers = [1, 2].map(() => ({
    pool: createPool({ url, role: 'keeper', max: 4, statementTimeoutMs: 5_000 }),
    keyring: keyring(ring),
    clock: systemClock,
  }))
})
afterAll(async () => {
  await Promise.all(keyManagers.map(keyManager => keyManager.pool.end()))
  await secondServer?.stop()
})

interface KeyRow {
  kid: string
  state: 'next' | 'active' | 'retired'
  private_sealed: string
  activated_at: Date | null
  retired_at: Date | null
}
const keysNow = () => first.sql<KeyRow>('select * from signing_keys order by created_at')
const inState = async (state: string) =>
  (await keysNow()).filter(key => key.state === state).map(key => key.kid)
const published = async (server: OAuthServer = first) =>
  (await send(server, 'GET', '/.well-known/jwks.json')).json as unknown as JSONWebKeySet
const kidsOf = ({ keys }: JSONWebKeySet) => keys.map(key => key.kid!).sort()

it('the first tokens of an installation wait for its first keys, however many ask, and one pair is made', async () => {
  await first.sql('delete from signing_keys')
  const asked = Array.from({ length: 8 }, (_, i) => ownToken([first, second][i % 2]!, first.app))
  const kids = (await Promise.all(asked)).map(token => decodeProtectedHeader(token).kid)
  expect(new Set(kids).size).toBe(1)
  expect((await keysNow()).map(key => key.state).sort()).toEqual(['active', 'next'])
})

it('the key set is there from the first moment too', async () => {
  await first.sql('delete from signing_keys')
  expect((await published()).keys).toHaveLength(2)
})

it('tokens in flight: no valid one is refused by either process while keys are changed five times', async () => {
  const issued: { kid: string; from: number; to: number }[] = []
  const refused: unknown[] = []
  let isOver = false
  const customer = async (n: number) => {
    for (let i = n; !isOver; i++) {
      const [here, there] = i % 2 === 0 ? [first, second] : [second, first]
      const from = Date.now()
      const token = await ownToken(here!, first.app)
      issued.push({ kid: decodeProtectedHeader(token).kid!, from, to: Date.now() })
      for (const server of [there!, here!]) {
        const reply = await useToken(server, token)
        if (reply.status !== 200) refused.push({ status: reply.status, text: reply.text })
      }
      await jwtVerify(token, createLocalJWKSet(await published(there))).catch(error => refused.push(error))
    }
  }
  const customers = [0, 1, 2].map(customer)
  for (let i = 0; i < 5; i++) {
    await pause(150)
    await rotateKeys(keyManagers[i % 2]!)
  }
  await pause(150)
  isOver = true
  await Promise.all(customers)
  expect(refused).toEqual([])
  const rows = new Map((await keysNow()).map(row => [row.kid, row]))
  for (const { kid, from, to } of issued) {
    const { activated_at, retired_at } = rows.get(kid)!
    expect(Number(activated_at)).toBeLessThanOrEqual(to)
    expect(Number(retired_at ?? Number.POSITIVE_INFINITY)).toBeGreaterThanOrEqual(from)
  }
  // All of them were used, so the changes met tokens under way.
  expect(new Set(issued.map(token => token.kid)).size).toBe(6)
})

it('a key is not retired under a transaction that signs with it', async () => {
  const [keyManager, other] = keyManagers as [KeyContext, KeyContext]
  let isRetired = false
  let rotating: Promise<void> | undefined
  const kid = await inTransaction(keyManager.pool, async query => {
    const signing = await activeKey(query, keyManager.keyring)
    rotating = rotateKeys(other).then(() => {
      isRetired = true
    })
    await pause(600)
    expect(isRetired).toBe(false)
    expect(await inState('active')).toEqual([signing.kid])
    return signing.kid
  })
  await rotating
  expect(await inState('active')).not.toContain(kid)
})

it('the key set shows what will sign, what signs, and what signed within two hours; private keys are sealed', async () => {
  await rotateKeys(keyManagers[0]!)
  const before = await keysNow()
  expect(kidsOf(await published())).toEqual(before.map(key => key.kid).sort())
  expect(kidsOf(await published(second))).toEqual(before.map(key => key.kid).sort())
  for (const key of before) expect(key.private_sealed).toMatch(/^k1\.[\w-]{1000,}$/)
  const old = before.find(key => key.state === 'retired')!
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
  await first.sql('update signing_keys set retired_at = $2 where kid = $1', [
    old.kid,
    ago(2 * 3_600_000 + 1_000),
  ])
  expect(kidsOf(await published())).not.toContain(old.kid)
  await first.sql('update signing_keys set retired_at = $2 where kid = $1', [
    old.kid,
    ago(2 * 3_600_000 - 60_000),
  ])
  expect(kidsOf(await published())).toContain(old.kid)
  await first.sql('update signing_keys set retired_at = $2 where kid = $1', [old.kid, ago(26 * 3_600_000)])
  await first.sql('select purge_identity($1, 1000)', [new Date().toISOString()])
  expect((await keysNow()).map(key => key.kid)).not.toContain(old.kid)
})

it('the one that was published takes over, and a new one is published in its place', async () => {
  const [next] = await inState('next')
  const [active] = await inState('active')
  await rotateKeys(keyManagers[0]!)
  expect(await inState('active')).toEqual([next])
  expect(await inState('retired')).toContain(active)
  expect(await inState('next')).toHaveLength(1)
})

it('a key of 30 days is changed once, however many processes look after it at that moment', async () => {
  const [next] = await inState('next')
  await first.sql(`update signing_keys set activated_at = $1 where state = 'active'`, [
    new Date(Date.now() - 30 * 86_400_000 - 1_000).toISOString(),
  ])
  await Promise.all(
    [...keyManagers, ...keyManagers, ...keyManagers].map(keyManager => ensureKeys(keyManager)),
  )
  expect(await inState('active')).toEqual([next])
})

it('a younger one is left alone', async () => {
  const before = await keysNow()
  await first.sql(`update signing_keys set activated_at = $1 where state = 'active'`, [
    new Date(Date.now() - 30 * 86_400_000 + 60_000).toISOString(),
  ])
  await Promise.all(keyManagers.map(keyManager => ensureKeys(keyManager)))
  expect((await keysNow()).map(key => [key.kid, key.state])).toEqual(before.map(key => [key.kid, key.state]))
})

it('a successor that was lost is made anew, and the key that signs stays', async () => {
  const active = await inState('active')
  await first.sql(`delete from signing_keys where state = 'next'`)
  await ensureKeys(keyManagers[0]!)
  expect(await inState('active')).toEqual(active)
  expect(await inState('next')).toHaveLength(1)
})

it('keys that got into wrong hands verify nothing any more, and are not shown: neither what signed nor what would have', async () => {
  const token = await ownToken(first, first.app)
  const before = (await keysNow()).map(key => key.kid)
  for (const server of [first, second]) expect((await useToken(server, token)).status).toBe(200)
  const { database, config } = { ...first.installation, ...first.installation.server }
  await runChild(
    process.execPath,
    [join(import.meta.dirname, '../../../../src/main.ts'), 'keys', 'rotate', '--discard-old'],
    { env: { ...inheritedEnv(), ...database.env, KEYRING: config.KEYRING! } },
  )
  expect(kidsOf(await published()).filter(kid => before.includes(kid))).toEqual([])
  expect((await published(second)).keys).toHaveLength(2)
  for (const server of [first, second]) expect((await useToken(server, token)).status).toBe(401)
  const fresh = await ownToken(second, first.app)
  expect(before).not.toContain(decodeProtectedHeader(fresh).kid)
  expect((await useToken(first, fresh)).status).toBe(200)
  await first.sql('select purge_identity($1, 1000)', [new Date().toISOString()])
  expect((await keysNow()).map(key => key.kid).filter(kid => before.includes(kid))).toEqual([])
})
