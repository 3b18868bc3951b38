import { describe, expect, it } from 'vitest'
import { latePayment } from '../../../src/domain/money/late-payment.ts'
import { switchCompany } from '../../harness/operator.ts'
import { publishedRates } from '../../harness/rates.ts'
import { iban, useDebtors } from '../../harness/use-debtors.ts'
import { invoiceInput } from '../../harness/use-installation.ts'
import { newVisitor, visibleText } from '../../harness/visitor.ts'

const { installation, pagesUrl, stateOf, contactedInvoice, visitor, workflowOf } = await useDebtors()

describe('the page behind the link', () => {
  it('shows who claims what from whom and why, how to pay, and what happens next', async () => {
    const { code, number } = await contactedInvoice()
    const shown = await visitor().get(`/d/${code}`)
    expect(shown.status).toBe(200)
    const words = visibleText(shown.html)
    for (const part of [
      '1\u202f200,00\u00a0€ à payer à Atelier Martin SAS',
      'Atelier Martin SAS',
      '4 rue du Port',
      '44000 Nantes',
      number,
      '15 octobre 2026',
      'Titulaire du compte Atelier Martin SAS',
      'FR14 2004 1010 0505 0001 3M02 606',
      'Comparez cet IBAN avec celui de votre facture.',
      'comptabilite@atelier-martin.example',
      'le prochain message ou appel est prévu le 21 novembre 2026',
    ])
      expect(words.replaceAll(/\s/g, ' ')).toContain(part.replaceAll(/\s/g, ' '))
    expect(shown.html).toContain('<svg class="qr" role="img"')
    expect(shown.html).not.toContain('<script')
  })

  it('has one button of its kind, an IBAN that is copied in one piece, and a number to call in doubt', async () => {
    const setTelephone = (telephone: string | null) =>
      installation.sql('update company_settings set telephone = $1', [telephone])
    const { code } = await contactedInvoice()
    await setTelephone('+33240000000')
    const { html } = await visitor().get(`/d/${code}`)
    expect([...html.matchAll(/class="button"/g)]).toHaveLength(1)
    expect(html).toContain('<a class="button" href="#pay">Payer</a>')
    const [, copied] = /<span class="copied">(<span class="group">.*?)<\/dd>/.exec(html)!
    expect(copied!.split('<small>')[0]!.replaceAll(/<[^>]*>/g, '')).toBe(iban)
    expect(visibleText(copied!).replaceAll(/\s/g, ' ')).toContain(
      'Un doute ? Téléphonez à Atelier Martin SAS : +33 2 40 00 00 00',
    )
    await setTelephone(null)
    expect((await visitor().get(`/d/${code}`)).html).not.toContain('tel:')
  })

  it('sets no cookie, may be kept or indexed by nobody, and loads nothing from elsewhere', async () => {
    const { code } = await contactedInvoice()
    const who = visitor()
    const shown = await who.get(`/d/${code}`)
    expect(who.cookies.size).toBe(0)
    expect(shown.headers.get('cache-control')).toBe('no-store')
    expect(shown.headers.get('x-robots-tag')).toContain('noindex')
    expect(shown.headers.get('referrer-policy')).toBe('same-origin')
    const policy = shown.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('script-src')
    for (const [, address] of shown.html.matchAll(/(?:src|href|action)="([^"]*)"/g))
      expect(address).toMatch(/^(\/d\/|\/legal\?|\/assets\/|#|mailto:|data:image\/svg)/)
  })

  it('is in the language of the debtor, with a link to the other', async () => {
    const { code } = await contactedInvoice({ debtor: { ...invoiceInput().debtor, language: 'en' } })
    const shown = await visitor().get(`/d/${code}`)
    expect(shown.html).toContain('<html lang="en">')
    expect(visibleText(shown.html)).toContain('payable to')
    const other = await visitor().get(/href="([^"]*lang=fr)"/.exec(shown.html)![1]!)
    expect(other.html).toContain('<html lang="fr">')
    expect(other.html).toContain(`/d/${code}/dispute?lang=fr`)
  })

  it('an unknown, a broken and an expired link answer alike, and say what to do', async () => {
    const { code } = await contactedInvoice()
    await installation.sql(`update message_codes set expires_at = '2020-01-01' where code = $1`, [code])
    const strip = (html: string) => html.replaceAll(/[\w-]{20}/g, '')
    const answers = await Promise.all(
      [code, 'e1nobodynobodynobody', 'x', `${code}x`, "e1' or 1=1 --"].map(one =>
        visitor().get(`/d/${encodeURIComponent(one)}`),
      ),
    )
    for (const { status, html } of answers) {
      expect(status).toBe(404)
      expect(visibleText(html)).toContain('Ce lien ne fonctionne plus')
      expect(strip(html.replaceAll(/href="[^"]*lang=en"/g, ''))).toBe(
        strip(answers[0]!.html.replaceAll(/href="[^"]*lang=en"/g, '')),
      )
    }
    for (const path of ['/dispute', '/promise', '/not-me', '/situation', '/stop', '/data', '/card'])
      expect((await visitor().get(`/d/${code}${path}`)).status).toBe(404)
    expect((await visitor().post(`/d/${code}/stop`, {})).status).toBe(404)
  })

  it('is found with the full stop of the sentence it stood in, and a wrong path below it is a page too', async () => {
    const { code } = await contactedInvoice()
    const answer = await visitor().get(`/d/${code}.`)
    expect([answer.status, answer.location]).toEqual([303, `/d/${code}`])
    for (const path of [`/d/${code}/`, `/d/${code}/nothing`]) {
      const shown = await visitor().get(path)
      expect([shown.status, shown.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    }
  })

  it('of a closed company still opens and takes what a debtor may say, but shows no account and takes no card', async () => {
    const { code } = await contactedInvoice()
    const who = visitor()
    const cardPage = await who.get(`/d/${code}/card`)
    const checkouts = () => installation.sql('select id from checkouts')
    const before = await checkouts()
    await switchCompany(installation, installation.company.companyId, false)
    try {
      const french = await who.get(`/d/${code}?lang=fr`)
      expect(french.status).toBe(200)
      expect(visibleText(french.html)).toContain('Relance n’envoie plus de messages pour Atelier Martin SAS')
      expect(french.html).toContain(`/d/${code}/dispute`)
      const english = await who.get(`/d/${code}?lang=en`)
      expect(visibleText(english.html)).toContain('nothing can be paid on this page')
      for (const { html } of [french, english]) {
        expect(html).not.toMatch(/FR14|class="qr"|\/card/)
        expect(visibleText(html)).not.toMatch(/prochain message|or call is planned for/)
      }
      const posted = await who.submit(cardPage, `/d/${code}/card`)
      expect([posted.status, posted.location]).toEqual([303, expect.stringContaining(`/d/${code}`)])
      expect(await checkouts()).toEqual(before)
    } finally {
      await switchCompany(installation, installation.company.companyId, true)
    }
    expect((await who.get(`/d/${code}`)).html).toContain('class="qr"')
  })

  it('another debtor’s or another tenant’s code shows and changes only what is its own', async () => {
    const mine = await contactedInvoice()
    const neighbour = await contactedInvoice()
    const petit = await installation.server.createCompany({
      name: 'Librairie Petit',
      ownerEmail: 'bonjour@librairie-petit.example',
      tier: 'enterprise',
      requestsPerMinute: 100_000,
      inFlight: 1_000,
    })
    // Without a word about whom it sells to, a company may sell to private persons, whose links ask first.
    const business = { ...invoiceInput().debtor, type: 'business' }
    const theirs = await contactedInvoice({ debtor: business }, petit.productionKey)
    for (const [own, other] of [
      [mine, neighbour],
      [mine, theirs],
      [theirs, mine],
    ] as const) {
      const shown = await visitor().get(`/d/${own.code}`)
      expect(shown.html).toContain(own.number)
      expect(shown.html).not.toContain(other.number)
      for (const path of ['/dispute', '/card']) {
        const filled = { invoice: other.id, kind: 'wrong_amount', words: '' }
        const answer = await visitor().post(`/d/${own.code}${path}`, filled)
        expect([400, 303]).toContain(answer.status)
      }
    }
    for (const { code } of [mine, neighbour, theirs])
      expect((await visitor().get(`/d/${code}/dispute`)).html).toContain('<form')
    expect((await visitor().get(`/d/${theirs.code}`)).html).not.toContain('Atelier Martin')
  })

  it('a form that was not posted from our own page changes nothing', async () => {
    const { code, id } = await contactedInvoice()
    const filled = { invoice: id, kind: 'wrong_amount', words: '' }
    const elsewhere = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }
    const shown = await visitor().post(`/d/${code}/dispute`, filled, { headers: elsewhere })
    expect(shown.status).toBe(403)
    expect(await workflowOf(id)).toBe('in_recovery')
  })

  it('opened from one address again and again it is refused for a while', async () => {
    const who = newVisitor(pagesUrl(), { address: '198.51.100.7' })
    const statuses: number[] = []
    for (let i = 0; i < 400 && statuses.at(-1) !== 429; i++)
      statuses.push((await who.get('/d/e1nobodynobodynobody')).status)
    expect(statuses.at(-1)).toBe(429)
  })

  it('opening proves that an email nobody was sure of arrived, and of any other nothing is kept', async () => {
    const sure = await contactedInvoice()
    const unsure = await contactedInvoice()
    const ids = `select communication_id from message_codes where code = $1`
    await installation.sql(`update communications set state = 'unknown' where id = (${ids})`, [unsure.code])
    for (const { code } of [sure, unsure]) for (let i = 0; i < 2; i++) await visitor().get(`/d/${code}`)
    expect(await stateOf(unsure.code)).toBe('delivered')
    expect(await stateOf(sure.code)).toBe('sent')
    const [{ n }] = (await installation.sql<{ n: number }>(
      `select count(*)::integer as n from contact_ledger where entry like '%' || (${ids})::text || '%' and entry like '%outcome%'`,
      [unsure.code],
    )) as [{ n: number }]
    expect(n).toBe(1)
  })
})

describe('what is claimed for late payment', () => {
  it('stands apart from the principal, with its legal basis, and is part of what is to be paid', async () => {
    const { code, id } = await contactedInvoice({ dueDate: '2026-05-01', issueDate: '2026-04-01' })
    const terms = {
      debtorType: 'business',
      creditorCountry: 'FR',
      rates: publishedRates,
      contractRateBps: null,
      isClaimed: true,
      insolvencyOpenedOn: null,
    } as const
    const { indemnity, interest } = latePayment(
      { dueDate: '2026-05-01', amountCents: 120_000, currency: 'EUR', movements: [] },
      terms,
      '2026-11-16',
    )
    await installation.sql('update invoices set claimed_cents = $2 where id = $1', [id, indemnity + interest])
    const words = visibleText((await visitor().get(`/d/${code}`)).html).replaceAll(/\s/g, ' ')
    for (const part of [
      '1 263,97 € à payer',
      '40,00 €',
      '23,97 €',
      'L441-10',
      'D441-5',
      '60 jours sur 1 200,00 € à 12,15 %',
    ])
      expect(words).toContain(part)
    await installation.sql(
      `update debtors set type = 'public_body' where id = (select debtor_id from invoices where id = $1)`,
      [id],
    )
    const ofTown = visibleText((await visitor().get(`/d/${code}`)).html)
    for (const article of ['R2192-31', 'D2192-35']) expect(ofTown).toContain(article)
    for (const article of ['L441-10', 'D441-5']) expect(ofTown).not.toContain(article)
  })

  it('is still shown when the invoice is paid and they are not', async () => {
    const { code, id } = await contactedInvoice()
    await installation.sql('update invoices set claimed_cents = 4000 where id = $1', [id])
    const paid = await installation.call('POST', '/api/v1/payments', {
      body: { invoiceId: id, amountCents: 120_000, method: 'bank_transfer' },
    })
    expect(paid.status).toBe(201)
    const words = visibleText((await visitor().get(`/d/${code}`)).html).replaceAll(/\s/g, ' ')
    expect(words).toMatch(/À payer 40,00 €/)
  })
})
