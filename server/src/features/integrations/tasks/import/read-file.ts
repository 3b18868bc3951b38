import { asWorker, isLockConflict, type Tx, transact } from '../../../../kit/db/transaction.ts'
import { readTableInThread } from '../../../../kit/sheets/read-in-thread.ts'
import { withRetries } from '../../../../kit/with-retries.ts'
import { frenchFileDeleted } from '../../../receivables/file-rows/file-sentences.ts'
import { fileDeleted } from '../errors.ts'
import { deleteFile, readPart } from '../files.ts'
import type { TaskRow } from '../schema.ts'
import { saveReport } from '../store.ts'
import type { ChunkRef, TaskContext } from '../task-context.ts'
import { shareTask } from '../task-maker.ts'
import { type ChunkDone, TaskFailure } from '../task-work.ts'
import { languageOf } from './import-request.ts'
import { readingFile } from './reading-file.ts'
import { deleteRows, lastLine, storeRows } from './rows-store.ts'
import { emptyReport, type ImportReport } from './schema.ts'

/** The sheet of a workbook that is read; without one, the first that is visible and has a value. */
export interface SheetChoice {
  sheet?: string
  /** A person chose it: no other is tried. */
  isChosen?: true
}

/** Another sheet is read: the rows of the one before are deleted. */
export async function dropRows(
  context: TaskContext,
  task: TaskRow,
  ref: ChunkRef,
  choice: SheetChoice,
): Promise<ChunkDone> {
  const isMore = () =>
    transact(context.pool, asWorker(ref.tenantId), [], ({ tx }) =>
      deleteRows(tx, task.id, ref.attempt, ref.chunk),
    )
  while (await withRetries(isLockConflict, isMore));
  return { cursor: { phase: 'read', ...choice } }
}

/** After this time a chunk ends; the next one continues where it stopped. */
const chunkMs = 20_000

/**
 * The first phase of an import: the rows of the file are stored as they are. Stored rows stay if the chunk is interrupted; the
 * next chunk parses the file again and stores the rest.
 */
export async function readFile(
  context: TaskContext,
  task: TaskRow,
  ref: ChunkRef,
  choice: SheetChoice,
): Promise<ChunkDone> {
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
  // No empty file is stored.
  if (parts.length === 0)
    throw new TaskFailure(languageOf(task) === 'fr' ? frenchFileDeleted : fileDeleted.make().message)
  return readingFile(task, async () => {
    const { facts, batches } = await readTableInThread(Buffer.concat(parts.splice(0)), choice)
    const known = await inTransaction(tx => lastLine(tx, task.id))
    const { kind, sheet, sheets, encoding, separator } = facts
    const report: ImportReport = { file: { kind, sheet, sheets, encoding, separator }, ...emptyReport }
    const startedAt = clock.wall()
    for await (const rows of batches) {
      const fresh = rows.filter(row => row.line > known)
      if (fresh.length === 0) continue
      await withRetries(isLockConflict, () =>
        transact(pool, asWorker(ref.tenantId), [shareTask(task, clock.wall())], ({ tx }) =>
          storeRows(tx, task.id, ref.attempt, fresh),
        ),
      )
      if (clock.wall() - startedAt > chunkMs) return { cursor: { phase: 'read', ...choice } }
    }
    return {
      cursor: { phase: 'plan', ...choice },
      async settle(tx) {
        await saveReport(tx, task.id, report)
        // While another sheet can be chosen, the file is kept.
        if (sheets.length < 2) deleteFile(tx, fileId)
        return []
      },
    }
  })
}
