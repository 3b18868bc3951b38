import { describe, expect, it } from 'vitest'
import { newAuthenticator } from '../../harness/authenticator.ts'
import { newPassword, peopleCalls, type SignedUpPerson, withProxy } from '../../harness/people-calls.ts'
import { useInstallation } from '../../harness/use-installation.ts'
import { formsIn, unescaped, visibleText } from '../../harness/visitor.ts'

const installation = useInstallation(withProxy)
const people = peopleCalls(installation)

const ageBy = (personId: string, minutes: number) =>
  installation.sql(
    `update sessions set created_at = created_at - $2 * interval '1 minute' where person_id = $1`,
    [personId, minutes],
  )

async function requestCreationOptions({ visitor }: SignedUpPerson) {
  const headers = { 'x-csrf-token': formsIn((await visitor.get('/account')).html)[0]!.fields.csrf! }
  const answer = await visitor.postJson('/passkeys/creation-options', {}, headers)
  return { headers, answer }
}

async function addPasskey(person: SignedUpPerson) {
  const { headers, answer } = await requestCreationOptions(person)
  const phone = newAuthenticator(installation.server.baseUrl)
  const response = phone.create({ challenge: answer.body.challenge, user: answer.body.user.id })
  const added = await person.visitor.postJson('/passkeys', { name: 'Phone', response }, headers)
  expect(added.status, added.html).toBe(201)
  return phone
}
const passkeysOf = ({ personId }: SignedUpPerson) =>
  installation.sql('select id from passkeys where person_id = $1', [personId])

const again = '/sign-in?again=1&next=%2Faccount%23passkeys'

describe('ten minutes after signing in', () => {
  it('no passkey is added or removed any more; signing in again leads back, and then they are', async () => {
    const known = await people.newOwner()
    const { visitor, personId, email, password } = known
    const phone = await addPasskey(known)
    await ageBy(personId, 9.9)
    expect((await requestCreationOptions(known)).answer.status).toBe(200)
    const before = await visitor.get('/account')
    await ageBy(personId, 0.2)
    expect((await requestCreationOptions(known)).answer).toMatchObject({ status: 403, body: { next: again } })
    const removal = await visitor.submit(before, '/account/passkeys/remove')
    expect(removal).toMatchObject({ status: 303, location: again })
    expect(await passkeysOf(known)).toEqual([{ id: phone.id }])

    const page = await visitor.get('/account')
    expect(formsIn(page.html).map(form => form.action)).not.toContain('/account/passkeys/remove')
    expect(page.html).not.toContain('data-passkey')
    expect(unescaped(page.html)).toContain(`<a href="${again}">Sign in again</a>`)

    const door = await visitor.get(again)
    expect(door.status).toBe(200)
    expect(visibleText(door.html)).toContain('To change passkeys or owners, sign in once more')
    const form = formsIn(door.html).find(one => one.action === '/sign-in')!
    expect(form.fields).toMatchObject({ email, next: '/account#passkeys' })
    const back = await visitor.submit(door, '/sign-in', { password })
    expect(back.location).toBe('/account#passkeys')
    await visitor.submit(await visitor.get('/account'), '/account/passkeys/remove')
    expect(await passkeysOf(known)).toEqual([])
    await addPasskey(known)
  })

  it('a passkey is proof as well', async () => {
    const known = await people.newOwner()
    const { visitor, personId } = known
    const phone = await addPasskey(known)
    await ageBy(personId, 11)
    const { body } = await visitor.postJson('/passkeys/request-options', {})
    const next = '/account#passkeys'
    const answer = await visitor.postJson('/passkeys/sign-in', { response: phone.get(body), next })
    expect(answer.body).toEqual({ next })
    expect((await requestCreationOptions(known)).answer.status).toBe(200)
  })

  it('a question that was put in time may be answered a little later', async () => {
    const known = await people.newOwner()
    const { headers, answer } = await requestCreationOptions(known)
    await ageBy(known.personId, 11)
    const { challenge, user } = answer.body
    const response = newAuthenticator(installation.server.baseUrl).create({ challenge, user: user.id })
    const added = await known.visitor.postJson('/passkeys', { name: 'Phone', response }, headers)
    expect(added.status).toBe(201)
  })
})

describe('who can sign in, and how, is told by mail:', () => {
  it.each([
    ['fr', 'Une clé d’accès a été ajoutée à votre compte', 'Votre mot de passe a été changé'],
    ['en', 'A passkey was added to your account', 'Your password was changed'],
  ])('a new passkey, and a new password by the page or by a link (%s)', async (language, added, changed) => {
    const known = await people.newOwner({ language })
    const { visitor, email, password } = known
    await addPasskey(known)
    const mail = await people.mailTo(email, 2)
    expect(mail.subject).toBe(added)
    expect(mail.text).toContain(`${installation.server.baseUrl}/account#passkeys`)
    expect(mail.text).toContain(`${installation.server.baseUrl}/forgot`)
    expect(mail.text).not.toContain('Camille')

    const next = { current: password, password: newPassword() }
    await visitor.submit(await visitor.get('/account'), '/account/password', next)
    expect((await people.mailTo(email, 3)).subject).toBe(changed)

    await visitor.post('/forgot', { email })
    const link = people.linkIn(await people.mailTo(email, 4))
    await visitor.submit(await visitor.get(link), '/reset', { password: newPassword() })
    expect((await people.mailTo(email, 5)).subject).toBe(changed)
  })

  it('nothing when nothing was changed', async () => {
    const known = await people.newOwner()
    const { visitor, email } = known
    const wrong = { current: newPassword(), password: newPassword() }
    await visitor.submit(await visitor.get('/account'), '/account/password', wrong)
    await addPasskey(known)
    await people.mailTo(email, 2)
    expect(people.mailsTo(email).map(mail => mail.subject)).toEqual([
      'Confirm your email address',
      'A passkey was added to your account',
    ])
  })
})
