import { describe, expect, it } from 'vitest'
import { useDebtors } from '../../harness/use-debtors.ts'
import { eventually } from '../../harness/use-installation.ts'
import { visibleText } from '../../harness/visitor.ts'

const { installation, contactedInvoice, visitor, mailsTo } = await useDebtors({ own: 'moves the clock' })

const plain = (text: string) =>
  text.replaceAll(/[\u00a0\u202f\u2011]/g, match => (match === '\u2011' ? '-' : ' '))
const pageOf = async (code: string, path = '') =>
  plain(visibleText((await visitor().get(`/d/${code}${path}`)).html))
const dispute = (code: string, invoice: string) =>
  visitor().post(`/d/${code}/dispute`, { invoice, kind: 'not_as_agreed', words: 'deux chaises cassées' })
async function resolve(id: string, body: Record<string, unknown>) {
  const answer = await installation.call('POST', `/api/v1/invoices/${id}/dispute/resolve`, { body })
  expect(answer.status, answer.text).toBe(200)
}

describe('a debtor who stopped emails, and then disputes', () => {
  it('reads on the page where the decision will be, and then the decision', async () => {
    const { code, id, email } = await contactedInvoice()
    await visitor().post(`/d/${code}/stop`, {})
    await dispute(code, id)
    const promised = 'affichée sur cette page, et vous sera envoyée par e-mail si vous en recevez'
    expect(await pageOf(code, '/dispute')).toContain(promised)
    expect(await pageOf(code, '/dispute')).toMatch(/Somme contestée\s+1 200,00 €/)
    expect(await pageOf(code)).toContain(promised)
    await resolve(id, { outcome: 'rejected', answer: 'le bon de livraison est signé.' })
    await eventually(
      () =>
        installation.sql<{ status: string }>(
          `select status from extra_messages where invoice_id = $1 and step = 'dispute_resolved'`,
          [id],
        ),
      ([extra]) => extra?.status === 'cancelled',
    )
    expect(mailsTo(email)).toHaveLength(1)
    const shown = await pageOf(code)
    expect(shown).toContain('Réponse à votre contestation')
    expect(shown).toContain('Atelier Martin SAS maintient la facture. Motif : le bon de livraison est signé.')
  })
})

describe('the sum that a debtor disputes', () => {
  const say = (code: string, invoice: string, amount: string) =>
    visitor().post(`/d/${code}/dispute`, { invoice, kind: 'wrong_amount', amount, words: '' })
  const disputed = async (id: string) =>
    (
      await installation.sql<{ cents: number }>(
        'select amount_cents::int as cents from disputes where invoice_id = $1',
        [id],
      )
    )[0]

  it.each([
    ['240,5', 24_050],
    ['1 000,00 €', 100_000],
    ['1,000.00', 100_000],
    ['1200', 120_000],
  ])('may be typed: %s', async (typed, cents) => {
    const { code, id } = await contactedInvoice()
    expect((await say(code, id, typed)).status).toBe(303)
    expect(await disputed(id)).toEqual({ cents })
  })

  it('is on the page afterwards, and is the whole invoice where nothing was typed', async () => {
    const [some, all] = [await contactedInvoice(), await contactedInvoice()]
    await say(some.code, some.id, '240,00')
    expect(await pageOf(some.code, '/dispute')).toMatch(/Somme contestée\s+240,00 €/)
    await say(all.code, all.id, '')
    expect(await disputed(all.id)).toEqual({ cents: null })
  })

  it.each([
    ['a few chairs', 'Indiquez une somme avec deux décimales, par exemple 250,00.'],
    ['1.200', 'Indiquez une somme avec deux décimales'],
    ['-20', 'Indiquez une somme avec deux décimales'],
    ['0', 'Indiquez une somme avec deux décimales'],
    ['100 USD', 'Indiquez une somme avec deux décimales'],
    ['1 000,01', 'C’est plus que ce qui reste dû de la facture : 1 000,00 €.'],
  ])('is refused, kept in the form, and nothing is disputed: %s', async (typed, sentence) => {
    const { code, id } = await contactedInvoice()
    const paid = await installation.call('POST', '/api/v1/payments', {
      body: { invoiceId: id, amountCents: 20_000, method: 'bank_transfer' },
    })
    expect(paid.status, paid.text).toBe(201)
    const { status, html } = await say(code, id, typed)
    expect(status).toBe(400)
    expect(plain(visibleText(html))).toContain(sentence)
    expect(html).toContain('<a href="#amount">')
    expect(html).toContain(`value="${typed}"`)
    expect(await disputed(id)).toBeUndefined()
  })
})

describe('the page after a dispute', () => {
  it('that was accepted in part names what was credited, and asks for the rest', async () => {
    const { code, id } = await contactedInvoice()
    await dispute(code, id)
    await resolve(id, { outcome: 'partly', amountCents: 24_000 })
    const shown = await pageOf(code)
    expect(shown).toContain('accepte votre contestation pour 240,00 €. Il reste à payer 960,00 €.')
    expect(shown).toContain('960,00 € à payer à')
  })

  it('that was accepted asks for nothing: no sum, no means of payment, no promise', async () => {
    const { code, id } = await contactedInvoice()
    await dispute(code, id)
    await resolve(id, { outcome: 'upheld' })
    const { html } = await visitor().get(`/d/${code}`)
    const shown = plain(visibleText(html))
    expect(shown).toContain('Votre contestation est acceptée')
    expect(shown).toContain('Rien ne vous est demandé ici.')
    expect(shown).not.toMatch(/à payer à|Comment payer|IBAN|Reste dû/)
    expect(html).not.toMatch(/\/promise|\/card|#pay/)
    // Resumed, it is asked for again, and the page says so.
    await installation.call('POST', `/api/v1/workflow/invoice/${id}/trigger`, { body: { action: 'resume' } })
    const again = await pageOf(code)
    expect(again).toContain('avait accepté votre contestation, et vous réclame de nouveau cette facture.')
    expect(again).toContain('1 200,00 € à payer à')
  })

  it('is there after the amicable stage too, and the debtor can still object', async () => {
    const { code, id } = await contactedInvoice()
    await installation.sql(
      `update recoveries set step = 8, last_action = 'ai_call_2', notice_at = '2026-10-01', notice_channel = 'lrar',
         notice_receipt = 'signed', notice_receipt_at = '2026-10-03' where invoice_id = $1`,
      [id],
    )
    const ended = await installation.call('POST', `/api/v1/workflow/invoice/${id}/trigger`, {
      body: { action: 'escalate' },
    })
    expect(ended.status, ended.text).toBe(200)
    expect(await pageOf(code)).not.toMatch(/tribunal|en justice/i)
    await dispute(code, id)
    const [row] = await installation.sql<{ status: string }>(
      'select status from disputes where invoice_id = $1',
      [id],
    )
    expect(row).toEqual({ status: 'open' })
    expect(await pageOf(code)).toContain('Contestation enregistrée')
  })
})
