import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { latePayment } from '../../src/domain/money/late-payment.ts'
import { publishedRates } from '../harness/rates.ts'
import { useDebtors } from '../harness/use-debtors.ts'
import { chromiumPath } from './chromium.ts'
import { contentWidth } from './in-page.ts'
import { drawLogo, expectAccessiblePage, expectContrastAtNight } from './page-checks.ts'
import { useBrowser } from './use-browser.ts'

type Language = 'fr' | 'en'

let debtors = 0
const debtor = (language: Language, name: string) => ({
  name,
  email: `compta.${++debtors}@${language}.example`,
  postalCode: '69002',
  city: 'Lyon',
  type: 'business',
  language,
})
const durand = (language: Language) => debtor(language, 'Durand et Filles SARL')

/** `npm run pictures` saves these screenshots in docs/pictures. */
describe.skipIf(!chromiumPath)(
  'the debtor’s page is readable, fits a phone and stands in nobody’s way',
  async () => {
    const { installation, contactedInvoice, pagesUrl } = await useDebtors()
    const { newPage } = useBrowser()
    let number = 41

    const facts = () => ({
      invoiceNumber: `F-2026-00${++number}`,
      description: 'Table en chêne et six chaises',
    })
    const open = async (code: string, path = '', language: Language = 'fr'): Promise<Page> => {
      const page = await newPage({ language })
      await page.goto(`${pagesUrl()}/d/${code}${path}`)
      return page
    }
    async function expectNoSidewaysScrolling(page: Page) {
      await page.setViewportSize({ width: 320, height: 568 })
      expect(await page.evaluate(contentWidth)).toBe(320)
    }
    async function expectWellMade(page: Page, name: string) {
      await expectAccessiblePage(page, name)
      await expectNoSidewaysScrolling(page)
      await expectContrastAtNight(page)
    }

    it('the summary, with the logo of the creditor, its telephone and the code for banks unfolded', async () => {
      const page = await newPage({ language: 'fr' })
      await installation.sql(
        `insert into company_logos (tenant_id, media_type, bytes, updated_at) values ($1, 'image/png', $2, clock_timestamp())`,
        [installation.company.tenants.production, await drawLogo(page)],
      )
      await installation.sql(`update company_settings set telephone = '+33240000000'`)
      const { code } = await contactedInvoice({ ...facts(), debtor: durand('fr') })
      await page.goto(`${pagesUrl()}/d/${code}`)
      await expectAccessiblePage(page, 'debtor-logo-fr', false)
      await page.setViewportSize({ width: 390, height: 780 })
      const codeForBanks = page.locator('svg.qr')
      expect(await codeForBanks.isVisible()).toBe(false)
      await page.getByText('Afficher le code pour applications bancaires').click()
      expect(await codeForBanks.isVisible()).toBe(true)
      await page.setViewportSize({ width: 1200, height: 800 })
      await page.reload()
      expect(await codeForBanks.isVisible()).toBe(true)
    })

    it('the page where the code of a letter is typed', async () => {
      const page = await newPage({ language: 'fr' })
      await page.goto(`${pagesUrl()}/d`)
      await expectWellMade(page, 'debtor-code')
      await page.getByLabel('Code').fill('abcd-efgh')
      await page.getByRole('button', { name: 'Ouvrir mon dossier' }).click()
      await page.getByRole('alert').waitFor()
      await page.emulateMedia({ colorScheme: 'light' })
      await expectAccessiblePage(page, 'debtor-code-fault', false)
    })

    it.each(['fr', 'en'] as const)('the summary (%s)', async language => {
      const { code } = await contactedInvoice({ ...facts(), debtor: durand(language) })
      await expectWellMade(await open(code, '', language), `debtor-${language}`)
    })

    it('the summary of several invoices, one of them partly paid, with what is claimed for late payment', async () => {
      const owner = durand('fr')
      const [issueDate, dueDate] = ['2026-04-01', '2026-05-01']
      const first = await contactedInvoice({ ...facts(), debtor: owner, issueDate, dueDate })
      const second = facts()
      await installation.call('POST', '/api/v1/invoices', {
        body: {
          ...second,
          amountCents: 86_000,
          issueDate: '2026-08-01',
          dueDate: '2026-09-01',
          debtor: owner,
        },
      })
      const third = facts()
      await installation.call('POST', '/api/v1/invoices', {
        body: { ...third, amountCents: 4_250, issueDate: '2026-09-01', dueDate: '2026-10-01', debtor: owner },
      })
      // As if one message had been sent for the first two.
      await installation.sql(
        `insert into communication_invoices (tenant_id, communication_id, invoice_id)
       select i.tenant_id, m.communication_id, i.id from invoices i, message_codes m where i.number = $1 and m.code = $2`,
        [second.invoiceNumber, first.code],
      )
      await installation.call('POST', '/api/v1/payments', {
        body: { invoiceId: first.id, amountCents: 20_000, method: 'bank_transfer' },
      })
      const terms = {
        debtorType: 'business',
        creditorCountry: 'FR',
        rates: publishedRates,
        contractRateBps: null,
        isClaimed: true,
        insolvencyOpenedOn: null,
      } as const
      const movements = [{ on: '2026-11-16', cents: 20_000 }]
      const owed = { dueDate, amountCents: 120_000, currency: 'EUR', movements }
      const { indemnity, interest } = latePayment(owed, terms, '2026-11-16')
      await installation.sql('update invoices set claimed_cents = $2 where id = $1', [
        first.id,
        indemnity + interest,
      ])
      await expectWellMade(await open(first.code), 'debtor-several')
    })

    it('a dispute, empty, with a fault, and confirmed', async () => {
      const { code } = await contactedInvoice({ ...facts(), debtor: durand('fr') })
      const page = await open(code, '/dispute')
      await expectWellMade(page, 'debtor-dispute')
      await page.emulateMedia({ colorScheme: 'light' })
      await page.getByRole('button', { name: 'Envoyer et arrêter les rappels' }).click()
      await page.getByRole('alert').waitFor()
      await expectAccessiblePage(page, 'debtor-dispute-fault')
      await page.getByLabel('Ce que j’ai reçu n’est pas conforme').check()
      await page.getByLabel('Avec vos mots').fill('Deux chaises sont arrivées cassées.')
      await page.getByRole('button', { name: 'Envoyer et arrêter les rappels' }).click()
      await page.getByRole('heading', { name: 'Les rappels sont arrêtés' }).waitFor()
      await expectWellMade(page, 'debtor-disputed')
    })

    it('a promise, and what it says once it is made', async () => {
      const { code } = await contactedInvoice({ ...facts(), debtor: durand('en') })
      const page = await open(code, '/promise', 'en')
      await expectWellMade(page, 'debtor-promise')
      await page.emulateMedia({ colorScheme: 'light' })
      await page.getByLabel('I will pay on').fill('2026-11-30')
      await page.getByRole('button', { name: 'Confirm this date' }).click()
      await page.getByRole('heading', { name: 'Noted: payment planned for 30 November 2026' }).waitFor()
      await expectWellMade(page, 'debtor-promised')
    })

    it('paid', async () => {
      const { code, id } = await contactedInvoice({ ...facts(), debtor: durand('fr') })
      await installation.call('POST', '/api/v1/payments', {
        body: { invoiceId: id, amountCents: 120_000, method: 'bank_transfer' },
      })
      await expectWellMade(await open(code), 'debtor-paid')
    })

    it('a card, before the payment page', async () => {
      const { code } = await contactedInvoice({ ...facts(), debtor: durand('fr') })
      await expectWellMade(await open(code, '/card'), 'debtor-card')
    })

    it('who is not meant, and who wants no more emails', async () => {
      const { code } = await contactedInvoice({ ...facts(), debtor: durand('fr') })
      await expectWellMade(await open(code, '/stop'), 'debtor-stop')
      const page = await open(code, '/not-me')
      await expectWellMade(page, 'debtor-not-me')
      await page.getByRole('button', { name: 'Oui, je ne suis pas cette personne' }).click()
      await page.getByRole('heading', { name: 'Merci, et pardon pour le dérangement' }).waitFor()
      await expectWellMade(page, 'debtor-disowned')
    })

    it('the question before the page of a private person, with a fault, and closed', async () => {
      const person = { ...debtor('fr', 'Camille Verdier'), type: 'consumer' }
      const { code } = await contactedInvoice({ ...facts(), debtor: person })
      const page = await open(code)
      const answer = async (given: string) => {
        await page.getByLabel('Votre code postal').fill(given)
        await page.getByRole('button', { name: 'Continuer' }).click()
      }
      await expectWellMade(page, 'debtor-gate')
      await page.emulateMedia({ colorScheme: 'light' })
      await answer('75001')
      await page.getByRole('alert').waitFor()
      await expectWellMade(page, 'debtor-gate-fault')
      await page.emulateMedia({ colorScheme: 'light' })
      for (const given of ['75002', '75003', '75004', '75005']) await answer(given)
      await page.getByRole('heading', { name: 'Ce lien est fermé' }).waitFor()
      await expectWellMade(page, 'debtor-link-closed')
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(`${pagesUrl()}/d/${code}/not-me`)
      await expectWellMade(page, 'debtor-gate-not-me')
    })

    it('the question for the number of an invoice', async () => {
      const person = {
        ...debtor('en', 'Camille Verdier'),
        type: 'consumer',
        postalCode: undefined,
        city: undefined,
      }
      const { code } = await contactedInvoice({ ...facts(), debtor: person })
      await expectWellMade(await open(code, '', 'en'), 'debtor-gate-number')
    })

    it('who tells their situation', async () => {
      const { code } = await contactedInvoice({ ...facts(), debtor: durand('fr') })
      const page = await open(code, '/situation')
      await expectWellMade(page, 'debtor-situation')
      await page.getByLabel('Un dossier de surendettement').check()
      await page.getByRole('button', { name: 'Envoyer et arrêter les rappels' }).click()
      await page.getByRole('heading', { name: 'Les rappels sont arrêtés' }).waitFor()
      await expectWellMade(page, 'debtor-situation-told')
    })

    it.each(['fr', 'en'] as const)('the notice about data (%s)', async language => {
      const { code } = await contactedInvoice({ ...facts(), debtor: durand(language) })
      await expectWellMade(await open(code, '/data', language), `debtor-data-${language}`)
    })

    it.each(['fr', 'en'] as const)('a link that works no more (%s)', async language => {
      const page = await open('e1nobodynobodynobody', '', language)
      await expectWellMade(page, `debtor-dead-link-${language}`)
    })
  },
)
