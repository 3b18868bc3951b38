import { expect, test } from 'vitest'
import { clock, fileOf, paris } from '../../../test/simulation/contact-file.ts'
import { DAY, HOUR, iso } from '../time.ts'
import { calendarFor } from './calendar.ts'
import { COOLDOWN, judgeContact } from './contact-rules.ts'
import { nextLegalSlot } from './next-legal-slot.ts'

const lyon = fileOf('69003')
const colmar = fileOf('68000')
const allowed = { allowed: true }

test('08:00:00.000 is allowed and 07:59:59.999 is not', () => {
  expect(judgeContact(lyon, 'email', paris('2026-11-25 08:00'))).toEqual(allowed)
  expect(judgeContact(lyon, 'email', paris('2026-11-25 08:00') - 1)).toEqual({
    allowed: false,
    because: 'outside_hours',
    until: paris('2026-11-25 08:00'),
    params: { zone: 'Europe/Paris', hours: 'from 08:00 to 20:00' },
    detail: '07:59 in Europe/Paris, open from 08:00 to 20:00',
  })
})

test('19:59:59.999 is allowed and 20:00:00.000 is not', () => {
  expect(judgeContact(lyon, 'email', paris('2026-11-25 20:00') - 1)).toEqual(allowed)
  expect(judgeContact(lyon, 'email', paris('2026-11-25 20:00'))).toMatchObject({
    because: 'outside_hours',
    until: paris('2026-11-26 08:00'),
  })
})

test('nobody is contacted on a Sunday, at any hour', () => {
  for (const time of ['00:00', '08:00', '12:00', '23:59:59.999']) {
    expect(judgeContact(lyon, 'sms', paris(`2026-11-15 ${time}`))).toEqual({
      allowed: false,
      because: 'sunday',
      until: paris('2026-11-16 00:00'),
      params: { on: '2026-11-15' },
      detail: 'Sunday 2026-11-15',
    })
  }
  expect(judgeContact(lyon, 'sms', paris('2026-11-14 12:00'))).toEqual(allowed)
})

test('on Good Friday nobody is contacted in Colmar, but people may be in Lyon', () => {
  expect(judgeContact(colmar, 'email', paris('2026-04-03 10:00'))).toEqual({
    allowed: false,
    because: 'public_holiday',
    until: paris('2026-04-04 00:00'),
    params: { holiday: 'Good Friday', place: 'Alsace-Moselle', on: '2026-04-03' },
    detail: 'Good Friday, Alsace-Moselle',
  })
  expect(judgeContact(lyon, 'email', paris('2026-04-03 10:00'))).toEqual(allowed)
})

test('a formal notice due on 26 December goes that day in Lyon and on the 28th in Colmar', () => {
  const from = paris('2026-12-26 10:00')
  expect(nextLegalSlot(lyon, 'lrar', from)).toEqual({ at: from, shifts: [] })
  const plan = nextLegalSlot(colmar, 'lrar', from)
  expect(plan.at).toBe(paris('2026-12-28 08:00'))
  expect(plan).toMatchObject({
    shifts: [
      { because: 'public_holiday', detail: "Saint Stephen's Day, Alsace-Moselle", from },
      { because: 'sunday', detail: 'Sunday 2026-12-27', until: paris('2026-12-28 08:00') },
    ],
  })
})

test('the hours are those of Réunion and Martinique, not those of Paris', () => {
  const reunion = fileOf('97400')
  const martinique = fileOf('97200')
  const morningInParis = paris('2026-11-25 08:30')
  expect(judgeContact(reunion, 'email', morningInParis)).toEqual(allowed)
  expect(judgeContact(martinique, 'email', morningInParis)).toMatchObject({ because: 'outside_hours' })
  expect(judgeContact(reunion, 'email', paris('2026-11-25 17:00'))).toMatchObject({
    because: 'outside_hours',
  })
  expect(judgeContact(martinique, 'email', paris('2026-11-25 23:30'))).toEqual(allowed)
  expect(judgeContact(reunion, 'email', clock('Indian/Reunion', '2027-12-20 10:00'))).toMatchObject({
    because: 'public_holiday',
    detail: 'Abolition of Slavery, La Réunion',
  })
})

test('on the days Paris changes its clocks the window still opens at 08:00 on the wall', () => {
  const spring = nextLegalSlot(lyon, 'email', paris('2026-03-28 21:00'))
  expect(iso(spring.at ?? 0)).toBe('2026-03-30T06:00:00.000Z')
  const autumn = nextLegalSlot(lyon, 'email', paris('2026-10-24 21:00'))
  expect(iso(autumn.at ?? 0)).toBe('2026-10-26T07:00:00.000Z')
  expect(judgeContact(lyon, 'email', paris('2026-03-29 12:00'))).toMatchObject({
    because: 'sunday',
    until: Date.parse('2026-03-29T22:00:00Z'),
  })
})

test('the Azores, which skip midnight on a Sunday, keep that Sunday from its first moment', () => {
  const acores = fileOf('9500-150', [], { country: 'PT' })
  const first = Date.parse('2026-03-29T01:00:00Z')
  expect(judgeContact(acores, 'email', first)).toMatchObject({ because: 'sunday' })
  expect(judgeContact(acores, 'email', first - 1)).toMatchObject({ because: 'outside_hours' })
})

test('29 February is a day like any other', () => {
  expect(judgeContact(lyon, 'email', paris('2028-02-29 10:00'))).toEqual(allowed)
  expect(nextLegalSlot(lyon, 'email', paris('2028-02-28 21:00')).at).toBe(paris('2028-02-29 08:00'))
})

test('one message a day means the day of the debtor, not of UTC', () => {
  // Tahiti is ten hours behind: its afternoon and its morning fall on two days of UTC, and the reverse.
  const tahiti = (text: string) => clock('Pacific/Tahiti', text)
  const morning = tahiti('2026-11-25 09:00')
  const evening = tahiti('2026-11-25 17:00')
  expect(iso(morning).slice(0, 10)).not.toBe(iso(evening).slice(0, 10))
  const contacted = fileOf('98714', [{ at: morning, channel: 'email' }])
  expect(judgeContact(contacted, 'sms', evening)).toEqual({
    allowed: false,
    because: 'one_contact_a_day',
    until: tahiti('2026-11-26 00:00'),
    params: { channel: 'email', on: '2026-11-25' },
    detail: 'email on 2026-11-25, one message a day',
  })
  const nextMorning = tahiti('2026-11-26 09:00')
  expect(iso(evening).slice(0, 10)).toBe(iso(nextMorning).slice(0, 10))
  expect(judgeContact(fileOf('98714', [{ at: evening, channel: 'email' }]), 'sms', nextMorning)).toEqual(
    allowed,
  )
})

test('the cooldown of a channel ends exactly 72 hours and a quarter after the last message on it', () => {
  expect(COOLDOWN).toBe(72.25 * HOUR)
  const sent = paris('2026-11-16 10:00')
  const contacted = fileOf('69003', [{ at: sent, channel: 'sms' }])
  expect(judgeContact(contacted, 'sms', sent + COOLDOWN)).toEqual(allowed)
  expect(judgeContact(contacted, 'sms', sent + COOLDOWN - 1)).toEqual({
    allowed: false,
    because: 'channel_cooldown',
    until: sent + COOLDOWN,
    params: { channel: 'sms', on: '2026-11-16' },
    detail: 'sms on 2026-11-16, 3 days between two messages on one channel',
  })
  expect(judgeContact(contacted, 'email', sent + DAY)).toEqual(allowed)
  expect(nextLegalSlot(contacted, 'sms', sent + 3 * DAY, { spreadSeed: 'd' }).at).toBe(sent + COOLDOWN)
})

test('a message reserved for later counts like one already sent', () => {
  const reserved = paris('2026-11-20 10:00')
  const contacted = fileOf('69003', [{ at: reserved, channel: 'email' }])
  expect(judgeContact(contacted, 'sms', paris('2026-11-20 08:00'))).toMatchObject({
    because: 'one_contact_a_day',
  })
  expect(judgeContact(contacted, 'email', paris('2026-11-18 10:00'))).toMatchObject({
    because: 'channel_cooldown',
    until: reserved + COOLDOWN,
  })
  expect(judgeContact(contacted, 'email', reserved - COOLDOWN)).toEqual(allowed)
})

test('without a calendar nothing is sent and nobody knows until when', () => {
  const nowhere = fileOf('10001', [], { country: 'US' })
  expect(judgeContact(nowhere, 'email', paris('2026-11-25 10:00'))).toMatchObject({
    because: 'calendar_missing',
    until: null,
    detail: 'no public holidays known for this country',
  })
  expect(nextLegalSlot(nowhere, 'email', 0)).toMatchObject({ at: null, because: 'calendar_missing' })
})

test('past the horizon of the table nothing is sent', () => {
  expect(judgeContact(lyon, 'email', paris('2031-12-31 19:59'))).toEqual(allowed)
  expect(nextLegalSlot(lyon, 'email', paris('2031-12-31 20:00'))).toEqual({
    at: null,
    because: 'calendar_horizon',
    detail: 'public holidays known from 2025-01-01 to 2031-12-31',
  })
  expect(judgeContact(lyon, 'email', paris('2024-12-31 12:00'))).toMatchObject({
    because: 'calendar_horizon',
  })
})

test('where the zone is not known the hour must be legal in all of them', () => {
  const portugal = fileOf(null, [], { country: 'PT' })
  const lisbon = (text: string) => clock('Europe/Lisbon', text)
  expect(judgeContact(portugal, 'email', lisbon('2026-11-25 08:30'))).toMatchObject({
    because: 'outside_hours',
    until: lisbon('2026-11-25 09:00'),
  })
  expect(judgeContact(portugal, 'email', lisbon('2026-11-25 19:59'))).toEqual(allowed)
  expect(judgeContact(portugal, 'email', lisbon('2026-11-25 20:30'))).toMatchObject({
    because: 'outside_hours',
    until: lisbon('2026-11-26 09:00'),
  })
  expect(judgeContact(portugal, 'email', lisbon('2026-11-16 00:30'))).toMatchObject({ because: 'sunday' })
})

test('zones without a common hour are refused for good instead of searched for ever', () => {
  const everywhere = { ...calendarFor({ country: 'FR', postalCode: '75001' })! }
  everywhere.zones = ['Europe/Paris', 'Pacific/Auckland']
  const plan = nextLegalSlot({ ...lyon, calendar: everywhere }, 'email', paris('2026-11-25 10:00'))
  expect(plan).toMatchObject({ at: null, because: 'outside_hours' })
})

test('of several messages on one channel the last one decides until when it rests', () => {
  const [early, late] = [paris('2026-11-23 10:00'), paris('2026-11-24 10:00')]
  for (const times of [
    [early, late],
    [late, early],
  ]) {
    const file = fileOf(
      '69003',
      times.map(at => ({ at, channel: 'email' as const })),
    )
    expect(judgeContact(file, 'email', paris('2026-11-25 10:00'))).toMatchObject({
      until: late + COOLDOWN,
      detail: 'email on 2026-11-24, 3 days between two messages on one channel',
    })
  }
})

test('a day already used and the night after it are reported as one reason', () => {
  const file = fileOf('69003', [{ at: paris('2026-11-25 10:00'), channel: 'email' }])
  const from = paris('2026-11-25 11:00')
  expect(nextLegalSlot(file, 'sms', from)).toEqual({
    at: paris('2026-11-26 08:00'),
    shifts: [
      {
        because: 'one_contact_a_day',
        detail: 'email on 2026-11-25, one message a day',
        from,
        until: paris('2026-11-26 08:00'),
      },
    ],
  })
})

test('a cooldown that ends at night and the night are two reasons', () => {
  const file = fileOf('69003', [{ at: paris('2026-11-23 19:50'), channel: 'email' }])
  const { at, shifts } = nextLegalSlot(file, 'email', paris('2026-11-25 11:00')) as {
    at: number
    shifts: unknown
  }
  expect(at).toBe(paris('2026-11-27 08:00'))
  expect(shifts).toMatchObject([
    { because: 'channel_cooldown', until: paris('2026-11-26 20:05') },
    { because: 'outside_hours', until: paris('2026-11-27 08:00') },
  ])
})
