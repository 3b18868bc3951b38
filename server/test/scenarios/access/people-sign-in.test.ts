import { describe, expect, it } from 'vitest'
import { newEmail, newPassword, peopleCalls, withProxy } from '../../harness/people-calls.ts'
import { useSecondApi } from '../../harness/second-api.ts'
import { useInstallation } from '../../harness/use-installation.ts'
import { formsIn, type Visitor, visibleText } from '../../harness/visitor.ts'

const installation = useInstallation(withProxy)
const people = peopleCalls(installation)
const second = useSecondApi(installation)

const cookie = '__Host-relance'
const sentence =
  'Wrong email or password, or too many attempts; try again in 15 minutes or choose a new password. If you have just signed up, open the mail first.'
const isSignedIn = async (who: Visitor, at?: string) =>
  (await who.get('/account', at ? { at } : {})).status === 200

/** A body with what is the visitor's own taken out. */
const without = (html: string, email: string) => html.replaceAll(email, '…')

describe('signing in', () => {
  it('gives a session in a cookie of this host alone, out of reach of scripts and other sites', async () => {
    const { email, password } = await people.newOwner()
    const who = people.visitor()
    const answer = await people.signIn(who, email.toUpperCase(), password)
    expect(answer).toMatchObject({ status: 303, location: '/console' })
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-relance=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=43200$/,
    )
    expect(await isSignedIn(who)).toBe(true)
    expect(await isSignedIn(who, second.url)).toBe(true)
    const stored = JSON.stringify(await installation.sql('select * from sessions'))
    expect(stored).not.toContain(who.cookies.get(cookie))
  })

  it('makes a new session each time and ends the one that was there: none can be prepared for somebody', async () => {
    const { email, password } = await people.newOwner()
    const who = people.visitor()
    const planted = 'A'.repeat(43)
    who.cookies.set(cookie, planted)
    await people.signIn(who, email, password)
    const first = who.cookies.get(cookie)!
    expect(first).not.toBe(planted)
    await people.signIn(who, email, password)
    expect(who.cookies.get(cookie)).not.toBe(first)
    const thief = people.visitor()
    for (const token of [planted, first]) {
      thief.cookies.set(cookie, token)
      expect(await isSignedIn(thief)).toBe(false)
    }
  })

  it('a session that was ended is refused on the other process too, and so is one whose time is over', async () => {
    const known = await people.newOwner()
    const { visitor } = known
    const copy = people.visitor()
    copy.cookies.set(cookie, visitor.cookies.get(cookie)!)
    expect(await isSignedIn(copy, second.url)).toBe(true)
    const out = await visitor.submit(await visitor.get('/account'), '/sign-out')
    expect(out).toMatchObject({ status: 303, location: '/sign-in?done=out' })
    expect(visitor.cookies.has(cookie)).toBe(false)
    expect(await isSignedIn(copy, second.url)).toBe(false)

    await people.signIn(visitor, known.email, known.password)
    expect(await isSignedIn(visitor)).toBe(true)
    await installation.sql('update sessions set expires_at = $2 where person_id = $1', [
      known.personId,
      new Date(Date.now() - 1).toISOString(),
    ])
    expect(await isSignedIn(visitor, second.url)).toBe(false)
  })

  it.each(['', 'x', 'A'.repeat(43), `${'A'.repeat(42)}=`, "' or 1=1 --", '%00'])(
    'a cookie made up as %j opens nothing',
    async token => {
      const who = people.visitor()
      who.cookies.set(cookie, token)
      expect(await who.get('/account')).toMatchObject({ status: 303, location: '/sign-in?next=%2Faccount' })
    },
  )

  it('who is signed in already is sent on', async () => {
    const { visitor } = await people.newOwner()
    expect((await visitor.get('/sign-in?next=/docs/errors')).location).toBe('/docs/errors')
    expect((await visitor.get('/sign-up')).location).toBe('/console')
  })
})

describe('nobody learns who has an account', () => {
  it('a wrong password, an unknown address, one that is none, a locked account and one not confirmed read exactly the same', async () => {
    const known = await people.newOwner()
    const locked = await people.newOwner()
    // Who asks whether an address is known: signs up with it, and sees whether that password is now the right one.
    const probe = { password: newPassword() }
    const { form: fresh } = await people.signUp(probe)
    await people.signUp({ ...probe, email: known.email })
    for (let i = 0; i < 11; i++) await people.signIn(people.visitor(), locked.email, newPassword())
    const attempts: [string, string][] = [
      [known.email, newPassword()],
      [newEmail(), newPassword()],
      [fresh.email, probe.password],
      [known.email, probe.password],
      ['not an address', newPassword()],
      [locked.email, newPassword()],
      [locked.email, locked.password],
    ]
    const answers = []
    for (const [email, password] of attempts) {
      const who = people.visitor()
      const { status, html, headers } = await people.signIn(who, email, password)
      expect(visibleText(html)).toContain(sentence)
      expect(who.cookies.size).toBe(0)
      answers.push({ status, html: without(html, email), type: headers.get('content-type') })
    }
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]!.status).toBe(400)
  })

  it('asking for a new password answers the same for anybody', async () => {
    const known = await people.newOwner()
    const answers = []
    for (const email of [known.email, newEmail()]) {
      const who = people.visitor()
      const startedAt = performance.now()
      const answer = await who.submit(await who.get('/forgot'), '/forgot', { email })
      expect(performance.now() - startedAt).toBeGreaterThan(150)
      const page = await who.get(answer.location!)
      answers.push({ status: answer.status, location: answer.location, body: answer.html, page: page.html })
    }
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]!.location).toBe('/mail-sent')
  })

  it('an unknown address costs a hashing like a known one', async () => {
    const known = await people.newOwner()
    const emails = [known.email, newEmail()]
    const quickest = emails.map(() => Number.POSITIVE_INFINITY)
    // In turns, and the quickest of each: other work on the machine only makes some of them slower.
    for (let i = 0; i < 7; i++)
      for (const [of, email] of emails.entries()) {
        const startedAt = performance.now()
        await people.signIn(people.visitor(), email, newPassword())
        quickest[of] = Math.min(quickest[of]!, performance.now() - startedAt)
      }
    const [ofKnown, ofUnknown] = quickest as [number, number]
    // Without the hashing it would be a tenth.
    expect(ofUnknown).toBeGreaterThan(ofKnown / 3)
  })
})

describe('guessing', () => {
  it('ten wrong passwords close an account for a quarter of an hour, whichever process is asked', async () => {
    const known = await people.newOwner()
    const guess = (i: number) =>
      people
        .visitor()
        .post(
          '/sign-in',
          { email: known.email, password: newPassword() },
          { at: i % 2 === 0 ? installation.server.baseUrl : second.url },
        )
    for (let i = 0; i < 9; i++) await guess(i)
    expect((await people.signIn(people.visitor(), known.email, known.password)).status).toBe(303)
    // Being right has cleared the count.
    for (let i = 0; i < 10; i++) await guess(i)
    const owner = people.visitor()
    for (const at of [installation.server.baseUrl, second.url]) {
      const answer = await owner.post('/sign-in', { email: known.email, password: known.password }, { at })
      expect(answer.status).toBe(400)
    }
    const auditEvents = (await people.auditEvents(known.companyId)).filter(
      event => event.type === 'person.sign_in_locked',
    )
    expect(auditEvents).toHaveLength(1)
    expect(auditEvents[0]!.data).toEqual({ personId: known.personId })

    const other = await people.newOwner()
    expect((await people.signIn(people.visitor(), other.email, other.password)).status).toBe(303)

    await installation.sql(`update sign_in_failures set since = since - interval '14 minutes 50 seconds'`)
    expect((await people.signIn(owner, known.email, known.password)).status).toBe(400)
    await installation.sql(`update sign_in_failures set since = since - interval '15 seconds'`)
    expect((await people.signIn(owner, known.email, known.password)).status).toBe(303)
  })

  it('none of many at once is left uncounted', async () => {
    const known = await people.newOwner()
    const guesses = Array.from({ length: 24 }, (_, i) =>
      people
        .visitor()
        .post(
          '/sign-in',
          { email: known.email, password: newPassword() },
          { at: i % 2 === 0 ? installation.server.baseUrl : second.url },
        ),
    )
    await Promise.all(guesses)
    const counted = await installation.sql(
      'select failures from sign_in_failures where subject = sha256($1)',
      [Buffer.from(`account\0${known.email}\0`)],
    )
    expect(counted).toEqual([{ failures: 24 }])
    expect((await people.signIn(people.visitor(), known.email, known.password)).status).toBe(400)
  })

  it('fifty failures close an address for every account, not for others', async () => {
    const known = await people.newOwner()
    const who = people.visitor()
    const guesses = Array.from({ length: 50 }, (_, i) => i)
    for (const i of guesses)
      await who.post(
        '/sign-in',
        { email: newEmail(), password: 'x' },
        { at: i % 2 === 0 ? installation.server.baseUrl : second.url },
      )
    const refused = await people.signIn(who, known.email, known.password)
    expect(refused.status).toBe(400)
    expect(visibleText(refused.html)).toContain(sentence)
    // And closes no account from there.
    for (let i = 0; i < 8; i++) await people.signIn(who, known.email, newPassword())
    expect((await people.signIn(people.visitor(), known.email, known.password)).status).toBe(303)
  })

  it('whoever signs in rightly is not counted, however often', async () => {
    const known = await people.newOwner()
    const address = '10.20.30.40'
    await installation.sql('delete from sign_in_failures')
    for (let i = 0; i < 3; i++) await people.signIn(people.visitor({ address }), known.email, known.password)
    const rows = await installation.sql<{ failures: number }>(
      'select failures from sign_in_failures where failures > 0',
    )
    expect(rows).toEqual([])
  })

  it('a whole /64 of IPv6 is one address', async () => {
    await installation.sql('delete from sign_in_failures')
    for (let i = 1; i <= 3; i++)
      await people.signIn(people.visitor({ address: `2001:db8:1:2::${i}` }), newEmail(), 'x')
    await people.signIn(people.visitor({ address: '2001:db8:1:3::1' }), newEmail(), 'x')
    const rows = await installation.sql<{ failures: number }>(
      'select failures from sign_in_failures order by failures desc',
    )
    expect(rows.map(row => row.failures)).toEqual([3, 1, 1, 1, 1, 1])
  })
})

describe('where to go afterwards', () => {
  const own = [
    ['/account', '/account'],
    ['/console/c/sandbox/invoices?standing=decide#i', '/console/c/sandbox/invoices?standing=decide#i'],
    ['/api/oauth/authorize?client_id=oc_1&state=a%20b', '/api/oauth/authorize?client_id=oc_1&state=a%20b'],
    ['/a/../invitation?token=x#here', '/invitation?token=x#here'],
    ['/@elsewhere.example', '/@elsewhere.example'],
  ]
  it.each(own)('%s is a path of ours', async (next, where) => {
    const { email, password } = await people.newOwner()
    const who = people.visitor()
    const page = await who.get(`/sign-in?next=${encodeURIComponent(next!)}`)
    expect(formsIn(page.html)[0]!.fields.next).toBe(where)
    expect((await who.submit(page, '/sign-in', { email, password })).location).toBe(where)
  })

  const foreign = [
    '//elsewhere.example',
    '///elsewhere.example',
    '/\\elsewhere.example',
    '/\\/elsewhere.example',
    '\\/elsewhere.example',
    '\\\\elsewhere.example',
    'https://elsewhere.example/',
    'https:elsewhere.example',
    '//elsewhere.example@127.0.0.1',
    'javascript:alert(1)',
    'data:text/html,x',
    '/\t/elsewhere.example',
    '/\n/elsewhere.example',
    '\t//elsewhere.example',
    ' //elsewhere.example',
    '/.//elsewhere.example',
    '/..//elsewhere.example',
    '/a/..//elsewhere.example',
    '/%2e%2e//elsewhere.example',
    '/account\r\nset-cookie: a=b',
    '/é',
    '',
    'account',
    '?next=/',
    '#',
    `/${'a'.repeat(9_000)}`,
  ]
  it('nothing that could lead elsewhere is followed', async () => {
    const { email, password } = await people.newOwner()
    for (const next of foreign) {
      const who = people.visitor()
      const page = await who.get(`/sign-in?next=${encodeURIComponent(next)}`.slice(0, 12_000))
      expect(formsIn(page.html)[0]!.fields.next, JSON.stringify(next)).toBeUndefined()
      const answer = await people.signIn(who, email, password, next)
      expect(answer.location, JSON.stringify(next)).toBe('/console')
    }
    const who = people.visitor()
    const twice = await who.get('/sign-in?next=/account&next=//elsewhere.example')
    expect(formsIn(twice.html)[0]!.fields.next).toBeUndefined()
  })
})

describe('forms that are not ours', () => {
  const elsewhere: [string, Record<string, string>][] = [
    ['another origin', { origin: 'https://elsewhere.example' }],
    ['no origin at all', { origin: '' }],
    ['the origin null', { origin: 'null' }],
    ['our name on another port', { origin: 'http://127.0.0.1:1' }],
    ['our origin, but the browser says cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['our origin, but the browser says same-site', { 'sec-fetch-site': 'same-site' }],
  ]
  it.each(elsewhere)('with %s are refused before anything is done', async (_, headers) => {
    const known = await people.newOwner()
    const who = people.visitor()
    const given = { email: known.email, password: known.password }
    for (const path of ['/sign-in', '/sign-up', '/forgot', '/verify', '/reset', '/invitation']) {
      const answer = await who.post(path, given, { headers })
      expect(answer.status, path).toBe(403)
      expect(visibleText(answer.html)).toContain('This form was not accepted')
    }
    expect(who.cookies.size).toBe(0)
    const { csrf } = formsIn((await known.visitor.get('/account')).html)[0]!.fields
    for (const path of ['/sign-out', '/account/sessions/end-all', '/account/password'])
      expect((await known.visitor.post(path, { csrf: csrf! }, { headers })).status, path).toBe(403)
    expect(await isSignedIn(known.visitor)).toBe(true)
  })

  it('of a session need its token: none, a wrong one and somebody else’s are refused', async () => {
    const [one, other] = [await people.newOwner(), await people.newOwner()]
    const theirs = formsIn((await other.visitor.get('/account')).html)[0]!.fields.csrf!
    for (const fields of [{}, { csrf: '' }, { csrf: 'x' }, { csrf: theirs }])
      for (const path of ['/sign-out', '/account/profile', '/account/sessions/end-all'])
        expect((await one.visitor.post(path, { name: 'X', language: 'en', ...fields })).status).toBe(403)
    expect(await isSignedIn(one.visitor)).toBe(true)
    expect(visibleText((await one.visitor.get('/account')).html)).toContain(one.name)
  })

  it('posted when the session is over lead to the sign-in page', async () => {
    const { visitor } = await people.newOwner()
    const page = await visitor.get('/account')
    await visitor.submit(page, '/sign-out')
    const answer = await visitor.submit(page, '/account/profile', { name: 'X' })
    expect(answer).toMatchObject({ status: 303, location: '/sign-in?next=%2Faccount' })
  })
})
