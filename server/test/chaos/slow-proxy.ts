import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A proxy that delays every answer of a server. On loopback a message is sent in a few milliseconds and hardly any kill happens
 * in the middle of one; through a slow proxy most do. Its lines can be cut: then nothing is forwarded, either way, and no
 * connection is closed, as when a host vanishes.
 */
export async function startSlowProxy(to: { host: string; port: number }, delayMs: () => number = () => 0) {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer(client => {
    const upstream = connect(to)
    const wait = delayMs()
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.once('close', () => sockets.delete(socket))
      if (isCut) socket.pause()
    }
    // A killed process resets its connection; the other side is closed too.
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
    client.on('data', chunk => upstream.write(chunk))
    client.on('end', () => upstream.end())
    upstream.on('data', chunk =>
      setTimeout(() => {
        if (client.writable) client.write(chunk)
      }, wait),
    )
    upstream.on('end', () => setTimeout(() => client.end(), wait))
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
