import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runChild } from '../../src/kit/child-process.ts'
import { startChaosInstallation } from '../chaos/chaos-installation.ts'
import type { Findings } from '../chaos/findings.ts'

interface Generator {
  name: string
  /** Exact versions: what is proven is the document, not the latest release of a generator. */
  packages: Record<string, string>
  command: string[]
}

const generators: readonly Generator[] = [
  {
    name: 'hey-api',
    packages: { '@hey-api/openapi-ts': '0.99.0' },
    command: ['openapi-ts', '--input', 'openapi.json', '--output', 'src/client'],
  },
  {
    name: 'openapi-typescript',
    packages: { 'openapi-typescript': '7.13.0', 'openapi-fetch': '0.17.0' },
    command: ['openapi-typescript', 'openapi.json', '--output', 'src/client.ts'],
  },
]
const everyProject = { typescript: '5.9.3', '@types/node': '24.19.2' }

const tsconfig = {
  compilerOptions: {
    strict: true,
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'nodenext',
    rootDir: 'src',
    outDir: 'dist',
    types: ['node'],
  },
  include: ['src'],
}

const callsExpected = 10

interface Call {
  name: string
  status?: number
  code?: string
}

/**
 * Clients that are generated from the document, in projects of their own outside the repository, compile strictly and make
 * their calls at the first try. It installs the generators from npm, so it is run by command and not by the check.
 */
export async function prove(_args: string[], findings: Findings): Promise<void> {
  const installation = await startChaosInstallation({
    apis: 1,
    workers: 0,
    leaseMs: 60_000,
  })
  try {
    const url = installation.apiUrls[0]!
    const document = await (await fetch(`${url}/openapi.json`)).text()
    findings.figure('KB of the document', Math.round(document.length / 1024))
    for (const generator of generators)
      await proveGenerator(findings, generator, document, { BASE: url, KEY: installation.company.sandboxKey })
  } finally {
    await installation.close(false)
  }
}

async function proveGenerator(
  findings: Findings,
  { name, packages, command }: Generator,
  document: string,
  env: Record<string, string>,
): Promise<void> {
  const cwd = await mkdtemp(join(tmpdir(), `relance-client-${name}-`))
  const run = (program: string, ...args: string[]) =>
    runChild(program, args, { cwd, env: { ...process.env, ...env } })
  const runLocal = (program: string, ...args: string[]) =>
    run(join(cwd, 'node_modules/.bin', program), ...args)
  try {
    await mkdir(join(cwd, 'src'))
    const project = { name, private: true, type: 'module', dependencies: { ...everyProject, ...packages } }
    await writeFile(join(cwd, 'package.json'), JSON.stringify(project))
    await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify(tsconfig))
    await writeFile(join(cwd, 'openapi.json'), document)
    await run('npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts')
    await runLocal(command[0]!, ...command.slice(1))
    await copyFile(join(import.meta.dirname, `${name}.txt`), join(cwd, 'src/calls.ts'))
    await runLocal('tsc', '--project', 'tsconfig.json')
    findings.check(`${name}: the client and its calls compile strictly`, true)
    const { stdout } = await run(process.execPath, 'dist/calls.js')
    const calls = stdout
      .trim()
      .split('\n')
      .map(text => JSON.parse(text) as Call)
    const failed = calls.filter(({ status = 0 }) => status < 200 || status >= 300)
    findings.check(
      `${name}: ${callsExpected} calls succeed at the first try`,
      calls.length === callsExpected && failed.length === 0,
      failed,
    )
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    findings.check(
      `${name}: a client is generated, compiles and calls`,
      false,
      `${error}\n${stdout}\n${stderr}`,
    )
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}
