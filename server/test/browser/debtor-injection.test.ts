import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useDebtors } from '../harness/use-debtors.ts'
import { randomAddress } from '../harness/visitor.ts'
import { corpus } from '../injection/corpus.ts'
import { chromiumPath } from './chromium.ts'
import { useBrowser } from './use-browser.ts'

interface Node {
  tagName: string
  textContent: string
  attributes: Iterable<{ name: string }>
  closest(selector: string): Node | null
}
declare const document: { querySelectorAll(selector: string): Iterable<Node> }
declare const window: { wasRun?: unknown }

/** Strings that can be stored: no NUL, no lone surrogate, not only spaces, and no longer than an invoice number may be. */
const writable = (corpus: readonly string[]): string[] => [
  ...new Set(
    corpus
      .map(text => [...text].slice(0, 300).join(''))
      .filter(text => !text.includes('\0') && text.isWellFormed() && text.trim() !== ''),
  ),
]

type Language = 'fr' | 'en'
const pages = ['', '/dispute', '/promise', '/card', '/not-me', '/situation', '/stop', '/data']
const inPage = 50

/** Every element and the names of its attributes; the code for banks comes and goes with what it can carry. */
const shape = (): string[] =>
  [...document.querySelectorAll('*')]
    .filter(element => element.closest('.transfer figure') === null)
    .map(element => `${element.tagName} ${[...element.attributes].map(({ name }) => name).join(' ')}`)
const numbers = (): string[] =>
  [...document.querySelectorAll('.bill h3 bdi')].map(({ textContent }) => textContent)
const wasRun = (): boolean => window.wasRun !== undefined

/** As HTML reads it: every line ends alike. */
const asRead = (text: string) => text.replaceAll(/\r\n?/g, '\n')

const inGroups = (strings: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(strings.length / inPage) }, (_, i) =>
    Array.from({ length: inPage }, (_, j) => strings[i * inPage + j] ?? `harmless ${j}`),
  )

describe.skipIf(!chromiumPath)('whatever stands in a text', async () => {
  const { installation, contactedInvoice, pagesUrl } = await useDebtors()
  const { newPage } = useBrowser()

  /** A message for fifty invoices, half of them disputed. */
  async function message() {
    const debtor = {
      name: 'Durand SARL',
      email: 'compta@injection.example',
      postalCode: '69002',
      city: 'Lyon',
    }
    const { code } = await contactedInvoice({ debtor })
    for (let i = 1; i < inPage; i++)
      await installation.call('POST', '/api/v1/invoices', {
        body: {
          invoiceNumber: `I-${i}`,
          amountCents: 10_000 + i,
          issueDate: '2026-09-15',
          dueDate: '2026-10-15',
          debtor,
        },
      })
    const [messageRow] = await installation.sql<{ communication_id: string; debtor_id: string }>(
      'select communication_id, debtor_id from message_codes where code = $1',
      [code],
    )
    const { communication_id: communicationId, debtor_id: debtorId } = messageRow!
    await installation.sql(
      `insert into communication_invoices (tenant_id, communication_id, invoice_id)
       select tenant_id, $1, id from invoices where debtor_id = $2 on conflict do nothing`,
      [communicationId, debtorId],
    )
    const invoices = await installation.sql<{ id: string }>(
      'select id from invoices where debtor_id = $1 order by due_date, id',
      [debtorId],
    )
    for (const { id } of invoices.slice(0, inPage / 2))
      await installation.call('POST', `/api/v1/invoices/${id}/dispute`, { body: { reason: 'x' } })
    return { code, debtorId, invoices }
  }

  /** Writes the texts directly into the tables, past every validation. */
  async function write(
    { debtorId, invoices }: Awaited<ReturnType<typeof message>>,
    texts: readonly string[],
  ) {
    const all = texts.join(' ')
    await installation.sql('update debtors set name = $2 where id = $1', [debtorId, all])
    await installation.sql(
      'update company_settings set legal_name = $1, address = $1, city = $1, postal_code = $1, reply_email = $1',
      [all],
    )
    const written = [invoices.map(({ id }) => id), texts]
    await installation.sql(
      `update invoices i set number = x.words, description = x.words from unnest($1::uuid[], $2::text[]) as x(id, words) where i.id = x.id`,
      written,
    )
    await installation.sql(
      `update disputes d set reason = x.words from unnest($1::uuid[], $2::text[]) as x(id, words) where d.invoice_id = x.id`,
      written,
    )
  }

  async function shapesOf(page: Page, code: string, language: Language): Promise<string[][]> {
    const shapes: string[][] = []
    for (const path of pages) {
      // Strangers are counted by their address.
      await page.setExtraHTTPHeaders({ 'x-forwarded-for': randomAddress() })
      await page.goto(`${pagesUrl()}/d/${code}${path}?lang=${language}`)
      expect(await page.evaluate(wasRun)).toBe(false)
      shapes.push(await page.evaluate(shape))
    }
    return shapes
  }

  it('it is shown as text: no element, no attribute, no script and no request more than with harmless words', async () => {
    const target = await message()
    const page = await newPage({ language: 'fr' })
    const requestedUrls: string[] = []
    page.on('request', request => requestedUrls.push(request.url()))
    page.on('dialog', dialog => {
      throw new Error(`a dialog: ${dialog.message()}`)
    })
    await write(
      target,
      Array.from({ length: inPage }, (_, i) => `harmless ${i}`),
    )
    const calm = {
      fr: await shapesOf(page, target.code, 'fr'),
      en: await shapesOf(page, target.code, 'en'),
    }
    for (const [turn, group] of inGroups(writable(corpus)).entries()) {
      await write(target, group)
      const language = turn % 2 === 0 ? 'fr' : 'en'
      const shapes = await shapesOf(page, target.code, language)
      for (const [i, seen] of shapes.entries()) expect(seen, pages[i]).toEqual(calm[language][i])
      await page.goto(`${pagesUrl()}/d/${target.code}`)
      expect(await page.evaluate(numbers)).toEqual(group.map(asRead))
    }
    expect(
      requestedUrls.filter(url => !url.startsWith(`${pagesUrl()}/`) && !url.startsWith('data:image/svg+xml')),
    ).toEqual([])
  })
})
