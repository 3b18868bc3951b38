import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, open, readFile, stat, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { runChild, startChild } from '../../src/kit/child-process.ts'
import type { ImageConfig } from './build-image.ts'

/** Addresses that are reserved for measurements (RFC 2544), and a network card of this machine for as long as the proof runs. */
const addressOf = (last: number) => `198.18.77.${last}`
const hostAddress = addressOf(1)
export const networkCard = 'relance-proof'

/** What Compose would start: an image with a command, settings, secrets and volumes. */
export interface Service {
  command: readonly string[]
  environment: Record<string, string>
  secrets: readonly string[]
  volumes: readonly string[]
}

export interface Running {
  /** What it printed so far. */
  log(): Promise<string>
  address: string
  /** A command in the same container; its exit code. */
  exec(command: readonly string[]): Promise<{ code: number; output: string }>
  /** SIGTERM, as at the end of a container. */
  stop(): Promise<{ code: number | null; seconds: number }>
  hasEnded(): boolean
}

interface Ended {
  code: number
  output: string
}

const isolated = `set -e
mount -t tmpfs tmpfs /run
# The runtime refuses a machine with both versions of control groups. It is to use none.
mount -t tmpfs tmpfs /sys/fs/cgroup
ip link set lo up
ip link add bridge type bridge
ip link set bridge up
echo ready
exec sleep infinity`

async function relay(port: number, to: number) {
  const server = createServer(incoming => {
    const outgoing = connect(to, '127.0.0.1')
    incoming.pipe(outgoing).pipe(incoming)
    incoming.on('error', () => outgoing.destroy())
    outgoing.on('error', () => incoming.destroy())
  })
  server.listen(port, hostAddress)
  await once(server, 'listening')
  return server
}

const endOf = async (running: Promise<{ stdout: string; stderr: string }>): Promise<Ended> =>
  running.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: Error & { code?: number | string; stdout?: string; stderr?: string }) => {
      if (typeof error.code !== 'number') throw error
      return { code: error.code, output: `${error.stdout}${error.stderr}` }
    },
  )

/**
 * Containers of an OCI runtime, each with a network, processes and mounts of its own, and with the restrictions of compose.yaml: a
 * read-only system, no capabilities, no new privileges. All of them live inside one set of namespaces, which ends with this process.
 */
export async function startContainers(options: {
  folder: string
  files: string
  image: ImageConfig
  secretsFolder: string
  /** Names that stand for servers of this machine, with the port that is asked for and the one on loopback. */
  servers: Record<string, { port: number; onLoopback: number }>
  /** Names of containers that others call. */
  names: readonly string[]
}) {
  const { folder, files, image } = options
  const namespaces = startChild(
    'unshare',
    ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-c', isolated],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await Promise.race([
    once(namespaces.stdout!, 'data'),
    once(namespaces, 'exit').then(() => Promise.reject(new Error('no namespaces could be made'))),
  ])
  const kept = `/proc/${namespaces.pid}/ns`
  const entered = [`--mount=${kept}/mnt`, `--net=${kept}/net`, `--pid=${kept}/pid_for_children`]
  const inside = (...command: string[]) =>
    runChild('nsenter', [...entered, ...command], { maxBuffer: 64 << 20 })
  const ip = (...args: string[]) => inside('ip', ...args)
  const crun = ['crun', '--root', '/run/crun', '--cgroup-manager', 'disabled']

  await runChild('ip', [
    ...[
      'link',
      'add',
      networkCard,
      'type',
      'veth',
      'peer',
      'name',
      'uplink',
      'netns',
      String(namespaces.pid),
    ],
  ])
  await runChild('ip', ['address', 'add', `${hostAddress}/24`, 'dev', networkCard])
  await runChild('ip', ['link', 'set', networkCard, 'up'])
  await ip('link', 'set', 'uplink', 'master', 'bridge', 'up')
  const relays = await Promise.all(
    Object.values(options.servers).map(({ port, onLoopback }) => relay(port, onLoopback)),
  )

  const hosts = join(folder, 'hosts')
  const known = new Map(options.names.map((name, at) => [name, addressOf(10 + at)]))
  await writeFile(
    hosts,
    [
      '127.0.0.1 localhost',
      ...Object.keys(options.servers).map(name => `${hostAddress} ${name}`),
      ...[...known].map(([name, address]) => `${address} ${name}`),
      '',
    ].join('\n'),
  )

  /** A new volume has the owner of the folder of the image that it is mounted over, as with Docker. */
  async function volume(text: string) {
    const [name, destination, mode = 'rw'] = text.split(':') as [string, string, string?]
    const source = join(folder, `volume-${name}`)
    const owner = await stat(join(files, destination)).catch(() => null)
    const isNew = (await mkdir(source, { recursive: true })) !== undefined
    if (isNew && owner) await chown(source, owner.uid, owner.gid)
    return { destination, source, type: 'bind', options: ['bind', mode] }
  }

  let started = 0
  async function bundle(name: string, { command, environment, secrets, volumes }: Service) {
    const id = `${name}-${++started}`
    const address = known.get(name) ?? addressOf(100 + started)
    await ip('netns', 'add', id)
    await ip('link', 'add', `v${started}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', id)
    await ip('link', 'set', `v${started}`, 'master', 'bridge', 'up')
    await ip('-n', id, 'address', 'add', `${address}/24`, 'dev', 'eth0')
    for (const card of ['eth0', 'lo']) await ip('-n', id, 'link', 'set', card, 'up')
    const [uid, gid] = image.User.split(':').map(Number)
    const scratch = (destination: string, ...more: string[]) => ({
      destination,
      type: 'tmpfs',
      source: 'tmpfs',
      options: ['nosuid', ...more],
    })
    const readOnly = (source: string, destination: string) => ({
      destination,
      source,
      type: 'bind',
      options: ['bind', 'ro'],
    })
    const none: string[] = []
    const config = {
      ociVersion: '1.0.2',
      hostname: name,
      process: {
        user: { uid, gid },
        args: [...image.Entrypoint, ...command],
        env: [...image.Env, ...Object.entries(environment).map(([key, value]) => `${key}=${value}`)],
        cwd: image.WorkingDir,
        noNewPrivileges: true,
        capabilities: { bounding: none, effective: none, permitted: none, inheritable: none, ambient: none },
      },
      root: { path: files, readonly: true },
      mounts: [
        { destination: '/proc', type: 'proc', source: 'proc' },
        scratch('/dev', 'mode=755'),
        {
          destination: '/dev/pts',
          type: 'devpts',
          source: 'devpts',
          options: ['newinstance', 'ptmxmode=0666'],
        },
        scratch('/dev/shm', 'nodev', 'mode=1777'),
        scratch('/tmp', 'nodev', 'mode=1777'),
        readOnly(hosts, '/etc/hosts'),
        ...secrets.map(secret => readOnly(join(options.secretsFolder, secret), `/run/secrets/${secret}`)),
        ...(await Promise.all(volumes.map(volume))),
      ],
      linux: {
        namespaces: [
          ...['pid', 'ipc', 'uts', 'mount'].map(type => ({ type })),
          { type: 'network', path: `/run/netns/${id}` },
        ],
      },
    }
    const path = join(folder, id)
    await mkdir(path)
    await writeFile(join(path, 'config.json'), JSON.stringify(config))
    return { id, address, run: [...entered, ...crun, 'run', '--bundle', path, id] }
  }

  return {
    /** Until it has ended by itself. */
    async run(name: string, service: Service): Promise<Ended> {
      const { run } = await bundle(name, service)
      return endOf(runChild('nsenter', run, { maxBuffer: 64 << 20 }))
    },
    async start(name: string, service: Service): Promise<Running> {
      const { id, address, run } = await bundle(name, service)
      const path = join(folder, `${id}.log`)
      const log = await open(path, 'a')
      const child: ChildProcess = startChild('nsenter', run, { stdio: ['ignore', log.fd, log.fd] })
      await once(child, 'spawn').finally(() => log.close())
      const hasEnded = () => child.exitCode !== null || child.signalCode !== null
      return {
        address,
        hasEnded,
        log: () => readFile(path, 'utf8'),
        exec: command => endOf(inside(...crun, 'exec', '--user', image.User, id, ...command)),
        async stop() {
          const from = performance.now()
          if (!hasEnded()) {
            const ended = once(child, 'exit')
            await inside(...crun, 'kill', id, 'TERM')
            await ended
          }
          return { code: child.exitCode, seconds: (performance.now() - from) / 1000 }
        },
      }
    },
    /** Whatever still runs is killed. */
    async stop(): Promise<void> {
      for (const server of relays) server.close()
      if (namespaces.exitCode !== null) return
      const ended = once(namespaces, 'exit')
      namespaces.kill('SIGKILL')
      await ended
    },
  }
}
