import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startChild } from '../../../src/kit/child-process.ts'
import type { Findings } from '../../chaos/findings.ts'

const config = join(import.meta.dirname, '../../../vitest.config.ts')

// A run on the pure rules costs a fortieth of one over HTTP.
const benches = [
  { project: 'pure', file: 'src/domain/recovery/money-model.test.ts', times: 40 },
  { project: 'db', file: 'test/scenarios/receivables/money-model.test.ts', times: 1 },
]

const run = (project: string, file: string, runs: number) =>
  new Promise<number>(resolve => {
    const child = startChild('vitest', ['run', '--config', config, '--project', project, file], {
      stdio: 'inherit',
      env: { ...process.env, MODEL_RUNS: String(runs) },
    })
    child.once('exit', code => resolve(code ?? 1))
  })

/** Many random sequences of payments, refunds, reversals and credits, compared with a model that is computed from scratch each time. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({ args, options: { runs: { type: 'string', default: '500' } } })
  for (const { project, file, times } of benches) {
    const runs = Number(values.runs) * times
    const start = performance.now()
    findings.check(`${runs} runs agree with the model (${project})`, (await run(project, file, runs)) === 0)
    findings.figure('seconds', ((performance.now() - start) / 1000).toFixed(1))
  }
}
