import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fileOf, paris } from '../../../test/simulation/contact-file.ts'
import { cents } from '../money/money.ts'
import { DAY } from '../time.ts'
import { cascadeOf, fullReach } from './cascade.ts'
import { endHolds, holdsEndingNow, nothingDue, type PausedRecovery, startHold } from './hold.ts'
import { type Hold, holds } from './recovery-state.ts'

const now = paris('2026-11-16 09:00')
const planningContext = { rules: fileOf('69002'), reach: fullReach(cents(120_000)), now, seed: 'debtor' }
const running: PausedRecovery = {
  status: 'in_recovery',
  holds: [],
  pausedAt: null,
  due: { at: now + 2 * DAY, because: null },
  progress: {
    cascade: cascadeOf('fr_b2b_standard', 1),
    step: 1,
    attempt: 0,
    anchor: now - 3 * DAY,
    notice: null,
  },
  lastAt: now - 3 * DAY,
}
const promised = (day: number) => ({ at: now + day * DAY, because: 'promise' as const })
const resumed = (day: number) => ({ at: now + day * DAY, because: 'resume' as const })
const paused = (by: readonly Hold[], due: PausedRecovery['due'] = nothingDue): PausedRecovery => ({
  ...running,
  status: 'paused',
  holds: by,
  pausedAt: now - DAY,
  due,
})

it('a hold takes the moment of the next step away, and gives the moment of its own end', () => {
  const held = startHold(running, 'dispute', null, now)
  expect(held).toEqual({ status: 'paused', holds: ['dispute'], pausedAt: now, due: nothingDue })
  expect(startHold(running, 'promise', promised(5), now).due).toEqual(promised(5))
})

it('what is not running is not held', () => {
  for (const status of ['pending', 'completed', 'cancelled', 'judicial'] as const)
    expect(startHold({ ...running, status }, 'dispute', null, now)).toEqual({ ...running, status })
})

it('a second hold keeps the day on which the pause began, and the day on which it ends', () => {
  const held = startHold(paused(['promise'], promised(5)), 'dispute', null, now)
  expect(held).toEqual({
    status: 'paused',
    holds: ['promise', 'dispute'],
    pausedAt: now - DAY,
    due: promised(5),
  })
})

it('a new promise takes the place of the old one, also when its day is nearer', () => {
  expect(startHold(paused(['promise'], promised(9)), 'promise', promised(2), now)).toMatchObject({
    holds: ['promise'],
    due: promised(2),
  })
})

it('of a pause with an end and a promise the later day counts', () => {
  expect(startHold(paused(['asked'], resumed(9)), 'promise', promised(2), now)).toMatchObject({
    holds: ['asked', 'promise'],
    due: resumed(9),
  })
  for (const day of [9, 10])
    expect(startHold(paused(['asked'], resumed(9)), 'promise', promised(day), now)).toMatchObject({
      holds: ['promise'],
      due: promised(day),
    })
})

it('a pause without an end outlasts a promise', () => {
  const both = startHold(paused(['asked']), 'promise', promised(2), now)
  expect(both).toMatchObject({ holds: ['asked', 'promise'], due: promised(2) })
  expect(holdsEndingNow(both)).toEqual(['promise'])
  expect(holdsEndingNow(paused(['asked', 'promise', 'dispute'], resumed(2)))).toEqual(['asked', 'promise'])
})

it('with the last hold the recovery goes on, its days moved by the length of the pause', () => {
  const released = endHolds(paused(['dispute']), ['dispute'], planningContext)!
  expect(released).toMatchObject({
    status: 'in_recovery',
    holds: [],
    pausedAt: null,
    anchor: running.progress.anchor + DAY,
  })
  // Day 5 of the cascade, counted from the moved anchor.
  expect(released.due.at).toBeGreaterThan(paris('2026-11-19 00:00'))
  expect(released.due.at).toBeLessThan(paris('2026-11-20 00:00'))
})

it('the gap after the last step holds after a pause too', () => {
  const old = { ...running.progress, anchor: now - 60 * DAY }
  const released = endHolds(
    { ...paused(['asked']), progress: old, lastAt: now - DAY },
    ['asked'],
    planningContext,
  )!
  expect(released.due.at).toBeGreaterThan(paris('2026-11-18 00:00'))
  const never = endHolds({ ...paused(['asked']), progress: old, lastAt: null }, ['asked'], planningContext)!
  expect(never.due.at).toBe(now)
})

it('while another hold is left, its own end stays and that of the hold that went does not', () => {
  const after = (by: readonly Hold[], due: PausedRecovery['due'], gone: Hold) =>
    endHolds(paused(by, due), [gone], planningContext)!
  expect(after(['promise', 'dispute'], promised(5), 'dispute')).toEqual({
    status: 'paused',
    holds: ['promise'],
    pausedAt: now - DAY,
    anchor: running.progress.anchor,
    due: promised(5),
  })
  expect(after(['asked', 'dispute'], resumed(5), 'dispute').due).toEqual(resumed(5))
  expect(after(['asked', 'promise'], resumed(5), 'promise').due).toEqual(resumed(5))
  expect(after(['promise', 'dispute'], promised(5), 'promise').due).toEqual(nothingDue)
  expect(after(['asked', 'promise'], promised(5), 'promise').due).toEqual(nothingDue)
})

it('a promise whose day went by while the debtor was held is looked at as soon as it is not', () => {
  const released = endHolds(paused(['promise', 'insolvency']), ['insolvency'], planningContext)!
  expect(released.due).toEqual({ at: now, because: 'promise' })
})

it('the pause of a debtor keeps its own end, and one without a moment is looked at as soon as nothing else holds', () => {
  const until = { at: now + 5 * DAY, because: 'debtor' }
  const both = paused(['debtor', 'dispute'], until)
  expect(endHolds(both, ['dispute'], planningContext)!.due).toEqual(until)
  expect(endHolds(both, ['debtor'], planningContext)!.due).toEqual(nothingDue)
  const noMoment = paused(['debtor', 'dispute'])
  expect(endHolds(noMoment, ['dispute'], planningContext)!.due).toEqual({ at: now, because: 'debtor' })
  expect(holdsEndingNow(paused(['asked', 'debtor', 'dispute'], until))).toEqual(['debtor'])
})

it('what was not paused has no hold to end', () => {
  expect(endHolds(running, ['asked'], planningContext)).toBeNull()
})

it('whatever holds and whatever ends, a recovery is paused exactly while something holds it', () => {
  const some = fc.subarray([...holds], { minLength: 1 })
  const due = fc.constantFrom(nothingDue, promised(5), resumed(5))
  fc.assert(
    fc.property(some, fc.subarray([...holds]), due, (by, gone, until) => {
      const released = endHolds(paused(by, until), gone, planningContext)!
      expect(released.holds).toEqual(by.filter(hold => !gone.includes(hold)))
      expect(released.status).toBe(released.holds.length > 0 ? 'paused' : 'in_recovery')
      expect(released.pausedAt === null).toBe(released.status === 'in_recovery')
    }),
  )
})
