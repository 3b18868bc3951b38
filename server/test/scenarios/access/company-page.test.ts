import { beforeAll, describe, expect, it } from 'vitest'
import { lookupOf } from '../../../src/features/access/api-keys/key-format.ts'
import { type Role, roles } from '../../../src/features/access/roles.ts'
import { operatorCalls } from '../../harness/operator.ts'
import { newEmail, peopleCalls, type SignedUpPerson, withProxy } from '../../harness/people-calls.ts'
import { useInstallation } from '../../harness/use-installation.ts'
import { formsIn, visibleText } from '../../harness/visitor.ts'

const installation = useInstallation(withProxy)
const people = peopleCalls(installation)
const operator = operatorCalls(installation)

const iban = 'FR14 2004 1010 0505 0001 3M02 606'
let owner: SignedUpPerson
const members = {} as Record<Role, SignedUpPerson>

const openPage = (person: SignedUpPerson, companyId = owner.companyId) =>
  person.visitor.get(`/account/company?company=${companyId}`)
const actionsOf = (html: string) => [
  ...new Set(
    formsIn(html)
      .map(form => form.action)
      .filter(action => action.startsWith('/account/company')),
  ),
]

async function addMember(role: Role): Promise<SignedUpPerson> {
  const person = await people.newOwner()
  await installation.sql(
    'insert into memberships (person_id, company_id, role, created_at) values ($1, $2, $3, $4)',
    [person.personId, owner.companyId, role, new Date()],
  )
  return person
}

const settingsOf = async (companyId: string) =>
  (
    await installation.sql(
      `select s.* from company_settings s join tenants t on t.id = s.tenant_id
        where t.company_id = $1 and t.environment = 'production'`,
      [companyId],
    )
  )[0]

/** Everything the page writes for a company, to see that a refusal wrote nothing. */
const stateOf = (companyId: string) =>
  installation.sql(
    `select (select jsonb_agg(to_jsonb(s)) from company_settings s where s.tenant_id = any (t.ids)) as settings,
            (select jsonb_agg(to_jsonb(p)) from payout_changes p where p.tenant_id = any (t.ids)) as pending,
            (select jsonb_agg(to_jsonb(m) order by m.person_id) from memberships m where m.company_id = $1) as members,
            (select jsonb_agg(to_jsonb(i) order by i.id) from invitations i where i.company_id = $1) as invitations,
            (select jsonb_agg(k.id || ' ' || k.enabled order by k.id) from api_keys k where k.tenant_id = any (t.ids)) as keys
       from (select array_agg(id) as ids from tenants where company_id = $1) t`,
    [companyId],
  )

beforeAll(async () => {
  owner = await people.newOwner()
  await operator.open(owner.companyId)
  for (const role of roles) members[role] = await addMember(role)
  const page = await openPage(owner)
  await owner.visitor.submit(page, '/account/company/payout', { iban, legalName: 'Menuiserie SARL' })
})

const all = [
  '/account/company/payout',
  '/account/company/payout/confirm',
  '/account/company/payout/withdraw',
  '/account/company/address',
  '/account/company/members/invite',
  '/account/company/members/role',
  '/account/company/members/remove',
  '/account/company/members/alerts',
  '/account/company/invitations/withdraw',
  '/account/company/keys/create',
  '/account/company/keys/delete',
]
/** Everybody decides whether they are mailed about debtors. */
const ownMails = ['/account/company/members/alerts']
const allowed: Record<Role, readonly string[]> = {
  owner: all,
  manager: [...ownMails, '/account/company/address'],
  agent: ownMails,
  viewer: ownMails,
  developer: [...ownMails, '/account/company/keys/create', '/account/company/keys/delete'],
}

describe('the page of a company', () => {
  it.each(roles)('shows the role %s what it may do, and the whole IBAN to owners only', async role => {
    const { html, status } = await openPage(members[role])
    expect(status).toBe(200)
    const offered = actionsOf(html)
    for (const action of offered) expect(allowed[role]).toContain(action)
    expect(offered.includes('/account/company/payout')).toBe(role === 'owner')
    expect(html.includes(iban)).toBe(role === 'owner')
    expect(html).not.toContain(role === 'owner' ? 'FR14…2606' : iban.replaceAll(' ', ''))
    expect(visibleText(html).includes('Members')).toBe(role === 'owner')
    expect(visibleText(html).includes('API keys')).toBe(role === 'owner' || role === 'developer')
  })

  it.each(roles.filter(role => role !== 'owner'))(
    'refuses to the role %s every form it is not for',
    async role => {
      const { visitor } = members[role]
      const { csrf } = formsIn((await visitor.get('/account')).html)[0]!.fields
      const [key] = await installation.sql<{ id: string }>('select id from api_keys limit 1')
      const before = await stateOf(owner.companyId)
      const fields = {
        csrf: csrf!,
        company: owner.companyId,
        iban: 'DE89370400440532013000',
        field: 'iban',
        address: 'x',
        email: newEmail(),
        role: 'owner',
        person: owner.personId,
        invitation: key!.id,
        key: key!.id,
        name: 'Mine',
        environment: 'production',
        access: 'all',
      }
      for (const action of all.filter(one => !allowed[role].includes(one)))
        expect((await visitor.post(action, fields)).status, action).toBe(403)
      // Of themselves they may decide, of the owner not.
      expect((await visitor.post(ownMails[0]!, fields)).status).toBe(403)
      expect(await stateOf(owner.companyId)).toEqual(before)
    },
  )

  it('is not there for a company one does not belong to, and no form reaches it', async () => {
    const stranger = await people.newOwner()
    expect((await openPage(stranger)).status).toBe(404)
    const { csrf } = formsIn((await stranger.visitor.get('/account')).html)[0]!.fields
    const before = await stateOf(owner.companyId)
    for (const action of all) {
      const answer = await stranger.visitor.post(action, {
        csrf: csrf!,
        company: owner.companyId,
        iban,
        field: 'iban',
      })
      expect(answer.status, action).toBe(404)
    }
    expect(await stateOf(owner.companyId)).toEqual(before)
  })

  it('takes no form without the token of its session, or from elsewhere', async () => {
    const before = await stateOf(owner.companyId)
    const { csrf } = formsIn((await openPage(owner)).html)[0]!.fields
    const fields = { company: owner.companyId, iban: 'DE89370400440532013000' }
    for (const action of all) {
      expect((await owner.visitor.post(action, fields)).status).toBe(403)
      const headers = { origin: 'https://elsewhere.example' }
      expect((await owner.visitor.post(action, { ...fields, csrf: csrf! }, { headers })).status).toBe(403)
    }
    expect(await stateOf(owner.companyId)).toEqual(before)
  })

  it('says beside the field what is wrong, keeps what was typed, and changes nothing', async () => {
    const before = await stateOf(owner.companyId)
    const typed = {
      iban: 'FR14 2004',
      replyEmail: 'nobody',
      accountHolder: 'x'.repeat(71),
    }
    const answer = await owner.visitor.submit(await openPage(owner), '/account/company/payout', typed)
    expect(answer.status).toBe(400)
    const text = visibleText(answer.html)
    for (const sentence of ['This is not an IBAN', 'Enter an email address like', 'at most 70'])
      expect(text).toContain(sentence)
    expect(
      formsIn(answer.html).find(form => form.action === '/account/company/payout')!.fields,
    ).toMatchObject(typed)
    expect(await stateOf(owner.companyId)).toEqual(before)
  })

  it.each([
    ['a script', '<script>alert(1)</script>', 200],
    ['an attribute', '"><img src=x onerror=alert(1)>', 200],
    ['a statement', "'; drop table people; --", 200],
    ['a bidi override', '\u202eMARLA', 400],
    ['a NUL', 'a\u0000b', 400],
    ['too many characters', '\ud83d\ude00'.repeat(300), 400],
  ])('%s in a name is stored as text or refused, and shown escaped', async (_, text, status) => {
    const person = await people.newOwner()
    const page = await openPage(person, person.companyId)
    const fields = { legalName: text, accountHolder: text.slice(0, 60) }
    const answer = await person.visitor.submit(page, '/account/company/payout', fields)
    expect(answer.status).toBe(status === 200 ? 303 : 400)
    const shown = status === 200 ? (await openPage(person, person.companyId)).html : answer.html
    expect(shown).not.toMatch(/<script>alert|<img src=x/)
    const stored = await settingsOf(person.companyId)
    expect(stored?.legal_name ?? null).toBe(status === 200 ? text : null)
  })

  it('a field that is sent twice, or not at all, is left as it is', async () => {
    const before = await settingsOf(owner.companyId)
    const { csrf } = formsIn((await openPage(owner)).html)[0]!.fields
    const form = new URLSearchParams({ csrf: csrf!, company: owner.companyId, legalName: 'Menuiserie SARL' })
    form.append('iban', 'DE89370400440532013000')
    form.append('iban', iban)
    const answer = await owner.visitor.send('POST', '/account/company/payout', {
      body: form.toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: installation.server.baseUrl,
      },
    })
    expect(answer.status).toBe(303)
    expect(await settingsOf(owner.companyId)).toMatchObject({
      iban: before!.iban,
      legal_name: before!.legal_name,
    })
    const waiting = await installation.sql(
      'select 1 from payout_changes p join tenants t on t.id = p.tenant_id where t.company_id = $1',
      [owner.companyId],
    )
    expect(waiting).toEqual([])
  })
})

describe('without a programmer an owner', () => {
  it('sets the postal address', async () => {
    const fields = {
      address: '4 rue du Port',
      postalCode: '44000',
      city: 'Nantes',
      legalForm: 'SAS au capital de 1 000 €',
      rcs: 'Nantes',
      'mediator.name': 'Médiation Exemple',
      'mediator.website': 'www.mediation.example',
    }
    const answer = await owner.visitor.submit(await openPage(owner), '/account/company/address', fields)
    expect(answer.location).toContain('done=address')
    expect(await settingsOf(owner.companyId)).toMatchObject({
      address: '4 rue du Port',
      postal_code: '44000',
      city: 'Nantes',
      iban: iban.replaceAll(' ', ''),
      legal_form: 'SAS au capital de 1 000 €',
      rcs: 'Nantes',
      mediator_name: null,
    })
    // Debtors know an account already, so the mediator waits like another account.
    expect((await openPage(owner)).html).toContain('Médiation Exemple, www.mediation.example')
    const nameless = { ...fields, 'mediator.name': '' }
    const refused = await owner.visitor.submit(await openPage(owner), '/account/company/address', nameless)
    expect(refused.html).toMatch(/id="mediator.name-fault"/)
    const formOnly = await owner.visitor.submit(await openPage(owner), '/account/company/address', {
      ...fields,
      legalForm: 'SARL',
    })
    expect(formOnly.html).toMatch(/id="legalForm-fault"/)
    expect(formOnly.html).toMatch(/au capital de 10 000 €/)
  })

  it('invites, withdraws, changes a role and removes a member, each in the audit log as their own act', async () => {
    const person = await people.newOwner()
    const page = () => openPage(person, person.companyId)
    const email = newEmail()
    for (const address of [email, newEmail()]) {
      const invited = await person.visitor.submit(await page(), '/account/company/members/invite', {
        email: address,
        role: 'agent',
      })
      expect(invited.location).toContain('done=invited')
    }
    await person.visitor.submit(await page(), '/account/company/invitations/withdraw')
    const guest = people.visitor()
    const link = people.linkIn(await people.mailTo(email))
    await guest.submit(await guest.get(link), '/invitation', {
      name: 'Guest',
      password: 'quite a long password 7',
    })
    const roleForm = async () =>
      formsIn((await page()).html)
        .filter(form => form.action === '/account/company/members/role')
        .findIndex(form => form.fields.person !== person.personId)
    const at = await roleForm()
    const changed = await person.visitor.submit(
      await page(),
      '/account/company/members/role',
      { role: 'viewer' },
      at,
    )
    expect(changed.location).toContain('done=role')
    const last = await person.visitor.submit(
      await page(),
      '/account/company/members/role',
      { role: 'viewer' },
      1 - at,
    )
    expect([last.status, visibleText(last.html)]).toEqual([
      400,
      expect.stringContaining('This is the last owner.'),
    ])
    const removed = await person.visitor.submit(await page(), '/account/company/members/remove', {}, at)
    expect(removed.location).toContain('done=removed')
    const events = (await people.auditEvents(person.companyId)).filter(({ type }) =>
      type.startsWith('member.'),
    )
    expect(events.map(({ type }) => type)).toEqual([
      'member.invited',
      'member.invited',
      'member.invitation_withdrawn',
      'member.joined',
      'member.role_changed',
      'member.removed',
    ])
    for (const { type, actor } of events)
      if (type !== 'member.joined') expect(actor).toEqual({ kind: 'person', id: person.personId })
  })

  it.each(['production', 'sandbox'])(
    'makes a %s key that is shown once, and deletes it',
    async environment => {
      const person = await people.newOwner()
      await operator.open(person.companyId)
      const page = () => openPage(person, person.companyId)
      const made = await person.visitor.submit(await page(), '/account/company/keys/create', {
        name: 'Accounting',
        environment,
        access: 'read',
      })
      expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store'])
      const [key] = /fk_(live|test)_\w+/.exec(visibleText(made.html))!
      expect(lookupOf(key)).not.toBeNull()
      expect((await installation.call('GET', '/api/v1/invoices', { key })).status).toBe(200)
      expect((await installation.call('GET', '/api/v1/api-keys', { key })).status).toBe(403)
      const later = await page()
      expect(later.html).not.toContain(key)
      const deleted = await person.visitor.submit(later, '/account/company/keys/delete')
      expect(deleted.location).toContain('done=key_deleted')
      expect((await installation.call('GET', '/api/v1/invoices', { key })).status).toBe(401)
      const events = await installation.sql<{ type: string; actor: unknown }>(
        `select e.type, e.actor from audit_log e join tenants t on t.id = e.tenant_id
        where t.company_id = $1 and t.environment = $2 and e.type like 'api\\_key.%' order by e.id`,
        [person.companyId, environment],
      )
      const actor = { kind: 'person', id: person.personId }
      expect(events).toEqual([
        { type: 'api_key.created', actor },
        { type: 'api_key.deleted', actor },
      ])
    },
  )

  it('a developer makes a key that can do no more than they can, and deletes none that can', async () => {
    const { visitor } = members.developer
    const made = await visitor.submit(await openPage(members.developer), '/account/company/keys/create', {
      name: 'Dev',
      environment: 'production',
      access: 'all',
    })
    const [key] = /fk_live_\w+/.exec(visibleText(made.html))!
    const [row] = await installation.sql<{ scopes: string[] }>(
      'select scopes from api_keys where lookup = $1',
      [lookupOf(key!)],
    )
    expect(row!.scopes).toContain('webhooks:manage')
    expect(row!.scopes).not.toContain('invoices:write')
    await owner.visitor.submit(await openPage(owner), '/account/company/keys/create', {
      name: 'Everything',
      environment: 'production',
      access: 'all',
    })
    const page = await openPage(members.developer)
    const refused = await visitor.submit(page, '/account/company/keys/delete')
    expect([refused.status, visibleText(refused.html)]).toEqual([
      400,
      expect.stringContaining('can do more than you'),
    ])
  })
})

it('in French it reads French', async () => {
  const { html } = await owner.visitor.get(`/account/company?company=${owner.companyId}&lang=fr`)
  expect(visibleText(html)).toContain('Coordonnées de paiement')
  expect(actionsOf(html).every(action => action.endsWith('?lang=fr'))).toBe(true)
  expect(html).toContain('Compte des paiements par carte\u00a0: <strong>vide</strong>')
})

it('a company that is switched off says so', async () => {
  const person = await people.newOwner()
  await operator.close(person.companyId)
  const page = await openPage(person, person.companyId)
  expect([page.status, visibleText(page.html)]).toEqual([403, expect.stringContaining('switched off')])
})

it('without a company there is nothing to change', async () => {
  const person = await people.newOwner()
  await installation.sql('delete from memberships where person_id = $1', [person.personId])
  const page = await person.visitor.get('/account/company')
  expect([page.status, visibleText(page.html)]).toEqual([
    200,
    expect.stringContaining('You belong to no company yet.'),
  ])
})
