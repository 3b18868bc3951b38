import { describe, expect, it } from 'vitest'
import { lyonDebtor, newSandbox, type Sandbox } from '../../harness/sandbox.ts'
import { useDebtors } from '../../harness/use-debtors.ts'
import { visibleText } from '../../harness/visitor.ts'

const { installation, contactedInvoice, visitor } = await useDebtors()

const consumer = (name: string) => ({ ...lyonDebtor(name), type: 'consumer' })

interface TimeBar {
  limitationEndsOn: string
  limitationFrom: string
  limitationBecause: string
}
const timeBarOf = async (sandbox: Sandbox, id: string): Promise<TimeBar> => {
  const { recovery } = await sandbox.done<{ recovery: TimeBar }>(
    'GET',
    `/api/v1/invoices/${id}?include=recovery`,
  )
  const { limitationEndsOn, limitationFrom, limitationBecause } = recovery
  return { limitationEndsOn, limitationFrom, limitationBecause }
}
const endOf = async (sandbox: Sandbox, id: string) => (await timeBarOf(sandbox, id)).limitationEndsOn
const pay = (sandbox: Sandbox, invoiceId: string, paidAt?: string) =>
  sandbox.done<{ id: string }>('POST', '/api/v1/payments', {
    invoiceId,
    amountCents: 1_000,
    method: 'bank_transfer',
    ...(paidAt !== undefined && { paidAt }),
  })
const old = { issueDate: '2022-01-10', dueDate: '2022-02-10' }
const recent = { issueDate: '2025-06-10', dueDate: '2025-07-10' }

describe('the stored end', () => {
  it('is counted from the issue date, from the supply where it is given, and by a special time of the law', async () => {
    const sandbox = await newSandbox(installation)
    const invoice = async (changes: Record<string, unknown>) =>
      endOf(sandbox, (await sandbox.invoice({ ...recent, ...changes })).id)
    expect(await invoice({ debtor: consumer('Un') })).toBe('2027-06-10')
    expect(await invoice({ debtor: consumer('Deux'), suppliedOn: '2025-05-02' })).toBe('2027-05-02')
    expect(await invoice({ debtor: lyonDebtor('Trois') })).toBe('2030-06-10')
    expect(await invoice({ debtor: lyonDebtor('Quatre'), limitationMonths: 12 })).toBe('2026-06-10')
    expect(await invoice({ debtor: { ...lyonDebtor('Cinq'), type: 'public_body' } })).toBe('2029-12-31')
  })

  it('moves with a payment by the day of the payment, and not by the day it is recorded', async () => {
    const sandbox = await newSandbox(installation)
    const { id } = await sandbox.invoice({ ...recent, debtor: consumer('Ancien') })
    await pay(sandbox, id, '2025-09-01T10:00:00+02:00')
    expect(await timeBarOf(sandbox, id)).toEqual({
      limitationEndsOn: '2027-09-01',
      limitationFrom: '2025-09-01',
      limitationBecause: 'acknowledgement',
    })
  })

  it('does not come back to life: neither by money nor by an old payment that was in time and is over again', async () => {
    const sandbox = await newSandbox(installation)
    const { id } = await sandbox.invoice({ ...old, debtor: consumer('Prescrit') })
    expect(await endOf(sandbox, id)).toBe('2024-01-10')
    await pay(sandbox, id)
    expect(await endOf(sandbox, id)).toBe('2024-01-10')
    await pay(sandbox, id, '2023-12-31T10:00:00+01:00')
    expect(await endOf(sandbox, id)).toBe('2025-12-31')
  })

  it('goes back when the bank takes the payment back, or the money is refunded', async () => {
    const sandbox = await newSandbox(installation)
    const { id } = await sandbox.invoice({ ...recent, debtor: consumer('Rejet') })
    for (const act of ['reverse', 'refund']) {
      const payment = await pay(sandbox, id)
      expect(await endOf(sandbox, id)).toBe('2028-11-16')
      await sandbox.done('POST', `/api/v1/payments/${payment.id}/${act}`, {})
      expect(await timeBarOf(sandbox, id)).toMatchObject({
        limitationEndsOn: '2027-06-10',
        limitationBecause: 'issue_date',
      })
    }
  })

  it('moves with a declaration in proceedings, for what was invoiced before they were opened', async () => {
    const sandbox = await newSandbox(installation)
    const { id, debtor } = await sandbox.invoice({ ...recent, debtor: lyonDebtor('Liquidée') })
    const later = await sandbox.invoice({
      invoiceNumber: 'L-2',
      issueDate: '2026-11-02',
      dueDate: '2026-12-02',
      debtor: { id: debtor.id },
    })
    const proceedings = { kind: 'liquidation', openedOn: '2026-10-01' }
    await sandbox.done('PUT', `/api/v1/debtors/${debtor.id}`, { insolvency: proceedings })
    expect(await endOf(sandbox, id)).toBe('2030-06-10')
    await sandbox.done('PUT', `/api/v1/debtors/${debtor.id}`, {
      insolvency: { ...proceedings, declaredOn: '2026-11-10', declarationProof: 'AR 2C 123' },
    })
    expect(await timeBarOf(sandbox, id)).toEqual({
      limitationEndsOn: '2031-11-10',
      limitationFrom: '2026-11-10',
      limitationBecause: 'declared',
    })
    expect(await endOf(sandbox, later.id)).toBe('2031-11-02')
  })

  it('is not moved by a promise that a key records', async () => {
    const sandbox = await newSandbox(installation)
    const { id } = await sandbox.invoice({ ...recent, debtor: lyonDebtor('Note') })
    await sandbox.done('POST', `/api/v1/invoices/${id}/promise`, { date: '2026-11-27', note: 'On the phone' })
    expect(await endOf(sandbox, id)).toBe('2030-06-10')
  })

  it.each([
    ['public_body', '2029-12-31', '2031-12-31', 'written_demand'],
    ['business', '2030-06-10', '2030-06-10', 'issue_date'],
  ])(
    'of a %s: a formal notice changes it only with a receipt, and only for a public body',
    async (type, before, after, because) => {
      const sandbox = await newSandbox(installation)
      const { id } = await sandbox.invoice({
        issueDate: '2025-06-10',
        dueDate: '2026-10-15',
        debtor: { ...lyonDebtor('Lettre'), type },
      })
      await sandbox.advance('P90D')
      expect((await sandbox.history(id)).map(({ action }) => action)).toContain('lrar_mise_en_demeure')
      expect(await endOf(sandbox, id)).toBe(before)
      await sandbox.simulate('lrar-signed', { invoiceId: id })
      expect(await timeBarOf(sandbox, id)).toMatchObject({
        limitationEndsOn: after,
        limitationBecause: because,
      })
    },
  )

  it('follows a corrected supply, a special time and the kind of debtor, and the change is audited', async () => {
    const sandbox = await newSandbox(installation)
    const { id, debtor } = await sandbox.invoice({ ...recent, debtor: lyonDebtor('Corrigé') })
    const update = (body: object) => sandbox.done('PUT', `/api/v1/invoices/${id}`, body)
    expect(await update({ suppliedOn: '2025-04-30' })).toMatchObject({
      suppliedOn: '2025-04-30',
      limitationMonths: null,
    })
    expect(await endOf(sandbox, id)).toBe('2030-04-30')
    await update({ limitationMonths: 12 })
    expect(await endOf(sandbox, id)).toBe('2026-04-30')
    await update({ limitationMonths: null, suppliedOn: null })
    expect(await endOf(sandbox, id)).toBe('2030-06-10')
    await sandbox.done('PUT', `/api/v1/debtors/${debtor.id}`, { type: 'consumer' })
    expect(await endOf(sandbox, id)).toBe('2027-06-10')
    await sandbox.done('PUT', `/api/v1/debtors/${debtor.id}`, { type: 'public_body' })
    expect(await endOf(sandbox, id)).toBe('2029-12-31')
    const audited = await installation.sql<{ data: object }>(
      `select data from audit_log where subject_id = $1 and type = 'invoice.changed' order by id`,
      [id],
    )
    expect(audited.map(({ data }) => data)).toMatchObject([
      { changed: ['suppliedOn'], suppliedOn: '2025-04-30' },
      { changed: ['limitationMonths'], limitationMonths: 12 },
      { changed: ['suppliedOn', 'limitationMonths'], suppliedOn: null, limitationMonths: null },
    ])
  })

  it('of a consumer that is not over any more after a correction lets the reminders go on', async () => {
    const sandbox = await newSandbox(installation)
    const { id } = await sandbox.invoice({ ...old, debtor: consumer('Repris') })
    await sandbox.advanceToDay('2026-11-18')
    expect(await sandbox.nextAction(id)).toMatchObject({ scheduledAt: null, reasonCode: 'time_barred' })
    await sandbox.done('PUT', `/api/v1/invoices/${id}`, { suppliedOn: '2025-06-10' })
    expect((await sandbox.nextAction(id)).scheduledAt).not.toBeNull()
    await sandbox.advanceToDay('2026-11-25')
    expect((await sandbox.history(id)).map(({ action }) => action)).toContain('email_prise_en_charge')
  })
})

describe('past the end', () => {
  it('no promise is taken of anybody', async () => {
    const sandbox = await newSandbox(installation)
    for (const debtor of [consumer('Particulier'), lyonDebtor('Entreprise')]) {
      const { id } = await sandbox.invoice({ issueDate: '2019-01-10', dueDate: '2019-02-10', debtor })
      const answer = await sandbox.call('POST', `/api/v1/invoices/${id}/promise`, { date: '2026-11-27' })
      expect([answer.status, answer.body.error?.code]).toEqual([400, 'BIZ_004'])
      expect(answer.body.error!.message).toContain('time-barred')
    }
  })

  it('a formal notice to a business names no court, before it the court is named', async () => {
    const consent = (isGiven: boolean) =>
      installation.sql('update company_settings set court_consent = $2 where tenant_id = $1', [
        installation.company.tenants.production,
        isGiven,
      ])
    await consent(true)
    const { id } = await contactedInvoice()
    const notice = async () => {
      const body = { id: 'lrar_mise_en_demeure.lrar.fr', invoiceId: id }
      const answer = await installation.call<{ text: string }>('POST', '/api/v1/templates/preview', { body })
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data.text
    }
    const before = await notice()
    expect(before).toMatch(/justice/)
    expect(before).toContain('choisir une date')
    await change(id, { suppliedOn: '2019-01-10' })
    const text = await notice()
    expect(text).not.toMatch(/justice/)
    // A date could not be recorded any more.
    expect(text).not.toMatch(/choisir une date|besoin d’un délai/)
    expect(text).toMatch(/mettons en demeure/)
    await consent(false)
  })

  it('the page of a consumer asks for nothing: no payment, no account, no promise', async () => {
    const { id, code } = await contactedInvoice({ amountCents: 125_300 })
    await change(id, { suppliedOn: '2023-01-10' })
    await installation.call('PUT', `/api/v1/debtors/${await debtorOf(id)}`, { body: { type: 'consumer' } })
    const who = visitor()
    await who.post(`/d/${code}/open`, { answer: '69002', page: '' })
    const { html } = await who.get(`/d/${code}`)
    const text = visibleText(html)
    expect(text).toContain(
      'Le délai pour réclamer cette facture en justice semble dépassé. Rien ne vous est demandé ici.',
    )
    // Whom to ask about difficulties stays on the page.
    expect(text.replace('difficultés à payer', '')).not.toMatch(
      /à payer|Payer|Dire quand je paierai|Reste dû/,
    )
    expect(html).not.toContain('/promise')
    expect(html).not.toContain('/card')
    expect(html).not.toContain('class="copied"')
    const english = visibleText((await who.get(`/d/${code}?lang=en`)).html)
    expect(english).toContain(
      'The time to claim this invoice in court seems to be over. Nothing is asked of you here.',
    )
    await who.post(`/d/${code}/promise`, { date: '2026-11-27' })
    expect(await installation.sql('select 1 from promises where invoice_id = $1', [id])).toEqual([])
    expect(visibleText((await who.get(`/d/${code}/card`)).html)).toContain('rien à payer')
    // A dispute stays possible.
    expect(html).toContain(`/d/${code}/dispute`)
  })

  it('the page of a business still asks, takes no promise and names no court', async () => {
    const { id, code } = await contactedInvoice()
    await change(id, { suppliedOn: '2019-01-10' })
    const who = visitor()
    const { html } = await who.get(`/d/${code}`)
    expect(visibleText(html)).toMatch(/à payer/)
    expect(html).toContain('href="#pay"')
    expect(html).not.toContain('/promise')
    expect(visibleText(html)).not.toMatch(/en justice/)
    expect(visibleText((await who.get(`/d/${code}/promise`)).html)).toContain(
      'Il n’est plus possible d’annoncer ici une date de paiement pour cette facture.',
    )
  })
})

const change = async (id: string, body: object) => {
  const answer = await installation.call('PUT', `/api/v1/invoices/${id}`, { body })
  expect(answer.status, answer.text).toBe(200)
}
const debtorOf = async (id: string) =>
  (await installation.sql<{ debtor_id: string }>('select debtor_id from invoices where id = $1', [id]))[0]!
    .debtor_id

it('a promise of the debtor on its page moves the end, once and by its day', async () => {
  const { id, code } = await contactedInvoice({ issueDate: '2025-06-10', dueDate: '2025-07-10' })
  const read = async () =>
    (await installation.call<{ recovery: TimeBar }>('GET', `/api/v1/invoices/${id}?include=recovery`)).body
      .data.recovery
  expect((await read()).limitationEndsOn).toBe('2030-06-10')
  expect((await visitor().post(`/d/${code}/promise`, { date: '2026-11-27' })).status).toBe(303)
  expect(await read()).toMatchObject({
    limitationFrom: '2026-11-16',
    limitationEndsOn: '2031-11-16',
    limitationBecause: 'acknowledgement',
  })
})

describe('alerts of the creditor', () => {
  const alertsOf = async (sandbox: Sandbox, id: string) =>
    (await sandbox.events(id))
      .filter(({ type }) => type === 'limitation.approaching')
      .map(({ data }) => data.monthsLeft)

  it('come twelve, six, three and one months before the end, each once', async () => {
    const sandbox = await newSandbox(installation)
    // Not started: nothing else happens to it in a year.
    const { results } = await sandbox.done<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
      invoices: [
        {
          invoiceNumber: 'L-1',
          amountCents: 50_000,
          issueDate: '2025-12-01',
          dueDate: '2026-01-01',
          debtor: consumer('Alerte'),
        },
      ],
      autoStartWorkflow: false,
    })
    const [{ id }] = results as [{ id: string }]
    const advanceTo = async (day: string) => {
      await sandbox.advanceToDay(day)
      await sandbox.advance('PT1H')
      return alertsOf(sandbox, id)
    }
    expect(await advanceTo('2026-11-30')).toEqual([])
    // Half an hour after midnight where the company is: the day before in UTC.
    await sandbox.done('POST', '/api/v1/sandbox/clock', { to: '2026-12-01T00:30:00+01:00' })
    expect(await alertsOf(sandbox, id)).toEqual([12])
    expect(await advanceTo('2026-12-01')).toEqual([12])
    expect(await advanceTo('2027-05-31')).toEqual([12])
    expect(await advanceTo('2027-06-01')).toEqual([12, 6])
    expect(await advanceTo('2027-09-01')).toEqual([12, 6, 3])
    expect(await advanceTo('2027-11-01')).toEqual([12, 6, 3, 1])
    expect(await advanceTo('2027-12-02')).toEqual([12, 6, 3, 1])
    expect(
      (await sandbox.events(id)).find(({ type }) => type === 'limitation.approaching')!.data,
    ).toMatchObject({
      invoiceId: id,
      debtorType: 'consumer',
      limitationEndsOn: '2027-12-01',
    })
  })

  it('are not made for an invoice that is over', async () => {
    const sandbox = await newSandbox(installation)
    const { id } = await sandbox.invoice({ ...recent, debtor: consumer('Soldé'), limitationMonths: 20 })
    await sandbox.done('POST', '/api/v1/payments', { invoiceId: id, amountCents: 120_000, method: 'card' })
    await sandbox.advance('P30D')
    expect(await alertsOf(sandbox, id)).toEqual([])
  })
})
