import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clock, fileOf, paris } from '../../../test/simulation/contact-file.ts'
import type { Channel } from '../contact/channel.ts'
import { defaultCaps } from '../contact/contact-rules.ts'
import { addDays, DAY, type Instant, localTime } from '../time.ts'
import { cascadeOf } from './cascade.ts'
import { anchorOf, planAt, planFirstStep, planStep, type Timing } from './plan-step.ts'

const lyon = fileOf('69003')
const nowhere = fileOf('10001', [], { country: 'US' })
const cascade = cascadeOf('fr_b2b_standard', 1)
const monday = paris('2026-11-16 09:00')
const dayOf = (at: Instant | null) => localTime('Europe/Paris', at!).date

const plan = (day: number, timing: Partial<Timing> = {}, now = monday, channel: Channel | null = 'email') =>
  planStep(lyon, { day }, channel, { anchor: monday, last: null, notice: null, ...timing }, now, 'd')

test('an overdue debt is written about at once in an open window', () => {
  expect(planFirstStep(lyon, cascade, '2026-11-15', monday, 'd')).toEqual({
    at: monday,
    because: null,
    shifts: [],
    wish: monday,
    channel: 'email',
  })
})

test('another contact of the person moves the moment, not the wish', () => {
  const written = fileOf('69003', [{ at: monday - DAY, channel: 'email' }])
  const tuesday = monday + DAY
  const planned = planAt(written, 'email', tuesday, 'd')
  expect(planned).toMatchObject({ because: 'channel_cooldown', wish: tuesday })
  expect(planned.at).toBeGreaterThan(tuesday)
  const sunday = planAt(written, 'email', paris('2026-11-22 10:00'), 'd')
  expect(sunday.wish).toBe(sunday.at)
})

test('no step wishes a later moment than its own', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          at: fc.integer({ min: -10 * DAY, max: DAY }).map(after => monday + after),
          channel: fc.constantFrom<Channel>('email', 'sms', 'lrar', 'voice'),
        }),
        { maxLength: 6 },
      ),
      fc.constantFrom<Channel>('email', 'sms', 'lrar', 'voice'),
      fc.integer({ min: 0, max: 12 }),
      fc.string({ maxLength: 3 }),
      (contacts, channel, day, seed) => {
        const file = fileOf('69003', contacts, { caps: defaultCaps })
        const timing = { anchor: monday, last: null, notice: null }
        const { at, wish } = planStep(file, { day }, channel, timing, monday, seed)
        if (at !== null) expect(wish).toBeLessThanOrEqual(at)
      },
    ),
    { numRuns: 2_000 },
  )
})

test('a debt due today or later waits for the morning after its day', () => {
  for (const dueDate of ['2026-11-16', '2026-11-24']) {
    const planned = planFirstStep(lyon, cascade, dueDate, monday, 'd')
    expect(dayOf(planned.at)).toBe(addDays(dueDate, 1))
    expect(planned.at).toBeGreaterThanOrEqual(paris(`${addDays(dueDate, 1)} 08:00`))
    // That the night is outside the hours is not reported.
    expect(planned).toMatchObject({ because: null, shifts: [] })
  }
})

test('a debt that becomes overdue on a Sunday is written about on Monday, and the Sunday is the reason', () => {
  const planned = planFirstStep(lyon, cascade, '2026-11-21', monday, 'd')
  expect(dayOf(planned.at)).toBe('2026-11-23')
  expect(planned).toMatchObject({
    because: 'sunday',
    shifts: [{ because: 'sunday', detail: 'Sunday 2026-11-22' }],
  })
})

test('a debt handed over in the evening waits for the morning, and says why', () => {
  const planned = planFirstStep(lyon, cascade, '2026-10-01', paris('2026-11-16 21:00'), 'd')
  expect(dayOf(planned.at)).toBe('2026-11-17')
  expect(planned.because).toBe('outside_hours')
})

test('the first step is planned on its own channel', () => {
  const calling = cascadeOf('ours', 1, [{ name: 'ai_call', channel: 'voice', day: 0 }])
  const planned = planFirstStep(lyon, calling, '2026-10-01', paris('2026-11-16 12:45'), 'd')
  expect(planned.because).toBe('call_hours')
  expect(planned.at).toBeGreaterThanOrEqual(paris('2026-11-16 14:00'))
})

test('without a calendar nothing is planned', () => {
  const missing = { at: null, because: 'calendar_missing' }
  expect(planFirstStep(nowhere, cascade, '2026-10-01', monday, 'd')).toMatchObject({ ...missing, shifts: [] })
  const timing = { anchor: monday, last: null, notice: null }
  expect(planStep(nowhere, { day: 5 }, 'email', timing, monday, 'd')).toEqual({
    ...missing,
    shifts: [],
    wish: null,
    channel: 'email',
  })
  expect(planAt(nowhere, 'email', monday, 'd')).toMatchObject({ ...missing, shifts: [] })
})

test('a step is planned on its day from the anchor, in the hours of that day, whatever the hour of the anchor', () => {
  for (const hour of ['08:00', '19:59']) {
    const planned = plan(5, { anchor: paris(`2026-11-16 ${hour}`) })
    expect(dayOf(planned.at)).toBe('2026-11-21')
    expect(planned).toMatchObject({ because: null, shifts: [] })
  }
})

test('three days lie between a contact and the next step, one after a step left out', () => {
  const last = (wasContact: boolean) => ({ at: paris('2026-11-23 19:00'), wasContact })
  expect(dayOf(plan(5, { last: last(true) }, paris('2026-11-23 19:00')).at)).toBe('2026-11-26')
  expect(dayOf(plan(5, { last: last(false) }, paris('2026-11-23 19:00')).at)).toBe('2026-11-24')
  expect(dayOf(plan(14, { last: last(true) }, paris('2026-11-23 19:00')).at)).toBe('2026-11-30')
})

test('a step whose day has passed is planned from now on, never back', () => {
  const now = paris('2026-12-02 15:00')
  expect(plan(5, {}, now).at).toBe(now)
  expect(dayOf(plan(5, {}, paris('2026-12-02 21:00')).at)).toBe('2026-12-03')
  // Its very day counts as come: it goes at once.
  expect(plan(5, {}, paris('2026-11-21 10:00')).at).toBe(paris('2026-11-21 10:00'))
})

test('after a formal notice nothing goes before receipt + 8 days, or posting + 23 at the latest', () => {
  const at = paris('2026-12-01 10:00')
  const due = (receiptAt: Instant | null) =>
    dayOf(plan(0, { notice: { at, receiptAt } }, paris('2026-12-04 10:00')).at)
  expect(due(paris('2026-12-03 15:00'))).toBe('2026-12-11')
  expect(due(null)).toBe('2026-12-24')
  expect(due(paris('2026-12-14 15:00'))).toBe('2026-12-22')
  expect(due(paris('2026-12-20 15:00'))).toBe('2026-12-24')
})

test('days to pay are days of the calendar, also in the weeks the clocks change', () => {
  const at = paris('2026-10-14 10:00')
  const due = (receiptAt: Instant) =>
    dayOf(plan(0, { anchor: at, notice: { at, receiptAt } }, paris('2026-10-21 10:00')).at)
  expect(due(paris('2026-10-20 00:30'))).toBe('2026-10-28')
  const spring = { at: paris('2026-03-16 10:00'), receiptAt: paris('2026-03-23 23:30') }
  expect(dayOf(plan(0, { anchor: spring.at, notice: spring }, paris('2026-03-24 10:00')).at)).toBe(
    '2026-03-31',
  )
})

test('that the time to pay runs is reported, unless something else moves the step further', () => {
  const notice = { at: paris('2026-12-01 10:00'), receiptAt: paris('2026-12-03 15:00') }
  const now = paris('2026-12-04 10:00')
  expect(plan(0, { notice }, now)).toMatchObject({ because: 'notice_running', shifts: [] })
  // Its own day, 11 December, is the last day of the notice as well: nothing was moved.
  expect(plan(25, { notice }, now)).toMatchObject({ because: null })
  const later = { at: paris('2026-12-01 10:00'), receiptAt: paris('2026-12-05 15:00') }
  expect(plan(0, { notice: later }, now)).toMatchObject({ because: 'sunday' })
})

test('planned days are spread by the seed, and so are moments that had to wait', () => {
  const timing = { anchor: monday, last: null, notice: null }
  const moments = ['a', 'b', 'c', 'd'].flatMap(seed => [
    planStep(lyon, { day: 5 }, 'email', timing, monday, seed).at,
    planAt(lyon, 'email', paris('2026-11-16 21:00'), seed).at,
  ])
  expect(new Set(moments).size).toBe(8)
})

test('the night before a call is not reported either', () => {
  expect(plan(17, {}, monday, 'voice')).toMatchObject({ because: null, shifts: [] })
})

test('an hour that closes while a cool-down runs is reported, on the very day it was planned for', () => {
  const contacts = [{ at: paris('2026-11-20 12:20'), channel: 'voice' as const }]
  const timing = { anchor: monday, last: null, notice: null }
  const planned = planStep(fileOf('69003', contacts), { day: 7 }, 'voice', timing, monday, 'd')
  expect(planned.shifts.map(shift => shift.because)).toEqual(['channel_cooldown', 'call_hours'])
  expect(planned.because).toBe('call_hours')
})

test('the latest of offset, gap and notice decides', () => {
  const last = { at: paris('2026-12-20 10:00'), wasContact: true }
  const notice = { at: paris('2026-12-01 10:00'), receiptAt: paris('2026-12-05 10:00') }
  expect(dayOf(plan(0, { last, notice }, monday).at)).toBe('2026-12-23')
  expect(dayOf(plan(44, { last, notice }, monday).at)).toBe('2026-12-30')
})

test('a shift of a planned day is reported: the holiday, the Sunday, the Saturday of a call', () => {
  expect(plan(39, {}, monday)).toMatchObject({ because: 'public_holiday' })
  expect(dayOf(plan(39, {}, monday).at)).toBe('2026-12-26')
  const call = plan(40, {}, monday, 'voice')
  expect(dayOf(call.at)).toBe('2026-12-28')
  expect(call.shifts.map(shift => shift.because)).toEqual(['call_hours', 'sunday'])
})

test('a shift met in the middle of the day is reported, also if a night came before it', () => {
  const contacts = [{ at: paris('2026-11-18 15:00'), channel: 'email' as const }]
  const planned = planStep(
    fileOf('69003', contacts),
    { day: 5 },
    'email',
    { anchor: monday, last: null, notice: null },
    monday,
    'd',
  )
  expect(planned).toMatchObject({ because: 'channel_cooldown', at: paris('2026-11-21 15:15') })
  expect(planned.shifts.map(shift => shift.because)).toEqual(['channel_cooldown'])
})

test('a review needs an open day and no free slot: no contact, cap or quiet period moves it', () => {
  const contacts = [{ at: paris('2026-11-21 08:00'), channel: 'email' as const }]
  const caps = { perWeek: 1, perMonth: 1 }
  const busy = fileOf('69003', contacts, { caps, quietUntil: paris('2026-12-24 10:00') })
  const timing = { anchor: monday, last: null, notice: null }
  expect(dayOf(planStep(busy, { day: 5 }, null, timing, monday, 'd').at)).toBe('2026-11-21')
  expect(dayOf(planStep(busy, { day: 6 }, null, timing, monday, 'd').at)).toBe('2026-11-23')
  expect(planAt(busy, null, paris('2026-11-21 09:00'), 'd').at).toBe(paris('2026-11-21 09:00'))
  expect(planAt(busy, 'sms', paris('2026-11-21 09:00'), 'd').at).toBeGreaterThanOrEqual(
    paris('2026-12-24 10:00'),
  )
})

test('at a given moment or the next legal one, with the last obstacle as the reason', () => {
  expect(planAt(lyon, 'email', monday, 'd')).toMatchObject({
    at: monday,
    because: null,
    shifts: [],
    wish: monday,
  })
  const sunday = planAt(lyon, 'email', paris('2026-11-22 10:00'), 'd')
  expect(sunday.because).toBe('sunday')
  expect(dayOf(sunday.at)).toBe('2026-11-23')
  const end = planAt(lyon, 'email', paris('2031-12-31 21:00'), 'd')
  expect(end).toMatchObject({ at: null, because: 'calendar_horizon', shifts: [] })
})

test('days are counted from the start, or from the day after the due date if that is later', () => {
  expect(anchorOf(lyon.calendar, monday, '2026-10-15')).toBe(monday)
  expect(anchorOf(lyon.calendar, monday, '2026-11-15')).toBe(monday)
  expect(anchorOf(lyon.calendar, monday, '2026-11-16')).toBe(paris('2026-11-17 00:00'))
  expect(anchorOf(lyon.calendar, monday, '2026-12-01')).toBe(paris('2026-12-02 00:00'))
  expect(anchorOf(null, monday, '2026-12-01')).toBe(monday)
})

test('the days are those of the debtor, not those of Paris', () => {
  const noumea = fileOf('98800')
  const evening = paris('2026-11-16 18:00')
  // In Nouméa it is already the 17th.
  const planned = planStep(
    noumea,
    { day: 3 },
    'email',
    { anchor: evening, last: null, notice: null },
    evening,
    'd',
  )
  expect(localTime('Pacific/Noumea', planned.at!).date).toBe('2026-11-20')
  expect(anchorOf(noumea.calendar, evening, '2026-11-16')).toBe(evening)
  expect(anchorOf(noumea.calendar, evening, '2026-11-17')).toBe(clock('Pacific/Noumea', '2026-11-18 00:00'))
})

test('whatever came before, a step is never planned before now, its day, its gap or the end of the time to pay', () => {
  const moment = fc.integer({ min: paris('2026-01-05 08:00'), max: paris('2030-06-01 20:00') })
  const past = fc.integer({ min: 0, max: 40 * DAY })
  fc.assert(
    fc.property(
      moment,
      fc.integer({ min: 0, max: 60 }),
      past,
      past,
      fc.boolean(),
      past,
      (now, day, start, ago, wasContact, posted) => {
        const timing = {
          anchor: now - start,
          last: { at: now - ago, wasContact },
          notice: { at: now - posted, receiptAt: null },
        }
        const file = fileOf('67000', [], { caps: defaultCaps })
        const { at } = planStep(file, { day }, 'sms', timing, now, 'd')
        expect(at).toBeGreaterThanOrEqual(now)
        const planned = dayOf(at)
        expect(planned >= addDays(dayOf(timing.anchor), day)).toBe(true)
        expect(planned >= addDays(dayOf(timing.last.at), wasContact ? 3 : 1)).toBe(true)
        expect(planned >= addDays(dayOf(timing.notice.at), 23)).toBe(true)
      },
    ),
    { numRuns: 400 },
  )
})
