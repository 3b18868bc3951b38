import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { type ContactedInvoice, useDebtors } from '../harness/use-debtors.ts'
import { eventually } from '../harness/use-installation.ts'
import { chromiumPath } from './chromium.ts'
import { focusedText } from './in-page.ts'
import { useBrowser } from './use-browser.ts'

describe.skipIf(!chromiumPath)('a debtor with a browser, and the real worker behind', async () => {
  const debtors = await useDebtors({
    own: 'moves the clock',
    env: { WAKE_TIMEOUT_MS: '2000', RECLAIM_AFTER_MS: '2000' },
  })
  const { contactedInvoice, pagesUrl, advanceDays, mailsTo, remindersTo, workflowOf, statusOf, eventsOf } =
    debtors
  const { newPage } = useBrowser()

  const open = async ({ code }: ContactedInvoice, path = ''): Promise<Page> => {
    const page = await newPage({ language: 'fr' })
    await page.goto(`${pagesUrl()}/d/${code}${path}`)
    return page
  }
  const heading = (page: Page, name: string | RegExp) =>
    page.getByRole('heading', { level: 1, name }).waitFor()
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
  const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()

  it('pays by card at the payment provider, whose signed event closes the case', async () => {
    const debtor = await contactedInvoice()
    const page = await open(debtor)
    await heading(page, /1\s200,00\s€ à payer à Atelier Martin SAS/)
    await follow(page, 'Payer')
    await follow(page, 'Payer par carte')
    await press(page, /^Payer 1\s200,00\s€$/)
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await heading(page, 'Paiement reçu, merci')
    expect(new URL(page.url()).origin).toBe(pagesUrl())
    expect(await statusOf(debtor.id)).toBe('paid')
    expect(await workflowOf(debtor.id)).toBe('completed')
    const types = (await eventsOf(debtor.id)).map(({ type }) => type)
    for (const type of ['payment.received', 'debt.paid', 'workflow.completed'])
      expect(types.filter(one => one === type)).toHaveLength(1)
    await follow(page, 'Retour au récapitulatif')
    await heading(page, /1\s200,00\s€ payés à Atelier Martin SAS/)
    const mails = await eventually(
      () => mailsTo(debtor.email),
      received => received.length === 2,
    )
    expect(mails[1]!.subject).toContain('votre paiement est bien reçu')
  })

  it('who cancels at the payment provider is back on the page, and owes as before', async () => {
    const debtor = await contactedInvoice()
    const page = await open(debtor, '/card')
    await press(page, /^Payer/)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await heading(page, /à payer à/)
    expect(await statusOf(debtor.id)).toBe('in_recovery')
  })

  it('by keyboard alone every answer is reached in the order it is read, and a dispute can be sent', async () => {
    const debtor = await contactedInvoice()
    const page = await open(debtor)
    const reached: string[] = []
    for (let i = 0; i < 20 && reached.at(-1) !== 'Vos données et vos droits'; i++) {
      await page.keyboard.press('Tab')
      reached.push(await page.evaluate(focusedText))
    }
    expect(reached).toEqual([
      'Aller au contenu',
      'English',
      'Payer',
      'Dire quand je paierai',
      'Je ne suis pas d’accord',
      'J’ai déjà payé',
      'Je n’ai pas reçu la facture',
      'Payer par carte',
      'comptabilite@atelier-martin.example',
      'Ce message n’est pas pour moi',
      'Surendettement, procédure collective, décès, tutelle ou usurpation d’identité',
      'Ne plus recevoir d’e\u2011mails de notre part',
      'Vos données et vos droits',
    ])
    await page.goto(`${pagesUrl()}/d/${debtor.code}/dispute`)
    const tabTo = async (caption: RegExp) => {
      for (let i = 0; i < 12; i++) {
        await page.keyboard.press('Tab')
        if (caption.test(await page.evaluate(focusedText))) return
      }
      throw new Error(`nothing says ${caption}`)
    }
    await tabTo(/^Je n’ai pas reçu/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await page.keyboard.type('100')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Le devis disait 900 €')
    await tabTo(/^Envoyer/)
    await page.keyboard.press('Enter')
    await heading(page, 'Les rappels sont arrêtés')
    expect(await page.getByText(/^Somme contestée\s*100,00\s€$/).count()).toBe(1)
    expect(await page.getByText('Le montant est faux : Le devis disait 900 €').count()).toBe(1)
  })

  it('after a mistake the keyboard is at what is wrong, and one step leads to the field', async () => {
    const page = await open(await contactedInvoice(), '/promise')
    await page.getByLabel('Je paierai le').fill('2027-06-01')
    await press(page, 'Confirmer cette date')
    await page.getByRole('alert').waitFor()
    expect(await page.title()).toMatch(/^Erreur/)
    expect(await page.evaluate(focusedText)).toBe('Un point demande votre attention')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.getByLabel('Je paierai le').inputValue()).toBe('2027-06-01')
    expect(await page.getByLabel('Je paierai le').getAttribute('aria-invalid')).toBe('true')
  })

  it('a dispute stops the recovery before its next wake-up, a promise pauses it, and silence does neither', async () => {
    const [silent, disputing, promising] = [
      await contactedInvoice(),
      await contactedInvoice(),
      await contactedInvoice(),
    ]
    await heading(await open(silent), /à payer à/)

    let page = await open(disputing)
    await follow(page, 'Je ne suis pas d’accord')
    await page.getByLabel('Le montant est faux').check()
    await page.getByLabel('Avec vos mots').fill('Virement du 3 novembre')
    await press(page, 'Envoyer et arrêter les rappels')
    await heading(page, 'Les rappels sont arrêtés')

    page = await open(promising)
    await follow(page, 'Dire quand je paierai')
    await page.getByLabel('Je paierai le').fill('2026-11-30')
    await press(page, 'Confirmer cette date')
    await heading(page, 'C’est noté : paiement prévu le 30 novembre 2026')

    await advanceDays(7)
    await eventually(
      () => remindersTo(silent.email),
      n => n === 2,
    )
    expect([remindersTo(disputing.email), remindersTo(promising.email)]).toEqual([1, 1])
    // Two working days after the 30th the promise is over, and nothing had been paid: the reminders go on, without a burst.
    await advanceDays(11)
    await eventually(
      () => workflowOf(promising.id),
      status => status === 'in_recovery',
    )
    await advanceDays(6)
    await eventually(
      () => remindersTo(promising.email),
      n => n === 2,
    )
    expect(remindersTo(disputing.email)).toBe(1)
    expect(await workflowOf(disputing.id)).toBe('paused')
    await heading(await open(disputing), /Contestation enregistrée/)
  })
})
