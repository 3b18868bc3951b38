import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../src/features/access/roles.ts'
import type { Scope } from '../../src/kit/actor.ts'
import {
  type App,
  type AppSettings,
  authorization,
  newPkce,
  redeem,
  useToken,
} from '../scenarios/access/oauth/oauth-calls.ts'
import { chromiumPath } from './chromium.ts'
import { focusedText, styleOf } from './in-page.ts'
import { type LocalServer, serveHtml } from './serve-html.ts'
import { useBrowser } from './use-browser.ts'
import { type AddedPerson, password, usePeopleFixture } from './use-people-fixture.ts'

describe.skipIf(!chromiumPath)('consent', () => {
  const fixture = usePeopleFixture()
  const { newPage } = useBrowser()
  const pkce = newPkce()
  let counter = 0
  let server: LocalServer
  let token = ''

  /** The application that asks, as its maker would write it: it redeems the code at once and reads the invoices. */
  async function callback(url: URL): Promise<string> {
    const { code, error, state } = Object.fromEntries(url.searchParams)
    if (!code) return `<title>App</title><h1>refused: ${error}, state ${state}</h1>`
    const { id, secret, redirectUri } = app
    const tokens = await redeem(fixture, {
      grant_type: 'authorization_code',
      client_id: id,
      client_secret: secret,
      code,
      redirect_uri: redirectUri,
      code_verifier: pkce.verifier,
    })
    token = tokens.access_token
    const { status } = await useToken(fixture, token)
    return `<title>App</title><h1>invoices: ${status}, state ${state}</h1>`
  }
  let app: App
  const register = async (scopes: Scope[], settings: AppSettings = {}) => {
    app = await fixture.addApplication('Comptoir', {
      scopes,
      redirectUris: [`${server.nextDoor}/callback`],
      ...settings,
    })
    return `${fixture.issuer}/api/oauth/authorize?${new URLSearchParams(authorization(app, pkce))}`
  }
  const addMember = (roles: Readonly<Record<string, Role>>): Promise<AddedPerson> => {
    counter++
    return fixture.addPersonWithPassword(
      { name: `Camille ${counter}`, email: `camille${counter}@example.com`, language: 'en' },
      roles,
    )
  }
  const pageOf = async (person: AddedPerson): Promise<Page> =>
    newPage({ cookie: await fixture.sessionFor(person), at: fixture.issuer })
  const owner = () => addMember({ [fixture.martin.companyId]: 'owner' })
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const grantsOf = ({ id }: AddedPerson) =>
    fixture.sql<{ scopes: string[]; company_ids: string[] }>(
      'select scopes, company_ids from oauth_grants where person_id = $1',
      [id],
    )

  beforeAll(async () => {
    server = await serveHtml(callback)
  })
  afterAll(() => server?.close())

  it('from the link of the application through consent and back, the application reads the invoices', async () => {
    const link = await register(['invoices:read'])
    const page = await pageOf(await owner())
    await page.goto(link)
    await button(page, 'Allow').click()
    await page.getByRole('heading', { name: 'invoices: 200, state st4te' }).waitFor()
  })

  it('denied, the application is told so and nothing is granted', async () => {
    const link = await register(['invoices:read'])
    const person = await owner()
    const page = await pageOf(person)
    await page.goto(link)
    await button(page, 'Deny').click()
    await page.getByRole('heading', { name: 'refused: access_denied, state st4te' }).waitFor()
    expect(await grantsOf(person)).toEqual([])
  })

  it('withdrawn on the account page, the next call of the application is a 401', async () => {
    const link = await register(['invoices:read'])
    const page = await pageOf(await owner())
    await page.goto(link)
    await button(page, 'Allow').click()
    await page.getByRole('heading', { name: 'invoices: 200' }).waitFor()
    await page.goto(`${fixture.issuer}/account`)
    await page.getByRole('button', { name: /^Withdraw/ }).click()
    await page.getByText('The application has no access any more.').waitFor()
    expect((await useToken(fixture, token)).status).toBe(401)
  })

  it('who asks is said first: the name, where the answer goes, in which environment, and who one is', async () => {
    const link = await register(['invoices:read'], { environment: 'sandbox' })
    const person = await owner()
    const page = await pageOf(person)
    await page.goto(link)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      'Comptoir asks for access to your data',
    )
    const facts = await page.locator('dl').textContent()
    for (const fact of ['Comptoir', new URL(server.nextDoor).host, 'Sandbox', person.name, person.email])
      expect(facts).toContain(fact)
  })

  it('with one company the question is a sentence, and the company is chosen', async () => {
    const link = await register(['invoices:read'])
    const person = await owner()
    const page = await pageOf(person)
    await page.goto(link)
    await page.getByText('It asks to act for Atelier Martin, where you are owner.').waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await button(page, 'Allow').click()
    await page.getByRole('heading', { name: 'invoices: 200' }).waitFor()
    expect(await grantsOf(person)).toEqual([
      { scopes: ['invoices:read'], company_ids: [fixture.martin.companyId] },
    ])
  })

  it('with several companies none is chosen beforehand, and allowing for none asks again', async () => {
    const link = await register(['invoices:read'])
    const person = await addMember({
      [fixture.martin.companyId]: 'owner',
      [fixture.petit.companyId]: 'viewer',
    })
    const page = await pageOf(person)
    await page.goto(link)
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0)
    await button(page, 'Allow').click()
    await page.getByRole('alert').getByText('Tick at least one company, or deny.').waitFor()
    expect(await grantsOf(person)).toEqual([])
    await page.getByRole('checkbox', { name: /Librairie Petit/ }).check()
    await button(page, 'Allow').click()
    await page.getByRole('heading', { name: 'invoices: 200' }).waitFor()
    expect(await grantsOf(person)).toEqual([
      { scopes: ['invoices:read'], company_ids: [fixture.petit.companyId] },
    ])
  })

  it('what the role withholds in a company is said beside that company, and where it gives nothing none can be chosen', async () => {
    const person = await addMember({
      [fixture.martin.companyId]: 'owner',
      [fixture.petit.companyId]: 'agent',
    })
    const page = await pageOf(person)
    await page.goto(await register(['invoices:read', 'invoices:write', 'lrar:send']))
    const petit = page.getByRole('listitem').filter({ hasText: 'Librairie Petit' })
    expect(await petit.textContent()).toContain(
      'the application may not do this there: Send registered letters.',
    )
    expect(await petit.getByRole('checkbox').isEnabled()).toBe(true)
    const martin = page.getByRole('listitem').filter({ hasText: 'Atelier Martin' })
    expect(await martin.textContent()).not.toContain('may not')
    await page.goto(await register(['lrar:send']))
    expect(await petit.textContent()).toContain('allows nothing of what is asked')
    expect(await petit.getByRole('checkbox').isDisabled()).toBe(true)
    expect(await martin.getByRole('checkbox').isChecked()).toBe(true)
  })

  it('what sends messages, costs money or stays behind stands apart from what only looks', async () => {
    const link = await register([
      'invoices:read',
      'debtors:write',
      'invoices:write',
      'lrar:send',
      'company:manage',
      'webhooks:manage',
    ])
    const page = await pageOf(await owner())
    await page.goto(link)
    const under = (name: string) => page.getByRole('region', { name }).getByRole('listitem').allTextContents()
    expect(await under('It may look at data')).toEqual(['See invoices and their status'])
    expect(await under('It may change data')).toEqual([
      expect.stringContaining('Add and change debtors'),
      expect.stringContaining('IBAN'),
    ])
    expect(await under('It may send messages or spend money')).toEqual([
      expect.stringContaining('A new invoice sets off its reminders'),
      expect.stringContaining('Send registered letters'),
    ])
    expect(await under('It may leave access behind')).toEqual([expect.stringContaining('Invite members')])
  })

  it('somebody without a company is told so, and the application that it was not allowed', async () => {
    const link = await register(['invoices:read'])
    const page = await pageOf(await addMember({}))
    await page.goto(link)
    await page.getByRole('heading', { name: 'You belong to no company' }).waitFor()
    expect(await button(page, 'Allow').count()).toBe(0)
    await page.getByRole('button', { name: /^Go back to localhost/ }).click()
    await page.getByRole('heading', { name: 'refused: access_denied, state st4te' }).waitFor()
  })

  it('somebody whose role allows nothing of it is told so, and the application that it was not allowed', async () => {
    const link = await register(['lrar:send'])
    const page = await pageOf(await addMember({ [fixture.petit.companyId]: 'viewer' }))
    await page.goto(link)
    await page.getByRole('heading', { name: 'Your role does not allow this' }).waitFor()
    await page.getByRole('button', { name: /^Go back to localhost/ }).click()
    await page.getByRole('heading', { name: 'refused: access_denied, state st4te' }).waitFor()
  })

  it('both answers are equally large and equally easy to see, and Enter presses the one that grants nothing', async () => {
    const link = await register(['invoices:read'])
    const person = await addMember({
      [fixture.martin.companyId]: 'owner',
      [fixture.petit.companyId]: 'viewer',
    })
    const page = await pageOf(person)
    for (const width of [1200, 360]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(link)
      const [deny, allow] = await Promise.all(
        ['Deny', 'Allow'].map(async name => {
          const { width = 0, height = 0 } = (await button(page, name).boundingBox()) ?? {}
          const style = await button(page, name).evaluate(styleOf)
          return { width: Math.round(width), height: Math.round(height), ...style }
        }),
      )
      expect(deny).toEqual(allow)
      expect(deny!.height).toBeGreaterThanOrEqual(44)
    }
    await page.getByRole('checkbox', { name: /Atelier Martin/ }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'refused: access_denied' }).waitFor()
    expect(await grantsOf(person)).toEqual([])
  })

  it('by keyboard alone one reaches the companies and both answers in the order they are read', async () => {
    const link = await register(['invoices:read'])
    const page = await pageOf(
      await addMember({ [fixture.martin.companyId]: 'owner', [fixture.petit.companyId]: 'viewer' }),
    )
    await page.goto(link)
    const reached: string[] = []
    for (let i = 0; i < 20 && reached.at(-1) !== 'Allow'; i++) {
      await page.keyboard.press('Tab')
      reached.push(await page.evaluate(focusedText))
    }
    const order = [
      'Sign in as someone else',
      'Atelier Martin',
      'Librairie Petit',
      'your account page',
      'Deny',
      'Allow',
    ]
    expect(reached.filter(text => order.some(one => text.startsWith(one)))).toEqual(
      order.map(text => expect.stringMatching(`^${text}`)),
    )
  })

  it('whoever is not the one signed in signs in instead, and is asked the same question', async () => {
    const link = await register(['invoices:read'])
    const other = await owner()
    const page = await pageOf(await owner())
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in as someone else' }).click()
    await page.getByLabel('Email address').fill(other.email)
    await page.getByLabel('Password').fill(password)
    await button(page, 'Sign in').click()
    expect(await page.locator('dl').textContent()).toContain(other.email)
    await button(page, 'Allow').click()
    await page.getByRole('heading', { name: 'invoices: 200, state st4te' }).waitFor()
    expect(await grantsOf(other)).toHaveLength(1)
  })

  it('an expired page says that the answer did not arrive, and grants nothing', async () => {
    const link = await register(['invoices:read'])
    const person = await owner()
    const page = await pageOf(person)
    await page.goto(link)
    await fixture.sql('delete from sessions where person_id = $1', [person.id])
    await button(page, 'Allow').click()
    await page.getByRole('heading', { name: 'Your answer did not reach us' }).waitFor()
    await page.getByRole('heading', { name: 'Votre réponse ne nous est pas parvenue' }).waitFor()
    expect(await grantsOf(person)).toEqual([])
  })
})
