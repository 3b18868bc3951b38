import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy to the database that can be disconnected. */
export async function breakableProxy(databaseUrl: string): Promise<{
  url: string
  disconnect(): void
  reconnect(): void
  stop(): Promise<void>
}> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isDisconnected = false
  const server = createServer(client => {
    if (isDisconnected) return void client.destroy()
    const upstream = connect(Number(target.port || 5432), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const here = new URL(databaseUrl)
  here.hostname = '127.0.0.1'
  here.port = String((server.address() as AddressInfo).port)
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: here.href,
    disconnect() {
      isDisconnected = true
      drop()
    },
    reconnect() {
      isDisconnected = false
    },
    async stop() {
      drop()
      server.close()
      await once(server, 'close')
    },
  }
}
