import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A proxy to the mail server that delays every answer. On loopback a message is sent in a few milliseconds and hardly any
 * kill happens in the middle of one; through a slow proxy most do.
 */
export async function startSlowSmtpProxy(to: { host: string; port: number }, delayMs: () => number) {
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const upstream = connect(to)
    const wait = delayMs()
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.once('close', () => sockets.delete(socket))
    }
    // A killed process resets its connection; the other side is closed too.
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
    client.pipe(upstream)
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
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
