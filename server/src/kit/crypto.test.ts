import { createHmac, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { keyring } from './crypto.ts'

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`

it('opens what an older key sealed after a new key was put in front', () => {
  const old = key('k1')
  const sealed = keyring(old).seal('webhook', 'whsec_héllo')
  const mac = keyring(old).mac('api_key', 'abc')
  const rotated = keyring(`${key('k2')},${old}`)
  expect(rotated.open('webhook', sealed)).toBe('whsec_héllo')
  expect(rotated.verifyMac('api_key', 'abc', mac)).toBe(true)
  expect(rotated.mac('api_key', 'abc')).toMatch(/^k2\./)
})

it('refuses a sealed text that was touched, moved to another purpose or made by an unknown key', () => {
  const ring = keyring(key('k1'))
  const sealed = ring.seal('webhook', 'secret')
  const touched = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA')
  expect(() => ring.open('webhook', touched)).toThrow()
  expect(() => ring.open('answers', sealed)).toThrow()
  expect(() => keyring(key('k9')).open('webhook', sealed)).toThrow(/no key named k1/)
})

it('verifies the HMAC of exactly this text and this purpose', () => {
  const ring = keyring(key('k1'))
  const mac = ring.mac('api_key', 'abc')
  expect(ring.verifyMac('api_key', 'abd', mac)).toBe(false)
  expect(ring.verifyMac('other', 'abc', mac)).toBe(false)
})

it('makes the same HMAC at every call, of a key for its use and purpose alone', () => {
  const secret = Buffer.alloc(32, 7)
  const ring = keyring(`k1:${secret.toString('base64')}`)
  const expected = (use: string, purpose: string) =>
    createHmac('sha256', createHmac('sha256', secret).update(`${use}\0${purpose}`).digest()).update('abc')
  for (const purpose of ['api_key', 'csrf', 'api_key']) {
    expect(ring.mac(purpose, 'abc')).toBe(`k1.${expected('mac', purpose).digest('base64url')}`)
    expect(ring.digests(purpose, 'abc')).toEqual([expected('digest', purpose).digest()])
  }
})

it('refuses a key that is not 32 bytes', () => {
  expect(() => keyring('k1:c2hvcnQ=')).toThrow('This is not a keyring.')
})
