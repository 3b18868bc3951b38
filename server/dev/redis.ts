import { type ChildProcess, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from '../src/kit/child-process.ts'
import { freePort } from './ports.ts'

export type OwnRedis = {
  url: string
  readonly pid: number
  kill(): void
  start(): Promise<void>
  stop(): Promise<void>
}

/** Null where no `redis-server` is installed. */
export async function startRedis(options: { port?: number } = {}): Promise<OwnRedis | null> {
  if (spawnSync('redis-server', ['--version']).error) return null
  const port = options.port ?? (await freePort())
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  let server: ChildProcess | undefined

  const isRunning = (): boolean =>
    server !== undefined && server.exitCode === null && server.signalCode === null

  async function start(): Promise<void> {
    if (server && isRunning()) {
      if (!server.killed) throw new Error('this Redis is already running')
      await once(server, 'exit')
    }
    server = startChild('redis-server', [...settings, '--dir', tmpdir()], { detached: true, stdio: 'ignore' })
    await once(server, 'spawn')
    const deadline = performance.now() + 10_000
    while (!(await answersPing('127.0.0.1', port))) {
      if (!isRunning() || performance.now() > deadline) throw new Error(`Redis did not start on port ${port}`)
      await pause(10)
    }
  }

  async function stop(): Promise<void> {
    if (!server || !isRunning()) return
    const gone = once(server, 'exit')
    server.kill('SIGTERM')
    await gone
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      if (server?.pid === undefined) throw new Error('this Redis is not running')
      return server.pid
    },
    kill() {
      server?.kill('SIGKILL')
    },
    start,
    stop,
  }
}

export async function findRedis(url?: string): Promise<string | null> {
  if (url !== undefined) return url
  return (await answersPing('127.0.0.1', 6379)) ? 'redis://127.0.0.1:6379' : null
}

function answersPing(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host, port, timeout: 1_000 })
    const answer = (alive: boolean): void => {
      socket.destroy()
      resolve(alive)
    }
    socket.once('connect', () => socket.write('PING\r\n'))
    socket.once('data', data => answer(data.toString().startsWith('+PONG')))
    socket.once('timeout', () => answer(false))
    socket.once('error', () => answer(false))
    socket.once('close', () => answer(false))
  })
}
