import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { isDatabaseFault, isLockConflict, type Tx, transact } from '../db/transaction.ts'
import { ApiError } from '../errors.ts'
import type { StoredUpload, Upload } from '../operation.ts'
import { withRetries } from '../with-retries.ts'
import { unavailable } from './envelope.ts'
import type { HttpContext } from './http-context.ts'

function bodyOf({ body, headers }: FastifyRequest, types: readonly string[]): Readable {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (body instanceof Readable && types.includes(type)) return body
  throw new ApiError('VAL_004', `Send the file itself as the body, with a Content-Type: ${types.join(', ')}.`)
}

/** Each part in its own transaction, so that a slow client holds no database connection. Parts of a tenant wait for each other. */
function inTenant(
  { pool }: HttpContext,
  { principal, startedAt }: FastifyRequest,
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  if (!principal) throw unavailable()
  return withRetries(isLockConflict, () =>
    transact(pool, principal.entry(startedAt), [], ({ tx }) => work(tx)),
  )
}

/** Reads the body and keeps only its digest, by which a repeated request is compared with the first one. */
export async function digestUpload({ types, maxBytes }: Upload, request: FastifyRequest): Promise<string> {
  const digest = createHash('sha256')
  await request.server.bodies.readInParts(request, bodyOf(request, types), maxBytes, async part => {
    digest.update(part)
  })
  return digest.digest('hex')
}

/** Stores the body of a request as a file. An Idempotency-Key is compared by the digest of the file. */
export async function storeUpload(
  context: HttpContext,
  upload: Upload,
  request: FastifyRequest,
): Promise<StoredUpload> {
  const { types, maxBytes, create, write } = upload
  const body = bodyOf(request, types)
  const id = context.newId(request.startedAt)
  const digest = createHash('sha256')
  let count = 0
  try {
    const announced = Number(request.headers['content-length'] ?? 0)
    // A body over the limit is refused by the reader, which names the limit.
    if (announced <= maxBytes)
      await inTenant(context, request, tx => create(tx, id, request.startedAt, announced))
    const bytes = await request.server.bodies.readInParts(request, body, maxBytes, async part => {
      digest.update(part)
      const number = count++
      await inTenant(context, request, tx => write(tx, id, number, part))
    })
    if (bytes === 0) throw new ApiError('VAL_004', 'The body is empty; send the file itself as the body.')
    request.rawText = digest.digest('hex')
    return { id, bytes, sha256: request.rawText }
  } catch (error) {
    await discardUpload(context, upload, request, id, error)
    throw error
  }
}

/** Deletes the file of a request that did not use it. After a fault of the database it may have been used: the night decides. */
export async function discardUpload(
  context: HttpContext,
  { discard }: Upload,
  request: FastifyRequest,
  id: string,
  error?: unknown,
): Promise<void> {
  if (isDatabaseFault(error)) return
  await inTenant(context, request, async tx => discard(tx, id)).catch((fault: unknown) =>
    context.log.warn({ err: fault, requestId: request.id }, 'a file without a task is left to the night'),
  )
}
