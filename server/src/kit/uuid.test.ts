import { expect, it } from 'vitest'
import { lowestIdOf, momentOf, uuidv7 } from './uuid.ts'

it('is a UUIDv7 of its moment', () => {
  const wall = Date.parse('2026-11-16T09:00:00Z')
  const id = uuidv7(wall)
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(wall)
})

it('ids of one moment sort in the order they were made, and never repeat', () => {
  const ids = Array.from({ length: 3_000 }, () => uuidv7(1_000))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(3_000)
})

it('no id is below the lowest of its moment, and every id of an earlier moment is', () => {
  for (const wall of [1, 1_000, Date.parse('2026-11-16T09:00:00Z')]) {
    expect(uuidv7(wall) > lowestIdOf(wall)).toBe(true)
    expect(uuidv7(wall - 1) < lowestIdOf(wall)).toBe(true)
  }
})

it('the time of creation can be read from an id', () => {
  for (const wall of [1, 1_000, Date.parse('2026-11-16T09:00:00.123Z')]) {
    expect(momentOf(uuidv7(wall))).toBe(wall)
    expect(momentOf(lowestIdOf(wall))).toBe(wall)
  }
})
