import { expect, test } from 'vitest'
import { clock, fileOf, paris } from '../../../test/simulation/contact-file.ts'
import { localTime, MINUTE } from '../time.ts'
import { calendarFor } from './calendar.ts'
import { closingAt, hoursFor, isOpenAt, nextOpening, windowAt } from './contact-hours.ts'
import { judgeContact } from './contact-rules.ts'
import { nextLegalSlot } from './next-legal-slot.ts'

const lyon = fileOf('69003')
const consumer = fileOf('69003', [], { isConsumer: true })
const calendar = calendarFor({ country: 'FR', postalCode: '69003' })!
const business = hoursFor('voice', false)

/** Wednesday 25 November 2026, the minutes at which it becomes possible and impossible to call. */
const edges = (file: typeof lyon): string[] => {
  const found: string[] = []
  let before = false
  for (let minute = 0; minute < 24 * 60; minute++) {
    const open = judgeContact(file, 'voice', paris('2026-11-25 00:00') + minute * MINUTE).allowed
    if (open !== before) found.push(`${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`)
    before = open
  }
  return found
}

test('businesses are called from 09:00 to 12:30 and from 14:00 to 18:30', () => {
  expect(edges(lyon)).toEqual(['9:00', '12:30', '14:00', '18:30'])
})

test('consumers are called from 10:00 to 13:00 and from 14:00 to 20:00', () => {
  expect(edges(consumer)).toEqual(['10:00', '13:00', '14:00', '20:00'])
})

test('the windows of calls end to the millisecond', () => {
  expect(judgeContact(lyon, 'voice', paris('2026-11-25 12:30') - 1)).toEqual({ allowed: true })
  expect(judgeContact(lyon, 'voice', paris('2026-11-25 12:30'))).toEqual({
    allowed: false,
    because: 'call_hours',
    until: paris('2026-11-25 14:00'),
    params: { zone: 'Europe/Paris', hours: 'from 09:00 to 12:30 and from 14:00 to 18:30, Monday to Friday' },
    detail: '12:30 in Europe/Paris, open from 09:00 to 12:30 and from 14:00 to 18:30, Monday to Friday',
  })
  expect(judgeContact(consumer, 'voice', paris('2026-11-25 09:05'))).toMatchObject({
    until: paris('2026-11-25 10:00'),
    detail: '09:05 in Europe/Paris, open from 10:00 to 13:00 and from 14:00 to 20:00, Monday to Friday',
  })
})

test('nobody is called on a Saturday, and everything written may go', () => {
  const saturday = paris('2026-11-28 10:00')
  for (const file of [lyon, consumer])
    expect(judgeContact(file, 'voice', saturday)).toMatchObject({ because: 'call_hours' })
  for (const channel of ['email', 'sms', 'lrar'] as const)
    expect(judgeContact(lyon, channel, saturday)).toEqual({ allowed: true })
})

test('a call refused on Friday evening or Saturday goes on Monday at nine', () => {
  for (const from of ['2026-11-27 18:30', '2026-11-28 08:00', '2026-11-28 19:00', '2026-11-29 12:00'])
    expect(nextLegalSlot(lyon, 'voice', paris(from)).at).toBe(paris('2026-11-30 09:00'))
})

test('a call refused in the evening goes the next morning, at noon the same afternoon', () => {
  expect(nextLegalSlot(lyon, 'voice', paris('2026-11-25 19:00')).at).toBe(paris('2026-11-26 09:00'))
  expect(nextLegalSlot(lyon, 'voice', paris('2026-11-25 13:00')).at).toBe(paris('2026-11-25 14:00'))
  expect(nextLegalSlot(lyon, 'voice', paris('2026-11-25 06:00')).at).toBe(paris('2026-11-25 09:00'))
})

test('calls moved to an opening are spread over that window only, and end half an hour before it', () => {
  for (let debtor = 0; debtor < 300; debtor++) {
    const morning = nextLegalSlot(lyon, 'voice', paris('2026-11-25 06:00'), { spreadSeed: `d${debtor}` })
    expect(morning.at).toBeGreaterThanOrEqual(paris('2026-11-25 09:00'))
    expect(morning.at).toBeLessThan(paris('2026-11-25 12:00'))
    const afternoon = nextLegalSlot(lyon, 'voice', paris('2026-11-25 13:00'), { spreadSeed: `d${debtor}` })
    expect(afternoon.at).toBeGreaterThanOrEqual(paris('2026-11-25 14:00'))
    expect(afternoon.at).toBeLessThan(paris('2026-11-25 18:00'))
  }
})

test('where three clocks hold at once, a call is legal on all of them', () => {
  const tahiti = (text: string) => clock('Pacific/Tahiti', text)
  const polynesia = fileOf('98714')
  const open = (text: string) => judgeContact(polynesia, 'voice', tahiti(text)).allowed
  expect([open('2026-11-25 08:59'), open('2026-11-25 09:00')]).toEqual([false, true])
  // 12:30 in the Gambiers, which are an hour ahead.
  expect([open('2026-11-25 11:29'), open('2026-11-25 11:30')]).toEqual([true, false])
  expect([open('2026-11-25 13:59'), open('2026-11-25 14:00')]).toEqual([false, true])
  expect([open('2026-11-25 17:29'), open('2026-11-25 17:30')]).toEqual([true, false])
  expect(nextLegalSlot(polynesia, 'voice', tahiti('2026-11-25 11:30')).at).toBe(tahiti('2026-11-25 14:00'))
  expect(nextLegalSlot(polynesia, 'voice', tahiti('2026-11-25 17:30')).at).toBe(tahiti('2026-11-26 09:00'))
})

test('the end of a window is known inside it, and outside there is none', () => {
  expect(windowAt(business, 'Europe/Paris', paris('2026-11-25 10:00'))).toEqual({
    closes: paris('2026-11-25 12:30'),
  })
  expect(windowAt(business, 'Europe/Paris', paris('2026-11-25 13:00'))).toBeNull()
  expect(windowAt(business, 'Europe/Paris', paris('2026-11-28 10:00'))).toBeNull()
})

test('the closing of several clocks is the first of them, and a closed one closes at once', () => {
  const at = paris('2026-11-25 10:00')
  expect(closingAt(calendar, business, at)).toBe(paris('2026-11-25 12:30'))
  const polynesia = calendarFor({ country: 'FR', postalCode: '98714' })!
  const morning = clock('Pacific/Tahiti', '2026-11-25 09:00')
  expect(closingAt(polynesia, hoursFor('email', false), morning)).toBe(
    clock('Pacific/Gambier', '2026-11-25 20:00'),
  )
  const early = clock('Pacific/Tahiti', '2026-11-25 07:30')
  expect(closingAt(polynesia, hoursFor('email', false), early)).toBe(early)
})

test('an open instant opens at itself, a Saturday for calls not before Sunday, which the day forbids', () => {
  const open = paris('2026-11-25 10:00')
  expect(nextOpening(calendar, business, open)).toBe(open)
  expect(nextOpening(calendar, business, paris('2026-11-28 08:00'))).toBe(paris('2026-11-29 09:00'))
  expect(nextOpening(calendar, business, paris('2026-11-27 19:00'))).toBe(paris('2026-11-29 09:00'))
  expect(nextOpening(calendar, hoursFor('sms', true), paris('2026-11-27 21:00'))).toBe(
    paris('2026-11-28 08:00'),
  )
  expect(isOpenAt(business, localTime('Europe/Paris', open))).toBe(true)
})

test('letters, emails and texts have our usual hours, for consumers and businesses alike', () => {
  for (const channel of ['email', 'sms', 'lrar'] as const)
    for (const isConsumer of [true, false])
      expect(hoursFor(channel, isConsumer)).toMatchObject({
        because: 'outside_hours',
        windows: [[480, 1200]],
      })
})
