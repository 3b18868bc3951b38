import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { codeInMail } from '../../harness/debtor-links.ts'
import { eventually, invoiceInput } from '../../harness/use-installation.ts'
import { privatePerson, useTextMessages } from '../../harness/use-text-messages.ts'
import { visibleText } from '../../harness/visitor.ts'

const { installation, contactedInvoice, textMessage, visitor, stripe, statusOf, workflowOf, advanceTo } =
  await useTextMessages()

const question = 'Votre code postal'
const closed = 'Ce lien est fermé'
const consumer = (changes: Record<string, unknown> = {}) =>
  contactedInvoice({ debtor: privatePerson(changes) })
const answer = (who: ReturnType<typeof visitor>, code: string, given: string, page = '') =>
  who.post(`/d/${code}/open`, { answer: given, page })
const wrongAnswers = async (code: string) =>
  (
    await installation.sql<{ n: number }>('select wrong_answers as n from message_codes where code = $1', [
      code,
    ])
  )[0]!.n

describe('the link of a private person', () => {
  it('asks for the postal code, counts what is wrong, and opens for the browser that answers right', async () => {
    const { code, number } = await consumer()
    const who = visitor()
    const asked = await who.get(`/d/${code}/promise`)
    expect(asked.status).toBe(200)
    const words = visibleText(asked.html)
    expect(words).toContain('Un message d’Atelier Martin SAS vous attend')
    expect(words).toContain(question)
    expect(asked.html).not.toContain(number)
    for (const [given, text] of [
      ['', 'Indiquez votre code postal.'],
      ['75001', 'Il reste 4 essais.'],
      ['75002', 'Il reste 3 essais.'],
    ]) {
      const refused = await who.submit(asked, `/d/${code}/open`, { answer: given! })
      expect(refused.status).toBe(400)
      expect(visibleText(refused.html)).toContain(text)
    }
    expect(await wrongAnswers(code)).toBe(2)
    expect(who.cookies.size).toBe(0)
    const opened = await who.submit(asked, `/d/${code}/open`, { answer: ' 69 002' })
    expect([opened.status, opened.location]).toEqual([303, `/d/${code}/promise`])
    expect(visibleText((await who.get(opened.location!)).html)).toContain('Dites quand vous paierez')
    expect((await who.get(`/d/${code}`)).html).toContain(number)
    expect(visibleText((await who.get(`/d/${code}/data`)).html)).toContain('Elle pose un seul cookie.')
    expect(visibleText((await visitor().get(`/d/${code}`)).html)).toContain(question)
  })

  it('leads nowhere else than to its own pages', async () => {
    const { code } = await consumer()
    for (const page of [
      '//elsewhere.example',
      'https://elsewhere.example',
      '/../../account',
      '/card/../../x',
      '?a',
    ])
      expect((await answer(visitor(), code, '69002', page)).location).toBe(`/d/${code}`)
  })

  it('stops a form before it does anything, and leads to the question', async () => {
    const { code, id } = await consumer()
    const stopped = await visitor().post(`/d/${code}/promise`, { date: '2026-11-30' })
    expect([stopped.status, stopped.location]).toEqual([303, `/d/${code}/promise`])
    await visitor().post(`/d/${code}/dispute`, { invoice: id, kind: 'wrong_amount', words: '' })
    expect(await workflowOf(id)).toBe('in_recovery')
    expect(await statusOf(id)).toBe('in_recovery')
  })

  it('asks again where the payment provider leads back to another browser, and then shows the payment', async () => {
    const { code, id } = await consumer()
    const who = visitor()
    await answer(who, code, '69002')
    await who.post(`/d/${code}/card`, { invoice: id })
    const back = new URL(stripe.sessions().at(-1)!.form.get('success_url')!).pathname
    const other = visitor()
    const asked = await other.get(back)
    expect(visibleText(asked.html)).toContain(question)
    const opened = await other.submit(asked, `/d/${code}/open`, { answer: '69002' })
    expect(opened.location).toBe(back)
    expect(visibleText((await other.get(back)).html)).toContain('votre banque confirme sous peu')
  })

  it('asks for the number of an invoice where no postal code is known', async () => {
    const { code, number } = await consumer({ postalCode: undefined, city: undefined })
    const who = visitor()
    const asked = await who.get(`/d/${code}`)
    expect(visibleText(asked.html)).toContain('Le numéro de votre facture')
    expect((await answer(who, code, 'F-0')).status).toBe(400)
    const opened = await answer(who, code, number.replaceAll('-', ' ').toLowerCase())
    expect(opened.location).toBe(`/d/${code}`)
    expect((await who.get(`/d/${code}`)).html).toContain(number)
  })

  it('after five wrong answers is closed for everybody, says whom to ask, and a new message has a new link', async () => {
    const { code, id, number, email } = await consumer()
    const known = visitor()
    await answer(known, code, '69002')
    const who = visitor()
    for (let i = 1; i <= 4; i++) expect((await answer(who, code, `7500${i}`)).status).toBe(400)
    const fifth = await answer(who, code, '75005')
    for (const shown of [fifth, await answer(who, code, '69002'), await known.get(`/d/${code}`)]) {
      const words = visibleText(shown.html)
      expect(words).toContain(closed)
      expect(words).toContain('comptabilite@atelier-martin.example')
      expect(shown.html).not.toContain(number)
    }
    expect(visibleText((await who.get(`/d/${code}/not-me`)).html)).toContain('n’est pas pour vous')
    expect(visibleText((await who.get(`/d/${code}/stop`)).html)).toContain('Ne plus recevoir d’e\u2011mails')
    const planned = await installation.call<{ scheduledAt: string }>(
      'GET',
      `/api/v1/workflow/invoice/${id}/next-action`,
    )
    await advanceTo(planned.body.data.scheduledAt)
    const next = await codeInMail(installation, email, 1)
    expect(next).not.toBe(code)
    expect((await answer(who, next, '69002')).status).toBe(303)
    expect((await who.get(`/d/${next}`)).html).toContain(number)
  })

  it('counts answers that arrive together one by one: five at most are judged', async () => {
    const { code } = await consumer()
    const shown = await Promise.all(
      Array.from({ length: 40 }, (_, i) => answer(visitor(), code, String(75_001 + i))),
    )
    expect(await wrongAnswers(code)).toBe(5)
    const words = shown.map(({ html }) => visibleText(html))
    expect(words.filter(text => text.includes('Ce n’est pas le code postal'))).toHaveLength(4)
    expect(words.filter(text => text.includes(closed))).toHaveLength(36)
    expect(visibleText((await answer(visitor(), code, '69002')).html)).toContain(closed)
  })
})

describe('answers that all wait for the same row', () => {
  it('take the one try that is left, and no more', async () => {
    const { code } = await consumer()
    for (let i = 1; i <= 4; i++) await answer(visitor(), code, `7500${i}`)
    const holder = new pg.Client({ connectionString: installation.database.adminUrl })
    await holder.connect()
    try {
      await holder.query('begin')
      await holder.query('select from message_codes where code = $1 for update', [code])
      const answers = Promise.all(['75005', '75006', '75007'].map(given => answer(visitor(), code, given)))
      await eventually(
        () =>
          installation.sql(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        waiting => waiting.length >= 2,
        1_500,
      )
      await holder.query('commit')
      for (const { html } of await answers) expect(visibleText(html)).toContain(closed)
    } finally {
      await holder.end()
    }
    expect(await wrongAnswers(code)).toBe(5)
  })
})

describe('the link of a text message', () => {
  it('asks a business too, and its email does not', async () => {
    const debtor = { ...invoiceInput().debtor, phone: '+33612345670' }
    const invoice = await contactedInvoice({ debtor })
    const byEmail = visitor()
    expect((await byEmail.get(`/d/${invoice.code}`)).html).toContain(invoice.number)
    expect(byEmail.cookies.size).toBe(0)
    const { code, text } = await textMessage(invoice)
    expect(text).toContain(`/d/${code}`)
    const who = visitor()
    expect(visibleText((await who.get(`/d/${code}`)).html)).toContain(question)
    await answer(who, code, '69002')
    expect((await who.get(`/d/${code}`)).html).toContain(invoice.number)
  })

  it('lets a stranger who has the number now say so, and shows them nothing', async () => {
    const invoice = await consumer()
    const { code } = await textMessage(invoice)
    const who = visitor()
    const shown = [await who.get(`/d/${code}`), await who.get(`/d/${code}/not-me`)]
    const said = await who.submit(shown[1]!, `/d/${code}/not-me`)
    shown.push(said, await who.get(said.location!))
    expect(visibleText(shown[3]!.html)).toContain('pardon pour le dérangement')
    for (const { html } of shown)
      for (const part of [invoice.number, invoice.email, 'Verdier', '1\u202f200', 'facture', 'créan'])
        expect(html).not.toContain(part)
    expect(await workflowOf(invoice.id)).toBe('paused')
  })

  it('lets anybody stop text messages to the number, without saying what they are about', async () => {
    const invoice = await consumer()
    const { code } = await textMessage(invoice)
    const who = visitor()
    const stop = await who.get(`/d/${code}/stop`)
    const stopped = await who.submit(stop, `/d/${code}/stop`)
    const done = await who.get(stopped.location!)
    expect(visibleText(done.html)).toContain('C’est fait : plus de SMS')
    for (const { html } of [stop, done])
      for (const part of [invoice.number, 'Verdier', 'facture', 'créan']) expect(html).not.toContain(part)
  })

  it('asks for the number of an invoice that the message does not name, where no postal code is known', async () => {
    const invoice = await consumer({ postalCode: undefined, city: undefined })
    const { code, text } = await textMessage(invoice)
    expect(text).not.toContain(invoice.number)
    const who = visitor()
    expect(visibleText((await who.get(`/d/${code}`)).html)).toContain('Le numéro de votre facture')
    expect((await answer(who, code, invoice.number)).status).toBe(303)
  })
})

describe('two invoices at one creditor', () => {
  it('the link of one shows, disputes, pays and promises that one only', async () => {
    const { debtor } = invoiceInput()
    const first = await contactedInvoice({ debtor })
    const second = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
      body: invoiceInput({ debtor, invoiceNumber: `${first.number}-B`, description: 'Une armoire' }),
    })
    const { id: other } = second.body.data
    const who = visitor()
    for (const path of ['', '/dispute', '/card', '/promise', '/data'])
      for (const part of [`${first.number}-B`, 'Une armoire', other])
        expect((await who.get(`/d/${first.code}${path}`)).html).not.toContain(part)
    const disputed = await who.post(`/d/${first.code}/dispute`, {
      invoice: other,
      kind: 'wrong_amount',
      words: '',
    })
    expect(disputed.status).toBe(400)
    expect((await who.post(`/d/${first.code}/card`, { invoice: other })).status).toBe(400)
    await who.post(`/d/${first.code}/promise`, { date: '2026-12-15' })
    expect([await workflowOf(first.id), await workflowOf(other)]).toEqual(['paused', 'in_recovery'])
    const promises = await installation.sql('select invoice_id from promises where invoice_id = any ($1)', [
      [first.id, other],
    ])
    expect(promises).toEqual([{ invoice_id: first.id }])
  })
})
