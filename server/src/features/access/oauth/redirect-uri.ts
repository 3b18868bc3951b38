/** What a URI is written with (RFC 3986), without the mark of a fragment. A backslash means a slash to some and not to others. */
const plain = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/

const loopback = ['127.0.0.1', '[::1]', 'localhost']

/** RFC 8252 §7.1: a scheme of an application's own is a domain its maker has, turned around. */
const privateScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/

/** Why nobody may be sent there after consent, in words; null when they may. It is kept and compared letter by letter. */
export function faultInRedirectUri(text: string): string | null {
  if (text.length > 500) return 'is longer than 500 characters'
  if (text.includes('#')) return 'must not have a fragment'
  if (text.includes('*')) return 'must be whole: there are no wildcards'
  if (!plain.test(text)) return 'must be a URI, with everything else escaped'
  const url = URL.parse(text)
  if (!url || !text.startsWith(url.protocol))
    return 'must be a whole URI, such as https://example.com/callback'
  // Asked of the text: an empty name is one too, and the parser forgets it.
  if (/^[^/]*\/\/[^/?]*@/.test(text)) return 'must not carry a user name or password'
  if (url.protocol === 'https:' && text.startsWith('https://')) return null
  if (url.protocol === 'http:')
    return text.startsWith('http://') && loopback.includes(url.hostname)
      ? null
      : 'must be https; http is for 127.0.0.1, [::1] and localhost'
  // Not `://`: what follows would be read as a host, and nobody has to own it.
  return privateScheme.test(url.protocol) && /^[^/]*:\/(?!\/)/.test(text)
    ? null
    : 'must be https, http on loopback, or a scheme of the application’s own such as com.example.app:/callback'
}
