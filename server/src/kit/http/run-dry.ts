import { type OpenTransaction, Rollback, transact } from '../db/transaction.ts'
import { type Warning, WithWarnings } from '../operation.ts'
import {
  answerOf,
  type OperationResponse,
  type PreparedRequest,
  retryWhileLocked,
} from './prepared-request.ts'

export const isDryRun = ({ operation, call }: PreparedRequest): boolean =>
  operation.rehearse !== undefined && (call.body as { dryRun?: boolean }).dryRun === true

/** So that nobody takes the answer for a change: it says that it is a dry run, and what would be new has no id. */
function marked({ operation }: PreparedRequest, answer: unknown): unknown {
  if (answer instanceof WithWarnings) return new WithWarnings(mark(answer.data), answer.warnings)
  return mark(answer)

  function mark(data: unknown) {
    const isNew = operation.status !== 200 && 'id' in (data as object)
    return { ...(data as object), ...(isNew && { id: null }), dryRun: true }
  }
}

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
    return new Rollback<OperationResponse>(answerOf(prepared, marked(prepared, reply), warnings))
  }
  const attempt = () => transact(context.pool, entry, [], rehearsed)
  return retryWhileLocked(context, attempt, operation.lockRetryMs)
}
