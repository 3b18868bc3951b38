import type { ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { OwnCluster } from '../../dev/postgres.ts'
import { startChild } from '../../src/kit/child-process.ts'
import { type EngineOptions, type EngineProcess, startEngine } from '../../src/kit/engine/server.ts'

export type Kind = 'api' | 'worker' | 'engine' | 'postgres'

/** Something that can be killed with -9 and started again. */
export interface Part {
  readonly kind: Kind
  readonly name: string
  isUp(): boolean
  pid(): number
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

const main = join(import.meta.dirname, '../../src/main.ts')
const startsMax = 8

// While a part is dead its port is free, and somebody's outgoing connection may sit on it for a moment.
const isPortTaken = (words: string) => /EADDRINUSE|cannot have port|could not bind/i.test(words)

async function insist(start: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start()
    } catch (error) {
      if (attempt >= startsMax || !isPortTaken(String(error))) throw error
      await pause(300)
    }
  }
}

/** One process of the product, as an operator would start it. `onOwnEnd` hears of every end we did not cause. */
export function program(options: {
  role: 'api' | 'worker'
  name: string
  env: Record<string, string>
  logFile: string
  onOwnEnd: (name: string) => void
}): Part {
  let child: ChildProcess | undefined
  let isReady = false
  let isOurDoing = false
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null

  const begin = () =>
    new Promise<void>((resolve, reject) => {
      let words = ''
      isReady = false
      isOurDoing = false
      const started = startChild(process.execPath, [main, options.role], {
        env: { PATH: process.env.PATH, ...options.env },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      child = started
      const log = createWriteStream(options.logFile, { flags: 'a' })
      started.stderr!.on('data', (chunk: Buffer) => {
        log.write(chunk)
        if (isReady) return
        words = (words + chunk.toString()).slice(-4_000)
        if (!words.includes(`${options.role} ready`)) return
        isReady = true
        resolve()
      })
      started.once('close', () => log.end())
      started.once('exit', code => {
        if (isOurDoing) return reject(new Error(`${options.name} was ended while it started`))
        if (isReady) options.onOwnEnd(`${options.name} ended by itself with ${code}`)
        reject(new Error(`${options.name} exited with ${code}:\n${words}`))
      })
    })

  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (!child || !isRunning()) return
    isOurDoing = true
    isReady = false
    const gone = new Promise(resolve => child!.once('exit', resolve))
    child.kill(signal)
    const impatient = setTimeout(() => child?.kill('SIGKILL'), 10_000)
    await gone
    clearTimeout(impatient)
  }
  return {
    kind: options.role,
    name: options.name,
    isUp: () => isReady && isRunning(),
    pid: () => child!.pid!,
    kill: () => end('SIGKILL'),
    start: () => insist(begin),
    stop: () => end('SIGTERM'),
  }
}

/** `wipe` is the loss of the engine's disk. Its identity is a setting of ours and lives elsewhere. */
export function engineProcess(
  options: EngineOptions,
): Part & { wipe(): Promise<void>; ingressUrl: string; adminUrl: string } {
  let running: EngineProcess | null = null
  return {
    ingressUrl: `http://127.0.0.1:${options.ingressPort}`,
    adminUrl: `http://127.0.0.1:${options.adminPort}`,
    kind: 'engine',
    name: 'engine',
    isUp: () => running !== null,
    pid: () => running!.pid,
    async kill() {
      const ending = running
      running = null
      ending?.kill()
      await ending?.exited
    },
    start: () =>
      insist(async () => {
        running = await startEngine(options)
      }),
    wipe: () => rm(options.baseDir, { recursive: true, force: true }),
    async stop() {
      const ending = running
      running = null
      await ending?.stop()
    },
  }
}

export function postgresServer(cluster: OwnCluster): Part {
  let isUp = true
  return {
    kind: 'postgres',
    name: 'postgres',
    isUp: () => isUp,
    pid: () => cluster.pid(),
    async kill() {
      isUp = false
      cluster.kill()
    },
    async start() {
      await insist(() => cluster.start())
      isUp = true
    },
    async stop() {
      isUp = false
      await cluster.stop()
    },
  }
}
