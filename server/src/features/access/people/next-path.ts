import type { PageContext } from '../../../kit/http/pages.ts'

/**
 * Where to go afterwards, if it is a path of ours; else null. Browsers read a backslash as a slash and drop tabs and line
 * breaks, so a text with one of these is refused, and the parsed path must again begin with exactly one slash:
 * `/.//elsewhere.example` is one until it is written down without its dot.
 */
export function ownPath(context: Pick<PageContext, 'publicUrl'>, text: string): string | null {
  if (text.length > 8_000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes('\\')) return null
  const { origin } = new URL(context.publicUrl)
  const url = URL.parse(text, origin)
  if (!url || url.origin !== origin || url.pathname.startsWith('//')) return null
  return url.pathname + url.search + url.hash
}

/** Where people begin once they are signed in. */
export const startPath = '/console'

/** Where to sign in again before a change that needs a recent sign-in. `why` selects the sentence shown there; `next` is the way back. */
export const signInAgain = (next: string, why = '1'): string =>
  `/sign-in?again=${why}&next=${encodeURIComponent(next)}`

/** Before changing passkeys or owners; it returns to the passkeys afterwards. */
export const signInAgainPath = signInAgain('/account#passkeys')

export const companyPath = (companyId: string): string => `/account/company?company=${companyId}`

/** Where to sign in again before changing what matters of a company; it returns to the page of the company. */
export const signInAgainForCompany = (companyId: string): string =>
  signInAgain(companyPath(companyId), 'company')
