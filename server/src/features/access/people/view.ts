import type { FastifyRequest } from 'fastify'
import type { Session } from './session.ts'
import { type Language, type PageTexts, pageTexts } from './texts/page-texts.ts'

/** The language and the session for which a page is shown. */
export interface View {
  readonly language: Language
  readonly texts: PageTexts
  readonly session: Session | null
  /** A link to one of our paths; it keeps the language when the person chose it. */
  to(path: string): string
  /** The URL of this page in the other language; null for a POST. */
  readonly otherLanguageUrl: string | null
}

const isLanguage = (text: unknown): text is Language => text === 'fr' || text === 'en'

/** RFC 9110 §12.5.4, as far as two languages need it. */
export function preferredLanguage(header: string | undefined): Language {
  if (!header?.trim()) return 'fr'
  const asked = header
    .split(',')
    .map(entry => {
      const [tag = '', ...parameters] = entry.trim().toLowerCase().split(';')
      const quality = parameters.find(parameter => parameter.trim().startsWith('q='))
      const weight = quality ? Number(quality.trim().slice(2)) : 1
      return { language: tag.split('-')[0], weight: Number.isFinite(weight) ? weight : 0 }
    })
    .filter(({ language, weight }) => isLanguage(language) && weight > 0)
    .sort((a, b) => b.weight - a.weight)
  const best = asked[0]?.language
  // A person who reads neither is more likely to know English.
  return isLanguage(best) ? best : 'en'
}

const withLanguage = (path: string, language: Language): string => {
  const [before = '', ...hash] = path.split('#')
  const [pathname = '', query = ''] = before.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('lang', language)
  return `${pathname}?${parameters}${hash.length > 0 ? `#${hash.join('#')}` : ''}`
}

export function viewOf(request: FastifyRequest, session: Session | null): View {
  const { lang } = request.query as Record<string, unknown>
  const chosen = isLanguage(lang) ? lang : null
  const language = chosen ?? session?.person.language ?? preferredLanguage(request.headers['accept-language'])
  const other = language === 'fr' ? 'en' : 'fr'
  return {
    language,
    texts: pageTexts[language],
    session,
    to: path => (chosen ? withLanguage(path, chosen) : path),
    otherLanguageUrl: request.method === 'GET' ? withLanguage(request.url, other) : null,
  }
}
