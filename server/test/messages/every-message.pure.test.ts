import { describe, expect, test } from 'vitest'
import { everyMessage, everyVariant, nameOf } from './every-message.ts'
import { missingMentions } from './mandatory-mentions.ts'
import { kandelMoles, proseOf, sentencesOf, syllablesOf, wordsOf } from './readability.ts'

test('every step is there on every channel, in both languages and voices, for each kind of debtor', () => {
  expect(everyMessage.length).toBe(30 * 2 * 2 * 3)
  expect(new Set(everyMessage.map(nameOf)).size).toBe(everyMessage.length)
})

test.each(everyMessage.map(message => [nameOf(message), message] as const))(
  '%s has all its mandatory mentions',
  (_, message) => {
    expect(missingMentions(message)).toEqual([])
  },
)

test('every message has them in every variant, and says nothing untrue', () => {
  const messages = everyVariant()
  expect(messages.length).toBeGreaterThan(5_000)
  const faults = messages.flatMap(message =>
    missingMentions(message).map(fault => `${nameOf(message)}: ${fault}`),
  )
  expect(faults.slice(0, 20)).toEqual([])
  const seen = new Set(messages.flatMap(({ variant }) => variant.split('+')))
  expect([...seen].toSorted()).toEqual([
    'also_open',
    'asked_for_number',
    'barred',
    'earlier_claim',
    'insolvent',
    'many_invoices',
    'no_court',
    'no_mediator',
    'no_replies',
    'no_telephone',
    'no_telephone_no_replies',
    'nothing_asked',
    'other_currency',
    'owed_no',
    'owed_yes',
    'part_payment',
    'partly',
    'rejected',
    'resumed',
    'several_paid',
    'several_promised',
    'then_contact',
    'then_formal_notice',
    'then_nothing',
    'three_invoices',
    'upheld',
  ])
}, 300_000)

test('a message that leaves a mention out is found', () => {
  const message = everyMessage.find(one => nameOf(one) === 'lrar_mise_en_demeure.lrar.fr.collector.business')!
  const without = (part: string) => missingMentions({ ...message, body: message.body.replaceAll(part, '') })
  expect(without('R-4T9K2QM')).toEqual(['names its first letter by reference and day'])
  expect(without('IBAN')).toEqual(['names a means of payment'])
  expect(without('L441-10, II')).toEqual(['gives the sums apart with their basis'])
  expect(without('débiteur de mauvaise foi')).toHaveLength(1)
})

test('a sum that is asked of somebody who was right is found, and a wrong rest', () => {
  const ended = (end: string) =>
    everyVariant().find(one => nameOf(one) === `dispute_resolved.email.fr.creditor.business.${end}`)!
  const [upheld, partly] = [ended('upheld'), ended('partly')]
  expect(missingMentions({ ...upheld, body: `${upheld.body}\nReste à payer 1\u202f200,00\u00a0€` })).toEqual([
    'says how the dispute ended, and asks for what is left of it',
  ])
  expect(missingMentions({ ...partly, body: partly.body.replaceAll('960,00', '1\u202f200,00') })).toEqual([
    'says how the dispute ended, and asks for what is left of it',
  ])
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
