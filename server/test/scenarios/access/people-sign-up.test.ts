import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newEmail, newPassword, peopleCalls, withProxy } from '../../harness/people-calls.ts'
import { useInstallation } from '../../harness/use-installation.ts'
import { formsIn, visibleText } from '../../harness/visitor.ts'

const installation = useInstallation(withProxy)
const people = peopleCalls(installation)

const isSignedIn = async (who: ReturnType<typeof people.visitor>) =>
  (await who.get('/account')).status === 200

describe('from the form to the account', () => {
  it('a sign-up makes a company with two tenants, its owner and no key, and signs nobody in before the mail is opened', async () => {
    const { visitor, form, answer } = await people.signUp({ company: 'Scierie du Lac', country: 'CH' })
    expect(answer.location).toBe('/mail-sent')
    expect(visitor.cookies.size).toBe(0)
    expect(await isSignedIn(visitor)).toBe(false)
    const [company] = await installation.sql<{ id: string }>(
      `select id, name, tier, country, time_zone, currency, language, owner_email from companies where name = 'Scierie du Lac'`,
    )
    expect(company).toMatchObject({
      tier: 'starter',
      country: 'CH',
      time_zone: 'Europe/Zurich',
      currency: 'CHF',
      language: 'en',
      owner_email: form.email,
    })
    const tenants = await installation.sql<{ id: string; environment: string }>(
      'select id, environment from tenants where company_id = $1 order by environment',
      [company!.id],
    )
    expect(tenants.map(tenant => tenant.environment)).toEqual(['production', 'sandbox'])
    expect(
      await installation.sql('select 1 from api_keys where tenant_id = any ($1)', [
        tenants.map(tenant => tenant.id),
      ]),
    ).toEqual([])

    const mail = await people.mailTo(form.email)
    expect(mail.subject).toBe('Confirm your email address')
    const welcome = await people.confirm(visitor, mail)
    expect(welcome).toMatchObject({ status: 303, location: '/console' })
    const account = await visitor.get('/account')
    expect(account.status).toBe(200)
    expect(visibleText(account.html)).toContain('Scierie du Lac owner')
    expect((await people.auditEvents(company!.id)).map(event => event.type)).toEqual([
      'person.signed_up',
      'person.signed_in',
    ])
  })

  it('the password is kept as argon2id, at the cost of tests, with a salt of its own', async () => {
    const password = newPassword()
    const emails = [newEmail(), newEmail()]
    for (const email of emails) await people.newOwner({ email, password })
    const rows = await installation.sql<{ password_hash: string }>(
      'select password_hash from people where email = any ($1)',
      [emails],
    )
    expect(rows).toHaveLength(2)
    for (const { password_hash } of rows)
      expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(rows[0]!.password_hash).not.toBe(rows[1]!.password_hash)
  })

  it('the audit events say who and what, and neither names nor addresses', async () => {
    const { companyId, personId } = await people.newOwner()
    const auditEvents = await people.auditEvents(companyId)
    expect(auditEvents).toMatchObject([
      { type: 'person.signed_up', data: { personId }, actor: { kind: 'person', id: personId } },
      { type: 'person.signed_in', data: { personId, method: 'link' } },
    ])
    for (const { data, request_id } of auditEvents) {
      expect(JSON.stringify(data)).not.toMatch(/@|Camille/)
      expect(request_id).toEqual(expect.any(String))
    }
  })
})

describe('the link in the mail', () => {
  it('is not used up by looking at it, and works once', async () => {
    const { visitor, form } = await people.signUp()
    const link = people.linkIn(await people.mailTo(form.email))
    expect(link).toMatch(/^\/verify\?token=ml_[a-z][a-z0-9][0-9A-Za-z]{43}$/)
    const scanner = people.visitor()
    for (let i = 0; i < 3; i++) expect((await scanner.get(link)).status).toBe(200)
    const page = await visitor.get(link)
    const chosen = { password: newPassword() }
    expect((await visitor.submit(page, '/verify', chosen)).status).toBe(303)
    expect(await isSignedIn(visitor)).toBe(true)

    const thief = people.visitor()
    expect((await thief.get(link)).status).toBe(404)
    const again = await thief.submit(page, '/verify', { password: newPassword() })
    expect(again.status).toBe(404)
    expect(visibleText(again.html)).toContain('This link works no more')
    expect(thief.cookies.size).toBe(0)
  })

  it('pressed by several at once it lets one in', async () => {
    const { form } = await people.signUp()
    const link = people.linkIn(await people.mailTo(form.email))
    const visitors = Array.from({ length: 8 }, () => people.visitor())
    const pages = await Promise.all(visitors.map(who => who.get(link)))
    const answers = await Promise.all(
      visitors.map((who, i) => who.submit(pages[i]!, '/verify', { password: newPassword() })),
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([303, ...Array(7).fill(404)])
  })

  it('is dead after 24 hours; signing up again sends another, and so does asking for a password', async () => {
    const { visitor, form } = await people.signUp()
    const link = people.linkIn(await people.mailTo(form.email))
    const [row] = await installation.sql<{ life: number }>(
      `select extract(epoch from expires_at - l.created_at)::integer as life from mail_links l join people p on p.id = person_id where email = $1`,
      [form.email],
    )
    expect(row!.life).toBe(24 * 3_600)
    await installation.sql(
      `update mail_links set expires_at = $2 where person_id = (select id from people where email = $1)`,
      [form.email, new Date(Date.now() - 1_000).toISOString()],
    )
    const dead = await visitor.get(link)
    expect(dead.status).toBe(404)
    expect(visibleText(dead.html)).toContain('If not, ask for a new link.')
    expect(dead.html).toContain('href="/forgot"')
    const { answer } = await people.signUp({ email: form.email, company: 'Une autre' }, visitor)
    expect(answer.location).toBe('/mail-sent')
    const second = await people.mailTo(form.email, 2)
    expect(second.subject).toBe('Confirm your email address')
    await visitor.post('/forgot', { email: form.email })
    expect((await people.mailTo(form.email, 3)).subject).toBe('Choose a new password')
    expect((await people.confirm(visitor, second)).location).toBe('/console')
    expect(visibleText((await visitor.get('/account')).html)).not.toContain('Une autre')
  })

  it.each(['', 'ml_', 'ml_e1short', `ml_e1${'a'.repeat(43)}`, '%00', 'a&token=b'])(
    'made up as %j is answered like a dead one',
    async token => {
      const shown = await people.visitor().get(`/verify?token=${token}`)
      expect(shown.status).toBe(404)
    },
  )
})

describe('what is wrong with a form', () => {
  it('is said at the top, each line leading to its field, and what was typed is kept', async () => {
    const visitor = people.visitor()
    const page = await visitor.get('/sign-up')
    const answer = await visitor.submit(page, '/sign-up', {
      company: '',
      country: 'XX',
      name: 'Camille',
      email: 'nobody',
    })
    expect(answer.status).toBe(400)
    expect(answer.html).toMatch(/<title>Error: /)
    const links = [...answer.html.matchAll(/<li><a href="#(\w+)">/g)].map(match => match[1])
    expect(links).toEqual(['company', 'country', 'email'])
    for (const id of links) {
      expect(answer.html).toMatch(new RegExp(`id="${id}"[^>]*aria-invalid="true"`))
      expect(answer.html).toContain(`id="${id}-fault"`)
    }
    expect(formsIn(answer.html)[0]!.fields).toMatchObject({ name: 'Camille', email: 'nobody' })
  })

  it.each([
    ['12345678901', 'at least 12'],
    ['x'.repeat(201), 'at most 200'],
    ['123456789012', 'among the first'],
    ['Password123456', 'among the first'],
    ['MotDePasse2026!', 'among the first'],
    ['azertyuiop2026', 'among the first'],
    ['aaaaaaaaaaaaaa', 'among the first'],
    ['abcabcabcabc', 'among the first'],
    ['correcthorsebatterystaple', 'among the first'],
    ['SOMEONE-known@people.example', 'not your email address'],
  ])(
    'the password %s is refused, is not shown again, and leaves the link as it was',
    async (password, problem) => {
      const email = `someone-${randomBytes(3).toString('hex')}@people.example`
      const { visitor } = await people.signUp({ email })
      const mail = await people.mailTo(email)
      const typed = password.replace('SOMEONE-known@people.example', email.toUpperCase())
      const answer = await people.confirm(visitor, mail, typed)
      expect(answer.status).toBe(400)
      expect(visibleText(answer.html)).toContain(problem)
      expect(answer.html).not.toContain(`value="${typed}"`)
      expect(visitor.cookies.size).toBe(0)
      expect((await visitor.submit(answer, '/verify', { password: newPassword() })).status).toBe(303)
    },
  )

  it.each(['correct horse battery staple 9', 'łódź żółw gęś 12', '            spaces at the ends  '])(
    'the password %j is fine, and is the one to sign in with, however its letters are written',
    async password => {
      const known = await people.newOwner({ password })
      const typed = password.normalize('NFD')
      expect((await people.signIn(people.visitor(), known.email, typed)).location).toBe('/console')
      const trimmed = await people.signIn(people.visitor(), known.email, `${password} `)
      expect(trimmed.status).toBe(400)
    },
  )

  it('a form repeated twice in one request, or in another encoding, is no reason to fall over', async () => {
    const visitor = people.visitor()
    const headers = { origin: installation.server.baseUrl }
    const form = (type: string, body: string) =>
      visitor.send('POST', '/sign-up', { body, headers: { ...headers, 'content-type': type } })
    const urlencoded = 'application/x-www-form-urlencoded'
    expect((await form(urlencoded, 'email=a%40b.example&email=c%40d.example')).status).toBe(400)
    expect((await form(urlencoded, '%')).status).toBe(400)
    expect((await form(urlencoded, 'name=%ED%A0%80%00&company=%E2%80%AE')).status).toBe(400)
    expect((await form('multipart/form-data; boundary=x', '--x--')).status).toBe(400)
    expect((await form('application/json', '{}')).status).toBe(400)
    expect((await form(urlencoded, `name=${'x'.repeat(70_000)}`)).status).toBe(413)
  })
})
