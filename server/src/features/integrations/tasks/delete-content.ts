import type { Tx } from '../../../kit/db/transaction.ts'
import { deleteFile } from './files.ts'
import { deletePlan } from './import/import-store.ts'
import { clearRows } from './import/rows-store.ts'
import type { TaskRow } from './schema.ts'

/** Deletes what a cancelled or failed task has stored: nobody reads its file or the cells of its rows again. */
export async function deleteContent(
  tx: Tx,
  { id, kind, file_id: fileId }: Pick<TaskRow, 'id' | 'kind' | 'file_id'>,
): Promise<void> {
  if (fileId !== null) deleteFile(tx, fileId)
  if (kind !== 'import') return
  deletePlan(tx, id)
  await clearRows(tx, id)
}
