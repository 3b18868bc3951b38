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

/** The HTTP/2 endpoint that the engine calls to run tasks. */
export async function startEndpoint(
  options: EndpointOptions,
): Promise<{ uri: string; stop(): Promise<void> }> {
  const server = createServer(
    createEndpointHandler({
      services: options.services,
      identityKeys: [options.engineIdentity],
      logger: (meta, ...parts) => {
        if (meta.level === 'warn' || meta.level === 'error')
          options.log.warn(
            { invocation: meta.context?.invocationId, parts: parts.map(String) },
            'message from the engine SDK',
          )
      },
    }),
  )
  // Several workers of one machine share the port; across machines a load balancer distributes the calls.
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
      // Chunks that are still running after this timeout are retried on another worker.
      const killTimer = setTimeout(() => {
        for (const session of sessions) session.destroy()
      }, 5_000)
      await closed
      clearTimeout(killTimer)
    },
  }
}
