import { asWorker, isLockConflict, type Tx, transact } from '../../../../kit/db/transaction.ts'
import { readTableInThread } from '../../../../kit/sheets/read-in-thread.ts'
import { withRetries } from '../../../../kit/with-retries.ts'
import { deleteFile, readPart } from '../files.ts'
import type { TaskRow } from '../schema.ts'
import { saveReport, shareTask } from '../store.ts'
import type { ChunkRef, TaskContext } from '../task-context.ts'
import type { ChunkDone } from '../task-work.ts'
import { readingFile } from './reading-file.ts'
import { lastLine, storeRows } from './rows-store.ts'
import { emptyReport, type ImportReport } from './schema.ts'

/** After this time a chunk ends; the next one continues where it stopped. */
const chunkMs = 20_000

/**
 * The first phase of an import: the rows of the file are stored as they are. Stored rows stay if the chunk is interrupted; the
 * next chunk parses the file again and stores the rest.
 */
export async function readFile(context: TaskContext, task: TaskRow, ref: ChunkRef): Promise<ChunkDone> {
  const { pool, clock } = context
  const inTransaction = <T>(work: (tx: Tx) => Promise<T>) =>
    transact(pool, asWorker(ref.tenantId), [], ({ tx }) => work(tx))
  const fileId = task.file_id!
  const parts: Buffer[] = []
  for (;;) {
    const part = await inTransaction(tx => readPart(tx, fileId, parts.length))
    if (!part) break
    parts.push(part)
  }
  return readingFile(task, async () => {
    const { facts, batches } = await readTableInThread(Buffer.concat(parts.splice(0)))
    const known = await inTransaction(tx => lastLine(tx, task.id))
    const { kind, sheet, encoding, separator } = facts
    const report: ImportReport = { file: { kind, sheet, encoding, separator }, ...emptyReport }
    const startedAt = clock.wall()
    for await (const rows of batches) {
      const fresh = rows.filter(row => row.line > known)
      if (fresh.length === 0) continue
      await withRetries(isLockConflict, () =>
        transact(pool, asWorker(ref.tenantId), [[shareTask, [task.id]]], ({ tx }) =>
          storeRows(tx, task.id, ref.attempt, fresh),
        ),
      )
      if (clock.wall() - startedAt > chunkMs) return { cursor: { phase: 'read' } }
    }
    return {
      cursor: { phase: 'plan' },
      async settle(tx) {
        await saveReport(tx, task.id, report)
        deleteFile(tx, fileId)
        return []
      },
    }
  })
}
