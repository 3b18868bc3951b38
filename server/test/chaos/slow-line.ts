import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A line to the mail server on which every answer takes its time. On loopback a message is gone in a few milliseconds and
 * hardly any kill meets one half sent; over a slow line most do.
 */
export async function startSlowLine(to: { host: string; port: number }, delayMs: () => number) {
  const sockets = new Set<Socket>()
  const server = createServer(near => {
    const far = connect(to)
    const wait = delayMs()
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.once('close', () => sockets.delete(socket))
    }
    // Whoever is killed resets its connection; the other side learns of it, nobody else does.
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
    near.pipe(far)
    far.on('data', chunk =>
      setTimeout(() => {
        if (near.writable) near.write(chunk)
      }, wait),
    )
    far.on('end', () => setTimeout(() => near.end(), wait))
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
