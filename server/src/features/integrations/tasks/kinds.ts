import { bulkWork } from './bulk/run-bulk.ts'
import { accessWork } from './erase/run-access.ts'
import { eraseWork } from './erase/run-erase.ts'
import type { TaskKind } from './task.ts'
import type { TaskWork } from './task-work.ts'

export const works: Readonly<Record<TaskKind, TaskWork>> = {
  bulk: bulkWork,
  erase: eraseWork,
  access: accessWork,
}
