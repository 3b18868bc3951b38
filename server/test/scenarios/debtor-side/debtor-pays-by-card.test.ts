import { describe, expect, it } from 'vitest'
import { useDebtors } from '../../harness/use-debtors.ts'
import { eventually, invoiceInput } from '../../harness/use-installation.ts'
import { visibleText } from '../../harness/visitor.ts'

const { installation, stripe, contactedInvoice, visitor, workflowOf, statusOf, eventsOf, paymentsOf } =
  await useDebtors()

/** Goes to the payment page, and comes back without having paid. */
const pay = async (code: string) => {
  const who = visitor()
  const answer = await who.submit(await who.get(`/d/${code}/card`), `/d/${code}/card`)
  const session = stripe.sessions().at(-1)!
  expect([answer.status, answer.location]).toEqual([303, session.url])
  expect(session.amount).toBe(120_000)
  return { who, session, back: new URL(session.form.get('success_url')!) }
}
describe('a card', () => {
  it('paid with a signed event closes the case: debt.paid, told once however often it is sent', async () => {
    const { code, id } = await contactedInvoice()
    const { who, session, back } = await pay(code)
    expect(visibleText((await who.get(back.pathname)).html)).toContain('votre banque confirme sous peu')
    const event = stripe.events.completed(session)
    expect(await stripe.send(event, { times: 3 })).toEqual([200, 200, 200])
    expect(await stripe.send(stripe.events.completed(session))).toEqual([200])
    expect(await paymentsOf(id)).toMatchObject([
      {
        status: 'completed',
        amount_cents: '120000',
        method: 'payment_link',
        external_reference: `stripe:${session.intent}`,
      },
    ])
    expect(await statusOf(id)).toBe('paid')
    expect(await workflowOf(id)).toBe('completed')
    expect((await eventsOf(id)).filter(({ type }) => type === 'debt.paid')).toHaveLength(1)
    expect(visibleText((await who.get(back.pathname)).html)).toContain('Paiement reçu, merci')
    expect(visibleText((await who.get(`/d/${code}`)).html)).toContain('C’est payé, merci')
    expect((await who.get(`/d/${code}/card`)).html).not.toContain('<form')
  })

  it('money at somebody else’s account, or of a test, pays nothing, however it is signed', async () => {
    const { code, id } = await contactedInvoice()
    const { session } = await pay(code)
    const event = stripe.events.completed(session)
    for (const forged of [
      { ...event, id: 'evt_other', account: 'acct_1Somebody' },
      { ...event, id: 'evt_none', account: undefined },
      { ...event, id: 'evt_live', livemode: true },
    ])
      expect(await stripe.send(forged)).toEqual([200])
    expect(await paymentsOf(id)).toEqual([])
    expect(await statusOf(id)).toBe('in_recovery')
  })

  it('an amount that is no payment is answered and ignored, and the real one still counts', async () => {
    const { code, id } = await contactedInvoice()
    const { session } = await pay(code)
    for (const amount of [0, -1, 10 ** 15]) {
      const odd = structuredClone(stripe.events.completed(session)) as { data: { object: object } }
      Object.assign(odd, { id: `evt_amount_${amount}` })
      Object.assign(odd.data.object, { amount_total: amount })
      expect(await stripe.send(odd as never, { times: 2 })).toEqual([200, 200])
    }
    expect(await paymentsOf(id)).toEqual([])
    expect(await stripe.send(stripe.events.completed(session))).toEqual([200])
    expect(await statusOf(id)).toBe('paid')
  })

  it('a forged, a stale and an unsigned event are refused with WH_003 and change nothing', async () => {
    const { code, id } = await contactedInvoice()
    const { session } = await pay(code)
    const event = stripe.events.completed(session)
    expect(await stripe.send(event, { isForged: true })).toEqual([401])
    expect(await stripe.send(event, { ageSeconds: 400 })).toEqual([401])
    const unsigned = await installation.call('POST', '/callbacks/stripe', { body: event, key: null })
    expect([unsigned.status, unsigned.body.error.code]).toEqual([401, 'WH_003'])
    expect(await paymentsOf(id)).toEqual([])
  })

  it.each([
    [['pending', 'succeeded'], 'completed', 'paid'],
    [['succeeded', 'pending'], 'completed', 'paid'],
    [['pending', 'failed'], 'failed', 'in_recovery'],
    [['failed', 'pending'], 'failed', 'in_recovery'],
    [['completed', 'refunded'], 'refunded', 'in_recovery'],
    [['refunded', 'completed'], 'refunded', 'in_recovery'],
    [['completed', 'disputed'], 'failed', 'in_recovery'],
    [['disputed', 'completed'], 'failed', 'in_recovery'],
    [['refunded', 'succeeded', 'pending'], 'refunded', 'in_recovery'],
    [['expired', 'completed'], 'completed', 'paid'],
    [['completed', 'expired'], 'completed', 'paid'],
  ] as const)('told as %j ends as one %s payment, the invoice %s', async (order, payment, invoice) => {
    const { code, id } = await contactedInvoice()
    const { session } = await pay(code)
    for (const what of order)
      expect(await stripe.send(stripe.events[what](session), { times: 2 })).toEqual([200, 200])
    expect(await paymentsOf(id)).toMatchObject([{ status: payment }])
    expect(await statusOf(id)).toBe(invoice)
  })

  it('a dispute that was won brings the money back as a payment of its own', async () => {
    const { code, id } = await contactedInvoice()
    const { session } = await pay(code)
    for (const event of [
      stripe.events.disputeClosed(session, 'won'),
      stripe.events.completed(session),
      stripe.events.disputed(session),
    ])
      await stripe.send(event)
    expect((await paymentsOf(id)).map(({ status }) => status).sort()).toEqual(['completed', 'failed'])
    expect(await statusOf(id)).toBe('paid')
  })

  it('money for an invoice that was paid, cancelled or whose link has died is still recorded', async () => {
    for (const before of ['paid', 'cancelled', 'expired'] as const) {
      const { code, id } = await contactedInvoice()
      const { session } = await pay(code)
      if (before === 'paid')
        await installation.call('POST', '/api/v1/payments', {
          body: { invoiceId: id, amountCents: 120_000, method: 'bank_transfer' },
        })
      if (before === 'cancelled')
        await installation.call('POST', `/api/v1/workflow/invoice/${id}/trigger`, {
          body: { action: 'cancel' },
        })
      if (before === 'expired')
        await installation.sql(`update message_codes set expires_at = '2020-01-01' where code = $1`, [code])
      await stripe.send(stripe.events.completed(session))
      const payments = await paymentsOf(id)
      expect(
        payments.filter(({ external_reference }) => external_reference !== null),
        before,
      ).toMatchObject([{ status: 'completed' }])
      expect(await statusOf(id)).toBe(before === 'cancelled' ? 'cancelled' : 'paid')
    }
  })

  it('an event with an unknown code or checkout is answered and ignored', async () => {
    const { code, id } = await contactedInvoice()
    const { session } = await pay(code)
    for (const [field, value] of [
      ['code', 'e1nobodynobodynobody'],
      ['checkout', '01a1dd16-6edd-7dd9-b7f7-4014cd39872c'],
      ['checkout', 'x'],
    ] as const) {
      const form = new URLSearchParams(session.form)
      form.set(`metadata[${field}]`, value)
      expect(await stripe.send(stripe.events.completed({ ...session, form }))).toEqual([200])
    }
    expect(await paymentsOf(id)).toEqual([])
  })

  it.each(['429', '500', 'hang_up_after_accepting'] as const)(
    'that cannot be taken just now (%s) leaves the transfer, and the next try leads to one session',
    async fault => {
      const { code } = await contactedInvoice()
      stripe.fail(fault)
      const who = visitor()
      const answer = await who.submit(await who.get(`/d/${code}/card`), `/d/${code}/card`)
      expect(answer.status).toBe(503)
      expect(visibleText(answer.html)).toContain('payer par virement')
      await pay(code)
      await pay(code)
      const mine = stripe.sessions().filter(({ form }) => form.get('metadata[code]') === code)
      expect(mine).toHaveLength(1)
    },
  )

  it('pressed several times at once leads to one session', async () => {
    const atOnce = <T>(send: () => Promise<T>) => Promise.all(Array.from({ length: 6 }, send))
    for (let round = 0; round < 4; round++) {
      const { code, id } = await contactedInvoice()
      // So that nobody waits for a connection and comes too late to be at once.
      await atOnce(() => visitor().get(`/d/${code}/card`))
      const answers = await atOnce(() => visitor().post(`/d/${code}/card`, { invoice: id }))
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(303))
      expect(new Set(answers.map(({ location }) => location)).size).toBe(1)
      expect(stripe.sessions().filter(({ form }) => form.get('metadata[code]') === code)).toHaveLength(1)
    }
  })

  it('asked for in another language after the first try leads to a session all the same', async () => {
    const { code } = await contactedInvoice()
    const who = visitor()
    await who.submit(await who.get(`/d/${code}/card`), `/d/${code}/card`)
    const again = await who.submit(await who.get(`/d/${code}/card?lang=en`), `/d/${code}/card`)
    expect(again.status).toBe(303)
    expect(stripe.sessions().at(-1)!.form.get('locale')).toBe('en')
  })

  it('is not offered by a company that has no account for it', async () => {
    await installation.sql('update company_settings set payment_account = null')
    try {
      const { code, id } = await contactedInvoice()
      expect((await visitor().get(`/d/${code}`)).html).not.toContain('/card')
      expect((await visitor().post(`/d/${code}/card`, { invoice: id })).location).toBe(`/d/${code}`)
    } finally {
      await installation.sql(`update company_settings set payment_account = 'acct_1AtelierMartin'`)
    }
  })
})

describe('in the sandbox', () => {
  it('the whole page works, says that nothing is real, and pays with a simulated card', async () => {
    const before = stripe.sessions().length
    const created = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
      body: invoiceInput(),
      key: installation.company.sandboxKey,
    })
    const { id } = created.body.data
    const [row] = await eventually(
      () =>
        installation.sql<{ code: string }>(
          'select m.code from message_codes m join communication_invoices l on l.communication_id = m.communication_id where l.invoice_id = $1',
          [id],
        ),
      rows => rows.length === 1,
    )
    const { code } = row!
    const who = visitor()
    const shown = await eventually(
      () => who.get(`/d/${code}`),
      ({ html }) => html.includes('/card'),
    )
    expect(visibleText(shown.html)).toContain('Environnement de test')
    const opened = await who.submit(await who.get(`/d/${code}/card`), `/d/${code}/card`)
    const { pathname } = new URL(opened.location!)
    expect(pathname).toMatch(/\/simulated-card\//)
    expect(stripe.sessions()).toHaveLength(before)
    const page = await who.get(pathname)
    expect(visibleText(page.html)).toContain('aucun argent ne bouge')
    const paid = await who.submit(page, pathname)
    expect(visibleText((await who.get(paid.location!)).html)).toContain('Paiement reçu, merci')
    expect((await eventsOf(id)).map(({ type }) => type)).toContain('debt.paid')
  })

  it('there is no simulated card in production', async () => {
    const { code, id } = await contactedInvoice()
    const { session } = await pay(code)
    const checkout = session.form.get('metadata[checkout]')
    expect((await visitor().get(`/d/${code}/simulated-card/${checkout}`)).status).toBe(404)
    expect((await visitor().post(`/d/${code}/simulated-card/${checkout}`, { what: 'paid' })).status).toBe(404)
    expect(await paymentsOf(id)).toEqual([])
  })
})
