import type { Language } from '../../../access/people/texts/words.ts'
import { english } from './english.ts'
import { french } from './french.ts'

export type Words = typeof english

export const words: Record<Language, Words> = { fr: french, en: english }
