import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { transact } from '../db/transaction.ts'
import { ApiError } from '../errors.ts'
import type { StoredUpload, Upload } from '../operation.ts'
import { unavailable } from './envelope.ts'
import type { HttpContext } from './http-context.ts'

/**
 * Stores the body of a request as a file, each part in its own transaction, so that a slow client holds no database connection.
 * An Idempotency-Key is compared by the digest of the file.
 */
export async function storeUpload(
  context: HttpContext,
  { types, maxBytes, create, write }: Upload,
  request: FastifyRequest,
): Promise<StoredUpload> {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (!(request.body instanceof Readable) || !types.includes(type))
    throw new ApiError(
      'VAL_004',
      `Send the file itself as the body, with a Content-Type: ${types.join(', ')}.`,
    )
  const { principal, startedAt } = request
  if (!principal) throw unavailable()
  const id = context.newId(startedAt)
  const digest = createHash('sha256')
  let count = 0
  const bytes = await request.server.bodies.readInParts(request, request.body, maxBytes, async part => {
    digest.update(part)
    const number = count++
    await transact(context.pool, principal.entry(startedAt), [], async ({ tx }) => {
      if (number === 0) create(tx, id, startedAt)
      write(tx, id, number, part)
    })
  })
  if (bytes === 0) throw new ApiError('VAL_004', 'The body is empty; send the file itself as the body.')
  request.rawText = digest.digest('hex')
  return { id, bytes, sha256: request.rawText }
}
