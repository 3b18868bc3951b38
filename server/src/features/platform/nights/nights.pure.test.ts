import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { nextNight } from './nights.ts'

const noon = Date.parse('2026-11-16T12:00:00Z')
const hour = 3_600_000

it('every tenant has a moment of its own between 01:00 and 05:00 UTC, the same each night', () => {
  const id = '0199c9a2-7b1e-7c7e-8a51-000080000000'
  expect(nextNight(id, noon)).toBe(Date.parse('2026-11-17T03:00:00Z'))
  expect(nextNight(id, Date.parse('2026-11-17T02:59:59Z'))).toBe(Date.parse('2026-11-17T03:00:00Z'))
  expect(nextNight(id, Date.parse('2026-11-17T03:00:00Z'))).toBe(Date.parse('2026-11-18T03:00:00Z'))
  expect(nextNight(id.replace('80000000', '00000000'), noon)).toBe(Date.parse('2026-11-17T01:00:00Z'))
  expect(nextNight(id.replace('80000000', 'ffffffff'), noon)).toBe(Date.parse('2026-11-17T05:00:00Z') - 1)
})

it('the nights of many tenants are spread evenly', () => {
  const perHour = [0, 0, 0, 0]
  for (let i = 0; i < 4_000; i++)
    perHour[Math.floor((nextNight(randomUUID(), noon) - Date.parse('2026-11-17T01:00:00Z')) / hour)]!++
  for (const count of perHour) expect(count).toBeGreaterThan(800)
})
