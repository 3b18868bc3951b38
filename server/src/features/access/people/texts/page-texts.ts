import { englishAccount } from './english-account.ts'
import { englishPages } from './english-pages.ts'
import { frenchAccount } from './french-account.ts'
import { frenchPages } from './french-pages.ts'

export type Language = 'fr' | 'en'

export type PageTexts = typeof englishPages & typeof englishAccount

/** All texts of the pages, in each language; a missing text does not compile. */
export const pageTexts: Record<Language, PageTexts> = {
  fr: { ...frenchPages, ...frenchAccount },
  en: { ...englishPages, ...englishAccount },
}
