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
  /** The task is done: what is pressed from here on only looks at what became of it. */
  isDone(): void
}

interface Flow {
  name: string
  /** Its number among the everyday tasks of a credit controller: such a flow takes `taskClicksMax` by mouse. */
  task?: number
  /** Also run in CI. */
  isQuick?: true
  /** Nobody is signed in when it begins. */
  isStranger?: true
  run(run: Run): Promise<void>
}

/** By mouse, besides the values that are typed and chosen. */
const taskClicksMax = 5

interface Created {
  id: string
  invoiceNumber: string
  debtor: { id: string; name: string }
  /** Of the debtor. */
  email: string
}

declare const document: { activeElement: unknown; body: unknown }

const patienceMs = 20_000
const zone = 'Europe/Paris'

async function eventually(promise: string, isTrue: () => Promise<boolean>, withinMs = patienceMs) {
  const ms = await until(isTrue, withinMs)
  assert.notEqual(ms, null, `${promise}: not within ${withinMs} ms`)
  return ms!
}

let numbers = 0

const callIn = ({ stage }: Run, environment: Environment) =>
  environment === 'production' ? stage.call : stage.callSandbox

/** A debtor in Lyon with an overdue invoice of each sum, due one after the other. */
async function newInvoices(
  run: Run,
  amountsCents: readonly number[],
  environment: Environment = 'production',
  dueDate?: string,
): Promise<Created[]> {
  const number = ++numbers
  const email = `compta@maison-${number}.example`
  const debtor = {
    name: `Maison ${number} SARL`,
    email,
    // The last digits decide in a sandbox what becomes of a message.
    phone: `+3361234${5_500 + number}`,
    address: '12 rue Mercière',
    postalCode: '69002',
    city: 'Lyon',
    type: 'business',
  }
  const created: Created[] = []
  for (const [i, amountCents] of amountsCents.entries()) {
    const invoiceNumber = `F-2026-${number}${i === 0 ? '' : `-${i + 1}`}`
    const answer = await callIn(run, environment)<{ id: string; debtor: { id: string } }>(
      run.company,
      'POST',
      'invoices',
      {
        invoiceNumber,
        amountCents,
        issueDate: '2026-09-01',
        dueDate: dueDate ?? `2026-10-0${i + 1}`,
        debtor,
      },
    )
    created.push({ id: answer.id, invoiceNumber, debtor: { id: answer.debtor.id, name: debtor.name }, email })
  }
  return created
}
const newInvoice = async (run: Run, environment: Environment = 'production'): Promise<Created> =>
  (await newInvoices(run, [120_000], environment))[0]!

interface Workflow {
  status: string
  actionsCompleted: number
}
const workflowOf = (run: Run, id: string, environment: Environment = 'production') =>
  callIn(run, environment)<Workflow>(run.company, 'GET', `workflow/invoice/${id}`)
const becomes = (run: Run, id: string, status: string, environment?: Environment) =>
  eventually(
    `the recovery is ${status}`,
    async () => (await workflowOf(run, id, environment)).status === status,
  )
const isContacted = (run: Run, id: string, environment: Environment = 'production') =>
  eventually(
    'the first message has left',
    async () => (await workflowOf(run, id, environment)).actionsCompleted > 0,
  )

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Messages' }).getByText(text).waitFor()
const dialogOf = (page: Page) => page.getByRole('dialog')

const mainOf = (page: Page) => page.getByRole('main')
const buttonOf = (page: Page, name: string) => mainOf(page).getByRole('button', { name, exact: true })

async function openToday(run: Run, environment: Environment = 'production'): Promise<void> {
  await run.page.goto(run.stage.urlOf(run.company, environment))
  await heading(run.page, /^Aujourd’hui/)
}

/** From today to a client, by name. */
async function openClient(run: Run, { debtor }: Created, environment: Environment = 'production') {
  await openToday(run, environment)
  await run.driver.find(debtor.name)
  await heading(run.page, debtor.name)
  await buttonOf(run.page, 'Agir').waitFor()
}

/** From today to an invoice, as somebody would who has its number before them. */
async function openInvoice(run: Run, invoice: Created, environment: Environment = 'production') {
  await openToday(run, environment)
  await run.driver.find(invoice.invoiceNumber)
  await heading(run.page, invoice.invoiceNumber)
  await buttonOf(run.page, 'Agir').waitFor()
}

/** Presses the button of an act, which does nothing before its effect is drawn. The window closes, and the focus is not lost. */
async function confirm({ page, driver }: Run, words: string): Promise<void> {
  const button: Locator = dialogOf(page).getByRole('button', { name: words })
  await eventually(
    'the effect is drawn',
    async () => (await button.getAttribute('aria-disabled')) === 'false',
  )
  await driver.activate(button)
  await dialogOf(page).waitFor({ state: 'detached' })
  await eventually('something has the focus', () => page.evaluate(hasFocus))
}
const hasFocus = () => document.activeElement !== null && document.activeElement !== document.body

/** The lines in which the effect of an act is written, as well as drawn. */
const effectLines = (page: Page) => dialogOf(page).getByRole('listitem')

const timeIn = (at: string) =>
  new Intl.DateTimeFormat('fr-FR', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(
    Date.parse(at),
  )

/** Moves the time of the sandbox on, and waits for all that is due by then. */
async function advanceTo({ stage, company }: Run, to: string): Promise<void> {
  await stage.callSandbox(company, 'POST', 'sandbox/clock', { to })
  await eventually('the sandbox is idle', async () => {
    const { status } = await stage.callSandbox<{ status: string }>(company, 'GET', 'sandbox/clock')
    return status === 'idle'
  })
}

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
    name: 'from sign-up to the first message read',
    task: 0,
    isStranger: true,
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
      await driver.activate(page.getByRole('main').getByRole('button', { name: 'Lire le message' }).first())
      await dialogOf(page).getByText('DEMO-1').first().waitFor()
    },
  },
  {
    name: 'why nothing leaves for a client today: the rule, and when it opens',
    task: 1,
    isQuick: true,
    async run(run) {
      const { stage, company, page, driver } = run
      const invoice = await newInvoice(run, 'sandbox')
      await isContacted(run, invoice.id, 'sandbox')
      await openClient(run, invoice, 'sandbox')

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
      await driver.activate(buttonOf(page, 'Calendrier'))
      await driver.cell('sms', '2026-11-16')
      const sentence = page.locator('p[aria-live=polite]', { hasText: 'Un contact par jour au plus' })
      const shown = (await sentence.textContent())!
      assert.match(shown, /déjà l’e-mail du/)
      assert.match(shown, new RegExp(`ouvre .*${timeIn(opens.from)}`))
    },
  },
  {
    name: 'who is contacted tomorrow, by name',
    task: 2,
    isQuick: true,
    async run(run) {
      const { stage, company, page, driver } = run
      for (let i = 0; i < 3; i++) await newInvoices(run, [120_000], 'production', '2026-11-16')
      await openToday(run)
      await driver.activate(page.getByRole('link', { name: 'Jour suivant' }))
      await heading(page, /mardi 17 novembre/i)
      const { leaving } = await stage.call<{ leaving: { name: string }[] }>(
        company,
        'GET',
        'reports/today?date=2026-11-17',
      )
      assert.equal(leaving.length, 3)
      const rows = page.getByRole('list', { name: 'Clients contactés' }).getByRole('listitem')
      await rows.first().waitFor()
      assert.deepEqual(
        await rows.getByRole('link').allTextContents(),
        leaving.map(({ name }) => name),
      )
    },
  },
  {
    name: 'everything stops for a client with a message in flight, and goes on again',
    task: 3,
    isQuick: true,
    async run(run) {
      const { stage, company, page, driver } = run
      const { mailbox } = stage.server
      mailbox.setMood('hanging')
      try {
        const invoices = await newInvoices(run, [120_000, 80_000])
        const [first] = invoices
        const path = `debtors/${first!.debtor.id}`
        await eventually('the message is on its way', async () => {
          const rehearsed = await stage.call<{ inFlight: unknown[] }>(company, 'POST', `${path}/pause`, {
            dryRun: true,
          })
          return rehearsed.inFlight.length === 1
        })
        await openClient(run, first!)
        await driver.act('Mettre en pause', 'p')
        await dialogOf(page).getByText('Déjà envoyé, on ne peut plus le rappeler : 1er rappel').waitFor()
        await dialogOf(page).getByText('2 relances s’arrêtent.').waitFor()
        await confirm(run, 'Mettre en pause')
        await toast(page, 'Déjà envoyé, on ne peut plus le rappeler : 1er rappel')
        for (const { id } of invoices) await becomes(run, id, 'paused')
        const pause = async () => (await stage.call<{ pause: unknown }>(company, 'GET', path)).pause
        assert.notEqual(await pause(), null)
        await driver.undo()
        for (const { id } of invoices) await becomes(run, id, 'in_recovery')
        assert.equal(await pause(), null)
        await toast(page, 'Annulé')
        mailbox.setMood(null)
        await isContacted(run, first!.id)
      } finally {
        mailbox.setMood(null)
      }
    },
  },
  {
    name: 'a promise for the 28th, for all invoices of a client at once',
    task: 4,
    isQuick: true,
    async run(run) {
      const { stage, company, page, driver } = run
      const invoices = await newInvoices(run, [120_000, 80_000, 50_000])
      const [first] = invoices
      await isContacted(run, first!.id)
      await openClient(run, first!)
      await driver.command('Noter une promesse', buttonOf(page, 'Promesse'))
      await driver.writeDay(dialogOf(page).getByLabel('Paiement promis pour le'), '2026-11-28')
      await driver.write(dialogOf(page).getByLabel('Note'), 'Dit au téléphone')
      await dialogOf(page).getByText('Promesse pour 3 factures.').waitFor()
      await dialogOf(page).getByText('Les relances attendent jusqu’au').waitFor()
      await confirm(run, 'Noter une promesse')
      await toast(page, 'Les promesses sont notées.')
      const promised = /^2\s500,00\s€.*28 nov\./
      await mainOf(page).getByRole('definition').filter({ hasText: promised }).waitFor()
      const { account } = await stage.call<{ account: Record<string, unknown> }>(
        company,
        'GET',
        `debtors/${first!.debtor.id}?include=account`,
      )
      assert.deepEqual([account.promisedCents, account.promisedOn], [250_000, '2026-11-28'])
      for (const { id } of invoices) {
        const path = `invoices/${id}?include=recovery`
        const { recovery } = await stage.call<{ recovery: { holds: string[] } }>(company, 'GET', path)
        assert.deepEqual(recovery.holds, ['promise'])
      }
    },
  },
  {
    name: 'half of an invoice is disputed',
    task: 5,
    isQuick: true,
    async run(run) {
      const { stage, company, page, driver } = run
      const [disputed, other] = await newInvoices(run, [120_000, 80_000])
      await isContacted(run, disputed!.id)
      await openClient(run, disputed!)
      await driver.activate(mainOf(page).getByRole('link', { name: disputed!.invoiceNumber, exact: true }))
      await heading(page, disputed!.invoiceNumber)
      await driver.act('Ouvrir une contestation')
      await driver.write(dialogOf(page).getByLabel(/^Ce que dit/), 'La moitié des chaises manque')
      await driver.choose(dialogOf(page).getByLabel(/^Motif/), 'Quantité')
      await driver.write(dialogOf(page).getByLabel(/^Somme contestée/), '600')
      await dialogOf(page)
        .getByText(/Contesté\s: 600,00\s€/)
        .waitFor()
      await dialogOf(page).getByText('y compris la part non contestée').waitFor()
      await confirm(run, 'Ouvrir une contestation')
      run.isDone()
      await toast(page, 'La contestation est enregistrée.')
      await mainOf(page)
        .getByText(/contestation ouverte \(600,00\s€\)/)
        .first()
        .waitFor()
      await becomes(run, disputed!.id, 'paused')
      const [recorded] = await stage.sql<{ category: string; amount_cents: string; status: string }>(
        'select category, amount_cents, status from disputes where invoice_id = $1',
        [disputed!.id],
      )
      assert.deepEqual(
        { ...recorded, amount_cents: Number(recorded!.amount_cents) },
        {
          category: 'wrong_quantity',
          amount_cents: 60_000,
          status: 'open',
        },
      )
      await driver.find(disputed!.debtor.name)
      await heading(page, disputed!.debtor.name)
      await mainOf(page)
        .getByRole('definition')
        .filter({ hasText: /^600,00\s€/ })
        .waitFor()
      const { account } = await stage.call<{ account: Record<string, unknown> }>(
        company,
        'GET',
        `debtors/${disputed!.debtor.id}?include=account`,
      )
      assert.equal(account.disputedCents, 60_000)
      // The whole invoice waits for the decision; the other one goes on.
      assert.equal((await workflowOf(run, other!.id)).status, 'in_recovery')
    },
  },
  {
    name: 'a cheque for two invoices closes the first in a second window within 5 s',
    task: 6,
    isQuick: true,
    async run(run) {
      const { stage, company, visitor, page, driver } = run
      const invoices = await newInvoices(run, [70_000, 60_000])
      const [first] = invoices
      await isContacted(run, first!.id)
      await openClient(run, first!)
      const other = await visitor.newWindow()
      await other.goto(stage.urlOf(company, 'production', `/invoices/${first!.id}`))
      await heading(other, first!.invoiceNumber)
      const paid = mainOf(other).getByText('payée', { exact: true }).first()
      assert.equal(await paid.count(), 0)
      await page.bringToFront()
      await driver.command('Saisir un paiement', buttonOf(page, 'Saisir un paiement'))
      const dialog = dialogOf(page)
      await driver.write(dialog.getByLabel('Somme'), '1200')
      await driver.choose(dialog.getByLabel('Moyen de paiement'), 'Chèque')
      await driver.write(dialog.getByLabel('Votre référence'), 'CHQ 7741203')
      const parts = dialog.getByRole('textbox', { name: /^Part de la facture/ })
      await eventually('the split is proposed', async () => (await parts.count()) === 2)
      const proposed = await Promise.all((await parts.all()).map(part => part.inputValue()))
      assert.deepEqual(
        proposed.map(sum => sum.replaceAll(/\s/g, ' ')),
        ['700,00 €', '500,00 €'],
      )
      await confirm(run, 'Saisir un paiement')
      const typedAt = performance.now()
      await paid.waitFor({ timeout: 5_000 })
      assert.ok(performance.now() - typedAt < 5_000)
      await toast(page, 'Le paiement est enregistré.')
      interface Payment {
        amountCents: number
        instrument: string
        receiptId: string | null
      }
      const payments = await Promise.all(
        invoices.map(({ id }) => stage.call<Payment[]>(company, 'GET', `payments/invoice/${id}`)),
      )
      assert.deepEqual(
        payments.flat().map(({ amountCents, instrument }) => [amountCents, instrument]),
        [
          [70_000, 'cheque'],
          [50_000, 'cheque'],
        ],
      )
      const receipts = new Set(payments.flat().map(({ receiptId }) => receiptId))
      assert.equal(receipts.size, 1)
      assert.ok(!receipts.has(null))
    },
  },
  {
    name: 'the email of somebody who left',
    task: 7,
    isQuick: true,
    async run(run) {
      const { stage, company, page, driver } = run
      const invoice = await newInvoice(run)
      const { debtor, email } = invoice
      const path = `debtors/${debtor.id}`
      const read = () => stage.call<Record<string, string | null>>(company, 'GET', path)
      await stage.call(company, 'POST', `${path}/people`, {
        name: 'Sylvie Roche',
        role: 'accounting',
        email,
        mainFor: ['email'],
      })
      await openClient(run, invoice)
      const card = page.getByRole('main').getByRole('region', { name: 'Contacts' })
      await driver.activate(card.getByRole('button', { name: 'Modifier l’e-mail de Sylvie Roche' }))
      // It has the focus, and what is in it is selected.
      const box = (label: RegExp) => card.getByRole('textbox', { name: label })
      const field = box(/^E-mail/)
      await eventually('the field has the focus', () =>
        field.evaluate(element => element === element.ownerDocument.activeElement),
      )
      await page.keyboard.type('p.bonnet@maison.example')
      await driver.write(box(/^Nom/), 'Paul Bonnet')
      await driver.activate(card.getByRole('button', { name: 'Enregistrer' }))
      run.isDone()
      await toast(page, 'Le contact est enregistré.')
      await card.getByText('p.bonnet@maison.example').waitFor()
      await card.getByText('jamais utilisé').first().waitFor()
      assert.equal((await read()).email, 'p.bonnet@maison.example')

      await driver.activate(card.getByRole('button', { name: 'Modifier le SIRET' }))
      await driver.write(box(/^SIRET/), '732 829 320 00074')
      await driver.write(box(/^Adresse/), '14 route de Gordes')
      await driver.write(box(/^Ville/), 'Cavaillon')
      const correct = card.getByRole('button', { name: 'Corriger l’adresse' })
      await eventually(
        'the effect is drawn',
        async () => (await correct.getAttribute('aria-disabled')) === 'false',
      )
      await driver.activate(correct)
      await toast(page, 'L’adresse est corrigée.')
      await card.getByText('73282932000074').waitFor()
      const { siret, address, city } = await read()
      assert.deepEqual([siret, address, city], ['73282932000074', '14 route de Gordes', 'Cavaillon'])

      await driver.activate(card.getByRole('button', { name: 'Ajouter un contact' }))
      await driver.write(box(/^Nom/), 'Anne Roy')
      await driver.choose(card.getByRole('combobox', { name: 'Rôle' }), 'direction')
      await driver.write(field, 'anne')
      await driver.activate(card.getByRole('button', { name: 'Enregistrer' }))
      await card.getByText('Ce n’est pas une adresse e-mail').waitFor()
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
    name: 'a client is written to: the true moment before the button, then planned, sent and read',
    task: 8,
    async run(run) {
      const { stage, company, page, driver } = run
      const invoice = await newInvoice(run, 'sandbox')
      await isContacted(run, invoice.id, 'sandbox')
      await openClient(run, invoice, 'sandbox')
      await driver.command('Écrire', buttonOf(page, 'Écrire'), 'm')
      const text = 'pouvez-vous nous confirmer la date de votre règlement ?'
      await driver.write(dialogOf(page).getByLabel('Texte', { exact: true }), text)
      await dialogOf(page).frameLocator('iframe').getByText(text).waitFor()
      const moment = dialogOf(page)
        .getByRole('status')
        .getByText(/^(Part|Attend) /)
      const shown = (await moment.textContent())!
      await confirm(run, 'Envoyer')
      run.isDone()
      await toast(page, 'Le message est prévu.')
      interface Plan {
        actions: { action: string; channel: string; scheduledAt: string }[]
      }
      const plan = await stage.callSandbox<Plan>(company, 'GET', `workflow/invoice/${invoice.id}/plan`)
      const planned = plan.actions.find(({ action }) => action === 'written_message')!
      assert.equal(planned.channel, 'email')
      assert.match(planned.scheduledAt, /^2026-11-19T/)
      assert.match(shown, new RegExp(`^Attend jeu\\. 19 nov\\. .*${timeIn(planned.scheduledAt)}\\s: `))
      await advanceTo(run, new Date(Date.parse(planned.scheduledAt) + 60_000).toISOString())
      // The window hears of it by itself.
      const line = page.getByRole('listitem').filter({ hasText: /Message écrit.*envoyé/ })
      await driver.activate(line.getByRole('button', { name: 'Lire le message' }))
      await dialogOf(page).getByText(text).waitFor()
    },
  },
  {
    name: 'what was sent to a client, and to which address',
    task: 9,
    isQuick: true,
    async run(run) {
      const { stage, page, driver } = run
      const invoice = await newInvoice(run)
      await isContacted(run, invoice.id)
      await openClient(run, invoice)
      await driver.activate(mainOf(page).getByRole('button', { name: 'Lire le message' }).first())
      await dialogOf(page).getByRole('definition').filter({ hasText: invoice.email }).waitFor()
      const text = await dialogOf(page).getByRole('paragraph').filter({ hasText: 'Bonjour' }).textContent()
      const mail = stage.server.mailbox.messages().find(({ to }) => to === invoice.email)
      const plain = (words: string) => words.replaceAll(/\s+/g, ' ').trim()
      // Who has the code of the link is taken for the debtor.
      assert.equal(plain(text!), plain(mail!.text.replaceAll(/\/d\/[\w-]{20}/g, '/d/…')))
    },
  },
  {
    name: 'a client went bankrupt: nothing leaves any more, and the claim is to be declared',
    task: 17,
    isQuick: true,
    async run(run) {
      const { stage, company, page, driver } = run
      const invoice = await newInvoice(run, 'sandbox')
      const { debtor } = invoice
      await isContacted(run, invoice.id, 'sandbox')
      await openClient(run, invoice, 'sandbox')
      await driver.act('Enregistrer une procédure')
      const dialog = dialogOf(page)
      await driver.choose(dialog.getByLabel('Procédure', { exact: true }), 'Liquidation judiciaire')
      await driver.writeDay(dialog.getByLabel('Ouverte le'), '2026-11-10')
      await driver.writeDay(dialog.getByLabel('Publiée le'), '2026-11-12')
      await dialog.getByText('à déclarer au plus tard le 12/01/2027').waitFor()
      await confirm(run, 'Enregistrer une procédure')
      await toast(page, 'La procédure est enregistrée.')
      await becomes(run, invoice.id, 'paused', 'sandbox')
      await mainOf(page).getByText('Créance à déclarer au plus tard le 12/01/2027.').waitFor()
      await driver.go('Aujourd’hui')
      const row = mainOf(page)
        .getByRole('region', { name: 'À faire' })
        .getByRole('link', { name: debtor.name })
      await row.filter({ hasText: 'Créance, avant le' }).waitFor()
      run.isDone()
      interface Line {
        debtorId: string
        tasks: { kind: string; dueOn: string | null }[]
      }
      const work = await stage.callSandbox<Line[]>(company, 'GET', 'work')
      assert.deepEqual(
        work.map(({ debtorId, tasks }) => [debtorId, tasks.map(({ kind, dueOn }) => [kind, dueOn])]),
        [[debtor.id, [['claim', '2027-01-12']]]],
      )
      await advanceTo(run, '2026-12-16T09:00:00+01:00')
      const left = await stage.callSandbox<unknown[]>(company, 'GET', 'sandbox/messages')
      assert.equal(left.length, 1)
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
]

export const devices = ['mouse', 'keyboard'] as const

interface Effort {
  /** Clicks and key presses, besides values that were typed and chosen. */
  clicks: number
  /** With those that reached a field and chose its value, without the letters that were typed. */
  presses: number
}

/** Runs a flow with one device. A task has to be done by mouse with few clicks. */
export async function runFlow(stage: Stage, flow: Flow, device: (typeof devices)[number]): Promise<Effort> {
  const company = await stage.newCompany()
  const person = flow.isStranger ? undefined : await stage.newPerson({ [company.companyId]: 'owner' })
  const visitor = await stage.visit(person)
  try {
    const { page } = visitor
    const driver = device === 'mouse' ? mouseDriver(page) : keyboardDriver(page)
    const effort = (): Effort => ({ clicks: driver.clicks(), presses: driver.presses() })
    let done: Effort | undefined
    const isDone = () => {
      done = effort()
    }
    await flow.run({ stage, company, visitor, page, driver, isDone })
    const taken = done ?? effort()
    if (flow.task !== undefined && device === 'mouse')
      assert.ok(taken.clicks <= taskClicksMax, `${taken.clicks} clicks`)
    assert.deepEqual(visitor.faults, [])
    return taken
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
