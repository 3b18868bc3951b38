import { describe, expect, test } from 'vitest'
import { type Channel, channels } from '../../../domain/channel.ts'
import { cents, formatMoney } from '../../../domain/money.ts'
import type { Language, Notice, NoticeInvoice, Text } from './notice.ts'
import { stepsWithWords, textOf } from './texts.ts'

const invoice = (number: string, balanceCents: number, currency = 'EUR'): NoticeInvoice => ({
  number,
  issueDate: '2026-10-01',
  dueDate: '2026-10-31',
  balanceCents,
  currency,
})

const one: Notice = {
  creditor: { name: 'Atelier Martin', replyEmail: 'compta@atelier.example', iban: null },
  debtor: { name: 'Durand SARL' },
  invoices: [invoice('F-2026-0042', 120_000)],
  further: [],
  alsoOpen: [],
  payWithinDays: null,
  mayNameCourt: false,
}
const three: Notice = {
  ...one,
  creditor: { ...one.creditor, iban: 'FR7630006000011234567890189' },
  invoices: [invoice('F-2026-0042', 120_000), invoice('F-2026-0050', 990), invoice('CH-7', 5_000, 'CHF')],
}
const crowded: Notice = {
  ...three,
  further: [
    { count: 37, balanceCents: 1_234_500, currency: 'EUR' },
    { count: 1, balanceCents: 100, currency: 'CHF' },
  ],
  alsoOpen: [invoice('F-2026-0099', 7_700)],
}
const notices: Record<string, Notice> = { one, three, crowded }

const said: [step: string, ...channels: Channel[]][] = [
  ['email_prise_en_charge', 'email'],
  ['relance_email_1', 'email'],
  ['sms_reminder', 'sms'],
  ['relance_email_2', 'email'],
  ['ai_call', 'voice'],
  ['relance_email_3', 'email'],
  ['lrar_mise_en_demeure', 'lrar', 'email'],
  ['ai_call_2', 'voice'],
  ['email_dernier_avis', 'email'],
  ['closing_notice', 'email'],
  ['extra_message', 'email', 'sms', 'lrar', 'voice'],
]
const languages: Language[] = ['fr', 'en']
const every = said.flatMap(([step, ...on]) =>
  on.flatMap(channel => languages.map(language => [step, channel, language] as const)),
)

const say = (step: string, channel: Channel, language: Language, notice: Notice): Text =>
  textOf(step, channel)!(language, notice)
const whole = ({ subject, body }: Text) => `${subject}\n${body}`
const money = (amount: number, currency: string, language: Language) =>
  formatMoney(cents(amount), currency, language)
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

test('words exist for every step that sends, on its channel, and for nothing else', () => {
  const known = channels.flatMap(channel => stepsWithWords(channel).map(step => `${step} ${channel}`))
  expect(known.toSorted()).toEqual(
    said.flatMap(([step, ...on]) => on.map(channel => `${step} ${channel}`)).toSorted(),
  )
  for (const channel of channels)
    for (const step of ['revue_judiciaire', 'toString', '__proto__', ''])
      expect(textOf(step, channel)).toBeNull()
  expect(textOf('relance_email_1', 'sms')).toBeNull()
})

describe.each(every)('%s by %s in %s', (step, channel, language) => {
  const isWritten = channel === 'email' || channel === 'lrar'

  test.each(Object.keys(notices))('%s: names the creditor, the references and the sum', name => {
    const notice = notices[name]!
    const text = say(step, channel, language, notice)
    expect(text.subject === '').toBe(channel === 'sms')
    expect(text.subject).not.toContain('\n')
    expect(whole(text)).not.toMatch(/undefined|null|NaN|\[object|\n\n\n/)
    expect(text.body).toContain('Atelier Martin')
    const named = channel === 'sms' ? notice.invoices.slice(0, 1) : notice.invoices
    for (const { number } of named) expect(text.body).toContain(number)
    const sums = {
      one: [money(120_000, 'EUR', language)],
      three: [money(120_990, 'EUR', language), money(5_000, 'CHF', language)],
      crowded: [money(1_355_490, 'EUR', language), money(5_100, 'CHF', language)],
    }[name]!
    for (const sum of sums) expect(plain(text.body)).toContain(plain(sum))
    if (isWritten) for (const part of ['F-2026-0042', ...sums]) expect(text.subject).toContain(part)
    if (channel !== 'sms') expect(text.body).toContain('compta@atelier.example')
  })

  test('what is not named is counted, what is only open is apart', () => {
    const { body } = say(step, channel, language, crowded)
    if (!isWritten) return expect(body).not.toContain('F-2026-0099')
    expect(body).toContain(
      language === 'fr'
        ? `et 37 autres, ${money(1_234_500, 'EUR', 'fr')} en tout\n  et une autre, ${money(100, 'CHF', 'fr')}\n`
        : `and 37 more, ${money(1_234_500, 'EUR', 'en')} in all\n  and one more, ${money(100, 'CHF', 'en')}\n`,
    )
    const [about, information] = body.split(language === 'fr' ? 'Pour information' : 'For information')
    expect(about).not.toContain('F-2026-0099')
    expect(information).toContain('F-2026-0099')
    expect(say(step, channel, language, three).body).not.toMatch(/pour information|for information/i)
  })

  // A creditor without a court's title has no bailiff, no seizure and no department of that name to threaten with.
  test.each([false, true])(
    'threatens with nothing, adds nothing to the debt (court allowed: %s)',
    mayNameCourt => {
      for (const notice of Object.values(notices)) {
        const text = whole(say(step, channel, language, { ...notice, mayNameCourt }))
        expect(text).not.toMatch(/huissier|saisie|service contentieux|bailiff|seizure|seize\b|litigation/i)
        expect(text).not.toMatch(
          /intérêt|frais|indemnité|pénalité|majoration|\binterest|\bfees?\b|penalt|compensation|\b40(,00)?\s€/i,
        )
        const mayBeNamed = mayNameCourt && ['lrar_mise_en_demeure', 'email_dernier_avis'].includes(step)
        const court = /tribuna|\bjuge|judiciaire|justice|\bcourts?\b|\bjudge|lawsuit|legal action/i
        expect(court.test(text)).toBe(mayBeNamed)
      }
    },
  )

  test('only a formal notice is one', () => {
    const text = whole(say(step, channel, language, one))
    expect(/vaut mise en demeure|is a formal notice \(mise en demeure\)/.test(text)).toBe(
      step === 'lrar_mise_en_demeure',
    )
  })
})

test.each(languages)(
  'a bank account is shown where there is one and something is asked for (%s)',
  language => {
    for (const step of stepsWithWords('email')) {
      expect(say(step, 'email', language, one).body).not.toContain('IBAN')
      expect(
        say(step, 'email', language, three).body.includes('IBAN FR76 3000 6000 0112 3456 7890 189'),
      ).toBe(step !== 'closing_notice')
    }
  },
)

test.each([
  ['fr', 'lrar', '  Délai        8 jours à compter de la réception de cette lettre'],
  ['fr', 'email', '  Délai        8 jours à compter de la réception de ce message'],
  ['en', 'lrar', '  Time limit   8 days from receipt of this letter'],
  ['en', 'email', '  Time limit   8 days from receipt of this message'],
] as const)(
  'a formal notice names the parties, the principal and the time limit (%s, %s)',
  (language, channel, limit) => {
    for (const payWithinDays of [8, null]) {
      const { subject, body } = say('lrar_mise_en_demeure', channel, language, { ...three, payWithinDays })
      expect(subject).toContain('mise en demeure')
      expect(body).toContain(limit)
      expect(body).toMatch(
        /(Créancier|Creditor) +Atelier Martin\n +(Débiteur|Debtor) +Durand SARL\n +Principal +\S/,
      )
      expect(body).toContain('mise en demeure')
    }
    expect(say('lrar_mise_en_demeure', channel, language, { ...one, payWithinDays: 15 }).body).toMatch(
      /15 (jours à compter|days from)/,
    )
  },
)

// GSM 03.38: any other character and the network counts 70 to a message instead of 160; those of the second row count double.
const gsm =
  '@£$¥èéùìòÇ\nØøÅåÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const gsmDouble = '^{}\\[~]|€'

test.each(languages)('a text message is one sentence that fits into one message (%s)', language => {
  const usual: Notice = {
    ...one,
    creditor: { ...one.creditor, name: 'Menuiserie Lambert' },
    invoices: [invoice('FAC-2026-000042', 1_234_567)],
  }
  for (const step of stepsWithWords('sms'))
    for (const notice of [one, three, usual]) {
      const { body } = say(step, 'sms', language, notice)
      const places = [...body].map(c => (gsmDouble.includes(c) ? 2 : gsm.includes(c) ? 1 : Number.NaN))
      expect(places.reduce((sum, place) => sum + place, 0)).toBeLessThanOrEqual(160)
      expect(body).toMatch(/^[^\n]+[^\n.?!]\.$/)
      expect(body.replaceAll(/\d\.\d/g, '').match(/[.?!]/g)).toHaveLength(1)
    }
})

test.each([
  ['fr', /^[^.]*je suis une intelligence artificielle[^.]*Atelier Martin\.$/],
  ['en', /^[^.]*I am an artificial intelligence calling on behalf of Atelier Martin\.$/],
] as const)(
  'a call begins by saying that an AI calls, and for whom, and nothing of a debt (%s)',
  (language, opening) => {
    for (const step of stepsWithWords('voice')) {
      const { subject } = say(step, 'voice', language, one)
      expect(subject).toMatch(opening)
      expect(subject).not.toMatch(/facture|invoice|\d/)
    }
  },
)

test('columns stand under each other', () => {
  const { body } = say('relance_email_2', 'email', 'fr', three)
  expect(plain(body)).toContain(
    `
  Facture       Émise le     Échéance       Reste dû
  F-2026-0042   01/10/2026   31/10/2026   1 200,00 €
  F-2026-0050   01/10/2026   31/10/2026       9,90 €
  CH-7          01/10/2026   31/10/2026    50,00 CHF
  Total : 1 209,90 €
  Total : 50,00 CHF
`,
  )
})

test('a first of the month is spoken as the French say it', () => {
  const first = { ...one, invoices: [{ ...invoice('F-1', 100), dueDate: '2026-08-01' }] }
  expect(say('ai_call', 'voice', 'fr', first).body).toContain('échue le 1er août 2026')
})
