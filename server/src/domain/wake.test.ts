import { expect, it } from 'vitest'
import { calendarFor } from './calendar.ts'
import { selectCascade } from './cascade.ts'
import { cents } from './money.ts'
import { decideWake, furthest } from './wake.ts'

const monday = Date.parse('2026-11-16T09:00:00+01:00')
const calendar = calendarFor({ country: 'FR', postalCode: '69002' })
const { steps } = selectCascade('business', cents(120_000))
const due = (invoiceId: string, index: number, dueDate = '2026-10-15') => {
  const { channel, ...step } = steps[index]!
  return { invoiceId, step: { ...step, channel: channel! }, dueDate }
}

it('the furthest step is served first, then the oldest debt, then the smallest id', () => {
  expect(furthest([due('a', 0), due('b', 6), due('c', 2)])?.invoiceId).toBe('b')
  expect(furthest([due('a', 0, '2026-10-16'), due('b', 0, '2026-10-01')])?.invoiceId).toBe('b')
  expect(furthest([due('b', 0), due('a', 0)])?.invoiceId).toBe('a')
})

it('a person contacted today waits, and the obstacle that decides the moment is the one told', () => {
  const decision = decideWake(
    { calendar, contacts: [{ at: monday, channel: 'email' }] },
    [due('a', 0)],
    monday + 1000,
    'seed',
  )
  expect(decision).toMatchObject({ kind: 'wait', because: 'channel_cooldown' })
})

it('without a calendar nobody is contacted', () => {
  expect(decideWake({ calendar: null, contacts: [] }, [due('a', 0)], monday, 'seed')).toEqual({
    kind: 'park',
    because: 'calendar_missing',
  })
})
