import { describe, expect, it } from 'vitest'
import { chromiumPath } from './chromium.ts'
import { expectAccessiblePage, expectContrastAtNight } from './page-checks.ts'
import { useBrowser } from './use-browser.ts'
import { usePeopleFixture } from './use-people-fixture.ts'

/** A page of each kind, and the longest. `npm run pictures` does not save them. */
const pages = [
  ['/', 200],
  ['/?lang=fr', 200],
  ['/docs', 200],
  ['/docs/quickstart', 200],
  ['/docs/webhooks', 200],
  ['/docs/limits', 200],
  ['/docs/providers', 200],
  ['/docs/changelog', 200],
  ['/docs/api', 200],
  ['/docs/api/types', 200],
  ['/docs/api/invoices', 200],
  ['/docs/api/invoices.create', 200],
  ['/docs/api/invoices.list', 200],
  ['/docs/api/workflow.plan', 200],
  ['/docs/api/oauth.token', 200],
  ['/docs/events', 200],
  ['/docs/errors', 200],
  ['/docs/errors/VAL_001', 200],
  ['/docs/nothing', 404],
] as const

describe.skipIf(!chromiumPath)('the documentation is readable, and fits a phone', () => {
  const fixture = usePeopleFixture()
  const { newPage } = useBrowser()

  it.each(pages)('%s', async (path, status) => {
    const page = await newPage()
    const answer = await page.goto(fixture.issuer + path)
    expect(answer!.status()).toBe(status)
    await expectAccessiblePage(page, path, false)
    await expectContrastAtNight(page)
  })

  it('without a script: a tab shows its code, fields unfold, and the menu of a phone opens', async () => {
    const page = await newPage()
    await page.goto(`${fixture.issuer}/docs/api/invoices.create`)
    expect(await page.getByText('urllib.request.urlopen').isVisible()).toBe(false)
    await page.getByText('Python', { exact: true }).click()
    expect(await page.getByText('urllib.request.urlopen').isVisible()).toBe(true)
    expect(await page.getByText('The postal code.').isVisible()).toBe(false)
    await page.getByText('Fields of debtor').first().click()
    expect(await page.getByText('The postal code.').isVisible()).toBe(true)
    await page.setViewportSize({ width: 390, height: 780 })
    const link = page
      .getByRole('navigation', { name: 'Documentation' })
      .getByText('Webhooks', { exact: true })
    expect(await link.first().isVisible()).toBe(false)
    await page.getByText('All pages').click()
    expect(await link.first().isVisible()).toBe(true)
  })
})
