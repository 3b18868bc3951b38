import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { doctor } from '../../../src/start/doctor.ts'
import { operatorCalls } from '../../harness/operator.ts'
import { peopleCalls, type SignedUpPerson } from '../../harness/people-calls.ts'
import { ownAddresses, tokenCalls } from '../../harness/tokens.ts'
import { invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ env: ownAddresses })
const people = peopleCalls(installation)
const tokens = tokenCalls(installation)

let owner: SignedUpPerson
beforeAll(async () => {
  owner = await people.newOwner({ company: 'Direction des Finances' })
})

/** A token of the new owner, by an application of somebody else: the one way to act without a key. */
async function tokenOf(environment: 'production' | 'sandbox'): Promise<string> {
  const { productionKey, sandboxKey } = installation.company
  const client = await tokens.client({}, { key: environment === 'production' ? productionKey : sandboxKey })
  const { personId, companyId } = owner
  return (await tokens.consent({ client, personId, companyIds: [companyId] })).accessToken
}

it('a company that signed itself up can neither make a production key nor import an invoice that is written about', async () => {
  const token = await tokenOf('production')
  const key = await tokens.call('POST', '/api/v1/api-keys', { name: 'Mine' }, { token })
  expect([key.status, key.body.error?.code]).toEqual([403, 'AUTH_006'])
  const input = invoiceInput()
  const invoice = await tokens.call('POST', '/api/v1/invoices', input, { token })
  expect([invoice.status, invoice.body.error?.code]).toEqual([403, 'AUTH_006'])
})

it('it has its sandbox, and is told what to do about production', async () => {
  expect(await tokens.tryCredential({ token: await tokenOf('sandbox') })).toBe(200)
  const refused = await tokens.call('GET', '/api/v1/company', undefined, {
    token: await tokenOf('production'),
  })
  expect(refused.body.error.message).toContain('ask the operator to open it')
})

it('nobody is asked to let an application act for it in production', async () => {
  const client = await tokens.client()
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: client.redirectUris[0]!,
    code_challenge: 'A'.repeat(43),
    code_challenge_method: 'S256',
  })
  const page = await owner.visitor.get(`/api/oauth/authorize?${query}`)
  expect(page.status).toBe(200)
  expect(page.html).not.toContain(owner.companyId)
})

it('one that is open from before the operator had to open it is named by the doctor, until the operator decides', async () => {
  const operator = operatorCalls(installation)
  const finding = async () =>
    (await operator.withContext(({ pool, wall }) => doctor(pool, wall, {}))).find(({ text }) =>
      /operator/.test(text),
    )!
  expect(await finding()).toMatchObject({
    isFine: true,
    text: 'every open company was made or opened by the operator',
  })
  const companyId = randomUUID()
  await installation.sql(
    `with old as (
       insert into companies (id, name, owner_email, reply_email, country, time_zone, language, currency, default_debtor_type, created_at)
       select $1, 'Vieux', 'vieux@example.com', 'vieux@example.com', country, time_zone, language, currency, default_debtor_type, created_at
         from companies where id = $2 returning id, created_at)
     insert into tenants (id, company_id, environment, created_at)
     select gen_random_uuid(), id, environment, created_at from old, unnest(array['production', 'sandbox']) environment`,
    [companyId, owner.companyId],
  )
  expect(await finding()).toMatchObject({ isFine: false, text: expect.stringContaining(companyId) })
  await operator.close(companyId)
  expect((await finding()).isFine).toBe(true)
  await operator.open(companyId)
  expect((await finding()).isFine).toBe(true)
})
