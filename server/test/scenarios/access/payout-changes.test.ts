import { describe, expect, it } from 'vitest'
import { command } from '../../harness/operator.ts'
import { peopleCalls, type SignedUpPerson, withProxy } from '../../harness/people-calls.ts'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'
import { formsIn, visibleText } from '../../harness/visitor.ts'

const installation = useInstallation(withProxy)
const people = peopleCalls(installation)

const first = 'FR14 2004 1010 0505 0001 3M02 606'
const second = 'DE89 3704 0044 0532 0130 00'
const compact = (iban: string) => iban.replaceAll(' ', '')
const hour = 3_600_000

const pathOf = ({ companyId }: SignedUpPerson) => `/account/company?company=${companyId}`
const openPage = (person: SignedUpPerson) => person.visitor.get(pathOf(person))

async function setPayout(person: SignedUpPerson, fields: Record<string, string>) {
  const answer = await person.visitor.submit(await openPage(person), '/account/company/payout', fields)
  expect(answer.status, visibleText(answer.html)).toBe(303)
}

/** Another owner of the same company, since so many hours. */
async function addOwner(owner: SignedUpPerson, hours: number): Promise<SignedUpPerson> {
  const other = await people.newOwner()
  const since = new Date(Date.now() - hours * hour)
  await installation.sql(
    `insert into memberships (person_id, company_id, role, role_since, created_at) values ($1, $2, 'owner', $3, $3)`,
    [other.personId, owner.companyId, since],
  )
  return { ...other, companyId: owner.companyId }
}

const settingsOf = async ({ companyId }: SignedUpPerson) =>
  (
    await installation.sql<{ iban: string | null; legal_name: string | null }>(
      `select s.* from company_settings s join tenants t on t.id = s.tenant_id
        where t.company_id = $1 and t.environment = 'production'`,
      [companyId],
    )
  )[0]
const pendingOf = ({ companyId }: SignedUpPerson) =>
  installation.sql<{ field: string; value: string | null }>(
    `select p.field, p.value from payout_changes p join tenants t on t.id = p.tenant_id where t.company_id = $1 order by p.field`,
    [companyId],
  )
/** As if it had waited so long already. */
const ageChanges = ({ companyId }: SignedUpPerson, hours: number) =>
  installation.sql(
    `update payout_changes set effective_at = effective_at - $2 * interval '1 hour'
      where tenant_id in (select id from tenants where company_id = $1)`,
    [companyId, hours],
  )
const ageSession = ({ personId }: SignedUpPerson, minutes: number) =>
  installation.sql(
    `update sessions set created_at = created_at - $2 * interval '1 minute' where person_id = $1`,
    [personId, minutes],
  )
const auditOf = async ({ companyId }: SignedUpPerson) =>
  (await people.auditEvents(companyId))
    .filter(({ type }) => type.startsWith('company.'))
    .map(({ type, data, actor }) => ({ type: type.replace('company.payout_', ''), ...data, actor }))
const mailsAbout = (email: string) =>
  people.mailsTo(email).filter(({ text }) => text.includes('/account/company'))
/** The mail with these words in its subject or text; mails of one moment arrive in any order. */
const mailAbout = async (email: string, words: string) =>
  (await eventually(
    () => mailsAbout(email).find(({ subject, text }) => subject.includes(words) || text.includes(words)),
    found => found !== undefined,
  ))!
const apply = (owner: SignedUpPerson) =>
  eventually(
    () => pendingOf(owner),
    pending => pending.length === 0,
  )

describe('where money goes', () => {
  it('a first value counts at once, is audited with its end only, and is mailed to the owner', async () => {
    const owner = await people.newOwner()
    await setPayout(owner, { iban: first, replyEmail: 'compta@menuiserie.example' })
    expect(await settingsOf(owner)).toMatchObject({
      iban: compact(first),
      reply_email: 'compta@menuiserie.example',
    })
    expect(await pendingOf(owner)).toEqual([])
    const actor = { kind: 'person', id: owner.personId }
    const because = 'first_value'
    expect(await auditOf(owner)).toEqual([
      { type: 'applied', field: 'iban', from: null, to: 'FR14…2606', because, actor },
      { type: 'applied', field: 'replyEmail', from: null, to: 'c…@menuiserie.example', because, actor },
    ])
    const mail = await mailAbout(owner.email, 'Where you are paid has changed')
    expect(mail.text).toContain('IBAN: empty → FR14…2606')
    expect(mail.text).toContain(`Done by ${owner.email}.`)
    expect(mail.text).not.toContain(compact(first))
    expect(mailsAbout(owner.email)).toHaveLength(1)
  })

  it('a change waits a day: until then the debtor is asked for the old account, afterwards for the new one', async () => {
    const { companyId, productionKey } = installation.company
    await installation.server.setPayout(companyId, { iban: first })
    const owner = await addOwnerToTestCompany()
    await setPayout(owner, { iban: second })
    const { pendingChanges, iban } = (await installation.call('GET', '/api/v1/company')).body.data
    expect(iban).toBe(compact(first))
    expect(pendingChanges).toEqual([
      {
        field: 'iban',
        from: 'FR14…2606',
        to: 'DE89…3000',
        requestedAt: expect.any(String),
        effectiveAt: expect.any(String),
      },
    ])
    const [change] = pendingChanges as { requestedAt: string; effectiveAt: string }[]
    expect(Date.parse(change!.effectiveAt) - Date.parse(change!.requestedAt)).toBe(24 * hour)
    expect(await mailedIban(productionKey)).toBe(compact(first))

    await ageChanges(owner, 23.9)
    await new Promise(resolve => setTimeout(resolve, 1_500))
    expect(await settingsOf(owner)).toMatchObject({ iban: compact(first) })
    await ageChanges(owner, 0.2)
    await apply(owner)
    expect((await installation.call('GET', '/api/v1/company')).body.data).toMatchObject({
      iban: compact(second),
      pendingChanges: [],
    })
    expect(await mailedIban(productionKey)).toBe(compact(second))
    expect((await auditOf(owner)).slice(-2)).toMatchObject([
      {
        type: 'requested',
        from: 'FR14…2606',
        to: 'DE89…3000',
        actor: { kind: 'person', id: owner.personId },
      },
      { type: 'applied', because: 'waited', to: 'DE89…3000', actor: { kind: 'worker', id: 'payout' } },
    ])
    const requested = await mailAbout(
      owner.email,
      'Une modification de vos coordonnées de paiement est demandée',
    )
    const applied = await mailAbout(owner.email, 'Vos coordonnées de paiement ont changé')
    expect(requested.text).toContain('IBAN\u00a0: FR14…2606 → DE89…3000')
    expect(applied.text).toContain('Le délai de 24 heures est écoulé')
    // Also to the address the company was opened with, which belongs to no owner here.
    await mailAbout('comptabilite@atelier-martin.example', 'Le délai de 24 heures est écoulé')
  })

  it('a second owner of more than a day confirms, and both are told', async () => {
    const owner = await people.newOwner()
    const other = await addOwner(owner, 25)
    await setPayout(owner, { iban: first, legalName: 'Menuiserie SARL' })
    await setPayout(owner, { iban: second })
    expect(await settingsOf(owner)).toMatchObject({ iban: compact(first), legal_name: 'Menuiserie SARL' })

    const own = await openPage(owner)
    expect(formsIn(own.html).map(form => form.action)).not.toContain('/account/company/payout/confirm')
    expect(visibleText(own.html)).toContain('Another owner can confirm it.')
    const confirm = { ...formsIn(own.html).at(-1)!.fields, company: owner.companyId, field: 'iban' }
    const refused = await owner.visitor.post('/account/company/payout/confirm', confirm)
    expect([refused.status, visibleText(refused.html)]).toEqual([
      400,
      expect.stringContaining('You requested this change yourself'),
    ])

    const page = await openPage(other)
    const answer = await other.visitor.submit(page, '/account/company/payout/confirm')
    expect(answer.location).toBe(`${pathOf(owner)}&done=confirmed`)
    expect(await settingsOf(owner)).toMatchObject({ iban: compact(second) })
    expect(await pendingOf(owner)).toEqual([])
    const actor = { kind: 'person', id: other.personId }
    expect((await auditOf(owner)).slice(-2)).toMatchObject([
      { type: 'confirmed', field: 'iban', actor },
      { type: 'applied', field: 'iban', because: 'confirmed', actor },
    ])
    for (const email of [owner.email, other.email]) {
      const mail = await mailAbout(email, 'confirmed by a second owner')
      expect(mail.text).toContain(`Done by ${other.email}.`)
    }
    const again = await other.visitor.submit(page, '/account/company/payout/confirm')
    expect([again.status, visibleText(again.html)]).toEqual([
      400,
      expect.stringContaining('That was done already, or is gone.'),
    ])
  })

  it('an owner of less than a day confirms nothing, whether invited or promoted', async () => {
    const owner = await people.newOwner()
    const newer = await addOwner(owner, 23)
    await setPayout(owner, { iban: first })
    await setPayout(owner, { iban: second })
    const refused = await newer.visitor.submit(await openPage(newer), '/account/company/payout/confirm')
    expect([refused.status, visibleText(refused.html)]).toEqual([
      400,
      expect.stringContaining('an owner for less than 24 hours'),
    ])
    expect(await pendingOf(owner)).toHaveLength(1)

    await installation.sql(
      `update memberships set role = 'viewer', role_since = null, created_at = created_at - interval '90 days'
        where person_id = $1 and company_id = $2`,
      [newer.personId, owner.companyId],
    )
    const promoted = await owner.visitor.submit(await owner.visitor.get('/account'), '/account/owners', {
      [`owner-${owner.companyId}`]: newer.email,
    })
    expect(promoted.location).toContain('done=owner_added')
    const still = await newer.visitor.submit(await openPage(newer), '/account/company/payout/confirm')
    expect(visibleText(still.html)).toContain('an owner for less than 24 hours')
    expect(await settingsOf(owner)).toMatchObject({ iban: compact(first) })
  })

  it('once debtors know where to pay, a first value of another field waits too', async () => {
    const owner = await people.newOwner()
    await setPayout(owner, { iban: first })
    await setPayout(owner, { replyEmail: 'caisse@evil.example', accountHolder: 'Somebody Else' })
    expect(await settingsOf(owner)).toMatchObject({ reply_email: null, account_holder: null })
    expect((await pendingOf(owner)).map(({ field }) => field)).toEqual(['accountHolder', 'replyEmail'])
  })

  it.each(['is no longer an owner', 'has chosen a new password since'] as const)(
    'a change is withdrawn when it would count if whoever requested it %s',
    async what => {
      const owner = await people.newOwner()
      const requester = await addOwner(owner, 48)
      await setPayout(owner, { iban: first })
      await setPayout(requester, { iban: second })
      if (what === 'is no longer an owner') {
        const fields = { person: requester.personId }
        const path = '/account/company/members/remove'
        expect((await owner.visitor.submit(await openPage(owner), path, fields)).status).toBe(303)
      } else {
        await people.visitor().post('/forgot', { email: requester.email })
        const resets = () =>
          people.mailsTo(requester.email).filter(({ text }) => text.includes('/reset?token='))
        const [mail] = await eventually(resets, found => found.length > 0)
        expect((await people.confirm(people.visitor(), mail!)).status).toBe(303)
      }
      await ageChanges(owner, 24)
      await apply(owner)
      expect(await settingsOf(owner)).toMatchObject({ iban: compact(first) })
      expect((await auditOf(owner)).at(-1)).toMatchObject({
        type: 'withdrawn',
        field: 'iban',
        because: 'requester_ended',
        actor: { kind: 'worker' },
      })
      const mail = await mailAbout(owner.email, 'A change of where you are paid was withdrawn')
      expect(mail.text).toContain('Whoever requested it is no longer an owner, or has chosen a new password')
    },
  )

  it('any owner withdraws, also long after signing in; nothing changes, and all are told', async () => {
    const owner = await people.newOwner()
    const other = await addOwner(owner, 1)
    await setPayout(owner, { iban: first })
    await setPayout(owner, { iban: second })
    await ageSession(other, 60)
    const answer = await other.visitor.submit(await openPage(other), '/account/company/payout/withdraw')
    expect(answer.location).toBe(`${pathOf(owner)}&done=withdrawn`)
    expect([await pendingOf(owner), (await settingsOf(owner))!.iban]).toEqual([[], compact(first)])
    expect((await auditOf(owner)).at(-1)).toMatchObject({
      type: 'withdrawn',
      because: 'withdrawn',
      field: 'iban',
    })
    for (const email of [owner.email, other.email])
      await mailAbout(email, 'A change of where you are paid was withdrawn')
  })

  it('a later change takes the place of one that waits, and the day begins anew', async () => {
    const owner = await people.newOwner()
    await setPayout(owner, { iban: first })
    await setPayout(owner, { iban: second })
    await ageChanges(owner, 20)
    await setPayout(owner, { iban: second })
    expect((await auditOf(owner)).map(({ type }) => type)).toEqual(['applied', 'requested'])
    await setPayout(owner, { iban: '' })
    expect(await pendingOf(owner)).toEqual([{ field: 'iban', value: null }])
    expect((await auditOf(owner)).slice(-2)).toMatchObject([
      { type: 'withdrawn', because: 'replaced', to: 'DE89…3000' },
      { type: 'requested', from: 'FR14…2606', to: null },
    ])
    await ageChanges(owner, 20)
    await new Promise(resolve => setTimeout(resolve, 1_500))
    expect(await pendingOf(owner)).toHaveLength(1)
    await ageChanges(owner, 4)
    await apply(owner)
    expect(await settingsOf(owner)).toMatchObject({ iban: null })
  })

  it('ten minutes after signing in nothing is changed or confirmed: the page asks to sign in again and leads back', async () => {
    const owner = await people.newOwner()
    const fresh = await openPage(owner)
    await ageSession(owner, 11)
    const again = `/sign-in?again=company&next=${encodeURIComponent(pathOf(owner))}`
    const answer = await owner.visitor.submit(fresh, '/account/company/payout', { iban: first })
    expect([answer.status, answer.location]).toEqual([303, again])
    expect(await settingsOf(owner)).toBeUndefined()
    const page = await openPage(owner)
    expect(formsIn(page.html).map(form => form.action)).not.toContain('/account/company/payout')
    const door = await owner.visitor.get(again)
    expect(visibleText(door.html)).toContain('To change where money goes')
    const back = await owner.visitor.submit(door, '/sign-in', { password: owner.password })
    expect(back.location).toBe(pathOf(owner))
    await setPayout(owner, { iban: first })
    expect(await settingsOf(owner)).toMatchObject({ iban: compact(first) })
  })

  it('two owners who change the same field at once leave one change, and both are in the audit log', async () => {
    const owner = await people.newOwner()
    const other = await addOwner(owner, 30)
    await setPayout(owner, { iban: first })
    const belgian = 'BE68 5390 0754 7034'
    await Promise.all([setPayout(owner, { iban: second }), setPayout(other, { iban: belgian })])
    expect(await pendingOf(owner)).toHaveLength(1)
    expect((await auditOf(owner)).map(({ type }) => type).sort()).toEqual([
      'applied',
      'requested',
      'requested',
      'withdrawn',
    ])
  })
})

let members = 0
/** An owner of the installation's own company, which is French. */
async function addOwnerToTestCompany(): Promise<SignedUpPerson> {
  const owner = await people.newOwner({ name: `Owner ${++members}` })
  const { companyId } = installation.company
  await installation.sql(
    `insert into memberships (person_id, company_id, role, created_at) values ($1, $2, 'owner', $3)`,
    [owner.personId, companyId, new Date()],
  )
  return { ...owner, companyId }
}

/** The account that the first message of a new invoice asks to pay to. */
async function mailedIban(key: string): Promise<string> {
  const input = invoiceInput()
  await installation.call('POST', '/api/v1/invoices', { body: input, key })
  const mail = await eventually(
    () => installation.server.mailbox.messages().find(sent => sent.to === input.debtor.email),
    sent => sent !== undefined,
  )
  return /IBAN\s*:?\s*((?:[A-Z0-9]{1,4} ?)+)/.exec(mail!.text)![1]!.replaceAll(/\s/g, '')
}

const relance = command(installation)

describe('the operator', () => {
  it('sets where money goes: a first value at once, a change after a day, and at once when asked to', async () => {
    const owner = await people.newOwner()
    const { companyId } = owner
    await installation.server.setPayout(companyId, { iban: first })
    const args = [
      'company',
      'set',
      '--company',
      companyId,
      '--iban',
      second,
      '--account-holder',
      'Menuiserie',
    ]
    expect((await relance(...args)).out).toMatch(
      /^(iban|accountHolder) changes at 20.*\n(iban|accountHolder) changes at 20.*\nall owners are told by mail\n$/,
    )
    expect(await settingsOf(owner)).toMatchObject({ iban: compact(first), account_holder: null })
    expect((await mailAbout(owner.email, 'it takes effect on')).text).toContain(
      'Done by the operator of Relance.',
    )
    await installation.server.setPayout(companyId, { iban: 'BE68 5390 0754 7034' })
    expect([await pendingOf(owner), (await settingsOf(owner))!.iban]).toEqual([
      [{ field: 'accountHolder', value: 'Menuiserie' }],
      'BE68539007547034',
    ])
    expect((await auditOf(owner)).slice(-2)).toMatchObject([
      { type: 'withdrawn', because: 'replaced', to: 'DE89…3000', actor: { kind: 'operator' } },
      { type: 'applied', because: 'operator', to: 'BE68…7034', actor: { kind: 'operator' } },
    ])
  })

  it('is told what is wrong with a value, and nothing changes', async () => {
    const owner = await people.newOwner()
    const { companyId } = owner
    expect(await relance('company', 'set', '--company', companyId, '--iban', 'FR00')).toEqual({
      code: 5,
      out: expect.stringMatching(/is not an IBAN/),
    })
    const { setPayout: set } = installation.server
    const nobody = '018f0000-0000-7000-8000-000000000000'
    await expect(set(nobody, { iban: first })).rejects.toThrow(/There is no company/)
    await expect(set(companyId, {})).rejects.toThrow(/nothing to change/)
    expect(await settingsOf(owner)).toBeUndefined()
  })
})
