import { describe, it } from 'vitest'
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
})
