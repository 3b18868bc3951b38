import { expect, it } from 'vitest'
import { peopleCalls, withProxy } from '../../../../test/harness/people-calls.ts'
import { tokenCalls } from '../../../../test/harness/tokens.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation(withProxy)
const oauth = tokenCalls(installation)
const people = peopleCalls(installation)

const path = '/api/v1/company'
const payoutValues = {
  iban: 'DE89 3704 0044 0532 0130 00',
  accountHolder: 'Somebody Else',
  paymentAccount: 'acct_1SomebodyElse',
  replyEmail: 'replies@elsewhere.example',
  telephone: '+33612345678',
  legalName: 'Somebody Else SAS',
}
const cases = Object.entries(payoutValues).map(([field, value]) => ({ field, value }))
const settings = async (key = installation.company.productionKey) =>
  (await installation.call('GET', path, { key })).body.data

it.each(cases)(
  'a key that may change settings does not change $field in production',
  async ({ field, value }) => {
    const made = await installation.call<{ apiKey: string }>('POST', '/api/v1/api-keys', {
      body: { name: 'Settings only', scopes: ['company:manage', 'webhooks:manage'] },
    })
    const before = await settings()
    for (const key of [made.body.data.apiKey, installation.company.productionKey])
      for (const sent of [value, null]) {
        const answer = await installation.call('PUT', path, { key, body: { city: 'Lyon', [field]: sent } })
        expect([answer.status, answer.body.error?.code], answer.text).toEqual([403, 'AUTH_004'])
        expect(answer.body.error.message).toContain('/account/company')
        expect(answer.body.error.details).toEqual([
          { field, code: 'owner_only', message: expect.any(String) },
        ])
      }
    expect(await settings()).toEqual(before)
  },
)

it.each(cases)(
  'nor does an access token, not even one that acts for an owner: $field',
  async ({ field, value }) => {
    const client = await oauth.client()
    const own = await oauth.tokenOf(client, ['company:manage'])
    const { accessToken } = await oauth.member('owner', { client })
    for (const token of [own, accessToken]) {
      const answer = await oauth.call('PUT', path, { [field]: value }, { token })
      expect([answer.status, answer.body.error?.code]).toEqual([403, 'AUTH_004'])
    }
  },
)

it.each(cases)('in the sandbox a key changes $field as before', async ({ field, value }) => {
  const key = installation.company.sandboxKey
  const changed = await installation.call('PUT', path, { key, body: { [field]: value } })
  expect([changed.status, changed.body.data[field]]).toEqual([200, value.replaceAll(/ (?=\d)/g, '')])
  expect((await settings(key)).pendingChanges).toEqual([])
})

it('what is no payout field is changed by a key as before', async () => {
  const changed = await installation.call('PUT', path, { body: { city: 'Nantes', courtConsent: true } })
  expect(changed.status).toBe(200)
  expect(await people.auditEvents(installation.company.companyId)).not.toContainEqual(
    expect.objectContaining({ type: expect.stringMatching(/^company\.payout/) }),
  )
})
