import { describe, expect, test } from 'vitest'
import { everyMessage, nameOf } from './every-message.ts'
import { missingMentions } from './mandatory-mentions.ts'
import { kandelMoles, proseOf, sentencesOf, syllablesOf, wordsOf } from './readability.ts'

test('every step is there on every channel, in both languages and voices, for each kind of debtor', () => {
  expect(everyMessage.length).toBe(19 * 2 * 2 * 3)
  expect(new Set(everyMessage.map(nameOf)).size).toBe(everyMessage.length)
})

test.each(everyMessage.map(message => [nameOf(message), message] as const))(
  '%s has all its mandatory mentions',
  (_, message) => {
    expect(missingMentions(message)).toEqual([])
  },
)

test('a message that leaves a mention out is found', () => {
  const message = everyMessage.find(one => nameOf(one) === 'lrar_mise_en_demeure.lrar.fr.collector.business')!
  const without = (part: string) => missingMentions({ ...message, body: message.body.replaceAll(part, '') })
  expect(without('R-4T9K2QM')).toEqual(['gives the reference of the case'])
  expect(without('IBAN')).toEqual(['names a means of payment'])
  expect(without('L441-10')).toEqual(['gives the sums apart with their basis'])
  expect(without('débiteur de mauvaise foi')).toHaveLength(1)
})

describe('French is easy to read', () => {
  const french = everyMessage.filter(({ language, channel }) => language === 'fr' && channel !== 'sms')

  test.each(french.map(message => [nameOf(message), message] as const))(
    '%s',
    (_, { text, voice, channel }) => {
      // What a collector has to say of itself in a call is one sentence of names and addresses.
      const isNames = (sentence: string) =>
        voice === 'collector' && channel === 'voice' && /exerce/.test(sentence)
      const long = proseOf(text)
        .flatMap(sentencesOf)
        .filter(sentence => wordsOf(sentence).length > 25 && !isNames(sentence))
      expect(long).toEqual([])
      expect(kandelMoles(proseOf(text))).toBeGreaterThanOrEqual(55)
    },
  )

  test('syllables are counted as they are heard', () => {
    expect(
      ['facture', 'payer', 'paiement', 'créancier', 'réclamation', 'message', 'vous', 'œuvre', 'nom'].map(
        syllablesOf,
      ),
    ).toEqual([2, 2, 2, 3, 4, 2, 1, 1, 1])
  })
})
