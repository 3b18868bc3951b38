import { startGroup } from '../../../../kit/db/group.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { asWorker, Rollback, transact } from '../../../../kit/db/transaction.ts'
import { ApiError } from '../../../../kit/errors.ts'
import type { WalkedInvoice } from '../../../receivables/invoices/invoice-filter.ts'
import { lockFreeAgendas } from '../../../recovery/case/agenda-store.ts'
import type { TaskRow } from '../schema.ts'
import type { ChunkRef, TaskContext } from '../task-context.ts'
import { shareTask } from '../task-maker.ts'
import { callOf, type ItemAct, isPassing, type Outcome } from './run-item.ts'
import { claimItems } from './store.ts'

const dropClaims = sql(
  'tasks.drop-claims',
  'delete from task_items where task_id = $1 and not is_dry_run and subject_id = any ($2::uuid[])',
)

/** How many items share a transaction. It holds the locks of their debtors, for about a tenth of a second. */
const groupSize = 100
const groupsAtOnce = 2

export interface GroupsDone {
  outcomes: Outcome[]
  /** Items to run one by one: their debtor was busy, or something in their group failed. */
  left: WalkedInvoice[]
}

/** Runs items in groups that share a transaction, and so most of their statements. The items of a debtor stay together. */
export async function runGroups(
  context: TaskContext,
  task: TaskRow,
  act: ItemAct,
  byDebtor: readonly WalkedInvoice[][],
  ref: ChunkRef,
): Promise<GroupsDone> {
  const groups: WalkedInvoice[][][] = []
  let size = groupSize
  for (const items of byDebtor) {
    if (size + items.length > groupSize) {
      groups.push([])
      size = 0
    }
    groups.at(-1)!.push(items)
    size += items.length
  }
  const done: GroupsDone = { outcomes: [], left: [] }
  const runNext = async () => {
    for (let group = groups.shift(); group; group = groups.shift()) {
      const items = group
      const { outcomes, left } = await runGroup(context, task, act, items, ref).catch(error => {
        context.log.info({ err: error, taskId: task.id }, 'a group of items is done one by one')
        return { outcomes: [], left: items.flat() }
      })
      done.outcomes.push(...outcomes)
      done.left.push(...left)
    }
  }
  await Promise.all(Array.from({ length: groupsAtOnce }, runNext))
  return done
}

/**
 * One transaction: locks the debtors that are free, claims each item, then runs the operation for all of them at the same time.
 * Items of one debtor run one after the other, because each has to see the changes of the previous one.
 */
async function runGroup(
  context: TaskContext,
  task: TaskRow,
  act: ItemAct,
  byDebtor: readonly WalkedInvoice[][],
  { tenantId, taskId, attempt, chunk }: ChunkRef,
): Promise<GroupsDone> {
  const opening = [
    shareTask(task, context.clock.wall()),
    [lockFreeAgendas, [tenantId, byDebtor.map(([item]) => item!.debtor_id)]],
  ] as const
  return transact(context.pool, asWorker(tenantId), opening, async ({ tx, offsetMs, openingRows, flush }) => {
    const isFree = new Set(openingRows[1].map(row => row.debtor_id))
    const [free, busy] = [true, false].map(wanted =>
      byDebtor.filter(([item]) => isFree.has(item!.debtor_id) === wanted),
    ) as [WalkedInvoice[][], WalkedInvoice[][]]
    const ids = free.flat().map(({ id }) => id)
    const claimed = new Set(
      task.is_dry_run
        ? ids
        : (await tx.rows(claimItems, [taskId, ids, chunk, attempt])).map(row => row.subject_id),
    )
    const outcomes: Outcome[] = []
    const left = busy.flat()
    const unclaimed: string[] = []
    const group = startGroup(tx)
    const runOne = async ({ id, debtor_id }: WalkedInvoice) => {
      const item = group.newItem()
      try {
        await act.operation.run!(callOf(context, task, act, { tx: item.tx, offsetMs, tenantId, id }))
        item.keep()
        if (task.is_dry_run) outcomes.push({ id, code: null, message: null })
      } catch (error) {
        // An item that is refused before it writes has changed nothing.
        if (!(error instanceof ApiError) || item.hasWritten()) throw error
        unclaimed.push(id)
        if (isPassing(error)) left.push({ id, debtor_id })
        else outcomes.push({ id, code: error.code, message: error.message })
      }
    }
    const turns = Math.max(0, ...free.map(items => items.length))
    for (let turn = 0; turn < turns; turn++) {
      if (turn > 0) await flush()
      const items = free.flatMap(own => own.slice(turn, turn + 1)).filter(({ id }) => claimed.has(id))
      // All of them must end before the transaction does.
      const ended = await Promise.allSettled(items.map(runOne))
      for (const one of ended) if (one.status === 'rejected') throw one.reason
      group.write()
    }
    if (unclaimed.length > 0) tx.atCommit(dropClaims, [taskId, unclaimed])
    return task.is_dry_run ? new Rollback({ outcomes, left }) : { outcomes, left }
  })
}
