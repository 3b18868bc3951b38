import { type OpenTransaction, Rollback, transact } from '../db/transaction.ts'
import type { Warning } from '../operation.ts'
import {
  answerOf,
  type OperationResponse,
  type PreparedRequest,
  retryWhileLocked,
} from './prepared-request.ts'

export const isDryRun = ({ operation, call }: PreparedRequest): boolean =>
  operation.rehearse !== undefined && (call.body as { dryRun?: boolean }).dryRun === true

/** Performs an operation, lets it look at the result, and undoes everything. */
export function runDry(prepared: PreparedRequest, warnings: readonly Warning[]): Promise<OperationResponse> {
  const { context, operation, request, entry } = prepared
  const rehearsed = async ({ tx, offsetMs, flush }: OpenTransaction) => {
    const call = { ...prepared.call, tx, now: request.startedAt + offsetMs }
    const reply = await operation.rehearse!(call, async () => {
      const result = await operation.run!(call)
      await flush()
      return result
    })
    return new Rollback<OperationResponse>(answerOf(prepared, reply, warnings))
  }
  const attempt = () => transact(context.pool, entry, [], rehearsed)
  return retryWhileLocked(context, attempt, operation.lockRetryMs)
}
