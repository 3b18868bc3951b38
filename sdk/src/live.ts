import type { Call } from './call.ts'
import { RelanceError } from './error.ts'
import { eventsOf } from './events.ts'
import type { RequestOptions } from './options.ts'
import { pause } from './pause.ts'

/**
 * Resources that may have changed: refetch those on the screen. `company` means the settings of the company; `all` means
 * everything on the screen.
 */
export interface Hint {
  readonly kind: 'invoice' | 'debtor' | 'payment' | 'communication' | 'task' | 'company' | 'all'
  readonly ids: readonly string[]
}

export type LiveOptions = Pick<RequestOptions, 'companyId' | 'headers' | 'signal'>

/** The server sends data at least every ten seconds. */
const silenceMaxMs = 30_000
const waitMaxMs = 30_000

/** A retry would be refused again, for example after the end of the session. */
const isRefusal = (error: unknown): error is RelanceError =>
  error instanceof RelanceError &&
  error.status >= 400 &&
  error.status < 500 &&
  ![408, 423, 429].includes(error.status)

export async function* live(
  call: Call,
  { signal, ...options }: LiveOptions,
): AsyncGenerator<Hint, void, undefined> {
  let failures = 0
  for (let isFirst = true; ; isFirst = false) {
    let retryAfterMs: number | null = null
    let openedAt = Date.now()
    try {
      const response = await call.stream('GET', '/api/v1/live', { ...options, signal, maxRetries: 0 })
      openedAt = Date.now()
      // Hints were lost while there was no connection.
      if (!isFirst) yield { kind: 'all', ids: [] }
      for await (const { data } of eventsOf(response, signal, silenceMaxMs)) yield JSON.parse(data)
    } catch (error) {
      if (signal?.aborted) return
      if (isRefusal(error)) throw error
      if (error instanceof RelanceError) retryAfterMs = error.retryAfterMs
    }
    // Reconnects soon after a connection that was open for a while, else with exponential backoff. Jitter spreads the clients.
    failures = Date.now() - openedAt > silenceMaxMs ? 0 : failures + 1
    const waitMs = Math.min(waitMaxMs, 1_000 * 2 ** Math.max(0, failures - 1))
    try {
      await pause(Math.max(retryAfterMs ?? 0, waitMs) * (0.5 + Math.random() / 2), signal)
    } catch {
      return
    }
  }
}
