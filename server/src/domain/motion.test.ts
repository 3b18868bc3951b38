import fc from 'fast-check'
import { expect, it } from 'vitest'
import { calendarFor } from './calendar.ts'
import { selectCascade } from './cascade.ts'
import type { ContactFile } from './contact-rules.ts'
import { judgeContact } from './contact-rules.ts'
import { cents } from './money.ts'
import { afterSend, attemptsMax, type Fate, type Position } from './motion.ts'
import { DAY, HOUR } from './time.ts'

const monday = Date.parse('2026-11-16T09:00:00+01:00')
const lyon = calendarFor({ country: 'FR', postalCode: '69002' })
const file = (contacts: ContactFile['contacts'] = []): ContactFile => ({ calendar: lyon, contacts })
const cascade = selectCascade('business', cents(120_000))
const at = (step: number, attempt = 0): Position => ({
  cascade,
  step,
  attempt,
  startedAt: monday,
  dueDate: '2026-10-15',
})

it('an accepted first email is followed by the reminder of day 5', () => {
  const motion = afterSend(at(0), 'accepted', file([{ at: monday, channel: 'email' }]), monday, 'seed')
  expect(motion).toMatchObject({ isOver: true, step: 1, attempt: 0 })
  expect(new Date(motion.next.at!).toISOString().slice(0, 10)).toBe('2026-11-21')
})

it('a refusal for now is tried again after five minutes, then after half an hour, then the cascade goes on', () => {
  const first = afterSend(at(0, 0), 'retryable', file(), monday, 'seed')
  expect(first).toMatchObject({ isOver: false, step: 0, attempt: 1, next: { at: monday + 5 * 60_000 } })
  const second = afterSend(at(0, 1), 'retryable', file(), monday, 'seed')
  expect(second).toMatchObject({ isOver: false, step: 0, attempt: 2, next: { at: monday + 30 * 60_000 } })
  expect(afterSend(at(0, 2), 'retryable', file(), monday, 'seed')).toMatchObject({
    isOver: true,
    step: 1,
    attempt: 0,
  })
})

it('a refusal for good is not repeated', () => {
  expect(afterSend(at(0), 'permanent', file(), monday, 'seed')).toMatchObject({ isOver: true, step: 1 })
})

it('a notice with legal effect and an unknown fate is given again, but not before the cooldown is over', () => {
  const motion = afterSend(at(0), 'unknown', file([{ at: monday, channel: 'email' }]), monday, 'seed')
  expect(motion).toMatchObject({ isOver: false, step: 0, attempt: 1 })
  expect(motion.next.at! - monday).toBeGreaterThanOrEqual(72 * HOUR)
})

it('a plain reminder with an unknown fate is never repeated', () => {
  expect(afterSend(at(1), 'unknown', file([{ at: monday, channel: 'email' }]), monday, 'seed')).toMatchObject(
    { isOver: true, step: 2 },
  )
})

it('a shifted step does not push the later ones: they are anchored to the start', () => {
  const late = monday + 7 * DAY
  const motion = afterSend(at(1), 'accepted', file([{ at: late, channel: 'email' }]), late, 'seed')
  // Step 3, the text message, stays on day 9 + what the gap of three days asks: 26 November, not day 16.
  expect(new Date(motion.next.at!).toISOString().slice(0, 10)).toBe('2026-11-26')
})

it('whatever happens, what comes next is legal, in the future, and every step ends after three attempts', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 365 * 24 * 60 }),
      fc.constantFrom<Fate>('accepted', 'retryable', 'permanent', 'unknown'),
      fc.integer({ min: 0, max: cascade.steps.length - 2 }),
      fc.integer({ min: 0, max: attemptsMax - 1 }),
      fc.constantFrom('69002', '68000', '97400', '97200'),
      (minutes, fate, step, attempt, postalCode) => {
        const now = monday + minutes * 60_000
        const calendar = calendarFor({ country: 'FR', postalCode })
        const channel = cascade.steps[step]!.channel!
        const contacts = fate === 'accepted' || fate === 'unknown' ? [{ at: now, channel }] : []
        const motion = afterSend(
          { ...at(step, attempt), startedAt: monday },
          fate,
          { calendar, contacts },
          now,
          'seed',
        )
        if (motion.next.at === null) return
        expect(motion.next.at).toBeGreaterThan(now)
        const nextChannel = cascade.steps[motion.step]!.channel ?? 'email'
        expect(judgeContact({ calendar, contacts }, nextChannel, motion.next.at)).toEqual({ allowed: true })
        expect(motion.isOver || motion.attempt < attemptsMax).toBe(true)
      },
    ),
    { numRuns: 500 },
  )
})
