import { expect, test } from 'vitest'
import { standingOf, standings } from './standing.ts'

test('a recovery that runs stands by whether it has a moment', () => {
  expect(standingOf({ status: 'in_recovery', holds: [] }, true)).toBe('running')
  expect(standingOf({ status: 'in_recovery', holds: [] }, false)).toBe('decide')
})

test('of several holds the first of the order names the pause', () => {
  expect(standingOf({ status: 'paused', holds: ['asked', 'promise', 'dispute'] }, true)).toBe('held:dispute')
  expect(standingOf({ status: 'paused', holds: ['asked', 'reply', 'promise'] }, false)).toBe('held:reply')
  expect(standingOf({ status: 'paused', holds: ['asked', 'debtor'] }, false)).toBe('held:asked')
  expect(standingOf({ status: 'paused', holds: ['debtor'] }, false)).toBe('held:debtor')
})

test('a dispute from before the start stands as a dispute, and nothing else changes before it', () => {
  expect(standingOf({ status: 'pending', holds: ['dispute'] }, false)).toBe('held:dispute')
  expect(standingOf({ status: 'pending', holds: [] }, false)).toBe('pending')
})

test('a dispute after the amicable stage has ended stands as a dispute', () => {
  expect(standingOf({ status: 'judicial', holds: ['dispute'] }, false)).toBe('held:dispute')
  expect(standingOf({ status: 'judicial', holds: [] }, false)).toBe('judicial')
})

test('every standing can be reached', () => {
  expect(standings).toContain(standingOf({ status: 'pending', holds: [] }, false))
  expect(standings).toContain(standingOf({ status: 'judicial', holds: [] }, false))
  expect(standingOf({ status: 'completed', holds: [] }, false)).toBe('ended')
  expect(standingOf({ status: 'cancelled', holds: [] }, false)).toBe('ended')
  expect(new Set(standings).size).toBe(16)
})
