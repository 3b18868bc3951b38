import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { lyonDebtor } from '../../harness/sandbox.ts'
import { invoiceInput } from '../../harness/use-installation.ts'
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
    await page.getByRole('link', { name: /^Contestations à examiner 2 débiteurs, 2 factures/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Factures' }).waitFor()
    expect(await page.getByRole('status').filter({ hasText: 'facture' }).textContent()).toBe('2 factures')
    expect(await page.locator('tbody tr').count()).toBe(2)
  })

  it('an address is one address, whatever number of invoices it holds', async () => {
    const debtor = lyonDebtor('Parti SARL')
    const post = async (path: string, body: object) =>
      (
        await console.installation.call<{ debtor: { id: string } }>('POST', `/api/v1${path}`, {
          key: console.martin.sandboxKey,
          body,
        })
      ).body.data
    const made = await post('/invoices', invoiceInput({ debtor }))
    for (let i = 0; i < 2; i++) await post('/invoices', invoiceInput({ debtor }))
    await post(`/debtors/${made.debtor.id}/wrong-person`, { point: 'email' })
    const { page } = await opened({ environment: 'sandbox' })
    const line = page.getByRole('link', { name: /^Adresses à corriger 1 adresse, 1 débiteur, 3 factures/ })
    expect(await line.textContent()).toMatch(/^1Adresses/)
    await page.getByRole('link', { name: /^Mauvais destinataire 1 débiteur, 3 factures/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Factures' }).waitFor()
    expect(await page.locator('tbody tr').count()).toBe(3)
  })

  it('a day to come shows what is planned, and nothing that was sent, collected or waits today', async () => {
    await disputed('F-3')
    const { page } = await opened()
    const figures = page.getByRole('region', { name: 'La journée en chiffres' })
    await figures.getByText('encaissés').waitFor()
    await page.getByRole('link', { name: 'Jour suivant' }).click()
    await page.getByRole('heading', { level: 1, name: /mardi 17 novembre/i }).waitFor()
    expect(await figures.textContent()).toMatch(/^\d+\s+messages? à partir$/)
    for (const name of ['Vous attend', 'Ne partent pas'])
      expect(await page.getByRole('heading', { name }).count(), name).toBe(0)
    await page.getByRole('link', { name: 'Revenir à aujourd’hui' }).click()
    await page.getByRole('heading', { name: 'Vous attend' }).waitFor()
    await page.getByRole('link', { name: 'Jour précédent' }).click()
    await page.getByRole('heading', { level: 1, name: /dimanche 15 novembre/i }).waitFor()
    await figures.getByText('encaissés').waitFor()
    expect(await page.getByRole('heading', { name: 'Vous attend' }).count()).toBe(0)
    await page.goto(console.urlOf('production', '?date=2026-11-17'))
    await figures.waitFor()
    await expectAccessiblePage(page, 'console-today-to-come', false)
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
