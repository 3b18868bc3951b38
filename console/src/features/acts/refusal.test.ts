import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ErrorCode, type FaultCode, RelanceError } from '@relance/sdk'
import { describe, expect, it } from 'vitest'
import { faultSentence, refusalSentence } from '../../lib/refusal-words.ts'
import { words } from './words.ts'

const contract = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../server/openapi.json'), 'utf8'),
)
const errorCodes: ErrorCode[] = contract.components.schemas.ErrorCode.enum
const faultCodes: FaultCode[] = contract.components.schemas.FaultCode.enum
const english = 'A payment with the reference exists.'

const errorOf = (code: RelanceError['code'], ...faults: FaultCode[]) =>
  new RelanceError({
    status: 400,
    code,
    message: english,
    details: faults.map(fault => ({ field: 'date', code: fault, message: english })),
  })

function expectSentences(french: string, inEnglish: string, what: string): void {
  expect(french, what).not.toBe(inEnglish)
  for (const sentence of [french, inEnglish]) {
    expect(sentence, what).toMatch(/^\p{Lu}.*\.$/u)
    expect(sentence, what).not.toMatch(/_|undefined/)
    expect(sentence, what).not.toContain(english)
  }
}

it.each([...errorCodes, 'NO_ANSWER', 'TIMEOUT', 'UNREADABLE'] as const)(
  '%s is told in both languages, and never in the words of the API',
  code => {
    const error = errorOf(code)
    expectSentences(refusalSentence(error, 'fr'), refusalSentence(error, 'en'), code)
  },
)

describe('every fault that the contract names', () => {
  it.each(faultCodes)('%s has a sentence of its own in both languages', code => {
    const [french, inEnglish] = (['fr', 'en'] as const).map(language =>
      faultSentence(code, language, words[language].obstacles),
    ) as [string, string]
    expectSentences(french, inEnglish, code)
    if (code !== 'invalid') expect(french).not.toBe(faultSentence('invalid', 'fr'))
    expect(refusalSentence(errorOf('BIZ_004', code), 'fr', { more: words.fr.obstacles })).not.toBe(
      refusalSentence(errorOf('BIZ_004'), 'fr'),
    )
  })

  it('is a code of the list: the list is long, and one that it does not have is only a refused value', () => {
    expect(faultCodes.length).toBeGreaterThan(90)
    expect(faultSentence('tomorrow', 'fr')).toBe(faultSentence('invalid', 'fr'))
  })
})

it('says the fault instead of what the code means in general', () => {
  expect(refusalSentence(errorOf('BIZ_004', 'no_dispute'), 'fr', { more: words.fr.obstacles })).toBe(
    'Aucune contestation n’est ouverte.',
  )
  expect(refusalSentence(errorOf('BIZ_001', 'above_owed'), 'fr')).toBe('C’est plus que ce qui est dû.')
  expect(refusalSentence(errorOf('BIZ_004', 'reply', 'dispute'), 'fr')).toBe(
    'L’état du dossier ne le permet pas. Ce qui l’empêche\u00a0: réponse à lire, contestation ouverte. Levez d’abord ce qui l’empêche.',
  )
  expect(refusalSentence(errorOf('VAL_001', 'past'), 'en')).toBe(
    'A value is not accepted. This day has passed. Correct the marked fields.',
  )
})

it('does not repeat what stands at a field', () => {
  const marked = ['date']
  expect(refusalSentence(errorOf('VAL_001', 'past'), 'en', { marked })).toBe(
    'A value is not accepted. Correct the marked fields.',
  )
  expect(refusalSentence(errorOf('RES_002', 'number_taken'), 'fr', { marked })).toBe(
    'Cela existe déjà. Vérifiez l’historique avant de recommencer.',
  )
  expect(refusalSentence(errorOf('BIZ_001', 'above_owed'), 'fr', { marked })).toBe(
    'C’est plus que ce qui est dû.',
  )
})

it('what exists already is said so, and what is no answer of the API is ours', () => {
  expect(refusalSentence(errorOf('RES_002'), 'fr')).toContain('existe déjà')
  expect(refusalSentence(errorOf('RES_003'), 'fr')).not.toContain('existe déjà')
  expect(refusalSentence(new Error('broken'), 'fr')).toContain('chez nous')
})
