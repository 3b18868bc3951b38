import { expect, it } from 'vitest'
import { operations } from '../../all.ts'
import { plain } from './describe.ts'
import { languageOf } from './language.ts'
import { deedInWords, shiftInWords } from './plan-words.ts'
import { isYes } from './yes.ts'

it('whatever waits for a person’s word has words of its own, in both languages', () => {
  const ownWords = new Set(['workflow.trigger', 'workflow.communicate'])
  const waiting = operations
    .filter(
      ({ id, assistant }) =>
        assistant === 'confirm' && !id.startsWith('sandbox.simulate') && !ownWords.has(id),
    )
    .map(({ id }) => id)
  expect(Object.keys(deedInWords).sort()).toEqual(waiting.sort())
  for (const { en, fr } of [...Object.values(deedInWords), ...Object.values(shiftInWords)])
    expect(en === fr || en === '' || fr === '').toBe(false)
})

it('other people’s words in a summary are letters and figures, of limited length', () => {
  expect(plain('**Durand** [x](https://evil.example) <b>`y`</b>\n\n# z')).toBe(
    'Durand x https evil.example b y /b z',
  )
  expect(plain('www.evil.example')).toBe('evil.example')
  expect([...plain('é'.repeat(500))]).toHaveLength(80)
})

it.each([
  ['Quelles factures sont en retard ?', '', 'fr'],
  ['Which invoices are overdue?', 'fr-FR', 'en'],
  ['F-2026-014 ?', 'en-GB,fr;q=0.5', 'en'],
  ['F-2026-014 ?', 'de, fr;q=0.8', 'fr'],
  ['F-2026-014 ?', '', 'fr'],
] as const)(
  '“%s” is answered in its language, else in the one that is accepted (%s), else in the company’s',
  (message, accepted, language) => {
    expect(languageOf(message, accepted, 'fr')).toBe(language)
  },
)

it('a plain yes is one of eight, whole', () => {
  for (const yes of [
    'yes',
    'Yes!',
    'OUI.',
    'Oui, merci',
    'Je confirme',
    '« oui »',
    'yes, I confirm',
    'Yes please',
  ])
    expect(isYes(yes), yes).toBe(true)
  for (const other of [
    '',
    'y',
    'ok',
    'yes yes',
    'oui oui',
    'yes and pause all',
    'do it',
    'si',
    'ｙｅｓ no',
    'yes\u200bno',
  ])
    expect(isYes(other), other).toBe(false)
})
