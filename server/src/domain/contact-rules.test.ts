import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calendarFor } from './calendar.ts'
import { channels } from './channel.ts'
import { COOLDOWN, type ContactFile, judgeContact, nextLegalSlot, type PastContact } from './contact-rules.ts'
import { addDays, DAY, HOUR, instantOf, iso, localTime } from './time.ts'

function file(country: string, postalCode: string | null, ...contacts: PastContact[]): ContactFile {
  return { calendar: calendarFor({ country, postalCode }), contacts }
}

const lyon = file('FR', '69003')
const colmar = file('FR', '68000')

/** `2026-11-25 08:00:00.000` on the clock of a zone. */
function clock(zone: string, text: string): number {
  const [date = '', time = '00:00'] = text.split(' ')
  const [hour = '0', minute = '0', second = '0'] = time.split(':')
  return instantOf(zone, date, Number(hour) * 60 + Number(minute)) + Math.round(Number(second) * 1000)
}

const paris = (text: string) => clock('Europe/Paris', text)
const allowed = { allowed: true }

test('08:00:00.000 is allowed and 07:59:59.999 is not', () => {
  expect(judgeContact(lyon, 'email', paris('2026-11-25 08:00'))).toEqual(allowed)
  expect(judgeContact(lyon, 'email', paris('2026-11-25 08:00') - 1)).toEqual({
    allowed: false,
    because: 'outside_hours',
    until: paris('2026-11-25 08:00'),
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
      detail: 'Sunday 2026-11-15',
    })
  }
  expect(judgeContact(lyon, 'sms', paris('2026-11-14 12:00'))).toEqual(allowed)
})

test('on Good Friday Colmar is left in peace and Lyon is not', () => {
  expect(judgeContact(colmar, 'email', paris('2026-04-03 10:00'))).toEqual({
    allowed: false,
    because: 'public_holiday',
    until: paris('2026-04-04 00:00'),
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
  const reunion = file('FR', '97400')
  const martinique = file('FR', '97200')
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
  const acores = file('PT', '9500-150')
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
  const contacted = file('FR', '98714', { at: morning, channel: 'email' })
  expect(judgeContact(contacted, 'sms', evening)).toEqual({
    allowed: false,
    because: 'one_contact_a_day',
    until: tahiti('2026-11-26 00:00'),
    detail: 'email on 2026-11-25, one message a day',
  })
  const nextMorning = tahiti('2026-11-26 09:00')
  expect(iso(evening).slice(0, 10)).toBe(iso(nextMorning).slice(0, 10))
  expect(judgeContact(file('FR', '98714', { at: evening, channel: 'email' }), 'sms', nextMorning)).toEqual(
    allowed,
  )
})

test('the cooldown of a channel ends exactly 72 hours and a quarter after the last message on it', () => {
  expect(COOLDOWN).toBe(72.25 * HOUR)
  const sent = paris('2026-11-16 10:00')
  const contacted = file('FR', '69003', { at: sent, channel: 'sms' })
  expect(judgeContact(contacted, 'sms', sent + COOLDOWN)).toEqual(allowed)
  expect(judgeContact(contacted, 'sms', sent + COOLDOWN - 1)).toEqual({
    allowed: false,
    because: 'channel_cooldown',
    until: sent + COOLDOWN,
    detail: 'sms on 2026-11-16, 3 days between two messages on one channel',
  })
  expect(judgeContact(contacted, 'email', sent + DAY)).toEqual(allowed)
  expect(nextLegalSlot(contacted, 'sms', sent + 3 * DAY, { spreadSeed: 'd' }).at).toBe(sent + COOLDOWN)
})

test('a message reserved for later counts like one already sent', () => {
  const reserved = paris('2026-11-20 10:00')
  const contacted = file('FR', '69003', { at: reserved, channel: 'email' })
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
  const nowhere = file('US', '10001')
  expect(judgeContact(nowhere, 'email', paris('2026-11-25 10:00'))).toMatchObject({
    because: 'calendar_missing',
    until: null,
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
  const portugal = file('PT', null)
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
  const plan = nextLegalSlot({ calendar: everywhere, contacts: [] }, 'email', paris('2026-11-25 10:00'))
  expect(plan).toMatchObject({ at: null, because: 'outside_hours' })
})

test('a step that becomes due inside an open window goes at once, seed or no seed', () => {
  const from = paris('2026-11-25 14:03:21.007')
  expect(nextLegalSlot(lyon, 'email', from, { spreadSeed: 'debtor' })).toEqual({ at: from, shifts: [] })
})

test('messages moved to the opening are spread over the day, the same way every time, and end by 19:30', () => {
  const from = paris('2026-11-25 22:00')
  const opening = paris('2026-11-26 08:00')
  const quarters = [0, 0, 0, 0]
  for (let debtor = 0; debtor < 4000; debtor++) {
    const { at } = nextLegalSlot(lyon, 'email', from, { spreadSeed: `debtor-${debtor}` })
    expect(at).toBe(nextLegalSlot(lyon, 'email', from, { spreadSeed: `debtor-${debtor}` }).at)
    expect(at).toBeGreaterThanOrEqual(opening)
    expect(at).toBeLessThan(paris('2026-11-26 19:30'))
    quarters[Math.floor((4 * ((at ?? 0) - opening)) / (11.5 * HOUR))]! += 1
  }
  for (const share of quarters) expect(Math.abs(share - 1000)).toBeLessThan(120)
  expect(nextLegalSlot(lyon, 'email', from).at).toBe(opening)
})

test('a debtor gets another moment on another day', () => {
  const moments = new Set<number>()
  for (let day = 0; day < 20; day++) {
    const { at } = nextLegalSlot(lyon, 'email', paris(`${addDays('2026-06-01', day)} 21:00`), {
      spreadSeed: 'one',
    })
    moments.add(localTime('Europe/Paris', at ?? 0).msOfDay)
  }
  expect(moments.size).toBeGreaterThan(15)
})

test('a spread that would meet a reserved message falls back to the opening', () => {
  const opening = paris('2026-11-26 08:00')
  const contacted = file('FR', '69003', { at: opening + COOLDOWN, channel: 'email' })
  for (let debtor = 0; debtor < 50; debtor++) {
    const { at } = nextLegalSlot(contacted, 'email', paris('2026-11-25 22:00'), {
      spreadSeed: `debtor-${debtor}`,
    })
    expect(at).toBe(opening)
  }
})

const channel = fc.constantFrom(...channels)
const address = fc.constantFrom(
  ['FR', '69003'],
  ['FR', '68000'],
  ['FR', '97400'],
  ['FR', '97200'],
  ['FR', '98714'],
  ['FR', null],
  ['ES', null],
  ['PT', null],
  ['PT', '9500-150'],
  ['DE', '80331'],
  ['CH', '1204'],
  ['LU', '1855'],
  ['IT', '20121'],
) as fc.Arbitrary<[string, string | null]>
const moment = fc.integer({ min: Date.UTC(2025, 0, 2), max: Date.UTC(2031, 10, 1) })
const seed = fc.option(fc.string(), { nil: undefined })

test('the next legal slot is legal, never before the time asked for, and within eight days under the floor alone', () => {
  fc.assert(
    fc.property(
      address,
      channel,
      moment,
      seed,
      fc.array(fc.tuple(channel, fc.integer({ min: 0, max: 5 * DAY }))),
      (where, on, from, spreadSeed, past) => {
        const contacts = past.map(([channel, ago]) => ({ channel, at: from - ago }))
        const debtor = file(...where, ...contacts)
        const plan = nextLegalSlot(debtor, on, from, spreadSeed === undefined ? {} : { spreadSeed })
        expect(plan.at).not.toBeNull()
        const at = plan.at ?? 0
        expect(judgeContact(debtor, on, at)).toEqual(allowed)
        expect(at).toBeGreaterThanOrEqual(from)
        expect(at - from).toBeLessThan(8 * DAY)
        if (judgeContact(debtor, on, from).allowed) expect(at).toBe(from)
      },
    ),
    { numRuns: 3000 },
  )
})

test('reserved messages on every side never make the next slot illegal', () => {
  const around = fc.array(fc.tuple(channel, fc.integer({ min: -10 * DAY, max: 30 * DAY })), { maxLength: 12 })
  fc.assert(
    fc.property(address, channel, moment, seed, around, (where, on, from, spreadSeed, others) => {
      const debtor = file(...where, ...others.map(([channel, offset]) => ({ channel, at: from + offset })))
      const plan = nextLegalSlot(debtor, on, from, spreadSeed === undefined ? {} : { spreadSeed })
      expect(judgeContact(debtor, on, plan.at ?? 0)).toEqual(allowed)
      expect(plan.at).toBeGreaterThanOrEqual(from)
    }),
    { numRuns: 1000 },
  )
})

test('an obstacle always ends later than it is met, and is over at the moment it names', () => {
  fc.assert(
    fc.property(
      address,
      channel,
      moment,
      fc.integer({ min: -4 * DAY, max: 4 * DAY }),
      (where, on, at, offset) => {
        const debtor = file(...where, { channel: 'email', at: at + offset })
        const verdict = judgeContact(debtor, on, at)
        if (verdict.allowed || verdict.until === null) return
        expect(verdict.until).toBeGreaterThan(at)
        const then = judgeContact(debtor, on, verdict.until)
        if (verdict.because === 'channel_cooldown' || verdict.because === 'outside_hours') {
          expect(then).not.toMatchObject({ because: verdict.because })
        }
      },
    ),
    { numRuns: 2000 },
  )
})

test('a legal instant satisfies the four rules as Intl alone reads them', () => {
  fc.assert(
    fc.property(
      channel,
      moment,
      fc.array(fc.tuple(channel, fc.integer({ min: -5 * DAY, max: 5 * DAY })), { maxLength: 4 }),
      (on, at, others) => {
        const contacts = others.map(([channel, offset]) => ({ channel, at: at + offset }))
        const local = (instant: number, options: Intl.DateTimeFormatOptions) =>
          new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Paris', hourCycle: 'h23', ...options }).format(
            instant,
          )
        const day = (instant: number) => local(instant, { dateStyle: 'short' })
        const hour = Number(local(at, { hour: '2-digit' }))
        const legal =
          hour >= 8 &&
          hour < 20 &&
          local(at, { weekday: 'short' }).slice(0, 3) !== 'Sun' &&
          !colmar.calendar?.holidays.has(day(at)) &&
          contacts.every(contact => day(contact.at) !== day(at)) &&
          contacts.every(contact => contact.channel !== on || Math.abs(contact.at - at) >= COOLDOWN)
        expect(judgeContact({ ...colmar, contacts }, on, at).allowed).toBe(legal)
      },
    ),
    { numRuns: 1000 },
  )
})
