import { setTimeout as pause } from 'node:timers/promises'
import type { Kind, Part } from './part.ts'
import type { Random } from './random.ts'
import type { Stage } from './stage.ts'

export interface Killed {
  by: Record<Kind, number>
  engineDataLost: number
}

const upWithinMs = 30_000
/** On a slow machine a start takes longer than the pause between two kills: then the kills wait, else nobody ever lives. */
const downMax = 2

/** Those of a kind that are up, once at least one is, and once few enough of all are down. */
async function victimsAmong(parts: readonly Part[], all: readonly Part[]): Promise<Part[]> {
  const giveUpAt = performance.now() + upWithinMs
  while (performance.now() < giveUpAt) {
    const up = parts.filter(part => part.isUp())
    if (up.length > 0 && all.filter(part => !part.isUp()).length < downMax) return up
    await pause(50)
  }
  throw new Error(`the parts that were killed did not come back within ${upWithinMs} ms`)
}

/**
 * Kills somebody with -9 every two seconds or so and starts it again a moment later, without waiting for that before the
 * next. Every kind has its turn before any has its second. Resolves when all of them are up again. Who is not named is spared.
 */
export async function killAtRandom(
  stage: Pick<Stage, 'apis' | 'workers' | 'postgres' | 'engine'>,
  kills: number,
  random: Random,
  onKill: () => void,
): Promise<Killed> {
  const kinds: Partial<Record<Kind, Part[]>> = {
    ...(stage.apis.length > 0 && { api: stage.apis }),
    worker: stage.workers,
    postgres: [stage.postgres],
    ...(stage.engine && { engine: [stage.engine] }),
  }
  const killed: Killed = { by: { api: 0, worker: 0, engine: 0, postgres: 0 }, engineDataLost: 0 }
  const returns: Promise<void>[] = []
  let failure: unknown = null
  let bag: Kind[] = []
  const lossAt = stage.engine ? Math.floor(kills / 2) : -1
  for (let i = 0; i < kills && !failure; i++) {
    await pause(random.between(1_500, 2_500))
    if (bag.length === 0) bag = random.shuffled(Object.keys(kinds) as Kind[])
    const kind = i === lossAt ? 'engine' : bag.pop()!
    const up = await victimsAmong(kinds[kind]!, Object.values(kinds).flat())
    const victim = up[random.between(0, up.length - 1)]!
    killed.by[kind]++
    await victim.kill()
    onKill()
    const comeBack = async () => {
      if (i === lossAt) {
        await stage.engine!.wipe()
        killed.engineDataLost++
      }
      await pause(random.between(100, 800))
      await victim.start()
    }
    returns.push(
      comeBack().catch(error => {
        failure = error
      }),
    )
  }
  await Promise.all(returns)
  if (failure) throw failure
  return killed
}
