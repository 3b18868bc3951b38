import { expect, it } from 'vitest'
import type { Config } from '../../../src/start/config.ts'
import { examine } from '../../../src/start/doctor.ts'
import { command } from '../../harness/operator.ts'
import { lyonDebtor, newSandbox } from '../../harness/sandbox.ts'
import { eventually, invoiceInput, mondayMorning, useInstallation } from '../../harness/use-installation.ts'

const collectorEnv = {
  COLLECTOR_NAME: 'Cabinet Rivoire',
  COLLECTOR_ADDRESS: '8 quai Perrache, 69002 Lyon',
  COLLECTOR_SIREN: '732829320',
  COLLECTOR_DECLARED_ON: '2024-01-15',
  COLLECTOR_INSURER: 'Assurances du Rhône, police 4411',
  COLLECTOR_ACCOUNT: 'FR1420041010050500013M02606',
}
const installation = useInstallation({ env: collectorEnv })
const unconfigured = useInstallation({ env: { ...collectorEnv, COLLECTOR_INSURER: undefined as never } })
const run = command(installation)

const owner = { ownerEmail: 'compta@lambert.example', tier: 'enterprise', sellsTo: 'business' } as const
const newCompany = (site = installation, isIncomplete = false) =>
  site.server.createCompany({ name: 'Menuiserie Lambert', ...owner }, { isIncomplete })

interface Imported {
  id: string
  address: string
  warnings: { code: string; message: string }[]
}
async function importInvoice(key: string, site = installation): Promise<Imported> {
  const body = invoiceInput()
  const created = await site.call<{ id: string }>('POST', '/api/v1/invoices', { body, key })
  expect(created.status, created.text).toBe(201)
  const warnings = (created.body.warnings ?? []) as Imported['warnings']
  return { id: created.body.data.id, address: body.debtor.email, warnings }
}

/** The company accepts the claims that the collector recovers for it. */
async function listClaims(key: string, ...invoiceIds: string[]): Promise<void> {
  const claims = invoiceIds.map(invoiceId => ({ invoiceId }))
  const body = { acceptedBy: 'Claire Lambert, gérante', claims }
  const listed = await installation.call('POST', '/api/v1/claim-lists', { key, body })
  expect(listed.status, listed.text).toBe(201)
}

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='

const mailsTo = (address: string, site = installation) =>
  site.server.mailbox.messages().filter(mail => mail.to === address)
const firstMailTo = async (address: string) =>
  (
    await eventually(
      () => mailsTo(address),
      mails => mails.length > 0,
    )
  )[0]!

/** Until a worker has looked at the debtor and found that nothing may be sent. */
async function expectStopped(
  { id, address }: Imported,
  key: string,
  reasonCode: string,
  site = installation,
): Promise<string> {
  await eventually(
    () =>
      site.sql(
        `select 1 from agendas a join invoices i on i.debtor_id = a.debtor_id
          where i.id = $1 and a.wake_at is null and a.wake_because = 'sending_stopped'`,
        [id],
      ),
    rows => rows.length === 1,
  )
  const path = `/api/v1/workflow/invoice/${id}`
  const next = await site.call<{ reason: string }>('GET', `${path}/next-action`, { key })
  expect(next.body.data).toMatchObject({ nextAction: null, reasonCode, blockedBy: [reasonCode] })
  const plan = await site.call('GET', `${path}/plan`, { key })
  expect(plan.body.data).toMatchObject({ actions: [], reasonCode, reason: next.body.data.reason })
  expect(mailsTo(address, site)).toEqual([])
  return next.body.data.reason
}

it('a company that has set nothing sends nothing, is told why, and goes on when it has an address and an account', async () => {
  const { companyId, productionKey: key } = await newCompany(installation, true)
  const imported = await importInvoice(key)
  expect(imported.warnings).toMatchObject([{ code: 'company_incomplete' }])
  expect(imported.warnings[0]!.message).toMatch(
    /postal address.* and an IBAN or an account for cards, and its SIREN/,
  )
  const reason = await expectStopped(imported, key, 'company_incomplete')
  expect(reason).toMatch(/postal address.*account/)

  const address = { address: '4 rue des Tanneurs', postalCode: '69005', city: 'Lyon' }
  const saved = await installation.call('PUT', '/api/v1/company', { key, body: address })
  expect(saved.body.data).toMatchObject({ missingToSend: ['means_of_payment', 'siren'] })
  await expectStopped(imported, key, 'company_incomplete')
  expect((await importInvoice(key)).warnings[0]!.message).not.toContain('postal address')

  await installation.server.setPayout(companyId, { iban: 'FR14 2004 1010 0505 0001 3M02 606' })
  // R123-237 C. com.: a French company writes with its SIREN.
  await expectStopped(imported, key, 'company_incomplete')
  const named = await installation.call('PUT', '/api/v1/company', { key, body: { siren: '732 829 320' } })
  expect(named.body.data).toMatchObject({ missingToSend: [] })
  const first = (await firstMailTo(imported.address)).text
  expect(first).toContain('4 rue des Tanneurs, 69005 Lyon')
  expect(first.replaceAll('\u00a0', ' ')).toContain('SIREN 732 829 320')
  expect((await importInvoice(key)).warnings).toEqual([])
})

it('a sandbox of such a company sends, and warns', async () => {
  const { sandboxKey: key } = await newCompany(installation, true)
  const imported = await importInvoice(key)
  expect(imported.warnings).toMatchObject([{ code: 'company_incomplete' }])
  expect(imported.warnings[0]!.message).toContain('A sandbox sends without')
  await eventually(
    async () => (await installation.call<object[]>('GET', '/api/v1/sandbox/messages', { key })).body.data,
    messages => messages.length === 1,
  )
})

it('a creditor writes in its own voice: its name, address, SIREN, telephone and logo, and the software in the footer', async () => {
  const { companyId, productionKey: key } = await newCompany()
  const body = { siren: '732 829 320' }
  expect((await installation.call('PUT', '/api/v1/company', { key, body })).status).toBe(200)
  // In production only an owner sets it, and it waits: here it is there from the beginning.
  await installation.sql(
    `insert into company_logos (tenant_id, media_type, bytes, updated_at)
     select id, 'image/png', $2, clock_timestamp() from tenants where company_id = $1 and environment = 'production'`,
    [companyId, Buffer.from(png, 'base64')],
  )
  await installation.server.setPayout(companyId, { telephone: '+33 4 78 00 00 00' })
  const mail = await firstMailTo((await importInvoice(key)).address)
  expect(mail.fromName).toBe('Menuiserie Lambert')
  const text = mail.text.replaceAll('\u00a0', ' ')
  expect(text).toContain(
    'Cordialement,\n\nMenuiserie Lambert\n4 rue des Tanneurs, 69005 Lyon\nSIREN 732 829 320\nTél. +33 4 78 00 00 00\n',
  )
  expect(text).toContain('Envoyé avec Relance, logiciel de suivi de factures.')
  expect(text).not.toMatch(/via Relance|pour Menuiserie Lambert|nous confie|recouvrement/)
  expect(mail.html).toContain('<img src="cid:logo" alt=""')
  expect(mail.attachments).toEqual(['image/png <logo>'])
  const [, code] = /\/d\/(\S+)/.exec(mail.text)!
  const page = await (await fetch(`${installation.server.baseUrl}/d/${code}`)).text()
  expect(page).toContain('src="data:image/png;base64,')
  for (const part of [
    '· Menuiserie Lambert</title>',
    'SIREN',
    'tel:+33478000000',
    'Page fournie par Relance',
  ])
    expect(page).toContain(part)
})

it('no key makes a collector: the operator does, with a mandate, and without one nothing leaves', async () => {
  const company = await newCompany()
  const { companyId, productionKey: key } = company
  const refused = await installation.call('PUT', '/api/v1/company', { key, body: { collectorMode: true } })
  expect([refused.status, refused.body.error.code]).toEqual([400, 'FORBIDDEN_FIELD_MODIFICATION'])
  expect(refused.body.error.message).toContain('set by the operator')

  // As a key could say it before there were mandates.
  await installation.sql('update company_settings set collector_mode = true where tenant_id = $1', [
    company.tenants.production,
  ])
  const imported = await importInvoice(key)
  expect(await expectStopped(imported, key, 'mandate_missing')).toContain('no mandate is recorded')

  const mandate = ['company', 'mandate', '--company', companyId]
  const early = await run(...mandate, '--signed-on', '2099-01-01', '--reference', 'Coffre 12')
  expect([early.code, early.out]).toEqual([5, expect.stringContaining('in the future')])
  expect(await run(...mandate, '--signed-on', '2026-01-12', '--reference', 'Coffre 12')).toMatchObject({
    code: 0,
    out: expect.stringContaining('speak as Cabinet Rivoire'),
  })
  // A mandate is not enough: the invoice must be in a list of claims.
  await eventually(
    () =>
      installation.sql(`select 1 from recoveries where invoice_id = $1 and due_because = 'claim_unlisted'`, [
        imported.id,
      ]),
    rows => rows.length === 1,
  )
  expect(mailsTo(imported.address)).toEqual([])
  await listClaims(key, imported.id)
  const mail = await firstMailTo(imported.address)
  expect(mail.fromName).toBe('Cabinet Rivoire pour Menuiserie Lambert')
  expect(mail.text).toContain('activité de recouvrement amiable')
  const [, code] = /\/d\/(\S+)/.exec(mail.text)!
  const page = await (await fetch(`${installation.server.baseUrl}/d/${code}`)).text()
  const [reference] = /R-[0-9A-Z]{7}/.exec(mail.text)!
  expect(mail.text).toMatch(/Notre lettre\s+R-[0-9A-Z]{7} du \d\d\/\d\d\/2026/)
  for (const part of [reference, '8 quai Perrache, 69002 Lyon', 'activité de recouvrement amiable'])
    expect(page).toContain(part)
  expect(page).toContain('Menuiserie Lambert a chargé Cabinet Rivoire de ce recouvrement amiable.')
  // A receipt is owed for every payment, also to who wants no emails.
  const stop = await (await fetch(`${installation.server.baseUrl}/d/${code}/stop`)).text()
  expect(stop).toContain('Seule la quittance d’un paiement peut encore vous parvenir')
  expect((await installation.call('GET', '/api/v1/company', { key })).body.data).toMatchObject({
    collectorMode: true,
  })

  const unlisted = await importInvoice(key)
  await eventually(
    () =>
      installation.sql(`select 1 from recoveries where invoice_id = $1 and due_because = 'claim_unlisted'`, [
        unlisted.id,
      ]),
    rows => rows.length === 1,
  )
  expect((await run(...mandate, '--end')).code).toBe(0)
  // What no list had goes on in the voice of the creditor.
  expect((await firstMailTo(unlisted.address)).fromName).toBe('Menuiserie Lambert')
  const own = await firstMailTo((await importInvoice(key)).address)
  expect(own.fromName).toBe('Menuiserie Lambert')
  expect(own.text).not.toMatch(/Rivoire|L111-8/)
})

it('an operator without a declaration, an insurer or a SIREN collects for nobody', async () => {
  const { companyId, productionKey: key } = await newCompany(unconfigured)
  const args = ['--company', companyId, '--signed-on', '2026-01-12', '--reference', 'Coffre 12']
  const refused = await command(unconfigured)('company', 'mandate', ...args)
  expect([refused.code, refused.out]).toEqual([5, expect.stringContaining('COLLECTOR_INSURER')])
  // A mandate from before the insurance ended.
  await unconfigured.sql(
    `update companies set mandate_signed_on = '2026-01-12', mandate_reference = 'Coffre 12' where id = $1`,
    [companyId],
  )
  const imported = await importInvoice(key, unconfigured)
  await expectStopped(imported, key, 'collector_unconfigured', unconfigured)
  const findings = await examine(
    { ...unconfigured.server.config, ...unconfigured.database.env } as Config,
    mondayMorning,
  )
  expect(findings.find(({ text }) => text.includes('COLLECTOR_'))).toMatchObject({ isFine: false })
})

it('a collector gives what the law wants in every message on every channel, with the reference and the day of the first', async () => {
  const sandbox = await newSandbox(installation)
  const args = ['--company', sandbox.companyId, '--signed-on', '2026-01-12', '--reference', 'Coffre 12']
  expect((await run('company', 'mandate', ...args)).code).toBe(0)
  const { id: invoiceId } = await sandbox.invoice({ debtor: lyonDebtor('Leroy SARL') })
  await listClaims(sandbox.key, invoiceId)
  const preview = { id: 'relance_email_1.email.fr', invoiceId }
  expect(await sandbox.done('POST', '/api/v1/templates/preview', preview)).toMatchObject({
    text: expect.stringContaining('Cabinet Rivoire'),
  })
  await sandbox.advanceToDay('2026-12-31')
  const messages = await sandbox.messages()
  expect(new Set(messages.map(({ channel }) => channel))).toEqual(new Set(['email', 'sms', 'voice', 'lrar']))
  const [reference] = messages.at(-1)!.body.match(/R-[0-9A-Z]{7}/)!
  for (const { channel, body } of messages) {
    expect(body, channel).toContain(reference)
    expect(body, channel).toMatch(/16\/11\/(20)?26|16 novembre 2026/)
    expect(body, channel).toContain('Cabinet Rivoire')
    if (channel === 'sms') continue
    expect(body, channel).toContain('activité de recouvrement amiable')
    expect(body, channel).toContain('8 quai Perrache, 69002 Lyon')
    expect(body, channel).toContain('4 rue des Tanneurs, 69005 Lyon')
    if (channel !== 'voice') expect(body).toContain('restent à la charge du créancier')
  }
})

/** A collected company with an invoice of 1 200,00 € that is listed, and the receipts in its sandbox. */
async function collected(changes: Record<string, unknown> = {}) {
  const sandbox = await newSandbox(installation)
  const args = ['--company', sandbox.companyId, '--signed-on', '2026-01-12', '--reference', 'Coffre 12']
  expect((await run('company', 'mandate', ...args)).code).toBe(0)
  const debtor = lyonDebtor('Leroy SARL')
  const invoice = await sandbox.invoice({ amountCents: 120_000, debtor, ...changes })
  await listClaims(sandbox.key, invoice.id)
  return {
    sandbox,
    invoice,
    /** Waits for the answers that are under way. */
    receipts: async () => {
      await sandbox.advance('PT1H')
      const messages = await sandbox.messages()
      return messages
        .filter(({ body }) => body.includes('Quittance'))
        .map(({ channel, body }) => ({ channel, text: body.replaceAll(/[\u00a0\u202f]/g, ' ') }))
    },
  }
}

const payment = (invoiceId: string, amountCents: number, more: object = {}) => ({
  invoiceId,
  amountCents,
  method: 'bank_transfer',
  ...more,
})

it('a collector gives one receipt for a transfer that the company records, with the means and what it paid', async () => {
  const { sandbox, invoice, receipts } = await collected()
  await sandbox.done('POST', '/api/v1/payments', payment(invoice.id, 120_000))
  const all = await receipts()
  expect(all.map(({ channel }) => channel)).toEqual(['email'])
  expect(all[0]!.text).toContain(
    'Quittance. Reçu le 16/11/2026 : 1 200,00 €, par virement. Imputé : principal 1 200,00 €. Reste dû : 0,00 €.',
  )
  expect(all[0]!.text).toContain('Plus rien n’est dû pour cette facture')
  expect(all[0]!.text).toContain('activité de recouvrement amiable')
})

it('a part payment, and a pending one once it arrived, have a receipt each, with what is left and where to pay it', async () => {
  const { sandbox, invoice, receipts } = await collected()
  const { id } = await sandbox.done<{ id: string }>(
    'POST',
    '/api/v1/payments',
    payment(invoice.id, 20_000, { method: 'sepa_debit', status: 'pending' }),
  )
  expect(await receipts()).toEqual([])
  await sandbox.done('PUT', `/api/v1/payments/${id}`, { status: 'completed' })
  await sandbox.done('POST', '/api/v1/payments', payment(invoice.id, 50_000, { method: 'card' }))
  const texts = (await receipts()).map(({ text }) => text).join('\n')
  expect(texts).toContain('200,00 €, par prélèvement. Imputé : principal 200,00 €. Reste dû : 1 000,00 €.')
  expect(texts).toContain('500,00 €, par carte. Imputé : principal 500,00 €. Reste dû : 500,00 €.')
  expect(texts.match(/Quittance\./g)).toHaveLength(2)
  expect(texts).not.toContain('Plus rien n’est dû')
})

it('what is paid beyond the principal is applied to the claimed accessories, and the account is shown for the rest', async () => {
  const { sandbox, invoice, receipts } = await collected()
  const address = {
    iban: 'FR1420041010050500013M02606',
    address: '4 rue des Tanneurs',
    postalCode: '69005',
    city: 'Lyon',
  }
  await sandbox.done('PUT', '/api/v1/company', address)
  await installation.sql('update invoices set claimed_cents = 5798 where id = $1', [invoice.id])
  await sandbox.done('POST', '/api/v1/payments', payment(invoice.id, 124_500))
  const [receipt] = await receipts()
  expect(receipt!.text).toContain(
    'Imputé : principal 1 200,00 €, indemnité 40,00 €, intérêts 5,00 €. Reste dû : 12,98 €.',
  )
  expect(receipt!.text).toMatch(/IBAN\s+FR14 2004 1010 0505 0001 3M02 606/)
  expect(receipt!.text).toMatch(/Montant\s+12,98 €/)
})

it('a debtor who wants no emails gets the receipt on paper, and by email where there is no address', async () => {
  const onPaper = await collected()
  const { sandbox, invoice } = onPaper
  await sandbox.simulate('opt-out', { debtorId: invoice.debtor.id, channel: 'email' })
  await sandbox.done('POST', '/api/v1/payments', payment(invoice.id, 50_000))
  expect((await onPaper.receipts()).map(({ channel }) => channel)).toEqual(['lrar'])

  const { address: _, postalCode: __, city: ___, ...debtor } = lyonDebtor('Morel SARL')
  const byEmail = await collected({ debtor })
  await byEmail.sandbox.simulate('opt-out', { debtorId: byEmail.invoice.debtor.id, channel: 'email' })
  await byEmail.sandbox.done('POST', '/api/v1/payments', payment(byEmail.invoice.id, 50_000))
  expect((await byEmail.receipts()).map(({ channel }) => channel)).toEqual(['email'])
})

it('a creditor in its own voice sends no receipt for a transfer that it records', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Leroy SARL') })
  await sandbox.advance('PT1H')
  const before = (await sandbox.messages()).length
  await sandbox.done('POST', '/api/v1/payments', payment(id, 10_000))
  await sandbox.advance('PT1H')
  expect(await sandbox.messages()).toHaveLength(before)
})
