import { expect, test } from 'vitest'
import { type Kind, type LoggedContact, violationsIn } from './checker.ts'
import { easter } from './independent-holidays.ts'
import { nameOfDay, wallClock } from './local-clock.ts'
import { type StepRecord, stepFaultsIn } from './step-checker.ts'

const caps = { perWeek: 2, perMonth: 8 }
const contact = (at: string, more: Partial<LoggedContact> = {}): LoggedContact => ({
  debtorId: 'a',
  points: ['record a', 'a@example.org'],
  channel: 'email',
  at: Date.parse(at),
  country: 'FR',
  postalCode: '69003',
  isConsumer: false,
  caps,
  ...more,
})
const kindsOf = (...log: LoggedContact[]): Kind[] => violationsIn(log).map(violation => violation.kind)

test('the checker lets the whole open day pass and nothing beside it', () => {
  expect(kindsOf(contact('2026-11-25T08:00:00+01:00'))).toEqual([])
  expect(kindsOf(contact('2026-11-25T19:59:59.999+01:00'))).toEqual([])
  expect(kindsOf(contact('2026-11-25T20:00:00+01:00'))).toEqual(['outside the hours'])
  expect(kindsOf(contact('2026-11-25T07:59:59.999+01:00'))).toEqual(['outside the hours'])
  expect(kindsOf(contact('2026-11-25T07:30:00+01:00', { postalCode: '97400' }))).toEqual([])
})

test.each([
  ['2026-11-29T10:00:00+01:00', '69003', 'on a Sunday'],
  ['2026-07-14T10:00:00+02:00', '69003', 'on a public holiday'],
  ['2026-04-03T10:00:00+02:00', '68000', 'on a public holiday'],
  ['2026-12-26T10:00:00+01:00', '67000', 'on a public holiday'],
  ['2026-05-22T10:00:00-04:00', '97200', 'on a public holiday'],
  ['2026-05-28T10:00:00-04:00', '97150', 'on a public holiday'],
  ['2026-10-09T10:00:00-04:00', '97133', 'on a public holiday'],
])('the checker objects to %s in %s: %s', (at, postalCode, kind) => {
  expect(kindsOf(contact(at, { postalCode }))).toEqual([kind])
})

test('the checker knows the hours of calls, of businesses and of consumers', () => {
  const call = (at: string, isConsumer: boolean) => kindsOf(contact(at, { channel: 'voice', isConsumer }))
  expect(call('2026-11-25T09:30:00+01:00', false)).toEqual([])
  expect(call('2026-11-25T09:30:00+01:00', true)).toEqual(['outside the hours of calls'])
  expect(call('2026-11-25T19:00:00+01:00', true)).toEqual([])
  expect(call('2026-11-25T12:30:00+01:00', false)).toEqual(['outside the hours of calls'])
  expect(call('2026-11-28T10:30:00+01:00', false)).toEqual(['outside the hours of calls'])
})

test('the checker takes two records with one address for one person', () => {
  const first = contact('2026-11-25T10:00:00+01:00')
  const other = { debtorId: 'b', points: ['record b', 'a@example.org'], channel: 'sms' } as const
  expect(kindsOf(first, contact('2026-11-25T15:00:00+01:00', other))).toEqual(['twice a day'])
  expect(kindsOf(first, contact('2026-11-26T10:00:00+01:00', { ...other, channel: 'email' }))).toEqual([
    'within 72 hours on one channel',
  ])
  expect(kindsOf(first, contact('2026-11-26T10:00:00+01:00', other))).toEqual([])
})

test('the checker counts the rolling week, the rolling month and the calls of a consumer', () => {
  const days = (channels: readonly LoggedContact['channel'][], gap: number, more: Partial<LoggedContact>) =>
    channels.map((channel, i) => {
      const at = new Date(Date.parse('2026-06-01T10:30:00+02:00') + i * gap * 86_400_000).toISOString()
      return contact(at, { channel, ...more })
    })
  expect(kindsOf(...days(['email', 'sms', 'lrar'], 1, {}))).toEqual(['more than the week allows'])
  expect(kindsOf(...days(['email', 'sms', 'lrar'], 1, { caps: null }))).toEqual([])
  expect(kindsOf(...days(['email', 'sms', 'lrar'], 7, { caps: { perWeek: 1, perMonth: 2 } }))).toEqual([
    'more than the month allows',
  ])
  const calls = days(['voice', 'voice', 'voice', 'voice', 'voice'], 7, { isConsumer: true })
  expect(kindsOf(...calls)).toEqual(['more calls than a consumer takes'])
})

test('the checker finds Easter, and the hour after the clocks have changed', () => {
  expect([2025, 2026, 2027, 2028].map(year => nameOfDay(easter(year)))).toEqual([
    '2025-04-20',
    '2026-04-05',
    '2027-03-28',
    '2028-04-16',
  ])
  expect(wallClock('Europe/Paris', Date.parse('2026-03-29T00:59:59Z')).msOfDay).toBe(7_199_000)
  expect(wallClock('Europe/Paris', Date.parse('2026-03-29T01:00:00Z')).msOfDay).toBe(10_800_000)
})

const stepRecord = (at: string, more: Partial<StepRecord> = {}): StepRecord => ({
  recoveryId: 'r',
  step: 'relance_email_1',
  rank: 1,
  byRank: 1,
  at: Date.parse(at),
  zone: 'Europe/Paris',
  day: 0,
  anchor: Date.parse('2026-11-16T09:00:00+01:00'),
  kind: 'contacted',
  isEscalated: false,
  isPaused: false,
  notice: null,
  ...more,
})

test('the checker of motion names each rule that is not kept', () => {
  const faults = (...records: StepRecord[]) => stepFaultsIn(records).map(fault => fault.kind)
  const first = stepRecord('2026-11-16T09:00:00+01:00')
  expect(faults(first, stepRecord('2026-11-19T08:00:00+01:00'))).toEqual([])
  expect(faults(first, stepRecord('2026-11-18T18:00:00+01:00'))).toEqual(['on the heels of the last'])
  expect(faults(stepRecord('2026-11-20T18:00:00+01:00', { day: 5 }))).toEqual(['before its day'])
  expect(faults(stepRecord('2026-11-20T18:00:00+01:00', { isPaused: true }))).toEqual(['although paused'])
  expect(faults(stepRecord('2026-11-20T18:00:00+01:00', { rank: 4 }))).toEqual(['by a message of lower rank'])
  const notice = { at: first.at, receiptAt: Date.parse('2026-11-18T09:00:00+01:00') }
  expect(faults(stepRecord('2026-11-25T18:00:00+01:00', { notice }))).toEqual(['while the time to pay runs'])
  expect(faults(stepRecord('2026-11-26T08:00:00+01:00', { notice }))).toEqual([])
})
