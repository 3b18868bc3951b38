import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { type BoundStatement, sqlState, type Tx } from '../../../kit/db/transaction.ts'
import { requireSpace, storeWithinQuota } from '../../access/stored-bytes/store-within-quota.ts'
import { fileDeleted } from './errors.ts'

/** The files of tasks are stored in PostgreSQL, in parts, so that no process has to hold a whole file in memory. */
export const partBytesMax = 1024 * 1024

const insertFile = sql(
  'task-files.insert',
  `insert into task_files (tenant_id, id, created_at) values (current_setting('relance.tenant')::uuid, $1, $2)
   on conflict do nothing`,
)
const insertPart = sql(
  'task-files.insert-part',
  `insert into task_file_parts (tenant_id, file_id, part, bytes) values (current_setting('relance.tenant')::uuid, $1, $2, $3)
   on conflict do nothing`,
)
const findPart = sql(
  'task-files.find-part',
  'select bytes from task_file_parts where file_id = $1 and part = $2',
)
const findNextPart = sql(
  'task-files.find-next-part',
  'select part, bytes from task_file_parts where file_id = $1 and part > $2 order by part limit 1',
)
const restartDay = sql('task-files.restart-day', 'update task_files set created_at = $2 where id = $1')
const setFile = sql('task-files.set-file', 'update tasks set file_id = $2 where id = $1')
const removeFile = sql('task-files.delete', 'delete from task_files where id = $1')
const removeUnused = sql(
  'task-files.delete-unused',
  'delete from task_files f where f.id = $1 and not exists (select from tasks t where t.tenant_id = f.tenant_id and t.file_id = f.id)',
)

const foreignKeyViolated = '23503'

/** How long a file is kept, in real time, also in a sandbox. */
export const fileKeptMs = 86_400_000

/** `wall`: when its day begins. */
export const createFile = (tx: Tx, id: string, wall: number): void => tx.atCommit(insertFile, [id, iso(wall)])
/** A file that a caller sends; refused if its announced length is more than the quota leaves. */
export async function createFileOfCaller(tx: Tx, id: string, wall: number, announcedBytes: number) {
  await requireSpace(tx, announcedBytes)
  createFile(tx, id, wall)
}
/** While a file arrives, an erasure or a reset of the sandbox may delete it. */
export async function storePartOfCaller(tx: Tx, fileId: string, part: number, bytes: Buffer): Promise<void> {
  try {
    await storeWithinQuota(tx, partOf(fileId, part, bytes))
  } catch (error) {
    throw sqlState(error) === foreignKeyViolated ? fileDeleted.make() : error
  }
}
/** Writing a part again has no effect: the parts of a file never change. */
export const partOf = (fileId: string, part: number, bytes: Buffer): BoundStatement => [
  insertPart,
  [fileId, part, bytes],
]
export const readPart = async (tx: Tx, fileId: string, part: number): Promise<Buffer | null> =>
  (await tx.rows(findPart, [fileId, part]))[0]?.bytes ?? null
/** The first part after the given one, null at the end; parts may be numbered with gaps. */
export const readNextPart = async (tx: Tx, fileId: string, after: number) =>
  (await tx.rows(findNextPart, [fileId, after]))[0] ?? null
/** Restarts the day of a file, at the end of the task that made it. */
export const renewFile = (tx: Tx, id: string, wall: number): void => tx.atCommit(restartDay, [id, iso(wall)])
/** While the task has not ended, its file is not deleted. */
export const attachFile = (tx: Tx, taskId: string, fileId: string): void =>
  tx.atCommit(setFile, [taskId, fileId])
export const deleteFile = (tx: Tx, id: string): void => tx.atCommit(removeFile, [id])
export const deleteUnusedFile = (tx: Tx, id: string): void => tx.atCommit(removeUnused, [id])
