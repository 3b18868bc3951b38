import { expect, it } from 'vitest'
import { invoiceInput, useHouse } from '../../../../test/harness/house.ts'
import { keyCalls } from '../../../../test/harness/keys.ts'
import { ownAddresses, tokenCalls } from '../../../../test/harness/tokens.ts'
import type { CreatedCompany } from '../companies/create-company.ts'

const house = useHouse({ env: ownAddresses })
const keys = keyCalls(house)
const oauth = tokenCalls(house)

interface Act {
  id: string
  type: string
  at: string
  actor: { kind: string; id: string; onBehalfOf?: string }
  requestId: string | null
  subjectId: string
  data: Record<string, unknown>
}

const newCompany = (): Promise<CreatedCompany> =>
  house.installation.createCompany({
    name: 'Une maison',
    ownerEmail: 'une@maison.example',
    tier: 'enterprise',
    requestsPerMinute: 1_000_000,
    inFlight: 10_000,
  })
const list = async (key: string, query = '') => {
  const answer = await oauth.call<Act[]>('GET', `/api/v1/security-events${query}`, undefined, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer
}

it('what was done to credentials and members is listed with who did it, the newest first', async () => {
  const { productionKey: key, companyId } = await newCompany()
  const headers = { 'x-request-id': 'my-trace-1' }
  const made = (await keys.create({ name: 'Told' }, { key, headers })).body.data
  const client = await oauth.client({}, { key })
  const owner = await oauth.member('owner', { client, companyIds: [companyId] })
  const { id: personId } = await oauth.person()
  await oauth.join(personId, 'viewer', companyId)
  await oauth.call('PUT', `/api/v1/members/${personId}`, { role: 'agent' }, { token: owner.accessToken })
  // What happens to invoices is told elsewhere.
  await oauth.call('POST', '/api/v1/invoices', invoiceInput(), { key })
  const { data } = (await list(key)).body
  expect(data.map(act => act.type)).toEqual([
    'member.role_changed',
    'oauth_client.created',
    'api_key.created',
  ])
  expect(data[0]).toMatchObject({
    actor: { kind: 'oauth_client', id: client.clientId, onBehalfOf: owner.personId },
    subjectId: personId,
    data: { personId, role: 'agent', before: 'viewer' },
  })
  expect(data[1]).toMatchObject({
    actor: { kind: 'api_key' },
    subjectId: client.clientId,
    data: { clientId: client.clientId },
  })
  expect(data[2]).toMatchObject({ requestId: 'my-trace-1', subjectId: made.id, data: { id: made.id } })
  for (const act of data) expect(Math.abs(Date.parse(act.at) - Date.now())).toBeLessThan(60_000)
})

it('no act of another company or of the other environment is seen, by page or by cursor', async () => {
  const { productionKey: key, sandboxKey } = await newCompany()
  for (let i = 0; i < 5; i++) {
    await keys.made({ name: `Key ${i}` }, { key })
    await keys.made({ name: 'Elsewhere' }, { key: sandboxKey })
    await keys.made({ name: 'Elsewhere' })
  }
  const names = (answer: Awaited<ReturnType<typeof list>>) => answer.body.data.map(act => act.data.name)
  expect(names(await list(key))).toEqual(['Key 4', 'Key 3', 'Key 2', 'Key 1', 'Key 0'])
  const first = await list(key, '?limit=2')
  expect(first.body.pagination).toMatchObject({ total: 5, totalPages: 3, hasNext: true })
  const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')![1]!
  expect(names(await list(key, next.slice(next.indexOf('?'))))).toEqual(['Key 2', 'Key 1'])
  expect(names(await list(key, '?limit=2&page=3'))).toEqual(['Key 0'])
})

it('a sandbox that is emptied keeps them, with the time of the wall whatever its clock says', async () => {
  const { sandboxKey: key } = await newCompany()
  await oauth.client({ name: 'Kept' }, { key })
  await oauth.call('POST', '/api/v1/sandbox/clock', { advance: 'P40D' }, { key })
  await keys.made({ name: 'Later' }, { key })
  await oauth.call('POST', '/api/v1/invoices', invoiceInput(), { key })
  expect((await oauth.call('POST', '/api/v1/sandbox/reset', undefined, { key })).status).toBeLessThan(300)
  const { data } = (await list(key)).body
  expect(data.map(act => act.type)).toEqual(['api_key.created', 'oauth_client.created'])
  for (const act of data) expect(Math.abs(Date.parse(act.at) - Date.now())).toBeLessThan(60_000)
})
