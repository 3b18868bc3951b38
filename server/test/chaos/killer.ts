import { setTimeout as pause } from 'node:timers/promises'
import type { KillableInstallation } from './chaos-installation.ts'
import type { ManagedProcess, ProcessKind } from './managed-process.ts'
import type { Random } from './random.ts'

export interface Killed {
  by: Record<ProcessKind, number>
}

const upWithinMs = 90_000
/** On a slow machine a start takes longer than the pause between two kills: then the kills wait. */
const downMax = 2

/** The running processes of a kind, once at least one runs and few enough of all are down. */
async function victimsAmong(
  processes: readonly ManagedProcess[],
  all: readonly ManagedProcess[],
): Promise<ManagedProcess[]> {
  const giveUpAt = performance.now() + upWithinMs
  while (performance.now() < giveUpAt) {
    const up = processes.filter(process => process.isUp())
    if (up.length > 0 && all.filter(process => !process.isUp()).length < downMax) return up
    await pause(50)
  }
  throw new Error(`the killed processes did not restart within ${upWithinMs} ms`)
}

/**
 * Kills a process with -9 about every two seconds and restarts it a moment later, without waiting for the restart before
 * the next kill. Every kind is killed once before any is killed twice. Resolves when all are up again.
 */
export async function killAtRandom(
  installation: Pick<KillableInstallation, 'apis' | 'workers' | 'postgres'>,
  kills: number,
  random: Random,
  onKill: () => void,
): Promise<Killed> {
  const kinds: Partial<Record<ProcessKind, ManagedProcess[]>> = {
    ...(installation.apis.length > 0 && { api: installation.apis }),
    worker: installation.workers,
    postgres: [installation.postgres],
  }
  const killed: Killed = { by: { api: 0, worker: 0, postgres: 0 } }
  const restarts: Promise<void>[] = []
  let failure: unknown = null
  let remaining: ProcessKind[] = []
  for (let i = 0; i < kills && !failure; i++) {
    await pause(random.between(1_500, 2_500))
    if (remaining.length === 0) remaining = random.shuffled(Object.keys(kinds) as ProcessKind[])
    const kind = remaining.pop()!
    const up = await victimsAmong(kinds[kind]!, Object.values(kinds).flat())
    const victim = up[random.between(0, up.length - 1)]!
    killed.by[kind]++
    await victim.kill()
    onKill()
    const restart = async () => {
      await pause(random.between(100, 800))
      await victim.start()
    }
    restarts.push(
      restart().catch(error => {
        failure = error
      }),
    )
  }
  await Promise.all(restarts)
  if (failure) throw failure
  return killed
}
