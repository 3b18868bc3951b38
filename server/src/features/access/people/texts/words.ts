import { englishAccount } from './english-account.ts'
import { englishPages } from './english-pages.ts'
import { frenchAccount } from './french-account.ts'
import { frenchPages } from './french-pages.ts'

export type Language = 'fr' | 'en'

export type Words = typeof englishPages & typeof englishAccount

/** All that is said on a page, in each language: what one of them lacks does not compile. */
export const words: Record<Language, Words> = {
  fr: { ...frenchPages, ...frenchAccount },
  en: { ...englishPages, ...englishAccount },
}
