import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { keyring } from '../../../kit/crypto.ts'
import { hasPass, isGated, isRightAnswer, passCookie, plainAnswer, questionOf } from './gate.ts'
import type { Parties } from './view-store.ts'

const party = (channel: string, type: string, postalCode: string | null = '69002') =>
  ({ channel, debtor: { type, postalCode } }) as Parties
const invoices = [{ number: 'F-2026-0042' }, { number: 'Fac n° 7/b' }]
const isOpenedBy = (given: string, postalCode: string | null) =>
  isRightAnswer(questionOf(party('sms', 'consumer', postalCode), invoices).answers, plainAnswer(given))

describe('which links ask', () => {
  it.each([
    ['sms', 'business', true],
    ['sms', 'public_body', true],
    ['sms', 'consumer', true],
    ['email', 'consumer', true],
    ['lrar', 'consumer', true],
    ['voice', 'consumer', true],
    ['email', 'business', false],
    ['lrar', 'business', false],
    ['email', 'public_body', false],
  ])('by %s to a %s: %s', (channel, type, asks) => {
    expect(isGated(party(channel, type))).toBe(asks)
  })
})

describe('the answer', () => {
  it.each(['69002', ' 69 002 ', '69-002', '６９００２', '69\u00a0002'])(
    '%j is the postal code 69002',
    given => {
      expect(isOpenedBy(given, '69002')).toBe(true)
    },
  )

  it.each(['sw1a1aa', 'SW1A-1AA', ' Sw1a 1aa'])('%j is the postal code SW1A 1AA', given => {
    expect(isOpenedBy(given, 'SW1A 1AA')).toBe(true)
  })

  it.each(['', ' - ', '69003', '6900', '690022', 'F-2026-0042'])('%j is not the postal code 69002', given => {
    expect(isOpenedBy(given, '69002')).toBe(false)
  })

  it.each([null, '', ' - '])(
    'without a postal code (%j) the number of any invoice of the message is asked for',
    code => {
      expect(questionOf(party('sms', 'consumer', code), invoices).question).toBe('invoice_number')
      for (const given of ['F-2026-0042', 'f2026 0042', 'FAC N 7 B'])
        expect(isOpenedBy(given, code)).toBe(true)
      for (const given of ['F-2026-0043', '', '0042', '69002']) expect(isOpenedBy(given, code)).toBe(false)
    },
  )

  it('without a postal code and without an invoice nothing opens the link', () => {
    const { answers } = questionOf(party('sms', 'consumer', null), [])
    for (const given of ['', 'UNDEFINED', 'NULL']) expect(isRightAnswer(answers, given)).toBe(false)
  })
})

describe('the cookie of a right answer', () => {
  const key = () => randomBytes(32).toString('base64')
  const ring = keyring(`k1:${key()}`)
  const [code, wall] = ['e1aaaaaaaaaaaaaaaaaa', 1_000_000]
  const cookie = passCookie(ring, code, wall)
  const pair = cookie.split(';')[0]!
  const asked = (value: string) => ({ headers: { cookie: value } }) as FastifyRequest
  const minutes = (count: number) => wall + count * 60_000

  it('is for this host only, over https, out of reach of scripts, and for thirty minutes', () => {
    expect(cookie).toMatch(/^__Host-link-e1a+=.*; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=1800$/)
    expect(hasPass(ring, asked(pair), code, minutes(29.9))).toBe(true)
    expect(hasPass(ring, asked(pair), code, minutes(30))).toBe(false)
  })

  it('opens no other link, and cannot be prolonged, made or broken', () => {
    const other = 'e1bbbbbbbbbbbbbbbbbb'
    expect(hasPass(ring, asked(pair.replace(code, other)), other, wall)).toBe(false)
    expect(hasPass(keyring(`k1:${key()}`), asked(pair), code, wall)).toBe(false)
    expect(hasPass(keyring(`k2:${key()}`), asked(pair), code, wall)).toBe(false)
    const name = `__Host-link-${code}`
    const value = pair.slice(name.length + 1)
    for (const forged of [
      '',
      '.',
      '..',
      '99999999999999.k1.x',
      value.replace(/^\d+/, '99999999999999'),
      `${value}x`,
    ])
      expect(hasPass(ring, asked(`${name}=${forged}`), code, wall)).toBe(false)
  })
})
