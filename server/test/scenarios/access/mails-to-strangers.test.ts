import { expect, it } from 'vitest'
import { operatorCalls } from '../../harness/operator.ts'
import { newEmail, peopleCalls, type SignedUpPerson, withProxy } from '../../harness/people-calls.ts'
import { eventually, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation(withProxy)
const people = peopleCalls(installation)

const invitationsOf = async ({ companyId }: SignedUpPerson) =>
  (await installation.sql('select id from invitations where company_id = $1', [companyId])).length

async function inviteOwner(by: SignedUpPerson) {
  const fields = { company: by.companyId, [`owner-${by.companyId}`]: newEmail() }
  return by.visitor.submit(await by.visitor.get('/account'), '/account/owners', fields)
}
async function inviteMember(by: SignedUpPerson) {
  const page = await by.visitor.get(`/account/company?company=${by.companyId}`)
  return by.visitor.submit(page, '/account/company/members/invite', { email: newEmail(), role: 'viewer' })
}

it('a company that nobody has opened invites ten people in a day, as owners and members together', async () => {
  const owner = await people.newOwner()
  for (let i = 0; i < 6; i++) await inviteOwner(owner)
  for (let i = 0; i < 6; i++) await inviteMember(owner)
  expect((await inviteOwner(owner)).location).toContain('done=owner_refused')
  expect(await invitationsOf(owner)).toBe(10)

  await operatorCalls(installation).open(owner.companyId)
  expect((await inviteMember(owner)).location).toContain('done=invited')
  expect((await inviteOwner(owner)).location).toContain('done=owner_invited')
  expect(await invitationsOf(owner)).toBe(12)
})

it('addresses that differ in what follows a plus are one mailbox, which is sent five links in an hour', async () => {
  const name = newEmail().split('@')[0]
  for (let i = 0; i < 8; i++) await people.signUp({ email: `${name}+${i}@people.example` })
  const sent = () =>
    installation.server.mailbox.messages().filter(({ to }) => to.startsWith(`${name}+`)).length
  await eventually(sent, count => count >= 5)
  await new Promise(resolve => setTimeout(resolve, 1_500))
  expect(sent()).toBe(5)
})
