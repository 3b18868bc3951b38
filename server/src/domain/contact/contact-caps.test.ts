import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileOf, paris } from '../../../test/simulation/contact-file.ts'
import { DAY } from '../time.ts'
import type { Channel } from './channel.ts'
import {
  type Caps,
  capsMax,
  defaultCaps,
  judgeContact,
  type PastContact,
  RULES_VERSION,
} from './contact-rules.ts'
import { nextLegalSlot } from './next-legal-slot.ts'

const allowed = { allowed: true }
const at = (text: string, channel: Channel = 'email'): PastContact => ({ at: paris(text), channel })

/** A debtor with contacts in the last month but none that the law counts, so that only the caps apply. */
const capped = (month: PastContact[], caps: Caps | null = defaultCaps, isConsumer = false) =>
  fileOf('69003', [], { month, caps, isConsumer })

test('the defaults are two a week and eight a month, and a company may go up to what the law leaves room for', () => {
  expect(defaultCaps).toEqual({ perWeek: 2, perMonth: 8 })
  expect(capsMax).toEqual({ perWeek: 6, perMonth: 26 })
  expect(RULES_VERSION).toBe(4)
})

test('a third contact waits until the first of two is seven days old, to the minute', () => {
  const file = capped([at('2026-11-16 10:00'), at('2026-11-18 09:00', 'sms')])
  const free = paris('2026-11-23 10:00')
  expect(judgeContact(file, 'voice', free - 1)).toEqual({
    allowed: false,
    because: 'weekly_cap',
    until: free,
    params: { most: 2, days: 7 },
    detail: '2 in 7 days is the most',
  })
  expect(judgeContact(file, 'voice', free)).toEqual(allowed)
  expect(nextLegalSlot(file, 'email', paris('2026-11-19 10:00'), { spreadSeed: 'd' }).at).toBe(free)
})

test('one contact in the week leaves room for a second', () => {
  expect(judgeContact(capped([at('2026-11-18 10:00')]), 'sms', paris('2026-11-19 10:00'))).toEqual(allowed)
})

test('of more contacts than the cap, the one that counts is the one whose leaving makes room', () => {
  const three = [at('2026-11-19 10:00'), at('2026-11-16 10:00'), at('2026-11-18 10:00')]
  expect(judgeContact(capped(three), 'sms', paris('2026-11-20 10:00'))).toMatchObject({
    until: paris('2026-11-25 10:00'),
  })
})

test('a ninth contact waits until the first of eight is thirty days old', () => {
  const days = ['02', '03', '09', '10', '16', '17', '23', '24']
  const file = capped(days.map(day => at(`2026-11-${day} 10:00`)))
  // The week opens on the 30th, the month two days later.
  expect(judgeContact(file, 'sms', paris('2026-12-01 10:00'))).toEqual({
    allowed: false,
    because: 'monthly_cap',
    until: paris('2026-12-02 10:00'),
    params: { most: 8, days: 30 },
    detail: '8 in 30 days is the most',
  })
  expect(judgeContact(file, 'sms', paris('2026-12-02 10:00'))).toEqual(allowed)
})

test('under the law alone nothing is counted, not even the calls of a consumer', () => {
  const many = Array.from({ length: 12 }, (_, i) => ({
    at: paris('2026-11-16 11:00') + i * DAY,
    channel: 'voice' as const,
  }))
  expect(judgeContact(capped(many, null, true), 'voice', paris('2026-11-30 11:00'))).toEqual(allowed)
})

const fourCalls = ['03', '10', '17', '24'].map(day => at(`2026-11-${day} 11:00`, 'voice'))

test('a consumer is called four times in thirty days and not a fifth', () => {
  const caps = { perWeek: 6, perMonth: 26 }
  expect(judgeContact(capped(fourCalls, caps, true), 'voice', paris('2026-12-01 11:00'))).toEqual({
    allowed: false,
    because: 'call_cap',
    until: paris('2026-12-03 11:00'),
    params: { most: 4, days: 30 },
    detail: '4 in 30 days is the most',
  })
  expect(judgeContact(capped(fourCalls, caps, true), 'voice', paris('2026-12-03 11:00'))).toEqual(allowed)
  expect(judgeContact(capped(fourCalls.slice(1), caps, true), 'voice', paris('2026-12-01 11:00'))).toEqual(
    allowed,
  )
})

test('the cap of calls is for consumers, for calls, and counts only calls', () => {
  const caps = { perWeek: 6, perMonth: 26 }
  const now = paris('2026-12-01 11:00')
  expect(judgeContact(capped(fourCalls, caps, false), 'voice', now)).toEqual(allowed)
  expect(judgeContact(capped(fourCalls, caps, true), 'email', now)).toEqual(allowed)
  const letters = fourCalls.map(call => ({ ...call, channel: 'email' as const }))
  expect(judgeContact(capped(letters, caps, true), 'voice', now)).toEqual(allowed)
})

test('a debtor who has just answered gets no message until the quiet period ends', () => {
  const quietUntil = paris('2026-11-19 10:00')
  const file = fileOf('69003', [], { quietUntil })
  expect(judgeContact(file, 'email', quietUntil - 1)).toEqual({
    allowed: false,
    because: 'sign_of_life',
    until: quietUntil,
    params: {},
    detail: 'the debtor has just answered or paid',
  })
  expect(judgeContact(file, 'email', quietUntil)).toEqual(allowed)
  const night = fileOf('69003', [], { quietUntil: paris('2026-11-19 23:00') })
  expect(nextLegalSlot(night, 'email', paris('2026-11-19 09:00')).at).toBe(paris('2026-11-20 08:00'))
})

test('the whole day is checked before the caps, the caps before the quiet period, the quiet period before the hour', () => {
  const month = [at('2026-11-12 10:00'), at('2026-11-13 10:00', 'sms')]
  const busy = fileOf('69003', [], { month, caps: defaultCaps, quietUntil: paris('2026-11-21 10:00') })
  const because = (text: string) => {
    const verdict = judgeContact(busy, 'lrar', paris(text))
    return verdict.allowed ? null : verdict.because
  }
  expect(because('2026-11-15 22:00')).toBe('sunday')
  expect(because('2026-11-16 22:00')).toBe('weekly_cap')
  expect(because('2026-11-20 22:00')).toBe('sign_of_life')
  expect(because('2026-11-21 22:00')).toBe('outside_hours')
})

test('whatever the caps and the month, no window of any length holds more than its cap', () => {
  const caps = fc.record({
    perWeek: fc.integer({ min: 1, max: 6 }),
    perMonth: fc.integer({ min: 1, max: 26 }),
  })
  const channels = fc.array(fc.constantFrom<Channel>('email', 'sms', 'lrar', 'voice'), {
    minLength: 30,
    maxLength: 30,
  })
  fc.assert(
    fc.property(caps, channels, fc.integer({ min: 0, max: 300 }), (given, wishes, day) => {
      const made: PastContact[] = []
      let now = paris('2026-01-05 10:00') + day * DAY
      for (const channel of wishes) {
        const plan = nextLegalSlot(fileOf('69003', made, { caps: given, isConsumer: true }), channel, now)
        now = plan.at!
        made.push({ at: now, channel })
      }
      const max = (days: number, list: PastContact[]) =>
        Math.max(
          0,
          ...list.map(last => list.filter(c => c.at <= last.at && c.at > last.at - days * DAY).length),
        )
      expect(max(7, made)).toBeLessThanOrEqual(given.perWeek)
      expect(max(30, made)).toBeLessThanOrEqual(given.perMonth)
      expect(
        max(
          30,
          made.filter(c => c.channel === 'voice'),
        ),
      ).toBeLessThanOrEqual(4)
    }),
    { numRuns: 60 },
  )
})
