import { defineWords } from '../../lib/language.tsx'

/** Which one is open; null: none. */
export type Question = 'stop' | 'resume' | 'sign_in' | null

/** Where a person comes back to after signing in again: the question whether to resume is open. */
export const resumeHash = '#resume-sending'

/** On the buttons; all other words are loaded with the questions. */
export const actWords = defineWords(
  { stop: 'Arrêter les envois', resume: 'Reprendre les envois' },
  { stop: 'Stop sending', resume: 'Resume sending' },
)
