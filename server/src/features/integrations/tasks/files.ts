import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

/** The files of tasks lie in PostgreSQL, in parts, so that nobody has to hold a whole one in memory. */
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
const removeFile = sql('task-files.delete', 'delete from task_files where id = $1')

/** `wall`: a file is kept for a day of real time, in a sandbox as well. */
export const createFile = (tx: Tx, id: string, wall: number): void => tx.atCommit(insertFile, [id, iso(wall)])
/** A part that is written twice is written once: the parts of a file never change. */
export const writePart = (tx: Tx, fileId: string, part: number, bytes: Buffer): void =>
  tx.atCommit(insertPart, [fileId, part, bytes])
export const readPart = async (tx: Tx, fileId: string, part: number): Promise<Buffer | null> =>
  (await tx.rows(findPart, [fileId, part]))[0]?.bytes ?? null
export const deleteFile = (tx: Tx, id: string): void => tx.atCommit(removeFile, [id])
