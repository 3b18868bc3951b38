import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** The port of a server that an earlier, killed run left running on this data directory. */
export async function portOfRunning(dataDir: string): Promise<number | null> {
  const dir = await realpath(dataDir).catch(() => dataDir)
  const lock = await readLock(dir)
  return lock && (await processesIn(dir)).includes(lock.pid) ? lock.port : null
}

/**
 * Makes a data directory startable after a SIGKILL. A backend outlives its postmaster until it next waits for
 * something, and holds the shared memory the next start needs; a reused process id makes a stale lock look alive.
 */
export async function clearStaleLock(dataDir: string): Promise<void> {
  // On other systems only PostgreSQL's own check is possible: deleting the lock of a live orphan would corrupt the data.
  if (process.platform !== 'linux') return
  const deadline = performance.now() + 5_000
  for (;;) {
    const alive = await processesIn(dataDir)
    if (alive.length === 0) break
    const lock = await readLock(dataDir)
    if (lock && alive.includes(lock.pid)) throw new Error(`a server is already running in ${dataDir}`)
    if (performance.now() > deadline) alive.forEach(killProcess)
    await pause(20)
  }
  await rm(join(dataDir, 'postmaster.pid'), { force: true })
}

/** Every server process works in its data directory, orphans too. */
async function processesIn(dataDir: string): Promise<number[]> {
  const entries = await readdir('/proc').catch(() => [])
  const pids = entries.filter(entry => /^\d+$/.test(entry))
  const workingDirectories = await Promise.all(
    pids.map(pid => readlink(`/proc/${pid}/cwd`).catch(() => null)),
  )
  return pids.filter((_, at) => workingDirectories[at] === dataDir).map(Number)
}

async function readLock(dataDir: string): Promise<{ pid: number; port: number } | null> {
  const lines = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').then(
    text => text.split('\n'),
    () => null,
  )
  return lines && { pid: Number(lines[0]), port: Number(lines[3]) }
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
