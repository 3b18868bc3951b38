import type { CDPSession, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath } from '../chromium.ts'
import { contentWidth } from '../in-page.ts'
import { wcagFaults } from '../page-checks.ts'
import { clippedText, controlNames, painted, readMarks, showsFocus, wholePictures } from './in-console.ts'
import { fillSandbox, type Portfolio } from './portfolio.ts'
import { useConsole } from './use-console.ts'

/** `npm run prove -- console-axe` reads every screen in every form, CI some of them. */
const isWhole = process.env.ACCESSIBLE_SCREENS === 'all'
const every = isWhole ? 1 : 11

const states = ['full', 'empty', 'error'] as const
const routes = [
  'today',
  'work',
  'debtors',
  'invoices',
  'messages',
  'debtor',
  'invoice',
  'import',
  'new-invoice',
] as const
const forms = routes.flatMap(route =>
  states.flatMap(state =>
    (['fr', 'en'] as const).flatMap(language =>
      (['light', 'dark'] as const).flatMap(theme =>
        ([1440, 390] as const).map(width => ({ route, state, language, theme, width })),
      ),
    ),
  ),
)
type Form = (typeof forms)[number]

describe.skipIf(!chromiumPath)('the console can be read and used by everybody', () => {
  const console = useConsole({ hasWorker: true, now: Date.parse('2026-10-05T09:00:00+02:00') })
  let portfolio: Portfolio
  beforeAll(async () => {
    portfolio = await fillSandbox(console)
  })
  const unknownId = '01990000-0000-7000-8000-000000000000'

  /** The address of a screen, and how one sees that it is there. */
  function screenOf({ route, state }: Pick<Form, 'route' | 'state'>) {
    const isEmpty = state === 'empty'
    const ids = {
      work: isEmpty ? portfolio.emptyDebtor : portfolio.disputing,
      debtor: isEmpty ? portfolio.emptyDebtor : portfolio.debtor,
      invoice: isEmpty ? portfolio.emptyInvoice : portfolio.invoice,
    }
    const id = (kind: keyof typeof ids) => (state === 'error' ? unknownId : ids[kind])
    const paths = {
      today: '',
      work: `?ouvert=${id('work')}`,
      debtors: isEmpty ? '/debtors?search=personne' : '/debtors',
      invoices: isEmpty ? '/invoices?search=personne' : '/invoices',
      messages: `/messages?sentFrom=2026-11-${isEmpty ? '15' : '13'}T00:00:00Z`,
      debtor: `/debtors/${id('debtor')}`,
      invoice: `/invoices/${id('invoice')}`,
      import: isEmpty ? '/import' : `/import?task=${state === 'error' ? unknownId : portfolio.imported}`,
      'new-invoice': '/invoices/new',
    }
    const ready = {
      today: 'main figure',
      work: isEmpty ? 'aside' : 'aside form button[type=submit]',
      debtors: 'main table',
      invoices: 'main table',
      messages: 'main table',
      debtor: 'main figure',
      invoice: 'main figure',
      import: isEmpty ? 'main section' : 'main table',
      'new-invoice': 'main form',
    }
    return {
      // Nothing was ever done in production.
      environment: route === 'today' && isEmpty ? ('production' as const) : ('sandbox' as const),
      path: paths[route],
      // A form asks for nothing that could fail.
      ready:
        state === 'error' && route !== 'new-invoice'
          ? `${route === 'work' ? 'aside' : 'main'} [role=alert]`
          : ready[route],
    }
  }

  async function open({ route, state, language, theme, width }: Form): Promise<Page> {
    const { environment, path, ready } = screenOf({ route, state })
    const { page } = await console.open({ language, width, environment, path: '/debtors', role: 'owner' })
    await page.emulateMedia({ colorScheme: theme })
    if (state === 'error' && !['work', 'debtor', 'invoice'].includes(route))
      await page.route(/\/api\/v1\/(reports|debtors|invoices|communications)/, served => served.abort())
    await page.goto(console.urlOf(environment, path))
    await page.locator(ready).first().waitFor()
    return page
  }
  const full = (route: Form['route'], changes: Partial<Form> = {}) =>
    open({ route, state: 'full', language: 'fr', theme: 'light', width: 1440, ...changes })

  /** Who is signed in is known, and so what they may do; nothing is loading any more. */
  const settled = async (page: Page) => {
    await page.getByRole('button', { name: 'Camille Exemple' }).waitFor()
    await expect.poll(() => page.locator('main [aria-busy=true]').count(), { timeout: 20_000 }).toBe(0)
  }

  it.each(forms.filter((_, i) => i % every === 0))(
    'no rule of WCAG 2.2 AA is broken: $route, $state, $language, $theme, $width',
    async form => {
      const page = await open(form)
      expect(await wcagFaults(page)).toEqual([])
      expect(await page.evaluate(contentWidth)).toBe(form.width)
    },
  )

  it.each(routes)('nothing is lost at 400 percent and in forced colours: %s', async route => {
    // An open sheet fills a narrow screen, and the list comes back with its closing.
    const page = await full(route, route === 'work' ? { width: 390 } : {})
    if (route !== 'work') await settled(page)
    const controls = await page.evaluate(controlNames)
    const pictures = await page.evaluate(wholePictures)
    const { count } = await page.evaluate(readMarks)
    expect(Math.min(pictures, count) > 0).toBe(['today', 'debtor', 'invoice'].includes(route))
    await page.emulateMedia({ forcedColors: 'active' })
    expect(await page.evaluate(readMarks)).toEqual({ count, hidden: [] })
    expect(await page.evaluate(controlNames)).toEqual(controls)
    await page.emulateMedia({ forcedColors: 'none' })
    // 1280 pixels at 400 %.
    await page.setViewportSize({ width: 320, height: 256 })
    await page.waitForTimeout(200)
    expect(await page.evaluate(contentWidth)).toBe(320)
    expect(await page.evaluate(clippedText)).toEqual([])
    expect(await page.evaluate(wholePictures)).toBe(pictures)
    const narrow = await page.evaluate(controlNames)
    expect(controls.filter(name => !narrow.includes(name))).toEqual([])
  })

  /**
   * Whether what has the focus looks otherwise without it. A busy machine may take a picture of the frame before, so the page gets time
   * before the first picture, and several pictures are taken after it. A focus that a script sets again need not be shown.
   */
  async function looksFocused(page: Page) {
    await page.waitForTimeout(400)
    const { box } = await page.evaluate(showsFocus)
    const clip = { x: box.x - 6, y: box.y - 6, width: box.width + 12, height: box.height + 12 }
    const shot = async () => {
      await page.evaluate(painted)
      return page.screenshot({ clip, fullPage: true })
    }
    const focused = await shot()
    await page.evaluate('window.focused = document.activeElement; window.focused.blur()')
    let isSeen = false
    for (let attempt = 0; attempt < 5 && !isSeen; attempt++) {
      await page.waitForTimeout(100 * attempt)
      isSeen = !focused.equals(await shot())
    }
    await page.evaluate('window.focused.focus()')
    return isSeen
  }

  it.each(routes)('the focus is always seen on the %s', async route => {
    const page = await full(route)
    await settled(page)
    const seen = new Set<string>()
    const unseen: string[] = []
    for (let step = 0; step < 120; step++) {
      await page.keyboard.press('Tab')
      const { name, hasOutline } = await page.evaluate(showsFocus)
      if (name === 'body' || seen.has(name)) break
      seen.add(name)
      if (hasOutline) continue
      // A mark of a picture has no outline of its own.
      if (!(await looksFocused(page))) unseen.push(name)
      const { name: after } = await page.evaluate(showsFocus)
      if (after === 'body') unseen.push(`${name} lost the focus`)
    }
    expect(seen.size).toBeGreaterThan(5)
    expect(unseen).toEqual([])
  })

  it('a day of the calendar keeps the focus while the window changes its width', async () => {
    const page = await full('debtor')
    await settled(page)
    await page.getByRole('button', { name: 'Calendrier', exact: true }).click()
    const cell = page.locator('[role=gridcell][tabindex="0"]')
    await cell.focus()
    const focusedDay = () => page.evaluate('document.activeElement.dataset.cell')
    const day = await focusedDay()
    expect(day).toMatch(/^email 2026-/)
    const drawn = new Set<number>()
    // A telephone has another form of the calendar, with the same days.
    for (const width of [1440, 1200, 1000, 390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await page.waitForTimeout(200)
      drawn.add(await page.locator('[role=gridcell]').count())
      expect(await focusedDay()).toBe(day)
    }
    // Another number of days was drawn, so that the days were drawn anew.
    expect(drawn.size).toBeGreaterThan(1)
  })

  describe('on a French keyboard', () => {
    /** Where a key is on AZERTY, by the names that its place has on QWERTY; what needs Shift there says so. */
    const places: Readonly<Record<string, readonly [code: string, isShifted?: boolean]>> = {
      a: ['KeyQ'],
      m: ['Semicolon'],
      '/': ['Period', true],
      '?': ['KeyM', true],
    }
    async function press(cdp: CDPSession, key: string, modifiers = 0): Promise<void> {
      const [code, isShifted = false] = places[key] ?? [`Key${key.toUpperCase()}`]
      const event = {
        key,
        code,
        modifiers: modifiers | (isShifted ? 8 : 0),
        windowsVirtualKeyCode: key.toUpperCase().charCodeAt(0),
      }
      await cdp.send('Input.dispatchKeyEvent', {
        type: 'keyDown',
        ...event,
        ...(modifiers === 0 && { text: key }),
      })
      await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
    }
    const ctrl = 2

    it('every key of the table does what it says', async () => {
      const page = await full('today')
      const cdp = await page.context().newCDPSession(page)
      const dialog = page.getByRole('dialog')
      const closed = async () => {
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
      }
      const headings = { d: 'Clients', f: 'Factures', a: /^Aujourd’hui/ }
      for (const [key, name] of Object.entries(headings)) {
        await press(cdp, 'g')
        await press(cdp, key)
        await page.getByRole('heading', { level: 1, name }).waitFor()
      }
      for (const [key, modifiers, name] of [
        ['k', ctrl, 'Chercher ou agir'],
        ['/', 0, 'Chercher ou agir'],
        ['?', 0, 'Raccourcis'],
      ] as const) {
        await press(cdp, key, modifiers)
        await page.getByRole('dialog', { name }).waitFor()
        await closed()
      }
      await page.goto(console.urlOf('sandbox', `/invoices/${portfolio.invoice}`))
      const menu = page.getByRole('main').getByRole('button', { name: 'Agir', exact: true })
      await menu.waitFor()
      for (const [key, name] of [
        ['p', 'Mettre la facture en pause'],
        ['m', 'Écrire'],
      ] as const) {
        await press(cdp, key)
        await page.getByRole('dialog', { name }).waitFor()
        await closed()
      }
      await press(cdp, 'p')
      await dialog.getByRole('button', { name: 'Mettre la facture en pause' }).waitFor()
      await expect
        .poll(() =>
          dialog.getByRole('button', { name: 'Mettre la facture en pause' }).getAttribute('aria-disabled'),
        )
        .not.toBe('true')
      await page.keyboard.press('Enter')
      await page.getByText('La relance est en pause.').waitFor()
      await press(cdp, 'u')
      await page.getByText('Annulé').waitFor()
    })

    it.each(['today', 'debtor', 'invoice'] as const)(
      'every command of the %s is found in the palette by typing its name',
      async route => {
        const page = await full(route)
        await settled(page)
        await page.keyboard.press('Control+k')
        const palette = page.getByRole('dialog', { name: 'Chercher ou agir' })
        const titles = palette.getByRole('option').locator('> :first-child')
        await titles.first().waitFor()
        const names = await titles.allTextContents()
        expect(names.length).toBeGreaterThan(8)
        for (const name of names) {
          await palette.getByRole('combobox').fill(name)
          await expect.poll(() => titles.allTextContents()).toContain(name)
        }
      },
    )
  })
})
