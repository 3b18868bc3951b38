import { expect, it } from 'vitest'
import { dailyLimitOf, messagesWithin } from './daily-limits.ts'

it('what the operator set replaces the limit of the tier, field by field', () => {
  expect(dailyLimitOf('starter', {}, 'lrar')).toEqual({ messages: 20, cents: 20_000 })
  expect(dailyLimitOf('starter', { lrar: { messages: 3 }, sms: { cents: 1 } }, 'lrar')).toEqual({
    messages: 3,
    cents: 20_000,
  })
})

it.each([
  [{ messages: 20, cents: 20_000 }, 800, 20],
  [{ messages: 30, cents: 20_000 }, 800, 25],
  [{ messages: 30, cents: 799 }, 800, 0],
  [{ messages: 500, cents: 1 }, 0.1, 10],
  [{ messages: 500, cents: 0 }, 0, 500],
])('%j at %d cents a message is %d messages', (limit, price, messages) => {
  expect(messagesWithin(limit, price)).toBe(messages)
})
