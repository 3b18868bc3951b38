import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '../time.ts'
import { type AwayChannel, awayChannelAt, lookAgainAt } from './away-channel.ts'

const now = Date.UTC(2026, 10, 16, 9)
const away: AwayChannel = { channel: 'sms', since: now, until: now + MINUTE, because: 'provider_away' }
const moments = (channel: AwayChannel, at: number) =>
  Array.from({ length: 200 }, (_, i) => lookAgainAt(channel, at, `debtor ${i}`))

test('a channel is away until its moment, and other channels are not', () => {
  expect(awayChannelAt([away], 'sms', now)).toBe(away)
  expect(awayChannelAt([away], 'sms', away.until)).toBeNull()
  expect(awayChannelAt([away], 'email', now)).toBeNull()
  expect(awayChannelAt(undefined, 'sms', now)).toBeNull()
})

test('nobody is looked at before the provider is tried again, and not all at once', () => {
  const found = moments(away, now)
  expect(Math.min(...found)).toBeGreaterThanOrEqual(away.until)
  expect(Math.max(...found)).toBeLessThan(away.until + MINUTE)
  expect(new Set(found).size).toBeGreaterThan(150)
})

test('after a day what waited is spread over half an hour', () => {
  const later = now + 24 * HOUR
  const found = moments({ ...away, until: later + MINUTE }, later)
  expect(Math.max(...found) - later).toBeGreaterThan(25 * MINUTE)
  expect(Math.max(...found) - later).toBeLessThanOrEqual(31 * MINUTE)
})
