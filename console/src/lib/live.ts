import { type Hint, RelanceError } from '@relance/sdk'
import type { QueryKey } from '@tanstack/react-query'
import { endSession, type Place } from './api.ts'

/** Hints that arrive within this time are handled together. */
const gatherMs = 300
/** Almost every change concerns the day and the lists: they refetch at most once in this time. */
const overviewMs = 3_000

/** 'now' if a hint names the resource of the query; 'soon' for the day, the work and the lists, which any hint may concern. */
export const isConcerned = (key: QueryKey, hints: readonly Hint[]): 'now' | 'soon' | null => {
  const [kind, id] = key
  if (kind === 'me' || kind === 'search' || hints.length === 0) return null
  if (hints.some(hint => hint.kind === 'all')) return 'now'
  if (kind === 'company' || kind === 'clock') return hints.some(hint => hint.kind === kind) ? 'now' : null
  if (hints.some(hint => hint.kind === kind && hint.ids.includes(String(id)))) return 'now'
  return kind === 'today' || kind === 'work' || id === 'list' ? 'soon' : null
}

/** Refetches visible queries that may have changed; hidden ones refetch when they are shown again. */
function refetcher({ queries }: Pick<Place, 'queries'>) {
  let gathered: Hint[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let overviewTimer: ReturnType<typeof setTimeout> | undefined
  let overviewAt = 0
  const refetch = (urgency: 'now' | 'soon', hints: readonly Hint[]) =>
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => isConcerned(queryKey, hints) === urgency,
      // A hidden window refetches when it becomes visible.
      refetchType: document.hidden ? 'none' : 'active',
    })
  const flush = () => {
    const hints = gathered
    gathered = []
    timer = undefined
    refetch('now', hints)
    overviewTimer ??= setTimeout(
      () => {
        overviewTimer = undefined
        overviewAt = Date.now()
        refetch('soon', hints)
      },
      Math.max(0, overviewAt + overviewMs - Date.now()),
    )
  }
  return {
    add(hint: Hint) {
      gathered.push(hint)
      timer ??= setTimeout(flush, gatherMs)
    },
    stop() {
      clearTimeout(timer)
      clearTimeout(overviewTimer)
    },
  }
}

/**
 * Keeps the screens of a place up to date by hints. One window of this browser opens the stream and forwards the hints to the
 * others, because browsers limit connections to six per host. When that window closes, another one takes over.
 */
export function followLive(place: Place): () => void {
  const name = `relance.live ${place.company} ${place.environment}`
  const ending = new AbortController()
  const channel = new BroadcastChannel(name)
  const { add, stop } = refetcher(place)
  channel.onmessage = ({ data }: MessageEvent<Hint>) => add(data)
  const lead = async () => {
    for await (const hint of (await place.client()).live({ signal: ending.signal })) {
      add(hint)
      channel.postMessage(hint)
    }
    return true
  }
  const leadInTurn = async () => {
    const { locks } = navigator
    const wasFree = await locks.request(name, { ifAvailable: true }, lock => (lock ? lead() : false))
    if (wasFree) return
    await locks.request(name, { signal: ending.signal }, () => {
      // No window received the changes between the two streams.
      add({ kind: 'all', ids: [] })
      return lead()
    })
  }
  leadInTurn().catch((error: unknown) => {
    if (error instanceof RelanceError && error.status === 401) endSession()
  })
  return () => {
    ending.abort()
    channel.close()
    stop()
  }
}
