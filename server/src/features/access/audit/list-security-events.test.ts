import { expect, it } from 'vitest'
import { keyCalls } from '../../../../test/harness/keys.ts'
import { ownAddresses, tokenCalls } from '../../../../test/harness/tokens.ts'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'
import type { CreatedCompany } from '../companies/create-company.ts'

const installation = useInstallation({ env: ownAddresses })
const keys = keyCalls(installation)
const oauth = tokenCalls(installation)

interface AuditEvent {
  id: string
  type: string
  at: string
  actor: { kind: string; id: string; onBehalfOf?: string }
  requestId: string | null
  ip: string | null
  userAgent: string | null
  subjectId: string
  data: Record<string, unknown>
}

const newCompany = (): Promise<CreatedCompany> =>
  installation.server.createCompany({
    name: 'Une maison',
    ownerEmail: 'une@maison.example',
    tier: 'enterprise',
    requestsPerMinute: 1_000_000,
    inFlight: 10_000,
  })
const list = async (key: string, query = '') => {
  const answer = await oauth.call<AuditEvent[]>('GET', `/api/v1/security-events${query}`, undefined, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer
}

it('what was done to credentials and members is listed with who did it and from where, the newest first', async () => {
  const { productionKey: key, companyId } = await newCompany()
  const headers = {
    'x-request-id': 'my-trace-1',
    'x-forwarded-for': '192.0.2.9',
    'user-agent': 'Accounting/3.1',
  }
  const made = (await keys.create({ name: 'Told' }, { key, headers })).body.data
  const client = await oauth.client({}, { key })
  const owner = await oauth.member('owner', { client, companyIds: [companyId] })
  const { id: personId } = await oauth.person()
  await oauth.addMember(personId, 'viewer', companyId)
  await oauth.call('PUT', `/api/v1/members/${personId}`, { role: 'agent' }, { token: owner.accessToken })
  // Events of invoices are not audit events.
  await oauth.call('POST', '/api/v1/invoices', invoiceInput(), { key })
  const { data } = (await list(key)).body
  expect(data.map(event => event.type)).toEqual([
    'member.role_changed',
    'oauth_client.created',
    'api_key.created',
    'company.created',
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
  expect(data[2]).toMatchObject({
    requestId: 'my-trace-1',
    ip: '192.0.2.9',
    userAgent: 'Accounting/3.1',
    subjectId: made.id,
    data: { id: made.id },
  })
  expect(data[3]).toMatchObject({ actor: { kind: 'operator' }, ip: null, userAgent: null })
  for (const event of data) expect(Math.abs(Date.parse(event.at) - Date.now())).toBeLessThan(60_000)
})

it('no audit event of another company or of the other environment is listed, by page or by cursor', async () => {
  const { productionKey: key, sandboxKey } = await newCompany()
  await installation.sql("delete from audit_log where type = 'company.created'")
  for (let i = 0; i < 5; i++) {
    await keys.newKey({ name: `Key ${i}` }, { key })
    await keys.newKey({ name: 'Elsewhere' }, { key: sandboxKey })
    await keys.newKey({ name: 'Elsewhere' })
  }
  const names = (answer: Awaited<ReturnType<typeof list>>) => answer.body.data.map(event => event.data.name)
  expect(names(await list(key))).toEqual(['Key 4', 'Key 3', 'Key 2', 'Key 1', 'Key 0'])
  const first = await list(key, '?limit=2')
  expect(first.body.pagination).toMatchObject({ total: 5, totalPages: 3, hasNext: true })
  const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')![1]!
  expect(names(await list(key, next.slice(next.indexOf('?'))))).toEqual(['Key 2', 'Key 1'])
  expect(names(await list(key, '?limit=2&page=3'))).toEqual(['Key 0'])
})

it('a sandbox that is reset still has them, with real time whatever its clock says', async () => {
  const { sandboxKey: key } = await newCompany()
  await oauth.client({ name: 'Kept' }, { key })
  await oauth.call('POST', '/api/v1/sandbox/clock', { advance: 'P40D' }, { key })
  await keys.newKey({ name: 'Later' }, { key })
  await oauth.call('POST', '/api/v1/invoices', invoiceInput(), { key })
  expect((await oauth.call('POST', '/api/v1/sandbox/reset', undefined, { key })).status).toBeLessThan(300)
  const { data } = (await list(key)).body
  expect(data.map(event => event.type)).toEqual([
    'sandbox.reset',
    'api_key.created',
    'sandbox.advanced',
    'oauth_client.created',
  ])
  for (const event of data) expect(Math.abs(Date.parse(event.at) - Date.now())).toBeLessThan(60_000)
})
