import { expect, it } from 'vitest'
import { readSizes } from './built-files.ts'

const kilobyte = 1_000

it('the script before the first paint, each screen and the styles stay small', () => {
  const { entry, screens, styles } = readSizes()
  expect(entry).toBeLessThanOrEqual(120 * kilobyte)
  expect(Object.keys(screens)).toContain('src/routes/today.tsx')
  for (const [screen, bytes] of Object.entries(screens))
    expect(bytes, screen).toBeLessThanOrEqual(50 * kilobyte)
  expect(styles).toBeLessThanOrEqual(20 * kilobyte)
})
