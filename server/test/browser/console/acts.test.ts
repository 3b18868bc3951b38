import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Role } from '../../../src/features/access/roles.ts'
import { lyonDebtor } from '../../harness/sandbox.ts'
import { invoiceInput } from '../../harness/use-installation.ts'
import { chromiumPath } from '../chromium.ts'
import { useBrowser } from '../use-browser.ts'
import { usePeopleFixture } from '../use-people-fixture.ts'

describe.skipIf(!chromiumPath)('the acts of the console', () => {
  /** It is Monday 16 November 2026, 09:00 in Paris. */
  const fixture = usePeopleFixture()
  const { newPage } = useBrowser()

  let made = 0
  async function newInvoice() {
    const { body } = await fixture.installation.call<{ id: string; debtor: { id: string } }>(
      'POST',
      '/api/v1/invoices',
      {
        body: invoiceInput({
          dueDate: '2026-10-01',
          debtor: lyonDebtor(`Maison ${'abcdefghijklmnop'[made++]}`),
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
      await page.getByText('Défait').waitFor()
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
    })

    it('of a debtor holds its invoices', async () => {
      const { id, debtor } = await newInvoice()
      const { page, refused } = await open(`debtors/${debtor.id}`)
      await menuOf(page).waitFor()
      await page.keyboard.press('p')
      await page.getByText('1 relance s’arrête.').waitFor()
      await picture(page, 'debtor-pause')
      await page.keyboard.press('Enter')
      await expect.poll(() => statusOf(id)).toBe('paused')
      await page.keyboard.press('u')
      await expect.poll(() => statusOf(id)).toBe('in_recovery')
      expect(refused).toEqual([])
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
    await page.getByRole('dialog').getByLabel('Canal').selectOption('sms')
    await page.getByText('Le message partira').waitFor()
    await picture(page, 'message')
    await page.getByRole('dialog').getByRole('button', { name: 'Envoyer un message' }).click()
    await page.getByText('Le message est prévu.').waitFor()
    const asked = async () =>
      (await read<{ actions: { action: string }[] }>(`workflow/invoice/${id}/plan`)).actions.filter(
        ({ action }) => action === 'extra_message',
      ).length
    expect(await asked()).toBe(1)
    await page.keyboard.press('u')
    await expect.poll(asked).toBe(0)
  })

  it('a message is planned from an open cell of the calendar, at its moment', async () => {
    const { id, debtor } = await newInvoice()
    const { page } = await open(`debtors/${debtor.id}`)
    const cell = page.locator('[data-cell="email 2026-11-26"]')
    await cell.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Canal').inputValue()).toBe('email')
    expect(await dialog.getByLabel('Pas avant').inputValue()).toBe('2026-11-26T08:00')
    await expect.poll(() => dialog.getByLabel('Facture').inputValue()).toBe(id)
    await dialog.getByText('Le message partira').waitFor()
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
    await picture(page, 'refusal')
    expect(await alert.locator('code').textContent()).toMatch(/^req_|^[0-9a-f-]{20,}/)
    const confirm = dialog.getByRole('button', { name: 'Saisir un avoir' })
    expect(await confirm.getAttribute('aria-disabled')).toBe('true')
  })

  it('what is not possible is shown with its cause, in the menu, by its key and in the palette', async () => {
    const { id } = await newInvoice()
    const { page } = await open(`invoices/${id}`)
    await menuOf(page).click()
    const obstacles = {
      'Reprendre la facture': 'État : relance en cours.',
      'Passer à l’étape plus ferme': 'Le premier message n’est pas encore parti.',
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
    const act = async (words: string, fill: () => Promise<unknown>, done: string) => {
      await choose(page, words)
      const dialog = page.getByRole('dialog')
      await fill()
      const button = dialog.getByRole('button', { name: words })
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
      'Le débiteur est informé.',
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
    await act('Envoyer un message', async () => {}, 'Le message est prévu.')
    await act(
      'Retirer un message prévu',
      () => page.getByRole('dialog').getByLabel('Message à retirer').selectOption({ index: 1 }),
      'Le message est retiré.',
    )
    await act(
      'Annuler la relance',
      () => page.getByRole('dialog').getByLabel('Motif').fill('Facturée deux fois'),
      'La relance est annulée.',
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
