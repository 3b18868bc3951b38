import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface ReceivedEvent {
  id: string
  event: string
  createdAt: string
  environment: string
  sequence: number
  data: Record<string, unknown>
}

/** `cut`: it hangs up without a word. */
type Verdict = number | 'cut'
type Status = number | ((received: Received) => Verdict | Promise<Verdict>)

export interface Receiver {
  url: string
  received: Received[]
  /** What it answers: a status, or what it thinks of a request. */
  status: Status
  /** What it was told, in the order in which it arrived. */
  events(): ReceivedEvent[]
  stop(): Promise<void>
}

/** Somebody's endpoint on loopback: a real server that keeps whatever it is sent. */
export async function startReceiver(status: Status = 200, receiver = {} as Receiver): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const parts = await (request.toArray() as Promise<Buffer[]>).catch(() => null)
    // Whoever died in the middle of a sentence has said nothing.
    if (parts === null) return
    const { url: path = '', headers } = request
    const received = { path, headers, body: Buffer.concat(parts).toString('utf8') }
    receiver.received.push(received)
    const answer = receiver.status
    const verdict = typeof answer === 'number' ? answer : await answer(received)
    if (verdict === 'cut') request.socket.destroy()
    else response.writeHead(verdict).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // It never keeps a process from ending.
  server.unref()
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/relance`,
    received: [],
    status,
    events: () => receiver.received.map(({ body }) => JSON.parse(body) as ReceivedEvent),
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  } satisfies Receiver)
}
