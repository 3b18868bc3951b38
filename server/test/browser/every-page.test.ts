import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { plainSha256 } from '../../src/kit/crypto.ts'
import { type App, authorization, newCode, newPkce } from '../scenarios/access/oauth/stage.ts'
import { chromiumPath } from './chromium.ts'
import { expectContrastAtNight, expectGoodLook } from './look.ts'
import { useBrowser } from './use-browser.ts'
import { password, type Resident, useTown } from './use-town.ts'

type Language = 'fr' | 'en'
const names = { fr: 'Camille Martin', en: 'Alex Taylor' }

/** `npm run pictures` keeps what is looked at here in docs/pictures. */
describe.skipIf(!chromiumPath)('a page is readable, fits a phone and stands in nobody’s way', () => {
  const town = useTown()
  const { newPage } = useBrowser()
  let people = 0

  const resident = (language: Language, isMember = true): Promise<Resident> =>
    town.addResident(
      {
        name: names[language],
        email: `${names[language].split(' ')[0]!.toLowerCase()}${++people}@example.com`,
        language,
      },
      isMember ? { [town.martin.companyId]: 'owner', [town.petit.companyId]: 'viewer' } : {},
    )
  const signedIn = async (who: Resident): Promise<Page> =>
    newPage({ cookie: await town.sessionFor(who), at: town.issuer })
  const application = (environment: 'production' | 'sandbox') =>
    town.addApplication('Comptoir Facture', {
      environment,
      redirectUris: ['https://comptoir-facture.example/retour'],
    })
  const asks = (app: App, more: Record<string, string> = {}) =>
    `${town.issuer}/api/oauth/authorize?${new URLSearchParams({ ...authorization(app, newPkce()), ...more })}`

  it.each(['fr', 'en'] as const)('consent for some of several companies (%s)', async language => {
    const page = await signedIn(await resident(language))
    await page.goto(asks(await application('production')))
    await expectGoodLook(page, `consent-${language}`)
    await expectContrastAtNight(page)
  })

  it('consent for one company, in the sandbox', async () => {
    const who = await town.addResident(
      { name: names.en, email: 'agent@example.com', language: 'en' },
      { [town.petit.companyId]: 'agent' },
    )
    const page = await signedIn(who)
    const scope = 'invoices:read debtors:read invoices:write lrar:send'
    await page.goto(asks(await application('sandbox'), { scope }))
    await expectGoodLook(page, 'consent-sandbox')
  })

  it('consent that was given for no company', async () => {
    const page = await signedIn(await resident('en'))
    await page.goto(asks(await application('production'), { scope: 'invoices:read payments:read' }))
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('alert').waitFor()
    await expectGoodLook(page, 'consent-again')
  })

  it('consent that somebody without a company is asked for', async () => {
    const page = await signedIn(await resident('en', false))
    await page.goto(asks(await application('production')))
    await expectGoodLook(page, 'consent-no-company')
  })

  it('the refusal of a request that is wrong', async () => {
    const page = await signedIn(await resident('fr'))
    const answer = await page.goto(asks(await application('production'), { client_id: 'oc_e1nobody' }))
    expect(answer!.status()).toBe(400)
    await expectGoodLook(page, 'consent-refused')
  })

  it.each(['fr', 'en'] as const)('sign-in (%s)', async language => {
    const page = await newPage({ language })
    await page.goto(`${town.issuer}/sign-in`)
    await expectGoodLook(page, `sign-in-${language}`)
  })

  it('sign-in with a wrong password', async () => {
    const page = await newPage()
    await page.goto(`${town.issuer}/sign-in`)
    await page.getByLabel('Email address').fill('nobody@example.com')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await expectGoodLook(page, 'sign-in-wrong')
    await expectContrastAtNight(page)
  })

  it('sign-up, empty and with faults', async () => {
    const page = await newPage({ language: 'fr' })
    await page.goto(`${town.issuer}/sign-up`)
    await expectGoodLook(page, 'sign-up')
    await page.getByRole('button', { name: 'Ouvrir le compte' }).click()
    await page.getByRole('alert').waitFor()
    await expectGoodLook(page, 'sign-up-faults')
  })

  it.each(['mail-sent', 'forgot'])('%s', async name => {
    const page = await newPage()
    await page.goto(`${town.issuer}/${name}`)
    await expectGoodLook(page, name)
  })

  it.each([
    ['verify', 'verify_email'],
    ['reset', 'reset_password'],
  ])('%s, by the link in a mail', async (path, purpose) => {
    const { id } = await resident('en')
    const token = randomBytes(16).toString('hex')
    const [from, to] = [new Date(), new Date(Date.now() + 3_600_000)]
    await town.sql(
      'insert into mail_links (token_hash, person_id, purpose, created_at, expires_at) values ($1, $2, $3, $4, $5)',
      [plainSha256(token), id, purpose, from, to],
    )
    const page = await newPage()
    await page.goto(`${town.issuer}/${path}?token=${token}`)
    await page.getByRole('button').waitFor()
    await expectGoodLook(page, path)
  })

  it('a link that works no more', async () => {
    const page = await newPage()
    await page.goto(`${town.issuer}/reset?token=x`)
    await expectGoodLook(page, 'dead-link')
  })

  it('an invitation', async () => {
    const token = randomBytes(16).toString('hex')
    const [from, to] = [new Date(), new Date(Date.now() + 3_600_000)]
    await town.sql(
      `insert into invitations (id, company_id, email, email_key, role, language, token_hash, invited_by, created_at, expires_at)
       values ($1, $2, $3, $3, 'agent', 'en', $4, 'test', $5, $6)`,
      [randomUUIDv7(), town.martin.companyId, 'robin@example.com', plainSha256(token), from, to],
    )
    const page = await newPage()
    await page.goto(`${town.issuer}/invitation?token=${token}`)
    await page.getByRole('heading', { name: 'Join Atelier Martin' }).waitFor()
    await expectGoodLook(page, 'invitation')
  })

  it('the account, with an application that has access', async () => {
    const who = await resident('en')
    const cookie = await town.sessionFor(who)
    const scope = 'invoices:read invoices:write lrar:send webhooks:manage'
    await newCode(town, await application('production'), cookie, [town.martin.companyId], { scope })
    const page = await newPage({ cookie, at: town.issuer })
    await page.goto(`${town.issuer}/account`)
    await expectGoodLook(page, 'account')
    await expectContrastAtNight(page)
  })
})
