import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * A proxy to a provider that delays every request and every answer: most kills then happen while some requests have not
 * arrived and some answers are lost. A request that arrived is carried out, even if its sender is dead.
 */
export async function startSlowHttpProxy(target: string, delayMs: () => number) {
  const { hostname, port } = new URL(target)
  let inFlight = 0

  async function forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = Buffer.concat(await incoming.toArray())
    await pause(delayMs())
    const upstream = request({
      hostname,
      port,
      method: incoming.method,
      path: incoming.url,
      headers: incoming.headers,
    })
    upstream.end(body)
    const [reply] = (await once(upstream, 'response')) as [IncomingMessage]
    const text = Buffer.concat(await reply.toArray())
    await pause(delayMs())
    if (answer.destroyed) return
    answer.writeHead(reply.statusCode ?? 502, reply.headers).end(text)
  }

  const server = createServer((incoming, answer) => {
    inFlight++
    forward(incoming, answer)
      .catch(() => answer.destroy())
      .finally(() => inFlight--)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    inFlight: () => inFlight,
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
