import { bulkWork } from './bulk/run-bulk.ts'
import { importWork } from './import/run-import.ts'
import { undoWork } from './import/undo-import.ts'
import type { TaskKind } from './task.ts'
import type { TaskWork } from './task-work.ts'

export const works: Readonly<Record<TaskKind, TaskWork>> = {
  bulk: bulkWork,
  import: importWork,
  undo: undoWork,
}
