import { beforeAll, expect, it } from 'vitest'
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
