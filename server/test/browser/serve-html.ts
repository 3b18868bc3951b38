import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LocalServer {
  /** By the name a browser takes to be another site than localhost. */
  readonly elsewhere: string
  /** By the name of ours, on another port: another origin of the same site. */
  readonly nextDoor: string
  close(): Promise<void>
}

/** Serves whatever `answer` says, as HTML. */
export async function serveHtml(
  answer: (url: URL, request: IncomingMessage, reply: ServerResponse) => Promise<string> | string,
): Promise<LocalServer> {
  const server = createServer(async (request, reply) => {
    try {
      const text = await answer(new URL(request.url ?? '/', 'http://local'), request, reply)
      reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(text)
    } catch (error) {
      reply.writeHead(500).end(String(error))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    elsewhere: `http://127.0.0.1:${port}`,
    nextDoor: `http://localhost:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
