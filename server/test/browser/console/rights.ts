import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { CreatedCompany } from '../../../src/features/access/companies/create-company.ts'
import type { Stage } from './stage.ts'

const invoiceOf = (stage: Stage, company: CreatedCompany) =>
  stage.call<{ id: string; debtor: { id: string } }>(company, 'POST', 'invoices', {
    invoiceNumber: `F-${company.companyId.slice(-6)}`,
    amountCents: 90_000,
    issueDate: '2026-09-01',
    dueDate: '2026-10-01',
    debtor: {
      name: 'Maison Lecture',
      email: 'compta@maison-lecture.example',
      postalCode: '69002',
      city: 'Lyon',
      type: 'business',
    },
  })

/** The words of every act that changes something, as the palette would offer them. */
const acts = [
  'pause',
  'message',
  'promesse',
  'contestation',
  'ferme',
  'paiement',
  'avoir',
  'Annuler la',
  'créance',
  'envois',
]

async function isOfferedNothing(page: Page): Promise<void> {
  assert.equal(await page.getByRole('main').getByRole('button', { name: 'Agir', exact: true }).count(), 0)
  for (const key of ['p', 'r', 'm']) await page.keyboard.press(key)
  assert.equal(await page.getByRole('dialog').count(), 0)
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Chercher ou agir' })
  await palette.getByRole('option').first().waitFor()
  const offered = (await palette.getByRole('option').allTextContents()).join('\n')
  for (const act of acts) assert.ok(!offered.includes(act), `offers ${act}: ${offered}`)
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'detached' })
}

/** Who may only look is offered no act: not on the screens, not by keys, not in the palette. */
export async function viewerHasNoActs(stage: Stage): Promise<void> {
  const company = await stage.newCompany()
  const { id, debtor } = await invoiceOf(stage, company)
  const visitor = await stage.visit(await stage.newPerson({ [company.companyId]: 'viewer' }))
  const { page } = visitor
  try {
    for (const path of ['', `/debtors/${debtor.id}`, `/invoices/${id}`]) {
      const isWhole = page.waitForResponse(/\/console\/me$/)
      await page.goto(stage.urlOf(company, 'production', path))
      await isWhole
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByRole('main').getByRole('figure').first().waitFor()
      assert.equal(await page.getByRole('button', { name: 'Arrêter les envois' }).count(), 0)
      await isOfferedNothing(page)
    }
    assert.deepEqual(visitor.faults, [])
  } finally {
    await visitor.close()
  }
}

/** What belongs to another company is not found, whether its id or the company's is in the address. */
export async function othersAreNotFound(stage: Stage): Promise<void> {
  const [own, other] = [await stage.newCompany(), await stage.newCompany('Librairie Petit')]
  const theirs = await invoiceOf(stage, other)
  const visitor = await stage.visit(await stage.newPerson({ [own.companyId]: 'owner' }))
  const { page } = visitor
  try {
    for (const url of [
      stage.urlOf(own, 'production', `/invoices/${theirs.id}`),
      stage.urlOf(own, 'production', `/debtors/${theirs.debtor.id}`),
      stage.urlOf(other, 'production', `/invoices/${theirs.id}`),
      stage.urlOf(other, 'production', `/debtors/${theirs.debtor.id}`),
      stage.urlOf(other, 'production', '/invoices'),
      stage.urlOf(other, 'production'),
    ]) {
      await page.goto(url)
      await page.getByText('Cela n’existe pas, ou n’est pas à vous.').waitFor()
      assert.ok(!(await page.content()).includes('Maison Lecture'))
    }
    assert.deepEqual(visitor.faults, [])
  } finally {
    await visitor.close()
  }
}
