import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

export interface Target {
  name: string
  url: string
}

/** A request that an api did not answer, or answered with 5xx. */
interface Fault {
  target: string
  request: string
  seen: string
}

/** A balancer as an operator puts in front of the apis. It repeats nothing, so that it sees whatever a client would see. */
export async function startBalancer() {
  const agents = new Map<string, Agent>()
  let rotation: readonly Target[] = []
  let next = 0
  const answered = new Map<string, number>()
  const statuses = new Map<number, number>()
  const tookMs: number[] = []
  const faults: Fault[] = []
  const count = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1)

  function forward(incoming: IncomingMessage, answer: ServerResponse): void {
    const target = rotation[next++ % rotation.length]
    const startedAt = performance.now()
    const blame = (seen: string) => {
      faults.push({ target: target?.name ?? 'nobody', request: `${incoming.method} ${incoming.url}`, seen })
    }
    if (!target) {
      blame('no api in rotation')
      return void answer.writeHead(502).end()
    }
    const upstream = request(target.url + incoming.url, {
      agent: agents.get(target.name),
      method: incoming.method,
      headers: incoming.headers,
    })
    // A client that hangs up has no answer to expect.
    let hasClient = true
    answer.once('close', () => {
      if (answer.writableFinished) return
      hasClient = false
      upstream.destroy()
    })
    upstream.once('error', error => {
      if (!hasClient) return
      blame(error.message)
      if (answer.headersSent) answer.destroy()
      else answer.writeHead(502).end()
    })
    upstream.once('response', reply => {
      const status = reply.statusCode!
      if (status >= 500) blame(String(status))
      const { connection: _, 'keep-alive': __, ...headers } = reply.headers
      answer.writeHead(status, headers)
      reply.once('error', error => {
        if (hasClient) blame(`cut off: ${error.message}`)
      })
      pipeline(reply, answer, error => {
        if (error) return
        count(answered, target.name)
        count(statuses, status)
        tookMs.push(performance.now() - startedAt)
      })
    })
    incoming.pipe(upstream)
  }

  const server = createServer(forward)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    tookMs,
    add(target: Target): void {
      agents.set(target.name, new Agent({ keepAlive: true }))
      rotation = [...rotation, target]
    },
    /** What it has under way is answered; nothing new is given to it. Idle connections to it stay open unless they are to be let go. */
    remove(name: string, { letsGo }: { letsGo: boolean }): void {
      rotation = rotation.filter(target => target.name !== name)
      const agent = agents.get(name)
      if (!letsGo || !agent) return
      agent.maxFreeSockets = 0
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy()
    },
    answeredBy: (name: string): number => answered.get(name) ?? 0,
    statuses: () => Object.fromEntries([...statuses].sort(([a], [b]) => a - b)),
    async stop() {
      server.closeAllConnections()
      for (const agent of agents.values()) agent.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

export type Balancer = Awaited<ReturnType<typeof startBalancer>>
