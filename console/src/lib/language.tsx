import { createContext, useContext } from 'react'

export type Language = 'fr' | 'en'

export const LanguageContext = createContext<Language>('fr')

export const useLanguage = () => useContext(LanguageContext)

type Sentence = string | ((...values: never[]) => string)
interface Dictionary {
  readonly [key: string]: Sentence | Dictionary
}

/** The same keys, and the same parameters in each sentence that has some. */
type SameShape<D> = {
  readonly [K in keyof D]: D[K] extends string
    ? string
    : D[K] extends (...values: infer V) => string
      ? (...values: V) => string
      : SameShape<D[K]>
}

export interface Words<D> {
  readonly fr: D
  readonly en: SameShape<D>
}

/** The words of one feature. A sentence that is missing in one of the two languages does not compile. */
export const defineWords = <const D extends Dictionary>(fr: D, en: SameShape<D>): Words<D> => ({ fr, en })

export const wordsIn = <D,>(words: Words<D>, language: Language): SameShape<D> =>
  language === 'en' ? words.en : (words.fr as SameShape<D>)

/** The words in the language of the reader. */
export const useWords = <D,>(words: Words<D>): SameShape<D> => wordsIn(words, useLanguage())
