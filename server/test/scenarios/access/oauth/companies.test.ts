import { beforeAll, expect, it } from 'vitest'
import { invoiceInput } from '../../../harness/house.ts'
import {
  addPerson,
  errorOf,
  newCode,
  openSession,
  ownToken,
  redeem,
  registerApp,
  send,
  type Told,
  useToken,
} from './stage.ts'
import { useStage } from './use-stage.ts'

const stage = useStage()
let one: string
let several: string
const as = (companyId: string) => ({ 'x-company-id': companyId })
const answer = (told: Told) => [told.status, told.status < 300 ? 'ok' : errorOf(told)]
const tokenFor = async (companyIds: string[], cookie = stage.cookie, app = stage.app) =>
  (await redeem(stage, await newCode(stage, app, cookie, companyIds))).access_token

beforeAll(async () => {
  one = await tokenFor([stage.company.companyId])
  const app = await registerApp(stage, stage.company)
  several = await tokenFor([stage.company.companyId, stage.second.companyId], stage.cookie, app)
})

const create = (token: string, companyId: string) =>
  send(stage, 'POST', '/api/v1/invoices', {
    json: invoiceInput(),
    headers: { authorization: `Bearer ${token}`, ...as(companyId) },
  })

it('the code flow reaches several companies, and X-Company-Id chooses among those that were granted', async () => {
  const made = await create(several, stage.company.companyId)
  expect(made.status).toBe(201)
  const seen = async (companyId: string) =>
    (
      (await useToken(stage, several, as(companyId), '/api/v1/invoices?limit=100')).json.data as {
        id: string
      }[]
    ).map(row => row.id)
  const { id } = made.json.data as { id: string }
  expect(await seen(stage.company.companyId)).toContain(id)
  expect(await seen(stage.second.companyId)).not.toContain(id)
})

it('with several companies and none chosen it is VAL_003; with one the header may be left out', async () => {
  expect(answer(await useToken(stage, several))).toEqual([400, 'VAL_003'])
  expect(answer(await useToken(stage, one))).toEqual([200, 'ok'])
  expect(answer(await useToken(stage, one, as(stage.company.companyId)))).toEqual([200, 'ok'])
  expect(answer(await useToken(stage, one, as(stage.company.companyId.toUpperCase())))).toEqual([200, 'ok'])
})

it('a company that was not granted is AUTH_004: the person’s own, a stranger’s, one that is not there', async () => {
  for (const companyId of [
    stage.second.companyId,
    stage.stranger.companyId,
    '01a1ded9-b902-7045-b3e1-d50158305ec9',
  ])
    expect(answer(await useToken(stage, one, as(companyId)))).toEqual([403, 'AUTH_004'])
})

it('X-Company-Id that is no id is VAL_004', async () => {
  for (const text of [
    'x',
    "' or 1=1 --",
    `{${stage.company.companyId}}`,
    `${stage.company.companyId}, ${stage.second.companyId}`,
    '',
  ])
    expect(answer(await useToken(stage, several, as(text))), text).toEqual([400, 'VAL_004'])
})

it('a client that acts for itself is in its own company only', async () => {
  const token = await ownToken(stage, stage.app)
  expect(answer(await useToken(stage, token, as(stage.company.companyId)))).toEqual([200, 'ok'])
  expect(answer(await useToken(stage, token, as(stage.second.companyId)))).toEqual([403, 'AUTH_004'])
})

it('in each company the token can do what the role there allows, and no more', async () => {
  expect(answer(await create(several, stage.company.companyId))).toEqual([201, 'ok'])
  expect(answer(await create(several, stage.second.companyId))).toEqual([403, 'AUTH_004'])
  expect(answer(await useToken(stage, several, as(stage.second.companyId)))).toEqual([200, 'ok'])
})

it('a role that changed, and a membership that ended, count at the next request', async () => {
  const person = await addPerson(stage, {
    [stage.company.companyId]: 'manager',
    [stage.second.companyId]: 'viewer',
  })
  const cookie = await openSession(stage, person)
  const token = await tokenFor([stage.company.companyId, stage.second.companyId], cookie)
  expect(answer(await create(token, stage.company.companyId))).toEqual([201, 'ok'])
  const of = [person, stage.company.companyId]
  await stage.sql(`update memberships set role = 'viewer' where person_id = $1 and company_id = $2`, of)
  expect(answer(await create(token, stage.company.companyId))).toEqual([403, 'AUTH_004'])
  expect(answer(await useToken(stage, token, as(stage.company.companyId)))).toEqual([200, 'ok'])
  await stage.sql('delete from memberships where person_id = $1 and company_id = $2', of)
  expect(answer(await useToken(stage, token, as(stage.company.companyId)))).toEqual([403, 'AUTH_004'])
  expect(answer(await useToken(stage, token, as(stage.second.companyId)))).toEqual([200, 'ok'])
  await stage.sql('delete from people where id = $1', [person])
  expect(answer(await useToken(stage, token, as(stage.second.companyId)))).toEqual([401, 'AUTH_002'])
})

it('a company that was switched off is AUTH_006, the other one goes on', async () => {
  await stage.sql('update companies set enabled = false where id = $1', [stage.second.companyId])
  expect(answer(await useToken(stage, several, as(stage.second.companyId)))).toEqual([403, 'AUTH_006'])
  expect(answer(await useToken(stage, several, as(stage.company.companyId)))).toEqual([200, 'ok'])
  await stage.sql('update companies set enabled = true where id = $1', [stage.second.companyId])
})

it('a consent to a sandbox application opens the sandboxes of the companies and nothing of production', async () => {
  const app = await registerApp(stage, stage.company, { environment: 'sandbox' })
  const { access_token } = await redeem(
    stage,
    await newCode(stage, app, stage.cookie, [stage.company.companyId]),
  )
  expect((await useToken(stage, access_token, {}, '/api/v1/sandbox/clock')).status).toBe(200)
  const production = await create(one, stage.company.companyId)
  const { id } = production.json.data as { id: string }
  expect(answer(await useToken(stage, access_token, {}, `/api/v1/invoices/${id}`))).toEqual([404, 'RES_001'])
})
