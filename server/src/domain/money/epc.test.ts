import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { epcPayload } from './epc.ts'

const iban = 'FR1420041010050500013M02606'
const request = { name: 'Atelier Martin SAS', iban, amountCents: 120_000, remittance: 'F-2026-0042' }

describe('the code on a bill', () => {
  it('is eleven lines: version 002, UTF-8, a SEPA transfer without BIC, the sum with a point, the reference as text', () => {
    expect(epcPayload(request)).toEqual({
      allowed: true,
      payload: `BCD\n002\n1\nSCT\n\nAtelier Martin SAS\n${iban}\nEUR1200.00\n\n\nF-2026-0042`,
    })
  })

  it.each([
    [1, 'EUR0.01'],
    [99, 'EUR0.99'],
    [100, 'EUR1.00'],
    [999_999_999_99, 'EUR999999999.99'],
  ])('%i cents are written %s', (amountCents, written) => {
    const epc = epcPayload({ ...request, amountCents })
    expect(epc.allowed && epc.payload.split('\n')[7]).toBe(written)
  })

  it.each([0, -1, 1.5, 1_000_000_000_00, Number.NaN])('%d cents are no transfer', amountCents => {
    expect(epcPayload({ ...request, amountCents })).toEqual({ allowed: false, because: 'amount' })
  })

  it('a name longer than 70 characters is shortened, a reference longer than 140 is refused', () => {
    const epc = epcPayload({ ...request, name: 'é'.repeat(71) })
    expect(epc.allowed && epc.payload.split('\n')[5]).toBe('é'.repeat(70))
    expect(epcPayload({ ...request, remittance: 'x'.repeat(140) }).allowed).toBe(true)
    expect(epcPayload({ ...request, remittance: 'x'.repeat(141) })).toEqual({
      allowed: false,
      because: 'remittance',
    })
  })

  it('without a name, a reference or a real IBAN there is none', () => {
    expect(epcPayload({ ...request, name: ' \n' })).toEqual({ allowed: false, because: 'name' })
    expect(epcPayload({ ...request, remittance: '\u200b' })).toEqual({
      allowed: false,
      because: 'remittance',
    })
    expect(epcPayload({ ...request, iban: 'FR1420041010050500013M02607' })).toEqual({
      allowed: false,
      because: 'iban',
    })
  })

  it('what does not fit into the largest code is refused', () => {
    expect(epcPayload({ ...request, name: '字'.repeat(70), remittance: '字'.repeat(140) })).toEqual({
      allowed: false,
      because: 'too_long',
    })
  })

  it('whatever the names, it has eleven lines, and the money goes to that IBAN and in that sum', () => {
    const sign = fc.constantFrom(
      'a',
      ' ',
      'é',
      '字',
      '\n',
      '\r',
      '\t',
      '\u0085',
      '\u2028',
      '\u202e',
      '\ud83d',
    )
    const text = fc.string({ unit: sign, maxLength: 160 })
    fc.assert(
      fc.property(text, text, (name, remittance) => {
        const epc = epcPayload({ ...request, name, remittance })
        if (!epc.allowed) return
        const lines = epc.payload.split(/\r\n|[\n\r\u0085\u2028\u2029]/)
        expect(lines).toHaveLength(11)
        expect(lines.slice(6, 8)).toEqual([iban, 'EUR1200.00'])
        expect(new TextEncoder().encode(epc.payload).length).toBeLessThanOrEqual(331)
      }),
    )
  })
})
