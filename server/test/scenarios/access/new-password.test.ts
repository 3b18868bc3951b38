import { expect, it } from 'vitest'
import { operatorCalls } from '../../harness/operator.ts'
import { newPassword, peopleCalls, type SignedUpPerson, withProxy } from '../../harness/people-calls.ts'
import { tokenCalls } from '../../harness/tokens.ts'
import { eventually, useInstallation } from '../../harness/use-installation.ts'
import { visibleText } from '../../harness/visitor.ts'

const installation = useInstallation(withProxy)
const people = peopleCalls(installation)
const oauth = tokenCalls(installation)
const operator = operatorCalls(installation)
const year = 365 * 24 * 3_600_000

async function newConsent({ personId, companyId }: SignedUpPerson) {
  await operator.open(companyId)
  const client = await oauth.client()
  const tokens = await oauth.consent({ client, personId, companyIds: [companyId] })
  const refresh = (token = tokens.refreshToken) =>
    oauth.requestToken({ grant_type: 'refresh_token', client_id: client.clientId, refresh_token: token })
  return { ...tokens, refresh }
}

async function resetPassword({ email }: SignedUpPerson) {
  const who = people.visitor()
  await who.submit(await who.get('/forgot'), '/forgot', { email })
  const mails = await eventually(
    () => people.mailsTo(email).filter(mail => mail.text.includes('/reset?token=')),
    found => found.length > 0,
  )
  const link = people.linkIn(mails.at(-1)!)
  const password = newPassword()
  const answer = await who.submit(await who.get(link), '/reset', { password })
  expect(answer.status, answer.html).toBe(303)
  return { who, password, location: answer.location! }
}

async function addPasskey(personId: string, name: string): Promise<void> {
  await installation.sql(
    `insert into passkeys (id, person_id, name, public_key, counter, created_at) values ($1, $2, $3, '\\x00', 0, $4)`,
    [`passkey-${personId}`, personId, name, new Date().toISOString()],
  )
}

it('a new password by mail ends what applications may do for the person, refresh tokens at once', async () => {
  const owner = await people.newOwner()
  const { accessToken, refresh } = await newConsent(owner)
  const credential = { token: accessToken, companyId: owner.companyId }
  expect(await oauth.tryCredential(credential)).toBe(200)
  await resetPassword(owner)
  expect(await refresh()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(await oauth.tryCredential(credential)).toBe('AUTH_002')
  const changed = (await people.auditEvents(owner.companyId)).find(
    event => event.type === 'person.password_changed',
  )
  expect(changed!.data).toEqual({ personId: owner.personId, by: 'link', endedConsents: 1 })
})

it('a password that is changed on the account page does the same', async () => {
  const owner = await people.newOwner()
  const { refresh } = await newConsent(owner)
  const form = { current: owner.password, password: newPassword() }
  const account = await owner.visitor.get('/account')
  expect((await owner.visitor.submit(account, '/account/password', form)).status).toBe(303)
  expect(await refresh()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

it('after a reset the person is led to the passkeys, asked whether they are theirs, and can remove them', async () => {
  const owner = await people.newOwner()
  await addPasskey(owner.personId, 'Somebody’s phone')
  const { who, password, location } = await resetPassword(owner)
  const next = new URL(location, 'https://relance.example').searchParams.get('next')!
  expect(next).toBe('/account?done=reset#passkeys')
  const signedIn = await people.signIn(who, owner.email, password, next)
  expect(signedIn.location).toBe(next)
  const page = await who.get('/account?done=reset')
  expect(visibleText(page.html)).toMatch(/passkeys.* still open your account/s)
  expect(visibleText(page.html)).toContain('Somebody’s phone')
  const removed = await who.submit(page, '/account/passkeys/remove', { passkey: `passkey-${owner.personId}` })
  expect(removed.location).toBe('/account?done=passkey_removed')
  const mail = await eventually(
    () => people.mailsTo(owner.email).find(({ subject }) => subject === 'Your password was changed'),
    found => found !== undefined,
  )
  expect(mail!.text).toMatch(/passkeys still work/)
  expect(mail!.text).toMatch(/applications/)
})

it('a consent ends a year after it was given, however often its refresh token was used', async () => {
  const owner = await people.newOwner()
  const { grantId, refresh } = await newConsent(owner)
  const age = (ms: number) =>
    installation.sql('update oauth_grants set created_at = $2 where id = $1', [
      grantId,
      new Date(Date.now() - ms).toISOString(),
    ])
  await age(year - 60_000)
  const last = await refresh()
  expect(last.status).toBe(200)
  const [token] = await installation.sql<{ left: number }>(
    `select extract(epoch from max(expires_at) - $2::timestamptz)::int as left from oauth_refresh_tokens
      where grant_id = $1 and used_at is null`,
    [grantId, new Date().toISOString()],
  )
  expect(token!.left).toBeLessThanOrEqual(60)
  await age(year + 60_000)
  expect(await refresh(last.body.refresh_token)).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  })
})
