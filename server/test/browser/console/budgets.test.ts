import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { invoiceInput } from '../../harness/use-installation.ts'
import { chromiumPath } from '../chromium.ts'
import { fillSandbox, type Portfolio } from './portfolio.ts'
import { useConsole } from './use-console.ts'

const nodesMax = 2_500
const requestsMax = 4
/** The frame asks for these once, whichever screen comes first. */
const ofTheFrame = ['/me', '/company', '/sandbox/clock']

interface Shift {
  value: number
  sources: string[]
}
declare const window: { shifts: Shift[] }
declare const document: {
  querySelectorAll(selector: string): { length: number }
  body: { innerText: string }
}

/** Every shift of the layout since the page began, with what moved. */
const watchShifts = `window.shifts = []
new PerformanceObserver(list => {
  for (const { value, sources } of list.getEntries())
    window.shifts.push({ value, sources: sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? String(node?.nodeName)) })
}).observe({ type: 'layout-shift', buffered: true })`

describe.skipIf(!chromiumPath)('what a screen costs', () => {
  const console = useConsole({ hasWorker: true, now: Date.parse('2026-10-05T09:00:00+02:00') })
  let portfolio: Portfolio
  beforeAll(async () => {
    portfolio = await fillSandbox(console)
    // As many as a screen shows at once.
    for (let i = 0; i < 110; i++) {
      const { status } = await console.installation.call('POST', '/api/v1/invoices', {
        key: console.martin.sandboxKey,
        body: invoiceInput({ dueDate: '2026-12-01', debtor: { id: portfolio.debtor } }),
      })
      expect(status).toBe(201)
    }
  })

  const isRead = (url: URL) => /^\/console\/(me|api)/.test(url.pathname) && !url.pathname.endsWith('/live')
  const nameOf = (url: string) => new URL(url).pathname.replace(/^\/console(\/api\/v1)?/, '')
  const screens: Record<
    string,
    () => { path: string; requests: number; isReady: (page: Page) => Promise<void> }
  > = {
    today: () => ({ path: '', requests: 4, isReady: page => page.locator('main figure').waitFor() }),
    tomorrow: () => ({
      path: '?date=2026-11-17',
      requests: 1,
      isReady: page => page.locator('main figure').waitFor(),
    }),
    debtors: () => ({
      path: '/debtors',
      requests: 1,
      isReady: page => page.locator('tbody tr').first().waitFor(),
    }),
    invoices: () => ({
      path: '/invoices',
      requests: 1,
      isReady: page => page.locator('tbody tr').first().waitFor(),
    }),
    messages: () => ({
      path: '/messages?sentFrom=2026-11-02T07:00:00Z&sentTo=2026-11-02T19:00:00Z',
      requests: 1,
      isReady: page => page.getByRole('table').waitFor(),
    }),
    debtor: () => ({
      path: `/debtors/${portfolio.debtor}`,
      requests: 4,
      isReady: page => page.locator('main figure svg').first().waitFor(),
    }),
    import: () => ({
      path: '/import',
      requests: 1,
      isReady: page => page.locator('main section').first().waitFor(),
    }),
    'new invoice': () => ({
      path: '/invoices/new',
      requests: 0,
      isReady: page => page.locator('main form').waitFor(),
    }),
    invoice: () => ({
      path: `/invoices/${portfolio.invoice}`,
      requests: 4,
      isReady: page => page.locator('main svg[role=group]').waitFor(),
    }),
  }

  it.each(Object.keys(screens))(
    'the %s asks for all it needs at once, has few nodes, and nothing moves when the answers come',
    async name => {
      const { path, requests, isReady } = screens[name]!()
      const { page } = await console.open({ environment: 'sandbox', path: '/debtors?search=none' })
      // The page before has to be gone, and its line of hints with it: who waited for a line asks for everything again.
      await page.goto(`${console.issuer}/assets/relance.css`)
      await expect
        .poll(() => page.evaluate('navigator.locks.query().then(({ held }) => held.length)'))
        .toBe(0)
      await page.addInitScript(watchShifts)
      // Hints of what happened meanwhile ask for more: here nothing is hinted at.
      await page.route(/\/live$/, () => {})
      const asked: string[] = []
      page.on('request', request => {
        if (isRead(new URL(request.url()))) asked.push(nameOf(request.url()))
      })
      // Nothing is answered until all have been asked for, so none waits for another. Then they are answered one by one, the
      // last first: whatever comes late moves nothing.
      const expected = requests + ofTheFrame.length
      await page.route(isRead, async route => {
        await expect.poll(() => asked.length).toBeGreaterThanOrEqual(expected)
        const place = asked.indexOf(nameOf(route.request().url()))
        await new Promise(resolve => setTimeout(resolve, (asked.length - place) * 60))
        await route.continue()
      })
      await page.goto(console.urlOf('sandbox', path))
      await isReady(page)
      await page.waitForTimeout(600)
      const own = asked.filter(one => !ofTheFrame.includes(one))
      expect(asked.length, asked.join(' ')).toBe(expected)
      expect(own.length, own.join(' ')).toBeLessThanOrEqual(requestsMax)
      expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThanOrEqual(nodesMax)
      expect(await page.evaluate(() => window.shifts)).toEqual([])
    },
  )

  it('a bar of what has left leads to its messages, and each to its text', async () => {
    const days = ['2026-11-13', '2026-11-12', '2026-11-10', '2026-11-09', '2026-11-06', '2026-11-05']
    const leftOn = async (date: string) => {
      const { body } = await console.installation.call<{ totals: { left: number } }>(
        'GET',
        `/api/v1/reports/today?date=${date}`,
        { key: console.martin.sandboxKey },
      )
      return { date, left: body.data.totals.left }
    }
    const busy = (await Promise.all(days.map(leftOn))).find(({ left }) => left > 0)!
    const { page } = await console.open({ environment: 'sandbox', path: `?date=${busy.date}` })
    await page.getByRole('link', { name: new RegExp(`^${busy.left} envoyés?$`) }).click()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(busy.left)
    await page.goBack()
    const bar = page.locator('main svg a[data-from]').first()
    const drawn = await bar
      .locator('[data-n]')
      .evaluateAll(marks => marks.reduce((sum, mark) => sum + Number(mark.getAttribute('data-n')), 0))
    await bar.click()
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(drawn)
    await page.locator('tbody tr').first().getByRole('button').click()
    await page
      .getByRole('dialog')
      .getByText('SHA-256')
      .or(page.getByRole('dialog').getByText('Objet'))
      .first()
      .waitFor()
  })

  it.each(['fr', 'en'] as const)('no screen shows a code, in %s', async language => {
    const { page } = await console.open({ environment: 'sandbox', language })
    const shown: string[] = []
    for (const screen of Object.values(screens)) {
      const { path, isReady } = screen()
      await page.goto(console.urlOf('sandbox', path))
      await isReady(page)
      shown.push(await page.evaluate(readableText))
    }
    const codes = shown.flatMap(
      text => text.match(/\b[a-z]+(?:_[a-z0-9]+)+\b|\bundefined\b|\bNaN\b|\[object/g) ?? [],
    )
    expect(codes).toEqual([])
  })
})

/** All that is seen or read out. */
const readableText = `[
  document.body.innerText,
  ...['aria-label', 'title', 'placeholder', 'alt'].flatMap(name =>
    [...document.querySelectorAll('[' + name + ']')].map(element => element.getAttribute(name))),
].join(' | ')` as unknown as () => string
