import { describe, expect, it } from 'vitest'
import { lyonDebtor } from '../../harness/sandbox.ts'
import { invoiceInput } from '../../harness/use-installation.ts'
import { chromiumPath } from '../chromium.ts'
import { expectAccessiblePage } from '../page-checks.ts'
import { useConsole } from './use-console.ts'

describe.skipIf(!chromiumPath)('a refused address', () => {
  const console = useConsole({ hasWorker: true })

  it('is corrected from its queue by keyboard alone, in four steps', async () => {
    const key = console.martin.sandboxKey
    const debtor = { ...lyonDebtor('Boîte Morte SARL'), email: 'bounce+morte@parti.example' }
    const { body } = await console.installation.call<{ debtor: { id: string } }>('POST', '/api/v1/invoices', {
      key,
      body: invoiceInput({ debtor }),
    })
    const { id } = body.data.debtor
    const read = async () =>
      (
        await console.installation.call<{ email: string; closedChannels: { because: string }[] }>(
          'GET',
          `/api/v1/debtors/${id}?include=account`,
          { key },
        )
      ).body.data
    await expect.poll(async () => (await read()).closedChannels, { timeout: 20_000 }).not.toEqual([])
    const held = "select 1 from recoveries where debtor_id = $1 and standing = 'held:address_refused'"
    await expect.poll(() => console.installation.sql(held, [id]), { timeout: 20_000 }).toHaveLength(1)
    const { page } = await console.open({ environment: 'sandbox' })
    const follow = async (role: 'link' | 'button', name: string | RegExp) => {
      const one = page.getByRole('main').getByRole(role, { name })
      await one.focus()
      await page.keyboard.press('Enter')
    }
    await follow('link', /^Adresses refusées 1 adresse, 1 débiteur, 1 facture/)
    await page.getByRole('heading', { level: 1, name: 'Débiteurs' }).waitFor()
    await follow('link', 'Boîte Morte SARL')
    await page.getByRole('heading', { name: 'L’adresse e-mail a refusé un message' }).waitFor()
    await expectAccessiblePage(page, 'console-debtor-refused', false)
    await follow('button', 'Corriger l’adresse')
    await page.getByRole('dialog').getByLabel('E-mail').fill('compta@vivante.example')
    // The effect of what was typed, not of what was there.
    await page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Nouveau' }).waitFor()
    await page.getByRole('dialog').locator('button[type=submit][aria-disabled=false]').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('L’adresse est corrigée.').waitFor()
    expect(await read()).toMatchObject({ email: 'compta@vivante.example', closedChannels: [] })
    await expect
      .poll(() => page.getByRole('heading', { name: 'L’adresse e-mail a refusé un message' }).count())
      .toBe(0)
  })
})
