import { TasksResource } from './generated/resources.ts'
import type { Task } from './generated/types.ts'
import type { RequestOptions } from './options.ts'
import { pause } from './pause.ts'

export interface WaitOptions extends RequestOptions {
  /** Called with the task each time it was read. */
  onProgress?: ((task: Task) => void) | undefined
  /** The longest time between two reads: 5 seconds by default. It begins with a quarter of a second. */
  pollMs?: number | undefined
}

const isUnderWay = ({ status }: Task): boolean => status === 'waiting' || status === 'running'

export class Tasks extends TasksResource {
  /**
   * Polls a task until it is done or in `review`. It does not throw for a task that failed or was cancelled: check `status`.
   */
  async wait(id: string, { onProgress, pollMs = 5_000, ...options }: WaitOptions = {}): Promise<Task> {
    for (let waitMs = 250; ; waitMs = Math.min(waitMs * 1.5, pollMs)) {
      const task = await this.get(id, options)
      onProgress?.(task)
      if (!isUnderWay(task)) return task
      await pause(Math.min(waitMs, pollMs), options.signal)
    }
  }
}
