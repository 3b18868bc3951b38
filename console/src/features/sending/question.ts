import { defineWords } from '../../lib/language.tsx'

/** Which question is open; null if none is. */
export type Question = 'stop' | 'resume' | 'sign_in' | null

/** The hash of the URL after a new sign-in: it opens the resume question. */
export const resumeHash = '#resume-sending'

/** On the buttons; all other words are loaded with the questions. */
export const actWords = defineWords(
  { stop: 'Arrêter les envois', resume: 'Reprendre les envois' },
  { stop: 'Stop sending', resume: 'Resume sending' },
)
