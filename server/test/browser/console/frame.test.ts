import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { randomFrom } from '../../chaos/random.ts'
import { chromiumPath } from '../chromium.ts'
import { expectAccessiblePage, expectContrastAtNight } from '../page-checks.ts'
import { password } from '../use-people-fixture.ts'
import { useConsole } from './use-console.ts'

const paletteTries = Number(process.env.PALETTE_TRIES ?? 4)
const paletteSeed = Number(process.env.PALETTE_SEED ?? Date.now() % 1_000_000)

describe.skipIf(!chromiumPath)('the frame of the console', () => {
  const console = useConsole()

  const heading = (page: Page, name: string | RegExp) =>
    page.getByRole('heading', { level: 1, name }).waitFor()
  const palette = (page: Page) => page.getByRole('dialog', { name: 'Chercher ou agir' })
  const signIn = async (page: Page, email: string) => {
    await page.getByLabel('Adresse e-mail').fill(email)
    await page.getByLabel('Mot de passe').fill(password)
    await page.keyboard.press('Enter')
  }
  const isRead = (url: string) => /\/console\/(me|api)/.test(url) && !url.endsWith('/live')
  const seen = (requests: string[]) => requests.map(url => new URL(url).pathname.replace('/console', ''))

  it('signing in leads to today, in the first company of the person', async () => {
    const { page, person } = await console.open({ path: null })
    await page.goto(`${console.issuer}/console`)
    await page.waitForURL(/\/sign-in\?next=%2Fconsole$/)
    await signIn(page, person.email)
    await page.waitForURL(console.urlOf('production'))
    await heading(page, /^Aujourd’hui/)
    expect(await page.getByRole('navigation', { name: 'Principal' }).textContent()).toContain('Clients')
  })

  it('who is not signed in comes back to the very place they asked for', async () => {
    const { page, person } = await console.open({ path: null })
    await page.goto(console.urlOf('sandbox', '/debtors?search=x'))
    await page.waitForURL(/\/sign-in\?/)
    await signIn(page, person.email)
    await page.waitForURL(console.urlOf('sandbox', '/debtors?search=x'))
    await heading(page, 'Clients')
  })

  it('a session that ends while somebody works is asked for again, and loses nothing', async () => {
    const { page, person } = await console.open({ path: '/debtors' })
    await heading(page, 'Clients')
    await page.context().clearCookies()
    await page.getByRole('navigation').getByRole('link', { name: 'Factures' }).click()
    const notice = page.getByRole('alert')
    await notice.waitFor()
    expect(new URL(page.url()).pathname).toMatch(/\/production\/invoices$/)
    await notice.getByRole('button', { name: 'Se connecter' }).click()
    await signIn(page, person.email)
    await page.waitForURL(console.urlOf('production', '/invoices'))
  })

  it('who is signed in and what the screen shows are asked for at the same moment', async () => {
    const { page } = await console.open({ path: '/debtors' })
    await heading(page, 'Clients')
    const asked: string[] = []
    let answered = 0
    page.on('request', request => {
      if (isRead(request.url())) asked.push(request.url())
    })
    // Nothing is answered until all have been asked for: so none waits for another.
    await page.route(
      url => isRead(url.href),
      async route => {
        await expect.poll(() => asked.length).toBeGreaterThanOrEqual(6)
        answered++
        await route.continue()
      },
    )
    await page.goto(console.urlOf('production'))
    await heading(page, /^Aujourd’hui/)
    expect(answered).toBe(asked.length)
    expect(seen(asked).sort()).toEqual([
      '/api/v1/company',
      '/api/v1/reports/sums',
      '/api/v1/reports/today',
      '/api/v1/work',
      '/api/v1/work/summary',
      '/me',
    ])
  })

  it('the palette is opened, used and closed by keyboard alone', async () => {
    const { page } = await console.open()
    await heading(page, /^Aujourd’hui/)
    await page.keyboard.press('Control+k')
    await palette(page).waitFor()
    await page.keyboard.press('Escape')
    await palette(page).waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.id'), 'the focus is where it was').toBe('main')
    await page.getByRole('link', { name: 'Clients', exact: true }).focus()
    await page.keyboard.press('Control+k')
    await palette(page).waitFor()
    await page.keyboard.press('Escape')
    await palette(page).waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Clients')
    await page.keyboard.press('/')
    await palette(page).getByRole('combobox').waitFor()
    await page.keyboard.type('clients')
    await palette(page)
      .getByRole('option', { name: /Clients/ })
      .waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'Clients')
    await palette(page).waitFor({ state: 'detached' })
  })

  let debtorId = ''
  beforeAll(async () => {
    const { status, body } = await console.installation.call<{ debtor: { id: string } }>(
      'POST',
      '/api/v1/invoices',
      {
        body: {
          invoiceNumber: 'F-2026-0042',
          amountCents: 120_000,
          issueDate: '2026-09-15',
          dueDate: '2026-10-15',
          debtor: {
            name: 'Durand et Filles',
            email: 'compta@durand.example',
            postalCode: '69002',
            city: 'Lyon',
          },
        },
      },
    )
    expect(status).toBe(201)
    debtorId = body.data.debtor.id
  })

  it(`what is typed at once after Ctrl K is in the field, and acts on nothing, however late its code is: ${paletteTries} tries, seed ${paletteSeed}`, async () => {
    const random = randomFrom(paletteSeed)
    const { page } = await console.open({ path: `/debtors/${debtorId}` })
    let delayMs = 0
    await page.route(/assets\/palette-[^/]*\.js/, async route => {
      await new Promise(resolve => setTimeout(resolve, delayMs))
      await route.continue()
    })
    const changes: string[] = []
    page.on('request', request => {
      if (request.method() !== 'GET') changes.push(`${request.method()} ${request.url()}`)
    })
    // Every letter that is the key of a command is among them.
    const typed = 'pharmacie 0303 jkgneurm'
    const field = palette(page).getByRole('combobox')
    for (let at = 1; at <= paletteTries; at++) {
      delayMs = random.between(0, 700)
      // Somebody types all at once, or slowly enough for the code to come between two letters.
      const delay = random.between(0, 30)
      const attempt = `try ${at}, ${delayMs} ms late, ${delay} ms per letter`
      await page.reload()
      await heading(page, 'Durand et Filles')
      await page.keyboard.press('Control+k')
      await page.keyboard.type(typed, { delay })
      await field.waitFor()
      await page.keyboard.type(' rue')
      expect(await field.inputValue(), attempt).toBe(`${typed} rue`)
      expect(await page.getByRole('dialog').count(), attempt).toBe(1)
      expect(page.url(), attempt).toBe(console.urlOf('production', `/debtors/${debtorId}`))
      await page.keyboard.press('Escape')
      await palette(page).waitFor({ state: 'detached' })
      expect(await page.getByRole('dialog').count(), attempt).toBe(0)
    }
    expect(changes).toEqual([])
  })

  it('a debtor and an invoice are found by name and number, and opened', async () => {
    const { page } = await console.open()
    await heading(page, /^Aujourd’hui/)
    for (const [typed, shown, title] of [
      ['durand', 'Durand et Filles', 'Durand et Filles'],
      ['F-2026-0042', '1 200,00 €', 'F-2026-0042'],
    ]) {
      await page.keyboard.press('Control+k')
      await palette(page).getByRole('combobox').fill(typed!)
      const option = palette(page).getByRole('option').first()
      await option.filter({ hasText: shown! }).waitFor()
      await page.keyboard.press('Enter')
      await heading(page, title!)
    }
  })

  it('letters lead where the rail says, never from inside a field, and can be switched off', async () => {
    const { page } = await console.open()
    await heading(page, /^Aujourd’hui/)
    await page.keyboard.type('gd')
    await heading(page, 'Clients')
    await page.keyboard.type('gf')
    await heading(page, 'Factures')
    await page.keyboard.press('Control+k')
    await palette(page).waitFor()
    await page.keyboard.type('ga')
    expect(await palette(page).getByRole('combobox').inputValue()).toBe('ga')
    await page.keyboard.press('Escape')
    await palette(page).waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Raccourcis' })
    await help.getByLabel('Touches d’une seule lettre').uncheck()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.keyboard.type('ga?')
    await page.keyboard.press('Control+k')
    await palette(page).waitFor()
    expect(await help.count()).toBe(0)
    expect(new URL(page.url()).pathname).toMatch(/\/invoices$/)
  })

  it('a sandbox is striped and says its time on every page', async () => {
    const { page } = await console.open({ environment: 'sandbox' })
    for (const [path, title] of [
      ['', /^Aujourd’hui/],
      ['/debtors', 'Clients'],
      ['/invoices', 'Factures'],
    ] as const) {
      await page.goto(console.urlOf('sandbox', path))
      await heading(page, title)
      await page.getByText(/^il est \S+ \d+ \S+ \d{4}, \d\d:\d\d$/).waitFor()
    }
    await page.goto(console.urlOf('production'))
    await heading(page, /^Aujourd’hui/)
    expect(await page.getByText('il est').count()).toBe(0)
  })

  it('the other company and the other environment are one choice away, and what is chosen is where one begins next', async () => {
    const { page } = await console.open({ hasTwoCompanies: true })
    await page.getByRole('button', { name: /Production/ }).click()
    const row = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Librairie Petit' })
    await row.getByRole('link', { name: 'Mode test' }).click()
    const place = `${console.issuer}/console/${console.petit.companyId}/sandbox`
    await page.waitForURL(place)
    await heading(page, /^Aujourd’hui/)
    await page.goto(`${console.issuer}/console`)
    await page.waitForURL(place)
  })

  it('an empty list says that there is nothing yet, and only a filter that nothing fits', async () => {
    const { page } = await console.open({ environment: 'sandbox', path: '/invoices' })
    await page.getByText('Aucune facture pour le moment.').waitFor()
    await page.goto(console.urlOf('sandbox', '/debtors'))
    await page.getByText('Aucun client pour le moment.').waitFor()
    await page.goto(console.urlOf('sandbox', '/invoices?search=absent'))
    await page.getByText('Aucune ligne ne correspond.').waitFor()
    expect(await page.locator('link[rel=icon]').count()).toBe(1)
  })

  it('an unknown path says so, as does an environment there is not', async () => {
    const { page } = await console.open()
    for (const path of ['/console/a/elsewhere', '/console/a/production/b/c/d']) {
      await page.goto(console.issuer + path)
      await page.getByText('Cette page n’existe pas').waitFor()
    }
  })

  it('a stop of sending shows in every window without a reload, by one line for all of them', async () => {
    const { page } = await console.open({ path: '/debtors' })
    const other = await page.context().newPage()
    const lines: string[] = []
    for (const one of [page, other])
      one.on('request', request => {
        if (request.url().endsWith('/live')) lines.push(request.url())
      })
    await page.goto(console.urlOf('production', '/invoices'))
    await heading(page, 'Factures')
    await other.goto(console.urlOf('production', '/debtors'))
    await heading(other, 'Clients')
    const company = async (act: string, body: object) => {
      const { status } = await console.installation.call('POST', `/api/v1/company/${act}`, { body })
      expect(status).toBe(200)
    }
    await company('stop-sending', { reason: 'Mauvais tarifs' })
    for (const one of [page, other])
      await one
        .getByText(
          /^Tous les envois sont arrêtés depuis \S+ \d+ \S+ \d\d:\d\d, par la clé «.First key.»\. Motif.: Mauvais tarifs$/,
        )
        .waitFor()
    expect(lines.length).toBe(1)
    // The other window goes on when the one with the line is closed.
    await page.close()
    await expect.poll(() => lines.length).toBe(2)
    await company('resume-sending', {})
    await other.getByText('Tous les envois').waitFor({ state: 'detached' })
  })

  it('is read in English by who chooses it, and is dark for who chooses that, also after a reload', async () => {
    const { page } = await console.open()
    await page.getByRole('button', { name: 'Camille Exemple' }).click()
    await page.getByLabel('English').check()
    await page.getByLabel('Dark').check()
    await page.reload()
    await heading(page, /^Today/)
    expect(
      await page.evaluate('document.documentElement.lang + document.documentElement.dataset.theme'),
    ).toBe('endark')
  })

  it.each(['', '/debtors', '/invoices'])(
    'has no accessibility fault at %j, by day and by night, wide and narrow',
    async path => {
      const { page } = await console.open({ environment: 'sandbox', path })
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByText('il est').waitFor()
      await expectAccessiblePage(page, `console${path.replace('/', '-')}`, false)
      await expectContrastAtNight(page)
    },
  )

  it('a file that a release took away loads the page again, once, at the same place', async () => {
    const { page } = await console.open({ path: '/debtors?sortBy=balance' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    let asked = 0
    await page.route(/assets\/help-[^/]*\.js/, async route => {
      asked += 1
      await (asked === 1 ? route.fulfill({ status: 404 }) : route.continue())
    })
    const loaded = page.waitForEvent('load')
    await page.keyboard.press('?')
    await loaded
    expect(page.url()).toContain('/debtors?sortBy=balance')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Raccourcis' }).waitFor()
    expect(asked).toBe(2)
  })
})
