import type { Hold, Invoice } from '@relance/sdk'
import type { QueryClient } from '@tanstack/react-query'
import { names } from '../../lib/names.ts'
import { isShown, replaceToast, showToast } from '../../ui/toast.tsx'
import { type Act, type Deed, type Effect, nameOfAct } from './acts.ts'
import { refusalOf } from './refusal.tsx'
import { words } from './words.ts'

/** A stop as it will be answered, so that the screen need not wait for it. Answers the way back. */
function showStop(queries: QueryClient, { subject }: Deed): () => void {
  const filter = { queryKey: [subject.kind, subject.id] }
  const before = queries.getQueriesData(filter)
  queries.setQueriesData(filter, (data: unknown) => {
    if (typeof data !== 'object' || data === null) return data
    if ('recovery' in data) {
      const { recovery } = data as Invoice
      if (!recovery) return data
      const holds: Hold[] = [...recovery.holds, 'asked']
      return { ...data, recovery: { ...recovery, status: 'paused', holds, nextActionAt: null } }
    }
    if ('pause' in data) return { ...data, pause: { since: new Date().toISOString(), until: null } }
    return data
  })
  return () => {
    for (const [key, data] of before) queries.setQueryData(key, data)
  }
}

/** An act changes its invoice, its debtor and the day; what is shown of them is read anew. */
const refresh = (queries: QueryClient) =>
  Promise.all(['invoice', 'debtor', 'today'].map(kind => queries.invalidateQueries({ queryKey: [kind] })))

const inFlightText = ({ inFlight = [] }: Effect, { language }: Deed): string[] => {
  const { channels, steps } = names[language]
  const list = inFlight.map(({ action, channel }) => `${steps[action]} (${channels[channel]})`)
  return list.length === 0 ? [] : [words[language].inFlight(list.join(', '))]
}

/** Does it, says so, and offers the way back where there is one. */
export async function performAct(act: Act, deed: Deed, queries: QueryClient): Promise<void> {
  const effect = await act.perform(deed)
  announce(act, deed, effect, queries)
  void refresh(queries)
}

/** Shows a stop at once, and does it meanwhile. What is refused is shown as it was, and the refusal with it. */
export async function performStop(act: Act, deed: Deed, queries: QueryClient): Promise<void> {
  await queries.cancelQueries({ queryKey: [deed.subject.kind, deed.subject.id] })
  const takeBack = showStop(queries, deed)
  const answer = act.perform(deed)
  // Who undoes it at once need not wait; the opposite does, until the stop is done.
  const undoSoon = () => void answer.then(effect => undo(act, deed, effect, queries)).catch(() => {})
  const shown = showToast({ text: words[deed.language].acts[act.key].done, undo: act.inverse && undoSoon })
  try {
    const effect = await answer
    if (isShown(shown)) announce(act, deed, effect, queries, shown)
  } catch (error) {
    takeBack()
    replaceToast(shown, refused(act, deed, error))
  }
  await refresh(queries)
}

function announce(act: Act, deed: Deed, effect: Effect, queries: QueryClient, shown?: number): void {
  const text = [
    words[deed.language].acts[act.key].done,
    ...inFlightText(effect, deed),
    ...(act.key === 'message' ? (effect.notes ?? []) : []),
  ].join(' ')
  const toast = { text, undo: act.inverse && (() => void undo(act, deed, effect, queries)) }
  if (shown === undefined) showToast(toast)
  else replaceToast(shown, toast)
}

async function undo(act: Act, deed: Deed, effect: Effect, queries: QueryClient): Promise<void> {
  const { language } = deed
  try {
    await act.inverse?.({ ...deed, options: {} }, effect)
    showToast({ text: words[language].undone(nameOfAct(act, language)) })
  } catch (error) {
    showToast(refused(act, deed, error))
  }
  await refresh(queries)
}

function refused(act: Act, { language }: Deed, error: unknown) {
  const { means, next } = words[language].refusals[refusalOf(error)]
  return {
    text: words[language].notDone(nameOfAct(act, language), `${means} ${next}`),
    tone: 'alarm' as const,
  }
}
