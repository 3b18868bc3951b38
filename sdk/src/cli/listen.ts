import {
  type EventsListQuery,
  type Relance,
  RelanceError,
  signTestDelivery,
  type WebhookEvent,
} from '../index.ts'
import { pause } from '../pause.ts'
import { webhookSecret } from './credentials.ts'
import { printable, UsageError } from './errors.ts'
import { note, print } from './output.ts'

const waitMaxMs = 10_000

/** A retry may help: there was no answer, or the server is starting or busy. */
const isPassing = ({ status }: RelanceError) =>
  status === 0 || status >= 500 || [408, 423, 429].includes(status)

export interface FollowOptions {
  types?: string | undefined
  /** `now`, `oldest`, a moment, or the cursor of an earlier run. */
  since: string
  signal: AbortSignal
  /** The wait after a page without more events. */
  pollMs?: number | undefined
  onTrouble?: ((error: RelanceError) => void) | undefined
  onBack?: (() => void) | undefined
}

/** Events in the order in which they became final, each with the cursor of its page. Resuming at the cursor misses no event. */
export async function* follow(
  relance: Relance,
  { types, since, signal, pollMs = 1_000, onTrouble, onBack }: FollowOptions,
): AsyncGenerator<{ event?: WebhookEvent; cursor: string | undefined }, void, undefined> {
  // Date.parse alone is not enough: it accepts many cursors as dates.
  const from = /^\d{4}-\d\d-\d\d/.test(since) ? Date.parse(since) : Number.NaN
  let cursor = since === 'now' || since === 'oldest' || !Number.isNaN(from) ? undefined : since
  const start: EventsListQuery['start'] = since === 'now' ? 'now' : 'oldest'
  for (let failures = 0; !signal.aborted; ) {
    try {
      const query: EventsListQuery = { types, ...(cursor === undefined ? { start } : { cursor }) }
      const page = await relance.events.list(query, { signal, maxRetries: 0 })
      if (failures > 0) onBack?.()
      failures = 0
      for (const event of page.data)
        if (Number.isNaN(from) || Date.parse(event.createdAt) >= from) yield { event, cursor }
      cursor = page.nextCursor ?? cursor
      yield { cursor }
      if (!page.pagination.hasNext) await pause(pollMs, signal)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof RelanceError) || !isPassing(error)) throw error
      if (failures === 0) onTrouble?.(error)
      const waitMs = Math.min(waitMaxMs, 250 * 2 ** failures++)
      await pause(Math.max(Math.min(error.retryAfterMs ?? 0, 60_000), waitMs), signal).catch(() => {})
    }
  }
}

/** Posts one event as a webhook. Retries until the receiver answers; any answer is final. */
async function deliver(
  url: string,
  secret: string,
  event: WebhookEvent,
  signal: AbortSignal,
): Promise<string> {
  for (let failures = 0; ; failures++) {
    const startedAt = performance.now()
    try {
      const { body, headers } = await signTestDelivery(secret, event)
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers: { ...headers, 'user-agent': 'Relance-Webhooks/cli' },
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
      })
      await response.arrayBuffer()
      return `${response.status} in ${Math.round(performance.now() - startedAt)} ms`
    } catch (error) {
      signal.throwIfAborted()
      const cause = (error as Error).cause as NodeJS.ErrnoException | undefined
      if (failures === 0)
        note(`${url} does not answer (${cause?.code ?? (error as Error).name}); trying again until it does`)
      await pause(Math.min(5_000, 250 * 2 ** failures), signal)
    }
  }
}

interface ListenOptions {
  forwardTo: string | undefined
  types: readonly string[] | undefined
  since: string
  secret: string | undefined
  isJson: boolean
  signal: AbortSignal
}

/** Prints every event as it happens, and hands it to a receiver as a webhook would. */
export async function listen(relance: Relance, options: ListenOptions): Promise<void> {
  const { forwardTo, types, since, isJson, signal } = options
  if (forwardTo !== undefined && !/^https?:\/\//.test(forwardTo))
    throw new UsageError(
      `--forward-to takes an address that begins with http://; it was ${JSON.stringify(forwardTo)}.`,
    )
  const secret = options.secret ?? process.env.WEBHOOK_SECRET ?? webhookSecret()
  if (!/^whsec_[\w+/]+=*$/.test(secret)) throw new UsageError('A webhook secret begins with whsec_.')
  let cursor: string | undefined
  let isReady = false
  try {
    const events = follow(relance, {
      types: types?.join(','),
      since,
      signal,
      onTrouble: error => note(`${printable(error.message)}; trying again, nothing is lost`),
      onBack: () => note('the server answers again'),
    })
    for await (const { event, cursor: next } of events) {
      cursor = next
      if (!isReady) {
        isReady = true
        note(
          forwardTo
            ? `Ready: events go to ${forwardTo}, signed with ${secret}`
            : 'Ready: events are shown as they happen',
        )
      }
      if (!event) continue
      const { invoiceNumber } = event.data as { invoiceNumber?: string }
      const answer = forwardTo ? `→ ${await deliver(forwardTo, secret, event, signal)}` : ''
      print(
        isJson
          ? JSON.stringify(event)
          : printable(
              [event.createdAt, event.event.padEnd(26), invoiceNumber ?? '', answer].join('  ').trimEnd(),
            ),
      )
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  if (cursor) note(`Go on later where this ended: relance listen --since ${cursor}`)
}
