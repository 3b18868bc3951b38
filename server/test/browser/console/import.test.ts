import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { chromiumPath } from '../chromium.ts'
import { wcagFaults } from '../page-checks.ts'
import { keyboardDriver, mouseDriver } from './drivers.ts'
import { useConsole } from './use-console.ts'

/** A file as people send it: a title before the table, French numbers and dates, one line without an amount. */
const lines = [
  'Balance clients au 16/11/2026',
  'N° pièce;Client;Courriel;Date;Échéance;TTC;Représentant',
  'F-001;Menuiserie Lefèvre;compta@lefevre.example;01/09/2026;01/10/2026;1 234,56;Paul',
  'F-002;Scierie du Jura;compta@scierie.example;02/09/2026;02/10/2026;2 000,00;Paul',
  'F-003;Scierie du Jura;compta@scierie.example;02/09/2026;02/10/2026;;Anne',
]
const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

describe.skipIf(!chromiumPath)('the import of a file', () => {
  const console = useConsole({ hasWorker: true })
  const read = async <Data>(path: string) =>
    (await console.installation.call<Data>('GET', `/api/v1${path}`, { key: console.martin.sandboxKey })).body
  const numbers = async () =>
    (await read<{ invoiceNumber: string }[]>('/invoices?limit=100')).data
      .map(({ invoiceNumber }) => invoiceNumber)
      .toSorted()
  const recoveries = async () =>
    (await read<{ recovery: { status: string } }[]>('/invoices?include=recovery')).data.map(
      ({ recovery }) => recovery.status,
    )
  const reset = () =>
    console.installation.call('POST', '/api/v1/sandbox/reset', { key: console.martin.sandboxKey })
  const button = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name })

  it('is read, checked, mended, done after a reload, and undone, by mouse', async () => {
    await reset()
    const { page } = await console.open({ environment: 'sandbox', path: '' })
    // The card of the first day leads to it.
    await page.getByRole('link', { name: 'Une première facture' }).click()
    await page.getByRole('heading', { level: 1, name: 'Importer des factures' }).waitFor()
    expect(await wcagFaults(page)).toEqual([])
    await page.locator('input[type=file]').setInputFiles(file('balance.csv', lines.join('\n')))
    await page.getByText('2 factures sont prêtes').waitFor()
    await page.getByText('1 ligne ne peut pas être lue').waitFor()
    expect(await numbers()).toEqual([])
    const refused = page.getByRole('region', { name: 'Lignes refusées' })
    await refused.first().getByRole('cell', { name: '5', exact: true }).waitFor()
    expect(await wcagFaults(page)).toEqual([])
    // What nobody knew is ignored; a person can say what it is.
    expect(await page.getByLabel('Représentant').inputValue()).toBe('')
    await page.getByLabel('Représentant').selectOption('Objet')
    await button(page, 'Relire le fichier ainsi').click()
    await expect.poll(() => page.getByLabel('Représentant').inputValue()).toBe('description')
    await page.reload()
    await page.getByText('2 factures sont prêtes').waitFor()
    expect(await page.getByLabel('Représentant').inputValue()).toBe('description')
    await page
      .getByRole('cell', { name: /^\d\d\/11\/2026/ })
      .first()
      .waitFor()
    await button(page, 'Importer 2 factures').click()
    await page.getByText('2 factures créées').waitFor()
    expect(await numbers()).toEqual(['F-001', 'F-002'])
    expect((await read<{ description: string }[]>('/invoices')).data[0]!.description).toBe('Paul')
    // One of them has had its first message: it stays.
    await button(page, 'Annuler cet import').click()
    await page.getByText(/factures? supprimées?|factures? restent?/).waitFor()
    await expect.poll(numbers).toHaveLength(await kept(page))
    // The choice is remembered for the same titles.
    await button(page, 'Importer un autre fichier').click()
    await page.getByRole('button', { name: /balance\.csv/ }).waitFor()
    await page.locator('input[type=file]').setInputFiles(file('encore.csv', lines.join('\n')))
    await expect.poll(() => page.getByLabel('Représentant').inputValue()).toBe('description')
  })

  /** How many invoices the undoing says that it left. */
  async function kept(page: Page): Promise<number> {
    const said = (await page.getByText(/supprimées?/).textContent()) ?? ''
    return Number(/(\d+) factures? restent?/.exec(said)?.[1] ?? 0)
  }

  it('cells are pasted and imported by keyboard alone', async () => {
    await reset()
    const { page } = await console.open({ environment: 'sandbox', path: '/debtors' })
    const driver = keyboardDriver(page)
    await page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await driver.activate(button(page, 'Coller des cellules'))
    await page.getByLabel('Commencer les relances des factures créées').focus()
    await page.keyboard.press('Space')
    const cells = lines.slice(1, 4).map(line => line.replaceAll(';', '\t'))
    const field = page.getByRole('main').getByRole('textbox', { name: 'Coller des cellules' })
    await field.waitFor()
    await field.focus()
    await page.keyboard.insertText(cells.join('\n'))
    await driver.activate(button(page, 'Lire ces cellules'))
    await page.getByText('2 factures sont prêtes').waitFor()
    await driver.activate(button(page, 'Importer 2 factures'))
    await page.getByText('2 factures créées').waitFor()
    expect(await numbers()).toEqual(['F-001', 'F-002'])
    // They wait to be started.
    expect(await recoveries()).toEqual(['pending', 'pending'])
  })

  it('a file that is no table says what is missing, and is discarded', async () => {
    await reset()
    const { page } = await console.open({ environment: 'sandbox', path: '/import', width: 390 })
    await page.locator('input[type=file]').setInputFiles(file('lettre.csv', 'Bonjour\nvoici la balance\n'))
    await button(page, 'Ne pas importer').waitFor()
    expect(await button(page, /^Importer \d/).isDisabled()).toBe(true)
    await page.getByRole('heading', { name: 'Ce qui manque' }).waitFor()
    expect(await wcagFaults(page)).toEqual([])
    await button(page, 'Ne pas importer').click()
    await page.getByText('arrêté').first().waitFor()
    expect(await numbers()).toEqual([])
  })

  it('a viewer is told that the role does not allow it', async () => {
    const { page } = await console.open({ environment: 'sandbox', path: '/import', role: 'viewer' })
    await page.getByText('Votre rôle ne permet pas d’importer.').waitFor()
    expect(await page.locator('input[type=file]').count()).toBe(0)
  })

  it.each(['mouse', 'keyboard'] as const)('one invoice is typed in by %s', async device => {
    await reset()
    const { page } = await console.open({ environment: 'sandbox', path: '/invoices/new' })
    const driver = device === 'mouse' ? mouseDriver(page) : keyboardDriver(page)
    const field = (name: string) => page.getByRole('textbox', { name, exact: true })
    const fill = async (name: RegExp, text: string) =>
      driver.write(page.getByRole('main').getByRole('textbox', { name }).first(), text)
    await field('Numéro').waitFor()
    expect(await wcagFaults(page)).toEqual([])
    await fill(/^Numéro/, 'F-2026-77')
    await fill(/^Montant/, '1234,5')
    await driver.writeDay(page.getByLabel('Date de facture'), '2026-09-01')
    await driver.writeDay(page.getByLabel('Échéance'), '2026-10-01')
    await fill(/^Nom/, 'Menuiserie Lefèvre')
    await fill(/^E-mail/, 'compta')
    await driver.activate(button(page, 'Enregistrer la facture'))
    await page.getByText('Ce n’est pas une adresse e-mail').waitFor()
    await fill(/^E-mail/, 'compta@lefevre.example')
    await driver.activate(button(page, 'Enregistrer la facture'))
    await page.getByRole('heading', { level: 1, name: 'F-2026-77' }).waitFor()
    const [invoice] = (await read<{ amountCents: number; debtor: { name: string } }[]>('/invoices')).data
    expect(invoice).toMatchObject({ amountCents: 123_450, debtor: { name: 'Menuiserie Lefèvre' } })
    expect(await recoveries()).toEqual(['in_recovery'])
  })
})
