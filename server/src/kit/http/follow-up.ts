import type { FastifyRequest } from 'fastify'
import type { AfterCommit } from '../after-commit.ts'
import { reader } from '../db/reader.ts'
import { type Entry, transact } from '../db/transaction.ts'
import type { Actor, Operation } from '../operation.ts'
import type { Tool } from '../tool.ts'
import type { HttpContext } from './http-context.ts'
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

/** Builds what a follow-up can use after the transaction of a request. */
export function afterCommitOf(
  context: HttpContext,
  request: FastifyRequest,
  { actor, entry, offsetMs }: { actor: Actor; entry: Entry; offsetMs: number },
  listener: ProgressListener = noListener,
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
