import { reader } from '../db/reader.ts'
import { ApiError } from '../errors.ts'
import type { PreparedRequest } from './prepared-request.ts'
import { segmentsOf } from './route-table.ts'

const isUuid = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** The ids in the path, each with the word before it: `invoices`, `invoice`. */
function idsOf({ operation, call }: PreparedRequest): { id: string; word: string }[] {
  const segments = segmentsOf(operation.path)
  return segments.flatMap((segment, i) => {
    const id = segment.startsWith(':') ? (call.params as Record<string, unknown>)[segment.slice(1)] : null
    return isUuid(id) ? [{ id, word: segments[i - 1]! }] : []
  })
}

/**
 * A refusal because nothing has this id, with what the id is instead, if it is something of the same tenant that the caller may
 * read. An id of another tenant is not found, as everywhere.
 */
export async function withOtherKind(prepared: PreparedRequest, refusal: unknown): Promise<unknown> {
  const { context, principal, entry, actor } = prepared
  if (!(refusal instanceof ApiError) || refusal.code !== 'RES_001' || !context.kindOfId) return refusal
  for (const { id, word } of idsOf(prepared)) {
    const kind = await context.kindOfId(reader(context.pool, entry, principal.queueKey), id)
    if (!kind || segmentsOf(kind.path).some(segment => segment === word || segment === `${word}s`)) continue
    const read = context.operations.find(({ method, path }) => method === 'GET' && path === kind.path)
    if (!read?.scopes.every(scope => actor.scopes.includes(scope))) continue
    const sentence = `${refusal.message} This is the id of ${kind.what}; GET ${kind.path} reads it.`
    return new ApiError(refusal.code, sentence, refusal.extras)
  }
  return refusal
}
