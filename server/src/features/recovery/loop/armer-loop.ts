import type { Dispatcher } from '../../../kit/engine/hand-over.ts'
import { startLeading } from '../../../kit/lead.ts'
import type { Worker } from '../messages/worker.ts'
import { type ArmerOptions, armOnce } from './armer.ts'
import type { Task } from './drive.ts'

/** The armer, in the one process that leads it: two for a moment would hand over some wake-ups twice, and the second of each is stale. */
export const startArmer = (
  worker: Worker,
  dispatcher: Dispatcher<Task>,
  options: ArmerOptions,
): { stop(): Promise<void> } =>
  startLeading({
    pool: worker.pool,
    log: worker.log,
    loop: 'armer',
    pollMs: options.pollMs,
    async pass() {
      const observePass = worker.metrics.armerPass.startTimer()
      const handed = await armOnce(worker, dispatcher, options)
      observePass()
      // A full batch means more is waiting.
      return handed >= 500
    },
  })
