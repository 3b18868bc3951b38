import { once } from 'node:events'
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * The way to a provider, on which every request and every answer takes its time: most kills then meet some that have not
 * arrived yet and some that have, and whose answer nobody hears any more. What was asked is done, whoever asked.
 */
export async function startSlowDoor(target: string, delayMs: () => number) {
  const { hostname, port } = new URL(target)
  let inFlight = 0

  async function carry(near: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = Buffer.concat(await near.toArray())
    await pause(delayMs())
    const far = ask({ hostname, port, method: near.method, path: near.url, headers: near.headers })
    far.end(body)
    const [reply] = (await once(far, 'response')) as [IncomingMessage]
    const text = Buffer.concat(await reply.toArray())
    await pause(delayMs())
    if (answer.destroyed) return
    answer.writeHead(reply.statusCode ?? 502, reply.headers).end(text)
  }

  const server = createServer((near, answer) => {
    inFlight++
    carry(near, answer)
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
