import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Role } from '../../../src/features/access/roles.ts'
import { lyonDebtor } from '../../harness/sandbox.ts'
import { invoiceInput } from '../../harness/use-installation.ts'
import { chromiumPath } from '../chromium.ts'
import { wcagFaults } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'
import { usePeopleFixture } from '../use-people-fixture.ts'

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
    await page.getByRole('dialog').getByLabel('Canal', { exact: true }).selectOption('sms')
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
    await choose(page, 'Enregistrer ou modifier une procédure')
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
    await confirm(page, 'Enregistrer ou modifier une procédure', 'La procédure est enregistrée.')
    expect(await statusOf(id)).toBe('paused')

    const notice = told(page, /Liquidation judiciaire, ouverte le 02\/11\/2026/)
    await notice.getByText('Créance à déclarer au plus tard le 05/01/2027.').waitFor()
    await notice.getByText('Tribunal de commerce de Lyon').waitFor()
    await notice.getByText('Plus aucune relance ne part').waitFor()
    await picture(page, 'proceedings')
    await notice.getByRole('button', { name: 'Enregistrer ou modifier une procédure' }).click()
    expect(await dialog.getByLabel('Publiée le').inputValue()).toBe('2026-11-05')
    expect(await dialog.getByLabel('Preuve de la déclaration').count()).toBe(0)
    await dialog.getByLabel('Créance déclarée le').fill('2026-11-12')
    await dialog.getByLabel('Preuve de la déclaration').fill('Suivi 8V123')
    await confirm(page, 'Enregistrer ou modifier une procédure', 'La procédure est enregistrée.')
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
    await notice.getByRole('button', { name: 'Enregistrer ou modifier une procédure' }).click()
    await page.getByRole('dialog').getByText('Plus aucune relance ne part tant que').waitFor()
    await picture(page, 'proceedings-dialog-phone')
    expect(await isWider()).toBe(false)
  })

  it('after the amicable stage nothing is filed but what a person files, with its proof', async () => {
    const { id } = await newInvoice()
    const { page, refused } = await open(`invoices/${id}`)
    await menuOf(page).click()
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
    const { page, refused } = await open(`invoices/${id}`)
    await choose(page, 'Ouvrir une contestation')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Ce que dit').fill('Deux palettes manquent')
    await dialog.getByLabel('Somme contestée').fill('480')
    await dialog.getByText(/Contesté\s: 480,00\s€\./).waitFor()
    await confirm(page, 'Ouvrir une contestation', 'La contestation est enregistrée.')
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
    expect(await dialog.getByLabel('Motif dit au débiteur').count()).toBe(0)
    await outcome.selectOption('partly')
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Somme qui n’est pas due').fill('120')
    await dialog.getByLabel('Numéro de l’avoir').fill('A-2026-7')
    await dialog.getByLabel('Motif dit au débiteur').fill('Une palette est bien arrivée')
    await dialog.getByText(/Avoir\s: 120,00\s€\./).waitFor()
    await picture(page, 'dispute-partly')
    await confirm(page, 'Clore la contestation', 'Le débiteur est informé.')
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
