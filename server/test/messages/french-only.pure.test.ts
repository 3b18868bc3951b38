import { expect, test } from 'vitest'
import { english } from '../../src/features/debtor-side/page/texts/english.ts'
import { french } from '../../src/features/debtor-side/page/texts/french.ts'
import { toHtml } from '../../src/features/recovery/messages/compose/texts/email-html.ts'
import type { Language } from '../../src/features/recovery/messages/compose/texts/labels.ts'
import { readPdf } from '../harness/pdf-text.ts'
import { everyMessage, letterOf, nameOf, type RenderedMessage } from './every-message.ts'

/** Our English texts name some French things, and some words are the same in both languages. */
const alsoFrench = new Set(
  `a acte ainsi amiable an art article attention au avenue banque budget cabinet caractère cependant change charge chorus chose civil
  civiles code codes commission concernent confirmation conseil contraire créance créancier d date dates de demander demeure des disposition dont
  du due durand débiteur démarches en entrepris entreprises est exemple exposés exécutoire exécution accomplissement fac foi fr frais france gare grenoble iban ii
  information intelligence juge justifie k l la lac laisser lambert le les loi long lyon législative ils mauvaise
  m médiation menuiserie message messages minute minutes mise non note nécessaire ou page par paris partie perrache peut place point pour
  prescrit principal pro procédures qm quai question questions qui r rcs recouvrement recouvrer relance restent rivoire
  rue réputée s sa sans sarl sauf score service siren situation solution stipulation suit t tanneurs test titre total tout toute un à écrite`.split(
    /\s+/,
  ),
)

/** All texts in a tree of texts; those that are made from values, with a value that is no word. */
function textsIn(tree: unknown): string[] {
  if (typeof tree === 'string') return [tree]
  if (typeof tree === 'function') return textsIn(tree('1', '1', '1', '1', '1'))
  return typeof tree === 'object' && tree !== null ? Object.values(tree).flatMap(textsIn) : []
}

const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/https?:\/\/\S+|\S+@\S+|\S+\.(?:example|fr)\S*/g, ' ')
    .toLowerCase()
    .match(/\p{L}[\p{L}_]+/gu) ?? []

const messagesIn = (language: Language) => everyMessage.filter(message => message.language === language)
const writtenIn = ({ text, body }: RenderedMessage) => `${text.subject}\n${text.heading}\n${body}`

const englishWords = new Set(
  [...messagesIn('en').map(writtenIn), ...textsIn(english)]
    .flatMap(wordsOf)
    .filter(word => !alsoFrench.has(word)),
)

/** English words, and names of our program: `in_recovery` is no French either. */
const foreignIn = (text: string) => [
  ...new Set(wordsOf(text).filter(word => englishWords.has(word) || word.includes('_'))),
]

test('there are words to look for', () => {
  expect(englishWords.size).toBeGreaterThan(300)
  expect(foreignIn('Résultat : Reply, call_outcome, paid')).toEqual(['reply', 'call_outcome', 'paid'])
})

test.each(messagesIn('fr').map(message => [nameOf(message), message] as const))(
  'no English word is in a French message (%s)',
  async (_, message) => {
    const { text, channel, content } = message
    expect(foreignIn(writtenIn(message))).toEqual([])
    if (channel === 'email') {
      const html = toHtml(text, { language: 'fr', creditor: content.creditor.name })
      expect(foreignIn(html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/&\w+;/g, ' '))).toEqual([])
    }
    if (channel === 'lrar') expect(foreignIn(readPdf(await letterOf(message)).text)).toEqual([])
  },
)

test('no English word is on a French page', () => {
  for (const text of textsIn(french)) expect(foreignIn(text), text).toEqual([])
})
