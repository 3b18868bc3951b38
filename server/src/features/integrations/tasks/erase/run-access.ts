import { asWorker, isLockConflict, transact } from '../../../../kit/db/transaction.ts'
import { withRetries } from '../../../../kit/with-retries.ts'
import { writeZip } from '../../../../kit/zip.ts'
import { createFile, deleteFile, partBytesMax, partOf } from '../files.ts'
import { storeMadeParts } from '../made-files.ts'
import { saveReport } from '../store.ts'
import { TaskFailure, type TaskWork } from '../task-work.ts'
import { gatherCopy } from './gather-copy.ts'
import { AccessInput } from './schema.ts'

/**
 * One chunk writes the whole file, each part in its own transaction. A second run writes a second file, because data may have
 * changed in between. The task refers to the complete file; the other one is deleted after a day.
 */
export const accessWork: TaskWork = {
  refusalsBy: 'message',
  async run(context, task, { tenantId }) {
    const { pool, clock, newId } = context
    const { debtorId } = AccessInput.parse(task.input)
    const fileId = newId()
    const wall = clock.wall()
    const inTenant = (work: Parameters<typeof transact<void, []>>[3]) =>
      transact(pool, asWorker(tenantId), [], work)
    await inTenant(async ({ tx }) => createFile(tx, fileId, wall))
    const entries = await gatherCopy(context, tenantId, debtorId, wall)
    let part = 0
    let bytes = 0
    let waiting: Uint8Array[] = []
    let size = 0
    const writeWaiting = async () => {
      const joined = Buffer.concat(waiting)
      for (let from = 0; from < joined.length; from += partBytesMax) {
        const piece = joined.subarray(from, from + partBytesMax)
        const place = part++
        await withRetries(isLockConflict, () =>
          inTenant(({ tx }) => storeMadeParts(tx, task, [partOf(fileId, place, piece)])),
        )
      }
      bytes += joined.length
      waiting = []
      size = 0
    }
    try {
      for await (const piece of writeZip(entries, new Date(wall))) {
        waiting.push(piece)
        size += piece.length
        if (size >= partBytesMax) await writeWaiting()
      }
      if (size > 0) await writeWaiting()
    } catch (error) {
      if (error instanceof TaskFailure) await inTenant(async ({ tx }) => deleteFile(tx, fileId))
      throw error
    }
    return {
      cursor: null,
      async settle(tx) {
        await saveReport(tx, task.id, { files: entries.length, bytes }, { fileId })
        return [{ code: null, message: null, count: 1 }]
      },
    }
  },
  fileOf: () => ({
    name: 'personal-data.zip',
    type: 'application/zip',
    rows: null,
    bytesOf: parts => parts,
  }),
}
