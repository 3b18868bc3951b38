import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * What a provider does to everybody. `away`: nobody listens. `throttled`, `unpaid`: it refuses every message. `hanging`: it
 * answers nothing; every second message arrives all the same.
 */
export type Weather = 'calm' | 'away' | 'throttled' | 'unpaid' | 'hanging'

export type WeatherProxy = Awaited<ReturnType<typeof startWeatherProxy>>

/** A proxy in front of a provider's stand-in, which makes the weather. */
export async function startWeatherProxy(target: string) {
  const { hostname, port: targetPort } = new URL(target)
  let weather: Weather = 'calm'
  let messages = 0

  async function ask(incoming: IncomingMessage, body: Buffer): Promise<[IncomingMessage, Buffer]> {
    const { method, url: path, headers } = incoming
    const upstream = request({ hostname, port: targetPort, method, path, headers })
    upstream.end(body)
    const [reply] = (await once(upstream, 'response')) as [IncomingMessage]
    return [reply, Buffer.concat(await reply.toArray())]
  }

  async function forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = Buffer.concat(await incoming.toArray())
    if (weather === 'throttled' || weather === 'unpaid') {
      const status = weather === 'throttled' ? 429 : 402
      answer.writeHead(status, { 'content-type': 'application/json' }).end('{"code":"not_now"}')
      return
    }
    if (weather === 'hanging') {
      if (incoming.method === 'POST' && messages++ % 2 === 0) await ask(incoming, body)
      return
    }
    const [reply, text] = await ask(incoming, body)
    if (!answer.destroyed) answer.writeHead(reply.statusCode ?? 502, reply.headers).end(text)
  }

  const server = createServer((incoming, answer) => {
    forward(incoming, answer).catch(() => answer.destroy())
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const close = async () => {
    server.closeAllConnections()
    if (server.listening) await new Promise(resolve => server.close(resolve))
  }
  const port = await listen(0)
  return {
    url: `http://127.0.0.1:${port}`,
    async setWeather(next: Weather): Promise<void> {
      // Whoever was left hanging is hung up on.
      server.closeAllConnections()
      weather = next
      if (next === 'away') await close()
      else if (!server.listening) await listen(port)
    },
    stop: close,
  }
}
