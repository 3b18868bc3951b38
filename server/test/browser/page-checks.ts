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

/** Accessibility faults by the rules of WCAG 2.2 A and AA and axe's own. */
async function accessibilityFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  // Evaluated through the debugger, to which the page's content security policy does not apply.
  const found = await page.evaluate(`axe.run(${JSON.stringify(options)})`)
  return (found as AxeResults).violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, impact, nodes }) => nodes.map(node => `${impact} ${id}: ${node.html}`))
}

const wcag22 = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa']

/** Every fault by the rules of WCAG 2.2 A and AA, the slightest included. */
export async function wcagFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const found = await page.evaluate(
    `axe.run({ resultTypes: ['violations'], runOnly: ${JSON.stringify(wcag22)} })`,
  )
  return (found as AxeResults).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html}`),
  )
}

/** A logo as a small company has one, drawn by the browser. */
export async function drawLogo(page: Page): Promise<Buffer> {
  await page.setContent(
    '<svg width="88" height="88" viewBox="0 0 44 44"><rect width="44" height="44" rx="22" fill="#8a4b1f"/><path d="M11 31V13l11 10 11-10v18" fill="none" stroke="#fff" stroke-width="4"/></svg>',
  )
  return page.locator('svg').screenshot({ omitBackground: true })
}

export async function savePicture(name: string, png: Buffer): Promise<void> {
  await mkdir(pictures, { recursive: true })
  await writeFile(join(pictures, `${name}.png`), smallPng(png))
}

/** On desktop and phone sizes: no horizontal scrolling and no accessibility fault. */
export async function expectAccessiblePage(page: Page, name: string, isSaved = true): Promise<void> {
  for (const [kind, width, height] of [
    ['desktop', 1200, 800],
    ['phone', 390, 780],
    ['narrow', 360, 640],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect.poll(() => page.evaluate(contentWidth), { message: `${name}, ${kind}` }).toBe(width)
    if (process.env.PICTURES && isSaved && kind !== 'narrow')
      await savePicture(`${name}-${kind}`, await page.screenshot({ fullPage: true }))
  }
  await page.evaluate(axe)
  expect(await accessibilityFaults(page), name).toEqual([])
}

/** Checks the contrast of the dark colour scheme. */
export async function expectContrastAtNight(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await accessibilityFaults(page, ['color-contrast'])).toEqual([])
}
