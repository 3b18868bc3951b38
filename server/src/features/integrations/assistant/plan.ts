import type { Afterwards } from '../../../kit/afterwards.ts'
import { ApiError } from '../../../kit/errors.ts'
import { requestOf } from '../../../kit/http/tool.ts'
import { validateBody } from '../../../kit/http/validate.ts'
import type { Tool } from '../../../kit/tool.ts'
import type { Deed } from './confirmation.ts'
import { inWords, type Manner } from './describe.ts'

export type Prepared = { readonly deed: Deed } | { readonly refused: string }

interface Answered {
  data?: unknown
  error?: { code: string; message: string; details?: { field: string; message: string }[] }
}

export function refusalInWords(body: unknown): string {
  const { error } = body as Answered
  if (!error) return 'It was refused.'
  const fields = (error.details ?? []).map(({ field, message }) => `${field} ${message}`)
  return [`${error.code}: ${error.message}`, ...fields].join(' ')
}

const canBeRehearsed = ({ inputSchema }: Tool): boolean =>
  Object.hasOwn((inputSchema as { properties?: object }).properties ?? {}, 'dryRun')

/** Judged and rehearsed as far as it can be, and done not at all. */
export async function prepare(
  after: Afterwards,
  tool: Tool,
  input: unknown,
  before: readonly Deed[],
  manner: Manner,
): Promise<Prepared> {
  const faults = faultsIn(tool, input)
  if (faults) return { refused: faults }
  const { dryRun: _, ...args } = input as Record<string, unknown>
  const operation = tool.operation.id
  const asText = JSON.stringify(args)
  if (before.some(deed => deed.operation === operation && JSON.stringify(deed.args) === asText))
    return { refused: 'This is prepared already.' }
  const pausedBefore = before.some(
    deed =>
      deed.operation === 'workflow.trigger' &&
      (deed.args.action === 'pause' || deed.args.action === 'cancel') &&
      deed.args.invoiceId === args.invoiceId,
  )
  if (operation === 'workflow.communicate' && pausedBefore)
    return {
      refused:
        'The same plan stops the recovery of this invoice first, and then nothing is sent for it. Tell the person.',
    }
  let rehearsed: unknown = null
  if (canBeRehearsed(tool)) {
    const answer = await after.use(tool, args, { dryRun: true })
    if (answer.status >= 400) return { refused: refusalInWords(answer.body) }
    rehearsed = (answer.body as Answered).data
  }
  return { deed: { operation, args, words: await inWords(after, { operation, args }, rehearsed, manner) } }
}

function faultsIn(tool: Tool, input: unknown): string | null {
  try {
    const { body } = requestOf(tool, input)
    if (tool.operation.body) validateBody(tool.operation.body, JSON.parse(body ?? '{}'))
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return refusalInWords({
      error: { code: error.code, message: error.message, details: error.extras.details },
    })
  }
}

export type Carried = {
  readonly deed: Deed
  readonly outcome: 'done' | 'refused' | 'not_tried'
  readonly words?: string
}

/** Not an answer of the operation but of the house around it: asked again it may be another. */
const isPassing = (status: number) => status >= 500 || status === 429 || status === 423

/**
 * In order, up to the first refusal. Each deed has a key of its own that comes from the confirmation, so that whoever carries the
 * plan out again does nothing twice.
 */
export async function carryOut(
  after: Afterwards,
  confirmation: { readonly id: string; readonly plan: readonly Deed[]; readonly conversationId: string },
): Promise<readonly Carried[] | { readonly interruptedAfter: number }> {
  const carried: Carried[] = []
  for (const [at, deed] of confirmation.plan.entries()) {
    const tool = after.tools.find(candidate => candidate.operation.id === deed.operation)
    if (carried.some(({ outcome }) => outcome !== 'done')) {
      carried.push({ deed, outcome: 'not_tried' })
      continue
    }
    if (!tool) {
      carried.push({ deed, outcome: 'refused', words: 'AUTH_004: this credential may not do that any more.' })
      continue
    }
    const answer = await after.use(tool, deed.args, {
      idempotencyKey: `assistant-${confirmation.id}-${at}`,
      conversationId: confirmation.conversationId,
    })
    if (isPassing(answer.status)) return { interruptedAfter: at }
    carried.push(
      answer.status < 400
        ? { deed, outcome: 'done' }
        : { deed, outcome: 'refused', words: refusalInWords(answer.body) },
    )
  }
  return carried
}
