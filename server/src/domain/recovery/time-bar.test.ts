import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paris } from '../../../test/simulation/contact-file.ts'
import { calendarFor } from '../contact/calendar.ts'
import { debtorTypes } from '../debtor-type.ts'
import { addDays, type LocalDate } from '../time.ts'
import {
  alertedAfter,
  alertMonths,
  alertReached,
  isNothingAsked,
  isTimeBarred,
  type LimitedClaim,
  nextAlertOn,
  timeBarOf,
} from './time-bar.ts'

const claim = (changes: Partial<LimitedClaim> = {}): LimitedClaim => ({
  type: 'consumer',
  issueDate: '2022-01-10',
  suppliedOn: null,
  limitationMonths: null,
  acknowledgedOn: [],
  ...changes,
})
const endOf = (changes: Partial<LimitedClaim> = {}) => timeBarOf(claim(changes)).endsOn

describe('the end', () => {
  it('is two years after the issue date for a consumer, five for a business', () => {
    expect(timeBarOf(claim())).toEqual({ endsOn: '2024-01-10', from: '2022-01-10', because: 'issue_date' })
    expect(endOf({ type: 'business' })).toBe('2027-01-10')
  })

  it('is counted from the supply where that day is known', () => {
    expect(timeBarOf(claim({ suppliedOn: '2021-11-30' }))).toEqual({
      endsOn: '2023-11-30',
      from: '2021-11-30',
      because: 'supply',
    })
  })

  it('is counted by a special time of the law where one is given', () => {
    expect(endOf({ limitationMonths: 12 })).toBe('2023-01-10')
    expect(endOf({ type: 'business', limitationMonths: 12, suppliedOn: '2022-01-31' })).toBe('2023-01-31')
    expect(endOf({ limitationMonths: 1, issueDate: '2022-01-31' })).toBe('2022-02-28')
  })

  it('is on 28 February of a year that has no 29th', () => {
    expect(endOf({ issueDate: '2028-02-29' })).toBe('2030-02-28')
    expect(endOf({ issueDate: '2028-02-29', type: 'business' })).toBe('2033-02-28')
    expect(endOf({ issueDate: '2026-02-28' })).toBe('2028-02-28')
    expect(endOf({ issueDate: '2022-02-28', limitationMonths: 24 })).toBe('2024-02-28')
  })

  it('is that of four years from the next 1 January for a public body, unless a special time is shorter', () => {
    for (const issueDate of ['2026-01-01', '2026-02-10', '2026-12-31'])
      expect(endOf({ type: 'public_body', issueDate })).toBe('2030-12-31')
    expect(endOf({ type: 'public_body', issueDate: '2026-02-10', limitationMonths: 12 })).toBe('2027-02-10')
    expect(endOf({ type: 'public_body', issueDate: '2026-02-10', limitationMonths: 120 })).toBe('2030-12-31')
  })
})

describe('an acknowledgement of the debtor', () => {
  it('starts the time again on the last day, and not a day later', () => {
    expect(timeBarOf(claim({ acknowledgedOn: ['2024-01-10'] }))).toEqual({
      endsOn: '2026-01-10',
      from: '2024-01-10',
      because: 'acknowledgement',
    })
    expect(endOf({ acknowledgedOn: ['2024-01-11'] })).toBe('2024-01-10')
  })

  it('after the end revives nothing', () => {
    expect(endOf({ acknowledgedOn: ['2026-03-01'] })).toBe('2024-01-10')
    expect(endOf({ type: 'business', issueDate: '2018-01-10', acknowledgedOn: ['2026-03-01'] })).toBe(
      '2023-01-10',
    )
  })

  it('counts by its day, in whatever order it becomes known', () => {
    const days = ['2025-06-01', '2023-12-01', '2027-05-31', '2029-06-01']
    expect(endOf({ acknowledgedOn: days })).toBe('2029-05-31')
    expect(endOf({ acknowledgedOn: days.toReversed() })).toBe('2029-05-31')
    // Without the first of them none of the others is in time.
    expect(endOf({ acknowledgedOn: days.filter(day => day !== '2023-12-01') })).toBe('2024-01-10')
  })

  it('before the supply does not make the time shorter', () => {
    expect(endOf({ acknowledgedOn: ['2021-06-01'] })).toBe('2024-01-10')
  })
})

it('a written demand counts for public bodies only, and within the time', () => {
  const demandedOn = ['2028-05-05']
  const publicBody = { type: 'public_body', issueDate: '2026-02-10' } as const
  expect(timeBarOf(claim({ ...publicBody, demandedOn }))).toMatchObject({
    endsOn: '2032-12-31',
    because: 'written_demand',
  })
  expect(endOf({ ...publicBody, demandedOn: ['2033-01-01'], acknowledgedOn: ['2030-12-31'] })).toBe(
    '2037-12-31',
  )
  expect(endOf({ ...publicBody, demandedOn: ['2031-01-01'] })).toBe('2030-12-31')
  expect(endOf({ ...publicBody, demandedOn: ['2027-01-01'], limitationMonths: 12 })).toBe('2027-02-10')
  for (const type of ['business', 'consumer'] as const)
    expect(endOf({ type, demandedOn: ['2022-05-05'] })).toBe(endOf({ type }))
})

it('service of a court document and declaration in insolvency proceedings start it again, within the time', () => {
  expect(timeBarOf(claim({ servedOn: '2023-05-05' }))).toEqual({
    endsOn: '2025-05-05',
    from: '2023-05-05',
    because: 'served',
  })
  expect(timeBarOf(claim({ declaredOn: '2023-05-05' }))).toMatchObject({ because: 'declared' })
  expect(endOf({ servedOn: '2024-01-11', declaredOn: '2024-01-11' })).toBe('2024-01-10')
})

const zoned = (isConsumer: boolean) => ({
  isConsumer,
  calendar: calendarFor({ country: 'FR', postalCode: '69002' }),
})

it('it is over the day after its last day, where the debtor is; then nothing is asked of a consumer', () => {
  const barred = { limitationEndsOn: '2026-11-16' }
  const [last, next] = [paris('2026-11-16 23:59'), paris('2026-11-17 00:00')]
  expect([last, next].map(at => isTimeBarred(zoned(false), barred, at))).toEqual([false, true])
  expect([last, next].map(at => isNothingAsked(zoned(true), barred, at))).toEqual([false, true])
  expect(isNothingAsked(zoned(false), barred, next)).toBe(false)
  expect(isTimeBarred({ calendar: null }, barred, paris('2026-11-17 00:30'))).toBe(false)
  expect(isTimeBarred({ calendar: null }, barred, paris('2026-11-17 01:30'))).toBe(true)
})

describe('alerts', () => {
  it('are twelve, six, three and one months before the end', () => {
    const reached = (today: LocalDate) => alertReached('2027-12-31', today)
    expect(reached('2026-12-30')).toBeNull()
    expect(reached('2026-12-31')).toBe(12)
    expect(reached('2027-06-29')).toBe(12)
    expect(reached('2027-06-30')).toBe(6)
    expect(reached('2027-09-30')).toBe(3)
    expect(reached('2027-11-30')).toBe(1)
    expect(reached('2027-12-31')).toBe(1)
    expect(reached('2028-01-01')).toBeNull()
  })

  it('begin with the nearest one where some are over already', () => {
    expect(nextAlertOn('2027-12-31', '2027-10-05', null)).toBe('2027-09-30')
    expect(nextAlertOn('2027-12-31', '2027-10-05', 3)).toBe('2027-11-30')
    expect(nextAlertOn('2027-12-31', '2027-12-05', 1)).toBeNull()
    expect(nextAlertOn('2027-12-31', '2028-01-01', null)).toBeNull()
  })

  it('are not repeated for a date that is corrected by some days, and begin again when the end is far away', () => {
    expect(alertedAfter('2027-12-29', '2027-01-05', 12)).toBe(12)
    expect(alertedAfter('2029-12-31', '2027-01-05', 12)).toBeNull()
    // Three months before the old end, and six before the new one: the next alert is that of three months.
    expect(alertedAfter('2027-12-31', '2027-07-01', 3)).toBe(6)
    // The end came nearer: the creditor hears of it.
    expect(alertedAfter('2027-12-31', '2027-10-01', 12)).toBe(12)
    expect(nextAlertOn('2027-12-31', '2027-10-01', 12)).toBe('2027-09-30')
  })
})

/** `LIVES=100000 npm test -- --project pure time-bar` for the long run. */
const numRuns = Number(process.env.LIVES ?? 1_000)
const day = fc.integer({ min: 0, max: 9_000 }).map(days => addDays('2015-01-01', days))
const life = fc.record({
  type: fc.constantFrom(...debtorTypes),
  issueDate: day,
  suppliedOn: fc.option(day),
  limitationMonths: fc.option(fc.integer({ min: 1, max: 120 })),
  acknowledgedOn: fc.array(day, { maxLength: 8 }),
  demandedOn: fc.array(day, { maxLength: 2 }),
  servedOn: fc.option(day),
  declaredOn: fc.option(day),
})

describe('in any life', () => {
  it('no sequence of payments and promises after the end moves it', () => {
    fc.assert(
      fc.property(life, fc.array(fc.integer({ min: 1, max: 9_000 }), { maxLength: 8 }), (lived, late) => {
        const bar = timeBarOf(lived)
        const after = late.map(days => addDays(bar.endsOn, days))
        expect(timeBarOf({ ...lived, acknowledgedOn: [...after, ...lived.acknowledgedOn] })).toEqual(bar)
        expect(timeBarOf({ ...lived, acknowledgedOn: [...lived.acknowledgedOn, ...after] })).toEqual(bar)
      }),
      { numRuns },
    )
  })

  it('one more acknowledgement never makes it earlier, and what is counted from is a day on record', () => {
    fc.assert(
      fc.property(life, day, (lived, more) => {
        const bar = timeBarOf(lived)
        const further = timeBarOf({ ...lived, acknowledgedOn: [...lived.acknowledgedOn, more] })
        expect(further.endsOn >= bar.endsOn).toBe(true)
        const { issueDate, suppliedOn, acknowledgedOn, demandedOn = [], servedOn, declaredOn } = lived
        const days = [suppliedOn ?? issueDate, ...acknowledgedOn, ...demandedOn, servedOn, declaredOn]
        expect(days).toContain(bar.from)
      }),
      { numRuns },
    )
  })

  it('each of the four alerts is made once, the nearest one first seen included, and none after the end', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 900 }), (endsOn, before) => {
        const made: number[] = []
        const begin = addDays(endsOn, -before)
        let [today, alerted]: [LocalDate, number | null] = [begin, null]
        while (today <= addDays(endsOn, 40)) {
          const on = nextAlertOn(endsOn, today, alerted)
          if (on !== null && on <= today) {
            alerted = alertReached(endsOn, today)
            made.push(alerted!)
          }
          today = addDays(today, 5)
        }
        expect(new Set(made).size).toBe(made.length)
        const expected = alertMonths.filter(months => months <= (alertReached(endsOn, begin) ?? 12))
        expect(made).toEqual(expected)
      }),
      { numRuns: Math.min(numRuns, 2_000) },
    )
  })
})
