import { type Hint, RelanceError } from '@relance/sdk'
import type { QueryKey } from '@tanstack/react-query'
import { endSession, type Place } from './api.ts'

/** What comes together is fetched once. */
const gatherMs = 300
/** The day and the lists change with almost everything: not more often than this. */
const overviewMs = 3_000

/** Whether it is one thing that a hint names; else it shows many, and any hint may concern it. */
export const isConcerned = (key: QueryKey, hints: readonly Hint[]): 'now' | 'soon' | null => {
  const [kind, id] = key
  if (kind === 'me' || kind === 'search' || hints.length === 0) return null
  if (hints.some(hint => hint.kind === 'all')) return 'now'
  if (kind === 'company' || kind === 'clock') return hints.some(hint => hint.kind === kind) ? 'now' : null
  if (hints.some(hint => hint.kind === kind && hint.ids.includes(String(id)))) return 'now'
  return kind === 'today' || id === 'list' ? 'soon' : null
}

/** Fetches again what is shown and may have changed; what is not shown is fetched when it is shown again. */
function refetcher({ queries }: Pick<Place, 'queries'>) {
  let gathered: Hint[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let overviewTimer: ReturnType<typeof setTimeout> | undefined
  let overviewAt = 0
  const refetch = (urgency: 'now' | 'soon', hints: readonly Hint[]) =>
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => isConcerned(queryKey, hints) === urgency,
      // A window that nobody sees waits until somebody does.
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
 * Keeps what is shown of a place up to date, by hints. Of all windows of this browser one opens the line and tells the others:
 * browsers open six connections to a host and no more. When it is closed another takes over.
 */
export function followLive(place: Place): () => void {
  const name = `relance.live ${place.company} ${place.environment}`
  const ending = new AbortController()
  const channel = new BroadcastChannel(name)
  const { add, stop } = refetcher(place)
  channel.onmessage = ({ data }: MessageEvent<Hint>) => add(data)
  const lead = async () => {
    for await (const hint of place.api.live({ signal: ending.signal })) {
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
      // What happened between the line of another window and this one was told to nobody.
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
