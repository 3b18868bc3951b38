import { beforeAll, describe, expect, it } from 'vitest'
import { useDebtors } from '../harness/use-debtors.ts'
import { privatePerson } from '../harness/use-text-messages.ts'
import { type Visitor, visibleText } from '../harness/visitor.ts'

const { installation, contactedInvoice, visitor, stripe, statusOf, workflowOf } = await useDebtors()

const openBeforeTheAnswer = ['/d/:code/not-me', '/d/:code/open', '/d/:code/stop']

/** What a page could show of this debtor and this debt, and words that would tell what it is about. */
const personal = (invoice: { number: string; email: string }) => [
  'Camille',
  'Verdier',
  invoice.email,
  invoice.number,
  '1 234,56',
  '1,234.56',
  'Table en chêne',
  '69002',
  'Lyon',
  '15 octobre',
  'FR14',
  'facture',
  'créance',
  'créancier',
  'dette',
  'payer',
  'invoice',
  'creditor',
]

async function newLink() {
  const debtor = privatePerson()
  const invoice = await contactedInvoice({ debtor, amountCents: 123_456, description: 'Table en chêne' })
  return { ...invoice, checkout: await beginCheckout(invoice) }
}

const identify = (who: Visitor, code: string) => who.post(`/d/${code}/open`, { answer: '69002' })

/** Somebody who gave the right answer begins to pay, so that there is a checkout. */
async function beginCheckout({ code, id }: { code: string; id: string }): Promise<string> {
  const who = visitor()
  await identify(who, code)
  await who.post(`/d/${code}/card`, { invoice: id })
  return stripe.sessions().at(-1)!.form.get('metadata[checkout]')!
}

const expectNothingPersonal = (shown: string, invoice: { number: string; email: string }) => {
  const text = shown.replaceAll(/[\u00a0\u202f]/g, ' ')
  for (const part of personal(invoice)) expect(text).not.toContain(part)
}

describe('every route of the debtor’s page, without the answer that its link asks for', () => {
  let routes: { method: string; url: string }[]
  beforeAll(() => {
    routes = installation.server.routes.filter(({ url }) => url.startsWith('/d/:code'))
  })

  it('shows nothing personal, and changes nothing', async () => {
    expect(routes.length).toBeGreaterThan(40)
    const shared = await newLink()
    for (const { method, url } of routes) {
      const invoice = method === 'POST' ? await newLink() : shared
      const path = url.replace(':code', invoice.code).replace(':checkout', invoice.checkout)
      const who = visitor()
      const fields = {
        invoice: invoice.id,
        kind: 'wrong_amount',
        date: '2026-11-30',
        what: 'paid',
        words: '',
      }
      for (const language of ['fr', 'en']) {
        const target = `${path}?lang=${language}`
        const answer = method === 'POST' ? await who.post(target, fields) : await who.send(method, target, {})
        const shown = answer.location ? await who.get(answer.location) : answer
        expectNothingPersonal(`${answer.location} ${shown.html}`, invoice)
      }
      expect(who.cookies.size).toBe(0)
      const isNotMe = method === 'POST' && url.endsWith('/not-me')
      expect(await statusOf(invoice.id)).toBe('in_recovery')
      expect(await workflowOf(invoice.id)).toBe(isNotMe ? 'paused' : 'in_recovery')
    }
  }, 300_000)

  it('asks, except where somebody says that they are not meant or want no more messages', async () => {
    const invoice = await newLink()
    const { code, checkout } = invoice
    const isQuestion = async (url: string) => {
      const path = url.replace(':code', code).replace(':checkout', checkout)
      return visibleText((await visitor().get(path)).html).includes('Votre code postal')
    }
    const pages = routes.filter(({ method }) => method === 'GET').map(({ url }) => url)
    const open: string[] = []
    for (const url of pages) if (!(await isQuestion(url))) open.push(url)
    // The answer is posted to /open, which leads to the page that asks.
    expect(open.sort()).toEqual(openBeforeTheAnswer)
  })

  it('with the answer it shows them', async () => {
    const { code, number } = await newLink()
    const who = visitor()
    await identify(who, code)
    expect((await who.get(`/d/${code}`)).html).toContain(number)
  })
})
