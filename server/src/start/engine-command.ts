import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type EngineOptions,
  type EngineProcess,
  ensureIdentityKey,
  startEngine,
} from '../kit/engine/server.ts'
import { type Config, requireSetting } from './config.ts'

/** How long it waits before each restart. As many restarts as there are pauses; then it gives up. */
const pausesSeconds = [1, 2, 5, 10]
/** After so long without an end the restarts are counted anew. */
const calmMs = 10 * 60_000

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * Runs Restate on this machine until a signal comes. If Restate ends by itself it is started again; the result is false if that
 * does not help.
 */
export async function runEngine(config: Config, signal: Promise<'signal'>): Promise<boolean> {
  const baseDir = requireSetting(config, 'ENGINE_DIR')
  const identityKeyFile = join(baseDir, 'identity.pem')
  const { publicKey } = await ensureIdentityKey(identityKeyFile)
  // For workers that share the directory, or a copy of this file: ENGINE_IDENTITY_FILE names it.
  await writeFile(join(baseDir, 'identity.pub'), `${publicKey}\n`)
  const options: EngineOptions = {
    baseDir,
    host: config.ENGINE_HOST,
    ingressPort: Number(new URL(config.ENGINE_INGRESS_URL).port),
    adminPort: Number(new URL(config.ENGINE_ADMIN_URL).port),
    nodePort: config.ENGINE_NODE_PORT,
    partitions: 4,
    concurrentInvocations: 25,
    identityKeyFile,
  }
  let running: EngineProcess
  try {
    running = await startEngine(options)
  } catch (error) {
    console.error(`The engine (Restate) does not start: ${reasonOf(error)}. Nothing is lost; tasks wait.`)
    return false
  }
  console.log(`engine ready; workers need ENGINE_IDENTITY=${publicKey}`)
  for (let restarts = 0; ; ) {
    const startedAt = performance.now()
    const ended = await Promise.race([signal, running.exited])
    if (ended === 'signal') {
      await running.stop()
      return true
    }
    if (performance.now() - startedAt >= calmMs) restarts = 0
    let fault = `ended by itself, ${ended === null ? 'killed by a signal' : `with code ${ended}`}`
    for (let isBack = false; !isBack; restarts++) {
      const seconds = pausesSeconds[restarts]
      if (seconds === undefined) {
        console.error(
          `The engine (Restate) ${fault}; after ${pausesSeconds.length} restarts it is not started again. Its log above says why. Nothing is lost; tasks wait. Start this role again when the cause is gone.`,
        )
        return false
      }
      console.error(
        `The engine (Restate) ${fault}; its log above says why. It is started again in ${seconds} s.`,
      )
      if ((await Promise.race([signal, pause(seconds * 1_000, 'over' as const)])) === 'signal') return true
      try {
        running = await startEngine(options)
        isBack = true
        console.log('engine ready again')
      } catch (error) {
        fault = `does not start: ${reasonOf(error)}`
      }
    }
  }
}
