import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { asAdmin, type Database } from '../../dev/database.ts'
import { inheritedEnv } from '../../dev/relance-args.ts'
import { startChild } from '../../src/kit/child-process.ts'

export interface Process {
  pid: number
  stop(): Promise<void>
}

/** A program of ours as a process of its own; `args` are those of Node. */
export async function startProcess(args: readonly string[], env: Record<string, string>): Promise<Process> {
  const child = startChild(process.execPath, args, {
    env: { ...inheritedEnv(), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(child, 'spawn')
  const exited = once(child, 'exit')
  return {
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM')
      const killTimer = setTimeout(() => child.kill('SIGKILL'), 5_000)
      await exited
      clearTimeout(killTimer)
    },
  }
}

export async function untilListening(port: number): Promise<void> {
  const giveUpAt = performance.now() + 30_000
  const answers = () =>
    new Promise<boolean>(resolve => {
      const socket = connect({ host: '127.0.0.1', port })
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
  while (!(await answers())) {
    if (performance.now() > giveUpAt) throw new Error(`nothing listens on port ${port}`)
    await pause(50)
  }
}

const ticksPerSecond = 100

interface CpuTimes {
  parent: number
  /** User and system time the process has used. */
  ownMs: number
  /** The same of its children that have ended. */
  endedChildrenMs: number
}

/** Reads what `/proc/<pid>/stat` says. */
export function parseCpuTimes(stat: string): CpuTimes {
  // The name of the command may contain blanks; what follows its closing bracket does not.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ms = (user: number, system: number) =>
    ((Number(fields[user]) + Number(fields[system])) * 1000) / ticksPerSecond
  return { parent: Number(fields[1]), ownMs: ms(11, 12), endedChildrenMs: ms(13, 14) }
}

/** Null where /proc does not tell. */
async function cpuTimes(pid: number | string): Promise<CpuTimes | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return stat === null ? null : parseCpuTimes(stat)
}

/** User and system time a process has used, in milliseconds; null where /proc does not tell. */
export const cpuMs = async (pid: number): Promise<number | null> => (await cpuTimes(pid))?.ownMs ?? null

/** The same of a process that must be there. */
export async function processCpuMs(pid: number): Promise<number> {
  const ms = await cpuMs(pid)
  if (ms === null) throw new Error(`/proc knows no process ${pid}`)
  return ms
}

/** The same of a process and its children, those that have ended included. */
export async function treeCpuMs(pid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter(entry => /^\d+$/.test(entry))
  const all = await Promise.all(pids.map(async one => ({ pid: Number(one), times: await cpuTimes(one) })))
  const tree = all.filter(one => one.pid === pid || one.times?.parent === pid)
  return tree.reduce((sum, { times }) => sum + (times ? times.ownMs + times.endedChildrenMs : 0), 0)
}

/** The same for every session of one database, by process id. */
export async function sessionsCpuMs(database: Database): Promise<Map<number, number>> {
  const { rows } = await asAdmin(database.adminUrl, client =>
    client.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    ),
  )
  const spent = new Map<number, number>()
  for (const { pid } of rows) {
    const ms = await cpuMs(pid)
    if (ms !== null) spent.set(pid, ms)
  }
  return spent
}

/** What sessions used between two looks; one that is new began at nothing. */
export const spentBetween = (before: Map<number, number>, after: Map<number, number>): number =>
  [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0)
