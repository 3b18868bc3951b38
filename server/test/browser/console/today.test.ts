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
  totals: { planned: number }
  leaving: { name: string; contact: { at: string; channel: string; step: string } }[]
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
    // A day by its date has the whole width: a bar per quarter hour.
    const { page } = await opened({ path: '?date=2026-11-16' })
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
    await page.getByRole('link', { name: /^Contestation ouverte 2 clients, 2 factures/ }).click()
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
    await page.getByRole('link', { name: /^Parti SARL Mauvais contact/ }).waitFor()
    await page.getByRole('link', { name: /^Mauvais destinataire 1 client, 3 factures/ }).click()
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
    expect(await figures.textContent()).toMatch(/^\d+\s+à envoyer$/)
    for (const name of ['À faire', 'Retenues'])
      expect(await page.getByRole('heading', { name }).count(), name).toBe(0)
    await page.getByRole('link', { name: 'Revenir à aujourd’hui' }).click()
    await page.getByRole('heading', { name: 'À faire' }).waitFor()
    await page.getByRole('link', { name: 'Jour précédent' }).click()
    await page.getByRole('heading', { level: 1, name: /dimanche 15 novembre/i }).waitFor()
    await figures.getByText('encaissés').waitFor()
    expect(await page.getByRole('heading', { name: 'À faire' }).count()).toBe(0)
    await page.goto(console.urlOf('production', '?date=2026-11-17'))
    await figures.waitFor()
    await expectAccessiblePage(page, 'console-today-to-come', false)
  })

  const sandboxed = async <Data>(path: string, body?: object) =>
    (
      await console.installation.call<Data>(body ? 'POST' : 'GET', `/api/v1${path}`, {
        key: console.martin.sandboxKey,
        ...(body && { body }),
      })
    ).body
  const clientsOf = async (names: readonly string[], dueDate: string, changes: object = {}) => {
    for (const name of names) {
      const debtor = { ...lyonDebtor(`${name} SARL`), ...changes }
      await sandboxed('/invoices', invoiceInput({ debtor, dueDate }))
    }
  }
  const rowsOf = (page: Page) => page.getByRole('list', { name: 'Clients contactés' }).getByRole('listitem')
  const lettered = (word: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${word} ${String.fromCharCode(65 + i)}`)
  const hourIn = (at: string, timeZone: string) =>
    new Intl.DateTimeFormat('fr-FR', { timeZone, hour: '2-digit', minute: '2-digit' }).format(new Date(at))

  it('once everything has left, one sentence says so', async () => {
    const count = [console.martin.tenants.sandbox, Date.parse('2026-11-16T07:30:00Z') / 900_000]
    await console.installation.sql(
      `insert into count_slots (tenant_id, slot, channel, state, n) values ($1, $2, 'email', 'delivered', 1)`,
      count,
    )
    const { page } = await opened({ environment: 'sandbox' })
    await page.getByText('Plus rien n’est à envoyer aujourd’hui.').waitFor()
    expect(await rowsOf(page).count()).toBe(0)
    expect(await page.getByRole('link', { name: /à envoyer$/ }).count()).toBe(0)
    await console.installation.sql('delete from count_slots where tenant_id = $1 and slot = $2', count)
  })

  it('who is contacted tomorrow is answered with one press, by name', async () => {
    await clientsOf(lettered('Demain', 21), '2026-11-16')
    await clientsOf(['Hoarau'], '2026-11-16', { postalCode: '97400', city: 'Saint-Denis' })
    const { page } = await opened({ environment: 'sandbox' })
    await page.getByRole('link', { name: 'Jour suivant' }).click()
    await page.getByRole('heading', { level: 1, name: /mardi 17 novembre/i }).waitFor()
    const { data: day } = await sandboxed<Day>('/reports/today?date=2026-11-17')
    expect(day.totals.planned).toBe(22)
    const rows = await rowsOf(page).allTextContents()
    expect(rows).toHaveLength(20)
    for (const [i, row] of rows.entries()) {
      const { name, contact } = day.leaving[i]!
      const isAway = name.startsWith('Hoarau')
      const away = isAway ? `${hourIn(contact.at, 'Indian/Reunion')} à Saint-Denis` : ''
      expect(row).toBe(`${hourIn(contact.at, 'Europe/Paris')}${name}${away}1er rappel1\u202f200,00\u00a0€`)
    }
    expect(rows.some(row => row.includes('à Saint-Denis'))).toBe(true)

    await expectAccessiblePage(page, 'console-leaving', false)
    await page.setViewportSize({ width: 1440, height: 900 })

    await page.getByRole('link', { name: 'Les 22 clients' }).click()
    await page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor()
    const found = page.getByRole('status').filter({ hasText: 'client' })
    await expect.poll(() => found.textContent()).toBe('22 clients')
    expect(await page.locator('tbody tr').count()).toBe(22)
    await page.getByText(/^Contact prévu le mar\. 17 nov\. entre \d\d:00 et 20:00$/).waitFor()
    const all = (await sandboxed<object[]>('/debtors?limit=100')).data.length
    expect(all).toBeGreaterThan(22)
    await page.getByRole('link', { name: 'Tout afficher' }).click()
    await expect.poll(() => found.textContent()).toBe(`${all} clients`)
    expect(await page.getByText(/^Contact prévu/).count()).toBe(0)
  })

  it('the rows, the figure and a bar of today lead to the same clients, by keyboard too', async () => {
    await clientsOf(lettered('Ce jour', 9), '2026-10-15')
    const { page } = await opened({ environment: 'sandbox' })
    const { data: day } = await sandboxed<Day>('/reports/today')
    expect(day.totals.planned).toBe(9)
    const names = day.leaving.map(({ name }) => name)
    const shown = rowsOf(page).getByRole('link')
    expect(await shown.allTextContents()).toEqual(names.slice(0, 8))
    await page.getByRole('link', { name: 'Les 9 clients' }).waitFor()

    const clients = async () => {
      await page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor()
      await page.getByText(/^Contact prévu le lun\. 16 nov\. entre/).waitFor()
      const listed = await page.locator('tbody tr td:first-child, tbody tr th:first-child').allTextContents()
      await page.goBack()
      await shown.first().waitFor()
      return listed
    }
    await page.getByRole('link', { name: '9 à envoyer' }).click()
    expect((await clients()).sort()).toEqual(names.toSorted())
    const bar = page.locator('main svg a[data-from]').first()
    const planned = await bar
      .locator('[data-n]')
      .evaluateAll(marks => marks.reduce((sum, mark) => sum + Number(mark.getAttribute('data-n')), 0))
    await bar.click()
    expect(await clients()).toHaveLength(planned)

    await shown.first().focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: names[1]! }).waitFor()
    await page
      .getByText(/^Prochain contact/)
      .first()
      .waitFor()
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
    await page.getByRole('heading', { name: 'Retenues' }).waitFor()
    expect(await page.getByRole('button', { name: 'Arrêter les envois' }).count()).toBe(0)
  })
})
