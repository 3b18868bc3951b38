import type { AfterCommit } from '../after-commit.ts'
import { iso } from '../clock.ts'
import { reader } from '../db/reader.ts'
import { transact } from '../db/transaction.ts'
import { ApiError } from '../errors.ts'
import type { Operation } from '../operation.ts'
import type { Tool } from '../tool.ts'
import { discardStoredAnswer, storeAnswers } from './idempotency.ts'
import { answerOf, type OperationResponse, type PreparedRequest, toStored } from './prepared-request.ts'
import { toolCallerOf, toolsFor, toolsOf, useTool } from './tool.ts'

/** Receives events while an operation works on its reply. */
export interface ProgressListener {
  emit(event: string, data: unknown): void
  readonly disconnected: AbortSignal
}

/** For a caller without an event stream: events are dropped, and it is not known whether the caller disconnects. */
const noListener: ProgressListener = { emit: () => {}, disconnected: new AbortController().signal }

const toolsByOperations = new WeakMap<readonly Operation[], readonly Tool[]>()

function cachedTools(operations: readonly Operation[]): readonly Tool[] {
  const tools = toolsByOperations.get(operations) ?? toolsOf(operations)
  toolsByOperations.set(operations, tools)
  return tools
}

/** Runs the follow-up of an operation after its commit. The reply replaces the initial one, which was stored as unfinished. */
export async function runFollowUp(
  prepared: PreparedRequest,
  { result, offsetMs }: { result: unknown; offsetMs: number },
  listener: ProgressListener = noListener,
): Promise<OperationResponse> {
  const { operation, request, call, idempotency } = prepared
  const after = afterCommitOf(prepared, offsetMs, listener)
  const { params, body } = call
  const input = { params, body, languages: request.headers['accept-language'] ?? '' }
  try {
    const answer = answerOf(prepared, await operation.followUp!.run(after, result, input))
    const stored = idempotency && { idempotency, answer: toStored(prepared, idempotency, answer) }
    if (stored) await after.inTransaction(async tx => storeAnswers(tx, [stored], iso(request.startedAt)))
    return answer
  } catch (error) {
    if (idempotency && error instanceof ApiError)
      await after.inTransaction(async tx => discardStoredAnswer(tx, idempotency))
    throw error
  }
}

/** The context of a follow-up, after the transaction of its request. */
function afterCommitOf(
  { context, request, actor, entry }: PreparedRequest,
  offsetMs: number,
  listener: ProgressListener,
): AfterCommit {
  const caller = toolCallerOf(request)
  return {
    tx: reader(context.pool, entry),
    actor,
    keyring: context.keyring,
    external: context.external,
    startedAt: request.startedAt,
    wall: () => context.clock.wall(),
    inTransaction: work => transact(context.pool, entry, [], ({ tx }) => work(tx)),
    pause: (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms)),
    newId: () => context.newId(context.clock.wall()),
    offsetMs,
    get tools() {
      return toolsFor(cachedTools(context.operations), actor)
    },
    useTool: (tool, args, options) => useTool(request.server, caller, tool, args, options),
    model: context.model,
    emit: (event, data) => listener.emit(event, data),
    disconnected: listener.disconnected,
    publicUrl: context.publicUrl,
  }
}
