import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createDueFloor } from './due-order.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const noon = Date.parse('2026-11-16T12:00:00Z')

/** Looks whose duration and answer are given; returns from where each looked. */
function looks() {
  const floor = createDueFloor()
  const from: number[] = []
  const look = async (wall: number, found: number[] = [], tookMs = 0) => {
    await floor.look(wall, async start => {
      from.push(start)
      await vi.advanceTimersByTimeAsync(tookMs)
      return found.map(wake_at => ({ wake_at }))
    })
  }
  return { from, look }
}

it('a look begins shortly before the oldest that was still due, or before the last look', async () => {
  const { from, look } = looks()
  await look(noon)
  await look(noon + 250, [noon - 60_000])
  await look(noon + 500)
  expect(from).toEqual([0, noon - 5_000, noon - 65_000])
})

it('once a second it begins at the beginning; less often where that takes long', async () => {
  const { from, look } = looks()
  await look(noon, [], 5)
  await vi.advanceTimersByTimeAsync(1_000)
  await look(noon, [], 300)
  await vi.advanceTimersByTimeAsync(29_000)
  await look(noon)
  await vi.advanceTimersByTimeAsync(1_000)
  await look(noon)
  expect(from.map(start => start === 0)).toEqual([true, true, false, true])
})

it('a clock that is set back does not hide what is due', async () => {
  const { from, look } = looks()
  await look(noon)
  await vi.advanceTimersByTimeAsync(1_000)
  await look(noon - 86_400_000)
  await look(noon - 86_400_000)
  expect(from).toEqual([0, 0, noon - 86_405_000])
})
