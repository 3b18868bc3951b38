import { z } from 'zod'
import { defineEvent } from '../../../kit/events.ts'
import { outputUuid } from '../../../kit/fields.ts'
import { TaskCounts, taskKinds } from './schema.ts'

const about = { taskId: outputUuid, kind: z.enum(taskKinds) }
const example = { taskId: '01a1d3c4-5e00-7b21-9f64-0c8d7a3e1b52', kind: 'bulk' as const }

export const taskFinished = defineEvent({
  type: 'task.finished',
  schemaVersion: 1,
  summary: 'A task has done everything it was asked for',
  data: z.object({ ...about, counts: TaskCounts }),
  example: { ...example, counts: { succeeded: 41_812, refused: 58 } },
})

export const taskFailed = defineEvent({
  type: 'task.failed',
  schemaVersion: 1,
  summary: 'A task could not go on; what it did before stays done',
  data: z.object({ ...about, counts: TaskCounts }),
  example: { ...example, counts: { succeeded: 1_500, refused: 0 } },
})
