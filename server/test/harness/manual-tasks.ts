import { afterAll, beforeAll } from 'vitest'
import { newKeyring } from '../../dev/installation.ts'
import { runChunk } from '../../src/features/integrations/tasks/run-chunk.ts'
import { takeNextTask } from '../../src/features/integrations/tasks/take-next-task.ts'
import type { ChunkRef, Lane, TaskContext } from '../../src/features/integrations/tasks/task-context.ts'
import { keyring } from '../../src/kit/crypto.ts'
import type { TestInstallation } from './use-installation.ts'
import { workerWithoutLoop } from './worker-without-loop.ts'

/** Runs tasks as the jobs of a worker do, under the test's control: one step after the other. */
export function useManualTasks(installation: TestInstallation) {
  let context: TaskContext
  let close: () => Promise<void>
  const said: string[] = []
  beforeAll(() => {
    const worker = workerWithoutLoop(installation.database, { connections: 8, reclaimAfterMs: 75_000 })
    const log = { ...worker.log, info: (_: object, text: string) => void said.push(text) }
    context = { ...worker, log, keyring: keyring(newKeyring()) }
    close = () => worker.stop()
  })
  afterAll(() => close())
  const take = (tenantId: string, lane: Lane = 'act') => takeNextTask(context, tenantId, lane)
  const run = (chunk: ChunkRef) => runChunk(context, chunk)
  return {
    context: () => context,
    /** What the log was told for information, since it was last asked. */
    said: () => said.splice(0),
    take,
    run,
    /** Everything that waits in a tenant. */
    async runAll(tenantId: string): Promise<void> {
      const takeAny = async () => (await take(tenantId, 'act')) ?? take(tenantId, 'read')
      for (let chunk = await takeAny(); chunk; ) {
        const end = await run(chunk)
        chunk = end.kind === 'more' ? end.next : await takeAny()
      }
    },
  }
}
