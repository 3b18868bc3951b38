import { describe, expect, it } from 'vitest'
import { useDebtors } from '../harness/use-debtors.ts'
import { eventually } from '../harness/use-installation.ts'
import { chromiumPath } from './chromium.ts'
import { expectAccessiblePage } from './page-checks.ts'
import { useBrowser } from './use-browser.ts'

describe.skipIf(!chromiumPath)('a creditor with a browser', async () => {
  const { contactedInvoice, pagesUrl, mailsTo, statusOf, visitor } = await useDebtors()
  const { newPage } = useBrowser()

  it('opens the mail about a dispute, answers on the page, and the invoice is in recovery again', async () => {
    const invoice = await contactedInvoice()
    const form = { invoice: invoice.id, kind: 'not_received', words: 'Rien n’est arrivé' }
    await visitor().post(`/d/${invoice.code}/dispute`, form)
    const [mail] = await eventually(
      () => mailsTo('comptabilite@atelier-martin.example').filter(({ text }) => text.includes('/alerts?')),
      mails => mails.length > 0,
    )
    const link = /https?:\/\/[^/\s]+(\/alerts\S+)/.exec(mail!.text)![1]!
    const page = await newPage({ language: 'fr' })
    await page.goto(pagesUrl() + link)
    await page.getByRole('heading', { level: 1, name: 'Ce qui s’est passé' }).waitFor()
    await page.getByText('Rien n’est arrivé').waitFor()
    expect(await statusOf(invoice.id)).toBe('disputed')
    await expectAccessiblePage(page, 'alert-dispute', false)
    await page.getByLabel('Contestation rejetée').check()
    await page.getByRole('button', { name: 'Répondre au débiteur' }).click()
    await page.getByText('C’est fait.').waitFor()
    expect(await page.getByRole('button', { name: 'Répondre au débiteur' }).count()).toBe(0)
    expect(await statusOf(invoice.id)).toBe('in_recovery')
  })
})
