import { once } from 'node:events'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy that takes the whole answer of the server, and then hangs up instead of passing it on, as often as it was told. */
export async function startCuttingProxy(target: string) {
  let cutsLeft = 0
  const statuses: number[] = []
  const server = createServer((incoming, reply) => {
    const upstream = forward(
      new URL(incoming.url!, target),
      { method: incoming.method!, headers: incoming.headers },
      async answer => {
        const chunks: Buffer[] = []
        for await (const chunk of answer) chunks.push(chunk as Buffer)
        statuses.push(answer.statusCode!)
        if (cutsLeft > 0) {
          cutsLeft--
          incoming.socket.destroy()
        } else reply.writeHead(answer.statusCode!, answer.headers).end(Buffer.concat(chunks))
      },
    )
    upstream.on('error', () => incoming.socket.destroy())
    incoming.pipe(upstream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What the server had answered, whether it arrived or not. */
    statuses,
    cutNext(answers: number) {
      cutsLeft = answers
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
