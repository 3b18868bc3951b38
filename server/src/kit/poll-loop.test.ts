import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startPollLoop } from './poll-loop.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A loop that fails as it is told, and what it logs. */
function startFailingLoop() {
  const lines: unknown[] = []
  const note = ({ err, suppressed = 0 }: Record<string, unknown>) =>
    void lines.push([(err as Error).message, suppressed])
  const state = { lines, failWith: null as Error | null }
  const loop = startPollLoop({
    pollMs: 250,
    log: { debug: note, info: note, warn: note, error: note },
    failure: 'nothing could be taken',
    async pass() {
      if (state.failWith) throw state.failWith
      return false
    },
  })
  return Object.assign(state, loop)
}

it('a failure that lasts is logged at once, and every half minute with the number of those between', async () => {
  const loop = startFailingLoop()
  loop.failWith = new Error('away')
  await vi.advanceTimersByTimeAsync(45_000)
  expect(loop.lines).toEqual([
    ['away', 0],
    ['away', 119],
  ])
  await vi.advanceTimersByTimeAsync(30_000)
  expect(loop.lines).toHaveLength(3)
  await loop.stop()
})

it('another failure is logged at once, and so is one that comes back later', async () => {
  const loop = startFailingLoop()
  loop.failWith = new Error('away')
  await vi.advanceTimersByTimeAsync(1_000)
  loop.failWith = new Error('a defect')
  await vi.advanceTimersByTimeAsync(1_000)
  loop.failWith = null
  await vi.advanceTimersByTimeAsync(60_000)
  loop.failWith = new Error('away')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(loop.lines).toEqual([
    ['away', 0],
    ['a defect', 0],
    ['away', expect.any(Number)],
  ])
  await loop.stop()
})
