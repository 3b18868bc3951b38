import { appendFile, mkdir } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { dirname } from 'node:path'
import { runChild } from '../../src/kit/child-process.ts'

export interface Measured {
  name: string
  unit: string
  value: number
}

/** What a bench measured at one size, and on what: one line of a file in docs/performance. */
export interface Result {
  bench: string
  /** Rows of what the bench is about; null where it has no size. */
  size: number | null
  date: string
  commit: string
  machine: { cores: number; memoryGb: number; processor: string }
  versions: { node: string; postgres: string }
  figures: Measured[]
}

/** Adds a line to a file of results, with the machine it was measured on. */
export async function appendResult(
  file: string,
  { postgres, ...measured }: Pick<Result, 'bench' | 'size' | 'figures'> & { postgres: string },
): Promise<void> {
  const { stdout } = await runChild('git', ['describe', '--always', '--dirty'], {
    cwd: import.meta.dirname,
  })
  const result: Result = {
    ...measured,
    date: new Date().toISOString().slice(0, 10),
    commit: stdout.trim(),
    machine: {
      cores: cpus().length,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      processor: cpus()[0]?.model ?? 'unknown',
    },
    versions: { node: process.version, postgres },
  }
  await mkdir(dirname(file), { recursive: true })
  await appendFile(file, `${JSON.stringify(result)}\n`)
}
