import { connect } from 'node:net'

export interface RawAnswer {
  /** Null: the connection was closed without an answer. */
  status: number | null
  text: string
}

/** Sends bytes as they are, without a client that corrects them, and reads the first answer. */
export function sendRaw(
  baseUrl: string,
  parts: readonly (string | Buffer)[],
  { endAfter = false, timeoutMs = 30_000 } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    const chunks: Buffer[] = []
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`no answer within ${timeoutMs} ms`))
    }, timeoutMs)
    const settle = () => {
      clearTimeout(timer)
      const text = Buffer.concat(chunks).toString('latin1')
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]
      socket.destroy()
      resolve({ status: status === undefined ? null : Number(status), text })
    }
    socket.on('data', chunk => {
      chunks.push(chunk)
      const [head, body] = Buffer.concat(chunks).toString('latin1').split('\r\n\r\n', 2)
      const length = /^content-length: (\d+)$/im.exec(head!)?.[1]
      if (body !== undefined && (length === undefined || body.length >= Number(length))) settle()
    })
    // The server may refuse to read on; what it answered before counts.
    socket.on('error', () => {})
    socket.on('close', settle)
    for (const part of parts) socket.write(part)
    if (endAfter) socket.end()
  })
}

/** The head of a request with a body. */
export const headOf = (method: string, path: string, headers: Record<string, string | number>): string =>
  `${method} ${path} HTTP/1.1\r\n${Object.entries({ host: 'relance.example', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`
