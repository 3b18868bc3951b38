import { parseArgs } from 'node:util'
import type { Findings } from '../chaos/findings.ts'
import { choicesFrom } from './choices.ts'
import { drawFile } from './draw-file.ts'
import { judgeFile } from './judge-file.ts'
import { writeFile } from './write-file.ts'

export interface Outcome {
  files: number
  rows: number
  readable: number
  understood: number
  wrong: string[]
  refusals: string[]
  kinds: Record<string, number>
}

/** Draws files, reads them as an import does, and compares the result with what the files say. */
export async function readDrawnFiles(files: number, seed: number): Promise<Outcome> {
  const outcome: Outcome = { files, rows: 0, readable: 0, understood: 0, wrong: [], refusals: [], kinds: {} }
  for (let n = 0; n < files; n++) {
    // Each file has a seed of its own, so that one of many can be drawn again.
    const drawn = drawFile(choicesFrom(seed * 1_000_003 + n), n)
    const judged = await judgeFile(drawn, await writeFile(drawn))
    outcome.rows += drawn.rows.length
    outcome.readable += judged.readable
    outcome.understood += judged.understood
    outcome.wrong.push(...judged.wrong.map(text => `file ${n}: ${text}`))
    outcome.refusals.push(...judged.refusals.map(text => `file ${n}: ${text}`))
    outcome.kinds[drawn.shape.kind] = (outcome.kinds[drawn.shape.kind] ?? 0) + 1
  }
  return outcome
}

/** The causes, most frequent first. */
function causesOf(texts: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) {
    const cause = text.replace(/^file \d+: /, '').split(' | ')[0]!
    counts.set(cause, (counts.get(cause) ?? 0) + 1)
  }
  return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1]).slice(0, 12))
}

/** Spreadsheets of French companies with a known truth: what is imported is right, and most of what can be read is. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      files: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '20261119' },
      examples: { type: 'string', default: '5' },
    },
  })
  const outcome = await readDrawnFiles(Number(values.files), Number(values.seed))
  const { wrong, refusals, understood, readable } = outcome
  findings.figure('seed', values.seed)
  findings.figure('files', outcome.kinds)
  findings.figure('rows, readable ones, understood ones', `${outcome.rows}, ${readable}, ${understood}`)
  findings.figure('not understood, by cause', causesOf(refusals))
  for (const text of [...wrong, ...refusals].slice(0, Number(values.examples)))
    findings.figure('example', text)
  findings.check(
    'no row is imported that must not be, and none with a wrong value',
    wrong.length === 0,
    wrong.length,
  )
  const share = understood / readable
  findings.check('at least 0.97 of the readable rows are understood', share >= 0.97, share.toFixed(4))
}
