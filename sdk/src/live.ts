import type { Call } from './call.ts'
import { RelanceError } from './error.ts'
import { eventsOf } from './events.ts'
import type { RequestOptions } from './options.ts'
import { pause } from './pause.ts'

/**
 * What may have changed: fetch again what is shown of it. `company` is whatever is set up for the company; `all` is everything
 * that is shown.
 */
export interface Hint {
  readonly kind: 'invoice' | 'debtor' | 'payment' | 'communication' | 'task' | 'company' | 'all'
  readonly ids: readonly string[]
}

export type LiveOptions = Pick<RequestOptions, 'companyId' | 'headers' | 'signal'>

/** The server says something every ten seconds. */
const silenceMaxMs = 30_000
const waitMaxMs = 30_000

/** Asking again would be refused again, as after the end of the session. */
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
      // What happened while there was no line was told to nobody.
      if (!isFirst) yield { kind: 'all', ids: [] }
      for await (const { data } of eventsOf(response, signal, silenceMaxMs)) yield JSON.parse(data)
    } catch (error) {
      if (signal?.aborted) return
      if (isRefusal(error)) throw error
      if (error instanceof RelanceError) retryAfterMs = error.retryAfterMs
    }
    // A line that was open for a while is opened again soon; else longer with every attempt. Not everybody is back at once.
    failures = Date.now() - openedAt > silenceMaxMs ? 0 : failures + 1
    const waitMs = Math.min(waitMaxMs, 1_000 * 2 ** Math.max(0, failures - 1))
    try {
      await pause(Math.max(retryAfterMs ?? 0, waitMs) * (0.5 + Math.random() / 2), signal)
    } catch {
      return
    }
  }
}
