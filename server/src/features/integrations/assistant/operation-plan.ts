import type { AfterCommit } from '../../../kit/after-commit.ts'
import { ApiError } from '../../../kit/errors.ts'
import { requestOf } from '../../../kit/http/tool.ts'
import { validateBody } from '../../../kit/http/validate.ts'
import type { Tool } from '../../../kit/tool.ts'
import type { PlannedOperation } from './confirmation.ts'
import { describeOperation, type ReplyLocale } from './describe-operation.ts'

export type Prepared = { readonly planned: PlannedOperation } | { readonly refused: string }

interface OperationReply {
  data?: unknown
  error?: { code: string; message: string; details?: { field: string; message: string }[] }
}

export function refusalText(body: unknown): string {
  const { error } = body as OperationReply
  if (!error) return 'It was refused.'
  const fields = (error.details ?? []).map(({ field, message }) => `${field} ${message}`)
  return [`${error.code}: ${error.message}`, ...fields].join(' ')
}

// Only these are independent: another operation may need the result of an earlier one of the same plan.
const supportsDryRun = ({ operation, inputSchema }: Tool): boolean =>
  operation.id.startsWith('workflow.') &&
  Object.hasOwn((inputSchema as { properties?: object }).properties ?? {}, 'dryRun')

/** The longest plan that a person is asked to read before a confirmation. */
const planMaxChars = 12_000
const tooLargeToShow =
  'Not prepared: the plan would be too large to be shown in full, and a person confirms only what they were shown. Prepare less at once; for many invoices use POST /api/v1/invoices/bulk.'

/** Validates an operation and makes a dry run where possible; executes nothing. */
export async function prepare(
  afterCommit: AfterCommit,
  tool: Tool,
  input: unknown,
  alreadyPlanned: readonly PlannedOperation[],
  locale: ReplyLocale,
): Promise<Prepared> {
  const faults = faultsIn(tool, input)
  if (faults) return { refused: faults }
  const { dryRun: _, ...args } = input as Record<string, unknown>
  const operation = tool.operation.id
  const asText = JSON.stringify(args)
  if (
    alreadyPlanned.some(planned => planned.operation === operation && JSON.stringify(planned.args) === asText)
  )
    return { refused: 'This is prepared already.' }
  const pausedBefore = alreadyPlanned.some(
    planned =>
      planned.operation === 'workflow.trigger' &&
      (planned.args.action === 'pause' || planned.args.action === 'cancel') &&
      planned.args.invoiceId === args.invoiceId,
  )
  if (operation === 'workflow.communicate' && pausedBefore)
    return {
      refused:
        'The same plan stops the recovery of this invoice first, and then nothing is sent for it. Tell the person.',
    }
  let dryRunResult: unknown = null
  if (supportsDryRun(tool)) {
    const answer = await afterCommit.useTool(tool, args, { dryRun: true })
    if (answer.status >= 400) return { refused: refusalText(answer.body) }
    dryRunResult = (answer.body as OperationReply).data
  }
  const words = await describeOperation(
    afterCommit,
    { operation: tool.operation, args },
    dryRunResult,
    locale,
  )
  const shownBefore = alreadyPlanned.reduce((sum, planned) => sum + planned.words.length, 0)
  if (shownBefore + words.length > planMaxChars) return { refused: tooLargeToShow }
  return { planned: { operation, args, words } }
}

function faultsIn(tool: Tool, input: unknown): string | null {
  try {
    const { body } = requestOf(tool, input)
    if (tool.operation.body) validateBody(tool.operation.body, JSON.parse(body ?? '{}'))
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return refusalText({
      error: { code: error.code, message: error.message, details: error.extras.details },
    })
  }
}

export type ExecutedOperation = {
  readonly planned: PlannedOperation
  readonly outcome: 'done' | 'refused' | 'not_tried'
  readonly text?: string
}

/** The error comes from the service and not from the operation; a retry may succeed. */
const isTransient = (status: number) => status >= 500 || status === 429 || status === 423

/**
 * Executes a plan in order, up to the first refusal. Each operation has an idempotency key made from the confirmation, so
 * executing the plan again does nothing twice.
 */
export async function executePlan(
  afterCommit: AfterCommit,
  confirmation: {
    readonly id: string
    readonly plan: readonly PlannedOperation[]
    readonly conversationId: string
  },
): Promise<readonly ExecutedOperation[] | { readonly interruptedAfter: number }> {
  const executed: ExecutedOperation[] = []
  for (const [at, planned] of confirmation.plan.entries()) {
    const tool = afterCommit.tools.find(candidate => candidate.operation.id === planned.operation)
    if (executed.some(({ outcome }) => outcome !== 'done')) {
      executed.push({ planned, outcome: 'not_tried' })
      continue
    }
    if (!tool) {
      executed.push({
        planned,
        outcome: 'refused',
        text: 'AUTH_004: this credential may not do that any more.',
      })
      continue
    }
    const answer = await afterCommit.useTool(tool, planned.args, {
      idempotencyKey: `assistant-${confirmation.id}-${at}`,
      conversationId: confirmation.conversationId,
    })
    if (isTransient(answer.status)) return { interruptedAfter: at }
    executed.push(
      answer.status < 400
        ? { planned, outcome: 'done' }
        : { planned, outcome: 'refused', text: refusalText(answer.body) },
    )
  }
  return executed
}
