import { setTimeout as pause } from 'node:timers/promises'

/** Somebody who calls the API, and where it may be reached. */
export interface Customer {
  apiUrls: readonly string[]
  apiKey: string
  patienceMs: number
}

/** One wish, and what was told. */
export interface Told<Data> {
  attempts: number
  askedAt: number
  /** Null: the customer gave up, and what became of it nobody told. */
  answeredAt: number | null
  data: Data | null
  /** An answer that no patience would change. */
  refusal: string | null
}

const requestMs = 10_000

/** Of every third wish the first attempt is cut off, sooner or later: often it is done by then and only the answer is lost. */
const lineHoldsMs = (turn: number, attempt: number) =>
  attempt === 0 && turn % 3 === 0 ? 3 + (turn % 50) : requestMs

/** What a careful customer does: the same Idempotency-Key until there is an answer, at whichever API is alive. */
export async function insist<Data>(
  { apiUrls, apiKey, patienceMs }: Customer,
  wish: { key: string; path: string; body: unknown },
): Promise<Told<Data>> {
  const told: Told<Data> = {
    attempts: 0,
    askedAt: Date.now(),
    answeredAt: null,
    data: null,
    refusal: null,
  }
  const body = JSON.stringify(wish.body)
  const turn = [...wish.key].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
  const giveUpAt = performance.now() + patienceMs
  while (performance.now() < giveUpAt) {
    const url = apiUrls[(turn + told.attempts) % apiUrls.length]!
    const holdsMs = lineHoldsMs(turn, told.attempts++)
    try {
      const response = await fetch(url + wish.path, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': wish.key },
        body,
        signal: AbortSignal.timeout(holdsMs),
      })
      const text = await response.text()
      if (response.ok) {
        told.answeredAt = Date.now()
        told.data = (JSON.parse(text) as { data: Data }).data
        return told
      }
      if (response.status < 500 && response.status !== 429 && response.status !== 423) {
        told.refusal = `${response.status} ${text.slice(0, 300)}`
        return told
      }
    } catch (error) {
      // fetch failed, was cut, or took too long: whether it was done is what the key is for.
      if (!(error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')))
        throw error
    }
    await pause(150 + 50 * Math.min(told.attempts, 10))
  }
  return told
}
