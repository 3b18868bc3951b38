import type { Site } from '../../../kit/http/site.ts'

/**
 * Where to go afterwards, if it is a path of ours; else null. Browsers read a backslash as a slash and drop tabs and line
 * breaks, so whatever holds one is refused, and what was read must again be a path that begins with one slash:
 * `/.//elsewhere.example` is one until it is written down without its dot.
 */
export function ownPath(site: Pick<Site, 'publicUrl'>, text: string): string | null {
  if (text.length > 8_000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes('\\')) return null
  const { origin } = new URL(site.publicUrl)
  const url = URL.parse(text, origin)
  if (!url || url.origin !== origin || url.pathname.startsWith('//')) return null
  return url.pathname + url.search + url.hash
}

/** For what a session alone is no proof enough: signs in once more, and comes back. */
export const signInAgain = `/sign-in?again=1&next=${encodeURIComponent('/account#passkeys')}`
