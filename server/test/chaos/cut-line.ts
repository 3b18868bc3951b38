import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A line to a server that can be cut: then nothing is forwarded, either way, and no connection is closed, as when a host vanishes. */
export async function startCutLine(to: { host: string; port: number }) {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer(client => {
    const upstream = connect(to)
    const forward = (from: Socket, target: Socket) => {
      sockets.add(from)
      from.setNoDelay(true)
      from.on('error', () => target.destroy())
      from.once('close', () => {
        sockets.delete(from)
        if (!isCut) target.destroy()
      })
      from.on('data', chunk => target.write(chunk))
      if (isCut) from.pause()
    }
    forward(client, upstream)
    forward(upstream, client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true
      for (const socket of sockets) socket.pause()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
