import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forbiddenIn } from './forbidden-words.ts'

const strict = { language: 'fr', mayNameCourt: false, mayClaim: false } as const
const english = { ...strict, language: 'en' } as const

test.each([
  ['Un huissier passera.', 'huissier'],
  ['UN HUISSIER PASSERA', 'huissier'],
  ['Les HUISSIERS', 'huissier'],
  ['Une saisie-attribution suivra', 'saisie'],
  ['Nous ferons saisir vos biens', 'saisir'],
  ['Notre service contentieux', 'service contentieux'],
  ['notre service de contentieux', 'service contentieux'],
  ['un titre exécutoire', 'titre exécutoire'],
  ['un commissaire de justice', 'commissaire de justice'],
  ['le tribunal', 'tribunal'],
  ['procédure judiciaire', 'judiciaire'],
  ['des frais de dossier', 'frais'],
  ['des pénalités', 'pénalité'],
  ['La Banque de France sera prévenue.', 'credit record'],
  ['Pensez au surendettement. La Banque de France sera prévenue.', 'credit record'],
  ['Un signalement à la Banque de France pour surendettement suivra.', 'credit record'],
])('%s is refused in French', (text, word) => {
  expect(forbiddenIn(text, strict)).toContain(word)
})

test.each([
  ['A bailiff will call', 'bailiff'],
  ['seizure of goods', 'seizure'],
  ['our litigation department', 'litigation department'],
  ['we will go to court', 'court'],
  ['a fee of 10', 'fee'],
  ['un huissier', 'huissier'],
])('%s is refused in English', (text, word) => {
  expect(forbiddenIn(text, english)).toContain(word)
})

test.each([
  'Vous pouvez saisir la CNIL (www.cnil.fr).',
  'Un délai court est possible.',
  'En cas de surendettement, la Banque de France vous aide : appelez le 34 14.',
  'La Banque de France aide les personnes en surendettement.',
  'Merci de régler la facture F-2026-0042, 1 200,00 €.',
  'A. B. C. Transports vous remercie.',
  'Bonjour, nous comptons sur vous. À bientôt !',
  'La facture est jointe : 12 rue des Frères, 3e étage.',
])('%s is nobody’s threat', text => {
  expect(forbiddenIn(text, strict)).toEqual([])
})

const disguises: Record<string, (word: string) => string> = {
  'soft hyphens': word => [...word].join('\u00ad'),
  'zero-width spaces': word => [...word].join('\u200b'),
  'zero-width joiners': word => [...word].join('\u200d'),
  'combining marks': word => [...word].map(letter => `${letter}\u0301`).join(''),
  'Cyrillic letters': word =>
    word.replaceAll(
      /[acehiopsuxy]/g,
      letter =>
        ({ a: 'а', c: 'с', e: 'е', h: 'һ', i: 'і', o: 'о', p: 'р', s: 'ѕ', u: 'υ', x: 'х', y: 'у' })[letter]!,
    ),
  'wide letters': word =>
    [...word].map(letter => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0)).join(''),
  'letters apart': word => [...word].join(' '),
  'letters with points': word => [...word].join('.'),
  'digits for letters': word => word.replaceAll('i', '1').replaceAll('e', '3'),
  capitals: word => word.toUpperCase(),
  'right-to-left marks': word => [...word].join('\u200f'),
}

test.each(Object.keys(disguises))('a word hidden by %s is found', name => {
  for (const word of ['huissier', 'saisie', 'bailiff'])
    expect(forbiddenIn(`Payez, sinon ${disguises[name]!(word)} !`, strict)).toContain(
      word === 'saisie' ? 'saisie' : word,
    )
})

test('what is allowed is not refused', () => {
  const text = 'Intérêts et indemnité ; le tribunal compétent.'
  expect(forbiddenIn(text, { ...strict, mayClaim: true, mayNameCourt: true })).toEqual([])
  expect(forbiddenIn(text, { ...strict, mayClaim: true })).toEqual(['tribunal'])
})

test('a word is found wherever it stands', () => {
  const plain = fc.string({ unit: fc.constantFrom('b', 'ç', ' ', '9', '😀', 'é'), maxLength: 40 })
  fc.assert(
    fc.property(plain, plain, (before, after) => {
      expect(forbiddenIn(`${before} huissier ${after}`, strict)).toContain('huissier')
    }),
  )
})
