import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { eventually, invoiceInput } from '../harness/use-installation.ts'
import { privatePerson, useTextMessages } from '../harness/use-text-messages.ts'
import { chromiumPath } from './chromium.ts'
import { focusedText } from './in-page.ts'
import { useBrowser } from './use-browser.ts'

const description = 'Table en chêne et six chaises'
/** What nobody sees before the question is answered. */
const secrets = /Verdier|boite\.example|1\s200|chêne|69002|facture|créance/i

describe.skipIf(!chromiumPath)('a link that asks who opens it', async () => {
  const { installation, contactedInvoice, textMessage, pagesUrl, mailsTo, statusOf, workflowOf } =
    await useTextMessages()
  const { newPage } = useBrowser()

  const open = async (code: string, path = '', language: 'fr' | 'en' = 'fr'): Promise<Page> => {
    const page = await newPage({ language })
    await page.goto(`${pagesUrl()}/d/${code}${path}`)
    return page
  }
  /** With the address as the text message has it. */
  const openText = (text: string) => open(/\/d\/(\S{20})/.exec(text)![1]!)
  const heading = (page: Page, name: string | RegExp) =>
    page.getByRole('heading', { level: 1, name }).waitFor()
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
  const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()
  const answer = async (page: Page, given: string) => {
    await page.getByLabel('Votre code postal').fill(given)
    await press(page, 'Continuer')
  }

  it('in English, and for the number of an invoice', async () => {
    const debtor = privatePerson({ language: 'en', postalCode: undefined, city: undefined })
    const { code, number } = await contactedInvoice({ debtor })
    const page = await open(code, '', 'en')
    await heading(page, 'A message from Atelier Martin SAS is waiting for you')
    await page.getByLabel('The number of your invoice').fill(number.toLowerCase())
    await press(page, 'Continue')
    await heading(page, /payable to/)
  })

  it('a private person answers wrong, wrong and right, and promises a day', async () => {
    const invoice = await contactedInvoice({ debtor: privatePerson(), description })
    const { text } = await textMessage(invoice)
    const page = await openText(text)
    await heading(page, 'Un message d’Atelier Martin SAS vous attend')
    expect(await page.content()).not.toMatch(secrets)
    await answer(page, '75001')
    await page.getByRole('alert').waitFor()
    expect(await page.evaluate(focusedText)).toBe('Un point demande votre attention')
    await page.getByText('Il reste 4 essais.').first().waitFor()
    await answer(page, '75002')
    await page.getByText('Il reste 3 essais.').first().waitFor()
    await answer(page, '69 002')
    await heading(page, /1\s200,00\s€ à payer à Atelier Martin SAS/)
    await follow(page, 'Dire quand je paierai')
    await page.getByLabel('Je paierai le').fill('2026-11-30')
    await press(page, 'Confirmer cette date')
    await heading(page, 'C’est noté : paiement prévu le 30 novembre 2026')
    expect(await workflowOf(invoice.id)).toBe('paused')
    await eventually(
      () => mailsTo(invoice.email),
      mails => mails.some(({ subject }) => subject.includes('paiement prévu')),
    )
  })

  it('a private person pays by card, and comes back to the page without being asked again', async () => {
    const debtor = await contactedInvoice({ debtor: privatePerson() })
    const page = await open(debtor.code)
    await answer(page, '69002')
    await follow(page, 'Payer par carte')
    await press(page, /^Payer 1\s200,00\s€$/)
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await heading(page, 'Paiement reçu, merci')
    expect(await statusOf(debtor.id)).toBe('paid')
  })

  it('five wrong answers close the link, which says whom to ask', async () => {
    const { code } = await contactedInvoice({ debtor: privatePerson() })
    const page = await open(code)
    for (let i = 1; i <= 5; i++) await answer(page, `7500${i}`)
    await heading(page, 'Ce lien est fermé')
    expect(await page.content()).not.toMatch(secrets)
    await page.getByRole('link', { name: 'comptabilite@atelier-martin.example' }).waitFor()
    await page.goto(`${pagesUrl()}/d/${code}`)
    await heading(page, 'Ce lien est fermé')
  })

  it('a stranger who has the number now says so, and sees nothing of it', async () => {
    const invoice = await contactedInvoice({ debtor: privatePerson(), description })
    const { text } = await textMessage(invoice)
    const page = await openText(text)
    const seen: string[] = [await page.content()]
    await follow(page, 'Ce message n’est pas pour moi')
    await heading(page, /pas pour vous/)
    seen.push(await page.content())
    await press(page, 'Oui, je ne suis pas cette personne')
    await heading(page, 'Merci, et pardon pour le dérangement')
    seen.push(await page.content())
    for (const content of seen) expect(content).not.toMatch(secrets)
    expect(await workflowOf(invoice.id)).toBe('paused')
  })

  it('a business opens its email without a question, and sees the invoice of that email only', async () => {
    const { debtor } = invoiceInput()
    const first = await contactedInvoice({ debtor })
    const second = invoiceInput({ debtor, amountCents: 77_700 })
    await installation.call('POST', '/api/v1/invoices', { body: second })
    const page = await open(first.code)
    await heading(page, /1\s200,00\s€ à payer à/)
    expect(await page.content()).toContain(first.number)
    expect(await page.content()).not.toContain(second.invoiceNumber)
    await follow(page, 'Je ne suis pas d’accord')
    expect(await page.content()).not.toContain(second.invoiceNumber)
    expect(await page.context().cookies()).toEqual([])
  })
})
