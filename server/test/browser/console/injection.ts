import assert from 'node:assert/strict'
import { randomUUIDv7 } from 'node:crypto'
import type { Page } from 'playwright-core'
import type { CreatedCompany } from '../../../src/features/access/companies/create-company.ts'
import { sealContent } from '../../../src/features/recovery/holds/reply-content.ts'
import { keyring } from '../../../src/kit/crypto.ts'
import { until } from '../../chaos/until.ts'
import { corpus } from '../../injection/corpus.ts'
import type { Stage } from './stage.ts'

interface Node {
  tagName: string
  textContent: string
  attributes: Iterable<{ name: string }>
}
declare const document: { querySelectorAll(selector: string): Iterable<Node> }

/** As many as a list shows on its first page. */
const inGroup = 50

/** Strings that can be stored: no NUL, no lone surrogate, not only spaces. */
const writable = [
  ...new Set(
    corpus
      .map(text => [...text].slice(0, 300).join(''))
      .filter(text => !text.includes('\0') && text.isWellFormed() && text.trim() !== ''),
  ),
]

const harmless = Array.from({ length: inGroup }, (_, i) => `harmless ${i}`)

/** The whole corpus, fifty at a time. */
export const allGroups = (): string[][] =>
  Array.from({ length: Math.ceil(writable.length / inGroup) }, (_, i) =>
    harmless.map((word, j) => writable[i * inGroup + j] ?? word),
  )

/** Fifty strings from all of the corpus. */
export const fewGroups = (): string[][] => [
  harmless.map((_, i) => writable[Math.floor((i * writable.length) / inGroup)]!),
]

interface Target {
  company: CreatedCompany
  personId: string
  debtorId: string
  invoiceIds: string[]
  communicationId: string
  replyId: string
}

/** A debtor with fifty invoices to whom everything has happened: a message and its reply, a dispute, a promise, a payment, a refund, a pause. */
async function newTarget(stage: Stage, personId: string, company: CreatedCompany): Promise<Target> {
  const debtor = {
    name: 'Maison Injection',
    email: 'compta@maison-injection.example',
    postalCode: '69002',
    city: 'Lyon',
    type: 'business',
  }
  const report = await stage.call<{ results: { id: string }[] }>(company, 'POST', 'invoices/bulk', {
    invoices: harmless.map((invoiceNumber, i) => ({
      invoiceNumber,
      amountCents: 10_000 + i,
      issueDate: '2026-09-01',
      dueDate: '2026-10-01',
      description: 'x',
      debtor,
    })),
  })
  const invoiceIds = report.results.map(({ id }) => id)
  const [first, second, third, fourth, fifth] = invoiceIds as [string, string, string, string, string]
  const { debtor: known } = await stage.call<{ debtor: { id: string } }>(company, 'GET', `invoices/${first}`)
  const sent = () =>
    stage.sql<{ id: string }>(
      'select communication_id as id from sent_messages m join communications c on c.id = m.communication_id where c.debtor_id = $1',
      [known.id],
    )
  assert.ok(await until(async () => (await sent()).length > 0, 20_000))
  const post = <Data>(path: string, body: object) => stage.call<Data>(company, 'POST', path, body)
  await post(`invoices/${second}/dispute`, { reason: 'x' })
  await post(`invoices/${third}/promise`, { date: '2026-11-20', note: 'x' })
  const payment = await post<{ id: string }>('payments', {
    invoiceId: first,
    amountCents: 100,
    method: 'bank_transfer',
    externalReference: 'x',
  })
  await post(`payments/${payment.id}/refund`, { reason: 'x' })
  await post(`invoices/${first}/credits`, { number: 'x', amountCents: 100, issuedOn: '2026-11-02' })
  await post(`workflow/invoice/${fourth}/trigger`, { action: 'pause', reason: 'x' })
  await post(`invoices/${fifth}/cancel`, { reason: 'x' })
  await post(`debtors/${known.id}/people`, { name: 'x', role: 'other', email: 'x@maison-injection.example' })
  await post(`debtors/${known.id}/notes`, { text: 'x' })
  await post('company/stop-sending', { reason: 'x' })
  const [message] = await sent()
  const replyId = randomUUIDv7()
  await stage.sql(
    `insert into replies (tenant_id, id, debtor_id, communication_id, channel, received_at)
     select tenant_id, $2, id, $3, 'email', created_at from debtors where id = $1`,
    [known.id, replyId, message!.id],
  )
  return { company, personId, debtorId: known.id, invoiceIds, communicationId: message!.id, replyId }
}

/** Writes the texts directly into the tables, past every validation: wherever a person or a debtor can write. */
async function write({ sql, server }: Stage, target: Target, texts: readonly string[]): Promise<void> {
  const { company, personId, debtorId, invoiceIds, communicationId, replyId } = target
  const all = texts.join(' ')
  const { production } = company.tenants
  await sql('update companies set name = $2 where id = $1', [company.companyId, all])
  await sql('update company_settings set legal_name = $2, reply_email = $2 where tenant_id = $1', [
    production,
    all,
  ])
  await sql('update people set name = $2 where id = $1', [personId, all])
  await sql('update stops set reason = $2 where target = $1', [production, all])
  await sql('update debtors set name = $2, email = $2, city = $2, address = $2, notes = $2 where id = $1', [
    debtorId,
    all,
  ])
  await sql(
    `update debtor_people set name = $2, role = 'guardian', ground = $2, email = $2, phone = $2 where debtor_id = $1`,
    [debtorId, all],
  )
  await sql(
    `update invoices i set number = x.words, description = x.words, notes = x.words
       from unnest($1::uuid[], $2::text[]) as x(id, words) where i.id = x.id`,
    [invoiceIds, texts],
  )
  await sql('update disputes set reason = $2, note = $2 where debtor_id = $1', [debtorId, all])
  await sql(
    `update payments set external_reference = $2, refund_reason = $2, failure_reason = $2 where tenant_id = $1`,
    [production, all],
  )
  await sql('update credits set number = $2 where tenant_id = $1', [production, all])
  await sql('update sent_messages set subject = $2, text = $2 where communication_id = $1', [
    communicationId,
    all,
  ])
  await sql('update communications set reason = $2 where id = $1', [communicationId, all])
  await sql('update debtor_notes set text = $2 where debtor_id = $1', [debtorId, all])
  const attachments = texts.slice(0, 20).map(name => ({ name, type: name, bytes: 1 }))
  const content = JSON.stringify({ from: all, subject: all, text: all, attachments })
  const ref = { tenantId: production, replyId }
  await sql(`update replies set content_sealed = $2, text_state = 'kept' where id = $1`, [
    replyId,
    sealContent(keyring(server.config.KEYRING!), ref, content),
  ])
  await sql(
    `update actions set details = $2,
            params = params || jsonb_build_object('reason', $2::text, 'note', $2::text, 'number', $2::text)
      where tenant_id = $1`,
    [production, all],
  )
}

/** Every element and the names of its attributes, but for our own files, which may be asked for a moment later. */
const shape = (): string[] =>
  [...document.querySelectorAll('*:not(link[rel=modulepreload][href^="/console/assets/"])')].map(
    element => `${element.tagName} ${[...element.attributes].map(({ name }) => name).join(' ')}`,
  )
const shownNumbers = (): string[] =>
  [...document.querySelectorAll('tbody tr td:first-child a')].map(({ textContent }) => textContent)

const screensOf = ({ debtorId, invoiceIds, communicationId }: Target) => ({
  today: '',
  work: `?ouvert=${debtorId}`,
  debtors: '/debtors',
  invoices: '/invoices',
  debtor: `/debtors/${debtorId}`,
  invoice: `/invoices/${invoiceIds[0]}`,
  disputed: `/invoices/${invoiceIds[1]}`,
  message: `/debtors/${debtorId}?message=${communicationId}`,
  write: `/debtors/${debtorId}#write`,
})

/** The elements of a screen once nothing changes any more, or once they are what is expected. */
async function settledShape(page: Page, expected: readonly string[] | null): Promise<string[]> {
  let seen: string[] = []
  let unchanged = 0
  await until(async () => {
    const before = seen.join()
    seen = await page.evaluate(shape)
    const isBusy = (await page.locator('[aria-busy=true]').count()) > 0
    if (expected) return !isBusy && seen.join() === expected.join()
    // Parts of a screen have requests of their own, and some are loaded a second after it.
    unchanged = !isBusy && seen.join() === before ? unchanged + 1 : 0
    await page.waitForTimeout(700)
    return unchanged === 3
  }, 30_000)
  return seen
}

/**
 * Hostile words on all screens, or on some: shown as text. Nothing runs, nothing is asked of anybody, no element or attribute is
 * added.
 */
export async function hostileWordsAreText(
  stage: Stage,
  groups: readonly string[][],
  only?: readonly (keyof ReturnType<typeof screensOf>)[],
): Promise<void> {
  const company = await stage.newCompany()
  const person = await stage.newPerson({ [company.companyId]: 'owner' })
  const target = await newTarget(stage, person.id, company)
  const visitor = await stage.visit(person)
  const { page } = visitor
  const screens = Object.entries(screensOf(target)).filter(
    ([screen]) => only === undefined || only.some(name => name === screen),
  )
  const open = async (path: string) => {
    await page.goto(stage.urlOf(company, 'production', path))
    // Behind an open window it is hidden.
    await page.locator('h1').waitFor({ state: 'attached' })
    if (!path.endsWith('#write')) return
    await page.getByRole('button', { name: 'Écrire', exact: true }).click()
    await page.getByLabel('Texte', { exact: true }).waitFor()
  }
  try {
    const calm: Record<string, string[]> = {}
    await write(stage, target, harmless)
    for (const [screen, path] of screens) {
      await open(path)
      calm[screen] = await settledShape(page, null)
    }
    for (const group of groups) {
      await write(stage, target, group)
      for (const [screen, path] of screens) {
        await open(path)
        assert.deepEqual(await settledShape(page, calm[screen]!), calm[screen], screen)
        if (screen === 'invoices')
          assert.deepEqual((await page.evaluate(shownNumbers)).toSorted(), group.toSorted())
      }
      assert.deepEqual(visitor.faults, [])
    }
  } finally {
    await visitor.close()
  }
}
