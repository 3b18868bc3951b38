import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freePort } from '../../dev/ports.ts'
import { inheritedEnv } from '../../dev/relance-args.ts'
import { startChild } from '../../src/kit/child-process.ts'
import { eventually } from '../harness/use-installation.ts'

const main = join(import.meta.dirname, '../../src/main.ts')

/** The process that runs Restate with this data directory. */
async function engineIn(directory: string): Promise<number> {
  for (const pid of (await readdir('/proc')).map(Number).filter(Number.isInteger)) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    const [program = ''] = line.split('\0')
    if (program.endsWith('restate-server') && line.includes(directory)) return pid
  }
  throw new Error('no engine runs there')
}

interface EngineRole {
  ingressPort: number
  directory: string
  /** What the program itself said, without Restate's log. */
  said(): string[]
  exited: Promise<number | null>
  stop(): void
}

async function startRole(settings: Record<string, string> = {}): Promise<EngineRole> {
  const directory = await mkdtemp(join(tmpdir(), 'relance-engine-'))
  const [ingressPort, admin, node] = [await freePort(), await freePort(), await freePort()]
  const program = startChild(process.execPath, [main, 'engine'], {
    env: {
      ...inheritedEnv(),
      ENGINE_DIR: directory,
      ENGINE_INGRESS_URL: `http://127.0.0.1:${ingressPort}`,
      ENGINE_ADMIN_URL: `http://127.0.0.1:${admin}`,
      ENGINE_NODE_PORT: String(node),
      ...settings,
    } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [program.stdout!, program.stderr!])
    stream.on('data', data => {
      text += data
    })
  const exited = new Promise<number | null>(resolve => program.once('close', code => resolve(code)))
  return {
    ingressPort,
    directory,
    said: () => text.split('\n').filter(line => line !== '' && !line.startsWith('{')),
    exited,
    stop: () => void program.kill('SIGTERM'),
  }
}

const until = (role: EngineRole, line: string) =>
  eventually(
    () => role.said(),
    lines => lines.some(said => said.startsWith(line)),
  )

it('the role engine says that Restate died, starts it again, and ends with a sentence and a code when it cannot', async () => {
  const role = await startRole()
  const { directory, ingressPort } = role
  try {
    await until(role, 'engine ready;')
    const first = await engineIn(directory)
    process.kill(first, 'SIGKILL')
    await until(role, 'engine ready again')
    expect(await engineIn(directory)).not.toBe(first)
    expect(await fetch(`http://127.0.0.1:${ingressPort}/restate/health`)).toMatchObject({ status: 200 })
    expect(role.said().slice(1)).toEqual([
      'The engine (Restate) ended by itself, killed by a signal; its log above says why. It is started again in 1 s.',
      'engine ready again',
    ])
    process.kill(await engineIn(directory), 'SIGKILL')
    await eventually(
      () => role.said().length,
      lines => lines === 4,
    )
    // From now on it cannot start.
    const occupant = createServer().listen(ingressPort, '127.0.0.1')
    try {
      expect(await role.exited).toBe(4)
    } finally {
      occupant.close()
    }
    const taken = `The engine (Restate) does not start: port ${ingressPort} of the engine is already in use`
    expect(role.said().slice(3)).toEqual([
      'The engine (Restate) ended by itself, killed by a signal; its log above says why. It is started again in 2 s.',
      `${taken}; its log above says why. It is started again in 5 s.`,
      `${taken}; its log above says why. It is started again in 10 s.`,
      `${taken}; after 4 restarts it is not started again. Its log above says why. Nothing is lost; tasks wait. Start this role again when the cause is gone.`,
    ])
  } finally {
    role.stop()
    await role.exited
    await rm(directory, { recursive: true, force: true })
  }
})

it('the engine listens where it is told to, and a signal stops it, also one that comes before it is started again', async () => {
  const role = await startRole({ ENGINE_HOST: '127.0.0.2' })
  try {
    await until(role, 'engine ready;')
    expect(await fetch(`http://127.0.0.2:${role.ingressPort}/restate/health`)).toMatchObject({ status: 200 })
    await expect(fetch(`http://127.0.0.1:${role.ingressPort}/restate/health`)).rejects.toThrow()
    const publicKey = (await readFile(join(role.directory, 'identity.pub'), 'utf8')).trim()
    expect(role.said()[0]).toBe(`engine ready; workers need ENGINE_IDENTITY=${publicKey}`)
    const pid = await engineIn(role.directory)
    process.kill(pid, 'SIGKILL')
    await until(role, 'The engine (Restate) ended by itself')
    role.stop()
    expect(await role.exited).toBe(0)
    await expect(engineIn(role.directory)).rejects.toThrow('no engine runs there')
  } finally {
    role.stop()
    await role.exited
    await rm(role.directory, { recursive: true, force: true })
  }
})
