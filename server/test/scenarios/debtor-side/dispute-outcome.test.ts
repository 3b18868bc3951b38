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
