import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { lyonDebtor } from '../../harness/sandbox.ts'
import { invoiceInput } from '../../harness/use-installation.ts'
import { chromiumPath } from '../chromium.ts'
import { expectAccessiblePage, wcagFaults } from '../page-checks.ts'
import { advanceTo } from './drawn-debtors.ts'
import { keyboardDriver, mouseDriver } from './drivers.ts'
import { useConsole } from './use-console.ts'

/** What a debtor is in the list for. */
const kinds = [
  'reply',
  'promise',
  'address',
  'dispute',
  'situation',
  'person',
  'decision',
  'request',
  'claim',
  'unknown',
  'note',
] as const
type Kind = (typeof kinds)[number]

/** Its declaration is not made yet. */
const insolvency = { kind: 'receivership', openedOn: '2026-11-10', publishedOn: '2026-11-12' }

/** In CI the first five kinds; `WORK_CASES=40` has all of them, and makes the whole morning of a controller. */
const cases = Number(process.env.WORK_CASES ?? 5)

/** Besides what is typed. */
const clicksMax = 5

interface Made {
  id: string
  debtor: { id: string }
}

declare const document: { activeElement: unknown }

describe.skipIf(!chromiumPath)('the list of what is to be done', () => {
  const console = useConsole({ hasWorker: true })
  const key = () => console.martin.sandboxKey
  const call = <Data>(method: string, path: string, body?: unknown) =>
    console.installation.call<Data>(method, `/api/v1${path}`, {
      key: key(),
      ...(body !== undefined && { body }),
    })
  async function done<Data = unknown>(method: string, path: string, body?: unknown): Promise<Data> {
    const { status, body: answer, text } = await call<Data>(method, path, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${text}`)
    return answer.data
  }
  const reset = () => done('POST', '/sandbox/reset')
  const openRows = async () =>
    (await done<{ name: string }[]>('GET', '/work?limit=100')).map(({ name }) => name)

  let number = 0
  const nameOf = (kind: Kind) => `${kind} ${String(++number).padStart(3, '0')} SARL`

  /** What arises on the day itself. */
  const arise: Partial<Record<Kind, (invoice: Made) => Promise<unknown>>> = {
    reply: ({ id }) => done('POST', '/sandbox/simulate/reply', { invoiceId: id }),
    dispute: ({ id }) => done('POST', `/invoices/${id}/dispute`, { reason: 'Deux palettes manquent' }),
    async decision({ id }) {
      await done('POST', `/invoices/${id}/dispute`, { reason: 'Deux palettes manquent' })
      await done('POST', `/invoices/${id}/dispute/resolve`, { outcome: 'upheld' })
    },
    situation: ({ debtor }) =>
      done('POST', `/debtors/${debtor.id}/situations`, { situation: 'deceased', channel: 'voice' }),
    person: ({ debtor }) => done('POST', `/debtors/${debtor.id}/wrong-person`, { point: 'email' }),
    request: ({ debtor }) => done('POST', `/debtors/${debtor.id}/data-requests`, { kind: 'objection' }),
    claim: ({ debtor }) => done('PUT', `/debtors/${debtor.id}`, { insolvency }),
    // Outcomes of a sandbox are never unknown: the row is the one that production would have.
    unknown: ({ debtor }) =>
      console.installation.sql(
        `insert into unknown_messages (tenant_id, communication_id, since)
         select tenant_id, id, reserved_at from communications where debtor_id = $1 limit 1`,
        [debtor.id],
      ),
  }

  /** Facts that put a debtor into the list. A promise is made long before, and broken by the time. */
  async function fill(wanted: readonly Kind[]): Promise<string[]> {
    const made = await Promise.all(
      wanted.map(async kind => {
        const name = nameOf(kind)
        const debtor = {
          ...lyonDebtor(name),
          email: kind === 'address' ? `bounce+${number}@parti.example` : `compta-${number}@client.example`,
        }
        const invoice = await done<Made>('POST', '/invoices', invoiceInput({ debtor }))
        if (kind === 'promise')
          await done('POST', `/invoices/${invoice.id}/promise`, { date: '2026-11-17', amountCents: 10_000 })
        if (kind === 'note')
          await done('POST', `/debtors/${invoice.debtor.id}/notes`, {
            text: 'Rappeler',
            comeBackOn: '2026-11-26',
          })
        return { kind, name, invoice }
      }),
    )
    await advanceTo(call as never, '2026-11-26')
    for (const { kind, invoice } of made) await arise[kind]?.(invoice)
    const names = made.map(({ name }) => name)
    await expect
      .poll(async () => (await openRows()).toSorted(), { timeout: 30_000 })
      .toEqual(names.toSorted())
    return names
  }

  const list = (page: Page) => page.getByRole('region', { name: 'À faire' })
  const rowOf = (page: Page, name: string) => list(page).getByRole('link', { name })
  const sheetOf = (page: Page) => page.getByRole('complementary')
  const opened = async (options: Parameters<typeof console.open>[0] = {}) => {
    const { page, person } = await console.open({ environment: 'sandbox', ...options })
    await list(page).waitFor()
    return { page, person }
  }

  const isReady = (button: ReturnType<Page['locator']>) =>
    expect.poll(() => button.getAttribute('aria-disabled'), { message: 'the effect is drawn' }).toBe('false')

  /** Ends the first task in the sheet as somebody would. */
  async function finish(page: Page, driver: ReturnType<typeof mouseDriver>, kind: Kind): Promise<void> {
    const sheet = sheetOf(page)
    const button = (name: string) => sheet.getByRole('button', { name, exact: true })
    const submit = async (name: string) => {
      const last = sheet.locator('form').getByRole('button', { name, exact: true })
      await last.waitFor()
      await isReady(last)
      await driver.activate(last)
    }
    const ended = { promise: 'La relance continue', unknown: 'C’est vérifié', note: 'C’est fait' }
    switch (kind) {
      case 'promise':
      case 'unknown':
      case 'note':
        return driver.activate(button(ended[kind]))
      case 'reply':
        await sheet.getByRole('radio', { name: /^Autre/ }).waitFor()
        if (driver.name === 'keyboard') await page.keyboard.press('Digit5')
        else await driver.activate(sheet.getByText('Autre', { exact: true }))
        return submit('Clore sans répondre')
      case 'address':
      case 'person':
        await driver.write(
          sheet.getByRole('textbox', { name: 'E-mail' }),
          `compta-${++number}@vivante.example`,
        )
        return submit('Corriger l’adresse')
      case 'dispute':
        await driver.choose(sheet.getByLabel('Issue'), 'Contestation rejetée')
        return submit('Clore la contestation')
      case 'decision':
        await driver.activate(button('Reprendre la facture'))
        return submit('Reprendre la facture')
      case 'request':
        await driver.choose(sheet.getByLabel('Décision'), 'Refusée')
        return submit('Décider de la demande')
      case 'claim':
        await driver.writeDay(sheet.getByLabel('Créance déclarée le'), '2026-11-25')
        return submit('Enregistrer une procédure')
      case 'situation':
        await driver.choose(sheet.getByLabel('Décision'), 'Pas confirmé')
        return submit('Enregistrer une décision')
    }
  }
  const kindOf = (name: string) => name.split(' ')[0] as Kind

  it('is emptied by keyboard alone, from the first row to the last', async () => {
    await reset()
    const names = await fill(Array.from({ length: cases }, (_, i) => kinds[i % kinds.length]!))
    const { page } = await opened()
    const driver = keyboardDriver(page)
    await list(page).getByText(`${names.length} clients`).waitFor()
    await rowOf(page, names[0]!).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    for (let left = names.length; left > 0; left--) {
      const title = sheetOf(page).getByRole('heading', { level: 2 })
      await title.waitFor()
      const name = (await title.textContent())!
      await finish(page, driver, kindOf(name))
      // The next debtor takes the place of the one that is done.
      if (left > 1) await expect.poll(() => title.textContent()).not.toBe(name)
    }
    await list(page)
      .getByText(/^Rien à faire\./)
      .waitFor()
    await sheetOf(page).waitFor({ state: 'detached' })
    expect(await openRows()).toEqual([])
    await expectAccessiblePage(page, 'console-work-empty', false)
  })

  it(`each kind is finished by mouse with at most ${clicksMax} clicks, and goes from a second window within 5 s`, async () => {
    await reset()
    const names = await fill(kinds.slice(0, Math.max(5, cases)))
    const { page } = await opened()
    const other = await page.context().newPage()
    await other.goto(page.url())
    for (const name of names) {
      await rowOf(other, name).waitFor()
      await page.bringToFront()
      const driver = mouseDriver(page)
      await driver.activate(rowOf(page, name))
      await sheetOf(page).getByRole('heading', { name }).waitFor()
      expect(await wcagFaults(page), name).toEqual([])
      await finish(page, driver, kindOf(name))
      const endedAt = performance.now()
      expect(driver.presses(), name).toBeLessThanOrEqual(clicksMax)
      await rowOf(page, name).waitFor({ state: 'detached' })
      await rowOf(other, name).waitFor({ state: 'detached', timeout: 5_000 })
      expect(performance.now() - endedAt, name).toBeLessThan(5_000)
      if (name !== names.at(-1)) await sheetOf(page).getByRole('button', { name: 'Fermer' }).click()
    }
  })

  it('a reply is answered by keyboard, and what is typed is no command', async () => {
    await reset()
    const [name = ''] = await fill(['reply'])
    const { page } = await opened()
    await rowOf(page, name).focus()
    await page.keyboard.press('Enter')
    const sheet = sheetOf(page)
    await sheet.getByRole('radio', { name: 'Dit avoir payé' }).waitFor()
    await page.keyboard.press('Digit2')
    expect(await sheet.getByRole('radio', { name: 'Dit avoir payé' }).isChecked()).toBe(true)
    const answer = sheet.getByLabel('Répondre')
    await keyboardDriver(page).write(answer, 'Merci, je vérifie le virement. e j k n 1 3')
    expect(await sheet.getByRole('radio', { name: 'Dit avoir payé' }).isChecked()).toBe(true)
    await sheet.getByText(/^Part /).waitFor()
    await isReady(sheet.getByRole('button', { name: 'Envoyer et clore' }))
    expect(await wcagFaults(page)).toEqual([])
    // Esc leaves the field; what was typed is there again after the sheet was closed.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    expect(await rowOf(page, name).evaluate(row => row === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => answer.inputValue()).toContain('Merci')
    await isReady(sheet.getByRole('button', { name: 'Envoyer et clore' }))
    await page.keyboard.press('Control+Enter')
    await list(page)
      .getByText(/^Rien à faire\./)
      .waitFor()
    const [reply] = await console.installation.sql<{ outcome: string; is_answered: boolean }>(
      `select r.outcome, r.answer_id is not null as is_answered
         from replies r join debtors d on d.tenant_id = r.tenant_id and d.id = r.debtor_id where d.name = $1`,
      [name],
    )
    expect(reply).toEqual({ outcome: 'says_paid', is_answered: true })
  })

  it('a broken promise is written about in a sheet of its own, and no act of it does nothing', async () => {
    await reset()
    const [name = ''] = await fill(['promise'])
    const { page } = await opened()
    await rowOf(page, name).click()
    const sheet = sheetOf(page)
    const act = (words: string) => sheet.getByRole('button', { name: words, exact: true }).first()
    await act('Écrire').waitFor()
    expect(await sheet.locator('form').count(), 'nothing is written unasked').toBe(0)
    for (const words of ['Noter une promesse', 'Saisir un paiement']) {
      await act(words).click()
      await sheet.locator('form').getByRole('button', { name: words }).waitFor()
    }
    const writing = page.getByRole('dialog', { name: /^Écrire · / })
    await act('Écrire').click()
    await writing.waitFor()
    await page.keyboard.press('Escape')
    await writing.waitFor({ state: 'detached' })
    // Esc closed what was above, and the focus is where it was.
    await expect.poll(() => act('Écrire').evaluate(button => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    const text = 'vous nous aviez annoncé votre règlement pour le 17 novembre.'
    await writing.getByLabel('Texte', { exact: true }).fill(text)
    await isReady(writing.getByRole('button', { name: 'Envoyer' }))
    await page.keyboard.press('Control+Enter')
    await list(page)
      .getByText(/^Rien à faire\./)
      .waitFor()
    const written = await console.installation.sql(
      `select x.id from extra_messages x join debtors d on d.tenant_id = x.tenant_id and d.id = x.debtor_id
        where d.name = $1 and x.step = 'written_message'`,
      [name],
    )
    expect(written).toHaveLength(1)
  })

  it('a note puts a client off by keyboard until its day, and somebody is in charge', async () => {
    await reset()
    const [name = '', other = ''] = await fill(['dispute', 'dispute'])
    const { page, person } = await opened()
    const driver = keyboardDriver(page)
    const sheet = sheetOf(page)
    await driver.activate(rowOf(page, name))
    await sheet.getByRole('heading', { name }).waitFor()
    await page.keyboard.press('n')
    await driver.write(sheet.locator('textarea'), 'Leur comptable revient lundi. e j k n 1 3')
    await driver.writeDay(sheet.getByLabel('Revenir le'), '2026-11-30')
    expect(await wcagFaults(page)).toEqual([])
    await driver.activate(sheet.getByRole('button', { name: 'Enregistrer la note' }))
    await rowOf(page, name).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    expect(await openRows()).toEqual([other])
    await driver.activate(list(page).getByRole('link', { name: 'Plus tard (1)' }))
    await rowOf(page, name).waitFor()
    expect(await rowOf(page, name).textContent()).toContain('Revient le 30')
    await driver.activate(list(page).getByRole('link', { name: 'Revenir à aujourd’hui' }))
    // Nobody is in charge yet: the list of one person is empty.
    await driver.activate(list(page).getByRole('link', { name: 'À moi' }))
    await list(page).getByText('Rien ici.').waitFor()
    await driver.activate(list(page).getByRole('link', { name: 'Équipe' }))
    await driver.activate(rowOf(page, other))
    await sheet.getByLabel('Responsable').selectOption(person.id)
    await expect
      .poll(async () => (await done<unknown[]>('GET', `/work?inCharge=${person.id}`)).length)
      .toBe(1)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await driver.activate(list(page).getByRole('link', { name: 'À moi' }))
    await rowOf(page, other).waitFor()
    expect(await list(page).getByRole('listitem').count()).toBe(1)
  })

  it('an empty sandbox is filled with sample clients in front of the reader', async () => {
    await reset()
    const { page } = await opened()
    const fill = page.getByRole('button', { name: 'Remplir avec des exemples' })
    await fill.waitFor()
    expect(await wcagFaults(page)).toEqual([])
    await fill.click()
    await page.getByText('étape 3 sur 11').waitFor()
    expect(await wcagFaults(page)).toEqual([])
    await page.close()
    expect((await call<unknown[]>('GET', '/invoices')).body.data.length).toBeGreaterThan(5)
  })
})
