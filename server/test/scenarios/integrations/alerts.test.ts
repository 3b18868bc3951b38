import { randomUUIDv7 } from 'node:crypto'
import { expect, it } from 'vitest'
import { newSandbox } from '../../harness/sandbox.ts'
import { useDebtors } from '../../harness/use-debtors.ts'
import { eventually } from '../../harness/use-installation.ts'
import { formsIn, newVisitor, visibleText } from '../../harness/visitor.ts'

const { installation, contactedInvoice, pagesUrl, visitor, workflowOf, statusOf, eventsOf, mailsTo } =
  await useDebtors({
    env: {
      MAIL_INBOUND_TOKEN: 'a-long-secret-of-our-mail-server',
      MAIL_INBOUND_DOMAIN: 'mail.relance.example',
    },
  })

const owner = 'comptabilite@atelier-martin.example'
const browser = () => newVisitor(pagesUrl(), { acceptLanguage: 'fr' })

/** The path of the page in a mail. */
const linkIn = (text: string) => /https?:\/\/[^/\s]+(\/alerts\S+)/.exec(text)![1]!
const alertsTo = (address: string) => mailsTo(address).filter(({ text }) => text.includes('/alerts?'))
const mailAbout = async (address: string, subject: string) =>
  (
    await eventually(
      () => alertsTo(address).filter(mail => mail.subject.includes(subject)),
      mails => mails.length > 0,
    )
  ).at(-1)!

async function dispute({ id, code }: { id: string; code: string }) {
  const form = { invoice: id, kind: 'not_received', words: 'Rien n’est arrivé' }
  const answer = await visitor().post(`/d/${code}/dispute`, form)
  expect(answer.status, answer.html).toBe(303)
}
/** So that the next alert is not held back by the last mail of its kind. */
const forgetMails = () => installation.sql('update alert_batches set mailed_at = null')

it('the owner is mailed about a dispute, opening the link changes nothing, and the button resolves it', async () => {
  const invoice = await contactedInvoice()
  await dispute(invoice)
  const mail = await mailAbout(owner, invoice.number)
  expect(mail.subject).toMatch(/^Durand \d+ SARL conteste la facture /)
  expect(mail.text).toMatch(/1\s200,00\s€/)
  const link = linkIn(mail.text)
  for (let i = 0; i < 3; i++) expect((await browser().get(link)).status).toBe(200)
  expect(await statusOf(invoice.id)).toBe('disputed')

  const who = browser()
  const page = await who.get(link)
  expect(visibleText(page.html)).toContain('Rien n’est arrivé')
  const done = await who.submit(page, '/alerts', { outcome: 'rejected' })
  expect(done.status, done.html).toBe(303)
  const after = await who.get(done.location!)
  expect(visibleText(after.html)).toContain('C’est fait.')
  expect(visibleText(after.html)).toContain('plus rien à faire')
  expect(await statusOf(invoice.id)).toBe('in_recovery')
  expect(await workflowOf(invoice.id)).toBe('in_recovery')
  const resolved = (await eventsOf(invoice.id)).find(({ type }) => type === 'dispute.resolved')
  expect(resolved!.actor).toEqual({ kind: 'person', id: 'owner_address' })
  // Pressed twice, the second press says that there is nothing left to do.
  const again = await who.submit(page, '/alerts', { outcome: 'upheld' })
  expect(again.status).toBe(400)
  expect(await statusOf(invoice.id)).toBe('in_recovery')
})

it('the button that accepts a dispute in part asks for its sum', async () => {
  await forgetMails()
  const invoice = await contactedInvoice()
  await dispute(invoice)
  const link = linkIn((await mailAbout(owner, invoice.number)).text)
  const who = browser()
  const page = await who.get(link)
  expect((await who.submit(page, '/alerts', { outcome: 'partly' })).status).toBe(400)
  expect((await who.submit(page, '/alerts', { outcome: 'partly', amount: 'a lot' })).status).toBe(400)
  expect(await statusOf(invoice.id)).toBe('disputed')
  const done = await who.submit(page, '/alerts', {
    outcome: 'partly',
    amount: '240,50 €',
    answer: 'Huit chaises sont intactes',
  })
  expect(done.status, done.html).toBe(303)
  const [row] = await installation.sql<{ answer: string; credited: number }>(
    'select answer, credited_cents::int as credited from disputes where invoice_id = $1',
    [invoice.id],
  )
  expect(row).toEqual({ answer: 'Huit chaises sont intactes', credited: 24_050 })
})

it('owners and chosen members are mailed, each in their language, and who switches it off is not', async () => {
  await forgetMails()
  const { companyId } = installation.company
  const join = async (email: string, language: string, role: string, receivesAlerts: boolean | null) => {
    await installation.sql(
      `with person as (
         insert into people (id, email, email_key, name, language, created_at)
         values ($1, $2, $2, 'Camille', $3, clock_timestamp()) returning id)
       insert into memberships (person_id, company_id, role, created_at, receives_alerts)
       select id, $4, $5, clock_timestamp(), $6 from person`,
      [randomUUIDv7(), email, language, companyId, role, receivesAlerts],
    )
    return { email }
  }
  const english = await join('owner@people.example', 'en', 'owner', null)
  const viewer = await join('viewer@people.example', 'en', 'viewer', true)
  const manager = await join('manager@people.example', 'en', 'manager', null)
  const count = alertsTo(owner).length
  const invoice = await contactedInvoice()
  await dispute(invoice)
  const mail = await mailAbout(english.email, 'disputes invoice')
  const toViewer = await mailAbout(viewer.email, 'disputes invoice')
  expect(alertsTo(manager.email)).toEqual([])
  // There is an owner who is a person now: the address of before is not written to.
  expect(alertsTo(owner)).toHaveLength(count)

  // A viewer sees it and has no button; what a viewer may not do is refused.
  const page = await browser().get(linkIn(toViewer.text))
  expect(visibleText(page.html)).toContain('Your role may not act on this')
  const forged = await browser().post(linkIn(toViewer.text), {
    event: (
      await installation.sql<{ id: string }>(
        `select id from events where subject_id = $1 and type = 'dispute.opened'`,
        [invoice.id],
      )
    )[0]!.id,
    outcome: 'rejected',
  })
  expect(forged.status).toBe(400)
  expect(await statusOf(invoice.id)).toBe('disputed')

  const off = await browser().post(linkIn(mail.text), { off: '1' })
  expect(visibleText(off.html)).toContain('You are not mailed')
  expect((await browser().get(linkIn(mail.text))).status).toBe(404)
  await forgetMails()
  await dispute(await contactedInvoice())
  await eventually(
    () => alertsTo(viewer.email).length,
    mails => mails === 2,
  )
  expect(alertsTo(english.email)).toHaveLength(1)
  await installation.sql('delete from memberships where company_id = $1', [companyId])
})

it('what the company does itself, and what happens in a sandbox, is mailed to nobody', async () => {
  const invoice = await contactedInvoice()
  await installation.call('POST', `/api/v1/invoices/${invoice.id}/dispute`, { body: { reason: 'By phone' } })
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({})
  await sandbox.simulate('dispute', { invoiceId: id })
  const alerted = `select 1 from alerts union all select 1 from alert_batches where waiting > 0`
  expect(await installation.sql(alerted)).toEqual([])
})

it('a wrong person is mailed with a form for the right address, and the reminders go on', async () => {
  await forgetMails()
  const invoice = await contactedInvoice()
  await visitor().post(`/d/${invoice.code}/not-me`, {})
  const mail = await mailAbout(owner, 'quelqu’un d’autre')
  const who = browser()
  const page = await who.get(linkIn(mail.text))
  expect((await who.submit(page, '/alerts', { address: 'not an address' })).status).toBe(400)
  const corrected = await who.submit(page, '/alerts', { address: `right-${invoice.email}` })
  expect(corrected.status, corrected.html).toBe(303)
  expect(await workflowOf(invoice.id)).toBe('in_recovery')
})

it('an answer by mail holds the debtor, is mailed, and one press says that it was read', async () => {
  await forgetMails()
  const invoice = await contactedInvoice()
  const invitation = mailsTo(invoice.email)[0]!
  expect(invitation.text).toContain('répondez à ce message')
  const mail = `From: <zoe@durand.example>\r\nTo: reply+${invoice.code}@mail.relance.example\r\nMessage-ID: <r1@b.example>\r\n\r\nJe conteste.\r\n`
  await installation.call('POST', '/callbacks/mail', {
    key: null,
    raw: mail,
    headers: {
      'content-type': 'message/rfc822',
      authorization: 'Bearer a-long-secret-of-our-mail-server',
    },
  })
  expect(await workflowOf(invoice.id)).toBe('paused')
  const alert = await mailAbout(owner, 'a répondu')
  expect(alert.text).not.toContain('Je conteste')
  const who = browser()
  const page = await who.get(linkIn(alert.text))
  expect(await workflowOf(invoice.id)).toBe('paused')
  const read = await who.submit(page, '/alerts')
  expect(read.status, read.html).toBe(303)
  expect(await workflowOf(invoice.id)).toBe('in_recovery')
})

it('a promise is mailed, and there is nothing to press', async () => {
  await forgetMails()
  const invoice = await contactedInvoice()
  await visitor().post(`/d/${invoice.code}/promise`, { date: '2026-11-30' })
  const mail = await mailAbout(owner, '30 novembre 2026')
  const page = await browser().get(linkIn(mail.text))
  expect(visibleText(page.html)).toContain('plus rien à faire')
  expect(formsIn(page.html)).toEqual([])
})

it('a link that is unknown or too old shows nothing', async () => {
  expect((await browser().get('/alerts?token=al_xx0000')).status).toBe(404)
  const [latest] = alertsTo(owner).slice(-1)
  await installation.sql(`update alert_links set expires_at = '2020-01-01'`)
  for (const answer of [
    await browser().get(linkIn(latest!.text)),
    await browser().post(linkIn(latest!.text), { event: 'x' }),
  ])
    expect(answer.status).toBe(404)
})

it('a message that came back is told with who is written to from now on, whose address is not asked for', async () => {
  const { tenants } = installation.company
  // The mail waits until the next person was chosen.
  await installation.sql(
    `insert into alert_batches (tenant_id, kind, mailed_at) values ($1, 'message.bounced', clock_timestamp())
     on conflict (tenant_id, kind) do update set mailed_at = excluded.mailed_at`,
    [tenants.production],
  )
  const { id, number, code } = await contactedInvoice()
  const [{ debtor_id: debtorId }] = (await installation.sql<{ debtor_id: string }>(
    'select debtor_id from invoices where id = $1',
    [id],
  )) as [{ debtor_id: string }]
  const added = await installation.call('POST', `/api/v1/debtors/${debtorId}/people`, {
    body: { name: 'Anne Compta', role: 'accounting', email: 'anne@suivante.example' },
  })
  expect(added.status, added.text).toBe(201)
  const bounced = await installation.call('POST', '/callbacks/mail', {
    key: null,
    raw: [
      ...[
        'From: <>',
        `To: bounce+${code}@mail.relance.example`,
        `Message-ID: <${randomUUIDv7()}@mx.example>`,
      ],
      ...[
        'MIME-Version: 1.0',
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
        '',
      ],
      ...['--b', 'Content-Type: message/delivery-status', '', `Original-Envelope-Id: ${code}`, ''],
      ...['Action: failed', '', '--b--', ''],
    ].join('\r\n'),
    headers: {
      'content-type': 'message/rfc822',
      authorization: 'Bearer a-long-secret-of-our-mail-server',
    },
  })
  expect(bounced.status).toBe(204)
  await eventually(
    () => installation.sql<{ email: string }>('select email from debtors where id = $1', [debtorId]),
    ([debtor]) => debtor!.email === 'anne@suivante.example',
  )
  await eventually(
    () =>
      installation.sql(
        `update alert_batches set due_at = clock_timestamp() where kind = 'message.bounced' and waiting > 0 returning kind`,
      ),
    rows => rows.length > 0,
  )
  const mail = await mailAbout(owner, 'est revenu')
  expect(mail.text).toContain(
    `la facture ${number} est revenu (e-mails). Les messages vont désormais à Anne Compta.`,
  )
  const page = await browser().get(linkIn(mail.text))
  expect(visibleText(page.html)).toContain('Les messages vont désormais à Anne Compta.')
  expect(formsIn(page.html).some(form => 'address' in form.fields)).toBe(false)
})
