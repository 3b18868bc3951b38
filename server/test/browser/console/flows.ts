import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import type { CreatedCompany } from '../../../src/features/access/companies/create-company.ts'
import { until } from '../../chaos/until.ts'
import { type Driver, keyboardDriver, mouseDriver } from './drivers.ts'
import type { Environment, Stage, Visitor } from './stage.ts'

/** What a flow has to work with: a company of its own, somebody who owns it, and one device. */
interface Run {
  stage: Stage
  company: CreatedCompany
  visitor: Visitor
  page: Page
  driver: Driver
}

interface Flow {
  name: string
  /** Also run in CI. */
  isQuick?: true
  /** Nobody is signed in when it begins. */
  isStranger?: true
  /** More clicks and key presses than this are too many. */
  pressesMax?: number
  run(run: Run): Promise<void>
}

interface Created {
  id: string
  invoiceNumber: string
  debtor: { id: string }
}

const patienceMs = 20_000
const zone = 'Europe/Paris'

async function eventually(promise: string, isTrue: () => Promise<boolean>, withinMs = patienceMs) {
  const ms = await until(isTrue, withinMs)
  assert.notEqual(ms, null, `${promise}: not within ${withinMs} ms`)
  return ms!
}

let numbers = 0

/** A debtor in Lyon with an overdue invoice. */
function newInvoice({ stage, company }: Run, environment: Environment = 'production'): Promise<Created> {
  const number = ++numbers
  const call = environment === 'production' ? stage.call : stage.callSandbox
  return call(company, 'POST', 'invoices', {
    invoiceNumber: `F-2026-${number}`,
    amountCents: 120_000,
    issueDate: '2026-09-01',
    dueDate: '2026-10-01',
    debtor: {
      name: `Maison ${number} SARL`,
      email: `compta@maison-${number}.example`,
      // The last digits decide in a sandbox what becomes of a message.
      phone: `+3361234${5_500 + number}`,
      address: '12 rue Mercière',
      postalCode: '69002',
      city: 'Lyon',
      type: 'business',
    },
  })
}

interface Workflow {
  status: string
  actionsCompleted: number
}
const workflowOf = ({ stage, company }: Run, id: string, environment: Environment = 'production') =>
  (environment === 'production' ? stage.call : stage.callSandbox)<Workflow>(
    company,
    'GET',
    `workflow/invoice/${id}`,
  )
const becomes = (run: Run, id: string, status: string) =>
  eventually(`the recovery is ${status}`, async () => (await workflowOf(run, id)).status === status)
const isContacted = (run: Run, id: string, environment: Environment = 'production') =>
  eventually(
    'the first message has left',
    async () => (await workflowOf(run, id, environment)).actionsCompleted > 0,
  )

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Messages' }).getByText(text).waitFor()
const dialogOf = (page: Page) => page.getByRole('dialog')

async function openToday(run: Run, environment: Environment = 'production'): Promise<void> {
  await run.page.goto(run.stage.urlOf(run.company, environment))
  await heading(run.page, /^Aujourd’hui/)
}

/** From today to an invoice, as somebody would who has its number before them. */
async function openInvoice(run: Run, invoice: Created, environment: Environment = 'production') {
  await openToday(run, environment)
  await run.driver.find(invoice.invoiceNumber)
  await heading(run.page, invoice.invoiceNumber)
  await run.page.getByRole('main').getByRole('button', { name: 'Agir', exact: true }).waitFor()
}

/** Presses the button of an act, which does nothing before its effect is drawn. */
async function confirm({ page, driver }: Run, words: string): Promise<void> {
  const button: Locator = dialogOf(page).getByRole('button', { name: words })
  await eventually(
    'the effect is drawn',
    async () => (await button.getAttribute('aria-disabled')) === 'false',
  )
  await driver.activate(button)
}

/** The lines in which the effect of an act is written, as well as drawn. */
const effectLines = (page: Page) => dialogOf(page).getByRole('listitem')

const timeIn = (at: string) =>
  new Intl.DateTimeFormat('fr-FR', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(
    Date.parse(at),
  )

interface CalendarPiece {
  from: string
  until: string
  allowed: boolean
  because: string | null
}

export const flows: readonly Flow[] = [
  {
    name: 'sign in by passkey',
    isQuick: true,
    isStranger: true,
    async run({ stage, company, visitor, page, driver }) {
      const person = await stage.newPerson({ [company.companyId]: 'owner' })
      const debug = await page.context().newCDPSession(page)
      await debug.send('WebAuthn.enable')
      await debug.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
      // The passkey is there from before.
      await visitor.signIn(person)
      await page.goto(`${stage.issuer}/account`)
      await page.getByLabel('Nom de la nouvelle clé d’accès').fill('Mon ordinateur')
      await page.getByRole('button', { name: 'Ajouter une clé d’accès' }).click()
      await page.getByText('La clé d’accès est ajoutée.').waitFor()
      await page.context().clearCookies()

      await page.goto(`${stage.issuer}/console`)
      await heading(page, 'Se connecter')
      await driver.activate(page.getByRole('button', { name: 'Se connecter avec une clé d’accès' }))
      await page.waitForURL(stage.urlOf(company, 'production'))
      await heading(page, /^Aujourd’hui/)
    },
  },
  {
    name: 'why nothing leaves today: the rule, and when it opens',
    isQuick: true,
    async run(run) {
      const { stage, company, page, driver } = run
      const invoice = await newInvoice(run, 'sandbox')
      await isContacted(run, invoice.id, 'sandbox')
      await openToday(run, 'sandbox')
      await driver.go('Débiteurs')
      await heading(page, 'Débiteurs')
      await driver.activate(page.getByRole('link', { name: /^Maison/ }))
      await page.getByRole('grid').waitFor()

      interface Answer {
        now: string
        days: { date: string; isToday: boolean }[]
        channels: { channel: string; pieces: CalendarPiece[] }[]
      }
      const calendar = await stage.callSandbox<Answer>(
        company,
        'GET',
        `debtors/${invoice.debtor.id}/calendar`,
      )
      const { pieces } = calendar.channels.find(({ channel }) => channel === 'sms')!
      const later = pieces.filter(({ until: end }) => end > calendar.now)
      assert.equal(later[0]!.because, 'one_contact_a_day')
      const opens = later.find(({ allowed }) => allowed)!
      await driver.cell('sms', '2026-11-16')
      const sentence = page.locator('p[aria-live=polite]', { hasText: 'Un contact par jour au plus' })
      const shown = (await sentence.textContent())!
      assert.match(shown, /déjà l’e-mail du/)
      assert.match(shown, new RegExp(`ouvre .*${timeIn(opens.from)}`))
    },
  },
  {
    name: 'pause with a message in flight, and undo',
    isQuick: true,
    async run(run) {
      const { stage, company, page } = run
      const { mailbox } = stage.server
      mailbox.setMood('hanging')
      try {
        const invoice = await newInvoice(run)
        const { id } = invoice
        await eventually('the message is on its way', async () => {
          const path = `workflow/invoice/${id}/trigger`
          const rehearsed = await stage.call<{ inFlight: unknown[] }>(company, 'POST', path, {
            action: 'pause',
            dryRun: true,
          })
          return rehearsed.inFlight.length === 1
        })
        await openInvoice(run, invoice)
        await run.driver.act('Mettre la facture en pause', 'p')
        await dialogOf(page).getByText('Déjà parti, on ne peut plus le rappeler : Prise en charge').waitFor()
        await confirm(run, 'Mettre la facture en pause')
        await toast(page, 'Déjà parti, on ne peut plus le rappeler : Prise en charge')
        await becomes(run, id, 'paused')
        await run.driver.undo()
        await becomes(run, id, 'in_recovery')
        await toast(page, 'Défait')
        mailbox.setMood(null)
        await isContacted(run, id)
      } finally {
        mailbox.setMood(null)
      }
    },
  },
  {
    name: 'a promise',
    async run(run) {
      const { stage, company, page, driver } = run
      const invoice = await newInvoice(run)
      await isContacted(run, invoice.id)
      await openInvoice(run, invoice)
      await driver.act('Noter une promesse')
      await driver.writeDay(dialogOf(page).getByLabel('Paiement promis pour le'), '2026-11-20')
      await driver.write(dialogOf(page).getByLabel('Note'), 'Dit au téléphone')
      await dialogOf(page).getByText('Les relances attendent jusqu’au').waitFor()
      await confirm(run, 'Noter une promesse')
      await toast(page, 'La promesse est notée.')
      await becomes(run, invoice.id, 'paused')
      await page.getByRole('main').getByText('promesse de paiement').first().waitFor()
      const { holds } = (
        await stage.call<{ recovery: { holds: string[] } }>(
          company,
          'GET',
          `invoices/${invoice.id}?include=recovery`,
        )
      ).recovery
      assert.deepEqual(holds, ['promise'])
    },
  },
  {
    name: 'a dispute and its resolution',
    async run(run) {
      const { page, driver } = run
      const invoice = await newInvoice(run)
      await isContacted(run, invoice.id)
      await openInvoice(run, invoice)
      await driver.act('Ouvrir une contestation')
      await driver.write(dialogOf(page).getByLabel('Ce que dit le débiteur'), 'Deux chaises manquent')
      await confirm(run, 'Ouvrir une contestation')
      await toast(page, 'La contestation est enregistrée.')
      await becomes(run, invoice.id, 'paused')
      await driver.act('Clore la contestation')
      await driver.choose(dialogOf(page).getByLabel('Issue'), 'Le débiteur a tort')
      await confirm(run, 'Clore la contestation')
      await toast(page, 'La contestation est close.')
      await becomes(run, invoice.id, 'in_recovery')
    },
  },
  {
    name: 'escalate: drawn first, then done',
    isQuick: true,
    async run(run) {
      const { stage, company, page, driver } = run
      const invoice = await newInvoice(run, 'sandbox')
      await isContacted(run, invoice.id, 'sandbox')
      await openInvoice(run, invoice, 'sandbox')
      const next = async () => {
        const path = `workflow/invoice/${invoice.id}/next-action`
        return (await stage.callSandbox<{ nextAction: string }>(company, 'GET', path)).nextAction
      }
      assert.equal(await next(), 'relance_email_1')
      await driver.act('Passer à l’étape plus ferme')
      await effectLines(page).first().waitFor()
      assert.equal(await next(), 'relance_email_1')
      await confirm(run, 'Passer à l’étape plus ferme')
      await toast(page, 'La relance est passée à l’étape plus ferme.')
      assert.equal(await next(), 'sms_reminder')
    },
  },
  {
    name: 'an SMS that the rules move, and that leaves then',
    async run(run) {
      const { stage, company, page, driver } = run
      const invoice = await newInvoice(run, 'sandbox')
      await isContacted(run, invoice.id, 'sandbox')
      await openInvoice(run, invoice, 'sandbox')
      await driver.act('Envoyer un message', 'm')
      await driver.choose(dialogOf(page).getByLabel('Canal'), 'SMS')
      const moved = /^Le message partira (?!lun\. 16 nov\.).* Déplacé\s: déjà un contact ce jour/
      await dialogOf(page).getByText(moved).waitFor()
      await confirm(run, 'Envoyer un message')
      await toast(page, 'Le message est prévu.')
      interface Plan {
        actions: { action: string; channel: string; scheduledAt: string }[]
      }
      const plan = await stage.callSandbox<Plan>(company, 'GET', `workflow/invoice/${invoice.id}/plan`)
      const planned = plan.actions.find(({ action }) => action === 'extra_message')!
      assert.equal(planned.channel, 'sms')
      await stage.callSandbox(company, 'POST', 'sandbox/clock', {
        to: new Date(Date.parse(planned.scheduledAt) + 60_000).toISOString(),
      })
      // The window hears of it by itself.
      const line = page.getByRole('listitem').filter({ hasText: /Message.*parti/ })
      await driver.activate(line.getByRole('button', { name: 'Lire le message' }))
      await dialogOf(page).getByText(invoice.invoiceNumber).first().waitFor()
    },
  },
  {
    name: 'a payment typed here closes the invoice in a second window within 5 s',
    isQuick: true,
    async run(run) {
      const { visitor, page, driver } = run
      const invoice = await newInvoice(run)
      await isContacted(run, invoice.id)
      await openInvoice(run, invoice)
      const other = await visitor.newWindow()
      await other.goto(page.url())
      await heading(other, invoice.invoiceNumber)
      const paid = other.getByRole('main').getByText('payée', { exact: true }).first()
      assert.equal(await paid.count(), 0)
      await page.bringToFront()
      await driver.act('Saisir un paiement')
      await driver.write(dialogOf(page).getByLabel('Somme'), '1200')
      await driver.write(dialogOf(page).getByLabel('Votre référence'), 'VIR-2026-11')
      await confirm(run, 'Saisir un paiement')
      const typedAt = performance.now()
      await paid.waitFor({ timeout: 5_000 })
      assert.ok(performance.now() - typedAt < 5_000)
      await toast(page, 'Le paiement est enregistré.')
    },
  },
  {
    name: 'the email of somebody who left',
    isQuick: true,
    async run(run) {
      const { stage, company, page, driver } = run
      const { debtor } = await newInvoice(run)
      const path = `debtors/${debtor.id}`
      const read = () => stage.call<Record<string, string | null>>(company, 'GET', path)
      const { name, email } = await read()
      await stage.call(company, 'POST', `${path}/people`, {
        name: 'Sylvie Roche',
        role: 'accounting',
        email,
        mainFor: ['email'],
      })
      await openToday(run)
      const before = driver.presses()
      await driver.find(name!)
      await heading(page, name!)
      const card = page.getByRole('main').getByRole('region', { name: 'Contacts' })
      await driver.activate(card.getByRole('button', { name: 'Modifier l’e-mail de Sylvie Roche' }))
      // It has the focus, and what is in it is selected.
      const box = (label: RegExp) => card.getByRole('textbox', { name: label })
      const field = box(/^E-mail/)
      await eventually('the field has the focus', () =>
        field.evaluate(element => element === element.ownerDocument.activeElement),
      )
      await page.keyboard.type('p.bonnet@maison.example')
      const typing = driver.presses()
      await driver.write(box(/^Nom/), 'Paul Bonnet')
      const typed = driver.presses() - typing
      await driver.activate(card.getByRole('button', { name: 'Enregistrer' }))
      const presses = driver.presses() - before - typed
      if (driver.name === 'mouse') assert.ok(presses <= 5, `${presses} clicks`)
      await toast(page, 'Le contact est enregistré.')
      await card.getByText('p.bonnet@maison.example').waitFor()
      await card.getByText('jamais utilisé').first().waitFor()
      assert.equal((await read()).email, 'p.bonnet@maison.example')

      await driver.activate(card.getByRole('button', { name: 'Modifier le SIRET' }))
      await driver.write(box(/^SIRET/), '732 829 320 00074')
      await driver.write(box(/^Rue/), '14 route de Gordes')
      await driver.write(box(/^Ville/), 'Cavaillon')
      await driver.activate(card.getByRole('button', { name: 'Enregistrer' }))
      await toast(page, 'Les coordonnées sont enregistrées.')
      await card.getByText('73282932000074').waitFor()
      const { siret, address, city } = await read()
      assert.deepEqual([siret, address, city], ['73282932000074', '14 route de Gordes', 'Cavaillon'])

      await driver.activate(card.getByRole('button', { name: 'Ajouter un contact' }))
      await driver.write(box(/^Nom/), 'Anne Roy')
      await driver.choose(card.getByRole('combobox', { name: 'Rôle' }), 'direction')
      await driver.write(field, 'anne')
      await driver.activate(card.getByRole('button', { name: 'Enregistrer' }))
      await card.getByText('Cette valeur n’a pas la bonne forme.').waitFor()
      await driver.write(field, 'anne@maison.example')
      await driver.activate(card.getByRole('button', { name: 'Enregistrer' }))
      await card.getByText('anne@maison.example').waitFor()
      assert.equal((await read()).email, 'p.bonnet@maison.example')
      const events = await stage.sql<{ type: string }>(
        `select type from audit_log where subject_id = $1 and data->'changed' ?| '{email,address}' order by id`,
        [debtor.id],
      )
      assert.deepEqual([...new Set(events.map(({ type }) => type))].toSorted(), [
        'debtor.changed',
        'debtor.person_changed',
      ])
    },
  },
  {
    name: 'stop everything, and start again',
    async run(run) {
      const { stage, company, page, driver } = run
      await openToday(run)
      await driver.command(
        'Arrêter tous les envois',
        page.getByRole('button', { name: 'Arrêter les envois' }),
      )
      await driver.write(dialogOf(page).getByLabel('Pourquoi'), 'Mauvais tarifs')
      await driver.activate(dialogOf(page).getByRole('button', { name: 'Arrêter les envois' }))
      await page.getByText('Motif : Mauvais tarifs').waitFor()
      await toast(page, 'Les envois sont arrêtés.')
      const invoice = await newInvoice(run)
      const stopped = async () =>
        (await stage.call<{ stopped: unknown }>(company, 'GET', 'reports/today')).stopped !== null
      assert.ok(await stopped())
      await driver.command(
        'Reprendre les envois',
        page.getByRole('status').getByRole('button', { name: 'Reprendre les envois' }),
      )
      assert.equal((await workflowOf(run, invoice.id)).actionsCompleted, 0)
      await driver.activate(dialogOf(page).getByRole('button', { name: 'Reprendre les envois' }))
      await toast(page, 'Les envois ont repris.')
      assert.ok(!(await stopped()))
      await isContacted(run, invoice.id)
    },
  },
  {
    name: 'from sign-up to the first message read',
    isStranger: true,
    pressesMax: 25,
    async run({ stage, page, driver }) {
      const email = `nadia-${++numbers}@example.com`
      await page.goto(`${stage.issuer}/sign-up`)
      await driver.write(page.getByLabel('Nom de l’entreprise'), 'Atelier Nadia')
      await driver.write(page.getByLabel('Votre nom'), 'Nadia')
      await driver.write(page.getByLabel('Adresse e-mail'), email)
      await driver.activate(page.getByRole('button', { name: 'Ouvrir le compte' }))
      await page.waitForURL(/\/mail-sent/)
      const mails = () => stage.server.mailbox.messages().filter(mail => mail.to === email)
      await eventually('the mail has come', async () => mails().length > 0)
      await page.goto(/http:\S+/.exec(mails()[0]!.text)![0])
      driver.countOne()
      await driver.write(page.getByLabel('Mot de passe'), 'quatre mots sans rapport')
      await driver.activate(page.getByRole('button', { name: 'Confirmer et se connecter' }))
      await page.waitForURL(/\/console\/[^/]+\/sandbox$/)
      await heading(page, /^Aujourd’hui/)
      await driver.find('Boulangerie Petitjean')
      await heading(page, 'Boulangerie Petitjean')
      await driver.readCell()
      await dialogOf(page).getByText('DEMO-1').first().waitFor()
    },
  },
]

export const devices = ['mouse', 'keyboard'] as const

/** Runs a flow with one device. Answers how many clicks and key presses it took. */
export async function runFlow(
  stage: Stage,
  flow: Flow,
  device: (typeof devices)[number],
): Promise<{ presses: number }> {
  const company = await stage.newCompany()
  const person = flow.isStranger ? undefined : await stage.newPerson({ [company.companyId]: 'owner' })
  const visitor = await stage.visit(person)
  try {
    const { page } = visitor
    const driver = device === 'mouse' ? mouseDriver(page) : keyboardDriver(page)
    await flow.run({ stage, company, visitor, page, driver })
    const presses = driver.presses()
    assert.ok(presses <= (flow.pressesMax ?? Number.POSITIVE_INFINITY), `${presses} clicks and key presses`)
    assert.deepEqual(visitor.faults, [])
    return { presses }
  } catch (error) {
    if (process.env.PICTURES) {
      const path = join(tmpdir(), `flow-${flow.name.replaceAll(/\W+/g, '-')}-${device}.png`)
      await visitor.page.screenshot({ path })
    }
    throw error
  } finally {
    await visitor.close()
  }
}
