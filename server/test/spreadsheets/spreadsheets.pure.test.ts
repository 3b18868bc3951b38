import { expect, test } from 'vitest'
import { choicesFrom } from './choices.ts'
import { drawFile } from './draw-file.ts'
import { readDrawnFiles } from './spreadsheets.ts'

/** The proof `spreadsheets` in small. */
test('of 450 drawn files nothing is imported wrongly, and nearly everything that can be read is', async () => {
  const { wrong, understood, readable } = await readDrawnFiles(450, 7)
  expect(wrong).toEqual([])
  expect(readable).toBeGreaterThan(1_000)
  expect(understood / readable).toBeGreaterThan(0.97)
}, 30_000)

test('a seed draws the same file again', () => {
  expect(drawFile(choicesFrom(5), 2)).toEqual(drawFile(choicesFrom(5), 2))
})
