import { sql } from '../../../kit/db/statement.ts'
import type { BoundStatement, Tx } from '../../../kit/db/transaction.ts'
import { megabytes } from '../../access/stored-bytes/quota.ts'
import { countAfter } from '../../access/stored-bytes/store-within-quota.ts'
import { oneFileAtATime } from './errors.ts'
import type { TaskRow } from './schema.ts'
import { TaskFailure } from './task-work.ts'

// Exports, and copies for a person: the tasks that make a file to download.
const findUnderWay = sql(
  'task-files.find-under-way',
  `select exists (select from tasks where kind = any ('{export,access}') and ended_at is null) as is_under_way`,
).as<{ is_under_way: boolean }>()
const removeEarlier = sql(
  'task-files.delete-earlier',
  `delete from task_files f using tasks t
    where t.file_id = f.id and t.kind = any ('{export,access}') and t.id <> $1
      and t.ended_at <= (select own.created_at from tasks own where own.id = $1)`,
)
const findOther = sql(
  'task-files.find-other',
  `select exists (select from tasks t join task_files f on f.tenant_id = t.tenant_id and f.id = t.file_id
            where t.kind = any ('{export,access}') and t.id <> $1 and t.ended_at is not null) as has_other`,
).as<{ has_other: boolean }>()

/**
 * A company has a right to its data, and a person to theirs: one file at a time is made beyond the quota. Two are not, or each
 * request would store everything once more.
 */
export async function requireTurn(tx: Tx): Promise<void> {
  const { usedBytes, quotaBytes } = await countAfter(tx, [])
  if (usedBytes < quotaBytes) return
  const [found] = await tx.rows(findUnderWay, [])
  if (found!.is_under_way) throw oneFileAtATime.make()
}

/** Stores parts of the file that a task makes. Beyond the quota it takes the place of files that were finished before it was made. */
export async function storeMadeParts(
  tx: Tx,
  { id }: Pick<TaskRow, 'id'>,
  parts: readonly BoundStatement[],
): Promise<void> {
  const { usedBytes, quotaBytes } = await countAfter(tx, parts)
  if (usedBytes <= quotaBytes) return
  await tx.rows(removeEarlier, [id])
  const [found] = await tx.rows(findOther, [id])
  if (found!.has_other)
    throw new TaskFailure(
      `Your files and imports take more than ${megabytes(quotaBytes)}, and another file was finished while this task waited. Download that one, then make this task again: its file takes the place of the other.`,
    )
}
