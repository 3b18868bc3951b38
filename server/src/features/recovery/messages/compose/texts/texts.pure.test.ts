import { describe, expect, test } from 'vitest'
import { publishedRates } from '../../../../../../test/harness/rates.ts'
import { type Channel, channels } from '../../../../../domain/contact/channel.ts'
import { forbiddenIn } from '../../../../../domain/contact/forbidden-words.ts'
import { cents, formatMoney } from '../../../../../domain/money/money.ts'
import { isAnswer, stepsSentAfterStop } from '../../../../../domain/recovery/cascade.ts'
import { toHtml } from './email-html.ts'
import { smsLengthOf, toGsm } from './gsm.ts'
import type { Language } from './labels.ts'
import { claimedIn, claimingSteps, latePaymentStatement } from './late-payment-statement.ts'
import type { MessageContent } from './message-content.ts'
import { toPlainText } from './plain-text.ts'
import { stepsWithTexts, textOf } from './texts.ts'

const invoice = (number: string, balanceCents: number, currency = 'EUR') => ({
  id: `id of ${number}`,
  amountCents: balanceCents,
  movements: [],
  number,
  issueDate: '2026-10-01',
  dueDate: '2026-10-31',
  balanceCents,
  currency,
})

const one: MessageContent = {
  creditor: {
    name: 'Atelier Martin',
    replyEmail: 'compta@atelier.example',
    receivesReplies: true,
    iban: null,
    accountHolder: 'Atelier Martin',
    address: null,
    city: null,
    siren: null,
    legalForm: null,
    rcs: null,
    mediator: null,
    telephone: null,
  },
  debtor: {
    name: 'Durand SARL',
    address: null,
    isConsumer: false,
    isAskedForNumber: false,
    usesChorus: false,
  },
  today: '2026-11-16',
  invoices: [invoice('F-2026-0042', 120_000)],
  alsoOpen: [],
  payWithinDays: null,
  following: 'nothing',
  mayNameCourt: false,
  statement: null,
  hasEarlierClaim: false,
  collector: null,
  own: null,
  about: null,
  link: 'https://relance.example/d/r1aB3_fG7-kL1mN5pQ9sT0',
}
const three: MessageContent = {
  ...one,
  creditor: { ...one.creditor, iban: 'FR7630006000011234567890189' },
  invoices: [invoice('F-2026-0042', 120_000), invoice('F-2026-0050', 990), invoice('CH-7', 5_000, 'CHF')],
}
const manyInvoices: MessageContent = {
  ...three,
  invoices: [
    ...three.invoices,
    ...Array.from({ length: 37 }, (_, i) => invoice(`F-2026-${1_000 + i}`, 33_400 + i)),
    invoice('CH-8', 100, 'CHF'),
  ],
  alsoOpen: [invoice('F-2026-0099', 7_700)],
}
const business = {
  debtorType: 'business',
  creditorCountry: 'FR',
  rates: publishedRates,
  contractRateBps: null,
  isClaimed: true,
  insolvencyOpenedOn: null,
} as const
const late = { ...invoice('F-2026-0042', 120_000), dueDate: '2026-04-30' }
const claiming: MessageContent = {
  ...one,
  invoices: [late],
  statement: latePaymentStatement([late], 0, business, one.today),
}
const contents: Record<string, MessageContent> = { one, three, manyInvoices }

const stepChannels: [step: string, ...channels: Channel[]][] = [
  ['email_prise_en_charge', 'email', 'lrar'],
  ['relance_email_1', 'email', 'lrar'],
  ['sms_reminder', 'sms'],
  ['relance_email_2', 'email', 'lrar'],
  ['ai_call', 'voice'],
  ['relance_email_3', 'email', 'lrar'],
  ['lrar_mise_en_demeure', 'lrar', 'email'],
  ['ai_call_2', 'voice'],
  ['email_dernier_avis', 'email', 'lrar'],
  ['closing_notice', 'email'],
  ['payment_receipt', 'email', 'lrar'],
  ['promise_confirmed', 'email'],
  ['dispute_received', 'email'],
  ['dispute_resolved', 'email'],
  ['situation_checked', 'email'],
  ['reply_answered', 'email'],
  ['extra_message', 'email', 'sms', 'lrar', 'voice'],
  ['written_message', 'email', 'sms'],
  ['account_statement', 'email'],
]
const languages: Language[] = ['fr', 'en']
const every = stepChannels.flatMap(([step, ...on]) =>
  on.flatMap(channel => languages.map(language => [step, channel, language] as const)),
)

/** As it reaches the debtor. */
const render = (step: string, channel: Channel, language: Language, content: MessageContent) => {
  const text = textOf(step, channel)!(language, content)
  const body = toPlainText(text.blocks)
  return { ...text, body: channel === 'sms' ? toGsm(body.trim()) : body }
}
const whole = ({ subject, body }: { subject: string; body: string }) => `${subject}\n${body}`
const money = (amount: number, currency: string, language: Language) =>
  formatMoney(cents(amount), currency, language)
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

test('the legal form stands right after the name, as “EI” has to (R526-27 C. com.)', () => {
  const creditor = { ...one.creditor, name: 'Jeanne Durand', legalForm: 'EI' }
  for (const [step, channel, language] of every.filter(([, on]) => on === 'email' || on === 'lrar'))
    expect(render(step, channel, language, { ...one, creditor }).body, step).toContain(
      '\nJeanne Durand\nEI\n',
    )
})

test('texts exist for every step that sends, on its channel, and for nothing else', () => {
  const known = channels.flatMap(channel => stepsWithTexts(channel).map(step => `${step} ${channel}`))
  expect(known.toSorted()).toEqual(
    stepChannels.flatMap(([step, ...on]) => on.map(channel => `${step} ${channel}`)).toSorted(),
  )
  for (const channel of channels)
    for (const step of ['revue_judiciaire', 'toString', '__proto__', ''])
      expect(textOf(step, channel)).toBeNull()
  expect(textOf('relance_email_1', 'sms')).toBeNull()
})

describe.each(every)('%s by %s in %s', (step, channel, language) => {
  const isWritten = channel === 'email' || channel === 'lrar'

  test.each(Object.keys(contents))('%s: names the creditor, the references and the sum', name => {
    const content = contents[name]!
    const text = render(step, channel, language, content)
    expect(text.subject === '').toBe(channel === 'sms')
    expect(text.subject).not.toContain('\n')
    expect(whole(text)).not.toMatch(/undefined|null|NaN|\[object|\n\n\n/)
    expect(whole(text)).toContain('Atelier Martin')
    if (channel !== 'voice') expect(text.body).toContain(content.link)
    else expect(text.body).toMatch(/Nos messages écrits contiennent un lien|Our written messages hold a link/)
    const namedMax = { sms: 1, voice: 3, email: 500, lrar: 500 }[channel]
    const named = content.invoices.slice(0, namedMax)
    for (const { number } of named) expect(text.body).toContain(number)
    const sums = {
      one: [money(120_000, 'EUR', language)],
      three: [money(120_990, 'EUR', language), money(5_000, 'CHF', language)],
      manyInvoices: [money(1_357_456, 'EUR', language), money(5_100, 'CHF', language)],
    }[name]!
    if (channel !== 'sms') for (const sum of sums) expect(plain(text.body)).toContain(plain(sum))
    if (isWritten)
      for (const part of ['F-2026-0042', ...(isAnswer(step) || step === 'closing_notice' ? [] : sums)])
        expect(text.subject).toContain(part)
    // Who is called is not asked to write: a mail to the creditor stops nothing.
    if (channel !== 'sms' && channel !== 'voice') expect(text.body).toContain('compta@atelier.example')
  })

  test('all are named with their sums, what is only open is apart', () => {
    const { body } = render(step, channel, language, manyInvoices)
    if (!isWritten) return expect(body).not.toContain('F-2026-0099')
    const [text, annex] = body.split(language === 'fr' ? 'Annexe\u00a0:' : 'Annex:') as [string, string]
    for (const { number, balanceCents, currency } of manyInvoices.invoices)
      expect(annex.split('\n').find(line => line.includes(` ${number} `))).toContain(
        money(balanceCents, currency, language),
      )
    const parts = text.split(language === 'fr' ? 'Pour information' : 'For information')
    expect(parts).toHaveLength(2)
    expect(parts[0] + annex).not.toContain('F-2026-0099')
    expect(parts[1]).toContain('F-2026-0099')
    expect(render(step, channel, language, three).body).not.toMatch(/pour information|for information/i)
  })

  // A creditor without a court's title has no bailiff, no seizure and no department of that name to threaten with.
  test.each([false, true])(
    'threatens with nothing, adds nothing to the debt (court allowed: %s)',
    mayNameCourt => {
      for (const content of Object.values(contents)) {
        const text = whole(render(step, channel, language, { ...content, mayNameCourt }))
        expect(forbiddenIn(text, { language, mayNameCourt: true, mayClaim: false })).toEqual([])
        expect(text).not.toMatch(/\b40(,00)?\s€|€40/)
        // On paper the last notice is a collector's first letter: it names no court.
        const mayBeNamed =
          mayNameCourt &&
          (step === 'lrar_mise_en_demeure' || (step === 'email_dernier_avis' && channel === 'email'))
        const court = forbiddenIn(text, { language, mayNameCourt: false, mayClaim: false })
        expect(court).toEqual(mayBeNamed ? [language === 'fr' ? 'justice' : 'court'] : [])
      }
    },
  )

  test('claims what the law adds where a statement is given, and says the law', () => {
    if (channel === 'sms' || channel === 'voice') return
    const text = whole(render(step, channel, language, claiming))
    expect(forbiddenIn(text, { language, mayNameCourt: false, mayClaim: true })).toEqual([])
    for (const part of ['D441-5', 'L441-10', money(4_000, 'EUR', language), money(2_437, 'EUR', language)])
      expect(text).toContain(part)
    expect(text).toContain(money(126_437, 'EUR', language))
    expect(text).toMatch(language === 'fr' ? /12,15\s% l’an, 61 jours/ : /12\.15% a year, 61 days/)
    expect(text).toContain(language === 'fr' ? 'jusqu’au 30/06/2026' : 'up to 30 June 2026')
  })

  test('only a formal notice is one', () => {
    const text = whole(render(step, channel, language, one))
    expect(/mettons en demeure|hereby give you formal notice \(mise en demeure\)/.test(text)).toBe(
      step === 'lrar_mise_en_demeure',
    )
  })
})

test.each(languages)(
  'a bank account is shown where there is one and something is still to be paid (%s)',
  language => {
    for (const step of stepsWithTexts('email')) {
      expect(render(step, 'email', language, one).body).not.toContain('IBAN')
      expect(
        /IBAN +FR76 3000 6000 0112 3456 7890 189/.test(render(step, 'email', language, three).body),
      ).toBe(!stepsSentAfterStop.includes(step) || step === 'payment_receipt')
    }
  },
)

test.each([
  [
    'fr',
    'lrar',
    /Nous vous mettons en demeure de payer 1 264,37 € dans les 8 jours suivant la réception de cette lettre/,
  ],
  [
    'fr',
    'email',
    /Nous vous mettons en demeure de payer 1 264,37 € dans les 8 jours suivant la réception de ce message/,
  ],
  [
    'en',
    'lrar',
    /We hereby give you formal notice \(mise en demeure\) to pay €1,264\.37 within 8 days of receiving this letter/,
  ],
  [
    'en',
    'email',
    /We hereby give you formal notice \(mise en demeure\) to pay €1,264\.37 within 8 days of receiving this message/,
  ],
] as const)(
  'a formal notice demands one sum in one time, and names the parties (%s, %s)',
  (language, channel, demand) => {
    for (const payWithinDays of [8, null]) {
      const content = { ...claiming, payWithinDays }
      const { subject, body } = render('lrar_mise_en_demeure', channel, language, content)
      expect(subject).toContain('mise en demeure')
      expect(plain(body)).toMatch(demand)
      // A letter has both at its head.
      if (channel === 'email')
        expect(body).toMatch(/(Créancier|Creditor) +Atelier Martin\n +(Débiteur|Debtor) +Durand SARL\n/)
      expect(body).toMatch(/article 1344/)
    }
    expect(render('lrar_mise_en_demeure', channel, language, { ...one, payWithinDays: 15 }).body).toMatch(
      /15 (jours suivant|days of)/,
    )
  },
)

const gsm = /^[@£$¥èéùìòÇØøÅåÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà_^{}\\[~\]|€]*$/

test.each(languages)(
  'a text message is two sentences with the link, and fits into one message (%s)',
  language => {
    const host = 'recouvrement-abc.example'
    expect(host).toHaveLength(24)
    const link = `https://${host}/d/r1aB3_fG7-kL1mN5pQ9sT0`
    const usual: MessageContent = {
      ...one,
      creditor: { ...one.creditor, name: 'Menuiserie Lambert' },
      invoices: [invoice('FAC-2026-000042', 1_234_567)],
    }
    const several = { ...one, invoices: three.invoices.slice(0, 2) }
    for (const step of stepsWithTexts('sms'))
      for (const content of [three, ...[one, usual, several].map(longer => ({ ...longer, link }))]) {
        const { body } = render(step, 'sms', language, content)
        expect(smsLengthOf(body)).toBeLessThanOrEqual(160)
        expect(body).toMatch(gsm)
        expect(body.endsWith(` ${content.link}`)).toBe(true)
        expect(body.slice(0, -content.link.length).replaceAll(/\d\.\d/g, '')).not.toMatch(/[?!\n]|\..*\./)
      }
  },
)

test('a name the alphabet of text messages does not know keeps its letters', () => {
  expect(toGsm('Œuvre “Çà & là” — Façade Gârçon’s 日本 😀\u00a0€')).toBe(
    'OEuvre "Çà & là" - Facade Garcon\'s ?? ? €',
  )
})

test.each([
  ['fr', /^[^.]*je suis une intelligence artificielle[^.]*Atelier Martin\.$/],
  ['en', /^[^.]*I am an artificial intelligence working for Atelier Martin\.$/],
] as const)(
  'a call begins by saying that an AI calls, and for whom, and nothing of a debt (%s)',
  (language, opening) => {
    for (const step of stepsWithTexts('voice')) {
      const { subject } = render(step, 'voice', language, one)
      expect(subject).toMatch(opening)
      expect(subject).not.toMatch(/facture|invoice|\d/)
    }
  },
)

test('columns stand under each other', () => {
  const { body } = render('relance_email_2', 'email', 'fr', three)
  expect(plain(body)).toContain(
    `
  Facture       Émise le     Échéance       Reste dû
  F-2026-0042   01/10/2026   31/10/2026   1 200,00 €
  F-2026-0050   01/10/2026   31/10/2026       9,90 €
  CH-7          01/10/2026   31/10/2026    50,00 CHF
  Total à payer : 1 209,90 €
  Total à payer : 50,00 CHF
`,
  )
})

test('a first of the month is spoken as the French say it', () => {
  const first = { ...one, invoices: [{ ...invoice('F-1', 100), dueDate: '2026-08-01' }] }
  expect(render('ai_call', 'voice', 'fr', first).body).toContain('échue le 1er août 2026')
})

test('every claimed sum is separate, over all the invoices named, and is returned to be saved', () => {
  const other = { ...invoice('F-2026-0050', 50_000), dueDate: '2026-05-31' }
  const francs = { ...invoice('CH-7', 5_000, 'CHF'), dueDate: '2026-04-30' }
  const statement = latePaymentStatement([late, other, francs], 3, business, one.today)
  // 50,000 × 0.1215 × 30 / 365 = 499.3
  expect(claimedIn(statement)).toEqual([
    { invoiceId: 'id of F-2026-0042', cents: 6_437 },
    { invoiceId: 'id of F-2026-0050', cents: 4_499 },
  ])
  const { body } = render('relance_email_2', 'email', 'fr', { ...three, statement })
  expect(plain(body)).toContain(`Détail de la somme au 16/11/2026

  Principal                                                                          1 700,00 €
  Indemnité forfaitaire pour frais de recouvrement, 2 × 40 € (art. D441-5 C. com.)      80,00 €
  Pénalités de retard (art. L441-10, II C. com.)                                        29,36 €
  Total                                                                              1 809,36 €

  F-2026-0042 : Intérêts au taux de 12,15 % l’an, 61 jours du 01/05/2026 au 30/06/2026, sur 1 200,00 €.
  F-2026-0050 : Intérêts au taux de 12,15 % l’an, 30 jours du 01/06/2026 au 30/06/2026, sur 500,00 €.
  Les intérêts sont comptés jusqu’au 30/06/2026.
  Aucun intérêt n’est réclamé ici pour les autres jours.
  Ce relevé ne porte que sur une partie des factures. Rien n’est ajouté aux autres.
`)
})

test('whoever pays by transfer is told one sum: what the statement comes to, and without one what is owed', () => {
  const { creditor } = three
  const [french, english] = (['fr', 'en'] as const).map(language =>
    plain(render('relance_email_2', 'email', language, { ...claiming, creditor }).body),
  )
  expect(french).toMatch(/Échue le +30\/04\/2026\n +À payer au 16\/11\/2026 +1 264,37 €/)
  expect(french).toMatch(/Total +1 264,37 €/)
  expect(french).toMatch(/Montant +1 264,37 €/)
  expect(english).toMatch(/To pay on 16 November 2026 +€1,264\.37/)
  expect(english).toMatch(/Amount +€1,264.37/)
  expect(plain(render('relance_email_1', 'email', 'fr', { ...one, creditor }).body)).toMatch(
    /Montant +1 200,00 €/,
  )
  expect(plain(render('relance_email_1', 'email', 'fr', three).body)).toMatch(
    /Montant +1 209,90 € et 50,00 CHF/,
  )
})

test('where no rate is known the 40 € stand alone and the statement says so', () => {
  const fresh = invoice('F-2026-0042', 120_000)
  const statement = latePaymentStatement([fresh], 0, business, one.today)
  const { body } = render('relance_email_2', 'email', 'fr', { ...one, statement })
  expect(body).toContain('Aucun intérêt n’est compté dans ce relevé.')
  expect(body).not.toContain('L441-10')
})

test('a consumer is never claimed more than the invoice', () => {
  expect(latePaymentStatement([late], 0, { ...business, debtorType: 'consumer' }, one.today)).toBeNull()
  expect(claimingSteps).toHaveLength(4)
})

test.each(languages)('somebody who recovers for others says the five things the law wants (%s)', language => {
  const collector = {
    name: 'Cabinet Rivoire',
    address: '8 quai Perrache, 69002 Lyon',
    siren: '732829320',
    letters: [{ reference: 'R-4T9K2QM', day: '2026-10-02' }],
  }
  const creditor = { ...one.creditor, address: '4 rue des Tanneurs, 69005 Lyon' }
  for (const [step, channel] of [
    ['email_prise_en_charge', 'email'],
    ['lrar_mise_en_demeure', 'lrar'],
  ] as const) {
    const { body } = render(step, channel, language, { ...claiming, creditor, collector })
    for (const part of [
      'Cabinet Rivoire, 8 quai Perrache, 69002 Lyon, SIREN\u00a0732\u00a0829\u00a0320',
      'Atelier Martin, 4 rue des Tanneurs, 69005 Lyon',
      'Principal',
      'R-4T9K2QM',
      'restent à la charge du créancier',
      'débiteur de mauvaise foi',
    ])
      expect(body).toContain(part)
    expect(body).toMatch(/exerce une activité de recouvrement amiable|whose business is amicable recovery/)
    expect(body).toMatch(/deuxième et troisième alinéas|second and third paragraphs/)
    expect(body).toMatch(/(pour|for) Atelier Martin/)
  }
})

test('a public body is asked first whether Chorus Pro has the invoice, and nobody else is', () => {
  const town = { ...one, debtor: { ...one.debtor, usesChorus: true } }
  for (const step of [
    'email_prise_en_charge',
    'relance_email_1',
    'relance_email_2',
    'lrar_mise_en_demeure',
  ]) {
    expect(render(step, 'email', 'fr', town).body).toContain(
      'Avez-vous reçu cette facture sur Chorus Pro\u00a0?',
    )
    expect(render(step, 'email', 'en', town).body).toContain('receive this invoice through Chorus Pro?')
    expect(render(step, 'email', 'fr', one).body).not.toContain('Chorus')
  }
  expect(render('closing_notice', 'email', 'fr', town).body).not.toContain('Chorus')
})

test('a receipt says that nothing is owed only if nothing is', () => {
  const receipt = (accessoriesCents: number) => {
    const about = { amountCents: 120_000, on: '2026-11-20' }
    const invoices = [{ ...one.invoices[0]!, balanceCents: 0, accessoriesCents }]
    return plain(render('payment_receipt', 'email', 'fr', { ...one, invoices, about }).body)
  }
  expect(receipt(0)).toContain('Plus rien n’est dû')
  expect(receipt(6_437)).toContain('les intérêts de retard : 64,37 €')
  expect(receipt(6_437)).not.toContain('Plus rien')
})

test('a call names only what the sum contains', () => {
  const call = (language: Language, accessoriesCents: number, claimedCents = accessoriesCents) => {
    const invoices = [{ ...one.invoices[0]!, accessoriesCents, claimedCents }]
    return plain(render('ai_call', 'voice', language, { ...one, invoices }).body)
  }
  expect(call('fr', 0)).toContain('il reste 1 200,00 € à payer')
  expect(call('fr', 4_000)).toContain('il reste 1 240,00 €, indemnité comprise, à payer')
  expect(call('fr', 4_202)).toContain('il reste 1 242,02 €, intérêts et indemnité compris, à payer')
  expect(call('fr', 202, 4_202)).toContain('il reste 1 202,02 €, intérêts compris, à payer')
  expect(call('en', 4_000)).toContain(', compensation included, is still to be paid')
  expect(call('en', 4_202)).toContain(', interest and compensation included, is still to be paid')
})

test.each(languages)('past the time bar an answer to a consumer names no sum to pay (%s)', language => {
  const asks =
    language === 'fr' ? /reste à payer|maintenons la facture/i : /still to be paid|maintain the invoice/i
  const nothing = language === 'fr' ? 'Aucun paiement ne vous est demandé' : 'No payment is asked of you'
  const about = { amountCents: 1_000, on: '2026-11-20' }
  for (const answer of [
    { step: 'payment_receipt', about },
    ...(['rejected', 'partly', 'resumed'] as const).map(outcome => ({
      step: 'dispute_resolved',
      about: { outcome, amountCents: 1_000, answer: 'Le bon de livraison est signé.' },
    })),
  ]) {
    const body = (isNothingAsked: boolean) =>
      plain(render(answer.step, 'email', language, { ...one, about: answer.about, isNothingAsked }).body)
    expect(body(false)).toMatch(asks)
    expect(body(false)).not.toContain(nothing)
    expect(body(true)).not.toMatch(asks)
    expect(body(true)).toContain(nothing)
  }
})

test('own words stand for the subject and the opening alone, and are filled in once', () => {
  const own = {
    subject: 'Petit rappel {{reference}}',
    opening: 'Bonjour {{debtor}}, {{sum}} pour {{dueDate}}.',
  }
  const debtor = { ...one.debtor, name: '{{sum}}' }
  const { subject, body } = render('relance_email_2', 'email', 'fr', { ...claiming, debtor, own })
  expect(plain(subject)).toBe('Atelier Martin : Petit rappel F-2026-0042')
  expect(plain(body)).toMatch(/^Bonjour {{sum}}, 1 264,37 € pour 30\/04\/2026\./)
  for (const part of ['D441-5', claiming.link, 'Vos données', 'Atelier Martin']) expect(body).toContain(part)
  const content = render('lrar_mise_en_demeure', 'email', 'fr', { ...one, own })
  expect(content.subject).toContain('mise en demeure')
  expect(content.body).toContain('mettons en demeure')
  const call = render('ai_call', 'voice', 'fr', { ...one, own })
  expect(call.subject).toContain('intelligence artificielle')
})

test('a subject and a text message to a private person show no sum, also in words of the company’s own', () => {
  const own = { subject: 'Encore {{ sum }} pour {{reference}}', opening: 'facture {{reference}}, {{sum}} :' }
  const person = { ...one, own, debtor: { ...one.debtor, isConsumer: true } }
  const sum = /1.200,00/
  expect(render('relance_email_1', 'email', 'fr', { ...one, own }).subject).toMatch(sum)
  expect(render('relance_email_1', 'email', 'fr', person).subject).not.toMatch(sum)
  expect(render('sms_reminder', 'sms', 'fr', { ...one, own }).body).toMatch(sum)
  const sms = render('sms_reminder', 'sms', 'fr', person).body
  expect(sms).toContain('un message vous attend au sujet de votre dossier F-2026-0042')
  expect(sms).not.toMatch(sum)
})

test.each(languages)(
  'a text message names no invoice where its link asks for the number, also in words of the company’s own (%s)',
  language => {
    const own = { subject: null, opening: 'facture {{ reference }} :' }
    const debtor = { ...one.debtor, isAskedForNumber: true }
    for (const content of [
      { ...one, debtor },
      { ...one, own, debtor },
      { ...one, debtor: { ...debtor, isConsumer: true } },
    ]) {
      const { body } = render('sms_reminder', 'sms', language, content)
      expect(body).toContain(one.link)
      expect(body).not.toContain('F-2026-0042')
    }
    const usual = { ...one, own }
    expect(render('sms_reminder', 'sms', language, usual).body).toContain('facture F-2026-0042')
  },
)

test('no-break spaces are put into our words, never into what is filled in', () => {
  const odd = { ...one, invoices: [invoice('F : 1 ?', 100)] }
  const { body } = render('relance_email_1', 'email', 'fr', odd)
  expect(body).toContain('F : 1 ?')
  expect(body.replaceAll('F : 1 ?', '')).not.toMatch(/ [:;?!»]/)
})

test.each(languages)('lists of mails show our sentence after the subject, and no sum (%s)', language => {
  for (const step of stepsWithTexts('email')) {
    const text = textOf(step, 'email')!(language, claiming)
    const html = toHtml(text, { language, creditor: 'Atelier Martin' })
    // About as much as is shown.
    const first = html
      .slice(html.indexOf('<body'))
      .replaceAll(/<[^>]*>/g, '')
      .slice(0, 250)
    expect(plain(first)).toMatch(language === 'fr' ? /^Vous pouvez / : /^(Pay, pick|You can) /)
    expect(first).not.toMatch(/€|Atelier Martin/)
  }
})

test.each(languages)(
  'an email as people see it has the words of its plain text, and fetches nothing (%s)',
  language => {
    for (const step of stepsWithTexts('email')) {
      const text = textOf(step, 'email')!(language, { ...manyInvoices, statement: claiming.statement })
      const html = toHtml(text, { language, creditor: 'Atelier Martin' })
      expect(html).not.toMatch(/<(img|link|script|style|iframe|form|input)\b|url\(|@import|src=/i)
      const links = [...html.matchAll(/href="([^"]*)"/g)].map(match => match[1])
      expect(new Set(links)).toEqual(new Set([one.link]))
      const words = html
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll('&#39;', "'")
        .replaceAll(/\s+/g, ' ')
      for (const block of text.blocks)
        if (block.kind === 'paragraph') expect(words).toContain(block.text.replaceAll(/\s+/g, ' '))
      for (const { number } of manyInvoices.invoices) expect(words).toContain(number)
    }
  },
)
