import { createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { createEndpointHandler, type ServiceDefinition } from '@restatedev/restate-sdk'
import type { Log } from '../log.ts'

export interface EndpointOptions {
  services: ServiceDefinition<string, unknown>[]
  /** The engine's public key: calls that it did not sign are refused. */
  engineIdentity: string
  host: string
  port: number
  log: Log
}

/** Where the engine brings work to. */
export async function startEndpoint(
  options: EndpointOptions,
): Promise<{ uri: string; stop(): Promise<void> }> {
  const server = createServer(
    createEndpointHandler({
      services: options.services,
      identityKeys: [options.engineIdentity],
      logger: (meta, ...words) => {
        if (meta.level === 'warn' || meta.level === 'error')
          options.log.warn({ invocation: meta.context?.invocationId, words: words.map(String) }, 'engine')
      },
    }),
  )
  // Several workers of one machine share the address; elsewhere a load balancer stands before them.
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: options.port, host: options.host, reusePort: true }, resolve)
  })
  const sessions = new Set<{ close(): void; destroy(): void }>()
  server.on('session', session => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
  })
  const { port } = server.address() as AddressInfo
  return {
    uri: `http://${options.host}:${port}`,
    async stop() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      for (const session of sessions) session.close()
      // What is still running after this is run again elsewhere.
      const impatient = setTimeout(() => {
        for (const session of sessions) session.destroy()
      }, 5_000)
      await closed
      clearTimeout(impatient)
    },
  }
}
