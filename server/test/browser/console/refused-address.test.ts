import { describe, expect, it } from 'vitest'
import { lyonDebtor } from '../../harness/sandbox.ts'
import { invoiceInput } from '../../harness/use-installation.ts'
import { chromiumPath } from '../chromium.ts'
import { expectAccessiblePage } from '../page-checks.ts'
import { useConsole } from './use-console.ts'

describe.skipIf(!chromiumPath)('a refused address', () => {
  const console = useConsole({ hasWorker: true })

  it('is corrected from the list by keyboard alone', async () => {
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
    const follow = async (role: 'link', name: string | RegExp) => {
      const one = page.getByRole('main').getByRole(role, { name })
      await one.focus()
      await page.keyboard.press('Enter')
    }
    await follow('link', /^Boîte Morte SARL E-mail refusé/)
    const sheet = page.getByRole('complementary')
    await sheet.getByRole('textbox', { name: 'E-mail' }).fill('compta@vivante.example')
    // The effect of what was typed, not of what was there.
    await sheet.getByRole('listitem').filter({ hasText: 'Nouveau' }).waitFor()
    await sheet.locator('button[type=submit][aria-disabled=false]').waitFor()
    await expectAccessiblePage(page, 'console-work-refused', false)
    await page.keyboard.press('Enter')
    await page.getByText('L’adresse est corrigée.').waitFor()
    expect(await read()).toMatchObject({ email: 'compta@vivante.example', closedChannels: [] })
    await page.getByText('Rien à faire.').waitFor()
    expect(await sheet.count()).toBe(0)
  })

  it('is shown on the debtor while messages go to the next person', async () => {
    const key = console.martin.sandboxKey
    const call = async <Data>(path: string, body: object) =>
      (await console.installation.call<Data>('POST', path, { key, body })).body.data
    const debtor = { ...lyonDebtor('Relais SARL'), email: 'bounce+relais@parti.example' }
    const { id } = await call<{ id: string }>('/api/v1/debtors', debtor)
    await call(`/api/v1/debtors/${id}/people`, {
      name: 'Anne Compta',
      role: 'accounting',
      email: 'anne@relais.example',
    })
    await call('/api/v1/invoices', invoiceInput({ debtor: { id } }))
    const email = 'select email from debtors where id = $1'
    await expect
      .poll(() => console.installation.sql(email, [id]), { timeout: 20_000 })
      .toEqual([{ email: 'anne@relais.example' }])
    const { page } = await console.open({ environment: 'sandbox', path: `/debtors/${id}` })
    const band = page.getByRole('region', { name: 'L’adresse e-mail de Relais SARL a refusé un message' })
    await band.getByText('Les messages vont maintenant à Anne Compta, et rien n’attend.').waitFor()
    await expectAccessiblePage(page, 'console-debtor-next-person', false)
  })
})
