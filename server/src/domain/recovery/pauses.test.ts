import { expect, it } from 'vitest'
import { pausesOf } from './pauses.ts'

const running = { isPaused: false, holds: [], pausedAt: null, dueAt: null, endedAt: null }
const line = (at: number, code: string, params = {}) => ({ at, code, params })

it('a pause lasts from its line to the one that ends it', () => {
  expect(pausesOf([line(1, 'paused'), line(5, 'resumed')], running, 9)).toEqual([
    { from: 1, until: 5, because: 'asked' },
  ])
})

it('another cause takes over, and the first one does not end it', () => {
  const lines = [
    line(1, 'promised'),
    line(3, 'disputed'),
    line(4, 'promise_broken', { isStillHeld: true }),
    line(7, 'dispute_resolved', { outcome: 'upheld' }),
    line(8, 'resumed'),
  ]
  expect(pausesOf(lines, running, 9)).toEqual([
    { from: 1, until: 3, because: 'promise' },
    { from: 3, until: 7, because: 'dispute' },
    { from: 7, until: 8, because: 'upheld' },
  ])
})

it('a pause of the debtor that ends leaves what still holds the recovery', () => {
  const lines = [
    line(1, 'disputed'),
    line(2, 'debtor_paused'),
    line(4, 'hold_ended', { stillHeldBy: ['dispute'] }),
  ]
  const disputed = { ...running, isPaused: true, holds: ['dispute'] as const, pausedAt: 1 }
  expect(pausesOf(lines, disputed, 9)).toEqual([
    { from: 1, until: 2, because: 'dispute' },
    { from: 2, until: 4, because: 'debtor' },
    { from: 4, until: null, because: 'dispute' },
  ])
})

it('a pause that lasts ends when the recovery says it will', () => {
  const paused = { ...running, isPaused: true, holds: ['asked'] as const, pausedAt: 2, dueAt: 20 }
  expect(pausesOf([line(2, 'paused')], paused, 9)).toEqual([{ from: 2, until: 20, because: 'asked' }])
  // Money that went back is in no line of the history.
  const reopened = { ...running, isPaused: true, holds: ['reopened'] as const, pausedAt: 6 }
  expect(pausesOf([line(1, 'paused'), line(3, 'resumed')], reopened, 9)).toEqual([
    { from: 1, until: 3, because: 'asked' },
    { from: 6, until: null, because: 'reopened' },
  ])
})

it('a recovery that is over is held by nothing any more', () => {
  const paid = { ...running, endedAt: 6 }
  expect(pausesOf([line(1, 'promised')], paid, 9)).toEqual([{ from: 1, until: 6, because: 'promise' }])
})
