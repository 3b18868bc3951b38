import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readPdf } from '../../../../../test/harness/pdf-text.ts'
import { isDrawablePng } from '../../../access/companies/whole-png.ts'
import { sampleContent } from '../../templates/sample-content.ts'
import type { Language, MessageContent } from '../texts/message-content.ts'
import { textOf } from '../texts/texts.ts'
import { printLetter } from './print-letter.ts'

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
      'Intérêts de retard (art. L441-10 C. com.)',
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
      'Late-payment interest (French Commercial Code, art. L441-10)',
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
      'https://recouvrement-abc.example/d/e1AaBbCcDdEeFfGgHhIi',
    ])
      expect(plain).toContain(part)
    expect(unmarked).toEqual([])
  },
)

test('the recipient stands in the window of the envelope: 105 mm from the left, 50 mm from the top', async () => {
  const raw = (await print('fr')).toString('latin1')
  const [, stream] = /\/Filter \/FlateDecode[\s\S]*?\nstream\n([\s\S]*?)\nendstream/.exec(raw)!
  const content = inflateSync(Buffer.from(stream!, 'latin1')).toString('latin1')
  const name = Buffer.from('Durand', 'latin1').toString('hex')
  const drawn = [...content.matchAll(/1 0 0 1 ([\d.]+) ([\d.]+) Tm[\s\S]*?^ET$/gm)].find(([text]) =>
    text
      .replaceAll(/[^0-9a-f<>]/g, '')
      .replaceAll(/>[^<]*</g, '')
      .includes(name),
  )!
  const millimetres = (points: number) => (points / 72) * 25.4
  expect(millimetres(Number(drawn[1]))).toBeCloseTo(105, 0)
  const top = millimetres(841.89 - Number(drawn[2]))
  expect(top).toBeGreaterThan(50)
  expect(top).toBeLessThan(56)
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
