/** `unreachable`: no connection was made, so provably not sent. `timeout` and `interrupted`: perhaps received. */
export class EgressFailed extends Error {
  readonly because: 'unreachable' | 'timeout' | 'interrupted'
  readonly code: string
  constructor(because: EgressFailed['because'], cause: unknown) {
    const code = (cause as { code?: unknown } | undefined)?.code
    const known = typeof code === 'string' ? code : because.toUpperCase()
    super(`request failed: ${because} (${known})`, { cause })
    this.name = 'EgressFailed'
    this.because = because
    this.code = known
  }
}

export interface EgressReply {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  /** The reply was longer than `maxResponseBytes` and the rest was not read. */
  truncated: boolean
}
export async function readUpTo(
  limit: number,
  stream: AsyncIterable<Buffer>,
): Promise<Pick<EgressReply, 'body' | 'truncated'>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    // Leaving the loop destroys the stream, and the connection with it.
    if (size > limit) break
  }
  return { body: Buffer.concat(chunks).subarray(0, limit), truncated: size > limit }
}

export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  const expiry = Promise.withResolvers<never>()
  const timer = setTimeout(() => expiry.reject(new EgressFailed('timeout', undefined)), ms)
  return Promise.race([work, expiry.promise]).finally(() => clearTimeout(timer))
}
