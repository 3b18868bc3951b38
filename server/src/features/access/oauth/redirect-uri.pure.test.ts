import { expect, it } from 'vitest'
import { faultInRedirectUri } from './redirect-uri.ts'

it.each([
  'https://example.com/callback',
  'https://example.com',
  'https://example.com:8443/cb?tenant=1&x=%20',
  'https://xn--bcher-kva.example/cb',
  'https://192.0.2.1/cb',
  'http://127.0.0.1/cb',
  'http://127.0.0.1:8123/cb',
  'http://[::1]:8123/cb',
  'http://localhost:3000/',
  'com.example.app:/cb',
  'com.example.app:/deep/cb?x=1',
])('%s is somewhere people may be sent back to', uri => {
  expect(faultInRedirectUri(uri)).toBeNull()
})

it.each([
  '',
  'example.com/cb',
  '/cb',
  '//example.com/cb',
  'https:example.com/cb',
  'https:/example.com/cb',
  'HTTPS://example.com/cb',
  'https://',
  'https://example.com/cb#top',
  'https://example.com/cb#',
  'https://user@example.com/cb',
  'https://user:secret@example.com/cb',
  'https://:@example.com/cb',
  'https://*.example.com/cb',
  'https://example.com/*',
  'http://example.com/cb',
  'http://127.0.0.2/cb',
  'http://127.0.0.1.example.com/cb',
  'http://localhost.example.com/cb',
  'http://localhost@example.com/cb',
  'http:127.0.0.1/cb',
  'https://example.com\\@evil.example/cb',
  'https://example.com/a b',
  ' https://example.com/cb',
  'https://example.com/cb\n',
  'https://exämple.com/cb',
  'https://example.com/<script>',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'myapp:/cb',
  'com.example.app:cb',
  'com.example.app://cb',
  'com.example.app:///cb',
  'com.evil.app://accounts.google.com/callback',
  'com.example.app://user:secret@cb',
  'urn:ietf:wg:oauth:2.0:oob',
])('%j is not', uri => {
  expect(faultInRedirectUri(uri)).toMatch(/^(must|is)/)
})

it('five hundred characters are enough', () => {
  const start = 'https://example.com/'
  expect(faultInRedirectUri(start.padEnd(500, 'x'))).toBeNull()
  expect(faultInRedirectUri(start.padEnd(501, 'x'))).toBe('is longer than 500 characters')
})
