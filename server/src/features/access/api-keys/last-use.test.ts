import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { startInstallation } from '../../../../dev/installation.ts'
import { keyCalls } from '../../../../test/harness/keys.ts'
import { eventually, useInstallation } from '../../../../test/harness/use-installation.ts'
import { keyring } from '../../../kit/crypto.ts'
import { createPool, type Pool } from '../../../kit/db/pool.ts'
import { keyAuthentication } from './authenticate.ts'
import { startLastUseRecorder } from './last-use.ts'

const installation = useInstallation()
const keys = keyCalls(installation)
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const hours = 3_600_000

let pool: Pool
const poolAt = (url: string) => createPool({ url, role: 'test', max: 2, statementTimeoutMs: 1_000 })
beforeAll(() => {
  pool = poolAt(installation.database.env.API_DATABASE_URL)
})
afterAll(() => pool.end())

const stored = async (id: string) => {
  const [row] = await installation.sql<{ at: Date | null; xmin: string }>(
    'select last_used_at as at, xmin::text from api_keys where id = $1',
    [id],
  )
  return { at: row!.at?.getTime() ?? null, xmin: row!.xmin }
}

it('the list says when a key was last used, a few seconds later', async () => {
  const { id, apiKey } = await keys.newKey()
  const before = Date.now()
  expect(await keys.tryKey(apiKey)).toBe(200)
  const after = Date.now()
  const listed = await eventually(
    async () => (await keys.list()).find(key => key.id === id)!,
    key => key.lastUsedAt !== null,
  )
  expect(Date.parse(listed.lastUsedAt!)).toBeGreaterThanOrEqual(before)
  expect(Date.parse(listed.lastUsedAt!)).toBeLessThanOrEqual(after)
})

it('a key in constant use is written once a minute, not once a request', async () => {
  const { id } = await keys.newKey()
  const start = Date.now() - hours
  const write = async (...moments: number[]) => {
    const recorder = startLastUseRecorder(pool, quiet, hours)
    for (const at of moments) recorder.record(id, at)
    await recorder.stop()
    return stored(id)
  }
  const first = await write(start - 2, start - 1, start)
  expect(first.at).toBe(start)
  for (const later of [1, 30_000, 60_000]) expect(await write(start + later)).toEqual(first)
  const next = await write(start + 60_001)
  expect(next.at).toBe(start + 60_001)
  // Who comes late with an early use changes nothing.
  expect(await write(start)).toEqual(next)
})

it('several processes that saw the same keys write at once without waiting for each other', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, async () => (await keys.newKey()).id))
  const at = Date.now() - hours
  const processes = Array.from({ length: 6 }, () => startLastUseRecorder(pool, quiet, hours))
  for (const [turn, recorder] of processes.entries())
    for (const id of turn % 2 === 0 ? ids : ids.toReversed()) recorder.record(id, at)
  await Promise.all(processes.map(recorder => recorder.stop()))
  for (const id of ids) expect((await stored(id)).at).toBe(at)
})

it('when the database is away it is said in the log, nothing breaks, and it is written the next time', async () => {
  const { id } = await keys.newKey()
  const away = poolAt('postgres://nobody@127.0.0.1:1/none')
  const warnings: string[] = []
  let isAway = true
  const flaky = { query: (statement: never) => (isAway ? away : pool).query(statement) } as unknown as Pool
  const recorder = startLastUseRecorder(
    flaky,
    { ...quiet, warn: (_facts, message) => void warnings.push(message) },
    20,
  )
  const at = Date.now() - hours
  recorder.record(id, at)
  await eventually(
    () => warnings.length,
    count => count > 0,
  )
  isAway = false
  await eventually(
    async () => (await stored(id)).at,
    seen => seen === at,
  )
  await recorder.stop()
  await away.end()
  expect(warnings[0]).toBe('last use of keys could not be saved; it is retried')
})

it('a process that is told to stop writes down what it saw', async () => {
  const { id, apiKey } = await keys.newKey()
  const other = await startInstallation({
    database: installation.database,
    redisUrl: inject('redisUrl') || undefined,
    logLevel: 'silent',
    env: { KEYRING: installation.server.config.KEYRING! },
  })
  const response = await fetch(`${other.baseUrl}/api/v1/api-keys`, { headers: { 'x-api-key': apiKey } })
  expect(response.status).toBe(200)
  await other.stop()
  expect((await stored(id)).at).not.toBeNull()
})

it('a key that was tried and refused was not used', async () => {
  const recorder = startLastUseRecorder(pool, quiet, hours)
  const { authenticate, forget } = keyAuthentication(
    pool,
    keyring(installation.server.config.KEYRING!),
    recorder,
  )
  const enter = (key: string) => authenticate(key, '127.0.0.1', Date.now() - hours)
  const [used, elsewhere, revoked, known] = [
    await keys.newKey(),
    await keys.newKey({ ipWhitelist: ['192.0.2.7'] }),
    await keys.newKey(),
    await keys.newKey(),
  ]
  await enter(used.apiKey)
  await expect(enter(elsewhere.apiKey)).rejects.toMatchObject({ code: 'AUTH_005' })
  await keys.remove(revoked.id)
  await expect(enter(revoked.apiKey)).rejects.toMatchObject({ code: 'AUTH_002' })
  // Known here and revoked elsewhere: it gets as far as the transaction, which refuses it.
  forget((await enter(known.apiKey)).actor)
  await recorder.stop()
  expect((await stored(used.id)).at).not.toBeNull()
  for (const { id } of [elsewhere, revoked, known]) expect((await stored(id)).at).toBeNull()
})
