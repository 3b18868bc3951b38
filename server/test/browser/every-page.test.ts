import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { plainSha256 } from '../../src/kit/crypto.ts'
import { type App, authorization, newCode, newPkce } from '../scenarios/access/oauth/oauth-calls.ts'
import { chromiumPath } from './chromium.ts'
import { expectAccessiblePage, expectContrastAtNight } from './page-checks.ts'
import { useBrowser } from './use-browser.ts'
import { type AddedPerson, password, usePeopleFixture } from './use-people-fixture.ts'

type Language = 'fr' | 'en'
const names = { fr: 'Camille Martin', en: 'Alex Taylor' }

/** `npm run pictures` saves these screenshots in docs/pictures. */
describe.skipIf(!chromiumPath)('a page is readable, fits a phone and stands in nobody’s way', () => {
  const fixture = usePeopleFixture()
  const { newPage } = useBrowser()
  let people = 0

  const addMember = (language: Language, isMember = true): Promise<AddedPerson> =>
    fixture.addPersonWithPassword(
      {
        name: names[language],
        email: `${names[language].split(' ')[0]!.toLowerCase()}${++people}@example.com`,
        language,
      },
      isMember ? { [fixture.martin.companyId]: 'owner', [fixture.petit.companyId]: 'viewer' } : {},
    )
  const signedIn = async (person: AddedPerson): Promise<Page> =>
    newPage({ cookie: await fixture.sessionFor(person), at: fixture.issuer })
  const application = (environment: 'production' | 'sandbox') =>
    fixture.addApplication('Comptoir Facture', {
      environment,
      redirectUris: ['https://comptoir-facture.example/retour'],
    })
  const consentUrl = (app: App, more: Record<string, string> = {}) =>
    `${fixture.issuer}/api/oauth/authorize?${new URLSearchParams({ ...authorization(app, newPkce()), ...more })}`

  it.each(['fr', 'en'] as const)('consent for some of several companies (%s)', async language => {
    const page = await signedIn(await addMember(language))
    await page.goto(consentUrl(await application('production')))
    await expectAccessiblePage(page, `consent-${language}`)
    await expectContrastAtNight(page)
  })

  it('consent for one company, in the sandbox', async () => {
    const person = await fixture.addPersonWithPassword(
      { name: names.en, email: 'agent@example.com', language: 'en' },
      { [fixture.petit.companyId]: 'agent' },
    )
    const page = await signedIn(person)
    const scope = 'invoices:read debtors:read invoices:write lrar:send'
    await page.goto(consentUrl(await application('sandbox'), { scope }))
    await expectAccessiblePage(page, 'consent-sandbox')
  })

  it('consent that was given for no company', async () => {
    const page = await signedIn(await addMember('en'))
    await page.goto(consentUrl(await application('production'), { scope: 'invoices:read payments:read' }))
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('alert').waitFor()
    await expectAccessiblePage(page, 'consent-again')
  })

  it('consent that somebody without a company is asked for', async () => {
    const page = await signedIn(await addMember('en', false))
    await page.goto(consentUrl(await application('production')))
    await expectAccessiblePage(page, 'consent-no-company')
  })

  it('the refusal of a request that is wrong', async () => {
    const page = await signedIn(await addMember('fr'))
    const answer = await page.goto(consentUrl(await application('production'), { client_id: 'oc_e1nobody' }))
    expect(answer!.status()).toBe(400)
    await expectAccessiblePage(page, 'consent-refused')
  })

  it.each(['fr', 'en'] as const)('sign-in (%s)', async language => {
    const page = await newPage({ language })
    await page.goto(`${fixture.issuer}/sign-in`)
    await expectAccessiblePage(page, `sign-in-${language}`)
  })

  it('sign-in with a wrong password', async () => {
    const page = await newPage()
    await page.goto(`${fixture.issuer}/sign-in`)
    await page.getByLabel('Email address').fill('nobody@example.com')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await expectAccessiblePage(page, 'sign-in-wrong')
    await expectContrastAtNight(page)
  })

  it('sign-up, empty and with faults', async () => {
    const page = await newPage({ language: 'fr' })
    await page.goto(`${fixture.issuer}/sign-up`)
    await expectAccessiblePage(page, 'sign-up')
    await page.getByRole('button', { name: 'Ouvrir le compte' }).click()
    await page.getByRole('alert').waitFor()
    await expectAccessiblePage(page, 'sign-up-faults')
  })

  it.each(['mail-sent', 'forgot'])('%s', async name => {
    const page = await newPage()
    await page.goto(`${fixture.issuer}/${name}`)
    await expectAccessiblePage(page, name)
  })

  it.each([
    ['verify', 'verify_email'],
    ['reset', 'reset_password'],
  ])('%s, by the link in a mail', async (path, purpose) => {
    const { id } = await addMember('en')
    const token = randomBytes(16).toString('hex')
    const [from, to] = [new Date(), new Date(Date.now() + 3_600_000)]
    await fixture.sql(
      'insert into mail_links (token_hash, person_id, purpose, created_at, expires_at) values ($1, $2, $3, $4, $5)',
      [plainSha256(token), id, purpose, from, to],
    )
    const page = await newPage()
    await page.goto(`${fixture.issuer}/${path}?token=${token}`)
    await page.getByRole('button').waitFor()
    await expectAccessiblePage(page, path)
  })

  it('a link that works no more', async () => {
    const page = await newPage()
    await page.goto(`${fixture.issuer}/reset?token=x`)
    await expectAccessiblePage(page, 'dead-link')
  })

  it('an invitation', async () => {
    const token = randomBytes(16).toString('hex')
    const [from, to] = [new Date(), new Date(Date.now() + 3_600_000)]
    await fixture.sql(
      `insert into invitations (id, company_id, email, email_key, role, language, token_hash, invited_by, created_at, expires_at)
       values ($1, $2, $3, $3, 'agent', 'en', $4, 'test', $5, $6)`,
      [randomUUIDv7(), fixture.martin.companyId, 'robin@example.com', plainSha256(token), from, to],
    )
    const page = await newPage()
    await page.goto(`${fixture.issuer}/invitation?token=${token}`)
    await page.getByRole('heading', { name: 'Join Atelier Martin' }).waitFor()
    await expectAccessiblePage(page, 'invitation')
  })

  it('the account, with an application that has access', async () => {
    const person = await addMember('en')
    const cookie = await fixture.sessionFor(person)
    const scope = 'invoices:read invoices:write lrar:send webhooks:manage'
    await newCode(fixture, await application('production'), cookie, [fixture.martin.companyId], { scope })
    const page = await newPage({ cookie, at: fixture.issuer })
    await page.goto(`${fixture.issuer}/account`)
    await expectAccessiblePage(page, 'account')
    await expectContrastAtNight(page)
  })

  it.each(['fr', 'en'] as const)(
    'the company, with a change that waits, for an owner (%s)',
    async language => {
      const person = await addMember(language)
      const { companyId } = fixture.martin
      await fixture.installation.server.setPayout(companyId, {
        legalName: 'Atelier Martin SAS',
        iban: 'FR14 2004 1010 0505 0001 3M02 606',
        replyEmail: 'compta@atelier-martin.example',
      })
      await fixture.sql('delete from payout_changes')
      await fixture.sql(
        `insert into payout_changes (tenant_id, field, value, requested_by, requested_at, effective_at)
       values ($1, 'iban', 'DE89370400440532013000', '{"kind": "person", "id": "somebody else"}', $2, $3)`,
        [fixture.martin.tenants.production, new Date(), new Date(Date.now() + 86_400_000)],
      )
      const page = await signedIn(person)
      await page.goto(`${fixture.issuer}/account/company?company=${companyId}`)
      await expectAccessiblePage(page, `company-${language}`)
      await expectContrastAtNight(page)
    },
  )

  it('the company, with faults and with a new key', async () => {
    const page = await signedIn(await addMember('en'))
    await page.goto(`${fixture.issuer}/account/company?company=${fixture.martin.companyId}`)
    await page.getByLabel('IBAN').fill('FR14 2004')
    await page.getByLabel('Address for replies').fill('nobody')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await expectAccessiblePage(page, 'company-faults')
    await page.getByRole('alert').getByRole('link').first().click()
    expect(await page.evaluate('document.activeElement.id')).toBe('iban')
    await page.getByLabel('Name of the key').fill('Accounting')
    await page.getByRole('button', { name: 'Make the key' }).press('Enter')
    await page.getByText('it is shown this once').waitFor()
    await expectAccessiblePage(page, 'company-key')
  })

  it('the company, for a manager and long after signing in', async () => {
    const person = await fixture.addPersonWithPassword(
      { name: names.en, email: `manager${++people}@example.com`, language: 'en' },
      { [fixture.martin.companyId]: 'manager', [fixture.petit.companyId]: 'owner' },
    )
    const page = await signedIn(person)
    await page.goto(`${fixture.issuer}/account/company?company=${fixture.martin.companyId}`)
    await page.getByText('Only an owner changes this.').waitFor()
    await expectAccessiblePage(page, 'company-manager')
    await fixture.sql(
      `update sessions set created_at = created_at - interval '1 hour' where person_id = $1`,
      [person.id],
    )
    await page.goto(`${fixture.issuer}/account/company?company=${fixture.petit.companyId}`)
    await page.getByRole('link', { name: 'Sign in again' }).first().waitFor()
    await expectAccessiblePage(page, 'company-again')
  })
})
