import { expect, it } from 'vitest'
import { iban, useDebtors } from '../../harness/use-debtors.ts'
import { eventually } from '../../harness/use-installation.ts'
import { visibleText } from '../../harness/visitor.ts'

const { installation, contactedInvoice, visitor, workflowOf, remindersTo, advanceDays } = await useDebtors({
  own: 'moves the clock',
})

const debtorOf = async (id: string) =>
  (await installation.sql<{ debtor_id: string }>('select debtor_id from invoices where id = $1', [id]))[0]!
    .debtor_id
const record = async (id: string, kind = 'liquidation') => {
  const answer = await installation.call('PUT', `/api/v1/debtors/${await debtorOf(id)}`, {
    body: { insolvency: { kind, openedOn: '2026-11-10', publishedOn: '2026-11-14' } },
  })
  expect(answer.status, answer.text).toBe(200)
}

it('an insolvent debtor is offered no payment and no promise, and what was open ends', async () => {
  const { id, code, email } = await contactedInvoice()
  const who = visitor()
  const before = await who.get(`/d/${code}`)
  expect(before.html).toContain('#pay')
  await who.post(`/d/${code}/promise`, { date: '2026-11-30' })
  const opened = await who.post(`/d/${code}/card`, { invoice: id })
  expect(opened.status, opened.html).toBe(303)
  await record(id)

  const { html } = await who.get(`/d/${code}`)
  const words = visibleText(html)
  expect(words).toContain('Une procédure collective est ouverte pour')
  expect(words).toContain('Ne payez rien ici : adressez-vous au liquidateur.')
  // The label of the creditor’s address tells whom to ask, and asks for nothing.
  expect(words.replace('difficultés à payer', '')).not.toMatch(/à payer/i)
  expect(words.replaceAll(/\s/g, '')).not.toContain(iban)
  for (const link of ['#pay', '/card', '/promise']) expect(html).not.toContain(link)
  expect(visibleText((await who.get(`/d/${code}/promise`)).html)).toContain('Il n’y a rien à annoncer')
  expect((await who.get(`/d/${code}/card`)).html).not.toContain('<form')
  await who.post(`/d/${code}/promise`, { date: '2026-12-01' })
  await who.post(`/d/${code}/card`, { invoice: id })

  const checkouts = () =>
    installation.sql<{ status: string }>('select status from checkouts where invoice_id = $1', [id])
  await eventually(checkouts, found => found.every(({ status }) => status === 'expired'))
  expect(await checkouts()).toHaveLength(1)
  const promises = await installation.sql<{ status: string }>(
    'select status from promises where invoice_id = $1',
    [id],
  )
  expect(promises).toEqual([{ status: 'void' }])
  const [recovery] = await installation.sql<{ holds: string[] }>(
    'select holds from recoveries where invoice_id = $1',
    [id],
  )
  expect(recovery!.holds).toEqual(['insolvency'])
  const promised = await installation.call('POST', `/api/v1/invoices/${id}/promise`, {
    body: { date: '2026-12-01' },
  })
  expect(promised.body.error?.code).toBe('BIZ_004')

  const reminders = remindersTo(email)
  await advanceDays(30)
  expect(remindersTo(email)).toBe(reminders)
  expect(await workflowOf(id)).toBe('paused')
})

it('an over-indebtedness is not called insolvency proceedings', async () => {
  const { id, code } = await contactedInvoice()
  await record(id, 'over_indebtedness')
  const words = visibleText((await visitor().get(`/d/${code}`)).html)
  expect(words).toContain('Une procédure de surendettement est ouverte pour')
  expect(words).toContain('adressez-vous à la commission de surendettement')
  const history = await installation.call<{ details: string }[]>(
    'GET',
    `/api/v1/workflow/invoice/${id}/history`,
  )
  const details = history.body.data.map(line => line.details).join('\n')
  expect(details).toMatch(/An over-indebtedness procedure is open/)
  expect(details).not.toMatch(/Insolvency proceedings|procédure collective/)
})

it('money that arrives is recorded, with a warning that it may have to be given back', async () => {
  const { id } = await contactedInvoice()
  await record(id)
  const paid = await installation.call('POST', '/api/v1/payments', {
    body: { invoiceId: id, amountCents: 10_000, method: 'bank_transfer' },
  })
  expect(paid.status, paid.text).toBe(201)
  expect(paid.body.warnings).toMatchObject([{ code: 'insolvency_payment' }])
})

it('what was claimed for the delay is counted again to the day before the opening', async () => {
  const contracted = await installation.call('PUT', '/api/v1/company', { body: { contractRateBps: 1_215 } })
  expect(contracted.status, contracted.text).toBe(200)
  const { id } = await contactedInvoice({
    amountCents: 120_000,
    issueDate: '2026-09-15',
    dueDate: '2026-10-15',
  })
  const done = async (path: string, body: Record<string, unknown>) => {
    const answer = await installation.call('POST', path, { body })
    expect(answer.status, answer.text).toBe(201)
  }
  const pay = (amountCents: number, paidAt: string) =>
    done('/api/v1/payments', { invoiceId: id, amountCents, method: 'bank_transfer', paidAt })
  await pay(20_000, '2026-10-26T10:00:00+01:00')
  await done(`/api/v1/invoices/${id}/credits`, {
    number: `AV-${id}`,
    amountCents: 10_000,
    issuedOn: '2026-11-05',
  })
  await pay(30_000, '2026-11-12T10:00:00+01:00')
  const { id: little } = await contactedInvoice({ issueDate: '2026-09-15', dueDate: '2026-10-15' })
  const claimed = async (invoice: string) =>
    (await installation.call<{ latePayment: { claimedCents: number } }>('GET', `/api/v1/invoices/${invoice}`))
      .body.data.latePayment.claimedCents
  const claim = (invoice: string, cents: number) =>
    installation.sql('update invoices set claimed_cents = $2 where id = $1', [invoice, cents])
  await claim(id, 6_000)
  await claim(little, 4_100)
  await record(id)
  await record(little)
  // 40 €, and 12.15 % of 1 200 € for 10 days, of 1 000 € for 10 days and of 900 € for the 5 days before 10 November.
  expect(await claimed(id)).toBe(4_000 + 399 + 333 + 150)
  // A claim is never raised.
  expect(await claimed(little)).toBe(4_100)
})
