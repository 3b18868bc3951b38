import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { chromiumPath } from '../chromium.ts'
import { expectAccessiblePage } from '../page-checks.ts'
import { password } from '../use-people-fixture.ts'
import { useConsole } from './use-console.ts'

interface Day {
  stopped: { because: string } | null
  slots: { at: string; channel: string; left: number; planned: number }[]
}

interface Mark {
  closest(selector: string): Mark | null
  getAttribute(name: string): string | null
}
declare const document: { querySelectorAll(selector: string): Iterable<Mark> }

describe.skipIf(!chromiumPath)('the screen of the day', () => {
  const console = useConsole()

  const opened = async (options: Parameters<typeof console.open>[0] = {}) => {
    const { page, person } = await console.open(options)
    await page.getByRole('heading', { level: 1, name: /^Aujourd’hui/ }).waitFor()
    return { page, person }
  }
  const apiDay = async () => {
    const { body } = await console.installation.call<Day>('GET', '/api/v1/reports/today')
    return body.data
  }
  const disputed = async (number: string) => {
    const invoice = {
      invoiceNumber: number,
      amountCents: 120_000,
      issueDate: '2026-09-15',
      dueDate: '2026-10-15',
      debtor: {
        name: `${number} SARL`,
        email: `${number}@exemple.example`,
        postalCode: '69002',
        city: 'Lyon',
      },
    }
    const { body } = await console.installation.call<{ id: string }>('POST', '/api/v1/invoices', {
      body: invoice,
    })
    const { id } = body.data
    await console.installation.call('POST', `/api/v1/invoices/${id}/dispute`, { body: { reason: 'Rayée' } })
  }
  /** Quarter hour, channel, whether it left, and how many: as the picture has them. */
  const drawn = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll('main svg [data-from] [data-n]')].map(mark =>
        [
          mark.closest('[data-from]')?.getAttribute('data-from'),
          mark.getAttribute('data-mark'),
          mark.getAttribute('data-n'),
        ].join(' '),
      ),
    )

  it('draws what the API says, mark by mark, and the table says the same', async () => {
    const slot = Date.parse('2026-11-16T09:00:00Z') / 900_000
    const counts = [
      [0, 'email', 'delivered', 12],
      [0, 'email', 'bounced', 2],
      [1, 'sms', 'sent', 3],
      [20, 'email', 'planned', 40],
      [20, 'voice', 'planned', 1],
      [21, 'lrar', 'planned', 7],
    ]
    for (const [quarters, channel, state, n] of counts)
      await console.installation.sql(
        'insert into count_slots (tenant_id, slot, channel, state, n) values ($1, $2, $3, $4, $5)',
        [console.martin.tenants.production, slot + Number(quarters), channel, state, n],
      )
    const { page } = await opened()
    const day = await apiDay()
    const expected = day.slots.flatMap(({ at, channel, left, planned }) => [
      ...(left > 0 ? [`${at} left ${channel} ${left}`] : []),
      ...(planned > 0 ? [`${at} planned ${channel} ${planned}`] : []),
    ])
    expect((await drawn(page)).sort()).toEqual(expected.sort())
    expect(await page.locator('main svg [data-mark=cap]').count()).toBe(1)
    await page.getByRole('button', { name: 'Voir en tableau' }).click()
    expect(await page.locator('main figure tbody tr').count()).toBe(day.slots.length)
    await expectAccessiblePage(page, 'console-today-table', false)
  })

  it('each cause leads to a list with as many invoices as it says', async () => {
    await disputed('F-1')
    await disputed('F-2')
    const { page } = await opened()
    await page.getByRole('link', { name: /^5?\s*Litiges à trancher \(2 factures\)/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Factures' }).waitFor()
    expect(await page.getByRole('status').filter({ hasText: 'facture' }).textContent()).toBe('2 factures')
    expect(await page.locator('tbody tr').count()).toBe(2)
  })

  it('by keyboard alone everything is stopped and, after signing in again, resumed', async () => {
    const { page, person } = await opened()
    const stop = page.getByRole('button', { name: 'Arrêter les envois' })
    const resume = page.getByRole('button', { name: 'Reprendre les envois' })
    await stop.focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Pourquoi').waitFor()
    await page.keyboard.type('Prix faux')
    await page.keyboard.press('Enter')
    await page.getByText('Motif : Prix faux').waitFor()
    // The banner does not wait for the answer; this sentence does.
    await page.getByText(/^Les envois sont arrêtés\./).waitFor()
    expect((await apiDay()).stopped?.because).toBe('sending_stopped')
    await console.installation.sql(
      `update sessions set created_at = created_at - interval '11 minutes' where person_id = $1`,
      [person.id],
    )
    await resume.last().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Se connecter de nouveau' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByLabel('Mot de passe').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Reprendre les envois' }).waitFor()
    await page.keyboard.press('Enter')
    await stop.waitFor()
    expect((await apiDay()).stopped).toBeNull()
  })

  it('who may not stop sees no button', async () => {
    const { page } = await opened({ role: 'viewer' })
    await Promise.all([page.waitForResponse(/\/api\/v1\/company$/), page.reload()])
    await page.getByRole('heading', { name: 'Ne partent pas' }).waitFor()
    expect(await page.getByRole('button', { name: 'Arrêter les envois' }).count()).toBe(0)
  })
})
