import type { HistoryCode, HistoryFact, HistoryTexts } from './history-codes.ts'
import { englishHistory } from './history-english.ts'
import { frenchHistory } from './history-french.ts'

export const historyLanguages = ['fr', 'en'] as const
export type HistoryLanguage = (typeof historyLanguages)[number]

const texts: Record<HistoryLanguage, HistoryTexts> = { fr: frenchHistory, en: englishHistory }

export const historyCodes = Object.keys(englishHistory) as [HistoryCode, ...HistoryCode[]]
const isCode = (code: string): code is HistoryCode => Object.hasOwn(englishHistory, code)

/** The sentence of a code. */
export const sentenceOf = ({ code, params }: HistoryFact, language: HistoryLanguage): string =>
  (texts[language][code] as (params: unknown) => string)(params)

/** A line as stored. Lines that are older than the codes have only an English sentence. */
export interface StoredLine {
  code: string | null
  params: Record<string, unknown> | null
  details: string
}

/** The code of a stored line with its sentence; a code that only a newer release knows keeps its stored sentence. */
export function shownLine(
  { code, params, details }: StoredLine,
  language: HistoryLanguage,
): { code: HistoryCode | null; params: Record<string, unknown>; sentence: string } {
  if (code === null || !isCode(code)) return { code: null, params: {}, sentence: details }
  return {
    code,
    params: params ?? {},
    sentence: sentenceOf({ code, params: params ?? {} } as HistoryFact, language),
  }
}
