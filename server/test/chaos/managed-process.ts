import type { ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { OwnCluster } from '../../dev/postgres.ts'
import { inheritedEnv, relanceArgs } from '../../dev/relance-args.ts'
import { startChild } from '../../src/kit/child-process.ts'

export type ProcessKind = 'api' | 'worker' | 'postgres'

/** A process that can be killed with -9 and started again. */
export interface ManagedProcess {
  readonly kind: ProcessKind
  readonly name: string
  isUp(): boolean
  pid(): number
  kill(): Promise<void>
  start(): Promise<void>
  /** Of a process of the product: it is killed if it has not ended in this time, ten seconds if none is given. */
  stop(withinMs?: number): Promise<void>
}

const startsMax = 8

// While a process is dead its port is free, and an outgoing connection may use it for a moment.
const isPortTaken = (text: string) => /EADDRINUSE|cannot have port|could not bind/i.test(text)

export async function retryWhilePortTaken(start: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start()
    } catch (error) {
      if (attempt >= startsMax || !isPortTaken(String(error))) throw error
      await pause(300)
    }
  }
}

/** One process of the product, as an operator would start it. `onUnexpectedExit` is called for every exit we did not cause. */
export function productProcess(options: {
  role: 'api' | 'worker'
  name: string
  env: Record<string, string>
  logFile: string
  onUnexpectedExit: (name: string) => void
  /** Of another checkout than ours. */
  root?: string | undefined
}): ManagedProcess {
  let child: ChildProcess | undefined
  let isReady = false
  let isExpectedExit = false
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null

  const startOnce = () =>
    new Promise<void>((resolve, reject) => {
      let output = ''
      isReady = false
      isExpectedExit = false
      const started = startChild(process.execPath, [...relanceArgs(options.root), options.role], {
        env: { ...inheritedEnv(), ...options.env },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      child = started
      const log = createWriteStream(options.logFile, { flags: 'a' })
      started.stderr!.on('data', (chunk: Buffer) => {
        log.write(chunk)
        if (isReady) return
        output = (output + chunk.toString()).slice(-4_000)
        if (!output.includes(`${options.role} ready`)) return
        isReady = true
        resolve()
      })
      started.once('close', () => log.end())
      started.once('exit', code => {
        if (isExpectedExit) return reject(new Error(`${options.name} was ended while it started`))
        if (isReady) options.onUnexpectedExit(`${options.name} ended by itself with ${code}`)
        reject(new Error(`${options.name} exited with ${code}:\n${output}`))
      })
    })

  const stopWith = async (signal: 'SIGKILL' | 'SIGTERM', withinMs = 10_000) => {
    if (!child || !isRunning()) return
    isExpectedExit = true
    isReady = false
    const exited = new Promise(resolve => child!.once('exit', resolve))
    child.kill(signal)
    const killTimer = setTimeout(() => child?.kill('SIGKILL'), withinMs)
    await exited
    clearTimeout(killTimer)
  }
  return {
    kind: options.role,
    name: options.name,
    isUp: () => isReady && isRunning(),
    pid: () => child!.pid!,
    kill: () => stopWith('SIGKILL'),
    start: () => retryWhilePortTaken(startOnce),
    stop: withinMs => stopWith('SIGTERM', withinMs),
  }
}

export function postgresServer(cluster: OwnCluster): ManagedProcess {
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
      await retryWhilePortTaken(() => cluster.start())
      isUp = true
    },
    async stop() {
      isUp = false
      await cluster.stop()
    },
  }
}
