import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Channel, channels } from '../../src/domain/contact/channel.ts'
import { type DebtorType, debtorTypes } from '../../src/domain/debtor-type.ts'
import { cents, formatMoney, sumPerCurrency } from '../../src/domain/money/money.ts'
import type { DebtorFile } from '../../src/features/recovery/case/debtor-file-store.ts'
import type { ContentRow } from '../../src/features/recovery/messages/compose/content-store.ts'
import type { Language } from '../../src/features/recovery/messages/compose/texts/labels.ts'
import { stepsWithTexts } from '../../src/features/recovery/messages/compose/texts/texts.ts'
import { writeMessage } from '../../src/features/recovery/messages/compose/write-message.ts'
import { readPdf } from '../harness/pdf-text.ts'
import { publishedRates } from '../harness/rates.ts'

/** The full size is 2,000; fewer by default to save time. */
const runs = Number(process.env.GROUPED ?? 60)

const kinds = channels.flatMap(channel => stepsWithTexts(channel).map(step => ({ channel, step })))

interface Group {
  kind: { channel: Channel; step: string }
  language: Language
  type: DebtorType
  isCollected: boolean
  count: number
  /** Of the invoices: which have another currency, and which had claims or a waiver before. */
  currencies: readonly string[]
  claims: readonly number[]
}

const groups: fc.Arbitrary<Group> = fc.record({
  kind: fc.constantFrom(...kinds),
  language: fc.constantFrom<Language>('fr', 'en'),
  type: fc.constantFrom<DebtorType>(...debtorTypes),
  isCollected: fc.boolean(),
  count: fc.oneof(
    fc.integer({ min: 1, max: 30 }),
    fc.integer({ min: 1, max: 500 }),
    fc.constantFrom(20, 21, 500),
  ),
  currencies: fc.array(fc.constantFrom('EUR', 'EUR', 'CHF', 'GBP'), { minLength: 1, maxLength: 5 }),
  claims: fc.array(fc.constantFrom(0, 0, 6_437, -1), { minLength: 1, maxLength: 7 }),
})

const fileOf = ({ type, language, isCollected }: Group) =>
  ({
    id: 'debtor',
    name: 'Durand',
    email: 'compta@durand.example',
    phone: '+33612345678',
    address: '12 avenue de la Gare',
    postal_code: '38000',
    city: 'Grenoble',
    country: 'FR',
    insolvency_kind: null,
    insolvency_opened_on: null,
    type,
    language,
    creditor: {
      name: 'Menuiserie Lambert',
      replyEmail: 'compta@lambert.example',
      address: '4 rue des Tanneurs',
      postalCode: '69005',
      city: 'Lyon',
      country: 'FR',
      iban: 'FR1420041010050500013M02606',
      accountHolder: 'Menuiserie Lambert',
      mayNameCourt: false,
      claimsLatePayment: true,
      contractRateBps: null,
      siren: '732829320',
      legalForm: 'SARL',
      rcs: 'Lyon',
      mediator: null,
      telephone: null,
      collector: isCollected
        ? {
            name: 'Cabinet Rivoire',
            address: '8 quai Perrache, 69002 Lyon',
            siren: '732829320',
            countries: ['FR'],
            mandateSignedOn: '2026-01-12',
          }
        : null,
    },
  }) as unknown as DebtorFile

/** Each sum is another one, so that no invoice is found by the sum of another. */
const invoicesOf = ({ count, currencies, claims }: Group): ContentRow['invoices'] =>
  Array.from({ length: count }, (_, i) => {
    const claimed = claims[i % claims.length]!
    return {
      id: `invoice ${i}`,
      number: `F-2026-${10_000 + i}`,
      issueDate: '2026-03-31',
      dueDate: `2026-0${4 + (i % 5)}-1${i % 10}`,
      amountCents: 100_000 + 137 * i,
      balanceCents: 100_000 + 137 * i,
      currency: currencies[i % currencies.length]!,
      claimedCents: Math.max(0, claimed),
      accessoriesCents: Math.max(0, claimed),
      isWaived: claimed < 0,
      limitationEndsOn: '2031-03-31',
      listedOn: '2026-01-12',
      letter: null,
      movements: [],
    }
  })

const mentioned = {
  number: 'G-1',
  issueDate: '2026-03-31',
  dueDate: '2026-12-31',
  limitationEndsOn: '2031-03-31',
  balanceCents: 4_200,
  currency: 'EUR',
}

const write = (group: Group) => {
  const contentRow = {
    invoices: invoicesOf(group),
    alsoOpen: [mentioned],
    zone: 'Europe/Paris',
    own: null,
    about: null,
    logo: null,
    rates: publishedRates,
    cascades: [],
  } as unknown as ContentRow
  const { message } = writeMessage(
    { id: '01a1b2c3-0000-7000-8000-00000000abcd', ...group.kind },
    fileOf(group),
    contentRow,
    {
      mailFrom: 'relance@relance.example',
      now: Date.parse('2026-11-16T09:00:00+01:00'),
      code: 'e1aB3_fG7-kL1mN5pQ9s',
      link: 'https://relance.example/d/e1aB3_fG7-kL1mN5pQ9s',
      receivesReplies: true,
    },
  )
  return { message, invoices: contentRow.invoices }
}

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const withoutTags = (html: string) => plain(html.replaceAll(/<[^>]*>/g, ' '))
const sumIn = (language: Language, amount: number, currency: string) =>
  plain(formatMoney(cents(amount), currency, language))

/** What is not on one of the lines with its sum. */
const unnamed = (
  lines: readonly string[],
  invoices: ContentRow['invoices'],
  language: Language,
): string[] => {
  const lineOf = new Map<string, string>()
  for (const line of lines)
    for (const [number] of line.matchAll(/F-2026-\d+/g)) {
      lineOf.set(number, `${lineOf.get(number) ?? ''} ${line}`)
    }
  return invoices
    .filter(
      ({ number, balanceCents, currency }) =>
        !lineOf.get(number)?.includes(sumIn(language, balanceCents, currency)),
    )
    .map(({ number }) => number)
}

/** The part about the invoices that the message does not execute. */
const apart = (text: string) =>
  text.split(/Pour information|For information/)[1]?.split(/Annexe :|Annex:/)[0] ?? ''

test(`${runs} messages about 1 to 500 invoices name each one, with its sum in an email and a letter`, async () => {
  let letters = 0
  await fc.assert(
    fc.asyncProperty(groups, async group => {
      const { language, kind, type, count } = group
      const { message, invoices } = write(group)
      const text = plain(message.text)
      if (message.channel === 'email' || message.channel === 'lrar') {
        // A single invoice has its facts on lines of their own.
        const linesOf = (whole: string, ending: string | RegExp) =>
          count === 1 ? [whole] : whole.split(ending)
        const isReceipt = kind.step === 'payment_receipt'
        if (!isReceipt) expect(unnamed(linesOf(text, '\n'), invoices, language)).toEqual([])
        expect(apart(text)).not.toContain('F-2026-')
        if (message.channel === 'email' && message.html !== null && !isReceipt) {
          const rows = linesOf(message.html, /<\/tr>|<tr>/).map(withoutTags)
          expect(unnamed(rows, invoices, language)).toEqual([])
          // Mail services cut a mail that is longer, and hide its end.
          expect(Buffer.byteLength(message.html)).toBeLessThan(102_000)
        }
        if (message.channel === 'lrar' && (letters++ % 4 === 0 || count === 500)) {
          const { text: printed, unmarked } = readPdf(await message.pdf())
          const all = plain(printed)
          for (const { number, balanceCents, currency } of invoices) {
            expect(all).toContain(number)
            expect(all).toContain(sumIn(language, balanceCents, currency))
          }
          expect(unmarked).toEqual([])
        }
      }
      if (message.channel === 'voice') {
        if (count > 1) expect(text).toMatch(new RegExp(`\\b${count} (factures|invoices)\\b`))
        const accessories = invoices.reduce((sum, { accessoriesCents }) => sum + accessoriesCents, 0)
        const owed = invoices.map(({ balanceCents, currency }) => ({ cents: balanceCents, currency }))
        const totals = sumPerCurrency([
          ...owed,
          ...(accessories > 0 ? [{ cents: accessories, currency: 'EUR' }] : []),
        ])
        for (const { cents: total, currency } of totals)
          expect(text).toContain(sumIn(language, total, currency))
      }
      if (message.channel === 'sms') {
        expect(text).toContain('https://relance.example/d/')
        if (type === 'consumer') expect(text).not.toMatch(/€|EUR|CHF|GBP|£/)
      }
    }),
    { numRuns: runs },
  )
}, 1_200_000)
