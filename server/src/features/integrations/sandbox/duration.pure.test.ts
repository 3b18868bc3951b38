import { expect, it } from 'vitest'
import { duration } from './duration.ts'

const day = 24 * 3_600_000

it.each([
  ['P3D', 3 * day],
  ['P1W', 7 * day],
  ['PT6H', day / 4],
  ['PT90M', 5_400_000],
  ['PT1S', 1_000],
  ['P1W2DT3H4M5S', 9 * day + 3 * 3_600_000 + 4 * 60_000 + 5_000],
  ['P366D', 366 * day],
  ['P52W2D', 366 * day],
])('%s is %d milliseconds', (text, ms) => {
  expect(duration.parse(text)).toBe(ms)
})

it.each(['', 'P', 'PT', 'P3DT', '3D', 'p3d', 'P3', 'P-3D', 'P1.5D', 'P1M', 'P1Y', 'P3H', 'P1D2W', 'P3D '])(
  '%j is no duration here',
  text => {
    expect(duration.safeParse(text).error?.issues[0]?.message).toContain('must be an ISO 8601 duration')
  },
)

it.each(['P0D', 'PT0S', 'P367D', 'P366DT1S', 'P9999W'])('%s is nothing, or too long', text => {
  expect(duration.safeParse(text).error?.issues[0]?.message).toContain('366 days at most')
})
