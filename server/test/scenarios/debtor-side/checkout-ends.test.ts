import { describe, expect, it } from 'vitest'
import { codeInMail } from '../../harness/debtor-links.ts'
import { useDebtors } from '../../harness/use-debtors.ts'
import { eventually } from '../../harness/use-installation.ts'
import { visibleText } from '../../harness/visitor.ts'

const { installation, stripe, contactedInvoice, advanceDays, visitor, statusOf, paymentsOf } =
  await useDebtors({ own: 'moves the clock' })

async function openSession(code: string) {
  const who = visitor()
  const answer = await who.submit(await who.get(`/d/${code}/card`), `/d/${code}/card`)
  expect(answer.status, answer.html).toBe(303)
  const session = stripe.sessions().find(({ url }) => url === answer.location)
  return { who, session: session! }
}
const sessionsOf = (number: string) =>
  stripe
    .sessions()
    .filter(({ form }) => form.get('line_items[0][price_data][product_data][name]')?.includes(number))
const post = async (path: string, body: unknown) => {
  const answer = await installation.call('POST', path, { body })
  expect(answer.status, answer.text).toBeLessThan(300)
}
const untilExpired = (session: { id: string; status: string }) =>
  eventually(
    () => session.status,
    status => status === 'expired',
  )

describe('the card session of an invoice', () => {
  it.each([
    [
      'paid by transfer',
      (invoiceId: string) =>
        post('/api/v1/payments', { invoiceId, amountCents: 120_000, method: 'bank_transfer' }),
    ],
    [
      'paid in part',
      (invoiceId: string) =>
        post('/api/v1/payments', { invoiceId, amountCents: 20_000, method: 'bank_transfer' }),
    ],
    [
      'credited',
      (id: string) =>
        post(`/api/v1/invoices/${id}/credits`, {
          number: `A-${id}`,
          amountCents: 100,
          issuedOn: '2026-11-10',
        }),
    ],
    ['cancelled', (id: string) => post(`/api/v1/workflow/invoice/${id}/trigger`, { action: 'cancel' })],
    ['disputed', (id: string) => post(`/api/v1/invoices/${id}/dispute`, { reason: 'Not delivered' })],
    ['written off', (id: string) => post(`/api/v1/invoices/${id}/write-off`, { basis: 'untraceable' })],
  ])('that is %s ends at Stripe', async (_, end) => {
    const { code, id } = await contactedInvoice()
    const { session, who } = await openSession(code)
    await end(id)
    await untilExpired(session)
    expect((await fetch(`${session.url}/pay`, { method: 'POST', redirect: 'manual' })).status).toBe(410)
    const back = new URL(session.form.get('success_url')!)
    expect(visibleText((await who.get(back.pathname)).html)).toContain('Le paiement n’a pas')
    const queue = () => installation.sql('select from checkout_expiries')
    expect(await eventually(queue, rows => rows.length === 0)).toEqual([])
  })

  it('is ended again and again until Stripe answers', async () => {
    const { code, id } = await contactedInvoice()
    const { session } = await openSession(code)
    stripe.fail('500')
    await post(`/api/v1/workflow/invoice/${id}/trigger`, { action: 'cancel' })
    await eventually(
      () => installation.sql<{ attempts: number }>('select attempts from checkout_expiries'),
      rows => rows[0]?.attempts === 1,
    )
    expect(session.status).toBe('open')
    await installation.sql(`update checkout_expiries set due_at = '-infinity'`)
    await untilExpired(session)
  })

  it('that was paid all the same is recorded, whatever happened to the invoice', async () => {
    const { code, id } = await contactedInvoice()
    const { session } = await openSession(code)
    await post(`/api/v1/workflow/invoice/${id}/trigger`, { action: 'cancel' })
    await untilExpired(session)
    await stripe.send(stripe.events.completed(session))
    expect(await paymentsOf(id)).toMatchObject([{ status: 'completed', amount_cents: '120000' }])
    expect(await statusOf(id)).toBe('cancelled')
  })

  it('is used by the next message too, and by nobody else', async () => {
    const { code, email, number } = await contactedInvoice()
    const { session } = await openSession(code)
    await advanceDays(7)
    const next = await codeInMail(installation, email, 1)
    expect(next).not.toBe(code)
    // The clock of the test has moved by days, and a session is reused for an hour.
    await installation.sql(`update checkouts set created_at = created_at + interval '7 days'`)
    const again = await openSession(next)
    expect(again.session.id).toBe(session.id)
    expect(sessionsOf(number)).toHaveLength(1)
    await stripe.send(stripe.events.completed(session))
  })

  it('of an older amount ends when a new one begins', async () => {
    const { code, id, number } = await contactedInvoice()
    const { session } = await openSession(code)
    await installation.sql('update invoices set claimed_cents = claimed_cents + 4000 where id = $1', [id])
    const next = await openSession(code)
    expect(next.session.amount).toBe(session.amount + 4_000)
    await untilExpired(session)
    expect(sessionsOf(number).map(({ status }) => status)).toEqual(['expired', 'open'])
  })
})
