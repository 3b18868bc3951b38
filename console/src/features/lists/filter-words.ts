import { clockTime, day, momentText, money, weekday } from '../../lib/format.ts'
import { type Language, wordsIn } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import { localTime } from '../../lib/zone.ts'
import { words } from './words.ts'

/** The name of a code from the URL; undefined for an unknown code. */
const known = (dictionary: Readonly<Record<string, string>>, code: string) =>
  Object.hasOwn(dictionary, code) ? dictionary[code] : undefined

type Search = Readonly<Record<string, string>>
const unfiltered = ['cursor', 'sortBy', 'sortOrder']
const moment = (text: string, zone: string, language: Language) =>
  Number.isNaN(Date.parse(text)) ? text : momentText(text, zone, language)
const dayText = (text: string, language: Language) =>
  Number.isNaN(Date.parse(text)) ? text : day(text, language)

const quarterMs = 15 * 60_000

/** The API names quarter hours by their begin: what is said goes from the begin of the first to the end of the last. */
function contactWords(
  from: string | undefined,
  to: string | undefined,
  timeZone: string,
  language: Language,
): string {
  const { open, nextOn, nextWithin, next } = wordsIn(words, language).filters
  const slotOf = (text = '') => Math.floor(Date.parse(text) / quarterMs)
  const [begin, end] = [slotOf(from) * quarterMs, (slotOf(to) + 1) * quarterMs]
  if (begin < end) {
    const [first, last] = [localTime(begin, timeZone), localTime(end - 1, timeZone)]
    const name = weekday(begin, timeZone, language)
    if (first.date === last.date)
      return first.minute === 0 && localTime(end, timeZone).minute === 0
        ? nextOn(name)
        : nextWithin(name, clockTime(begin, timeZone), clockTime(end, timeZone))
  }
  const shown = (given: string | undefined, at: number) =>
    given === undefined ? open : Number.isNaN(at) ? given : momentText(at, timeZone, language)
  return next(shown(from, begin), shown(to, end))
}

/** The filters of a list as text: no filter shows as a code, and none is left out. */
export function filterWords(
  search: Search,
  timeZone: string,
  currency: string,
  language: Language,
): string[] {
  const text = wordsIn(words, language)
  const name = wordsIn(names, language)
  const { open, other } = text.filters
  const dictionaries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    standing: text.standings,
    status: name.invoiceStatuses,
    workflowStatus: name.workflowStatuses,
    step: name.steps,
    reasonCode: name.reasons,
    debtorType: name.debtorTypes,
    risk: name.risks,
    channel: name.channels,
    state: name.historyStatuses,
    parked: { true: text.filters.parked },
  }
  const {
    nextFrom,
    nextTo,
    dueFrom,
    dueTo,
    overdueMin,
    overdueMax,
    minBalance,
    sentFrom,
    sentTo,
    search: typed,
  } = search
  const range = (from: string | undefined, to: string | undefined, show: (text: string) => string) =>
    [from === undefined ? open : show(from), to === undefined ? open : show(to)] as const
  const sentences: string[] = []
  for (const [filter, dictionary] of Object.entries(dictionaries))
    for (const code of search[filter]?.split(',') ?? []) sentences.push(known(dictionary, code) ?? other)
  if (nextFrom ?? nextTo) sentences.push(contactWords(nextFrom, nextTo, timeZone, language))
  if (sentFrom ?? sentTo)
    sentences.push(text.filters.sent(...range(sentFrom, sentTo, at => moment(at, timeZone, language))))
  if (dueFrom ?? dueTo)
    sentences.push(text.filters.due(...range(dueFrom, dueTo, at => dayText(at, language))))
  if (overdueMin ?? overdueMax)
    sentences.push(text.filters.overdue(...range(overdueMin, overdueMax, days => days)))
  if (minBalance !== undefined)
    sentences.push(text.filters.minBalance(money(Number(minBalance) || 0, currency, language)))
  if (typed !== undefined) sentences.push(text.filters.search(typed))
  const knownFilters = [
    ...Object.keys(dictionaries),
    'nextFrom',
    'nextTo',
    'dueFrom',
    'dueTo',
    'overdueMin',
    'overdueMax',
    'minBalance',
    'sentFrom',
    'sentTo',
    'search',
    ...unfiltered,
  ]
  if (Object.keys(search).some(filter => !knownFilters.includes(filter))) sentences.push(other)
  return [...new Set(sentences)]
}
