import type { PageContext } from '../../../kit/http/pages.ts'

/**
 * The redirect target, if it is a path of ours; else null. Browsers read a backslash as a slash and drop tabs and line breaks,
 * so a text with one of these is refused. The parsed path must begin with exactly one slash too: the parser turns
 * `/.//elsewhere.example` into `//elsewhere.example`.
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

/** Where to sign in again before a change that needs it. `why` selects the text shown there; `next` is the path to return to. */
export const signInAgain = (next: string, why = '1'): string =>
  `/sign-in?again=${why}&next=${encodeURIComponent(next)}`

/** Before changing passkeys or owners; it returns to the passkeys afterwards. */
export const signInAgainPath = signInAgain('/account#passkeys')

export const companyPath = (companyId: string): string => `/account/company?company=${companyId}`

/** Where to sign in again before a sensitive change of a company; it returns to the company page. */
export const signInAgainForCompany = (companyId: string): string =>
  signInAgain(companyPath(companyId), 'company')
