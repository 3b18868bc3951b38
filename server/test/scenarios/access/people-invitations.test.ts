import { describe, expect, it } from 'vitest'
import { switchCompany } from '../../harness/operator.ts'
import { newEmail, newPassword, peopleCalls, withProxy } from '../../harness/people-calls.ts'
import { eventually, useInstallation } from '../../harness/use-installation.ts'
import { formsIn, visibleText } from '../../harness/visitor.ts'

const installation = useInstallation(withProxy)
const people = peopleCalls(installation)

const rolesOf = async (email: string) =>
  (
    await installation.sql<{ role: string }>(
      `select m.role from memberships m join people p on p.id = m.person_id where p.email_key = $1 and m.company_id = $2`,
      [email.toLowerCase(), installation.company.companyId],
    )
  ).map(row => row.role)

/** Invites somebody through the API, and gives the link of the mail. */
async function invited(email: string, role = 'agent', language = 'en') {
  const mails = people.mailsTo(email).length
  const answer = await installation.call<{ id: string }>('POST', '/api/v1/members/invitations', {
    body: { email, role, language },
  })
  expect(answer.status, answer.text).toBe(201)
  const mail = await people.mailTo(email, mails + 1)
  return { id: answer.body.data.id, mail, link: people.linkIn(mail) }
}

/** The key of a company of that name. */
const companyCalled = async (name: string) =>
  (await installation.server.createCompany({ name, ownerEmail: newEmail() })).productionKey

describe('an invitation', () => {
  it('comes by mail in the language it was made for, and names the company and the role', async () => {
    const english = await invited(newEmail(), 'viewer', 'en')
    expect(english.mail.subject).toBe('Join Atelier Martin on Relance')
    expect(english.mail.text).toContain('in the role: viewer')
    const french = await invited(newEmail(), 'manager', 'fr')
    expect(french.mail.subject).toBe('Rejoignez Atelier Martin sur Relance')
    expect(french.mail.text).toContain('avec le rôle\u00a0: responsable')
    expect(french.link).toMatch(/^\/invitation\?token=inv_[a-z][a-z0-9][0-9A-Za-z]{43}$/)
  })

  it('lets somebody new begin with a name and a password; the address is the invited one, whatever is posted', async () => {
    const email = newEmail()
    const { link, id } = await invited(email, 'agent')
    const who = people.visitor()
    const page = await who.get(link)
    expect(page.html).toMatch(new RegExp(`name="email"[^>]*value="${email}"[^>]*readonly`))
    const password = newPassword()
    const answer = await who.submit(page, '/invitation', {
      email: 'somebody.else@people.example',
      name: 'Nour Nouveau',
      password,
    })
    expect(answer).toMatchObject({ status: 303, location: '/account?done=joined' })
    expect(visibleText((await who.get('/account')).html)).toContain('Atelier Martin agent')
    expect(await rolesOf(email)).toEqual(['agent'])
    expect(
      await installation.sql(`select 1 from people where email = 'somebody.else@people.example'`),
    ).toEqual([])
    expect((await people.signIn(people.visitor(), email, password)).location).toBe('/console')
    const auditEvents = await people.auditEvents(installation.company.companyId)
    expect(
      auditEvents.find(event => event.data.invitationId === id && event.type === 'member.joined'),
    ).toMatchObject({
      data: { role: 'agent' },
    })
  })

  it('lets somebody with an account sign in and come back', async () => {
    const known = await people.newOwner()
    const { link } = await invited(known.email.toUpperCase().replace('PEOPLE.EXAMPLE', 'people.example'))
    const who = people.visitor()
    const page = await who.get(link)
    expect(formsIn(page.html)).toEqual([])
    const signIn = /href="(\/sign-in\?next=[^"]+)"/.exec(page.html)![1]!
    const back = await who.submit(await who.get(signIn), '/sign-in', {
      email: known.email,
      password: known.password,
    })
    expect(back.location).toBe(link)
    const joined = await who.submit(await who.get(link), '/invitation')
    expect(joined.location).toBe('/account?done=joined')
    expect(await rolesOf(known.email)).toEqual(['agent'])
  })

  it('is for one address: somebody else who is signed in is asked to sign out, and joins nothing', async () => {
    const email = newEmail()
    const { link } = await invited(email, 'manager')
    const other = await people.newOwner()
    const page = await other.visitor.get(link)
    expect(visibleText(page.html)).toContain(`You are signed in as ${other.email}`)
    const { csrf } = formsIn(page.html)[0]!.fields
    const token = link.split('token=')[1]!
    expect((await other.visitor.post('/invitation', { csrf: csrf!, token })).status).toBe(403)
    expect(await rolesOf(other.email)).toEqual([])
    const out = await other.visitor.submit(page, '/sign-out', {}, 1)
    expect(out.location).toBe(link)
    expect(visibleText((await other.visitor.get(link)).html)).toContain('You have no account yet')
  })

  it('needs the form of this session', async () => {
    const known = await people.newOwner()
    const { link } = await invited(known.email)
    const token = link.split('token=')[1]!
    expect((await known.visitor.post('/invitation', { token })).status).toBe(403)
    expect(await rolesOf(known.email)).toEqual([])
  })

  it('works once, however many press at the same moment', async () => {
    const { link } = await invited(newEmail(), 'developer')
    const visitors = Array.from({ length: 4 }, () => people.visitor())
    const pages = await Promise.all(visitors.map(who => who.get(link)))
    const answers = await Promise.all(
      visitors.map((who, i) =>
        who.submit(pages[i]!, '/invitation', { name: `N ${i}`, password: newPassword() }),
      ),
    )
    expect(answers.filter(answer => answer.status === 303)).toHaveLength(1)
    expect((await people.visitor().get(link)).status).toBe(404)
  })

  it('that was withdrawn, ran out or was never made is dead', async () => {
    const email = newEmail()
    const { link, id } = await invited(email)
    const who = people.visitor()
    const page = await who.get(link)
    await installation.call('DELETE', `/api/v1/members/invitations/${id}`)
    const dead = await who.get(link)
    expect(dead.status).toBe(404)
    expect(visibleText(dead.html)).toContain('Ask whoever invited you for a new invitation.')
    const filled = { name: 'N', password: newPassword() }
    expect((await who.submit(page, '/invitation', filled)).status).toBe(404)
    expect(await installation.sql('select 1 from people where email = $1', [email])).toEqual([])

    const late = await invited(newEmail())
    await installation.sql('update invitations set expires_at = $2 where id = $1', [
      late.id,
      new Date(Date.now() - 1).toISOString(),
    ])
    expect((await who.get(late.link)).status).toBe(404)
    expect((await who.get('/invitation?token=inv_e1nothing')).status).toBe(404)
    expect((await who.get('/invitation')).status).toBe(404)
  })

  it('of a company that is switched off is dead as long as it is', async () => {
    const { link } = await invited(newEmail())
    const who = people.visitor()
    const page = await who.get(link)
    const switched = (enabled: boolean) =>
      switchCompany(installation, installation.company.companyId, enabled)
    await switched(false)
    const filled = { name: 'N', password: newPassword() }
    const answers = [await who.get(link), await who.submit(page, '/invitation', filled)]
    await switched(true)
    expect(answers.map(answer => answer.status)).toEqual([404, 404])
    expect((await who.get(link)).status).toBe(200)
  })

  it('is not sent any more once it is withdrawn', async () => {
    const email = newEmail()
    const { id, mail } = await invited(email)
    expect(mail.to).toBe(email)
    await installation.call('DELETE', `/api/v1/members/invitations/${id}`)
    const at = new Date().toISOString()
    await installation.sql(
      `insert into account_mails (id, kind, subject_id, secret_sealed, due_at, created_at) values ($1, 'invitation', $1, null, $2, $2)`,
      [id, at],
    )
    await expect
      .poll(async () => (await installation.sql('select 1 from account_mails where id = $1', [id])).length, {
        timeout: 8_000,
      })
      .toBe(0)
    expect(people.mailsTo(email)).toHaveLength(1)
  })

  it('goes to one address five times an hour at most, by all companies together', async () => {
    const email = newEmail()
    const other = await companyCalled('Une autre maison')
    const send = (key?: string, to = email) =>
      installation.call<{ id: string }>('POST', '/api/v1/members/invitations', {
        body: { email: to, role: 'viewer', language: 'en' },
        ...(key && { key }),
      })
    for (let i = 0; i < 5; i++) expect((await send(i % 2 ? other : undefined)).status).toBe(201)
    for (const key of [undefined, other]) {
      const refused = await send(key, email.replace('someone', 'SomeOne'))
      expect(refused).toMatchObject({ status: 409, body: { error: { code: 'RES_003' } } })
      expect(refused.text).toContain('five invitations within the hour')
    }
    expect((await send(other, newEmail())).status).toBe(201)
    await people.mailTo(email, 1)
    // Other mails are counted by themselves.
    await people.signUp({ email })
    expect(
      (
        await eventually(
          () => people.mailsTo(email),
          found => found.some(mail => mail.subject.startsWith('Confirm')),
        )
      ).length,
    ).toBeGreaterThan(1)
    await installation.sql(`update sign_in_failures set since = since - interval '1 hour'`)
    expect((await send(other)).status).toBe(201)
  })

  it.each([
    'Win now: https://evil.example/prize',
    'www.evil',
    'Your parcel evil.example/track',
    'Write to boss@evil',
    'ＥＶＩＬ．ｅｘａｍｐｌｅ',
    'evil。example',
    'http 192.0.2.7/x',
  ])('of a company called %j does not say its name: a mail program would make a link of it', async name => {
    const key = await companyCalled(name)
    for (const [language, subject] of [
      ['en', 'Join a company on Relance'],
      ['fr', 'Rejoignez une entreprise sur Relance'],
    ] as const) {
      const body = { email: newEmail(), role: 'viewer', language }
      await installation.call('POST', '/api/v1/members/invitations', { body, key })
      const mail = await people.mailTo(body.email)
      expect(mail.subject).toBe(subject)
      // The link has a random token, in which any letters may follow each other.
      const link = people.linkIn(mail)
      expect(mail.text.replace(link, '').normalize('NFKC')).not.toMatch(/evil|192/i)
      const page = await people.visitor().get(link)
      expect(visibleText(page.html)).toContain(name)
    }
  })

  it('says a long name shortened, and an ordinary one with its dots', async () => {
    for (const [name, shownName] of [
      ['S.A.R.L. Dupont & Fils, n° 3', 'S.A.R.L. Dupont & Fils, n° 3'],
      ['Société '.repeat(20).trim(), `${'Société '.repeat(20).slice(0, 59)}…`],
    ] as const) {
      const email = newEmail()
      const body = { email, role: 'viewer', language: 'en' }
      await installation.call('POST', '/api/v1/members/invitations', { body, key: await companyCalled(name) })
      expect((await people.mailTo(email)).subject).toBe(`Join ${shownName} on Relance`)
    }
  })

  it('asks for a name and a good password like every other page', async () => {
    const { link } = await invited(newEmail())
    const who = people.visitor()
    const answer = await who.submit(await who.get(link), '/invitation', { name: '', password: 'short' })
    expect(answer.status).toBe(400)
    expect([...answer.html.matchAll(/<li><a href="#(\w+)">/g)].map(match => match[1])).toEqual([
      'name',
      'password',
    ])
  })
})
