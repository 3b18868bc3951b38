import type { FastifyRequest } from 'fastify'
import { cents, formatMoney } from '../../../domain/money/money.ts'
import type { LocalDate } from '../../../domain/time.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import type { Language } from '../../access/people/texts/words.ts'
import { preferred } from '../../access/people/view.ts'
import { type Words, words } from './texts/words.ts'

/** In which language a page is shown, and how it writes sums and days. */
export interface View {
  readonly language: Language
  readonly words: Words
  /** A page of the same message; empty for the summary. */
  to(path: string): string
  readonly inOtherLanguage: string
  money(amountCents: number, currency: string): string
  /** In words, since 11/12 is not the same day everywhere. */
  day(date: LocalDate): string
  /** The day of a moment where the debtor is. */
  dayOf(at: number, zone: string): string
  percent(bps: number): string
}

const isLanguage = (text: unknown): text is Language => text === 'fr' || text === 'en'
const locales = { fr: 'fr-FR', en: 'en-GB' }

const inFull = (language: Language, timeZone: string) =>
  new Intl.DateTimeFormat(locales[language], { day: 'numeric', month: 'long', year: 'numeric', timeZone })

/** The first of a month is an ordinal in French. */
const ordinal = (language: Language, text: string) => (language === 'fr' ? text.replace(/^1 /, '1er ') : text)

export function viewOf(request: FastifyRequest, code: string, own: Language | null): View {
  const { lang } = request.query as Record<string, unknown>
  const chosen = isLanguage(lang) ? lang : null
  const language = chosen ?? own ?? preferred(request.headers['accept-language'])
  const other = language === 'fr' ? 'en' : 'fr'
  const [path = ''] = request.url.split('?')
  return {
    language,
    words: words[language],
    to: page => `/d/${code}${page}${chosen ? `?lang=${chosen}` : ''}`,
    inOtherLanguage: `${path}?lang=${other}`,
    // With a real minus, which does not look like a dash.
    money: (amountCents, currency) => formatMoney(cents(amountCents), currency, language).replace('-', '−'),
    day: date => ordinal(language, inFull(language, 'UTC').format(Date.parse(`${date}T00:00:00Z`))),
    dayOf: (at, zone) => ordinal(language, inFull(language, zone).format(at)),
    percent: bps =>
      (bps / 100).toLocaleString(locales[language], { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  }
}

/** For people in words, for machines as a date. */
export const time = (view: View, date: LocalDate): Html =>
  html`<time datetime="${date}">${view.day(date)}</time>`
