import type { Dispatcher } from '../../../kit/engine/dispatcher.ts'
import type { Leadership } from '../../../kit/heartbeat.ts'
import { startLeaderLoop } from '../../../kit/leader-loop.ts'
import type { WorkerContext } from '../messages/worker-context.ts'
import { dispatchDue, type SchedulerOptions } from './dispatch-due.ts'
import type { Task } from './process-task.ts'

/**
 * Runs the scheduler in the process that is its leader. If two processes run it for a moment, some wake-ups are dispatched
 * twice, and the second one is stale.
 */
export const startScheduler = (
  worker: WorkerContext,
  heartbeat: Leadership,
  dispatcher: Dispatcher<Task>,
  options: SchedulerOptions,
): { stop(): Promise<void> } =>
  startLeaderLoop({
    heartbeat,
    log: worker.log,
    loop: 'scheduler',
    pollMs: options.pollMs,
    async pass() {
      const observePass = worker.metrics.schedulerPass.startTimer()
      const dispatchedCount = await dispatchDue(worker, dispatcher, options)
      observePass()
      // A full batch means more is waiting.
      return dispatchedCount >= 500
    },
  })
