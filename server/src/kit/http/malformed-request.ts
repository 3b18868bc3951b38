import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../errors.ts'
import { networkOf } from '../ip-block.ts'
import { failure, jsonHeaders, stampOf } from './envelope.ts'
import type { HttpContext } from './http-context.ts'

function refusalOf(code: string | undefined): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('VAL_004', 'The headers are larger than 16 kB; send fewer or shorter ones.', {
        status: 431,
      })
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('VAL_004', 'The request did not arrive in time; send it again.', { status: 408 })
    default:
      return new ApiError('VAL_004', 'This is not a valid HTTP request.')
  }
}

/** How long the client may take to read the answer. */
const closeMs = 2_000

/** Answers what Node could not read as HTTP. There is no request yet, so the answer is written by hand. */
export async function answerMalformed(
  { limiter, anonymousAllowance, docsUrl, clock, newId }: HttpContext,
  error: Error & { code?: string },
  socket: Socket & { _httpMessage?: { headersSent: boolean } | null },
): Promise<void> {
  // If an answer has begun, no other one can be sent.
  if (!socket.writable || socket._httpMessage?.headersSent || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const wall = clock.wall()
  const requestId = newId(wall)
  const refusal = refusalOf(error.code)
  const body = failure(refusal, docsUrl, stampOf(requestId, clock))
  const headers = {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    ...jsonHeaders,
    ...(await limiter.look(`address:${networkOf(socket.remoteAddress ?? '')}`, anonymousAllowance, wall)),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${head.join('')}\r\n${body}`)
  socket.resume()
  setTimeout(() => socket.destroy(), closeMs).unref()
}
