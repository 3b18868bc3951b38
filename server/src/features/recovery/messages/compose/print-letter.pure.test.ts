import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readPdf } from '../../../../../test/harness/pdf-text.ts'
import { everyMessage, letterOf, nameOf } from '../../../../../test/messages/every-message.ts'
import { isAnswer } from '../../../../domain/recovery/cascade.ts'
import { isDrawablePng } from '../../../access/companies/whole-png.ts'
import { sampleContent } from '../../templates/sample-content.ts'
import { typedOf } from './message-code.ts'
import { printLetter } from './print-letter.ts'
import type { Language } from './texts/labels.ts'
import { amountToPay, type MessageContent } from './texts/message-content.ts'
import { textOf } from './texts/texts.ts'

const from = {
  name: 'Menuiserie Lambert',
  lines: ['4 rue des Tanneurs'],
  postalCode: '69005',
  city: 'Lyon',
  country: 'FR',
}
const to = {
  name: 'Durand et Fils SARL',
  lines: ['12 avenue de la Gare'],
  postalCode: '38000',
  city: 'Grenoble',
  country: 'FR',
}

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const everyLetter = everyMessage.filter(({ channel }) => channel === 'lrar')

const print = (
  language: Language,
  more: Partial<MessageContent> = {},
  recipient = to,
  own: { logo?: Buffer } = {},
) => {
  const content = { ...sampleContent(language, 'lrar_mise_en_demeure'), payWithinDays: 8, ...more }
  const text = textOf('lrar_mise_en_demeure', 'lrar')!(language, content)
  const reference = content.invoices[0]!.number
  const { today } = content
  return printLetter({ from, to: recipient, reference, text, language, today, madeAt: 0, ...own })
}

test.each([
  [
    'fr',
    [
      'Lyon, le 15 juin 2026',
      'Objet : Mise en demeure de payer, facture FAC-2026-000042',
      'Lettre recommandée avec avis de réception',
      'Nous vous mettons en demeure de payer 1 257,98 € dans les 8 jours',
      '8 jours suivant la réception de cette lettre',
      'Indemnité forfaitaire pour frais de recouvrement (art. D441-5 C. com.)',
      'Pénalités de retard (art. L441-10, II C. com.)',
      'Total 1 257,98 €',
      'Vos données',
      'SIREN 732 829 320',
      'Page 1 sur 2',
      'Page 2 sur 2',
    ],
  ],
  [
    'en',
    [
      'Lyon, 15 June 2026',
      'Subject: Formal notice (mise en demeure) to pay',
      'We hereby give you formal notice (mise en demeure) to pay €1,257.98 within 8 days',
      'Late-payment penalties (French Commercial Code, art. L441-10, II)',
      'Total €1,257.98',
      'Page 1 of 2',
    ],
  ],
] as const)(
  'the letter says all a formal notice must, and every word is tagged (%s)',
  async (language, words) => {
    const { text, unmarked } = readPdf(await print(language))
    const plain = text.replaceAll(/\s+/g, ' ')
    for (const part of [
      ...words,
      'Menuiserie Lambert 4 rue des Tanneurs 69005 LYON',
      'FR14 2004 1010 0505 0001 3M02 606',
      'recouvrement-abc.example/d',
    ])
      expect(plain).toContain(part)
    expect(unmarked).toEqual([])
  },
)

test.each(
  everyLetter.filter(({ step }) => !isAnswer(step)).map(message => [nameOf(message), message] as const),
)('the front of the first sheet has the sum, the account and the code (%s)', async (_, message) => {
  const { content, language, text } = message
  const { pageTexts, unmarked } = readPdf(await letterOf(message))
  const front = plain(pageTexts[0]!)
  const typed = typedOf(content.link)
  for (const part of [
    plain(amountToPay(content, language)),
    'FR14 2004 1010 0505 0001 3M02 606',
    `${language === 'fr' ? 'Titulaire du compte' : 'Account holder'} ${content.creditor.accountHolder} IBAN`,
    typed.address,
    typed.letterCode,
    '12 avenue de la Gare 38000 GRENOBLE',
    message.voice === 'creditor' ? '4 rue des Tanneurs 69005 LYON' : '8 quai Perrache 69002 LYON',
  ])
    expect(front).toContain(part)
  expect(unmarked).toEqual([])
  const whole = plain(pageTexts.join(' '))
  expect(whole.split(language === 'fr' ? '15 juin 2026' : 'Lyon, 15 June 2026')).toHaveLength(2)
  expect(whole.split('1344')).toHaveLength(message.step === 'lrar_mise_en_demeure' ? 2 : 1)
  expect(whole).toContain(plain(text.heading))
})

test('also with more than twenty invoices, which are in an annex, and a long name', async () => {
  const [first] = sampleContent('fr').invoices
  const creditor = {
    ...sampleContent('fr').creditor,
    name: 'Société anonyme des établissements Lambert et Compagnie',
    accountHolder: 'SA des établissements Lambert',
  }
  const invoices = Array.from({ length: 27 }, (_, i) => ({ ...first!, number: `FACTURE-2026-${1_000 + i}` }))
  const { pageTexts, unmarked } = readPdf(await print('fr', { creditor, invoices, statement: null }))
  const [front, annex] = [pageTexts[0]!, pageTexts.at(-1)!].map(plain) as [string, string]
  expect(annex).toMatch(/^Annexe : les 27 factures /)
  for (const { number } of invoices) expect(annex).toContain(`${number} 01/04/2026 01/05/2026 1 200,00 €`)
  expect(annex).toContain('Total à payer : 32 400,00 €')
  expect(unmarked).toEqual([])
  for (const part of ['À payer 32 400,00 €', 'SA des établissements Lambert IBAN FR14', 'Factures 27'])
    expect(front).toContain(part)
  expect(front).toContain(typedOf(sampleContent('fr').link).letterCode)
})

/** Where texts that contain a word are drawn, in points from the top left, page after page. */
const placesOf = (pdf: Buffer, word: string) =>
  [...pdf.toString('latin1').matchAll(/\/Filter \/FlateDecode[\s\S]*?\nstream\n([\s\S]*?)\nendstream/g)]
    .map(([, stream]) => inflateSync(Buffer.from(stream!, 'latin1')).toString('latin1'))
    .flatMap(content => [...content.matchAll(/1 0 0 1 ([\d.]+) ([\d.]+) Tm[\s\S]*?^ET$/gm)])
    .filter(([text]) =>
      text
        .replaceAll(/[^0-9a-f<>]/g, '')
        .replaceAll(/>[^<]*</g, '')
        .includes(Buffer.from(word, 'latin1').toString('hex')),
    )
    .map(([, x, y]) => ({ x: Number(x), y: 841.89 - Number(y) }))

test('the total stands in the column of the sums it adds up', async () => {
  const pdf = await print('fr')
  const [total, principal, small] = ['257,98', '200,00', '17,98'].map(
    sum => placesOf(pdf, sum).findLast(({ x }) => x > 400)!,
  )
  // Right-aligned: the shorter figure begins later, the bold one a little earlier.
  expect(principal!.x - total!.x).toBeGreaterThanOrEqual(0)
  expect(principal!.x - total!.x).toBeLessThan(5)
  expect(small!.x).toBeGreaterThan(principal!.x)
  expect(total!.y).toBeGreaterThan(small!.y)
})

test('the recipient stands in the window of the envelope: 110 mm from the left, 55 mm from the top', async () => {
  const [place] = placesOf(await print('fr'), 'Durand')
  const millimetres = (points: number) => (points / 72) * 25.4
  expect(millimetres(place!.x)).toBeCloseTo(110, 0)
  expect(millimetres(place!.y)).toBeGreaterThan(55)
  expect(millimetres(place!.y)).toBeLessThan(61)
})

test('the structure is there: language, title, headings, tables with heads, the square with words for it', async () => {
  const raw = (await print('fr')).toString('latin1')
  for (const part of [
    '/Marked true',
    '/Lang (fr-FR)',
    '/S /H1',
    '/S /H2',
    '/S /Table',
    '/S /TH',
    '/Scope /Row',
    '/S /Figure',
    '/Alt (',
  ])
    expect(raw).toContain(part)
})

test('the logo of the creditor stands at the head, with its name for those who do not see it', async () => {
  // One pixel that is half transparent, the case in which the pixels are unpacked.
  const logo = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGMQCdZtAAACKAEVS2yxwwAAAABJRU5ErkJggg==',
    'base64',
  )
  expect(isDrawablePng(logo)).toBe(true)
  const raw = (await print('fr', {}, to, { logo })).toString('latin1')
  expect(raw).toContain('/Subtype /Image')
  expect(raw.match(/\/S \/Figure/g)).toHaveLength(2)
  expect((await print('fr')).toString('latin1')).not.toContain('/Subtype /Image')
})

test('the same letter is the same bytes', async () => {
  expect(await print('fr')).toEqual(await print('fr'))
  expect((await print('fr')).equals(await print('en'))).toBe(false)
})

test('abroad the country is named, and twenty invoices find their place on tagged pages', async () => {
  const abroad = { ...to, postalCode: '1000', city: 'Bruxelles', country: 'BE' }
  const sample = sampleContent('fr')
  const invoices = Array.from({ length: 20 }, (_, i) => ({
    ...sample.invoices[0]!,
    number: `F-${1_000 + i}`,
  }))
  const { text, unmarked, pages } = readPdf(await print('fr', { invoices, statement: null }, abroad))
  expect(text).toContain('1000 BRUXELLES BELGIQUE')
  for (const { number } of invoices) expect(text).toContain(number)
  expect(unmarked).toEqual([])
  expect(pages).toBeGreaterThan(1)
})
