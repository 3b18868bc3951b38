import type { FastifyRequest } from 'fastify'
import { iso } from '../clock.ts'
import { reader } from '../db/reader.ts'
import { type Entry, type OpenTransaction, Rollback, transact } from '../db/transaction.ts'
import { ApiError } from '../errors.ts'
import { originOf } from '../events.ts'
import type { Actor, FileReply, ImmutableFields, Operation, Page, Warning } from '../operation.ts'
import { bodyRulesOf } from './body-rules.ts'
import type { coalescer } from './coalesce.ts'
import { asApiError, failure, stampOf, success, unavailable } from './envelope.ts'
import { afterCommitOf, type ProgressListener } from './follow-up.ts'
import type { HttpContext } from './http-context.ts'
import {
  discardStoredAnswer,
  findStoredAnswers,
  type IdempotencyKey,
  idempotencyKeyFor,
  isStorable,
  oldestStored,
  openAnswer,
  openingStatements,
  type StoredAnswer,
  sealAnswer,
  storeAnswers,
  unfinished,
  verdictOn,
} from './idempotency.ts'
import { storeUpload } from './upload.ts'
import { refuseBody, validateBody, validateParams, validateQuery } from './validate.ts'

interface OperationResponse extends StoredAnswer {
  replayed?: boolean
  /** The initial reply of an operation with a follow-up. */
  initialReply?: unknown
  link?: string
  file?: FileReply
}

/** Validates a request, opens the tenant's transaction, replays or runs the operation, commits, and then returns the response. */
export async function perform(
  context: HttpContext,
  coalesce: ReturnType<typeof coalescer>,
  operation: Operation,
  request: FastifyRequest,
  listener?: ProgressListener | null,
): Promise<OperationResponse> {
  const principal = request.principal
  if (!principal) throw unavailable()
  const params = operation.params ? validateParams(operation.params, request.params) : undefined
  const query = validateQuery(operation.query, request.query as Record<string, unknown>)
  if (
    operation.body &&
    request.body === undefined &&
    request.headers['content-type'] === undefined &&
    Number(request.headers['content-length'] ?? 0) > 0
  )
    throw new ApiError('VAL_004', 'Send the body as application/json.')
  if (operation.immutable) refuseImmutable(operation.immutable, request.body)
  if (!operation.body && !operation.upload) refuseBody(request.body)
  const body = operation.upload
    ? await storeUpload(context, operation.upload, request)
    : operation.body
      ? validateBody(operation.body, request.body, bodyRulesOf(operation))
      : undefined
  const conversationId = request.internal?.conversationId
  const actor =
    operation.method === 'GET' || operation.runMany
      ? principal.actor
      : {
          ...principal.actor,
          origin: originOf(request),
          ...(conversationId !== undefined && { conversationId }),
        }
  const entry = principal.entry(request.startedAt)
  const base = {
    actor,
    wall: request.startedAt,
    requestId: request.id,
    newId: () => context.newId(request.startedAt),
    keyring: context.keyring,
    publicUrl: context.publicUrl,
    ...(request.internal && { isToolCall: true as const }),
    params,
    query,
    body,
  }
  const toResponse = (result: unknown, warnings: readonly Warning[] = []): StoredAnswer => ({
    status: operation.status,
    body:
      operation.status === 204
        ? ''
        : success(operation, result, stampOf(request.id, context.clock), warnings),
  })
  try {
    const header = operation.method === 'POST' ? request.headers['idempotency-key'] : undefined
    const idempotency =
      header === undefined
        ? null
        : idempotencyKeyFor(
            String(header),
            {
              tenantId: actor.tenantId,
              clientId: clientOf(actor),
              method: operation.method,
              path: request.url,
            },
            request.rawText,
            operation.followUpMs,
          )
    if (operation.runMany) {
      const batchRequest = { body, requestId: request.id, idempotency }
      return await retryWhileLocked(context, () => coalesce(operation, principal, batchRequest))
    }
    if (operation.method === 'GET') {
      const tx = reader(context.pool, entry, principal.queueKey)
      if (operation.usesNow === true) await tx.offsetMs()
      const result = await operation.run({
        ...base,
        tx,
        get now(): number {
          if (!operation.usesNow || tx.knownOffsetMs === null)
            throw new Error(`${operation.id} reads now without declaring usesNow, or before its first read`)
          return request.startedAt + tx.knownOffsetMs
        },
      })
      if (operation.produces) return { status: operation.status, body: '', file: result as FileReply }
      // The cursor of a feed is for later when there is no more yet: a program that follows links would ask on and on.
      const page = operation.list ? (result as Page<unknown>) : null
      const hasNext = page !== null && !('hasNext' in page.pagination && !page.pagination.hasNext)
      const next = hasNext ? page.nextCursor : null
      return { ...toResponse(result), ...(next && { link: nextLink(request.url, next) }) }
    }
    const mustCheck =
      operation.beforeTransaction &&
      !(idempotency && (await hasStoredAnswer(context, entry, idempotency, request.startedAt)))
    const warnings = mustCheck ? await operation.beforeTransaction!(context.external, { body }) : []
    let offsetMs = 0
    const work = async (transaction: OpenTransaction): Promise<OperationResponse> => {
      offsetMs = transaction.offsetMs
      const now = request.startedAt + transaction.offsetMs
      const result = await operation.run({ ...base, tx: transaction.tx, now })
      return { ...toResponse(result, warnings), ...(operation.followUp && { initialReply: result }) }
    }
    const { rehearse } = operation
    if (rehearse && (body as { dryRun?: boolean }).dryRun === true) {
      const rehearsed = async ({ tx, offsetMs, flush }: OpenTransaction) => {
        const call = { ...base, tx, now: request.startedAt + offsetMs }
        const reply = await rehearse(call, async () => {
          const result = await operation.run!(call)
          await flush()
          return result
        })
        return new Rollback<OperationResponse>(toResponse(reply, warnings))
      }
      const attempt = () => transact(context.pool, entry, [], rehearsed)
      return await retryWhileLocked(context, attempt, operation.lockRetryMs)
    }
    const attempt = () =>
      idempotency
        ? performIdempotent(context, operation, entry, idempotency, request, work)
        : transact(context.pool, entry, [], work)
    const performed = await retryWhileLocked(context, attempt, operation.lockRetryMs)
    if (!operation.followUp || performed.initialReply === undefined) return performed
    const after = afterCommitOf(context, request, { actor, entry, offsetMs }, listener ?? undefined)
    const input = { params, body, languages: request.headers['accept-language'] ?? '' }
    try {
      const answer = toResponse(await operation.followUp(after, performed.initialReply, input))
      const stored = idempotency && { idempotency, answer: toStored(context, operation, idempotency, answer) }
      if (stored) await after.inTransaction(async tx => storeAnswers(tx, [stored], iso(request.startedAt)))
      return answer
    } catch (error) {
      if (idempotency && error instanceof ApiError)
        await after.inTransaction(async tx => discardStoredAnswer(tx, idempotency))
      throw error
    }
  } catch (error) {
    const apiError = asApiError(error)
    if (apiError?.code === 'AUTH_002' || apiError?.code === 'AUTH_006') context.forget(actor)
    throw error
  }
}

/** The client for idempotency keys: an application that acts for two people counts as two clients. */
const clientOf = ({ id, onBehalfOf }: Actor): string => (onBehalfOf ? `${id} ${onBehalfOf}` : id)

function refuseImmutable({ fields, because }: ImmutableFields, body: unknown): void {
  if (typeof body !== 'object' || body === null) return
  const touched = fields.filter(field => Object.hasOwn(body, field))
  if (touched.length > 0)
    throw new ApiError('FORBIDDEN_FIELD_MODIFICATION', `${touched.join(', ')} ${because.sentence}`, {
      details: touched.map(field => ({ field, code: 'immutable', message: because.field })),
    })
}

/** The Link header of the next page: the same query, with the cursor in place of the page number. */
function nextLink(url: string, cursor: string): string {
  const [path, query = ''] = url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.delete('page')
  parameters.set('cursor', cursor)
  return `<${path}?${parameters}>; rel="next"`
}

const duplicateWaitMs = 2_000

/**
 * Retries while a request with the same idempotency key is still running, or while a resource is locked (`lockRetryMs`). No
 * connection is held between attempts.
 */
async function retryWhileLocked(
  context: HttpContext,
  attempt: () => Promise<OperationResponse | 'busy'>,
  lockRetryMs = 0,
): Promise<OperationResponse> {
  const startedAt = context.clock.wall()
  for (;;) {
    const answer = await attempt().catch((error: unknown) => {
      if (lockRetryMs > 0 && asApiError(error)?.code === 'RES_004') return { locked: error }
      throw error
    })
    if (answer !== 'busy' && !('locked' in answer)) return answer
    const waited = context.clock.wall() - startedAt
    if (answer !== 'busy' && waited >= lockRetryMs) throw answer.locked
    if (answer === 'busy' && waited >= duplicateWaitMs)
      throw new ApiError(
        'RES_004',
        'The first request with this Idempotency-Key is still running; repeat in a second.',
        { retryAfterSeconds: 1 },
      )
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** Whether an answer is stored for this request. Whether it may be replayed is decided later, under the lock. */
async function hasStoredAnswer(
  context: HttpContext,
  entry: Entry,
  idempotency: IdempotencyKey,
  wall: number,
): Promise<boolean> {
  const stored = await reader(context.pool, entry).rows(findStoredAnswers, [
    [idempotency.keyHash],
    oldestStored(wall),
  ])
  return stored.length > 0
}

const toStored = (
  context: HttpContext,
  { shownOnce, storedSealed }: Operation,
  idempotency: IdempotencyKey,
  answer: StoredAnswer,
) => (shownOnce || storedSealed ? sealAnswer(context.keyring, idempotency, answer) : answer)

function performIdempotent(
  context: HttpContext,
  operation: Operation,
  entry: Entry,
  idempotency: IdempotencyKey,
  request: FastifyRequest,
  work: (transaction: OpenTransaction) => Promise<OperationResponse>,
): Promise<OperationResponse | 'busy'> {
  const wall = iso(request.startedAt)
  const opening = openingStatements([idempotency], oldestStored(request.startedAt))
  return transact(
    context.pool,
    entry,
    opening,
    async (transaction): Promise<OperationResponse | 'busy' | Rollback<'busy'>> => {
      const earlier = verdictOn(idempotency, transaction.openingRows, request.startedAt)
      if (earlier === 'busy') return new Rollback('busy')
      if (earlier instanceof ApiError) throw earlier
      if (earlier) return openAnswer(context.keyring, idempotency, earlier)
      await transaction.savepoint()
      try {
        const { initialReply, ...answer } = await work(transaction)
        const stored = toStored(context, operation, idempotency, answer)
        storeAnswers(
          transaction.tx,
          [{ idempotency, answer: initialReply === undefined ? stored : unfinished(stored) }],
          wall,
        )
        return { ...answer, initialReply }
      } catch (error) {
        if (!(error instanceof ApiError && isStorable(error.code))) throw error
        await transaction.rollbackToSavepoint()
        const refused = {
          status: error.status,
          body: failure(error, context.docsUrl, stampOf(request.id, context.clock)),
        }
        storeAnswers(transaction.tx, [{ idempotency, answer: refused }], wall)
        return refused
      }
    },
  )
}
