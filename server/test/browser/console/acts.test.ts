import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Role } from '../../../src/features/access/roles.ts'
import { lyonDebtor } from '../../harness/sandbox.ts'
import { invoiceInput } from '../../harness/use-installation.ts'
import { chromiumPath } from '../chromium.ts'
import { wcagFaults } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'
import { usePeopleFixture } from '../use-people-fixture.ts'
import { showInFirstFrame } from './in-console.ts'

describe.skipIf(!chromiumPath)('the acts of the console', () => {
  /** It is Monday 16 November 2026, 09:00 in Paris. */
  const fixture = usePeopleFixture()
  const { newPage } = useBrowser()

  let made = 0
  const letter = (n: number) => 'abcdefghijklmnopqrstuvwxyz'[n % 26]
  async function newInvoice() {
    const { body } = await fixture.installation.call<{ id: string; debtor: { id: string } }>(
      'POST',
      '/api/v1/invoices',
      {
        body: invoiceInput({
          dueDate: '2026-10-01',
          debtor: lyonDebtor(`Maison ${letter(Math.floor(made / 26))}${letter(made++)}`),
        }),
      },
    )
    return body.data
  }
  const read = async <Data>(path: string) =>
    (await fixture.installation.call<Data>('GET', `/api/v1/${path}`)).body.data

  async function open(path: string, role: Role = 'owner', shape: 'desk' | 'phone' = 'desk') {
    const number = ++made
    const person = await fixture.addPersonWithPassword(
      { name: 'Camille Roux', email: `camille-${number}@atelier-martin.example`, language: 'fr' },
      { [fixture.martin.companyId]: role },
    )
    const page = await newPage({
      cookie: await fixture.sessionFor(person),
      at: fixture.issuer,
      language: 'fr',
    })
    await page.setViewportSize(shape === 'desk' ? { width: 1440, height: 900 } : { width: 390, height: 844 })
    const refused: string[] = []
    page.on('console', message => {
      if (/Content Security Policy|Trusted/.test(message.text())) refused.push(message.text())
    })
    await page.goto(`${fixture.issuer}/console/${fixture.martin.companyId}/production/${path}`)
    return { page, refused }
  }
  const picture = async (page: Page, name: string) => {
    if (process.env.PICTURES) await page.screenshot({ path: join(tmpdir(), `acts-${name}.png`) })
  }
  /** The head of the page has a button whose words end alike. */
  const menuOf = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Agir', exact: true })
  const choose = async (page: Page, words: string) => {
    await menuOf(page).click()
    const item = page.getByRole('menuitem', { name: words })
    await item.click()
    // A click that comes while the page scrolls to the item only marks it: it is clicked again, as a person does.
    await expect
      .poll(
        async () => {
          if (await item.isVisible()) await item.click({ timeout: 2_000 }).catch(() => {})
          return item.isVisible()
        },
        { interval: 1_000, timeout: 30_000 },
      )
      .toBe(false)
  }
  const statusOf = async (id: string) => (await read<{ status: string }>(`workflow/invoice/${id}`)).status

  describe('a pause', () => {
    it('is drawn, done at once and undone, by mouse', async () => {
      const { id } = await newInvoice()
      const { page, refused } = await open(`invoices/${id}`)
      await choose(page, 'Mettre la facture en pause')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('listitem').filter({ hasText: 'Ne part plus' }).waitFor()
      await picture(page, 'pause')
      await dialog.getByRole('button', { name: 'Mettre la facture en pause' }).click()
      await page.getByText('La relance est en pause.').waitFor()
      await expect.poll(() => statusOf(id)).toBe('paused')
      await picture(page, 'pause-done')
      await page.getByRole('button', { name: 'Annuler' }).click()
      await page.getByText('Annulé').waitFor()
      expect(await statusOf(id)).toBe('in_recovery')
      expect(refused).toEqual([])
    })

    it('is done and undone by keys alone', async () => {
      const { id } = await newInvoice()
      const { page } = await open(`invoices/${id}`)
      await menuOf(page).waitFor()
      await page.keyboard.press('p')
      await page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Ne part plus' }).waitFor()
      await page.keyboard.press('Enter')
      await expect.poll(() => statusOf(id)).toBe('paused')
      await page.getByText('La relance est en pause.').waitFor()
      await page.keyboard.press('u')
      await expect.poll(() => statusOf(id)).toBe('in_recovery')
      await page.getByText('Annulé').waitFor()
      await page.keyboard.press('u')
      await page.getByText('Il n’y a plus rien à annuler.').waitFor()
    })
  })

  describe('money of a debtor', () => {
    /** Three invoices of one debtor, due one after the other. */
    async function owing(...amounts: number[]) {
      const debtor = lyonDebtor(`Fonderie ${letter(Math.floor(made / 26))}${letter(made++)}`)
      const ids: string[] = []
      let debtorId = ''
      for (const [i, amountCents] of amounts.entries()) {
        const body = invoiceInput({
          debtor,
          amountCents,
          dueDate: `2026-10-0${i + 1}`,
          issueDate: '2026-09-01',
        })
        const { data } = (
          await fixture.installation.call<{ id: string; debtor: { id: string } }>(
            'POST',
            '/api/v1/invoices',
            {
              body,
            },
          )
        ).body
        ids.push(data.id)
        debtorId = data.debtor.id
      }
      return { ids, debtorId }
    }
    const balanceOf = async (id: string) =>
      (await read<{ balanceCents: number }>(`invoices/${id}`)).balanceCents
    const plain = (text: string) => text.replaceAll(/\s/g, ' ')

    it('a cheque for several invoices is split by the API, changed by hand, and recorded once', async () => {
      const { ids, debtorId } = await owing(70_000, 60_000, 50_000)
      const { page, refused } = await open(`debtors/${debtorId}`)
      await choose(page, 'Saisir un paiement')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Somme').fill('1200')
      await dialog.getByLabel('Moyen de paiement').selectOption('Chèque')
      await dialog.getByLabel('Votre référence').fill('CHQ 7741203')
      const parts = dialog.getByRole('textbox', { name: /^Part de la facture/ })
      await expect.poll(() => parts.count()).toBe(3)
      const texts = async () =>
        (await parts.evaluateAll(all => all.map(one => (one as { value?: string }).value ?? ''))).map(plain)
      expect(await texts()).toEqual(['700,00 €', '500,00 €', ''])
      await picture(page, 'receipt')
      const button = dialog.getByRole('button', { name: 'Saisir un paiement' })
      // By hand: 100 € are given to no invoice, so the form asks before it records them.
      await parts.nth(0).fill('600')
      await dialog.getByText('100,00 € ne sont attribués à aucune facture').waitFor()
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
      await picture(page, 'receipt-left-over')
      await parts.nth(0).fill('900')
      await dialog.getByText('La répartition dépasse la somme reçue.').waitFor()
      await parts.nth(0).fill('600')
      await parts.nth(2).fill('100')
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('false')
      expect(await wcagFaults(page)).toEqual([])
      await button.click()
      await page.getByText('Le paiement est enregistré.').waitFor()
      expect(await Promise.all(ids.map(balanceOf))).toEqual([10_000, 10_000, 40_000])
      const payments = await read<{ instrument: string; receiptId: string | null }[]>(
        `payments/invoice/${ids[0]}`,
      )
      expect(payments).toMatchObject([{ instrument: 'cheque', receiptId: expect.any(String) }])
      await page.getByText(/600,00\s€ reçus par chèque/).waitFor()
      expect(refused).toEqual([])
    })

    it('what is more than owed is asked about before it is recorded, of one invoice and of several', async () => {
      const { ids, debtorId } = await owing(70_000)
      const { page } = await open(`debtors/${debtorId}`)
      await choose(page, 'Saisir un paiement')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Somme').fill('1000')
      await dialog.getByText('300,00 € de plus que ce qui est dû').waitFor()
      const button = dialog.getByRole('button', { name: 'Saisir un paiement' })
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
      await dialog.getByLabel('L’argent est bien arrivé').check()
      await picture(page, 'receipt-excess')
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('false')
      // What was confirmed was confirmed of that sum.
      await dialog.getByLabel('Somme').fill('900')
      await dialog.getByText('200,00 € de plus que ce qui est dû').waitFor()
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
      await dialog.getByRole('button', { name: 'Annuler' }).click()
      await page.goto(page.url().replace(`debtors/${debtorId}`, `invoices/${ids[0]}`))
      await choose(page, 'Saisir un paiement')
      await dialog.getByLabel('Somme').fill('999999')
      await dialog.getByText(/999\s299,00\s€ de plus que ce qui est dû/).waitFor()
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
      expect(await balanceOf(ids[0]!)).toBe(70_000)
    })

    it('a promise is recorded for the chosen invoices of a debtor', async () => {
      const { ids, debtorId } = await owing(70_000, 60_000, 50_000)
      const { page } = await open(`debtors/${debtorId}`)
      await choose(page, 'Noter une promesse')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Paiement promis pour le').fill('2026-11-30')
      await dialog.getByText('Promesse pour 3 factures.').waitFor()
      const boxes = dialog.getByRole('checkbox')
      await expect.poll(() => boxes.count()).toBe(4)
      await boxes.nth(2).uncheck()
      await dialog.getByText('Promesse pour 2 factures.').waitFor()
      await picture(page, 'promise-several')
      expect(await wcagFaults(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Noter une promesse' }).click()
      await page.getByText('Les promesses sont notées.').waitFor()
      expect(await Promise.all(ids.map(statusOf))).toEqual(['paused', 'in_recovery', 'paused'])
    })
  })

  it('a payment waits for its effect, and is not done before the answer', async () => {
    const { id } = await newInvoice()
    const { page } = await open(`invoices/${id}`)
    await choose(page, 'Saisir un paiement')
    const sum = page.getByRole('dialog').getByLabel('Somme')
    expect((await sum.inputValue()).replaceAll(/\s/g, ' ')).toBe('1 200,00 €')
    await sum.fill('1200.5.3')
    await page.getByText('Ce n’est pas une somme').waitFor()
    await sum.fill('200.5')
    await sum.blur()
    expect((await sum.inputValue()).replaceAll(/\s/g, ' ')).toBe('200,50 €')
    await page.getByRole('dialog').getByRole('listitem').first().waitFor()
    await picture(page, 'payment')
    await page.getByRole('dialog').getByRole('button', { name: 'Saisir un paiement' }).click()
    await page.getByText('Le paiement est enregistré.').waitFor()
    expect(await read<{ paidCents: number }>(`invoices/${id}`)).toMatchObject({ paidCents: 20_050 })
  })

  it('a message is drawn where the rules put it, and taken back by the key', async () => {
    const { id } = await newInvoice()
    const { page } = await open(`invoices/${id}`)
    await menuOf(page).waitFor()
    await page.keyboard.press('m')
    const sheet = page.getByRole('dialog', { name: 'Écrire' })
    await sheet.getByLabel('Canal', { exact: true }).selectOption('sms')
    await sheet
      .getByLabel('Texte', { exact: true })
      .fill('merci de nous rappeler au sujet de {{reference}} :')
    await sheet.getByText('merci de nous rappeler au sujet de F').waitFor()
    await picture(page, 'message')
    await sheet.getByRole('button', { name: 'Envoyer' }).click()
    await page.getByText('Le message est prévu.').waitFor()
    const asked = async () =>
      (await read<{ actions: { action: string }[] }>(`workflow/invoice/${id}/plan`)).actions.filter(
        ({ action }) => action === 'written_message',
      ).length
    expect(await asked()).toBe(1)
    await page.keyboard.press('u')
    await expect.poll(asked).toBe(0)
  })

  it('what a person writes is kept when the sheet closes, judged at its field, and shown as words', async () => {
    const { debtor } = await newInvoice()
    const { page, refused } = await open(`debtors/${debtor.id}`)
    await page.getByRole('button', { name: 'Écrire', exact: true }).click()
    const sheet = page.getByRole('dialog', { name: 'Écrire' })
    const typed = 'Voici <img src=x onerror="document.title=1"> votre facture {{reference}}.'
    await sheet.getByLabel('Objet').fill('<b>duplicata</b>')
    await sheet.getByLabel('Texte', { exact: true }).fill(typed)
    const shown = sheet.getByRole('article')
    const mail = shown.frameLocator('iframe')
    await mail.getByText('Voici <img src=x onerror').waitFor()
    await shown.getByText('<b>duplicata</b>').waitFor()
    expect(await mail.locator('img, b').count()).toBe(0)
    expect(await shown.locator('img, b').count()).toBe(0)
    await sheet
      .getByRole('status')
      .getByText(/^(Part|Attend) /)
      .waitFor()
    await picture(page, 'written')
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Écrire', exact: true }).click()
    expect(await sheet.getByLabel('Texte', { exact: true }).inputValue()).toBe(typed)
    await sheet.getByLabel('Texte', { exact: true }).fill('Payez, sinon un huissier viendra.')
    await sheet.getByText('« huissier » ne s’écrit pas dans une relance').waitFor()
    await picture(page, 'written-refused')
    expect(await sheet.getByRole('button', { name: 'Envoyer' }).getAttribute('aria-disabled')).toBe('true')
    await sheet.getByLabel('Message', { exact: true }).selectOption('account_statement')
    await sheet.getByLabel('Texte', { exact: false }).last().fill('')
    await mail.getByText('Relevé de compte au').first().waitFor()
    await picture(page, 'statement')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      sheet.getByRole('button', { name: 'Télécharger le relevé (PDF)' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/\.pdf$/)
    expect(refused).toEqual([])
  })

  it('the page that shows an email runs nothing, fetches nothing and follows no link, whatever the HTML', async () => {
    const { debtor } = await newInvoice()
    const { page } = await open(`debtors/${debtor.id}`)
    await page.getByRole('button', { name: 'Écrire', exact: true }).click()
    const sheet = page.getByRole('dialog', { name: 'Écrire' })
    await sheet.getByLabel('Texte', { exact: true }).fill('Voici votre facture.')
    const mail = sheet.frameLocator('iframe')
    await mail.getByText('Voici votre facture.').waitFor()
    expect((await sheet.locator('iframe').boundingBox())!.height).toBeGreaterThan(300)
    const asked: Request[] = []
    page.on('request', request => asked.push(request))
    const hostile = `<title>own</title><style>@import "/console/style"; p { background: url(/console/background) }</style>
      <p>Hostile</p><img src="/console/image" onerror="document.title = 'ran'"><script>document.title = 'ran'</script>
      <svg onload="document.title = 'ran'"></svg><iframe src="/console/frame" srcdoc="<script>parent.document.title = 'ran'</script>"></iframe>
      <link rel="stylesheet" href="/console/link"><form action="/console/form"><button>Post</button></form>
      <a href="/console/away">Away</a><a href="javascript:document.title = 'ran'">Script</a>`
    await page.evaluate(showInFirstFrame, hostile)
    await mail.getByText('Hostile').waitFor()
    for (const name of ['Away', 'Script', 'Post']) await mail.getByText(name).click()
    expect(await mail.locator('title').textContent()).toBe('own')
    await mail.getByText('Hostile').waitFor()
    // What its policy refuses never leaves the browser.
    const left = asked.filter(
      one => !one.url().includes('/console/api/') && one.failure()?.errorText !== 'csp',
    )
    expect(left.map(one => one.url())).toEqual([])
  })

  it('a message is planned from an open cell of the calendar, at its moment', async () => {
    const { id, debtor } = await newInvoice()
    const { page } = await open(`debtors/${debtor.id}`)
    await page.getByRole('button', { name: 'Calendrier', exact: true }).click()
    const cell = page.locator('[data-cell="email 2026-11-26"]')
    await cell.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Canal').inputValue()).toBe('email')
    expect(await dialog.getByLabel('Pas avant').inputValue()).toBe('2026-11-26T08:00')
    await expect.poll(() => dialog.getByLabel('Facture').inputValue()).toBe(id)
    await dialog.getByLabel('Message', { exact: true }).selectOption('extra_message')
    await dialog
      .getByRole('status')
      .getByText(/^(Part|Attend) (jeu\. 26|ven\. 27|sam\. 28) nov\./)
      .waitFor()
    await picture(page, 'planned-from-calendar')
    await page.keyboard.press('Escape')
    await page.locator('[data-cell="email 2026-11-29"]').focus()
    await page.keyboard.press('Enter')
    expect(await dialog.count(), 'a Sunday').toBe(0)
  })

  it('a refusal says what it means, what to do, and which request it was', async () => {
    const { id } = await newInvoice()
    const credit = { number: 'A-REFUS', amountCents: 100, issuedOn: '2026-11-10' }
    await fixture.installation.call('POST', `/api/v1/invoices/${id}/credits`, { body: credit })
    const { page } = await open(`invoices/${id}`)
    await choose(page, 'Saisir un avoir')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Numéro de l’avoir').fill(credit.number)
    await dialog.getByLabel('Somme').fill('10')
    await dialog.getByLabel('Émis le').fill(credit.issuedOn)
    const alert = page.getByRole('alert')
    await alert.getByText('Cela existe déjà.').waitFor()
    await dialog.getByText('Ce numéro existe déjà : donnez-en un autre.').waitFor()
    await picture(page, 'refusal')
    expect(await alert.locator('[lang=en]').count()).toBe(0)
    expect(await alert.textContent()).not.toMatch(/credit note|exists already/i)
    expect(await alert.locator('code').textContent()).toMatch(/^req_|^[0-9a-f-]{20,}/)
    const confirm = dialog.getByRole('button', { name: 'Saisir un avoir' })
    expect(await confirm.getAttribute('aria-disabled')).toBe('true')
  })

  it('a value that is refused is told at its field, in French, and a day has its first and last', async () => {
    const [{ id }, { debtor }] = [await newInvoice(), await newInvoice()]
    const taken = { ...lyonDebtor('Autre Maison'), siret: '73282932000074' }
    await fixture.installation.call('POST', '/api/v1/debtors', { body: taken })
    const { page } = await open(`debtors/${debtor.id}`)
    const dialog = page.getByRole('dialog')
    const field = (label: string) => dialog.getByLabel(label)
    const tells = async (label: string, sentence: string) => {
      await dialog.getByText(sentence).first().waitFor()
      await expect.poll(() => field(label).getAttribute('aria-invalid')).toBe('true')
      expect(await dialog.getByText(/must|is more|is before/).count()).toBe(0)
    }
    await choose(page, 'Corriger l’adresse')
    await field('SIRET').fill('123')
    await tells('SIRET', 'Un SIRET a 14 chiffres.')
    await field('SIRET').fill(taken.siret)
    await tells('SIRET', 'Un autre client a déjà ce SIRET.')
    await field('E-mail').fill('compta@')
    await tells('E-mail', 'Ce n’est pas une adresse e-mail, comme compta@exemple.fr.')
    await page.goto(page.url().replace(`debtors/${debtor.id}`, `invoices/${id}`))
    await choose(page, 'Noter une promesse')
    const date = field('Paiement promis pour le')
    const [first, last] = [await date.getAttribute('min'), await date.getAttribute('max')]
    expect((Date.parse(last!) - Date.parse(first!)) / 86_400_000).toBe(60)
    await dialog.getByText('Dans les 60 jours.').waitFor()
    await date.fill('2026-11-02')
    await tells('Paiement promis pour le', 'Cette date est passée.')
    await date.fill('2027-06-01')
    await tells('Paiement promis pour le', 'Cette date est trop éloignée.')
    await date.fill('2026-11-28')
    await field('Somme promise').fill('9 000')
    await tells('Somme promise', 'C’est plus que ce qui reste dû.')
  })

  it('what is not possible is shown with its cause, in the menu, by its key and in the palette', async () => {
    const { id } = await newInvoice()
    const { page } = await open(`invoices/${id}`)
    await menuOf(page).click()
    const folded = page.getByRole('menuitem', { name: /^Pas possible maintenant \(\d+\)$/ })
    await folded.waitFor()
    expect(await page.getByRole('menuitem', { disabled: true }).count()).toBe(0)
    await folded.click()
    const obstacles = {
      'Reprendre la facture': 'État : relance en cours.',
      'Passer à l’étape plus ferme': 'Le premier message n’est pas encore envoyé.',
      'Rembourser un paiement': 'Aucun paiement reçu ne peut être rendu.',
    }
    for (const [name, cause] of Object.entries(obstacles)) {
      const item = page.getByRole('menuitem', { name })
      expect(await item.getAttribute('aria-disabled'), name).toBe('true')
      expect((await item.textContent())?.replaceAll('\u00a0', ' '), name).toContain(cause)
    }
    await picture(page, 'obstacles')
    await page.keyboard.press('Escape')
    await page.keyboard.press('r')
    await page.getByText('« Reprendre la facture » n’est pas possible.').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('Reprendre')
    const option = page.getByRole('option', { name: 'Reprendre la facture' })
    expect(await option.getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Enter')
    expect(await option.isVisible()).toBe(true)
  })

  it('each other act is drawn before it is confirmed, and then done', async () => {
    const { id, debtor } = await newInvoice()
    const { page, refused } = await open(`invoices/${id}`)
    const act = async (words: string, fill: () => Promise<unknown>, done: string, confirm = words) => {
      await choose(page, words)
      const dialog = page.getByRole('dialog')
      await fill()
      const button = dialog.getByRole('button', { name: confirm })
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('false')
      await picture(page, words.replaceAll(/\W/g, '-'))
      await button.click()
      await page.getByText(done).waitFor()
      await dialog.waitFor({ state: 'detached' })
    }
    await act(
      'Noter une promesse',
      () => page.getByRole('dialog').getByLabel('Paiement promis').fill('2026-11-20'),
      'La promesse est notée.',
    )
    await act('Reprendre la facture', async () => {}, 'La relance a repris.')
    await act(
      'Ouvrir une contestation',
      () => page.getByRole('dialog').getByLabel('Ce que dit').fill('La livraison manque'),
      'La contestation est enregistrée.',
    )
    await act(
      'Clore la contestation',
      () => page.getByRole('dialog').getByLabel('Issue').selectOption('rejected'),
      'Le client est informé.',
    )
    await act(
      'Saisir un avoir',
      async () => {
        await page.getByRole('dialog').getByLabel('Numéro de l’avoir').fill('A-1')
        await page.getByRole('dialog').getByLabel('Somme').fill('10')
        await page.getByRole('dialog').getByLabel('Émis le').fill('2026-11-10')
      },
      'L’avoir est ajouté.',
    )
    await act(
      'Saisir un paiement',
      () => page.getByRole('dialog').getByLabel('Somme').fill('100'),
      'Le paiement est enregistré.',
    )
    await act(
      'Rembourser un paiement',
      () => page.getByRole('dialog').getByLabel('Paiement à rembourser').selectOption({ index: 1 }),
      'Le remboursement est enregistré.',
    )
    await act(
      'Écrire',
      async () => {
        await page.getByLabel('Message', { exact: true }).selectOption('extra_message')
      },
      'Le message est prévu.',
      'Envoyer',
    )
    await act(
      'Retirer un message prévu',
      () => page.getByRole('dialog').getByLabel('Message à retirer').selectOption({ index: 1 }),
      'Le message est retiré.',
    )
    await act(
      'Clôturer la relance',
      () => page.getByRole('dialog').getByLabel('Motif').fill('Facturée deux fois'),
      'La relance est clôturée.',
    )
    expect(await statusOf(id)).toBe('cancelled')
    const other = await newInvoice()
    await page.goto(page.url().replace(id, other.id))
    await act(
      'Classer comme irrécouvrable',
      () =>
        page.getByRole('dialog').getByLabel('Pourquoi elle est irrécouvrable').selectOption('untraceable'),
      'La facture est classée comme irrécouvrable. La dette n’est pas effacée.',
    )
    await page.goto(page.url().replace(`invoices/${other.id}`, `debtors/${debtor.id}`))
    await act(
      'Ne plus contacter par un canal',
      () => page.getByRole('dialog').getByLabel('Canal').selectOption('sms'),
      'Le canal est fermé.',
    )
    expect(refused).toEqual([])
  })

  /** Waits until the effect is known, and confirms. */
  const confirm = async (page: Page, words: string, done: string) => {
    const dialog = page.getByRole('dialog')
    const button = dialog.getByRole('button', { name: words })
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('false')
    await picture(page, words.replaceAll(/\W/g, '-'))
    await button.click()
    // The history may say the same in other words, and an earlier message may still be there.
    await page.getByText(done, { exact: true }).last().waitFor()
    await dialog.waitFor({ state: 'detached' })
  }
  const told = (page: Page, name: RegExp) => page.getByRole('main').getByRole('region', { name })
  const plain = async (text: Promise<string | null>) => ((await text) ?? '').replaceAll(/\s/g, ' ')

  it('a situation is recorded, shown with what it stops, and ended by a decision alone', async () => {
    const { id, debtor } = await newInvoice()
    const { page, refused } = await open(`debtors/${debtor.id}`)
    await choose(page, 'Signaler une situation')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Situation', { exact: true }).selectOption('deceased')
    await dialog.getByLabel('Comment vous l’avez su').selectOption('voice')
    await dialog.getByLabel('Note').fill('Sa fille a appelé')
    await dialog.getByText('Plus aucune relance ne part avant une décision.').waitFor()
    await dialog.getByRole('listitem').filter({ hasText: 'Ne part plus' }).waitFor()
    await confirm(page, 'Signaler une situation', 'Le signalement est enregistré.')
    expect(await statusOf(id)).toBe('paused')

    const notice = told(page, /Décès signalé/)
    await notice.getByText('Depuis lun. 16 nov.').waitFor()
    await notice.getByText('Plus aucune relance ne part, pour aucune facture').waitFor()
    await picture(page, 'situation')
    expect(await wcagFaults(page)).toEqual([])
    await notice.getByRole('button', { name: 'Enregistrer une décision' }).click()
    const button = dialog.getByRole('button', { name: 'Enregistrer une décision' })
    await dialog.getByLabel('Décision').selectOption('representative')
    const mail = dialog.getByLabel('E-mail')
    await dialog.getByLabel('Nom', { exact: true }).fill('Étude Roy, notaire')
    expect(await button.getAttribute('aria-disabled'), 'the address is missing').toBe('true')
    await mail.fill('no address')
    await expect.poll(() => mail.getAttribute('aria-invalid')).toBe('true')
    await picture(page, 'decision-refused')
    expect(await wcagFaults(page)).toEqual([])
    await mail.fill('succession@etude-roy.example')
    await confirm(page, 'Enregistrer une décision', 'La décision est enregistrée.')
    await notice.waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1, name: 'Étude Roy, notaire' }).waitFor()
    expect(await statusOf(id)).toBe('in_recovery')
    expect(await read(`debtors/${debtor.id}`)).toMatchObject({
      name: 'Étude Roy, notaire',
      email: 'succession@etude-roy.example',
      reported: null,
    })
    expect(refused).toEqual([])
  })

  it('a decision is found by keys, and who may only look sees what is reported', async () => {
    const { debtor } = await newInvoice()
    await fixture.installation.call('POST', `/api/v1/debtors/${debtor.id}/situations`, {
      body: { situation: 'insolvency', channel: 'email' },
    })
    const { page } = await open(`debtors/${debtor.id}`)
    await menuOf(page).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('décision')
    await page.getByRole('option', { name: 'Enregistrer une décision' }).waitFor()
    await page.keyboard.press('Enter')
    const decision = page.getByRole('dialog').getByLabel('Décision')
    await decision.waitFor()
    expect(await decision.locator('option').allTextContents()).toHaveLength(2)
    await page.keyboard.press('Escape')
    const looking = await open(`debtors/${debtor.id}`, 'viewer')
    const notice = told(looking.page, /Signale un surendettement/)
    await notice.waitFor()
    await looking.page.getByRole('button', { name: 'Camille Roux' }).waitFor()
    expect(await notice.getByRole('button').count()).toBe(0)
  })

  it('proceedings are recorded with the day to declare, changed, and ended', async () => {
    const { id, debtor } = await newInvoice()
    const { page, refused } = await open(`debtors/${debtor.id}`)
    await choose(page, 'Enregistrer une procédure')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Procédure', { exact: true }).selectOption('liquidation')
    const opened = dialog.getByLabel('Ouverte le')
    await opened.fill('2026-11-20')
    await expect.poll(() => opened.getAttribute('aria-invalid'), { message: 'a day to come' }).toBe('true')
    await opened.fill('2026-11-02')
    await dialog.getByLabel('Publiée le').fill('2026-11-05')
    await dialog.getByLabel('Tribunal').fill('Tribunal de commerce de Lyon')
    await dialog.getByLabel('Mandataire').fill('Maître Blanc, 3 rue de la République, 69001 Lyon')
    await dialog.getByText('à déclarer au plus tard le 05/01/2027').waitFor()
    await confirm(page, 'Enregistrer une procédure', 'La procédure est enregistrée.')
    expect(await statusOf(id)).toBe('paused')

    const notice = told(page, /Liquidation judiciaire, ouverte le 02\/11\/2026/)
    await notice.getByText('Créance à déclarer au plus tard le 05/01/2027.').waitFor()
    await notice.getByText('Tribunal de commerce de Lyon').waitFor()
    await notice.getByText('Plus aucune relance ne part').waitFor()
    await picture(page, 'proceedings')
    await notice.getByRole('button', { name: 'Enregistrer une procédure' }).click()
    expect(await dialog.getByLabel('Publiée le').inputValue()).toBe('2026-11-05')
    expect(await dialog.getByLabel('Preuve de la déclaration').count()).toBe(0)
    await dialog.getByLabel('Créance déclarée le').fill('2026-11-12')
    await dialog.getByLabel('Preuve de la déclaration').fill('Suivi 8V123')
    await confirm(page, 'Enregistrer une procédure', 'La procédure est enregistrée.')
    await notice.getByText('Créance déclarée le 12/11/2026 (Suivi 8V123).').waitFor()
    expect(await read(`debtors/${debtor.id}`)).toMatchObject({
      insolvency: { court: 'Tribunal de commerce de Lyon', publishedOn: '2026-11-05' },
    })
    await notice.getByRole('button', { name: 'Clore la procédure' }).click()
    await confirm(page, 'Clore la procédure', 'La procédure est close.')
    await notice.waitFor({ state: 'detached' })
    expect(await statusOf(id)).toBe('in_recovery')
    expect(refused).toEqual([])
  })

  it('on a phone proceedings say what is passed, and nothing is wider than the screen', async () => {
    const { debtor } = await newInvoice()
    const body = { insolvency: { kind: 'receivership', openedOn: '2026-07-20', publishedOn: '2026-08-01' } }
    await fixture.installation.call('PUT', `/api/v1/debtors/${debtor.id}`, { body })
    const { page } = await open(`debtors/${debtor.id}`, 'owner', 'phone')
    const notice = told(page, /Redressement judiciaire/)
    await notice.getByText('Le délai pour déclarer la créance est passé depuis le 01/10/2026.').waitFor()
    await notice.getByText('au plus tard le 01/02/2027').waitFor()
    await picture(page, 'proceedings-phone')
    expect(await wcagFaults(page)).toEqual([])
    const isWider = () => page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
    expect(await isWider()).toBe(false)
    await notice.getByRole('button', { name: 'Enregistrer une procédure' }).click()
    await page.getByRole('dialog').getByText('Plus aucune relance ne part tant que').waitFor()
    await picture(page, 'proceedings-dialog-phone')
    expect(await isWider()).toBe(false)
  })

  it('after the amicable stage nothing is filed but what a person files, with its proof', async () => {
    const { id } = await newInvoice()
    const { page, refused } = await open(`invoices/${id}`)
    await menuOf(page).click()
    await page.getByRole('menuitem', { name: /^Pas possible maintenant/ }).click()
    const item = page.getByRole('menuitem', { name: 'Enregistrer un dépôt ou une signification' })
    expect(await item.getAttribute('aria-disabled')).toBe('true')
    expect(await item.textContent()).toContain('Le suivi amiable n’est pas terminé.')
    await page.keyboard.press('Escape')
    await fixture.installation.sql(
      `update recoveries set status = 'judicial', wish_at = null, due_at = null where invoice_id = $1`,
      [id],
    )
    await fixture.installation.sql(
      `update invoices set judicial_at = created_at, status = 'judicial' where id = $1`,
      [id],
    )
    await page.reload()
    await page.getByText('Le suivi amiable est terminé. Rien n’a été déposé à votre place').waitFor()
    await picture(page, 'nothing-filed')
    expect(await wcagFaults(page)).toEqual([])
    await choose(page, 'Enregistrer un dépôt ou une signification')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Ce qui a eu lieu').selectOption('filed')
    const day = dialog.getByLabel('Déposé le')
    await day.fill('2026-12-24')
    await dialog.getByLabel('Preuve du dépôt').fill('RG 26/01234')
    await expect.poll(() => day.getAttribute('aria-invalid'), { message: 'a day to come' }).toBe('true')
    await day.fill('2026-11-10')
    await dialog.getByText('Prescription, par estimation').waitFor()
    await confirm(page, 'Enregistrer un dépôt ou une signification', 'C’est enregistré.')
    await page.getByText('Le suivi amiable est terminé. Dossier déposé le 10/11/2026.').waitFor()
    await choose(page, 'Enregistrer un dépôt ou une signification')
    await dialog.getByLabel('Ce qui a eu lieu').selectOption('served')
    await dialog.getByLabel('Signifié le').fill('2026-11-13')
    await dialog.getByLabel('Preuve de la signification').fill('Acte 2026-118')
    await dialog.getByText(/Prescription, par estimation\s: 13\/11\/2031/).waitFor()
    await confirm(page, 'Enregistrer un dépôt ou une signification', 'C’est enregistré.')
    await page.getByText('Acte signifié le 13/11/2026.').waitFor()
    expect(await read(`invoices/${id}?include=recovery`)).toMatchObject({
      recovery: { filedOn: '2026-11-10', servedOn: '2026-11-13' },
    })
    expect(refused).toEqual([])
  })

  it('a dispute of a part is shown with its sum, and decided in part with its answer', async () => {
    const { id, debtor } = await newInvoice()
    await fixture.installation.call('POST', `/api/v1/invoices/${id}/dispute`, {
      body: { reason: 'Deux palettes manquent', amountCents: 48_000 },
    })
    const { page, refused } = await open(`invoices/${id}`)
    const dialog = page.getByRole('dialog')
    const main = page.getByRole('main')
    await main.getByText(/contestation ouverte \(480,00\s€\)/).waitFor()
    expect(await plain(main.textContent())).toContain('Dont contesté480,00 €')
    const other = await open(`debtors/${debtor.id}`)
    const row = other.page.getByRole('row').filter({ hasText: 'contestation ouverte' })
    await row.first().waitFor()
    expect(await plain(row.first().textContent())).toContain('contestation ouverte (480,00 €)')

    await choose(page, 'Clore la contestation')
    const outcome = dialog.getByLabel('Issue')
    await outcome.selectOption('upheld')
    expect(await dialog.getByLabel('Motif donné au client').count()).toBe(0)
    await outcome.selectOption('partly')
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Somme qui n’est pas due').fill('120')
    await dialog.getByLabel('Numéro de l’avoir').fill('A-2026-7')
    await dialog.getByLabel('Motif donné au client').fill('Une palette est bien arrivée')
    await dialog.getByText(/Avoir\s: 120,00\s€\./).waitFor()
    await picture(page, 'dispute-partly')
    await confirm(page, 'Clore la contestation', 'Le client est informé.')
    expect(await read(`invoices/${id}?include=recovery`)).toMatchObject({
      creditedCents: 12_000,
      recovery: { disputedCents: null, holds: [] },
    })
    expect((await main.textContent())?.toLowerCase()).not.toContain('litige')
    expect(refused).toEqual([])
  })

  it('who may only look is offered no act', async () => {
    const { debtor } = await newInvoice()
    const { page } = await open(`debtors/${debtor.id}`, 'viewer')
    await page.getByRole('heading', { level: 1, name: /Maison/ }).waitFor()
    // Who it is is known, and so what they may do.
    await page.getByRole('button', { name: 'Camille Roux' }).waitFor()
    expect(await menuOf(page).count()).toBe(0)
  })

  it('on a phone the dialog is the screen, and the time goes downwards', async () => {
    const { id } = await newInvoice()
    const { page } = await open(`invoices/${id}`, 'owner', 'phone')
    await page.emulateMedia({ colorScheme: 'dark' })
    await choose(page, 'Mettre la facture en pause')
    await page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Ne part plus' }).waitFor()
    await picture(page, 'pause-phone')
    const isWider = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
    expect(isWider).toBe(false)
  })
})
