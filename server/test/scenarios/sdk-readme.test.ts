import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { runChild } from '../../src/kit/child-process.ts'
import { newSandbox } from '../harness/sandbox.ts'
import { useInstallation } from '../harness/use-installation.ts'
import { readmeProgram } from '../sdk/readme-program.ts'

const installation = useInstallation()
const sdk = join(import.meta.dirname, '../../../sdk')

it('the examples of the README of the SDK run, one after the other, as they stand there', async () => {
  const { key } = await newSandbox(installation)
  const folder = await mkdtemp(join(tmpdir(), 'relance-readme-'))
  try {
    const program = readmeProgram(await readFile(join(sdk, 'README.md'), 'utf8'))
    const source = pathToFileURL(join(sdk, 'src/index.ts')).href
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'readme.ts'), program.replace("'@relance/sdk'", `'${source}'`))
    const { stdout } = await runChild(process.execPath, [join(folder, 'readme.ts')], {
      env: { ...process.env, API_KEY: key, BASE_URL: installation.server.baseUrl },
    })
    const lines = stdout.trim().split('\n')
    expect(lines[0]).toBe('created imported')
    expect(lines.filter(line => line.startsWith('planned')).length).toBeGreaterThan(5)
    for (const line of [
      'paid 20000',
      'page 1 null',
      'debtor Durand SARL',
      'refused 404 RES_001 true',
      'warned Petit & Fils 1 true true',
      'judged review 1',
      'imported finished 1',
      'received payment.failed',
    ])
      expect(lines).toContain(line)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
