import { reader } from '../db/reader.ts'
import { rangeWarnings } from '../list.ts'
import { type FileReply, fileTypeOf } from '../operation.ts'
import type { Page } from '../page.ts'
import { answerOf, type OperationResponse, type PreparedRequest } from './prepared-request.ts'

/** Runs a reading operation: no transaction is opened, and its statements are sent as they come. */
export async function runRead(prepared: PreparedRequest): Promise<OperationResponse> {
  const { context, operation, request, principal, entry, call } = prepared
  const tx = reader(context.pool, entry, principal.queueKey)
  if (operation.usesNow === true) await tx.offsetMs()
  const result = await operation.run!({
    ...call,
    tx,
    get now(): number {
      if (!operation.usesNow || tx.knownOffsetMs === null)
        throw new Error(`${operation.id} reads now without declaring usesNow, or before its first read`)
      return request.startedAt + tx.knownOffsetMs
    },
  })
  if (fileTypeOf(operation)) return { status: operation.status, body: '', file: result as FileReply }
  // The last cursor of a feed is for a later request, so it gets no link: a program that follows links would never stop.
  const page = operation.list ? (result as Page<unknown>) : null
  const hasNext = page !== null && !('hasNext' in page.pagination && !page.pagination.hasNext)
  const next = hasNext ? page.nextCursor : null
  const warnings = operation.list ? rangeWarnings((call.query ?? {}) as object) : []
  return { ...answerOf(prepared, result, warnings), ...(next && { link: nextLink(request.url, next) }) }
}

/** The Link header of the next page: the same query, with the cursor in place of the page number. */
function nextLink(url: string, cursor: string): string {
  const [path, query = ''] = url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.delete('page')
  parameters.set('cursor', cursor)
  return `<${path}?${parameters}>; rel="next"`
}
