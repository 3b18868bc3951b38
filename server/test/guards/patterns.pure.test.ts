import { beforeAll, expect, it } from 'vitest'
import { type FoundPatterns, patternsInSources } from './patterns-in-sources.ts'
import { pumpedTexts } from './pumped-texts.ts'

/** Patterns that contain an address of the installation or other texts of the run, each with an example of what they become. */
const ownAddress = String.raw`(?:https\x3a\x2f\x2fapi\x2erelance\x2eexample)?\/(?![/\\])[\w\-./?=%#~]*`
const cleanMarkdown = 'server/src/features/integrations/assistant/clean-markdown.ts'
const madeAtRunTime: Readonly<Record<string, RegExp>> = {
  [`${cleanMarkdown}: new RegExp(\`^\${own}$\`, 'u')`]: new RegExp(`^${ownAddress}$`, 'u'),
  [`${cleanMarkdown}: new RegExp(String.raw\`\\]\\((?!\${own}\\))\`, 'gu')`]: new RegExp(
    String.raw`\]\((?!${ownAddress}\))`,
    'gu',
  ),
  [`${cleanMarkdown}: new RegExp(\`^\${literal(publicUrl)}(?:\${ownPath})?$\`, 'u')`]: new RegExp(
    `^(?:${ownAddress})?$`,
    'u',
  ),
}

let found: FoundPatterns
beforeAll(async () => {
  found = await patternsInSources()
}, 120_000)

/** Replaces every match, so that the whole text is read. */
const searching = ({ source, flags }: RegExp) => {
  const pattern = new RegExp(source, flags.replace(/[gy]/g, '') + (flags.includes('y') ? 'y' : 'g'))
  return (text: string) => void text.replace(pattern, '')
}

/** The best of five: something else may fall into one. It is shorter than what the CPU clock of some machines can tell. */
function msOf(work: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 5; i++) {
    const startedAt = performance.now()
    work()
    best = Math.min(best, performance.now() - startedAt)
  }
  return best
}

const suspiciousMs = 0.5
/** Exponential time shows on the first, cubic time on the last. */
const lengths = [24, 32, 40, 200]
/** With eight times the text a linear pattern takes eight times as long, a quadratic one 64 times. */
const ratioMax = 24

/** The text on which a pattern takes more than linear time, null if none was found. */
function costlyText(pattern: RegExp): { text: string; ms: number } | null {
  const search = searching(pattern)
  const isSlow = (text: string, ms: number) => {
    const startedAt = performance.now()
    search(text)
    return performance.now() - startedAt > ms && msOf(() => search(text)) > ms
  }
  for (const textOf of pumpedTexts(pattern)) {
    // What is slow on so few characters must not be met on many.
    const early = lengths.find(length => isSlow(textOf(length), 3))
    if (early !== undefined) return { text: textOf(early), ms: Number.POSITIVE_INFINITY }
    if (!isSlow(textOf(2_000), suspiciousMs)) continue
    const [short, long] = [textOf(1_000), textOf(8_000)]
    const grows = () => msOf(() => search(long)) > ratioMax * msOf(() => search(short))
    // Asked three times: on a busy machine five measurements in a row can be wrong, too.
    if (grows() && grows() && grows()) return { text: long, ms: msOf(() => search(long)) }
  }
  return null
}

const shown = (text: string) => JSON.stringify(`${text.slice(0, 12)}…${text.slice(-6)}`)

it('every pattern takes linear time, or is used on short texts only', () => {
  const faults: string[] = []
  const patterns = [
    ...found.patterns,
    ...Object.entries(madeAtRunTime).map(([file, pattern]) => ({
      file,
      line: 0,
      pattern,
      lengthMax: Number.POSITIVE_INFINITY,
    })),
  ]
  for (const { file, line, pattern, lengthMax } of patterns) {
    if (lengthMax < Number.POSITIVE_INFINITY) continue
    const costly = costlyText(pattern)
    if (costly) faults.push(`${file}:${line} ${pattern} on ${shown(costly.text)}: ${costly.ms.toFixed(1)} ms`)
  }
  expect(patterns.length).toBeGreaterThan(400)
  expect(faults).toEqual([])
})

it('a pattern for short texts is quick on the longest of them, and would not be on a long one', () => {
  const limited = found.patterns.filter(({ lengthMax }) => lengthMax < Number.POSITIVE_INFINITY)
  const faults = limited.flatMap(({ file, line, pattern, lengthMax }) => {
    const search = searching(pattern)
    const slowest = Math.max(
      ...pumpedTexts(pattern).map(textOf => {
        const text = textOf(lengthMax)
        search(text)
        const startedAt = performance.now()
        search(text)
        const ms = performance.now() - startedAt
        return ms > suspiciousMs ? msOf(() => search(text)) : ms
      }),
    )
    const place = `${file}:${line}`
    return [
      ...(slowest > 1 ? [`${place} takes ${slowest.toFixed(1)} ms`] : []),
      ...(costlyText(pattern) === null ? [`${place} needs no limit`] : []),
    ]
  })
  expect(limited.length).toBeGreaterThan(2)
  expect(faults).toEqual([])
})

it('every pattern that is made at run time has an example', () => {
  expect(found.unread.sort()).toEqual(Object.keys(madeAtRunTime).sort())
})

it.each([
  [/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/, true],
  [/\/+$/, true],
  [/(?<!\/)\/+$/, false],
  [/!+(?=\[)/g, true],
  [/\[[^\]]*\]/g, true],
  [/(?:a|aa)+$/, true],
  [/^(?:\w+\s?)+$/, true],
  [/\b[\w-]+\.com/, true],
  [/\s+/g, false],
  [/^[a-z]+(?:-[a-z]+)*$/, false],
])('of %s it is known whether it takes more than linear time: %s', (pattern, isCostly) => {
  expect(costlyText(pattern) !== null).toBe(isCostly)
})
