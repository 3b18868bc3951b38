import type { Page } from 'playwright-core'
import { beforeAll, describe, it } from 'vitest'
import type { Role } from '../../../src/features/access/roles.ts'
import { chromiumPath } from '../chromium.ts'
import { savePicture } from '../page-checks.ts'
import { fillSandbox, type Portfolio } from './portfolio.ts'
import { useConsole } from './use-console.ts'

interface Picture {
  name: string
  path?: (portfolio: Portfolio) => string
  language?: 'fr' | 'en'
  theme?: 'light' | 'dark'
  environment?: 'production' | 'sandbox'
  role?: Role
  width?: number
  /** Seen when the screen is there. */
  ready?: string
  before?: (page: Page) => Promise<unknown>
  after?: (page: Page) => Promise<unknown>
}

const phone = 390
const row = 'main tbody tr'
const figure = 'main figure'
const debtor = ({ debtor: id }: Portfolio) => `/debtors/${id}`
const invoice = ({ invoice: id }: Portfolio) => `/invoices/${id}`

/** Opens an act from the menu, and waits until its effect is drawn. */
const act = (menu: string, name: string, fill?: (page: Page) => Promise<unknown>) => async (page: Page) => {
  await page.getByRole('main').getByRole('button', { name: menu, exact: true }).click()
  await page.getByRole('menuitem', { name }).click()
  await fill?.(page)
  await page.getByRole('dialog').getByRole('listitem').first().waitFor()
}

/** `npm run pictures` saves these screenshots in docs/pictures. */
describe.skipIf(!chromiumPath || !process.env.PICTURES)('every screen of the console', () => {
  const console = useConsole({ hasWorker: true, now: Date.parse('2026-10-05T09:00:00+02:00') })
  let portfolio: Portfolio
  beforeAll(async () => {
    portfolio = await fillSandbox(console)
  })
  const asManager = (method: string, path: string, body: object) =>
    console.installation.call(method, `/api/v1${path}`, { key: console.martin.sandboxKey, body })

  /** A day on which a large company sends. */
  async function fillDay(): Promise<void> {
    const nine = Date.parse('2026-11-16T08:00:00Z') / 900_000
    for (let quarter = -4; quarter < 44; quarter++) {
      const high = Math.round(
        14 * Math.exp(-(((quarter - 6) / 8) ** 2)) + 8 * Math.exp(-(((quarter - 28) / 9) ** 2)),
      )
      for (const [channel, share] of Object.entries({ email: 1, sms: 0.4, voice: 0.2, lrar: 0.1 })) {
        const n = Math.round(high * share)
        const state = quarter < 0 ? 'delivered' : 'planned'
        if (n > 0)
          await console.installation.sql(
            `insert into count_slots (tenant_id, slot, channel, state, n) values ($1, $2, $3, $4, $5)
             on conflict do nothing`,
            [console.martin.tenants.sandbox, nine + quarter, channel, state, n],
          )
      }
    }
  }

  const pictures: Picture[] = [
    { name: 'today-fr', ready: figure },
    { name: 'today-en-dark', language: 'en', theme: 'dark', ready: figure, before: fillDay },
    { name: 'today-phone', width: phone, ready: figure },
    {
      name: 'today-stopped',
      ready: figure,
      before: () =>
        asManager('POST', '/company/stop-sending', { reason: 'Tarifs erronés sur les factures d’octobre' }),
      after: async page => {
        await page.getByText('Motif').waitFor()
        await asManager('POST', '/company/resume-sending', {})
      },
    },
    { name: 'first-day-en', language: 'en', environment: 'production', ready: figure },
    { name: 'debtors-fr', path: () => '/debtors', ready: row },
    { name: 'debtors-phone-dark', path: () => '/debtors', theme: 'dark', width: phone, ready: row },
    { name: 'invoices-en-dark', path: () => '/invoices', language: 'en', theme: 'dark', ready: row },
    { name: 'invoices-empty', path: () => '/invoices?search=personne', ready: row },
    { name: 'debtor-fr', path: debtor, ready: figure },
    { name: 'debtor-en-dark', path: debtor, language: 'en', theme: 'dark', ready: figure },
    { name: 'debtor-phone', path: debtor, width: phone, ready: figure },
    { name: 'debtor-viewer', path: debtor, role: 'viewer', ready: figure },
    { name: 'invoice-fr', path: invoice, ready: figure },
    {
      name: 'invoice-en-dark',
      path: ({ promised }) => `/invoices/${promised}`,
      language: 'en',
      theme: 'dark',
      ready: figure,
    },
    { name: 'invoice-phone-dark', path: invoice, theme: 'dark', width: phone, ready: figure },
    { name: 'act-pause-fr', path: invoice, ready: figure, after: act('Agir', 'Mettre la facture en pause') },
    {
      name: 'act-promise-en-dark',
      path: invoice,
      language: 'en',
      theme: 'dark',
      ready: figure,
      after: act('Act', 'Record a promise', page =>
        page.getByRole('dialog').locator('input[type=date]').first().fill('2026-11-27'),
      ),
    },
    {
      name: 'palette-fr',
      ready: figure,
      after: async page => {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox').fill('durand')
        await page
          .getByRole('option', { name: /Durand/ })
          .first()
          .waitFor()
      },
    },
    {
      name: 'error-fr',
      ready: 'main [role=alert]',
      before: page => page.route(/\/api\/v1\/reports/, route => route.abort()),
    },
  ]

  it.each(pictures)('$name', async picture => {
    const { name, path = () => '', language = 'fr', theme = 'light', ready, before, after } = picture
    const { environment = 'sandbox', role = 'owner', width = 1440 } = picture
    const { page } = await console.open({ environment, role, language, width, path: '/debtors?search=none' })
    await page.emulateMedia({ colorScheme: theme })
    await before?.(page)
    await page.goto(console.urlOf(environment, path(portfolio)))
    await page.locator(ready!).first().waitFor()
    await page.getByRole('button', { name: width === phone ? /Atelier Martin/ : 'Camille Exemple' }).waitFor()
    await after?.(page)
    await page.waitForTimeout(300)
    // As high as the page: what stands fixed at the bottom of a phone is then at its end.
    const height = (await page.evaluate('document.documentElement.scrollHeight')) as number
    await page.setViewportSize({ width, height: Math.max(width === phone ? 780 : 900, height) })
    await page.waitForTimeout(200)
    await savePicture(`console-${name}`, await page.screenshot())
  })
})
