import { setTimeout as pause } from 'node:timers/promises'

/** A customer of the API, and the URLs it may use. */
export interface Customer {
  apiUrls: readonly string[]
  apiKey: string
  lockRetryMs: number
}

/** One request and its outcome. */
export interface RequestOutcome<Data> {
  attempts: number
  askedAt: number
  /** Null: the customer gave up without an answer. */
  answeredAt: number | null
  data: Data | null
  /** A refusal that a retry would not change. */
  refusal: string | null
}

const requestMs = 10_000

/** The first attempt of every third request is aborted early: often the work is done and only the answer is lost. */
const timeoutOf = (hash: number, attempt: number) =>
  attempt === 0 && hash % 3 === 0 ? 3 + (hash % 50) : requestMs

/** Repeats the request with the same Idempotency-Key, at any API that is alive, until it is answered. */
export async function postUntilAnswered<Data>(
  { apiUrls, apiKey, lockRetryMs }: Customer,
  request: { key: string; path: string; body: unknown } | { key: string; path: string; file: Buffer },
): Promise<RequestOutcome<Data>> {
  const outcome: RequestOutcome<Data> = {
    attempts: 0,
    askedAt: Date.now(),
    answeredAt: null,
    data: null,
    refusal: null,
  }
  const isFile = 'file' in request
  const body = isFile ? request.file : JSON.stringify(request.body)
  const type = isFile ? 'application/octet-stream' : 'application/json'
  const hash = [...request.key].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
  const giveUpAt = performance.now() + lockRetryMs
  while (performance.now() < giveUpAt) {
    const url = apiUrls[(hash + outcome.attempts) % apiUrls.length]!
    const timeoutMs = timeoutOf(hash, outcome.attempts++)
    try {
      const response = await fetch(url + request.path, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': type, 'idempotency-key': request.key },
        body,
        signal: AbortSignal.timeout(timeoutMs),
      })
      const text = await response.text()
      if (response.ok) {
        outcome.answeredAt = Date.now()
        outcome.data = (JSON.parse(text) as { data: Data }).data
        return outcome
      }
      if (response.status < 500 && response.status !== 429 && response.status !== 423) {
        outcome.refusal = `${response.status} ${text.slice(0, 300)}`
        return outcome
      }
    } catch (error) {
      // fetch failed, was cut, or took too long: whether it was done is what the key is for.
      if (!(error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')))
        throw error
    }
    await pause(150 + 50 * Math.min(outcome.attempts, 10))
  }
  return outcome
}
