import { beforeAll, expect, it } from 'vitest'
import { switchCompany } from '../../../harness/operator.ts'
import { invoiceInput } from '../../../harness/use-installation.ts'
import {
  addPerson,
  errorOf,
  type HttpReply,
  newCode,
  openSession,
  ownToken,
  redeem,
  registerApp,
  send,
  useToken,
} from './oauth-calls.ts'
import { useOAuthFixture } from './use-oauth-fixture.ts'

const fixture = useOAuthFixture()
let one: string
let several: string
const as = (companyId: string) => ({ 'x-company-id': companyId })
const answer = (reply: HttpReply) => [reply.status, reply.status < 300 ? 'ok' : errorOf(reply)]
const tokenFor = async (companyIds: string[], cookie = fixture.cookie, app = fixture.app) =>
  (await redeem(fixture, await newCode(fixture, app, cookie, companyIds))).access_token

beforeAll(async () => {
  one = await tokenFor([fixture.company.companyId])
  const app = await registerApp(fixture, fixture.company)
  several = await tokenFor([fixture.company.companyId, fixture.second.companyId], fixture.cookie, app)
})

const create = (token: string, companyId: string) =>
  send(fixture, 'POST', '/api/v1/invoices', {
    json: invoiceInput(),
    headers: { authorization: `Bearer ${token}`, ...as(companyId) },
  })

it('the code flow reaches several companies, and X-Company-Id chooses among those that were granted', async () => {
  const made = await create(several, fixture.company.companyId)
  expect(made.status).toBe(201)
  const seen = async (companyId: string) =>
    (
      (await useToken(fixture, several, as(companyId), '/api/v1/invoices?limit=100')).json.data as {
        id: string
      }[]
    ).map(row => row.id)
  const { id } = made.json.data as { id: string }
  expect(await seen(fixture.company.companyId)).toContain(id)
  expect(await seen(fixture.second.companyId)).not.toContain(id)
})

it('with several companies and none chosen it is VAL_003; with one the header may be left out', async () => {
  expect(answer(await useToken(fixture, several))).toEqual([400, 'VAL_003'])
  expect(answer(await useToken(fixture, one))).toEqual([200, 'ok'])
  expect(answer(await useToken(fixture, one, as(fixture.company.companyId)))).toEqual([200, 'ok'])
  expect(answer(await useToken(fixture, one, as(fixture.company.companyId.toUpperCase())))).toEqual([
    200,
    'ok',
  ])
})

it('a company that was not granted is AUTH_004: the person’s own, a stranger’s, one that is not there', async () => {
  for (const companyId of [
    fixture.second.companyId,
    fixture.stranger.companyId,
    '01a1ded9-b902-7045-b3e1-d50158305ec9',
  ])
    expect(answer(await useToken(fixture, one, as(companyId)))).toEqual([403, 'AUTH_004'])
})

it('X-Company-Id that is no id is VAL_004', async () => {
  for (const text of [
    'x',
    "' or 1=1 --",
    `{${fixture.company.companyId}}`,
    `${fixture.company.companyId}, ${fixture.second.companyId}`,
    '',
  ])
    expect(answer(await useToken(fixture, several, as(text))), text).toEqual([400, 'VAL_004'])
})

it('a client that acts for itself is in its own company only', async () => {
  const token = await ownToken(fixture, fixture.app)
  expect(answer(await useToken(fixture, token, as(fixture.company.companyId)))).toEqual([200, 'ok'])
  expect(answer(await useToken(fixture, token, as(fixture.second.companyId)))).toEqual([403, 'AUTH_004'])
})

it('in each company the token can do what the role there allows, and no more', async () => {
  expect(answer(await create(several, fixture.company.companyId))).toEqual([201, 'ok'])
  expect(answer(await create(several, fixture.second.companyId))).toEqual([403, 'AUTH_004'])
  expect(answer(await useToken(fixture, several, as(fixture.second.companyId)))).toEqual([200, 'ok'])
})

it('a role that changed, and a membership that ended, count at the next request', async () => {
  const person = await addPerson(fixture, {
    [fixture.company.companyId]: 'manager',
    [fixture.second.companyId]: 'viewer',
  })
  const cookie = await openSession(fixture, person)
  const token = await tokenFor([fixture.company.companyId, fixture.second.companyId], cookie)
  expect(answer(await create(token, fixture.company.companyId))).toEqual([201, 'ok'])
  const membership = [person, fixture.company.companyId]
  await fixture.sql(
    `update memberships set role = 'viewer' where person_id = $1 and company_id = $2`,
    membership,
  )
  expect(answer(await create(token, fixture.company.companyId))).toEqual([403, 'AUTH_004'])
  expect(answer(await useToken(fixture, token, as(fixture.company.companyId)))).toEqual([200, 'ok'])
  await fixture.sql('delete from memberships where person_id = $1 and company_id = $2', membership)
  expect(answer(await useToken(fixture, token, as(fixture.company.companyId)))).toEqual([403, 'AUTH_004'])
  expect(answer(await useToken(fixture, token, as(fixture.second.companyId)))).toEqual([200, 'ok'])
  await fixture.sql('delete from people where id = $1', [person])
  expect(answer(await useToken(fixture, token, as(fixture.second.companyId)))).toEqual([401, 'AUTH_002'])
})

it('a company that was switched off is AUTH_006, the other one goes on', async () => {
  await switchCompany(fixture, fixture.second.companyId, false)
  expect(answer(await useToken(fixture, several, as(fixture.second.companyId)))).toEqual([403, 'AUTH_006'])
  expect(answer(await useToken(fixture, several, as(fixture.company.companyId)))).toEqual([200, 'ok'])
  await switchCompany(fixture, fixture.second.companyId, true)
})

it('a consent to a sandbox application opens the sandboxes of the companies and nothing of production', async () => {
  const app = await registerApp(fixture, fixture.company, { environment: 'sandbox' })
  const { access_token } = await redeem(
    fixture,
    await newCode(fixture, app, fixture.cookie, [fixture.company.companyId]),
  )
  expect((await useToken(fixture, access_token, {}, '/api/v1/sandbox/clock')).status).toBe(200)
  const production = await create(one, fixture.company.companyId)
  const { id } = production.json.data as { id: string }
  expect(answer(await useToken(fixture, access_token, {}, `/api/v1/invoices/${id}`))).toEqual([
    404,
    'RES_001',
  ])
})
