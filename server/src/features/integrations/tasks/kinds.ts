import { bulkWork } from './bulk/run-bulk.ts'
import { accessWork } from './erase/run-access.ts'
import { eraseWork } from './erase/run-erase.ts'
import { exportWork } from './export/run-export.ts'
import { importWork } from './import/run-import.ts'
import { undoWork } from './import/run-undo.ts'
import type { TaskKind } from './schema.ts'
import type { TaskWork } from './task-work.ts'

export const works: Readonly<Record<TaskKind, TaskWork>> = {
  bulk: bulkWork,
  export: exportWork,
  import: importWork,
  undo: undoWork,
  erase: eraseWork,
  access: accessWork,
}
