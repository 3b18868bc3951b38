import { randomUUIDv7 } from 'node:crypto'
import { expect, it } from 'vitest'
import { keyCalls, refusal } from '../../../../test/harness/keys.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation()
const keys = keyCalls(installation)

interface AuditEvent {
  type: string
  data: Record<string, unknown>
  actor: { kind: string; id: string }
}
const auditEventsOf = (id: string) =>
  installation.sql<AuditEvent>('select type, data, actor from audit_log where subject_id = $1 order by id', [
    id,
  ])

it('rotating gives a new key with a new id and the same settings; the old one is dead and stays in the list', async () => {
  const old = await keys.newKey({
    name: 'Till',
    scopes: ['webhooks:manage', 'invoices:read'],
    ipWhitelist: ['127.0.0.0/8', '2001:db8::/48'],
    expiresAt: '2099-01-01T00:00:00Z',
  })
  expect(await keys.tryKey(old.apiKey)).toBe(200)
  const answer = await keys.rotate(old.id)
  expect(answer.status, answer.text).toBe(200)
  const fresh = answer.body.data
  expect((answer.body as { message?: string }).message).toMatch(/old key works no more/)
  expect(fresh).toEqual({
    ...old,
    id: fresh.id,
    apiKey: fresh.apiKey,
    prefix: fresh.prefix,
    createdAt: fresh.createdAt,
  })
  for (const name of ['id', 'apiKey', 'prefix'] as const) expect(fresh[name]).not.toBe(old[name])
  expect([await keys.tryKey(old.apiKey), await keys.tryKey(fresh.apiKey)]).toEqual(['AUTH_002', 200])
  const [first, second] = await keys.list()
  expect([first, second]).toMatchObject([
    { id: fresh.id, prefix: fresh.prefix, enabled: true },
    { id: old.id, prefix: old.prefix, enabled: false },
  ])
})

it('deleting deactivates softly, and again answers the same', async () => {
  const { id, apiKey } = await keys.newKey()
  expect(await keys.tryKey(apiKey)).toBe(200)
  for (let i = 0; i < 3; i++) {
    const answer = await keys.remove(id)
    expect([answer.status, answer.text]).toEqual([204, ''])
  }
  expect(await keys.tryKey(apiKey)).toBe('AUTH_002')
  expect((await keys.list()).find(key => key.id === id)).toMatchObject({ enabled: false })
})

it('the list has masked keys and never a whole one, the newest first, by page and by cursor', async () => {
  const made = [await keys.newKey(), await keys.newKey(), await keys.newKey()]
  const answer = await installation.call<{ id: string; prefix: string }[]>('GET', '/api/v1/api-keys?limit=2')
  expect(answer.body.data.map(key => key.id)).toEqual([made[2]!.id, made[1]!.id])
  expect(answer.body.pagination).toMatchObject({ page: 1, limit: 2, hasNext: true, hasPrev: false })
  for (const { apiKey, prefix } of made) {
    expect(answer.text).not.toContain(apiKey.slice(12, -4))
    expect(prefix).toBe(`${apiKey.slice(0, 12)}…${apiKey.slice(-4)}`)
  }
  const next = /^<([^>]+)>/.exec(answer.headers.get('link')!)![1]!
  expect((await installation.call<{ id: string }[]>('GET', next)).body.data[0]!.id).toBe(made[0]!.id)
})

it('a deactivated key and an expired one are not rotated, but replaced by creating', async () => {
  const { id } = await keys.newKey()
  await keys.remove(id)
  const answer = await keys.rotate(id)
  expect(refusal(answer)).toEqual([409, 'RES_003'])
  expect(answer.body.error.message).toBe('This key is deactivated; create a new one.')
  const expiring = await keys.newKey({ expiresAt: '2099-01-01T00:00:00Z' })
  await installation.sql(`update api_keys set expires_at = '2020-01-01T00:00:00Z' where id = $1`, [
    expiring.id,
  ])
  expect(refusal(await keys.rotate(expiring.id))).toEqual([409, 'RES_003'])
  expect((await keys.list()).filter(key => key.name === expiring.name && key.expiresAt)).toHaveLength(1)
})

it('of many rotations of one key at once exactly one succeeds, and one key is left', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await keys.newKey({ name: `Contended ${round}` })
    const answers = await Promise.all(Array.from({ length: 8 }, () => keys.rotate(id)))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, ...Array(7).fill(409)])
    const left = (await keys.list()).filter(key => key.name === `Contended ${round}`)
    expect(left.map(key => key.enabled)).toEqual([true, false])
    const { apiKey } = answers.find(answer => answer.status === 200)!.body.data
    expect(await keys.tryKey(apiKey)).toBe(200)
  }
})

it('of a rotation and a deletion at once no key is left, or the new one alone', async () => {
  for (let round = 0; round < 10; round++) {
    const { id, apiKey } = await keys.newKey({ name: `Torn ${round}` })
    const [rotation, deletion] = await Promise.all([keys.rotate(id), keys.remove(id)])
    expect(deletion.status).toBe(204)
    expect([200, 409]).toContain(rotation.status)
    const left = (await keys.list()).filter(key => key.name === `Torn ${round}` && key.enabled)
    expect(left).toHaveLength(rotation.status === 200 ? 1 : 0)
    expect(await keys.tryKey(apiKey)).toBe('AUTH_002')
  }
})

it('a key may rotate itself, and delete itself', async () => {
  const { id, apiKey } = await keys.newKey()
  const fresh = (await keys.rotate(id, { key: apiKey })).body.data
  expect([await keys.tryKey(apiKey), await keys.tryKey(fresh.apiKey)]).toEqual(['AUTH_002', 200])
  expect((await keys.remove(fresh.id, { key: fresh.apiKey })).status).toBe(204)
  expect(await keys.tryKey(fresh.apiKey)).toBe('AUTH_002')
})

it('an unknown id is RES_001, and a deletion of it changes nothing', async () => {
  expect(refusal(await keys.rotate(randomUUIDv7()))).toEqual([404, 'RES_001'])
  expect(refusal(await keys.remove(randomUUIDv7()))).toEqual([404, 'RES_001'])
})

it('what was done with keys is written down once, with who did it, and without a secret', async () => {
  const { id: caller } = (await keys.list()).at(-1)!
  const old = await keys.newKey({ name: 'Watched', scopes: ['webhooks:manage'], ipWhitelist: ['192.0.2.7'] })
  const fresh = (await keys.rotate(old.id)).body.data
  await keys.rotate(old.id)
  await keys.remove(old.id)
  await keys.remove(fresh.id)
  await keys.remove(fresh.id)
  const settingsOf = ({ id, prefix }: { id: string; prefix: string }) => ({
    id,
    prefix,
    name: 'Watched',
    scopes: ['webhooks:manage'],
    ipWhitelist: ['192.0.2.7'],
    expiresAt: null,
  })
  const actor = { kind: 'api_key', id: caller }
  expect(await auditEventsOf(old.id)).toEqual([
    { type: 'api_key.created', actor, data: settingsOf(old) },
    { type: 'api_key.rotated', actor, data: { ...settingsOf(old), replacedBy: fresh.id } },
  ])
  expect(await auditEventsOf(fresh.id)).toEqual([
    { type: 'api_key.created', actor, data: settingsOf(fresh) },
    { type: 'api_key.deleted', actor, data: settingsOf(fresh) },
  ])
})
