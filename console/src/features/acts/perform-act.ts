import type { Hold, Invoice } from '@relance/sdk'
import type { QueryClient } from '@tanstack/react-query'
import { names } from '../../lib/names.ts'
import { refusalSentence } from '../../lib/refusal-words.ts'
import { isShown, replaceToast, showToast } from '../../ui/toast.tsx'
import { type Act, type ActRequest, type Effect, nameOfAct } from './acts.ts'
import { words } from './words.ts'

/** Optimistic update: shows the stop before the API answers. Returns a function that reverts it. */
function showStop(queries: QueryClient, { subject }: ActRequest): () => void {
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

/** An act changes its invoice, its debtor, the day and what is to be done: their queries are invalidated. */
export const refresh = (queries: QueryClient) =>
  Promise.all(
    ['invoice', 'debtor', 'today', 'work'].map(kind => queries.invalidateQueries({ queryKey: [kind] })),
  )

const inFlightText = ({ inFlight = [] }: Effect, { language }: ActRequest): string[] => {
  const { channels, steps } = names[language]
  const list = inFlight.map(({ action, channel }) => `${steps[action]} (${channels[channel]})`)
  return list.length === 0 ? [] : [words[language].inFlight(list.join(', '))]
}

/** Performs the act, shows a message, and offers undo where the act has an inverse. */
export async function performAct(act: Act, request: ActRequest, queries: QueryClient): Promise<void> {
  const effect = await act.perform(request)
  announce(act, request, effect, queries)
  void refresh(queries)
}

/** Shows a stop before the API answers. If the API refuses it, the old state is restored and the refusal is shown. */
export async function performStop(act: Act, request: ActRequest, queries: QueryClient): Promise<void> {
  await queries.cancelQueries({ queryKey: [request.subject.kind, request.subject.id] })
  const takeBack = showStop(queries, request)
  const answer = act.perform(request)
  // Undo can be clicked at once; the inverse is sent after the stop is done.
  const undoSoon = () => void answer.then(effect => undo(act, request, effect, queries)).catch(() => {})
  const shown = showToast({ text: words[request.language].acts[act.key].done, undo: act.inverse && undoSoon })
  try {
    const effect = await answer
    if (isShown(shown)) announce(act, request, effect, queries, shown)
  } catch (error) {
    takeBack()
    replaceToast(shown, refused(act, request, error))
  }
  await refresh(queries)
}

function announce(act: Act, request: ActRequest, effect: Effect, queries: QueryClient, shown?: number): void {
  const text = [
    words[request.language].acts[act.key].done,
    ...inFlightText(effect, request),
    ...(act.key === 'message' ? (effect.notes ?? []) : []),
  ].join(' ')
  const toast = { text, undo: act.inverse && (() => void undo(act, request, effect, queries)) }
  if (shown === undefined) showToast(toast)
  else replaceToast(shown, toast)
}

async function undo(act: Act, request: ActRequest, effect: Effect, queries: QueryClient): Promise<void> {
  const { language } = request
  try {
    await act.inverse?.({ ...request, options: {} }, effect)
    showToast({ text: words[language].undone(nameOfAct(act, language)) })
  } catch (error) {
    showToast(refused(act, request, error))
  }
  await refresh(queries)
}

function refused(act: Act, { language }: ActRequest, error: unknown) {
  const { notDone, obstacles } = words[language]
  return {
    text: notDone(nameOfAct(act, language), refusalSentence(error, language, { more: obstacles })),
    tone: 'alarm' as const,
  }
}
