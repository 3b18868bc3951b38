import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** `stall`: connections stay open, and nothing arrives any more. `refuse`: each new connection is closed at once. */
type Mode = 'forward' | 'stall' | 'refuse'

/** A proxy to PostgreSQL that can misbehave. */
export async function startDatabaseProxy(databaseUrl: string, firstMode: Mode = 'forward') {
  let target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let mode = firstMode
  let connections = 0
  const server = createServer(client => {
    connections++
    if (mode === 'refuse') return void client.destroy()
    const upstream = connect({ host: target.hostname, port: Number(target.port || 5432) })
    const forward = (from: Socket, to: Socket) => {
      sockets.add(from)
      from.on('data', chunk => {
        if (mode !== 'stall') to.write(chunk)
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    forward(client, upstream)
    forward(upstream, client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = (server.address() as AddressInfo).port
  return {
    /** An address of the database, by way of this proxy. */
    through(url: string): string {
      const changed = new URL(url)
      changed.hostname = '127.0.0.1'
      changed.port = String(own)
      return changed.href
    },
    /** New connections go to another server. */
    moveTo(url: string) {
      target = new URL(url)
    },
    set(next: Mode) {
      mode = next
    },
    connections: () => connections,
    /** Closes what is open, as a server that is killed. */
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
