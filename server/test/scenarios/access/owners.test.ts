import { beforeEach, describe, expect, it } from 'vitest'
import type { CreatedCompany } from '../../../src/features/access/companies/create-company.ts'
import { inviteOwner } from '../../../src/features/access/people/invite-owner.ts'
import { keyring } from '../../../src/kit/crypto.ts'
import { createPool } from '../../../src/kit/db/pool.ts'
import { uuidv7 } from '../../../src/kit/uuid.ts'
import { refusal } from '../../harness/keys.ts'
import {
  newEmail,
  newPassword,
  peopleCalls,
  type SignedUpPerson,
  withProxy,
} from '../../harness/people-calls.ts'
import { tokenCalls } from '../../harness/tokens.ts'
import { eventually, useInstallation } from '../../harness/use-installation.ts'
import { formsIn, visibleText } from '../../harness/visitor.ts'

const installation = useInstallation(withProxy)
const people = peopleCalls(installation)
const oauth = tokenCalls(installation)

const mailsAbout = (address: string, pattern: RegExp) =>
  eventually(
    () => people.mailsTo(address).filter(mail => pattern.test(mail.subject)),
    mails => mails.length > 0,
  )

async function addOwner(by: SignedUpPerson, email: string) {
  const page = await by.visitor.get('/account')
  return by.visitor.submit(page, '/account/owners', {
    company: by.companyId,
    [`owner-${by.companyId}`]: email,
  })
}

async function accept(email: string) {
  const mails = await mailsAbout(email, /^(Join|Rejoignez) /)
  const who = people.visitor()
  const link = people.linkIn(mails.at(-1)!)
  const password = newPassword()
  const answer = await who.submit(await who.get(link), '/invitation', { name: 'Alix Exemple', password })
  expect(answer.location, answer.html).toBe('/account?done=joined')
  return { who, password }
}

const ownersOf = async (companyId: string) =>
  (
    await installation.sql<{ email: string }>(
      `select p.email from memberships m join people p on p.id = m.person_id
        where m.company_id = $1 and m.role = 'owner' order by p.email`,
      [companyId],
    )
  ).map(row => row.email)

describe('nobody is made an owner', () => {
  let company: CreatedCompany
  beforeEach(async () => {
    company = await installation.server.createCompany({ name: 'Maison', ownerEmail: newEmail() })
  })

  it('by a key, whatever it may do', async () => {
    const key = { key: company.productionKey }
    const invited = await oauth.call(
      'POST',
      '/api/v1/members/invitations',
      { email: newEmail(), role: 'owner' },
      key,
    )
    expect(refusal(invited)).toEqual([403, 'AUTH_004'])
    expect(invited.body.error.message).toMatch(/owner/)
    const { id } = await oauth.person()
    await oauth.addMember(id, 'viewer', company.companyId)
    expect(refusal(await oauth.call('PUT', `/api/v1/members/${id}`, { role: 'owner' }, key))).toEqual([
      403,
      'AUTH_004',
    ])
  })

  it('by an application, though it acts for an owner', async () => {
    const client = await oauth.client({}, { key: company.productionKey })
    const { accessToken: token } = await oauth.member('owner', { client, companyIds: [company.companyId] })
    const body = { email: newEmail(), role: 'owner' }
    expect(refusal(await oauth.call('POST', '/api/v1/members/invitations', body, { token }))).toEqual([
      403,
      'AUTH_004',
    ])
  })

  it('by a member who is none', async () => {
    const owner = await people.newOwner()
    const agent = await people.newOwner()
    await installation.sql(`update memberships set role = 'manager' where person_id = $1`, [agent.personId])
    expect(visibleText((await agent.visitor.get('/account')).html)).not.toContain('Make somebody an owner')
    const { csrf = '' } = formsIn((await owner.visitor.get('/account')).html).find(
      form => form.fields.csrf,
    )!.fields
    const email = newEmail()
    await owner.visitor.post('/account/owners', {
      csrf,
      company: agent.companyId,
      [`owner-${agent.companyId}`]: email,
    })
    expect(people.mailsTo(email)).toEqual([])
    expect(await ownersOf(agent.companyId)).toEqual([])
  })
})

describe('nobody takes the role of an owner away', () => {
  it.each(['a key', 'a key that is bound to addresses', 'an application that acts for an owner'])(
    'by %s',
    async what => {
      const company = await installation.server.createCompany({ name: 'Maison', ownerEmail: newEmail() })
      const { productionKey: key, companyId } = company
      const client = await oauth.client({}, { key })
      const { accessToken: token } = await oauth.member('owner', { client, companyIds: [companyId] })
      const bound = { name: 'bound', ipWhitelist: ['10.0.0.0/8'] }
      const limited = await oauth.call<{ apiKey: string }>('POST', '/api/v1/api-keys', bound, { key })
      const by =
        what === 'a key'
          ? { key }
          : what === 'a key that is bound to addresses'
            ? { key: limited.body.data.apiKey }
            : { token }
      const { id, email } = await oauth.person()
      await oauth.addMember(id, 'owner', companyId)
      for (const answer of [
        await oauth.call('DELETE', `/api/v1/members/${id}`, undefined, by),
        await oauth.call('PUT', `/api/v1/members/${id}`, { role: 'viewer' }, by),
      ])
        expect(refusal(answer)).toEqual([403, 'AUTH_004'])
      expect(await ownersOf(companyId)).toContain(email)
    },
  )
})

it('an owner invites another on their own page, and every owner is told when they join', async () => {
  const owner = await people.newOwner()
  const email = newEmail()
  expect((await addOwner(owner, email)).location).toBe('/account?done=owner_invited')
  await accept(email)
  expect(await ownersOf(owner.companyId)).toEqual([email, owner.email].sort())
  for (const address of [owner.email, email]) {
    const [mail] = await mailsAbout(address, /new owner/)
    expect(mail!.text).toContain(email)
    expect(mail!.text).toContain('Menuiserie Exemple')
  }
  const types = (await people.auditEvents(owner.companyId)).map(event => event.type)
  expect(types).toEqual(expect.arrayContaining(['member.invited', 'member.joined']))
})

it('a member whom an owner makes an owner is one at once, and every owner is told', async () => {
  const owner = await people.newOwner()
  const member = await people.newOwner()
  await oauth.addMember(member.personId, 'agent', owner.companyId)
  expect((await addOwner(owner, member.email)).location).toBe('/account?done=owner_added')
  expect(await ownersOf(owner.companyId)).toEqual([member.email, owner.email].sort())
  for (const address of [owner.email, member.email]) await mailsAbout(address, /new owner/)
})

it('all owners are told when one is removed or made less, the one it happened to as well', async () => {
  for (const action of ['remove', 'role']) {
    const [one, other] = [await people.newOwner({ language: 'fr' }), await oauth.person()]
    await oauth.addMember(other.id, 'owner', one.companyId)
    const page = await one.visitor.get(`/account/company?company=${one.companyId}`)
    const fields = { person: other.id, role: 'viewer' }
    const answer = await one.visitor.submit(page, `/account/company/members/${action}`, fields)
    expect(answer.status, answer.html).toBe(303)
    for (const { email } of [one, other]) {
      const [mail] = await mailsAbout(email, /propriétaire de moins/)
      expect(mail!.text).toContain(other.email)
    }
  }
})

it('the operator invites the first owner of a company', async () => {
  const company = await installation.server.createCompany({ name: 'Maison', ownerEmail: newEmail() })
  const pool = createPool({
    url: installation.server.config.API_DATABASE_URL!,
    role: 'relance-api',
    max: 1,
    statementTimeoutMs: 5_000,
  })
  const email = newEmail()
  const wall = Date.now()
  const context = {
    pool,
    keyring: keyring(installation.server.config.KEYRING!),
    wall,
    newId: () => uuidv7(wall),
  }
  await inviteOwner(context, company.companyId, email).finally(() => pool.end())
  await accept(email)
  expect(await ownersOf(company.companyId)).toEqual([email])
})
