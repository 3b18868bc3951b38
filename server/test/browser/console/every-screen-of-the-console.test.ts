import type { Page } from 'playwright-core'
import { beforeAll, describe, it } from 'vitest'
import { Relance } from '../../../../sdk/src/index.ts'
import { playSamplePortfolio } from '../../../../sdk/src/sample-portfolio.ts'
import type { Role } from '../../../src/features/access/roles.ts'
import { chromiumPath } from '../chromium.ts'
import { savePicture } from '../page-checks.ts'
import { useConsole } from './use-console.ts'

/** The ids of the records that are shown. */
interface Portfolio {
  /** A client who wrote, with several invoices, and the first of them. */
  debtor: string
  invoice: string
  /** An invoice with an open promise. */
  promised: string
  /** An invoice whose reminders go on, and its client. */
  running: string
  reminded: string
}

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
  const console = useConsole({ hasWorker: true, now: Date.parse('2026-09-14T09:00:00+02:00') })
  let portfolio: Portfolio
  beforeAll(async () => {
    const relance = new Relance({
      apiKey: console.martin.sandboxKey,
      baseUrl: console.installation.server.baseUrl,
    })
    const clients = await playSamplePortfolio(relance)
    const of = (wanted: string) => clients.find(({ name }) => name === wanted)!.invoiceId
    const invoice = of('Sécurité Vauban')
    const running = of('Joaillerie Dumas')
    const clientOf = async (id: string) => (await relance.invoices.get(id)).debtor.id
    portfolio = {
      debtor: await clientOf(invoice),
      invoice,
      promised: of('Laboratoire Cassin'),
      running,
      reminded: await clientOf(running),
    }
  }, 600_000)
  const asManager = (method: string, path: string, body: object) =>
    console.installation.call(method, `/api/v1${path}`, { key: console.martin.sandboxKey, body })

  const pictures: Picture[] = [
    { name: 'today-fr', ready: figure },
    { name: 'today-en-dark', language: 'en', theme: 'dark', ready: figure },
    { name: 'today-phone', width: phone, ready: figure },
    {
      name: 'work-sheet-fr',
      ready: '[data-row]',
      after: async page => {
        await page.locator('[data-row]').first().click()
        await page.getByRole('complementary').locator('form').waitFor()
      },
    },
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
    {
      name: 'act-pause-fr',
      path: ({ running }) => `/invoices/${running}`,
      ready: figure,
      after: act('Agir', 'Mettre la facture en pause'),
    },
    {
      name: 'act-promise-en-dark',
      path: invoice,
      language: 'en',
      theme: 'dark',
      ready: figure,
      after: act('Act', 'Record a promise', page =>
        page.getByRole('dialog').locator('input[type=date]').first().fill('2026-11-30'),
      ),
    },
    {
      name: 'act-write-fr',
      path: ({ reminded }) => `/debtors/${reminded}`,
      ready: figure,
      after: async page => {
        await page.getByRole('main').getByRole('button', { name: 'Écrire', exact: true }).click()
        const sheet = page.getByRole('dialog', { name: 'Écrire' })
        await sheet.getByLabel('Objet').fill('Votre facture {{reference}}')
        await sheet
          .getByLabel('Texte', { exact: true })
          .fill('Merci de votre réponse. Vous trouverez la facture demandée sur la page ci-dessous.')
        await sheet.frameLocator('iframe').getByText('Merci de votre réponse').waitFor()
        await sheet.locator('iframe').scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'act-receipt-fr',
      path: debtor,
      ready: figure,
      after: async page => {
        await page.getByRole('main').getByRole('button', { name: 'Saisir un paiement' }).first().click()
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Somme').fill('40000')
        await dialog.getByLabel('Moyen de paiement').selectOption('Chèque')
        await dialog
          .getByRole('textbox', { name: /^Part de la facture/ })
          .nth(2)
          .waitFor()
      },
    },
    {
      name: 'palette-fr',
      ready: figure,
      after: async page => {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox').fill('vauban')
        await page
          .getByRole('option', { name: /Vauban/ })
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
