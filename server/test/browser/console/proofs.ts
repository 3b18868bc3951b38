import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startChild } from '../../../src/kit/child-process.ts'
import type { Findings } from '../../chaos/findings.ts'

const root = join(import.meta.dirname, '../../../..')

/** A test in a browser that CI runs small, at the size that is asked for. */
const largeTest = (
  file: string,
  sizes: Readonly<Record<string, readonly [variable: string, usual: string]>>,
) => ({
  async prove(args: string[], findings: Findings): Promise<void> {
    const options = Object.fromEntries(
      Object.entries(sizes).map(([name, [, usual]]) => [name, { type: 'string' as const, default: usual }]),
    )
    const { values } = parseArgs({ args, options })
    const env = Object.fromEntries(
      Object.entries(sizes).map(([name, [variable]]) => [variable, values[name]]),
    )
    const vitest = ['run', '--config', 'server/vitest.config.ts', '--project', 'browser', file]
    const child = startChild('vitest', vitest, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    })
    const [code] = await once(child, 'close')
    const asked = Object.entries(values).map(([name, value]) => `${name} ${value}`)
    findings.check(`every test of ${file} passed, ${asked.join(', ')}`, code === 0)
  },
})

/** What is drawn is what the API said: `npm run prove -- drawn --debtors 200`. */
export const drawn = largeTest('console/drawn', {
  debtors: ['DRAWN_DEBTORS', '200'],
  seed: ['DRAWN_SEED', '1'],
})

/** Every screen in every form: `npm run prove -- console-axe`. */
export const axe = largeTest('console/accessible', { screens: ['ACCESSIBLE_SCREENS', 'all'] })
