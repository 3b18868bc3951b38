import { iso } from '../../../../kit/clock.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { asWorker, type Tx, transact } from '../../../../kit/db/transaction.ts'
import { saveReport } from '../store.ts'
import { shareTask } from '../task-maker.ts'
import { TaskFailure, type TaskWork } from '../task-work.ts'
import { obstacleTo } from './erase-obstacles.ts'
import { type EraseCursor, EraseRefused, erasePersons } from './erase-persons.ts'
import { keptOf } from './erase-report.ts'
import { EraseInput } from './schema.ts'

const isRunning = sql(
  'erase.is-running',
  `select id from tasks where id = $1 and status = 'running' and attempt = $2`,
)

/** One person; the chunks follow each other until nothing is left. */
export const eraseWork: TaskWork = {
  refusalsBy: 'message',
  async run(context, task, { tenantId, attempt }) {
    const { debtorId } = EraseInput.parse(task.input)
    const finish = (wouldAt: string | null) => async (tx: Tx) => {
      const { kept } = await keptOf(tx, tenantId, debtorId, wouldAt)
      await saveReport(tx, task.id, { ...task.report, kept })
      return [{ code: null, message: null, count: 1 }]
    }
    if (task.is_dry_run) {
      const obstacle = await transact(context.pool, asWorker(tenantId), [], ({ tx }) =>
        obstacleTo(tx, [debtorId], task.id),
      )
      if (obstacle) throw new TaskFailure(obstacle.message)
      return {
        cursor: null,
        settle: (tx, now) => finish(iso(now).slice(0, 10))(tx),
      }
    }
    const erasure = {
      tenantId,
      debtorIds: [debtorId],
      taskId: task.id,
      by: { actor: task.actor, requestId: task.request_id },
      // After the answer to a cancellation nothing more is erased.
      async goesOn(tx: Tx) {
        await tx.rows(...shareTask(task, context.clock.wall()))
        return (await tx.rows(isRunning, [task.id, attempt])).length > 0
      },
    }
    try {
      const cursor = await erasePersons(context, erasure, task.cursor as EraseCursor | null)
      return cursor === null ? { cursor, settle: finish(null) } : { cursor }
    } catch (error) {
      if (error instanceof EraseRefused) throw new TaskFailure(error.message)
      throw error
    }
  },
}
