import type { FastifyRequest } from 'fastify'
import type { Afterwards } from '../afterwards.ts'
import { reader } from '../db/reader.ts'
import { type Entry, transact } from '../db/transaction.ts'
import type { Actor, Operation } from '../operation.ts'
import type { Tool } from '../tool.ts'
import type { Edge } from './edge.ts'
import { askerOf, toolsFor, toolsOf, useTool } from './tool.ts'

/** Whoever hears of an answer while it is made. */
export interface Listener {
  tell(event: string, data: unknown): void
  readonly gone: AbortSignal
}

/** Who does not listen can only wait, and whether they still do nobody knows. */
const nobody: Listener = { tell: () => {}, gone: new AbortController().signal }

const toolsOfCatalogue = new WeakMap<readonly Operation[], readonly Tool[]>()

function everyTool(operations: readonly Operation[]): readonly Tool[] {
  const tools = toolsOfCatalogue.get(operations) ?? toolsOf(operations)
  toolsOfCatalogue.set(operations, tools)
  return tools
}

/** What is left of the world when the transaction of a request is over. */
export function afterwardsOf(
  edge: Edge,
  request: FastifyRequest,
  { actor, entry, offsetMs }: { actor: Actor; entry: Entry; offsetMs: number },
  listener: Listener = nobody,
): Afterwards {
  const asker = askerOf(request)
  return {
    tx: reader(edge.pool, entry),
    actor,
    keyring: edge.keyring,
    outside: edge.outside,
    startedAt: request.startedAt,
    wall: () => edge.clock.wall(),
    change: work => transact(edge.pool, entry, [], ({ tx }) => work(tx)),
    pause: (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms)),
    newId: () => edge.newId(edge.clock.wall()),
    offsetMs,
    get tools() {
      return toolsFor(everyTool(edge.operations), actor)
    },
    use: (tool, args, options) => useTool(request.server, asker, tool, args, options),
    model: edge.model,
    tell: (event, data) => listener.tell(event, data),
    gone: listener.gone,
    publicUrl: edge.publicUrl,
  }
}
