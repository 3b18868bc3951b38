import { startReceiver } from '../harness/receiver.ts'
import { call } from './deliveries-receivers.ts'
import type { Stage } from './stage.ts'

/** What an endpoint does with a request; all of them live at one host and port, as neighbours in a cloud do. */
type Manner = 'healthy' | 'hangs' | 'fails'

export interface Hospital {
  /** When an invoice's event came to the one that is well. */
  arrivedAt: Map<string, number>
  /** Requests by manner. */
  requests: Record<Manner, number>
  /** An endpoint of whoever has the key. */
  open(manner: Manner, events: readonly string[], apiKey: string): Promise<string>
  /** Gives up every request that hangs. */
  letGo(): void
  stop(): Promise<void>
}

export async function openHospital(stage: Stage): Promise<Hospital> {
  const arrivedAt = new Map<string, number>()
  const requests = { healthy: 0, hangs: 0, fails: 0 }
  let hanging = Promise.withResolvers<number>()
  const receiver = await startReceiver(({ path, body }) => {
    receiver.received.length = 0
    const manner = path.split('/').at(1) as Manner
    requests[manner]++
    if (manner === 'hangs') return hanging.promise
    if (manner === 'fails') return 500
    arrivedAt.set(JSON.parse(body).data.invoiceId, performance.now())
    return 200
  })
  const { origin } = new URL(receiver.url)
  let opened = 0
  return {
    arrivedAt,
    requests,
    async open(manner, events, apiKey) {
      const url = `${origin}/${manner}/${++opened}`
      return (await call<{ id: string }>(stage, 'POST', '/api/v1/webhooks', { url, events }, apiKey)).id
    },
    letGo() {
      hanging.resolve(503)
      hanging = Promise.withResolvers()
    },
    stop: () => receiver.stop(),
  }
}
