import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { eventually } from '../harness/use-installation.ts'
import { chromiumPath } from './chromium.ts'
import { seenCookies } from './in-page.ts'
import { useBrowser } from './use-browser.ts'
import { password, usePeopleFixture } from './use-people-fixture.ts'

describe.skipIf(!chromiumPath)('signing up and in', () => {
  const fixture = usePeopleFixture({ hasWorker: true })
  const { newPage } = useBrowser()

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const isAt = (page: Page, path: string) => page.waitForURL(url => url.pathname === path)
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  const signInWith = async (page: Page, email: string, typedPassword: string) => {
    await page.goto(`${fixture.issuer}/sign-in?next=/account`)
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(typedPassword)
    await button(page, 'Sign in').click()
  }
  const addPerson = (email: string) =>
    fixture.addPersonWithPassword(
      { name: 'Camille', email, language: 'en' },
      { [fixture.martin.companyId]: 'owner' },
    )

  it('an account is opened with a form and the link in the mail, and then signed in to', async () => {
    const email = 'nadia@example.com'
    const page = await newPage()
    await page.goto(`${fixture.issuer}/sign-up`)
    await page.getByLabel('Company name').fill('Atelier Nadia')
    await page.getByLabel('Your name').fill('Nadia')
    await page.getByLabel('Email address').fill(email)
    await button(page, 'Open the account').click()
    await isAt(page, '/mail-sent')
    const mails = () => fixture.installation.server.mailbox.messages().filter(mail => mail.to === email)
    const [mail] = await eventually(mails, found => found.length > 0)
    await page.goto(/http:\S+/.exec(mail!.text)![0])
    await page.getByLabel('Password').fill(password)
    await button(page, 'Confirm and sign in').click()
    await page.waitForURL(/\/console\/[^/]+\/sandbox$/)
    await page.goto(`${fixture.issuer}/account`)
    expect(await page.getByRole('region', { name: 'Your companies', exact: true }).textContent()).toContain(
      'Atelier Nadia',
    )
    await button(page, 'Sign out').click()
    await isAt(page, '/sign-in')
    await signInWith(page, email, password)
    await isAt(page, '/account')
    await heading(page, 'Your account')
  })

  it('a wrong password says no more than that, and what was typed but the password is still there', async () => {
    const { email } = await addPerson('wrong@example.com')
    const page = await newPage()
    const messages: (string | null)[] = []
    for (const address of [email, 'nobody@example.com']) {
      await signInWith(page, address, 'quatre mots bien choisis')
      messages.push(await page.getByRole('alert').textContent())
      expect(await page.getByLabel('Email address').inputValue()).toBe(address)
      expect(await page.getByLabel('Password').inputValue()).toBe('')
    }
    expect(messages[0]).toContain('Wrong email or password')
    expect(messages[1]).toBe(messages[0])
    await page.goto(`${fixture.issuer}/account`)
    await heading(page, 'Sign in')
  })

  it('the session is a cookie of this host alone that no script sees, and another one after each sign-in', async () => {
    const { email } = await addPerson('cookie@example.com')
    const page = await newPage()
    const values = new Set<string>()
    for (let i = 0; i < 2; i++) {
      await signInWith(page, email, password)
      await isAt(page, '/account')
      expect(await page.evaluate(seenCookies)).toBe('')
      const cookies = await page.context().cookies()
      expect(cookies).toMatchObject([
        {
          name: '__Host-relance',
          domain: 'localhost',
          path: '/',
          httpOnly: true,
          secure: true,
          sameSite: 'Lax',
        },
      ])
      values.add(cookies[0]!.value)
      await button(page, 'Sign out').click()
      await isAt(page, '/sign-in')
      expect(await page.context().cookies()).toEqual([])
    }
    expect(values.size).toBe(2)
  })

  it('a passkey is added on the account page, and opens the next session without a password', async () => {
    const { email } = await addPerson('passkey@example.com')
    const page = await newPage()
    const debug = await page.context().newCDPSession(page)
    await debug.send('WebAuthn.enable')
    await debug.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await signInWith(page, email, password)
    await page.getByLabel('Name of the new passkey').fill('My laptop')
    await button(page, 'Add a passkey').click()
    await page.getByText('The passkey is added.').waitFor()
    expect(await page.getByRole('region', { name: 'Passkeys' }).textContent()).toContain('My laptop')
    await button(page, 'Sign out').click()
    await isAt(page, '/sign-in')
    await button(page, 'Sign in with a passkey').click()
    await page.waitForURL(/\/console\/[^/]+\/production$/)
    await page.goto(`${fixture.issuer}/account`)
    expect(await page.getByRole('region', { name: 'Sessions' }).textContent()).toContain('by passkey')
  })

  it('the pages are in the language of the browser, until somebody chooses the other', async () => {
    const page = await newPage({ language: 'fr' })
    await page.goto(`${fixture.issuer}/sign-in`)
    await heading(page, 'Se connecter')
    await page.getByRole('link', { name: 'English' }).click()
    await heading(page, 'Sign in')
  })
})
