import type { Language } from '../../../access/people/texts/page-texts.ts'
import { english } from './english.ts'
import { french } from './french.ts'

export type PageTexts = typeof english

export const pageTexts: Record<Language, PageTexts> = { fr: french, en: english }
