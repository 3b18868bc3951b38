import { readFile } from 'node:fs/promises'

interface Entry {
  version: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  optionalDependencies?: Record<string, string>
}

const systems = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'openharmony',
  'win32',
  'wasm32',
  'aix',
  'netbsd',
  'openbsd',
  'sunos',
]
const processors: Record<string, string> = {
  arm64: 'arm64',
  x64: 'x64',
  ia32: 'ia32',
  arm: 'arm',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  wasm32: 'wasm32',
}

/**
 * A mirror may lack the binaries of platforms it does not serve; npm then writes a lock file without them, and `npm ci` refuses
 * that file everywhere. Their parent packages list their names and versions, so the missing entries are added from there.
 */
export async function completeLockfile(path: string): Promise<string> {
  const lock = JSON.parse(await readFile(path, 'utf8')) as { packages: Record<string, Entry> }
  for (const parent of Object.values(lock.packages))
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      const key = `node_modules/${name}`
      if (lock.packages[key] || !/^\d/.test(version)) continue
      const nameParts = name.replace(/^@[^/]+\//, '').split('-')
      const os = systems.find(system => nameParts.includes(system))
      const cpu = nameParts.map(part => processors[part]).find(Boolean)
      if (!os) continue
      lock.packages[key] = {
        version,
        ...(parent.dev && { dev: true }),
        optional: true,
        ...(cpu && { cpu: [cpu] }),
        ...(os !== 'wasm32' && { os: [os] }),
      }
    }
  const [root, ...rest] = Object.entries(lock.packages)
  lock.packages = Object.fromEntries([root!, ...rest.sort(([a], [b]) => a.localeCompare(b, 'en'))])
  return `${JSON.stringify(lock, null, 2)}\n`
}
