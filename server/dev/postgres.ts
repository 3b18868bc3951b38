import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, open, readFile, realpath } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { runChild, startChild } from '../src/kit/child-process.ts'
import { freePort } from './ports.ts'
import {
  embeddedBinaries,
  installedBinaries,
  oldestMajor,
  type PostgresBinaries,
  type ServerOwner,
  serverOwner,
  withinReach,
} from './postgres-binaries.ts'
import { clearStaleLock, portOfRunning } from './postgres-processes.ts'

export type FoundPostgres = {
  adminUrl: string
  origin: 'DATABASE_URL' | 'local server' | 'embedded'
  stop(): Promise<void>
}

export type OwnCluster = {
  adminUrl: string
  port: number
  /** Differs from the requested directory if user `postgres` cannot reach that one (see `withinReach`). */
  dataDir: string
  pid(): number
  /** Sends SIGKILL to the postmaster; `start` waits for its orphaned processes. */
  kill(): void
  start(): Promise<void>
  stop(): Promise<void>
}

export async function findPostgres(options: {
  dataDir: string
  databaseUrl?: string | undefined
}): Promise<FoundPostgres> {
  const nothingToStop = async (): Promise<void> => undefined
  if (options.databaseUrl !== undefined) {
    await refuseUnlessSupported(options.databaseUrl)
    return { adminUrl: options.databaseUrl, origin: 'DATABASE_URL', stop: nothingToStop }
  }
  const local = await findLocalServer()
  if (local) return { adminUrl: local, origin: 'local server', stop: nothingToStop }
  const owner = await serverOwner()
  const left = await portOfRunning(await withinReach(resolve(options.dataDir), owner))
  if (left) return { adminUrl: urlOf(left), origin: 'embedded', stop: nothingToStop }
  const { adminUrl, stop } = await startOwnCluster({
    dataDir: options.dataDir,
    durable: true,
    binaries: 'embedded',
  })
  return { adminUrl, origin: 'embedded', stop }
}

/** A server on the default port that accepts us as superuser without a password and meets our requirements. */
export async function findLocalServer(): Promise<string | null> {
  for (const user of new Set(['postgres', userInfo().username])) {
    const url = `postgres://${encodeURIComponent(user)}@127.0.0.1:5432/postgres`
    const facts = await inspect(url).catch(() => null)
    if (facts?.superuser && facts.major >= oldestMajor && facts.gist) return url
  }
  return null
}

export async function startOwnCluster(options: {
  dataDir: string
  port?: number
  durable: boolean
  binaries?: 'installed' | 'embedded'
}): Promise<OwnCluster> {
  const owner = await serverOwner()
  const dataDir = await prepareDirectory(resolve(options.dataDir), owner)
  const binaries = await binariesFor(dataDir, owner, options.binaries)
  if ((await majorOf(dataDir)) === undefined) await initialise(binaries, dataDir, owner)
  const port = options.port ?? (await freePort())
  const adminUrl = urlOf(port)
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // The kernel allows a socket 107 bytes of path.
    unix_socket_directories: Buffer.byteLength(dataDir) < 85 ? dataDir : '',
    max_connections: '200',
    shared_buffers: '256MB',
    // We prepare for a killed process, not for a power cut: data that reached the kernel survives.
    // synchronous_commit still matters then: without it an answered commit may sit in shared memory only.
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: options.durable ? 'on' : 'off',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const logFile = join(dataDir, 'server.log')
  let postmaster: ChildProcess | undefined

  const isRunning = (): boolean =>
    postmaster !== undefined && postmaster.exitCode === null && postmaster.signalCode === null

  async function start(): Promise<void> {
    if (postmaster && isRunning()) {
      if (!postmaster.killed) throw new Error('this cluster is already running')
      await once(postmaster, 'exit')
    }
    await clearStaleLock(dataDir)
    const log = await open(logFile, 'a')
    const child = startChild(join(binaries.dir, 'postgres'), ['-D', dataDir, ...args], {
      ...owner,
      cwd: '/',
      // A separate session: Ctrl-C reaches only this process, which then stops everything in order.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      // SIGKILL would leave its shared memory behind.
      lastSignal: 'INT',
    })
    postmaster = child
    await once(child, 'spawn').finally(() => log.close())
    await untilAnswering(adminUrl, isRunning, logFile)
  }

  async function stop(): Promise<void> {
    if (!postmaster || !isRunning()) return
    const gone = once(postmaster, 'exit')
    postmaster.kill('SIGINT')
    const killTimer = setTimeout(() => postmaster?.kill('SIGQUIT'), 10_000)
    await gone
    clearTimeout(killTimer)
  }

  await start()
  return {
    adminUrl,
    port,
    dataDir,
    pid() {
      if (postmaster?.pid === undefined) throw new Error('this cluster is not running')
      return postmaster.pid
    },
    kill() {
      postmaster?.kill('SIGKILL')
    },
    start,
    stop,
  }
}

const urlOf = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`

async function inspect(url: string): Promise<{ major: number; superuser: boolean; gist: boolean }> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ major: number; superuser: boolean; gist: boolean }>(
      `select current_setting('server_version_num')::int / 10000 as major,
              current_setting('is_superuser') = 'on' as superuser,
              exists (select from pg_available_extensions where name = 'btree_gist') as gist`,
    )
    return rows[0]!
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function refuseUnlessSupported(url: string): Promise<void> {
  const { major, gist } = await inspect(url).catch(error => {
    throw new Error('the PostgreSQL of DATABASE_URL does not answer', { cause: error })
  })
  if (major < oldestMajor) throw new Error(`DATABASE_URL is PostgreSQL ${major}, ${oldestMajor} is needed`)
  if (!gist) throw new Error('the PostgreSQL of DATABASE_URL lacks the extension btree_gist')
}

async function prepareDirectory(requested: string, owner: ServerOwner): Promise<string> {
  const dir = await withinReach(requested, owner)
  await mkdir(dir, { recursive: true })
  if (owner) await chown(dir, owner.uid, owner.gid)
  await chmod(dir, 0o700)
  return realpath(dir)
}

async function binariesFor(
  dataDir: string,
  owner: ServerOwner,
  requested: 'installed' | 'embedded' | undefined,
): Promise<PostgresBinaries> {
  const major = await majorOf(dataDir)
  const installed = requested === 'embedded' ? null : await installedBinaries(major)
  if (!installed && requested === 'installed')
    throw new Error(`no PostgreSQL ${major ?? oldestMajor} installed`)
  const binaries = installed ?? (await embeddedBinaries(owner))
  if (major !== undefined && major !== binaries.major) {
    throw new Error(
      `${dataDir} was made by PostgreSQL ${major}, only ${binaries.major} is at hand: delete it`,
    )
  }
  return binaries
}

async function majorOf(dataDir: string): Promise<number | undefined> {
  const version = await readFile(join(dataDir, 'PG_VERSION'), 'utf8').catch(() => undefined)
  return version === undefined ? undefined : Number(version)
}

async function initialise(binaries: PostgresBinaries, dataDir: string, owner: ServerOwner): Promise<void> {
  const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'
  const args = ['--username=postgres', '--auth=trust', '--encoding=UTF8', `--locale=${locale}`, '--no-sync']
  await runChild(join(binaries.dir, 'initdb'), [`--pgdata=${dataDir}`, ...args], { ...owner, cwd: '/' })
}

async function untilAnswering(url: string, isRunning: () => boolean, logFile: string): Promise<void> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const answered = await inspect(url).catch(() => null)
    if (answered && isRunning()) return
    if (!isRunning() || performance.now() > deadline) {
      const log = await readFile(logFile, 'utf8').catch(() => '')
      throw new Error(`PostgreSQL did not start:\n${log.split('\n').slice(-15).join('\n')}`)
    }
    await pause(20)
  }
}
