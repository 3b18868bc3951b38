import { Readable } from 'node:stream'
import type { OperatorClient } from '../../kit/egress/egress.ts'

const replyBytesMax = 8 << 20

/** Limits the size of a reply. */
async function* bounded(body: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > replyBytesMax) throw new Error('the reply of the model is too long')
    yield chunk
  }
}

/** A `fetch` for the model library that uses our own HTTP client: it reaches only URLs below the base URL. */
export function fetchThrough(client: OperatorClient, baseUrl: string): typeof fetch {
  const base = baseUrl.replace(/(?<!\/)\/+$/, '')
  return async (input, init = {}) => {
    const url = String(input)
    if (!url.startsWith(`${base}/`)) throw new Error('requests to the model may only go to its own address')
    if (typeof init.body !== 'string') throw new Error('the body of a request to the model must be text')
    const reply = await client.open({
      method: 'POST',
      path: url.slice(base.length),
      headers: Object.fromEntries(new Headers(init.headers)),
      body: init.body,
      signal: init.signal ?? AbortSignal.timeout(60_000),
    })
    const headers = new Headers()
    for (const [name, value] of Object.entries(reply.headers))
      if (value !== undefined) headers.set(name, String(value))
    return new Response(Readable.toWeb(Readable.from(bounded(reply.body))) as ReadableStream, {
      status: reply.status,
      headers,
    })
  }
}
