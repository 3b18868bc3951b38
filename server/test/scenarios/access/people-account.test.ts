import { describe, expect, it } from 'vitest'
import { uuidv7 } from '../../../src/kit/uuid.ts'
import { newPassword, peopleCalls, type SignedUpPerson, withProxy } from '../../harness/people-calls.ts'
import { useSecondApi } from '../../harness/second-api.ts'
import { randomAddress, tokenCalls } from '../../harness/tokens.ts'
import { useInstallation } from '../../harness/use-installation.ts'
import { formsIn, type Visitor, visibleText } from '../../harness/visitor.ts'

const installation = useInstallation(withProxy)
const people = peopleCalls(installation)
const second = useSecondApi(installation)

const isSignedIn = async (who: Visitor) =>
  (await who.get('/account')).status === 200 && (await who.get('/account', { at: second.url })).status === 200

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

it('name and language can be changed, and the page speaks the new language at once', async () => {
  const { visitor } = await people.newOwner({ language: 'en' })
  const page = await visitor.get('/account')
  expect(page.html).toContain('<html lang="en">')
  const answer = await visitor.submit(page, '/account/profile', { name: 'Dominique Test', language: 'fr' })
  expect(answer.location).toBe('/account?done=profile')
  const after = await visitor.get(answer.location!)
  expect(after.html).toContain('<html lang="fr">')
  expect(visibleText(after.html)).toContain('Vos informations sont enregistrées.')
  expect(visibleText(after.html)).toContain('Dominique Test')
  const refused = await visitor.submit(after, '/account/profile', { name: ' ', language: 'xx' })
  expect(refused.status).toBe(400)
})

describe('sessions', () => {
  it('are listed with their browser, address and how they began; each can be ended, one’s own included', async () => {
    const known = await people.newOwner()
    const address = randomAddress()
    const desk = people.visitor({ agent: chrome, address })
    expect((await people.signIn(desk, known.email, known.password)).status).toBe(303)
    const page = await known.visitor.get('/account')
    const text = visibleText(page.html)
    expect(text).toContain(`Chrome, Windows ${address}, by password, since`)
    expect(text).toMatch(/Firefox, Linux this one [\d.]+, by a link in a mail/)
    // The newest first.
    const ended = await known.visitor.submit(page, '/account/sessions/end')
    expect(ended.location).toBe('/account?done=session')
    expect(await isSignedIn(desk)).toBe(false)
    expect(await isSignedIn(known.visitor)).toBe(true)
    await known.visitor.submit(await known.visitor.get('/account'), '/account/sessions/end')
    expect(await isSignedIn(known.visitor)).toBe(false)
  })

  it('that were ended one by one are told in the book of the company; one there is not is not', async () => {
    const known = await people.newOwner()
    const desk = people.visitor()
    await people.signIn(desk, known.email, known.password)
    const page = await known.visitor.get('/account')
    for (const _ of [1, 2]) await known.visitor.submit(page, '/account/sessions/end')
    const ended = (await people.auditEvents(known.companyId)).filter(
      event => event.type === 'person.session_ended',
    )
    expect(ended).toMatchObject([
      { data: { personId: known.personId }, actor: { kind: 'person', id: known.personId } },
    ])
    expect(visibleText((await known.visitor.get('/account')).html)).toContain('ended one of their sessions')
  })

  it('of somebody else cannot be ended', async () => {
    const [one, other] = [await people.newOwner(), await people.newOwner()]
    const [row] = await installation.sql<{ hash: string }>(
      `select encode(token_hash, 'hex') as hash from sessions where person_id = $1`,
      [other.personId],
    )
    const session = Buffer.from(row!.hash, 'hex').toString('base64url')
    await one.visitor.submit(await one.visitor.get('/account'), '/account/sessions/end', { session })
    expect(await isSignedIn(other.visitor)).toBe(true)
  })

  it('all end at once, everywhere, and nobody else’s', async () => {
    const [known, other] = [await people.newOwner(), await people.newOwner()]
    const more = [people.visitor(), people.visitor()]
    for (const who of more) await people.signIn(who, known.email, known.password)
    const answer = await known.visitor.submit(
      await known.visitor.get('/account'),
      '/account/sessions/end-all',
    )
    expect(answer.location).toBe('/sign-in?done=out')
    for (const who of [known.visitor, ...more]) expect(await isSignedIn(who)).toBe(false)
    expect(await isSignedIn(other.visitor)).toBe(true)
    expect((await people.auditEvents(known.companyId)).at(-1)).toMatchObject({
      type: 'person.signed_out_everywhere',
      data: { sessions: 3 },
    })
  })
})

describe('the password', () => {
  it('is changed by who knows it; every other session ends, and this one goes on under a new name', async () => {
    const known = await people.newOwner()
    const other = people.visitor()
    await people.signIn(other, known.email, known.password)
    const before = known.visitor.cookies.get('__Host-relance')
    const password = newPassword()
    const page = await known.visitor.get('/account')
    const fields = { current: known.password, password }
    expect((await known.visitor.submit(page, '/account/password', fields)).location).toBe(
      '/account?done=password',
    )
    expect(known.visitor.cookies.get('__Host-relance')).not.toBe(before)
    expect(await isSignedIn(known.visitor)).toBe(true)
    expect(await isSignedIn(other)).toBe(false)
    expect((await people.signIn(other, known.email, known.password)).status).toBe(400)
    expect((await people.signIn(other, known.email, password)).status).toBe(303)
    expect((await people.auditEvents(known.companyId)).map(event => event.type)).toContain(
      'person.password_changed',
    )
  })

  it('is not guessed on this page either: ten wrong ones are all there are', async () => {
    const known = await people.newOwner()
    const page = await known.visitor.get('/account')
    const tried = (current: string) =>
      known.visitor.submit(page, '/account/password', { current, password: newPassword() })
    for (let i = 0; i < 10; i++) expect((await tried('not this one')).status).toBe(400)
    const answer = await tried(known.password)
    expect(answer.status).toBe(400)
    expect(visibleText(answer.html)).toContain(
      'The present password is not right, or there were too many attempts',
    )
    expect(answer.html).toMatch(/<a href="#current">/)
  })
})

describe('applications', () => {
  const tokens = tokenCalls(installation)

  it('are named with what they may do, and one that is withdrawn is out with its next request', async () => {
    const known = await people.newOwner()
    const { visitor, personId, companyId } = known
    await tokens.addMember(personId, 'manager')
    const client = await tokens.client({ name: 'Compta <Plus>' })
    const companyIds = [installation.company.companyId, companyId]
    const scopes = ['invoices:read', 'lrar:send'] as const
    const { accessToken, grantId } = await tokens.consent({
      client,
      personId,
      companyIds,
      scopes: [...scopes],
    })
    const tries = { token: accessToken, companyId: installation.company.companyId }
    const list = (baseUrl: string) => tokens.call('GET', '/api/v1/invoices', undefined, { ...tries, baseUrl })
    expect((await list(second.url)).status).toBe(200)

    const page = await visitor.get('/account')
    const text = visibleText(page.html)
    expect(text).toContain('Compta <Plus>')
    expect(text).toContain('in Atelier Martin, Menuiserie Exemple')
    expect(text).toContain(
      'It may look at data See invoices and their status It may send messages or spend money',
    )
    expect(text).toContain('spend money Send registered letters')

    const stranger = await people.newOwner()
    const withdraw = async ({ visitor: who }: SignedUpPerson, grant: string) => {
      const { csrf } = formsIn((await who.get('/account')).html)[0]!.fields
      return who.post('/account/applications/withdraw', { csrf: csrf!, grant })
    }
    await withdraw(stranger, grantId)
    expect((await list(second.url)).status).toBe(200)

    const answer = await visitor.submit(page, '/account/applications/withdraw')
    expect(answer.location).toBe('/account?done=application')
    for (const url of [installation.server.baseUrl, second.url])
      expect((await list(url)).body.error.code).toBe('AUTH_002')
    const [grant] = await installation.sql('select revoked_because from oauth_grants where id = $1', [
      grantId,
    ])
    expect(grant).toEqual({ revoked_because: 'person' })
    for (const id of companyIds)
      expect((await people.auditEvents(id)).at(-1)).toMatchObject({
        type: 'person.access_withdrawn',
        data: { personId, grantId, clientId: client.clientId },
      })
    expect(visibleText((await visitor.get('/account')).html)).toContain('No application has access.')
    for (const grant of ['', 'x', grantId]) expect((await withdraw(known, grant)).status).toBe(303)
  })
})

describe('what concerns the security of a company', () => {
  it('is shown to its owners, the latest first, and to nobody else', async () => {
    const owner = await people.newOwner({ company: 'Vue des actes', name: 'Olive Propriétaire' })
    const agent = await people.newOwner({ name: 'Alix Agent' })
    await installation.sql(
      `insert into memberships (person_id, company_id, role, created_at) values ($1, $2, 'manager', $3)`,
      [agent.personId, owner.companyId, new Date().toISOString()],
    )
    await people.signIn(people.visitor(), agent.email, agent.password)
    const text = visibleText((await owner.visitor.get('/account')).html)
    const [, auditEvents = ''] = text.split('What concerns the security of your companies')
    expect(auditEvents).toMatch(
      /Alix Agent signed in Vue des actes.*Olive Propriétaire signed in Vue des actes.*Olive Propriétaire opened the account Vue des actes/,
    )
    const theirs = visibleText((await agent.visitor.get('/account')).html)
    expect(theirs).not.toContain('Olive Propriétaire')
    expect(theirs.split('What concerns')[1]).not.toContain('Vue des actes')
  })

  it('is no more than fifty of them', async () => {
    const owner = await people.newOwner()
    const ids = Array.from({ length: 60 }, () => uuidv7(Date.now()))
    await installation.sql(
      `insert into audit_log (tenant_id, id, type, schema_version, subject_id, data, actor, occurred_at, recorded_at)
       select t.id, x.id, 'person.signed_in', 1, $2::text, '{}', jsonb_build_object('kind', 'person', 'id', $2::text), $4, $4
         from tenants t cross join unnest($3::uuid[]) as x(id)
        where t.company_id = $1 and t.environment = 'production'`,
      [owner.companyId, owner.personId, ids, new Date().toISOString()],
    )
    const { html } = await owner.visitor.get('/account')
    const [, auditEvents = ''] = html.split('id="acts"')
    expect(auditEvents.match(/<li>/g)?.length).toBe(50)
  })
})
