import { afterAll, beforeAll } from 'vitest'
import { newKeyring } from '../../dev/installation.ts'
import { runChunk } from '../../src/features/integrations/tasks/run-chunk.ts'
import { takeNextTask } from '../../src/features/integrations/tasks/take-next-task.ts'
import type { ChunkRef, TaskContext } from '../../src/features/integrations/tasks/task-context.ts'
import { keyring } from '../../src/kit/crypto.ts'
import type { TestInstallation } from './use-installation.ts'
import { workerWithoutLoop } from './worker-without-loop.ts'

/** Runs tasks as the engine would, under the test's control: one step after the other. */
export function useManualTasks(installation: TestInstallation) {
  let context: TaskContext
  let close: () => Promise<void>
  beforeAll(() => {
    const worker = workerWithoutLoop(installation.database, { connections: 8, reclaimAfterMs: 75_000 })
    context = { ...worker, keyring: keyring(newKeyring()) }
    close = () => worker.stop()
  })
  afterAll(() => close())
  const take = (tenantId: string) => takeNextTask(context, tenantId)
  const run = (chunk: ChunkRef) => runChunk(context, chunk)
  return {
    context: () => context,
    take,
    run,
    /** Everything that waits in a tenant. */
    async runAll(tenantId: string): Promise<void> {
      for (let chunk = await take(tenantId); chunk; ) {
        const end = await run(chunk)
        chunk = end.kind === 'more' ? end.next : await take(tenantId)
      }
    },
  }
}
