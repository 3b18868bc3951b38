import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A line to the database that can be cut. */
export async function cutLine(databaseUrl: string): Promise<{
  url: string
  cut(): void
  mend(): void
  stop(): Promise<void>
}> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer(near => {
    if (isCut) return void near.destroy()
    const far = connect(Number(target.port || 5432), target.hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
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
    cut() {
      isCut = true
      drop()
    },
    mend() {
      isCut = false
    },
    async stop() {
      drop()
      server.close()
      await once(server, 'close')
    },
  }
}
