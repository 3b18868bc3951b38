import { Readable } from 'node:stream'
import type { OperatorClient } from '../../kit/egress/egress.ts'

const longestReply = 8 << 20

/** No more than anybody has to say: a reply without an end is cut. */
async function* bounded(body: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > longestReply) throw new Error('the reply is too long')
    yield chunk
  }
}

/** `fetch` for a library, by our own client: it reaches what stands below the base, and nothing else. */
export function fetchThrough(client: OperatorClient, baseUrl: string): typeof fetch {
  const base = baseUrl.replace(/\/+$/, '')
  return async (input, init = {}) => {
    const url = String(input)
    if (!url.startsWith(`${base}/`)) throw new Error('the model may be asked at its own address only')
    if (typeof init.body !== 'string') throw new Error('a question to the model is text')
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
