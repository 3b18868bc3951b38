/** The characters of a URI (RFC 3986) without `#`. A backslash is refused, because some parsers read it as a slash. */
const plain = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/

const loopback = ['127.0.0.1', '[::1]', 'localhost']

/** RFC 8252 §7.1: a private scheme is a reversed domain name. */
const privateScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/

/** The reason why a redirect URI is not allowed; null when it is. It is stored and compared exactly. */
export function faultInRedirectUri(text: string): string | null {
  if (text.length > 500) return 'is longer than 500 characters'
  if (text.includes('#')) return 'must not have a fragment'
  if (text.includes('*')) return 'must be whole: there are no wildcards'
  if (!plain.test(text)) return 'must be a URI, with everything else escaped'
  const url = URL.parse(text)
  if (!url || !text.startsWith(url.protocol))
    return 'must be a whole URI, such as https://example.com/callback'
  // Checked in the text, because the parser drops an empty user name.
  if (/^[^/]*\/\/[^/?]*@/.test(text)) return 'must not carry a user name or password'
  if (url.protocol === 'https:' && text.startsWith('https://')) return null
  if (url.protocol === 'http:')
    return text.startsWith('http://') && loopback.includes(url.hostname)
      ? null
      : 'must be https; http is for 127.0.0.1, [::1] and localhost'
  // Not `://`: the part after it would be read as a host, and no ownership of it is checked.
  return privateScheme.test(url.protocol) && /^[^/]*:\/(?!\/)/.test(text)
    ? null
    : 'must be https, http on loopback, or a scheme of the application’s own such as com.example.app:/callback'
}
