import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clock, fileOf, paris } from '../../../test/simulation/contact-file.ts'
import { addDays, DAY, HOUR, localTime, MINUTE } from '../time.ts'
import { channels } from './channel.ts'
import { COOLDOWN, judgeContact, judgeStart, type PastContact } from './contact-rules.ts'
import { nextLegalSlot } from './next-legal-slot.ts'

const lyon = fileOf('69003')
const colmar = fileOf('68000')
const allowed = { allowed: true }
const located = ([country, postalCode]: [string, string | null], contacts: PastContact[]) =>
  fileOf(postalCode, contacts, { country })

test('a step that becomes due inside an open window goes at once, seed or no seed', () => {
  const from = paris('2026-11-25 14:03:21.007')
  expect(nextLegalSlot(lyon, 'email', from, { spreadSeed: 'debtor' })).toEqual({ at: from, shifts: [] })
})

test('a message that would begin in the last two minutes of the hours waits for the next ones', () => {
  const at = (time: string) => nextLegalSlot(lyon, 'email', paris(`2026-11-25 ${time}`)).at
  expect(at('19:58:00')).toBe(paris('2026-11-25 19:58:00'))
  expect(at('19:58:00.001')).toBe(paris('2026-11-26 08:00'))
  const call = nextLegalSlot(lyon, 'voice', paris('2026-11-25 12:29'))
  expect(call).toMatchObject({ at: paris('2026-11-25 14:00'), shifts: [{ because: 'call_hours' }] })
  expect(judgeStart(lyon, 'voice', paris('2026-11-25 12:29'))).toMatchObject({
    allowed: false,
    because: 'call_hours',
    until: paris('2026-11-25 14:00'),
  })
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

test('where several clocks hold, the spread ends half an hour before the first of them closes', () => {
  const tahiti = (text: string) => clock('Pacific/Tahiti', text)
  for (let debtor = 0; debtor < 500; debtor++) {
    const { at } = nextLegalSlot(fileOf('98714'), 'email', tahiti('2026-11-25 06:00'), {
      spreadSeed: `${debtor}`,
    })
    expect(at).toBeGreaterThanOrEqual(tahiti('2026-11-25 08:00'))
    // 19:30 in the Gambiers.
    expect(at).toBeLessThan(tahiti('2026-11-25 18:30'))
  }
})

test('the second a debtor was given stays the same in every version', () => {
  const moments = ['debtor-1', 'debtor-2'].map(
    spreadSeed => nextLegalSlot(lyon, 'email', paris('2026-11-25 22:00'), { spreadSeed }).at,
  )
  expect(moments).toEqual([paris('2026-11-26 16:55:19'), paris('2026-11-26 16:35:50')])
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
  const contacted = fileOf('69003', [{ at: opening + COOLDOWN, channel: 'email' }])
  for (let debtor = 0; debtor < 50; debtor++) {
    const { at } = nextLegalSlot(contacted, 'email', paris('2026-11-25 22:00'), {
      spreadSeed: `debtor-${debtor}`,
    })
    expect(at).toBe(opening)
  }
})

test('where the region in Spain is not known, a call of Sunday evening may put the next one off beyond Easter', () => {
  const called = Date.parse('2030-04-14T16:13:00.001Z')
  const { at } = nextLegalSlot(located(['ES', null], [{ channel: 'voice', at: called }]), 'voice', called, {})
  // It may be repeated from Wednesday at 18:13, after the hours of calls. Then come holidays of one region or another, and a weekend.
  expect(new Date(at!).toISOString().slice(0, 10)).toBe('2030-04-24')
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

test('the next legal slot is legal, never before the time asked for, and within eight days, for calls ten', () => {
  fc.assert(
    fc.property(
      address,
      channel,
      moment,
      seed,
      fc.array(fc.tuple(channel, fc.integer({ min: 0, max: 5 * DAY }))),
      (where, on, from, spreadSeed, past) => {
        const contacts = past.map(([channel, ago]) => ({ channel, at: from - ago }))
        const debtor = located(where, contacts)
        const plan = nextLegalSlot(debtor, on, from, spreadSeed === undefined ? {} : { spreadSeed })
        expect(plan.at).not.toBeNull()
        const at = plan.at ?? 0
        expect(judgeStart(debtor, on, at)).toEqual(allowed)
        expect(at).toBeGreaterThanOrEqual(from)
        expect(at - from).toBeLessThan((on === 'voice' ? 10 : 8) * DAY)
        if (judgeStart(debtor, on, from).allowed) expect(at).toBe(from)
      },
    ),
    { numRuns: 3000 },
  )
})

test('reserved messages on every side never make the next slot illegal', () => {
  const around = fc.array(fc.tuple(channel, fc.integer({ min: -10 * DAY, max: 30 * DAY })), { maxLength: 12 })
  fc.assert(
    fc.property(address, channel, moment, seed, around, (where, on, from, spreadSeed, others) => {
      const debtor = located(
        where,
        others.map(([channel, offset]) => ({ channel, at: from + offset })),
      )
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
        const debtor = located(where, [{ channel: 'email', at: at + offset }])
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

test('an instant is legal for a letter exactly when the four rules hold as Intl alone reads them', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('email', 'sms', 'lrar'),
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
          contacts.every(
            contact =>
              contact.channel !== on ||
              Math.floor(Math.max(contact.at, at) / MINUTE) * MINUTE - Math.min(contact.at, at) >= COOLDOWN,
          )
        expect(judgeContact({ ...colmar, contacts }, on, at).allowed).toBe(legal)
      },
    ),
    { numRuns: 1000 },
  )
})
