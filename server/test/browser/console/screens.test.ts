import { describe, expect, it } from 'vitest'
import { lyonDebtor } from '../../harness/sandbox.ts'
import { invoiceInput } from '../../harness/use-installation.ts'
import { chromiumPath } from '../chromium.ts'
import { expectAccessiblePage, expectContrastAtNight } from '../page-checks.ts'
import { useConsole } from './use-console.ts'

describe.skipIf(!chromiumPath)('the screens of a debtor and of an invoice', () => {
  const console = useConsole()

  it.each(['debtor', 'invoice'] as const)(
    'the %s has no accessibility fault, by day and by night, wide and narrow',
    async kind => {
      const { body } = await console.installation.call<{ id: string; debtor: { id: string } }>(
        'POST',
        '/api/v1/invoices',
        { body: invoiceInput({ invoiceNumber: `F-${kind}`, debtor: lyonDebtor(`Lecture ${kind}`) }) },
      )
      const path = kind === 'invoice' ? `/invoices/${body.data.id}` : `/debtors/${body.data.debtor.id}`
      const { page } = await console.open({ path })
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByRole('main').getByRole('figure').first().waitFor()
      await expectAccessiblePage(page, `console-${kind}`, false)
      await expectContrastAtNight(page)
    },
  )

  it('one sentence says what comes next for a client, and why nothing leaves before', async () => {
    const { body } = await console.installation.call<{ id: string; debtor: { id: string } }>(
      'POST',
      '/api/v1/invoices',
      { body: invoiceInput({ debtor: lyonDebtor('Phrase SARL'), dueDate: '2026-11-17' }) },
    )
    const { id, debtor } = body.data
    const { page } = await console.open({ path: `/debtors/${debtor.id}` })
    const sentence = page.getByRole('main').getByText(/^Prochain contact.* Rien avant|^Aucun message/)
    const said = async () => (await sentence.textContent())!.replaceAll('\u00a0', ' ')
    expect(await said()).toMatch(
      /^Prochain contact : mer\. 18 nov\. \d\d:\d\d, e-mail\. Rien avant : l’étape suivante n’est prévue qu’à ce moment-là\.$/,
    )
    const stands = async (columns: string) => {
      await console.installation.sql(`update recoveries set ${columns} where invoice_id = $1`, [id])
      await page.reload()
      return said()
    }
    expect(await stands(`wish_at = null, due_at = null, due_because = 'awaiting_decision'`)).toBe(
      'Aucun message n’est prévu : à vous de décider.',
    )
    expect(await stands(`due_because = 'calendar_missing'`)).toBe(
      'Aucun message n’est prévu : jours fériés inconnus.',
    )
    await console.installation.call('POST', '/api/v1/payments', {
      body: { invoiceId: id, amountCents: 120_000, method: 'bank_transfer' },
    })
    await page.reload()
    expect(await said()).toBe('Aucun message n’est prévu : aucune facture n’est à relancer.')
  })
})
