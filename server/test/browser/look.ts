import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { contentWidth } from './in-page.ts'
import { smallPng } from './small-png.ts'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const pictures = join(import.meta.dirname, '../../../docs/pictures')

/** What stands in somebody's way, by the rules of WCAG 2.2 A and AA and axe's own. */
async function faultsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  // Through the debugger's door, which the page's own policy does not guard.
  const found = await page.evaluate(`axe.run(${JSON.stringify(options)})`)
  return (found as AxeResults).violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, impact, nodes }) => nodes.map(node => `${impact} ${id}: ${node.html}`))
}

export async function keepPicture(name: string, png: Buffer): Promise<void> {
  await mkdir(pictures, { recursive: true })
  await writeFile(join(pictures, `${name}.png`), smallPng(png))
}

/** On a desk and on a phone: nobody has to scroll sideways, and nothing is in the way. */
export async function expectGoodLook(page: Page, name: string, isKept = true): Promise<void> {
  for (const [kind, width, height] of [
    ['desktop', 1200, 800],
    ['phone', 390, 780],
    ['narrow', 360, 640],
  ] as const) {
    await page.setViewportSize({ width, height })
    expect(await page.evaluate(contentWidth), `${name}, ${kind}`).toBe(width)
    if (process.env.PICTURES && isKept && kind !== 'narrow')
      await keepPicture(`${name}-${kind}`, await page.screenshot({ fullPage: true }))
  }
  await page.evaluate(axe)
  expect(await faultsOf(page), name).toEqual([])
}

/** At night the colours are others. */
export async function expectContrastAtNight(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await faultsOf(page, ['color-contrast'])).toEqual([])
}
