import type { FastifyRequest } from 'fastify'
import type { Actor } from '../actor.ts'
import { ApiError } from '../errors.ts'
import { originOf } from '../events.ts'
import type { ImmutableFields, Operation, StoredUpload, Upload } from '../operation.ts'
import { turnIfLarge } from '../taking-turns.ts'
import { bodyRulesOf } from './body-rules.ts'
import { asApiError, unavailable } from './envelope.ts'
import { type ProgressListener, runFollowUp } from './follow-up.ts'
import type { HttpContext } from './http-context.ts'
import { findStoredAnswer, idempotencyKeyFor, openAnswer, replay } from './idempotency.ts'
import { withOtherKind } from './other-kind.ts'
import { type OperationResponse, type PreparedRequest, retryWhileLocked } from './prepared-request.ts'
import type { batchRunner } from './run-batch.ts'
import { isDryRun, runDry } from './run-dry.ts'
import { runRead } from './run-read.ts'
import { runWrite, warningsBefore } from './run-write.ts'
import { digestUpload, discardUpload, storeUpload } from './upload.ts'
import { refuseBody, validateBody, validateParams, validateQuery } from './validate.ts'

/** Validates a request and runs its operation: as a read, in a batch, as a dry run, or as a write with its follow-up. */
export async function perform(
  context: HttpContext,
  runInBatch: ReturnType<typeof batchRunner>,
  operation: Operation,
  request: FastifyRequest,
  listener?: ProgressListener | null,
): Promise<OperationResponse> {
  const repeated = await repeatedUpload(context, operation, request)
  if (repeated) return repeated
  const prepared = await prepare(context, operation, request)
  try {
    if (operation.upload) return await runUpload(prepared, operation.upload)
    if (operation.method === 'GET') return await runRead(prepared)
    if (operation.runMany) return await retryWhileLocked(context, () => runInBatch(prepared))
    const warnings = await warningsBefore(prepared)
    if (isDryRun(prepared)) return await runDry(prepared, warnings)
    const { answer, performed } = await runWrite(prepared, warnings)
    if (!operation.followUp || !performed) return answer
    return await runFollowUp(prepared, performed, listener ?? undefined)
  } catch (error) {
    const code = asApiError(error)?.code
    if (code === 'AUTH_002' || code === 'AUTH_006') context.forget(prepared.actor)
    throw await withOtherKind(prepared, error)
  }
}

/** A repeated upload is answered from what is stored, and nothing of its body is kept. Null: it was not sent before. */
async function repeatedUpload(
  context: HttpContext,
  operation: Operation,
  request: FastifyRequest,
): Promise<OperationResponse | null> {
  const { principal, startedAt } = request
  if (!operation.upload || !principal) return null
  const known = idempotencyOf(operation, request, principal.actor)
  const stored = known && (await findStoredAnswer(context.pool, principal.entry(startedAt), known, startedAt))
  if (!known || !stored) return null
  request.rawText = await digestUpload(operation.upload, request)
  const idempotency = idempotencyOf(operation, request, principal.actor)!
  const { status, body, is_sealed } = stored
  const answer = replay(idempotency, stored.request_hash, { status, body, is_sealed })
  if (answer instanceof ApiError) throw answer
  return openAnswer(context.keyring, idempotency, answer)
}

/** Runs an operation whose body is a stored file, which does not outlive a request that made nothing of it. */
async function runUpload(prepared: PreparedRequest, upload: Upload): Promise<OperationResponse> {
  const { context, request, call } = prepared
  const { id } = call.body as StoredUpload
  try {
    const { answer, performed } = await runWrite(prepared, [])
    if (!performed) await discardUpload(context, upload, request, id)
    return answer
  } catch (error) {
    await discardUpload(context, upload, request, id, error)
    throw error
  }
}

async function prepare(
  context: HttpContext,
  operation: Operation,
  request: FastifyRequest,
): Promise<PreparedRequest> {
  const { principal } = request
  if (!principal) throw unavailable()
  const params = operation.params ? validateParams(operation.params, request.params) : undefined
  const query = validateQuery(operation.query, request.query as Record<string, unknown>)
  await turnIfLarge(request.rawText)
  const body = await bodyOf(context, operation, request)
  await turnIfLarge(request.rawText)
  const conversationId = request.internal?.conversationId
  const actor =
    operation.method === 'GET' || operation.runMany
      ? principal.actor
      : {
          ...principal.actor,
          origin: originOf(request),
          ...(conversationId !== undefined && { conversationId }),
        }
  return {
    ...{ context, operation, request, principal, actor },
    entry: principal.entry(request.startedAt),
    call: {
      actor,
      wall: request.startedAt,
      requestId: request.id,
      newId: () => context.newId(request.startedAt),
      keyring: context.keyring,
      publicUrl: context.publicUrl,
      ...(request.internal && { isToolCall: true as const }),
      ...{ params, query, body },
    },
    idempotency: idempotencyOf(operation, request, actor),
  }
}

async function bodyOf(context: HttpContext, operation: Operation, request: FastifyRequest): Promise<unknown> {
  if (operation.upload) return storeUpload(context, operation.upload, request)
  const { body, headers } = request
  if (!operation.body) return refuseBody(body)
  if (
    body === undefined &&
    headers['content-type'] === undefined &&
    Number(headers['content-length'] ?? 0) > 0
  )
    throw new ApiError('VAL_004', 'Send the body as application/json.')
  if (operation.bodyFaults?.immutable) refuseImmutable(operation.bodyFaults.immutable, body)
  return validateBody(operation.body, body, bodyRulesOf(operation))
}

function idempotencyOf({ method, followUp }: Operation, request: FastifyRequest, actor: Actor) {
  const header = method === 'POST' ? request.headers['idempotency-key'] : undefined
  if (header === undefined) return null
  const scope = { tenantId: actor.tenantId, clientId: clientOf(actor), method, path: request.url }
  return idempotencyKeyFor(String(header), scope, request.rawText, followUp?.maxMs)
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
