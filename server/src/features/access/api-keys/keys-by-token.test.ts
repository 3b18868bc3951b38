import { beforeAll, describe, expect, it } from 'vitest'
import { type ListedKey, type NewKey, refusal } from '../../../../test/harness/keys.ts'
import { type NewClient, ownAddresses, randomAddress, tokenCalls } from '../../../../test/harness/tokens.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import type { Scope } from '../../../kit/actor.ts'
import { scopes } from '../scopes.ts'

const installation = useInstallation({ hasWorker: false, env: ownAddresses })
const oauth = tokenCalls(installation)

let client: NewClient
beforeAll(async () => {
  client = await oauth.client()
})

const path = '/api/v1/api-keys'
const create = (token: string, body: Record<string, unknown> = {}) =>
  oauth.call<NewKey>('POST', path, { name: 'By a token', ...body }, { token })

describe('a token makes keys as a key does:', () => {
  it('by default with its own scopes, without an end and for every address', async () => {
    const granted: Scope[] = ['invoices:read', 'webhooks:manage']
    const answer = await create(await oauth.tokenOf(client, granted))
    expect(answer.status, answer.text).toBe(201)
    expect(answer.body.data).toMatchObject({ scopes: granted, ipWhitelist: [], expiresAt: null })
    expect(await oauth.tryCredential({ key: answer.body.data.apiKey })).toBe('AUTH_004')
    const list = await oauth.call('GET', '/api/v1/invoices', undefined, { key: answer.body.data.apiKey })
    expect(list.status).toBe(200)
    const [auditEvent] = await installation.sql<{ actor: unknown }>(
      'select actor from audit_log where subject_id = $1',
      [answer.body.data.id],
    )
    expect(auditEvent!.actor).toEqual({ kind: 'oauth_client', id: client.clientId })
  })

  it('with no scope it has not, nor rotates or deletes one that can do more', async () => {
    const token = await oauth.tokenOf(client, ['webhooks:manage'])
    expect(refusal(await create(token, { scopes: ['invoices:read'] }))).toEqual([403, 'AUTH_004'])
    const mighty = (await oauth.call<NewKey>('POST', path, { name: 'Mighty' })).body.data
    for (const [method, at] of [
      ['POST', `${path}/${mighty.id}/rotate`],
      ['DELETE', `${path}/${mighty.id}`],
    ] as const)
      expect(refusal(await oauth.call(method, at, undefined, { token }))).toEqual([403, 'AUTH_004'])
  })

  it('rotates and deletes what it could have made', async () => {
    const token = await oauth.tokenOf(client)
    const { id } = (await create(token)).body.data
    const rotated = await oauth.call<NewKey>('POST', `${path}/${id}/rotate`, undefined, { token })
    expect(rotated.status, rotated.text).toBe(200)
    const at = `${path}/${rotated.body.data.id}`
    expect((await oauth.call('DELETE', at, undefined, { token })).status).toBe(204)
    const list = await oauth.call<ListedKey[]>('GET', path, undefined, { token })
    expect(list.body.data.filter(key => [id, rotated.body.data.id].includes(key.id))).toMatchObject([
      { enabled: false },
      { enabled: false },
    ])
  })

  it('for a person as far as the role goes', async () => {
    const developer = await oauth.member('developer', { client })
    expect(refusal(await create(developer.accessToken, { scopes: ['invoices:write'] }))).toEqual([
      403,
      'AUTH_004',
    ])
    const made = await create(developer.accessToken)
    expect(made.body.data.scopes).toEqual(
      scopes.filter(scope => /:read$/.test(scope) || scope === 'webhooks:manage'),
    )
    const manager = await oauth.member('manager', { client })
    expect(refusal(await create(manager.accessToken))).toEqual([403, 'AUTH_004'])
  })
})

describe('what a token gave out while it was being withdrawn is in the list by then, or was never given:', () => {
  const inList = async (name: string) =>
    (await oauth.call<ListedKey[]>('GET', path)).body.data.filter(key => key.name === name)

  it.each(['client', 'member', 'consent'] as const)('by its %s', async what => {
    let given = 0
    const owner = await oauth.person()
    await oauth.addMember(owner.id, 'owner')
    for (let round = 0; round < 15; round++) {
      const app = await oauth.client()
      // A developer makes keys as well, and is removed by a key, which an owner is not.
      const { accessToken: token, refreshToken, personId } = await oauth.member('developer', { client: app })
      const name = `Offspring of ${what} ${round}`
      const asked = Array.from({ length: 4 }, () => create(token, { name }))
      const withdrawn = {
        client: () => oauth.remove(app.clientId),
        member: () => oauth.call('DELETE', `/api/v1/members/${personId}`),
        consent: () =>
          fetch(`${installation.server.baseUrl}/api/oauth/revoke`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-forwarded-for': randomAddress() },
            body: JSON.stringify({ token: refreshToken }),
          }),
      }
      // Each time a little later, so that some are withdrawn before and some after.
      await new Promise(resolve => setTimeout(resolve, 3 * round))
      expect((await withdrawn[what]()).status).toBeLessThan(300)
      const seen = (await inList(name)).map(key => key.id)
      for (const answer of await Promise.all(asked))
        if (answer.status === 201) {
          given++
          expect(seen).toContain(answer.body.data.id)
        } else expect(['AUTH_002', 'AUTH_004', 'RES_004']).toContain(answer.body.error.code)
      for (const id of seen) await oauth.call('DELETE', `${path}/${id}`)
      if (what !== 'client') await oauth.remove(app.clientId)
    }
    // Otherwise the race was never run.
    expect(given).toBeGreaterThan(0)
  })
})
