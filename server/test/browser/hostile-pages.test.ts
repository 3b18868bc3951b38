import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, authorization, newPkce } from '../scenarios/access/oauth/oauth-calls.ts'
import { chromiumPath } from './chromium.ts'
import { addressesOf } from './in-page.ts'
import { type LocalServer, serveHtml } from './serve-html.ts'
import { useBrowser } from './use-browser.ts'
import { type AddedPerson, usePeopleFixture } from './use-people-fixture.ts'

interface Exposed {
  wasRun?: boolean
}
declare const window: Exposed

describe.skipIf(!chromiumPath)('pages of somebody else', () => {
  const fixture = usePeopleFixture()
  const { newPage } = useBrowser()
  let attacker: LocalServer
  let attack = ''
  let app: App
  let person: AddedPerson
  let link: string

  beforeAll(async () => {
    attacker = await serveHtml(() => attack)
    person = await fixture.addPersonWithPassword(
      { name: 'Camille', email: 'camille@example.com', language: 'en' },
      { [fixture.martin.companyId]: 'owner' },
    )
    app = await fixture.addApplication('Comptoir', { redirectUris: [`${attacker.nextDoor}/callback`] })
    link = `${fixture.issuer}/api/oauth/authorize?${new URLSearchParams(authorization(app, newPkce()))}`
  })
  afterAll(() => attacker?.close())

  const signedIn = async () => newPage({ cookie: await fixture.sessionFor(person), at: fixture.issuer })
  const grants = async () => (await fixture.sql('select id from oauth_grants')).length

  it.each(['nextDoor', 'elsewhere'] as const)('no page is shown in a frame of a page %s', async place => {
    const page = await signedIn()
    await page.goto(link)
    for (const target of [
      link,
      ...['/sign-in', '/account', '/account/company'].map(path => fixture.issuer + path),
    ]) {
      attack = `<h1>Win a prize</h1><iframe src="${target.replaceAll('&', '&amp;')}"></iframe>`
      await page.goto(attacker[place])
      const framed = page.frames().at(-1)!
      await framed.waitForLoadState()
      expect(framed.url()).toBe('chrome-error://chromewebdata/')
    }
  })

  it.each(['nextDoor', 'elsewhere'] as const)(
    'an answer that a page %s posts is refused, even if it knew everything that is on our page',
    async place => {
      const page = await signedIn()
      await page.goto(link)
      const value = (name: string) => page.locator(`form.consent input[name=${name}]`).inputValue()
      const fields = {
        csrf: await value('csrf'),
        request: await value('request'),
        company: fixture.martin.companyId,
        decision: 'allow',
      }
      const inputs = Object.entries(fields).map(([name, text]) => `<input name="${name}" value="${text}">`)
      attack = `<form method="post" action="${fixture.issuer}/api/oauth/authorize">${inputs.join('')}</form><script>document.forms[0].submit()</script>`
      const answer = page.waitForResponse(response => response.request().method() === 'POST')
      await page.goto(attacker[place])
      expect((await answer).status()).toBe(403)
      await page.getByRole('heading', { name: 'Your answer did not reach us' }).waitFor()
      expect(await grants()).toBe(0)
    },
  )

  it.each(['/sign-out', '/account/sessions/end-all'])(
    'a page next door cannot post %s for somebody',
    async path => {
      const page = await signedIn()
      attack = `<form method="post" action="${fixture.issuer}${path}"></form><script>document.forms[0].submit()</script>`
      await page.goto(attacker.nextDoor)
      await page.waitForURL(`${fixture.issuer}${path}`)
      await page.goto(link)
      await page.getByRole('button', { name: 'Allow' }).waitFor()
    },
  )

  it.each(['nextDoor', 'elsewhere'] as const)(
    'a page %s cannot say where money goes, even if it knew everything that is on our page',
    async place => {
      const page = await signedIn()
      const { companyId } = fixture.martin
      await page.goto(`${fixture.issuer}/account/company?company=${companyId}`)
      const csrf = await page.locator('form[action^="/account/company/payout"] input[name=csrf]').inputValue()
      const fields = { csrf, company: companyId, iban: 'DE89370400440532013000' }
      const inputs = Object.entries(fields).map(([name, text]) => `<input name="${name}" value="${text}">`)
      attack = `<form method="post" action="${fixture.issuer}/account/company/payout">${inputs.join('')}</form><script>document.forms[0].submit()</script>`
      const answer = page.waitForResponse(response => response.request().method() === 'POST')
      await page.goto(attacker[place])
      expect((await answer).status()).toBe(403)
      expect(await fixture.sql(`select iban from company_settings where iban like 'DE%'`)).toEqual([])
      expect(await fixture.sql('select from payout_changes')).toEqual([])
    },
  )

  it('a script that found its way into our page does not run', async () => {
    const page = await signedIn()
    const smuggled = '<script>window.wasRun = true</script><img src="x" onerror="window.wasRun = true">'
    await page.route('**/api/oauth/authorize?*', async route => {
      const response = await route.fetch()
      const body = (await response.text()).replace('</main>', `${smuggled}</main>`)
      await route.fulfill({ response, body })
    })
    const refused: string[] = []
    page.on('console', message => refused.push(message.text()))
    await page.goto(link)
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    expect(await page.content()).toContain('window.wasRun')
    expect(await page.evaluate(() => window.wasRun)).toBeUndefined()
    expect(refused.filter(text => text.includes('Content Security Policy')).length).toBeGreaterThanOrEqual(2)
  })

  it('names are text, whatever is written in them', async () => {
    const name = '</title><script>window.wasRun=1</script><img src=x onerror="window.wasRun=1">"\'&amp;'
    const named = await fixture.addApplication(name, { redirectUris: ['https://app.example/callback'] })
    const page = await signedIn()
    await page.goto(
      `${fixture.issuer}/api/oauth/authorize?${new URLSearchParams(authorization(named, newPkce()))}`,
    )
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      `${name} asks for access to your data`,
    )
    expect(await page.title()).toContain(name)
    expect(await page.evaluate(() => window.wasRun)).toBeUndefined()
  })

  it('a request that names an address nobody registered ends on our page, without a link to it', async () => {
    const page = await signedIn()
    const query = { ...authorization(app, newPkce()), redirect_uri: `${attacker.elsewhere}/steal` }
    const answer = await page.goto(`${fixture.issuer}/api/oauth/authorize?${new URLSearchParams(query)}`)
    expect(answer!.status()).toBe(400)
    await page.getByRole('heading', { name: 'The application made a mistake' }).waitFor()
    await page.getByRole('heading', { name: 'L’application a fait une erreur' }).waitFor()
    expect(await page.content()).not.toContain('/steal')
    for (const href of await page.locator('a').evaluateAll(addressesOf))
      expect(new URL(href).origin).toBe(fixture.issuer)
  })
})
