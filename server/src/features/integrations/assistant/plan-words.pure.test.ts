import { expect, it } from 'vitest'
import { operations } from '../../all.ts'
import { plainText } from './describe-operation.ts'
import { languageOf } from './language.ts'
import { isYes } from './plain-yes.ts'
import { operationTexts, shiftTexts } from './plan-texts.ts'

it('every operation that needs a confirmation has its own text, in both languages', () => {
  const describedElsewhere = new Set(['workflow.trigger', 'workflow.communicate'])
  const waiting = operations
    .filter(
      ({ id, assistant }) =>
        assistant === 'confirm' && !id.startsWith('sandbox.simulate') && !describedElsewhere.has(id),
    )
    .map(({ id }) => id)
  expect(Object.keys(operationTexts).sort()).toEqual(waiting.sort())
  for (const { en, fr } of [...Object.values(operationTexts), ...Object.values(shiftTexts)])
    expect(en === fr || en === '' || fr === '').toBe(false)
})

it('the texts of messages are out of its reach, and out of that of a model over MCP', () => {
  const changing = operations.filter(
    ({ path, method }) => path.startsWith('/api/v1/templates') && ['PUT', 'DELETE'].includes(method),
  )
  expect(changing.map(({ id }) => id).sort()).toEqual(['templates.reset', 'templates.update'])
  for (const { id, assistant } of changing) expect([id, assistant]).toEqual([id, 'never'])
})

it('names of other people in a summary are letters and digits, and never cut', () => {
  expect(plainText('**Durand** [x](https://evil.example) <b>`y`</b>\n\n# z')).toBe(
    'Durand x https evil.example b y /b z',
  )
  expect(plainText('www.evil.example')).toBe('evil.example')
  expect([...plainText('é'.repeat(500))]).toHaveLength(500)
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
