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

/** `cut`: it closes the connection without an answer. */
type ReceiverReply = number | 'cut'
type Status = number | ((received: Received) => ReceiverReply | Promise<ReceiverReply>)

export interface Receiver {
  url: string
  received: Received[]
  /** The status it answers with, or a function of the request. */
  status: Status
  /** The events received, in order of arrival. */
  events(): ReceivedEvent[]
  stop(): Promise<void>
}

/** A webhook receiver on loopback: a real server that stores every request. */
export async function startReceiver(status: Status = 200, receiver = {} as Receiver): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const parts = await (request.toArray() as Promise<Buffer[]>).catch(() => null)
    // A request that broke off is ignored.
    if (parts === null) return
    const { url: path = '', headers } = request
    const received = { path, headers, body: Buffer.concat(parts).toString('utf8') }
    receiver.received.push(received)
    const configured = receiver.status
    const reply = typeof configured === 'number' ? configured : await configured(received)
    if (reply === 'cut') request.socket.destroy()
    else response.writeHead(reply).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // It does not keep the process alive.
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
