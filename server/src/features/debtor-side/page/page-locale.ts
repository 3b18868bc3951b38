import type { FastifyRequest } from 'fastify'
import { cents, formatMoney } from '../../../domain/money/money.ts'
import type { LocalDate } from '../../../domain/time.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import type { Language } from '../../access/people/texts/page-texts.ts'
import { preferredLanguage } from '../../access/people/view.ts'
import { type PageTexts, pageTexts } from './texts/page-texts.ts'

export interface Writer {
  name: string
  logo: { mediaType: string; base64: string } | null
}

/** The language of a page, its texts, its links, and how it formats sums and days. */
export interface PageLocale {
  readonly language: Language
  readonly texts: PageTexts
  /** The path of another page of the same message; empty for the summary. */
  pathTo(path: string): string
  readonly otherLanguageUrl: string
  /** The sender that the head of the page shows; null if none is named. */
  readonly writer: Writer | null
  money(amountCents: number, currency: string): string
  /** With the month as a word, since 11/12 is not the same day everywhere. */
  day(date: LocalDate): string
  /** The day of a moment in the given time zone. */
  dayOf(at: number, zone: string): string
  percent(bps: number): string
}

const isLanguage = (text: unknown): text is Language => text === 'fr' || text === 'en'
const localeTags = { fr: 'fr-FR', en: 'en-GB' }

const fullDate = (language: Language, timeZone: string) =>
  new Intl.DateTimeFormat(localeTags[language], { day: 'numeric', month: 'long', year: 'numeric', timeZone })

/** The first of a month is an ordinal in French. */
const ordinal = (language: Language, text: string) => (language === 'fr' ? text.replace(/^1 /, '1er ') : text)

export function pageLocaleOf(
  request: FastifyRequest,
  code: string,
  debtorLanguage: Language | null,
  writer: Writer | null = null,
): PageLocale {
  const { lang } = request.query as Record<string, unknown>
  const chosen = isLanguage(lang) ? lang : null
  const language = chosen ?? debtorLanguage ?? preferredLanguage(request.headers['accept-language'])
  const other = language === 'fr' ? 'en' : 'fr'
  const [path = ''] = request.url.split('?')
  return {
    language,
    texts: pageTexts[language],
    pathTo: page => `/d/${code}${page}${chosen ? `?lang=${chosen}` : ''}`,
    otherLanguageUrl: `${path}?lang=${other}`,
    writer,
    // With the minus sign U+2212 instead of a hyphen.
    money: (amountCents, currency) => formatMoney(cents(amountCents), currency, language).replace('-', '−'),
    day: date => ordinal(language, fullDate(language, 'UTC').format(Date.parse(`${date}T00:00:00Z`))),
    dayOf: (at, zone) => ordinal(language, fullDate(language, zone).format(at)),
    percent: bps =>
      (bps / 100).toLocaleString(localeTags[language], {
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
      }),
  }
}

/** A `<time>` element. */
export const timeElement = (locale: PageLocale, date: LocalDate): Html =>
  html`<time datetime="${date}">${locale.day(date)}</time>`
