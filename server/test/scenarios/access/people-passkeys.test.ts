import { describe, expect, it } from 'vitest'
import { newAuthenticator } from '../../harness/authenticator.ts'
import { peopleCalls, type SignedUpPerson, withProxy } from '../../harness/people-calls.ts'
import { useSecondApi } from '../../harness/second-api.ts'
import { useInstallation } from '../../harness/use-installation.ts'
import { formsIn, type Visitor, visibleText } from '../../harness/visitor.ts'

const installation = useInstallation(withProxy)
const people = peopleCalls(installation)
const second = useSecondApi(installation)

const csrfOf = async ({ visitor }: SignedUpPerson) =>
  formsIn((await visitor.get('/account')).html)[0]!.fields.csrf!

async function askToCreate(person: SignedUpPerson) {
  const csrf = await csrfOf(person)
  const options = await person.visitor.postJson('/passkeys/creation-options', {}, { 'x-csrf-token': csrf })
  expect(options.status, options.html).toBe(200)
  return { csrf, options: options.body }
}

async function withPasskey(name = 'My phone') {
  const person = await people.newOwner()
  const phone = newAuthenticator(installation.server.baseUrl)
  const { csrf, options } = await askToCreate(person)
  const response = phone.create({ challenge: options.challenge, user: options.user.id })
  const added = await person.visitor.postJson('/passkeys', { name, response }, { 'x-csrf-token': csrf })
  expect(added.status, added.html).toBe(201)
  return { person, phone }
}

const challengeFor = async (who: Visitor) => {
  const { status, body } = await who.postJson('/passkeys/request-options', {})
  expect(status).toBe(200)
  return body as { challenge: string; rpId: string; userVerification: string; allowCredentials?: unknown }
}

const enter = (who: Visitor, response: unknown, next?: string) =>
  who.postJson('/passkeys/sign-in', { response, next })

describe('adding a passkey', () => {
  it('asks for a verified person and a key that is found without a name, for this host alone', async () => {
    const person = await people.newOwner()
    const { options } = await askToCreate(person)
    expect(options).toMatchObject({
      rp: { id: '127.0.0.1', name: 'Relance' },
      user: { name: person.email, displayName: person.name },
      attestation: 'none',
      timeout: 300_000,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(options.pubKeyCredParams.map((one: { alg: number }) => one.alg)).toEqual([-8, -7, -257])
    expect(Buffer.from(options.user.id, 'base64url').toString('hex')).toBe(
      person.personId.replaceAll('-', ''),
    )
  })

  it('shows it on the account page, tells the company’s book, and does not offer to make it again', async () => {
    const { person, phone } = await withPasskey('Téléphone <b>bleu</b>')
    const page = await person.visitor.get('/account')
    expect(visibleText(page.html)).toContain('Téléphone <b>bleu</b>')
    expect(page.html).not.toContain('<b>bleu')
    expect((await people.auditEvents(person.companyId)).at(-1)).toMatchObject({
      type: 'person.passkey_added',
      data: { personId: person.personId },
    })
    const { options } = await askToCreate(person)
    expect(options.excludeCredentials).toMatchObject([{ id: phone.id }])
  })

  const lies: [string, Record<string, unknown>][] = [
    ['for another site', { rpId: 'elsewhere.example' }],
    ['on another site', { origin: 'https://elsewhere.example' }],
    ['without having verified anybody', { isVerified: false }],
    ['as an answer to sign-in', { type: 'webauthn.get' }],
    ['to another question', { challenge: 'A'.repeat(43) }],
  ]
  it.each(lies)('an answer %s is refused', async (_, lie) => {
    const person = await people.newOwner()
    const { csrf, options } = await askToCreate(person)
    const phone = newAuthenticator(installation.server.baseUrl)
    const response = phone.create({ challenge: options.challenge, user: options.user.id, ...lie })
    const answer = await person.visitor.postJson(
      '/passkeys',
      { name: 'X', response },
      { 'x-csrf-token': csrf },
    )
    expect(answer.status).toBe(400)
    expect(await installation.sql('select 1 from passkeys where person_id = $1', [person.personId])).toEqual(
      [],
    )
  })

  it('a question put to one person is not answered by another, nor twice', async () => {
    const [one, other] = [await people.newOwner(), await people.newOwner()]
    const asked = await askToCreate(one)
    const stranger = newAuthenticator(installation.server.baseUrl)
    const response = stranger.create({ challenge: asked.options.challenge, user: 'x' })
    const theirs = { 'x-csrf-token': await csrfOf(other) }
    expect((await other.visitor.postJson('/passkeys', { name: 'X', response }, theirs)).status).toBe(400)
    const mine = { 'x-csrf-token': asked.csrf }
    expect((await one.visitor.postJson('/passkeys', { name: 'X', response }, mine)).status).toBe(201)
    const again = newAuthenticator(installation.server.baseUrl).create({
      challenge: asked.options.challenge,
      user: 'x',
    })
    expect((await one.visitor.postJson('/passkeys', { name: 'X', response: again }, mine)).status).toBe(400)
  })

  it('needs a session, its token, and a page of ours', async () => {
    const person = await people.newOwner()
    const csrf = await csrfOf(person)
    const path = '/passkeys/creation-options'
    const tried = [
      await people.visitor().postJson(path, {}, { 'x-csrf-token': csrf }),
      await person.visitor.postJson(path, {}),
      await person.visitor.postJson(path, {}, { 'x-csrf-token': 'x' }),
      await person.visitor.postJson(path, {}, { 'x-csrf-token': csrf, origin: 'https://elsewhere.example' }),
      await person.visitor.postJson(path, {}, { 'x-csrf-token': csrf, 'sec-fetch-site': 'cross-site' }),
      await person.visitor.postJson('/passkeys', { name: 'X' }, { 'x-csrf-token': 'x' }),
      await person.visitor.postJson('/passkeys/request-options', {}, { origin: '' }),
      await person.visitor.postJson('/passkeys/sign-in', {}, { origin: 'null' }),
    ]
    expect(tried.map(answer => answer.status)).toEqual(Array(8).fill(403))
    for (const answer of tried) expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

describe('signing in with a passkey', () => {
  it('needs no name: whose passkey answers is who comes in, and goes where they wanted', async () => {
    const { person, phone } = await withPasskey()
    const who = people.visitor()
    const asked = await challengeFor(who)
    expect(asked).toMatchObject({ rpId: '127.0.0.1', userVerification: 'required' })
    expect(asked.allowCredentials ?? []).toEqual([])
    const answer = await enter(who, phone.get(asked), '/docs/errors')
    expect(answer).toMatchObject({ status: 200, body: { next: '/docs/errors' } })
    expect(visibleText((await who.get('/account')).html)).toContain(`Signed in as ${person.email}`)
    expect((await who.get('/account', { at: second.url })).status).toBe(200)
    expect((await people.auditEvents(person.companyId)).at(-1)).toMatchObject({
      type: 'person.signed_in',
      data: { personId: person.personId, method: 'passkey' },
    })
    const [row] = await installation.sql<{ last_used_at: Date }>(
      'select last_used_at from passkeys where id = $1',
      [phone.id],
    )
    expect(row!.last_used_at).toBeInstanceOf(Date)
  })

  it('leads nowhere but to a path of ours', async () => {
    const { phone } = await withPasskey()
    for (const next of [
      '//elsewhere.example',
      'https://elsewhere.example',
      '/\\elsewhere.example',
      7,
      null,
    ]) {
      const who = people.visitor()
      const answer = await enter(who, phone.get(await challengeFor(who)), next as string)
      expect(answer.body).toEqual({ next: '/console' })
    }
  })

  it('an answer is good once, on whichever process, and for five minutes', async () => {
    const { phone } = await withPasskey()
    const who = people.visitor()
    const asked = await challengeFor(who)
    const response = phone.get(asked)
    expect((await enter(who, response)).status).toBe(200)
    const thief = people.visitor()
    expect((await enter(thief, response)).status).toBe(400)
    expect((await thief.postJson('/passkeys/sign-in', { response }, {}, second.url)).status).toBe(400)
    expect(
      await installation.sql('select 1 from passkey_challenges where challenge = $1', [asked.challenge]),
    ).toEqual([])

    const asksLate = await challengeFor(who)
    const late = phone.get(asksLate)
    const [life] = await installation.sql<{ expires_at: Date }>(
      'select expires_at from passkey_challenges where challenge = $1',
      [asksLate.challenge],
    )
    expect(life!.expires_at.getTime() - Date.now()).toBeLessThanOrEqual(300_000)
    await installation.sql('update passkey_challenges set expires_at = $1', [
      new Date(Date.now() - 1).toISOString(),
    ])
    expect((await enter(thief, late)).status).toBe(400)
    expect(thief.cookies.size).toBe(0)
  })

  it('a count that stands still or goes backwards is another device with the same key: refused', async () => {
    const { phone } = await withPasskey()
    const who = people.visitor()
    const tried = async (counter: number) =>
      (await enter(who, phone.get({ ...(await challengeFor(who)), counter }))).status
    expect(await tried(7)).toBe(200)
    expect(await tried(7)).toBe(400)
    expect(await tried(3)).toBe(400)
    expect(await tried(0)).toBe(400)
    expect(await tried(8)).toBe(200)
  })

  it('a passkey that never counts is fine', async () => {
    const { phone } = await withPasskey()
    for (let i = 0; i < 2; i++) {
      const who = people.visitor()
      expect((await enter(who, phone.get({ ...(await challengeFor(who)), counter: 0 }))).status).toBe(200)
    }
  })

  it('whatever is not right about an answer, it says the same', async () => {
    const { phone } = await withPasskey()
    const other = await withPasskey()
    const stranger = newAuthenticator(installation.server.baseUrl)
    const who = people.visitor()
    const answered = async (change: (asked: { challenge: string }) => unknown) =>
      enter(who, change(await challengeFor(who)))
    const good = (asked: { challenge: string }) => phone.get(asked)
    const answers = [
      await answered(asked => stranger.get({ ...asked, user: 'AAAA' })),
      await answered(asked => phone.get({ ...asked, rpId: 'elsewhere.example' })),
      await answered(asked => phone.get({ ...asked, origin: 'https://elsewhere.example' })),
      await answered(asked => phone.get({ ...asked, isVerified: false })),
      await answered(asked => phone.get({ ...asked, type: 'webauthn.create' })),
      await answered(() => phone.get({ challenge: 'B'.repeat(43) })),
      await answered(asked => phone.get({ ...asked, user: Buffer.alloc(16, 7).toString('base64url') })),
      await answered(asked => ({ ...good(asked), id: other.phone.id, rawId: other.phone.id })),
      await answered(asked => {
        const answer = good(asked)
        return { ...answer, response: { ...answer.response, signature: 'AAAA' } }
      }),
      await answered(() => null),
      await answered(() => 'x'),
      await answered(() => ({ id: 'x'.repeat(3_000), rawId: 'x', type: 'public-key', response: {} })),
      await answered(asked => {
        const answer = good(asked)
        return { ...answer, response: { ...answer.response, clientDataJSON: 'bnVsbA' } }
      }),
    ]
    for (const { status, html } of answers) {
      expect(status).toBe(400)
      expect(html).toBe(answers[0]!.html)
    }
    expect(who.cookies.size).toBe(0)
    expect((await answered(good)).status).toBe(200)
  })

  it('a question for adding is no question for signing in', async () => {
    const { person, phone } = await withPasskey()
    const { options } = await askToCreate(person)
    expect((await enter(people.visitor(), phone.get({ challenge: options.challenge }))).status).toBe(400)
  })

  it('a body that is no JSON, or too much of it, is refused in JSON', async () => {
    const who = people.visitor()
    const headers = { 'content-type': 'application/json', origin: installation.server.baseUrl }
    for (const body of ['{', '"x"', 'null', '[]', `{"response":"${'x'.repeat(1_100_000)}"}`]) {
      const answer = await who.send('POST', '/passkeys/sign-in', { body, headers })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      expect(JSON.parse(answer.html)).toEqual({ error: expect.any(String) })
    }
  })
})

it('a passkey that was removed opens nothing any more, and nobody removes somebody else’s', async () => {
  const { person, phone } = await withPasskey()
  const other = await people.newOwner()
  const theirs = { csrf: await csrfOf(other), passkey: phone.id }
  await other.visitor.post('/account/passkeys/remove', theirs)
  const who = people.visitor()
  expect((await enter(who, phone.get(await challengeFor(who)))).status).toBe(200)

  const page = await person.visitor.get('/account')
  const answer = await person.visitor.submit(page, '/account/passkeys/remove')
  expect(answer.location).toBe('/account?done=passkey_removed')
  expect(visibleText((await person.visitor.get(answer.location!)).html)).toContain('No passkey yet.')
  expect((await enter(who, phone.get(await challengeFor(who)))).status).toBe(400)
  expect((await people.auditEvents(person.companyId)).map(event => event.type)).toContain(
    'person.passkey_removed',
  )
  expect((await people.auditEvents(other.companyId)).map(event => event.type)).not.toContain(
    'person.passkey_removed',
  )
})
