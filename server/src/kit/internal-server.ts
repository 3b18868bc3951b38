import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import { type Clock, iso } from './clock.ts'
import type { ProcessHealth } from './process-health.ts'
import { version } from './version.ts'

interface Internals {
  registry: Registry
  health: ProcessHealth
  clock: Clock
  host: string
  port: number
}

/** Serves the metrics, liveness and readiness of a process to its operator, on a separate port. */
export async function serveInternals({ registry, health, clock, host, port }: Internals): Promise<Server> {
  const showMetrics = async (response: ServerResponse) => {
    const text = await registry.metrics()
    response.writeHead(200, { 'content-type': registry.contentType }).end(text)
  }
  const showHealth = async (response: ServerResponse, fault: Promise<string | null>) => {
    const reason = await fault
    const body = { status: reason === null ? 'ok' : 'unavailable', version, timestamp: iso(clock.wall()) }
    response
      .writeHead(reason === null ? 200 : 503, { 'content-type': 'application/json' })
      .end(JSON.stringify(reason === null ? body : { ...body, reason }))
  }
  const answers: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/metrics': showMetrics,
    '/health': response => showHealth(response, health.live()),
    '/health/ready': response => showHealth(response, health.ready()),
  }
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? '']
    if (!answer) return void response.writeHead(404).end()
    answer(response).catch(() => response.writeHead(500).end())
  })
  await new Promise<void>(resolve => server.listen(port, host, resolve))
  return server
}
