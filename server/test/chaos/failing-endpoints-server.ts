import { startReceiver } from '../harness/receiver.ts'
import type { ChaosInstallation } from './chaos-installation.ts'
import { call } from './deliveries-receivers.ts'

/** What an endpoint does with a request; all of them share one host and port, as in a cloud. */
type Behaviour = 'healthy' | 'hangs' | 'fails'

export interface EndpointServer {
  /** When an invoice's event arrived at the healthy endpoint. */
  arrivedAt: Map<string, number>
  /** Requests by behaviour. */
  requests: Record<Behaviour, number>
  /** Opens an endpoint with this API key. */
  open(behaviour: Behaviour, events: readonly string[], apiKey: string): Promise<string>
  /** Answers every hanging request. */
  releaseHanging(): void
  stop(): Promise<void>
}

export async function startEndpointServer(installation: ChaosInstallation): Promise<EndpointServer> {
  const arrivedAt = new Map<string, number>()
  const requests = { healthy: 0, hangs: 0, fails: 0 }
  let hanging = Promise.withResolvers<number>()
  const receiver = await startReceiver(({ path, body }) => {
    receiver.received.length = 0
    const behaviour = path.split('/').at(1) as Behaviour
    requests[behaviour]++
    if (behaviour === 'hangs') return hanging.promise
    if (behaviour === 'fails') return 500
    arrivedAt.set(JSON.parse(body).data.invoiceId, performance.now())
    return 200
  })
  const { origin } = new URL(receiver.url)
  let opened = 0
  return {
    arrivedAt,
    requests,
    async open(behaviour, events, apiKey) {
      const url = `${origin}/${behaviour}/${++opened}`
      return (await call<{ id: string }>(installation, 'POST', '/api/v1/webhooks', { url, events }, apiKey))
        .id
    },
    releaseHanging() {
      hanging.resolve(503)
      hanging = Promise.withResolvers()
    },
    stop: () => receiver.stop(),
  }
}
