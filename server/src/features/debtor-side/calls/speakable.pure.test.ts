import { expect, it } from 'vitest'
import { speakable, spokenMaxChars } from './speakable.ts'

it('what is written for the eye is said without its marks', () => {
  expect(
    speakable('**Bonjour** _vous_ !\n\n- `F-2026-0042` : <b>1 200,50 €</b>', {
      language: 'fr',
      mayNameCourt: false,
    }),
  ).toBe('Bonjour vous ! - F-2026-0042 : 1 200,50 €')
})

it.each([
  'Un huissier passera demain.',
  'Nous procéderons à une saisie sur compte.',
  'Le service contentieux prendra la suite.',
  'A bailiff will come.',
  'We will sue you.',
  'Your credit score will suffer.',
  'Payez sur www.paiement-rapide.example maintenant.',
  'Payez sur https://pay.example/x maintenant.',
])('%j is never said, and what stands around it is', sentence => {
  for (const mayNameCourt of [true, false])
    expect(
      speakable(`Je comprends. ${sentence} Quand pensez-vous régler ?`, { language: 'fr', mayNameCourt }),
    ).toBe('Je comprends. Quand pensez-vous régler ?')
})

it('of the court only a company that allows it has spoken', () => {
  expect(speakable('Le tribunal pourrait être saisi.', { language: 'fr', mayNameCourt: false })).toBe('')
  expect(speakable('Le tribunal pourrait être saisi.', { language: 'fr', mayNameCourt: true })).toBe(
    'Le tribunal pourrait être saisi.',
  )
  expect(speakable('Of course you can.', { language: 'en', mayNameCourt: false })).toBe('Of course you can.')
})

it('whoever cannot pay may be told who helps', () => {
  const help = 'En cas de surendettement, la Banque de France vous aide au 34 14.'
  expect(speakable(`Je comprends. ${help}`, { language: 'fr', mayNameCourt: false })).toBe(
    `Je comprends. ${help}`,
  )
})

it('a long speech ends with a sentence, a word at the least', () => {
  const long = speakable('Encore une phrase de plus. '.repeat(60), { language: 'fr', mayNameCourt: false })
  expect(long.length).toBeLessThanOrEqual(spokenMaxChars)
  expect(long.endsWith('de plus.')).toBe(true)
  expect(speakable('mot '.repeat(400), { language: 'fr', mayNameCourt: false }).length).toBeLessThanOrEqual(
    spokenMaxChars,
  )
})

it('what nobody can say is nothing', () => {
  expect(speakable('\u0000\u202e', { language: 'fr', mayNameCourt: false })).toBe('')
  expect(speakable('```json\n{"a":1}\n```', { language: 'fr', mayNameCourt: false })).toBe('')
})
