import { expect, it } from 'vitest'
import { keyCalls, refusal } from '../../../../test/harness/keys.ts'
import {
  type ListedClient,
  type NewClient,
  ownAddresses,
  tokenCalls,
} from '../../../../test/harness/tokens.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ hasWorker: false, env: ownAddresses })
const keys = keyCalls(installation)
const oauth = tokenCalls(installation)

const tokenError = async (fields: Record<string, string>) => {
  const { status, body } = await oauth.requestToken(fields)
  return [status, body.error]
}
const withSecret = ({ clientId }: NewClient, secret: string) =>
  tokenError({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret })

const auditEventsOf = (clientId: string) =>
  installation.sql<{ type: string; data: Record<string, unknown> }>(
    `select type, data from audit_log where data->>'clientId' = $1 order by id`,
    [clientId],
  )

it('only the fields sent change, and the audit says which', async () => {
  const { clientSecret: _, ...before } = await oauth.client()
  const changed = await oauth.update(before.clientId, { name: 'Comptoir 2' })
  expect(changed.body.data).toEqual({ ...before, name: 'Comptoir 2' })
  const redirectUris = ['com.example.app:/cb']
  expect((await oauth.update(before.clientId, { redirectUris })).body.data.redirectUris).toEqual(redirectUris)
  const read = await oauth.call<ListedClient>('GET', `/api/v1/oauth-clients/${before.clientId}`)
  expect(read.body.data).toEqual({ ...before, name: 'Comptoir 2', redirectUris })
  await oauth.update(before.clientId, { name: 'Comptoir 2' })
  expect(await auditEventsOf(before.clientId)).toMatchObject([
    { type: 'oauth_client.created', data: { name: 'An application' } },
    { type: 'oauth_client.updated', data: { name: 'Comptoir 2', changed: ['name'] } },
    { type: 'oauth_client.updated', data: { changed: ['redirectUris'], redirectUris } },
  ])
})

it.each([
  ['nothing', {}, ''],
  ['an address too few for the code flow', { redirectUris: [] }, 'redirectUris'],
  ['a refresh token of nothing', { grantTypes: ['refresh_token'] }, 'grantTypes'],
  ['the environment', { environment: 'sandbox' }, 'environment'],
  ['whether it is enabled', { enabled: false }, 'enabled'],
])('%s is refused', async (_, body, field) => {
  const { clientId } = await oauth.client()
  const answer = await oauth.update(clientId, body)
  expect(refusal(answer)).toEqual([400, 'VAL_001'])
  expect(answer.body.error.details?.[0]?.field ?? '').toBe(field)
})

it('a scope that is taken away is gone at once from living tokens, of the application and of people', async () => {
  const client = await oauth.client()
  const token = await oauth.tokenOf(client)
  const { accessToken } = await oauth.member('owner', { client })
  const list = (credential: string, noun: string) =>
    oauth.call('GET', `/api/v1/${noun}`, undefined, { token: credential })
  for (const credential of [token, accessToken]) {
    expect((await list(credential, 'invoices')).status).toBe(200)
    expect((await list(credential, 'debtors')).status).toBe(200)
  }
  await oauth.update(client.clientId, { scopes: ['debtors:read'] })
  for (const credential of [token, accessToken]) {
    expect(refusal(await list(credential, 'invoices'))).toEqual([403, 'AUTH_004'])
    expect((await list(credential, 'debtors')).status).toBe(200)
  }
  // A scope that comes back is had by what was given while it was there, and by nothing narrower.
  const narrow = await oauth.tokenOf(client, ['debtors:read'])
  await oauth.update(client.clientId, { scopes: ['debtors:read', 'invoices:read'] })
  expect((await list(token, 'invoices')).status).toBe(200)
  expect(refusal(await list(narrow, 'invoices'))).toEqual([403, 'AUTH_004'])
})

it('nobody widens a client beyond what they can do, nor touches one that can do more', async () => {
  const { apiKey: key } = await keys.newKey({ scopes: ['webhooks:manage', 'invoices:read'] })
  const small = await oauth.client({ scopes: ['invoices:read'] })
  const wider = await oauth.update(small.clientId, { scopes: ['invoices:read', 'invoices:write'] }, { key })
  expect(refusal(wider)).toEqual([403, 'AUTH_004'])
  expect(wider.body.error.requiredScopes).toEqual(['invoices:read', 'invoices:write', 'webhooks:manage'])
  expect((await oauth.update(small.clientId, { name: 'Ours' }, { key })).status).toBe(200)
  const mighty = await oauth.client()
  for (const answer of [
    await oauth.update(mighty.clientId, { scopes: ['invoices:read'] }, { key }),
    await oauth.rotate(mighty.clientId, { key }),
    await oauth.remove(mighty.clientId, { key }),
  ])
    expect(refusal(answer)).toEqual([403, 'AUTH_004'])
  expect(await withSecret(mighty, mighty.clientSecret)).toEqual([200, undefined])
})

it('a grant type that is taken away gives no token any more', async () => {
  const client = await oauth.client()
  await oauth.update(client.clientId, { grantTypes: ['authorization_code'] })
  expect(await withSecret(client, client.clientSecret)).toEqual([400, 'unauthorized_client'])
})

it('a rotated secret works, the one before is dead at once, and the client stays what it was', async () => {
  const client = await oauth.client()
  const { clientSecret, ...rest } = (await oauth.rotate(client.clientId)).body.data
  expect({ ...rest, clientSecret: client.clientSecret }).toEqual(client)
  expect(clientSecret).toMatch(/^ocs_e1[0-9A-Za-z]{43}$/)
  expect(await withSecret(client, client.clientSecret)).toEqual([401, 'invalid_client'])
  expect(await withSecret(client, clientSecret)).toEqual([200, undefined])
  const auditEvents = await auditEventsOf(client.clientId)
  expect(auditEvents.at(-1)!.type).toBe('oauth_client.secret_rotated')
  expect(JSON.stringify(auditEvents)).not.toContain('ocs_')
})

it('of two rotations at once one secret is left, and it is the one in the later answer', async () => {
  const client = await oauth.client()
  const secrets = (await Promise.all([oauth.rotate(client.clientId), oauth.rotate(client.clientId)])).map(
    answer => answer.body.data.clientSecret,
  )
  const outcomes = await Promise.all(secrets.map(async secret => (await withSecret(client, secret))[0]))
  expect(outcomes.sort()).toEqual([200, 401])
})

it('deleting switches a client off with its tokens and consents, and again answers the same', async () => {
  const client = await oauth.client()
  const token = await oauth.tokenOf(client)
  const { accessToken, refreshToken, grantId } = await oauth.member('owner', { client })
  expect((await oauth.remove(client.clientId)).status).toBe(204)
  expect((await oauth.remove(client.clientId)).status).toBe(204)
  expect(await oauth.tryCredential({ token })).toBe('AUTH_002')
  expect(await oauth.tryCredential({ token: accessToken })).toBe('AUTH_002')
  expect(await withSecret(client, client.clientSecret)).toEqual([401, 'invalid_client'])
  const refresh = { grant_type: 'refresh_token', client_id: client.clientId, refresh_token: refreshToken }
  expect((await tokenError(refresh))[0]).toBe(401)
  expect(await installation.sql('select revoked_because from oauth_grants where id = $1', [grantId])).toEqual(
    [{ revoked_because: 'client' }],
  )
  const read = await oauth.call<ListedClient>('GET', `/api/v1/oauth-clients/${client.clientId}`)
  expect(read.body.data.enabled).toBe(false)
  for (const answer of [
    await oauth.update(client.clientId, { name: 'Again' }),
    await oauth.rotate(client.clientId),
  ])
    expect(refusal(answer)).toEqual([409, 'RES_003'])
  expect((await auditEventsOf(client.clientId)).map(event => event.type)).toEqual([
    'oauth_client.created',
    'oauth_client.deleted',
  ])
})

it('a client may delete itself', async () => {
  const client = await oauth.client()
  const token = await oauth.tokenOf(client)
  expect((await oauth.remove(client.clientId, { token })).status).toBe(204)
  expect(await oauth.tryCredential({ token })).toBe('AUTH_002')
})

it('a client with thousands of consents is deleted all the same, and deleting again ends the rest of them', async () => {
  const client = await oauth.client()
  const { id } = await oauth.person()
  await installation.sql(
    `insert into oauth_grants (id, client_id, person_id, environment, scopes, company_ids, created_at, auth_time)
     select md5('crowd' || i)::uuid, $1, $2, 'production', '{invoices:read}', array[$3::uuid], $4, $4 from generate_series(1, 7000) i`,
    [client.clientId, id, installation.company.companyId, new Date().toISOString()],
  )
  const living = async () =>
    (
      await installation.sql('select 1 from oauth_grants where client_id = $1 and revoked_at is null', [
        client.clientId,
      ])
    ).length
  expect((await oauth.remove(client.clientId)).status).toBe(204)
  expect(await living()).toBe(2_000)
  expect((await oauth.remove(client.clientId)).status).toBe(204)
  expect(await living()).toBe(0)
})
